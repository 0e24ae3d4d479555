// A program runs in a child process: a crash is a result like any other. Its arrays lie in memory both processes see,
// each with pages that must not be touched before and behind it.
#include "driver/build/run_library.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "ir/support/diagnostics.h"

namespace sinter {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kMessageSize = 1024;
constexpr std::byte kCanary{0xa5};

// An array that ends less than 16 bytes before the end of its pages; the bytes between must stay as they are.
class GuardedArray {
 public:
  explicit GuardedArray(size_t bytes) : bytes_(bytes), padded_((bytes + 15) / 16 * 16) {
    pages_ = (padded_ + kPage - 1) / kPage * kPage;
    void* memory = mmap(nullptr, pages_ + 2 * kPage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    check(memory != MAP_FAILED, "run_in_child", "no memory for an array");
    base_ = static_cast<std::byte*>(memory);
    std::memset(base_ + kPage, static_cast<int>(kCanary), pages_);
    mprotect(base_, kPage, PROT_NONE);
    mprotect(base_ + kPage + pages_, kPage, PROT_NONE);
  }
  GuardedArray(GuardedArray&& other) noexcept
      : base_(other.base_), bytes_(other.bytes_), padded_(other.padded_), pages_(other.pages_) {
    other.base_ = nullptr;
  }
  GuardedArray& operator=(GuardedArray&&) = delete;
  ~GuardedArray() {
    if (base_ != nullptr) munmap(base_, pages_ + 2 * kPage);
  }
  std::byte* data() const { return base_ + kPage + pages_ - padded_; }
  bool intact() const {
    for (const std::byte* byte = base_ + kPage; byte < data(); ++byte) {
      if (*byte != kCanary) return false;
    }
    for (const std::byte* byte = data() + bytes_; byte < data() + padded_; ++byte) {
      if (*byte != kCanary) return false;
    }
    return true;
  }

 private:
  std::byte* base_ = nullptr;
  size_t bytes_, padded_, pages_ = 0;
};

[[noreturn]] void child(const LibraryCall& call, const std::vector<void*>& arrays, char* message) {
  if (!call.order.empty()) setenv("SINTER_CPU_ORDER", call.order.c_str(), 1);
  // Crashes are reported by the parent.
  for (const int crash : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) signal(crash, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody waits for the result any more
  alarm(call.seconds);
  void* library = dlopen(call.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* function = library == nullptr ? nullptr : dlsym(library, ("run_" + call.program).c_str());
  if (function == nullptr) {
    std::snprintf(message, kMessageSize, "%s", dlerror());
    _exit(2);
  }
  using Run = int (*)(void* const*, char*, size_t);
  _exit(reinterpret_cast<Run>(function)(arrays.data(), message, kMessageSize) == 0 ? 0 : 1);
}

}  // namespace

std::optional<std::vector<Literal>> run_in_child(const LibraryCall& call, std::string& error) {
  const std::vector<Literal>& inputs = *call.inputs;
  std::vector<GuardedArray> memory;
  for (const Literal& input : inputs) {
    memory.emplace_back(input.bytes().size());
    if (input.bytes().empty()) continue;
    std::memcpy(memory.back().data(), input.bytes().data(), input.bytes().size());
  }
  std::vector<Literal> outputs;
  for (const Shape& shape : call.outputs) {
    outputs.emplace_back(shape);
    memory.emplace_back(outputs.back().bytes().size());
  }
  std::vector<void*> arrays;
  for (const GuardedArray& array : memory) arrays.push_back(array.data());
  for (const size_t i : call.sizes) arrays[i] = reinterpret_cast<void*>(static_cast<intptr_t>(inputs[i].integer_at(0)));
  const auto is_given = [&](size_t input) { return input < call.given_as.size() && call.given_as[input] >= 0; };
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (is_given(i)) arrays[inputs.size() + static_cast<size_t>(call.given_as[i])] = arrays[i];
  }
  GuardedArray message(kMessageSize);
  message.data()[0] = std::byte{0};

  const pid_t pid = fork();
  check(pid >= 0, "run_in_child", "cannot fork");
  if (pid == 0) child(call, arrays, reinterpret_cast<char*>(message.data()));
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    error = WTERMSIG(status) == SIGALRM ? "not finished after " + std::to_string(call.seconds) + " s\n"
                                        : std::string("ended by a signal: ") + strsignal(WTERMSIG(status)) + "\n";
    return std::nullopt;
  }
  if (WEXITSTATUS(status) != 0) {
    error = std::string(reinterpret_cast<const char*>(message.data())) + "\n";
    return std::nullopt;
  }
  error.clear();
  for (size_t i = 0; i < memory.size(); ++i) {
    if (!memory[i].intact()) error += "bytes beside array " + std::to_string(i) + " were changed\n";
    const std::span<const std::byte> before = i < inputs.size() ? inputs[i].bytes() : std::span<const std::byte>();
    if (!before.empty() && !is_given(i) && std::memcmp(before.data(), memory[i].data(), before.size()) != 0) {
      error += "input " + std::to_string(i) + " was changed\n";
    }
  }
  if (!error.empty()) return std::nullopt;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::span<std::byte> bytes = outputs[i].mutable_bytes();
    if (!bytes.empty()) std::memcpy(bytes.data(), arrays[inputs.size() + i], bytes.size());
  }
  return outputs;
}

}  // namespace sinter
