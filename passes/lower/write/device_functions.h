// Device functions: the per-element functions that a kernel calls, each written once, on scalars, before the kernel, if
// no header has it (known_functions.h).
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "ir/kernel/kernel.h"
#include "ir/module/module.h"
#include "passes/analysis/functions/known_functions.h"
#include "passes/lower/text/called_function.h"

namespace sinter {

// A type that goes by a function: threefry2x32 -> Threefry2x32, log_add -> LogAdd.
std::string type_name(const std::string& function);

// How the text calls each of so many results: "first", "second".
std::vector<std::string> member_names(size_t count);

class DeviceFunctions {
 public:
  // Functions are added to `kernel`, whose parameters and constants have their names.
  DeviceFunctions(const Module& module, Kernel& kernel) : module_(module), kernel_(kernel) {}

  // The function of a call. Calls of functions that are equal but for their shapes share one.
  const CalledFunction& of(const Instruction& call);

  // The same, of a table that lives as long as what is returned.
  static CalledFunctions table(const Module& module, Kernel& kernel);

 private:
  CalledFunction include(const KnownFunction& function, size_t parameters);
  CalledFunction write(const Computation& callee);
  std::string unique_name(const Computation& callee) const;

  const Module& module_;
  Kernel& kernel_;
  std::deque<CalledFunction> functions_;
  std::map<std::string, const CalledFunction*> by_signature_;
  std::map<const Computation*, const CalledFunction*> by_computation_;  // only looked up
};

}  // namespace sinter
