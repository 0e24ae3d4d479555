// The struct of arrays that a launch passes, as the launcher declares it:
//
//   const kernels::update::UpdateArrays update_arrays = {
//       .update_1 = {in->params_0, in->grads_0, out->params_0},
//   };
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/kernel/kernel.h"

namespace sinter {

// `arguments`: of the kernel's parameters, pointers before numbers. `may_write`: whether what is given for a pointer
// may be written; where it may not, and is in one struct with what is, it is cast.
std::string print_arrays_struct(const Kernel& kernel, const std::string& name,
                                const std::vector<std::string>& arguments,
                                const std::function<bool(size_t argument)>& may_write, size_t indent);

}  // namespace sinter
