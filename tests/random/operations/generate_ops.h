// Random operations: each adds an instruction of its family to the computation, with what it needs before it.
#pragma once

#include "tests/random/operations/draft.h"

namespace sinter {

// generate_elementwise_ops.cpp
void add_unary(Draft& draft);
void add_binary(Draft& draft);
// The facts of an operation on floats that has one right answer to the bit.
Facts binary_facts(Opcode opcode, DType dtype, const Facts& a, const Facts& b);
void add_compare(Draft& draft);
void add_select(Draft& draft);
void add_clamp(Draft& draft);
void add_convert(Draft& draft);
void add_bitcast_convert(Draft& draft);
void add_complex(Draft& draft);
void add_stochastic_convert(Draft& draft);

// generate_index_ops.cpp
void add_broadcast(Draft& draft);
void add_reshape(Draft& draft);
void add_transpose(Draft& draft);
void add_reverse(Draft& draft);
void add_slice(Draft& draft);
void add_pad(Draft& draft);
void add_concatenate(Draft& draft);
void add_iota(Draft& draft);
void add_dynamic_slice(Draft& draft);
void add_dynamic_update_slice(Draft& draft);
void add_gather(Draft& draft);
void add_scatter(Draft& draft);

// generate_reduce_ops.cpp
void add_reduce(Draft& draft);
// Of this array: over these dimensions, or over these windows.
Term add_reduction(Draft& draft, const Term& a, const Sizes& dimensions);
Term add_windows(Draft& draft, const Term& a, const std::vector<WindowDimension>& window);
void add_variadic_reduce(Draft& draft);
void add_reduce_window(Draft& draft);
void add_cumulative(Draft& draft);
void add_select_and_scatter(Draft& draft);
void add_sort(Draft& draft);
void add_topk(Draft& draft);

// generate_contract_ops.cpp
void add_dot(Draft& draft);
void add_convolution(Draft& draft);
void add_ragged_dot(Draft& draft);
void add_scaled_dot(Draft& draft);

// generate_function_ops.cpp
void add_function(Draft& draft);
void add_function_of_two(Draft& draft);

// generate_solve_ops.cpp
void add_cholesky(Draft& draft);
void add_triangular_solve(Draft& draft);
void add_fft(Draft& draft);

// generate_norm_ops.cpp
void add_batch_norm(Draft& draft);

// generate_control_ops.cpp
void add_map(Draft& draft);
void add_call(Draft& draft);
void add_conditional(Draft& draft);
void add_while(Draft& draft);
void add_scan(Draft& draft);
void add_random_numbers(Draft& draft);
void add_random_bits(Draft& draft);
void add_barrier(Draft& draft);

// generate_device_ops.cpp
void add_collective(Draft& draft);
void add_handed_on(Draft& draft);
void add_copy_pair(Draft& draft);
void add_known_number(Draft& draft);

// Random operations, `count` of them (generate_modules.cpp).
void add_operations(Draft& draft, int64_t count);

}  // namespace sinter
