// The host-side launch function of a kernel, as kernels.h declares and kernels/<name>.cu defines it.
#pragma once

#include <string>
#include <vector>

#include "ir/kernel/kernel.h"

namespace sinter {

// "cudaError_t\nlaunch_softmax(const float* x, float* div, cudaStream_t stream)": the kernel's parameters and the
// stream; one parameter a line where they pass the line width less `trailing` characters.
std::string print_launch_signature(const Kernel& kernel, int trailing);

// Of kernels that share a launch: the struct of all their arrays, and the structs in it, a member each.
//
//   struct UpdateArrays {
//     struct Update1Arrays {
//       const float* params;
//     } update_1[5];  // places
//   };
//
// Of a resident launch: its places, then what is in none of them.
std::string print_joint_arrays(const Kernel& joint);
// The pointer that a place has of a member: what is only read in all places is const.
CType place_member_type(const Kernel& joint, const PlaceStruct& structs, size_t member);
// Positions.
std::vector<size_t> parameters_in_no_place(const Kernel& joint);

// "softmax_kernels": the C++ namespace of a program's kernels and launch functions. Two programs may have kernels of
// one name and still be linked into one binary.
std::string kernel_namespace(const std::string& program);

}  // namespace sinter
