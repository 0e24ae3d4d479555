// The kernels of elementwise ops: one op on one combination of dtypes, run over any number of elements. Whole
// arrays and the scalar computations of reduce, sort and the like (evaluate_scalar.h) use the same kernels.
// Internal to ir/evaluate.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

#include "ir/module/module.h"
#include "ir/values/dtype.h"

namespace sinter::elements {

struct Kernel;

struct KernelArguments {
  const std::byte* operands[3] = {};
  // Distance between an operand's elements, in elements: 1, or 0 for a scalar that meets an array.
  int64_t steps[3] = {1, 1, 1};
  std::byte* result = nullptr;
  int64_t count = 0;
};

using KernelFunction = void (*)(const Kernel&, const KernelArguments&);

struct Kernel {
  KernelFunction function = nullptr;  // nullptr: there is none for these dtypes
  DType operand = DType::kF32;        // of the operands that are not predicates
  DType result = DType::kF32;
  int64_t parameters[2] = {};  // what the op's attributes say, if anything
  // Of an op that is a function: which.
  double (*real)(double) = nullptr;
  std::complex<double> (*complex)(std::complex<double>) = nullptr;

  void operator()(const KernelArguments& arguments) const { function(*this, arguments); }
};

// The kernel of an instruction, by its opcode, attributes and element types; no function if it is not elementwise
// or the dtypes do not fit the op.
Kernel find_kernel(const Instruction& instruction);

// Parts of find_kernel, by file.
KernelFunction find_real_function(DType dtype);                                 // evaluate_function.cpp: float to float
KernelFunction find_complex_function(DType dtype);                              // evaluate_function.cpp
KernelFunction find_basic_unary(Opcode opcode, DType dtype);                    // evaluate_unary_basic.cpp
KernelFunction find_binary(Opcode opcode, DType dtype);                         // evaluate_binary.cpp
KernelFunction find_compare(int64_t direction, bool total_order, DType dtype);  // evaluate_compare.cpp
KernelFunction find_convert(DType from);                                        // evaluate_convert.cpp
KernelFunction find_stochastic_convert(DType from, DType bits);                 // evaluate_convert.cpp
KernelFunction find_reduce_precision(DType dtype);                              // evaluate_convert.cpp

// Loops over the elements of an op of one operand or two: apply(value...) -> value.
template <class From, class To, class Apply>
void loop_unary(const KernelArguments& a, Apply apply) {
  const From* x = reinterpret_cast<const From*>(a.operands[0]);
  To* result = reinterpret_cast<To*>(a.result);
  const int64_t step = a.steps[0];
  if (step == 1) {
    for (int64_t i = 0; i < a.count; ++i) result[i] = apply(x[i]);
  } else {
    for (int64_t i = 0; i < a.count; ++i) result[i] = apply(x[i * step]);
  }
}

template <class From, class To, class Apply>
void loop_binary(const KernelArguments& a, Apply apply) {
  const From* x = reinterpret_cast<const From*>(a.operands[0]);
  const From* y = reinterpret_cast<const From*>(a.operands[1]);
  To* result = reinterpret_cast<To*>(a.result);
  const int64_t x_step = a.steps[0];
  const int64_t y_step = a.steps[1];
  if (x_step == 1 && y_step == 1) {
    for (int64_t i = 0; i < a.count; ++i) result[i] = apply(x[i], y[i]);
  } else {
    for (int64_t i = 0; i < a.count; ++i) result[i] = apply(x[i * x_step], y[i * y_step]);
  }
}

}  // namespace sinter::elements
