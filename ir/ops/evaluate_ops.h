// The evaluator, op by op: the context that calls of other computations go through, and one function for each
// opcode it knows. Rows of the op table take their `.evaluate` from EVALUATED_OPCODES.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "ir/module/effects.h"
#include "ir/module/module.h"
#include "ir/module/random_stream.h"
#include "ir/values/literal.h"

namespace sinter {

// Thrown where the evaluation of a legal module cannot go on (a limit is passed, a constant is elided); the
// functions of evaluate.h turn it into a diagnostic.
struct EvaluateStop : std::runtime_error {
  EvaluateStop(std::string code, const std::string& message) : std::runtime_error(message), code(std::move(code)) {}
  std::string code;
  Loc loc;  // of the innermost instruction under evaluation
};

class ComputationPlan;  // evaluate_computation.cpp

struct EvaluateContext {
  EvaluateContext(int64_t max_steps, int64_t max_value_bytes);
  ~EvaluateContext();
  EvaluateContext(const EvaluateContext&) = delete;
  EvaluateContext& operator=(const EvaluateContext&) = delete;

  // Computations may call each other this deep.
  static constexpr int kMaxDepth = 1000;

  // The root's value of a computation for these arguments.
  Literal call(const Computation& computation, std::vector<Literal> arguments);

  // Operand `index`, moved out of the caller's array where that array is the context's own (so that a value
  // without other users can be updated in place), else a copy.
  Literal take(std::span<const Literal> operands, size_t index);

  // Counts `count` computed elements against the limit.
  void count_steps(int64_t count);
  void count_product(const std::vector<int64_t>& factors);
  // Refuses values too large for the evaluator.
  void check_size(const Shape& shape) const;

  // What rng-get-and-update-state reads and advances: low word, high word.
  uint64_t random_state[2] = {kFirstRandomState[0], kFirstRandomState[1]};
  ComputationSet drawing;  // computations in which what draws runs, though its value is not needed
  int64_t steps_left = 0;
  int64_t max_value_bytes = 0;
  int depth = 0;
  std::span<Literal> own_operands;  // operands of the instruction under evaluation, if the context owns them

 private:
  friend class ComputationPlan;
  const ComputationPlan& plan(const Computation& computation);
  struct Plans;
  std::unique_ptr<Plans> plans_;
};

// Any elementwise op, by what its row says of it.
Literal evaluate_elementwise(const Instruction& instruction, std::span<const Literal> operands,
                             EvaluateContext& context);

// X(enumerator, function suffix) for every other opcode the evaluator knows. Parameters are not among them (their
// values are the arguments), nor is traffic with the host.
#define EVALUATED_OPCODES(X)                          \
  X(AddDependency, add_dependency)                    \
  X(AfterAll, after_all)                              \
  X(AllGather, all_gather)                            \
  X(AllGatherDone, all_gather_done)                   \
  X(AllGatherStart, all_gather_start)                 \
  X(AllReduce, all_reduce)                            \
  X(AllReduceDone, all_reduce_done)                   \
  X(AllReduceStart, all_reduce_start)                 \
  X(AllToAll, all_to_all)                             \
  X(AsyncDone, async_done)                            \
  X(AsyncStart, async_start)                          \
  X(AsyncUpdate, async_update)                        \
  X(BatchNormGrad, batch_norm_grad)                   \
  X(BatchNormInference, batch_norm_inference)         \
  X(BatchNormTraining, batch_norm_training)           \
  X(Bitcast, bitcast)                                 \
  X(BitcastConvert, bitcast_convert)                  \
  X(Broadcast, broadcast)                             \
  X(Call, call)                                       \
  X(Cholesky, cholesky)                               \
  X(CollectiveBroadcast, collective_broadcast)        \
  X(CollectivePermute, collective_permute)            \
  X(CollectivePermuteDone, collective_permute_done)   \
  X(CollectivePermuteStart, collective_permute_start) \
  X(Concatenate, concatenate)                         \
  X(Conditional, conditional)                         \
  X(Constant, constant)                               \
  X(Convolution, convolution)                         \
  X(Copy, copy)                                       \
  X(CopyDone, copy_done)                              \
  X(CopyStart, copy_start)                            \
  X(CustomCall, custom_call)                          \
  X(Domain, domain)                                   \
  X(Dot, dot)                                         \
  X(DynamicReshape, dynamic_reshape)                  \
  X(DynamicSlice, dynamic_slice)                      \
  X(DynamicUpdateSlice, dynamic_update_slice)         \
  X(Fft, fft)                                         \
  X(Fusion, fusion)                                   \
  X(Gather, gather)                                   \
  X(GetDimensionSize, get_dimension_size)             \
  X(GetTupleElement, get_tuple_element)               \
  X(Iota, iota)                                       \
  X(Map, map)                                         \
  X(OptBarrier, opt_barrier)                          \
  X(Pad, pad)                                         \
  X(PartitionId, partition_id)                        \
  X(RaggedAllToAll, ragged_all_to_all)                \
  X(RaggedDot, ragged_dot)                            \
  X(Reduce, reduce)                                   \
  X(ReduceScatter, reduce_scatter)                    \
  X(ReduceWindow, reduce_window)                      \
  X(ReplicaId, replica_id)                            \
  X(Reshape, reshape)                                 \
  X(Reverse, reverse)                                 \
  X(Rng, rng)                                         \
  X(RngBitGenerator, rng_bit_generator)               \
  X(RngGetAndUpdateState, rng_get_and_update_state)   \
  X(ScaledDot, scaled_dot)                            \
  X(Scan, scan)                                       \
  X(Scatter, scatter)                                 \
  X(SelectAndScatter, select_and_scatter)             \
  X(SetDimensionSize, set_dimension_size)             \
  X(Slice, slice)                                     \
  X(Sort, sort)                                       \
  X(Topk, topk)                                       \
  X(Transpose, transpose)                             \
  X(TriangularSolve, triangular_solve)                \
  X(Tuple, tuple)                                     \
  X(While, while)

#define X(enumerator, name) \
  Literal evaluate_##name(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context);
EVALUATED_OPCODES(X)
#undef X

}  // namespace sinter
