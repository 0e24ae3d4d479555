// Execution contexts of the CPU build: stacks, and the switch from one to another.
//
// A context switch saves the callee-saved registers on the stack it leaves and restores those of
// the stack it enters: assembly for x86-64 and, by clang, aarch64 (about 10 ns), ucontext elsewhere
// or with -DSINTER_CPU_UCONTEXT. AddressSanitizer is told of every switch. ThreadSanitizer sees
// each context as a thread of its own, and a switch as no synchronisation, so that it reports CUDA
// threads that share memory without a barrier.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

// The switch is a function of assembly alone, inline like any other: nothing at file scope that
// link-time optimisation could see twice or not at all. g++ has no such functions for aarch64.
#if !defined(SINTER_CPU_UCONTEXT) && \
    !(defined(__ELF__) && (defined(__x86_64__) || (defined(__aarch64__) && defined(__clang__))))
#define SINTER_CPU_UCONTEXT 1
#endif
#ifdef SINTER_CPU_UCONTEXT
#include <ucontext.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define SINTER_CPU_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SINTER_CPU_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define SINTER_CPU_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SINTER_CPU_TSAN 1
#endif
#endif

#ifdef SINTER_CPU_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef SINTER_CPU_TSAN
#include <sanitizer/tsan_interface.h>
extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#define SINTER_CPU_UNINSTRUMENTED __attribute__((no_sanitize("thread")))
#else
#define SINTER_CPU_UNINSTRUMENTED
#endif

inline namespace sinter_helpers {

namespace sinter_cpu {

#ifdef SINTER_CPU_TSAN
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

// The scheduler's own memory accesses are no business of ThreadSanitizer: they are ordered by the
// scheduler.
inline void hide_accesses() {
#ifdef SINTER_CPU_TSAN
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
#endif
}
inline void show_accesses() {
#ifdef SINTER_CPU_TSAN
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
#endif
}
struct HiddenAccesses {
  HiddenAccesses() { hide_accesses(); }
  ~HiddenAccesses() { show_accesses(); }
  HiddenAccesses(const HiddenAccesses&) = delete;
  HiddenAccesses& operator=(const HiddenAccesses&) = delete;
};

// What happened before a release of `token` happens before what follows an acquire of it.
inline void release(void* token) {
  (void)token;
#ifdef SINTER_CPU_TSAN
  __tsan_release(token);
#endif
}
inline void acquire(void* token) {
  (void)token;
#ifdef SINTER_CPU_TSAN
  __tsan_acquire(token);
#endif
}

#ifndef SINTER_CPU_UCONTEXT
// Leaves the current stack, whose pointer is stored in *from, for the one whose pointer is `to`. No
// caller may take its assembly for all that happens until it returns.
#ifdef __clang__
#define SINTER_CPU_ASSEMBLY __attribute__((naked, noinline))
#else
#define SINTER_CPU_ASSEMBLY __attribute__((naked, noipa))
#endif
#ifdef __x86_64__
SINTER_CPU_ASSEMBLY inline void switch_stacks(void** /*from*/, void* /*to*/) {
  asm(R"(
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
)");
}
inline constexpr int kSavedWords = 8;  // six registers, the return address, and a null one above it
inline constexpr int kReturnAddress = 6;
#else
SINTER_CPU_ASSEMBLY inline void switch_stacks(void** /*from*/, void* /*to*/) {
  asm(R"(
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
)");
}
inline constexpr int kSavedWords = 20;
inline constexpr int kReturnAddress = 11;  // x30
#endif
#endif

// A stack and the point where its execution stopped. The host's own context has no stack of ours.
class Context {
 public:
  Context() = default;  // of the host thread, filled by the first switch away from it
  explicit Context(void (*entry)()) { create_stack(), prepare(entry); }
  ~Context() { destroy_stack(); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Goes on with `to`; returns when `to` switches back here.
  void switch_to(Context& to) {
#ifdef SINTER_CPU_TSAN
    if (tsan_ == nullptr) tsan_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to.tsan_, __tsan_switch_to_fiber_no_sync);
#endif
#ifdef SINTER_CPU_ASAN
    __sanitizer_start_switch_fiber(&fake_stack_, to.stack_bottom_, to.stack_size_);
#endif
#ifdef SINTER_CPU_UCONTEXT
    swapcontext(&context_, &to.context_);
#else
    switch_stacks(&stack_pointer_, to.stack_pointer_);
#endif
    arrived(to);
  }

  // To be called first on a new stack: `from` is the context that switched here.
  void arrived(Context& from) {
    (void)from;
#ifdef SINTER_CPU_ASAN
    const void* bottom = nullptr;
    size_t size = 0;
    __sanitizer_finish_switch_fiber(fake_stack_, &bottom, &size);
    if (from.mapping_ == nullptr) from.stack_bottom_ = bottom, from.stack_size_ = size;
#endif
  }

 private:
  // Virtual memory, touched only as far as a kernel's frames reach; below it lies a page that
  // traps. ThreadSanitizer takes stacks from the heap instead, which it knows to be fresh memory
  // each time.
  static constexpr size_t kStackBytes = kThreadSanitizer ? size_t{64} << 10 : size_t{512} << 10;

  void create_stack() {
    stack_size_ = kStackBytes;
    if (kThreadSanitizer) {
      mapping_ = std::aligned_alloc(64, kStackBytes);
      if (mapping_ == nullptr) throw std::bad_alloc();
      stack_bottom_ = mapping_;
      return;
    }
    guard_size_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    mapping_ = mmap(nullptr, guard_size_ + kStackBytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping_ == MAP_FAILED) {
      mapping_ = nullptr;
      throw std::bad_alloc();
    }
    mprotect(mapping_, guard_size_, PROT_NONE);
    stack_bottom_ = static_cast<std::byte*>(mapping_) + guard_size_;
    forget_frames();
  }

  // AddressSanitizer knows of frames of stacks that are gone: of a thread's, if this memory was
  // one's.
  void forget_frames() {
#ifdef SINTER_CPU_ASAN
    __asan_unpoison_memory_region(stack_bottom_, stack_size_);
#endif
  }

  void destroy_stack() {
    if (mapping_ == nullptr) return;
    forget_frames();
#ifdef SINTER_CPU_TSAN
    __tsan_destroy_fiber(tsan_);
#endif
    if (kThreadSanitizer) {
      std::free(mapping_);
    } else {
      munmap(mapping_, guard_size_ + stack_size_);
    }
  }

  void prepare(void (*entry)()) {
#ifdef SINTER_CPU_TSAN
    tsan_ = __tsan_create_fiber(0);
#endif
#ifdef SINTER_CPU_UCONTEXT
    getcontext(&context_);
    context_.uc_stack.ss_sp = const_cast<void*>(stack_bottom_);
    context_.uc_stack.ss_size = stack_size_;
    context_.uc_link = nullptr;
    makecontext(&context_, entry, 0);
#else
    const auto top = reinterpret_cast<uintptr_t>(stack_bottom_) + stack_size_;
    auto* words = reinterpret_cast<uintptr_t*>(top) - kSavedWords;
    for (int i = 0; i < kSavedWords; ++i) words[i] = 0;
    words[kReturnAddress] = reinterpret_cast<uintptr_t>(entry);
    stack_pointer_ = words;
#endif
  }

#ifdef SINTER_CPU_UCONTEXT
  ucontext_t context_ = {};
#else
  void* stack_pointer_ = nullptr;
#endif
  void* mapping_ = nullptr;
  const void* stack_bottom_ = nullptr;
  size_t stack_size_ = 0;
  size_t guard_size_ = 0;
  void* fake_stack_ = nullptr;
  void* tsan_ = nullptr;
};

}  // namespace sinter_cpu

}  // namespace sinter_helpers
