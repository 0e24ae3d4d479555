// A program runs in a child process: a crash is a result like any other. Its arrays lie in memory both processes see,
// each with pages that must not be touched before and behind it.
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>

#include "tests/random/batch.h"

namespace sinter {

namespace {

constexpr size_t kPage = 4096;
constexpr std::byte kCanary{0xa5};
constexpr unsigned kSeconds = 60;

// An array that ends less than 16 bytes before the end of its pages; the bytes between must stay as they are.
class GuardedArray {
 public:
  explicit GuardedArray(size_t bytes) : bytes_(bytes), padded_((bytes + 15) / 16 * 16) {
    pages_ = (padded_ + kPage - 1) / kPage * kPage;
    void* memory = mmap(nullptr, pages_ + 2 * kPage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    check(memory != MAP_FAILED, "random programs", "no memory for an array");
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

[[noreturn]] void child(const std::string& library, const std::string& name, const std::string& order,
                        const std::vector<void*>& arrays) {
  setenv("SINTER_CPU_ORDER", order.c_str(), 1);
  alarm(kSeconds);
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    _exit(2);
  }
  const auto run = reinterpret_cast<int (*)(void* const*)>(dlsym(handle, ("run_" + name).c_str()));
  if (run == nullptr) _exit(3);
  _exit(run(arrays.data()) == 0 ? 0 : 4);
}

}  // namespace

bool run_in_child(const std::string& library, const CheckedProgram& item, const std::string& order,
                  std::vector<Literal>* outputs, std::string& error) {
  std::vector<GuardedArray> memory;
  for (const Literal& input : item.inputs) {
    memory.emplace_back(input.bytes().size());
    std::memcpy(memory.back().data(), input.bytes().data(), input.bytes().size());
  }
  for (const Literal& result : item.expected) memory.emplace_back(result.bytes().size());
  std::vector<void*> arrays;
  for (const GuardedArray& array : memory) arrays.push_back(array.data());

  const pid_t pid = fork();
  check(pid >= 0, "random programs", "cannot fork");
  if (pid == 0) child(library, item.artifact.program.name, order, arrays);
  int status = 0;
  waitpid(pid, &status, 0);
  if (WIFSIGNALED(status)) {
    error = std::string("ended by signal: ") + strsignal(WTERMSIG(status));
    return false;
  }
  if (WEXITSTATUS(status) != 0) {
    error = "exit status " + std::to_string(WEXITSTATUS(status));
    return false;
  }
  for (size_t i = 0; i < item.inputs.size(); ++i) {
    const std::span<const std::byte> bytes = item.inputs[i].bytes();
    if (std::memcmp(bytes.data(), memory[i].data(), bytes.size()) != 0) error = "input " + std::to_string(i) + " was changed";
  }
  for (size_t i = 0; i < memory.size(); ++i) {
    if (!memory[i].intact()) error = "bytes beside array " + std::to_string(i) + " were changed";
  }
  outputs->clear();
  for (size_t i = 0; i < item.expected.size(); ++i) {
    Literal output(item.expected[i].shape());
    const std::span<std::byte> bytes = output.mutable_bytes();
    std::memcpy(bytes.data(), memory[item.inputs.size() + i].data(), bytes.size());
    outputs->push_back(std::move(output));
  }
  return error.empty();
}

}  // namespace sinter
