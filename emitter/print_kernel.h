// The host-side launch function of a kernel, as kernels.h declares and kernels/<name>.cu defines it.
#pragma once

#include <string>

#include "ir/kernel.h"

namespace sinter {

// "cudaError_t\nlaunch_softmax(const float* x, float* div, cudaStream_t stream)": the kernel's parameters and the
// stream; one parameter a line where they pass the line width less `trailing` characters.
std::string print_launch_signature(const Kernel& kernel, int trailing);

// "softmax_kernels": the C++ namespace of a program's kernels and launch functions. Two programs may have kernels of
// one name and still be linked into one binary.
std::string kernel_namespace(const std::string& program);

}  // namespace sinter
