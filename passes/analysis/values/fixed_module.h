// That nothing changes a module for a while: what is found out of its instructions then may be kept, and looked up by
// where they are.
#pragma once

#include <cstdint>

#include "ir/module/module.h"

namespace sinter {

struct FixedTime {
  const Module* module = nullptr;
  uint64_t number = 0;
};

// As long as one lives, its module stays as it is. Of this thread; the last that was made counts.
class FixedModule {
 public:
  explicit FixedModule(const Module& module) : before_(current_) { current_ = {&module, ++last_}; }
  ~FixedModule() { current_ = before_; }
  FixedModule(const FixedModule&) = delete;
  FixedModule& operator=(const FixedModule&) = delete;

  // The number of the time in which the instruction's module is fixed, no other's; 0: it is not.
  static uint64_t number_of(const Instruction& instruction) {
    const bool is_fixed = current_.module != nullptr && instruction.parent() != nullptr &&
                          instruction.parent()->parent() == current_.module;
    return is_fixed ? current_.number : 0;
  }

 private:
  const FixedTime before_;
  static inline thread_local FixedTime current_;
  static inline thread_local uint64_t last_ = 0;
};

}  // namespace sinter
