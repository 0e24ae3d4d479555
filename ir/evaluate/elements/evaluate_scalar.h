// Computations over scalars (reducers, comparators, combiners, map functions), made fast: recognised where they
// are one binary op, else compiled to a list of elementwise kernels that run over many lanes at once.
// Internal to ir/evaluate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ir/evaluate/elements/evaluate_elementwise.h"
#include "ir/ops/evaluate_ops.h"

namespace sinter::elements {

// One binary op of an accumulated and a new value. kReplace takes the new one.
enum class Combine : uint8_t { kAdd, kMultiply, kMaximum, kMinimum, kAnd, kOr, kXor, kReplace };

// For a computation of parameters (a_0 ... a_n-1, b_0 ... b_n-1) whose result k is one such op of a_k and b_k:
// these ops. nullopt for any other computation.
std::optional<std::vector<Combine>> simple_combiners(const Computation& computation);

// A computation of scalar parameters and results, run for many sets of arguments at once.
class ScalarFunction {
 public:
  ScalarFunction(const Computation& computation, EvaluateContext& context);

  struct Input {
    const std::byte* data = nullptr;
    int64_t step = 1;  // elements from one lane to the next; 0 for a value that all share
  };
  // Lane i reads element i * step of each input and writes element i of each output. An output may be an input of
  // step 1.
  void run(std::span<const Input> inputs, std::span<std::byte* const> outputs, int64_t count);

  size_t output_count() const { return output_dtypes_.size(); }
  DType output_dtype(size_t index) const { return output_dtypes_[index]; }

 private:
  // What an instruction's value is while compiling: one register, or one for each element of a tuple.
  using Value = std::vector<size_t>;
  struct Register {
    DType dtype = DType::kF32;
    const std::byte* data = nullptr;
    int64_t step = 1;
    std::vector<std::byte> storage;  // of results; empty for inputs and constants
    Literal constant;
  };
  struct Operation {
    Kernel kernel;
    size_t operands[3] = {};
    size_t operand_count = 0;
    size_t result = 0;
  };

  bool compile(const Computation& computation, const std::vector<Value>& arguments, int depth, Value& result);
  std::optional<Value> compile_instruction(const Instruction& instruction, const std::vector<Value>& operands,
                                           int depth);
  void run_chunk(std::span<const Input> inputs, std::span<std::byte* const> outputs, int64_t start, int64_t count);
  void run_one(std::span<const Input> inputs, std::span<std::byte* const> outputs, int64_t lane);

  const Computation& computation_;
  EvaluateContext& context_;
  bool compiled_ = false;
  std::vector<DType> input_dtypes_, output_dtypes_;
  std::vector<Register> registers_;  // the inputs first
  std::vector<Operation> operations_;
  Value outputs_;
};

}  // namespace sinter::elements
