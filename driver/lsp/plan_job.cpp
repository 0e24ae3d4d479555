#include "driver/lsp/plan_job.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <exception>

#include "emitter/text/json_text.h"

namespace sinter {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

std::string plan_text(const Source& source, const FileReader& read) {
  Array lines;
  for (const PlanLine& plan : plan_lines(source, read))
    lines.push_back(Object{{"line", plan.line}, {"text", json_text(plan.text)}});
  std::string text;
  llvm::raw_string_ostream(text) << Value(std::move(lines));
  return text;
}

// The child's whole life. Nothing of the server's may be written or closed twice: it ends without destructors.
[[noreturn]] void make_plan(const Source& source, const FileReader& read, int out) {
  std::string text;
  try {
    text = plan_text(source, read);
  } catch (const std::exception&) {
    _exit(1);
  }
  for (size_t written = 0; written < text.size();) {
    const ssize_t count = write(out, text.data() + written, text.size() - written);
    if (count < 0 && errno != EINTR) _exit(1);
    written += count < 0 ? 0 : static_cast<size_t>(count);
  }
  _exit(0);
}

}  // namespace

PlanJob::PlanJob(const Source& source, const FileReader& read_file) {
  int ends[2];
  if (pipe(ends) != 0) return;
  process_ = fork();
  if (process_ == 0) make_plan(source, read_file, ends[1]);
  close(ends[1]);
  if (process_ > 0) {
    descriptor_ = ends[0];
  } else {
    close(ends[0]);
  }
}

PlanJob::~PlanJob() {
  if (descriptor_ >= 0) close(descriptor_);
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

bool PlanJob::read() {
  char buffer[1 << 12];
  const ssize_t count = ::read(descriptor_, buffer, sizeof buffer);
  if (count < 0) return errno != EINTR;
  text_.append(buffer, static_cast<size_t>(count));
  return count == 0;
}

std::optional<std::vector<PlanLine>> PlanJob::result() const {
  llvm::Expected<Value> parsed = llvm::json::parse(text_);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  const Array* array = parsed->getAsArray();
  if (array == nullptr) return std::nullopt;
  std::vector<PlanLine> lines;
  for (const Value& element : *array) {
    const Object* line = element.getAsObject();
    if (line == nullptr) return std::nullopt;
    lines.push_back(
        {static_cast<int>(line->getInteger("line").value_or(0)), line->getString("text").value_or("").str()});
  }
  return lines;
}

}  // namespace sinter
