// Names that emitted code may not give to what it declares, because a language, a header or the text around it has
// them.
#pragma once

#include <string_view>

namespace sinter {

// Keywords of C and C++, macros that headers which an emitted file includes (or a C caller is likely to include before
// ours) define, and types that stand beside members of the interface: they are no name of anything.
bool is_reserved_word(std::string_view name);

// It begins or ends as such macros do (`M_PI`, `INT_MAX`), of which there are too many to list. With a number behind
// it, it still does.
bool has_macro_form(std::string_view name);

// Types, objects and functions that kernels' text names beside what it declares: `stream`, `Shared`.
bool is_kernel_word(std::string_view name);

// It could be one of their constants, or of CUDA's own: `kThreads`, `cudaError_t`.
bool has_kernel_form(std::string_view name);

// Functions of the C library and of CUDA, without the `f` of those for floats.
bool is_c_function_name(std::string_view name);

// Functions and types that headers of the C library and of CUDA declare in no namespace, and that a program may well be
// called like: `time`, `half`.
bool is_global_name(std::string_view name);

// Functions of templates/device, which emitted files may include.
bool is_helper_name(std::string_view name);

// Indices of a kernel and what its threads share.
bool is_index_word(std::string_view name);

// Of a program: it is a word of CMake, one of the emitted folder's own files, or functions of the C library are called
// like its functions (`timer_create`).
bool is_project_word(std::string_view name);

}  // namespace sinter
