#include "driver/lsp/transport.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/raw_ostream.h>

#include <charconv>
#include <istream>
#include <ostream>
#include <string>

namespace sinter {

std::optional<llvm::json::Value> read_message(std::istream& in) {
  constexpr std::string_view kLength = "Content-Length:";
  constexpr size_t kLongest = size_t{1} << 30;
  size_t length = 0;
  std::string line;
  bool begun = false;
  while (std::getline(in, line)) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() && begun) break;
    begun = true;
    if (!llvm::StringRef(line).starts_with_insensitive(kLength)) continue;
    const size_t digits = std::min(line.find_first_not_of(' ', kLength.size()), line.size());
    std::from_chars(line.data() + digits, line.data() + line.size(), length);
  }
  if (!in || length == 0 || length > kLongest) return std::nullopt;
  std::string text(length, '\0');
  if (!in.read(text.data(), static_cast<std::streamsize>(length))) return std::nullopt;
  llvm::Expected<llvm::json::Value> message = llvm::json::parse(text);
  if (message) return std::move(*message);
  llvm::consumeError(message.takeError());
  return llvm::json::Value(nullptr);
}

void write_message(std::ostream& out, const llvm::json::Value& message) {
  std::string text;
  llvm::raw_string_ostream(text) << message;
  out << "Content-Length: " << text.size() << "\r\n\r\n" << text << std::flush;
}

}  // namespace sinter
