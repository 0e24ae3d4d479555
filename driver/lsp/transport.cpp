#include "driver/lsp/transport.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/raw_ostream.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <ostream>

namespace sinter {

bool MessageReader::read() {
  char buffer[1 << 16];
  ssize_t count;
  do {
    count = ::read(descriptor_, buffer, sizeof buffer);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return false;
  text_.append(buffer, static_cast<size_t>(count));
  return true;
}

std::optional<llvm::json::Value> MessageReader::next() {
  constexpr std::string_view kLength = "Content-Length:";
  constexpr size_t kLongestLine = size_t{1} << 12, kLongest = size_t{1} << 30;
  size_t length = 0, begin = 0;
  bool begun = false;
  while (true) {
    const size_t end = text_.find('\n', begin);
    is_broken_ = (end == std::string::npos ? text_.size() : end) - begin > kLongestLine;
    if (end == std::string::npos || is_broken_) return std::nullopt;
    std::string_view line = std::string_view(text_).substr(begin, end - begin);
    begin = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() && begun) break;
    begun = true;
    if (!llvm::StringRef(line).starts_with_insensitive(kLength)) continue;
    const size_t digits = std::min(line.find_first_not_of(' ', kLength.size()), line.size());
    std::from_chars(line.data() + digits, line.data() + line.size(), length);
  }
  is_broken_ = length == 0 || length > kLongest;
  if (is_broken_ || text_.size() - begin < length) return std::nullopt;
  llvm::Expected<llvm::json::Value> message = llvm::json::parse(llvm::StringRef(text_).substr(begin, length));
  std::optional<llvm::json::Value> result(nullptr);
  if (message) {
    result = std::move(*message);
  } else {
    llvm::consumeError(message.takeError());
  }
  text_.erase(0, begin + length);
  return result;
}

void write_message(std::ostream& out, const llvm::json::Value& message) {
  std::string text;
  llvm::raw_string_ostream(text) << message;
  out << "Content-Length: " << text.size() << "\r\n\r\n" << text << std::flush;
}

}  // namespace sinter
