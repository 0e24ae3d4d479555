// Writing instructions: shapes follow from operands and attributes, places and names from where the text is read.
// Computations that are written for a loop or a branch read values from outside through their parameter, a tuple.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/module/module.h"

namespace sinter::grain {

using Dims = std::vector<int64_t>;

// What a loop or branch reads from the computation around it, in the order of first use.
struct Captures {
  size_t first = 0;                  // elements of the tuple before them
  std::vector<Instruction*> values;  // of the computation around
};

// Where the text being lowered stands.
struct Place {
  Loc loc;
  int64_t line = 0;
  int64_t frame = 0;    // of the stack frames
  std::string op_name;  // entry/function/definition
  std::string file;
};

class Builder {
 public:
  explicit Builder(Module& module) : module_(module) {}

  Module& module() { return module_; }
  Computation* computation() const { return scopes_.back().computation; }
  Place place;

  // Writes into another computation until end(). With `captures`, values from outside are elements of its parameter.
  void begin(Computation* computation, Captures* captures = nullptr, Instruction* parameter = nullptr);
  void end() { scopes_.pop_back(); }
  // The value in the computation that is written.
  Instruction* here(Instruction* value);
  // Elements that were read elsewhere only are elements here, too.
  Instruction* captured(size_t index);
  // Whether all of the computations around are reached: a reduction's function takes nothing from outside.
  bool captures_allowed() const;

  Instruction* make(Opcode opcode, const std::vector<Instruction*>& operands, Attributes attributes = {});
  Instruction* make_as(Opcode opcode, Shape shape, const std::vector<Instruction*>& operands,
                       Attributes attributes = {});
  Instruction* parameter(Shape shape, const std::string& name);
  Instruction* constant(Literal literal);
  Instruction* integer(DType dtype, int64_t value) { return constant(integer_literal(dtype, value)); }
  Instruction* number(DType dtype, double value);  // also of integers and pred
  Instruction* iota(DType dtype, const Dims& dims, int64_t along);
  Instruction* compare(Instruction* a, Instruction* b, std::string_view direction);
  Instruction* convert(Instruction* a, DType dtype);
  Instruction* broadcast(Instruction* a, const Dims& dims, const Dims& where);
  Instruction* reshape(Instruction* a, const Dims& dims);
  Instruction* transpose(Instruction* a, const Dims& permutation);
  Instruction* slice(Instruction* a, size_t dimension, int64_t start, int64_t limit, int64_t stride = 1);
  Instruction* pad(Instruction* a, Instruction* value, size_t dimension, int64_t low, int64_t high);
  Instruction* concatenate(const std::vector<Instruction*>& pieces, size_t dimension);
  Instruction* reverse(Instruction* a, size_t dimension);
  Instruction* tuple(const std::vector<Instruction*>& elements) { return make(Opcode::kTuple, elements); }
  Instruction* tuple_element(Instruction* tuple, size_t index);
  // Of a tuple whose shape is not known yet.
  Instruction* tuple_element_as(Instruction* tuple, size_t index, Shape shape);
  Instruction* call(Computation* callee, const std::vector<Instruction*>& arguments);
  // The computation of two scalars, one a dtype.
  Computation* combiner(Opcode opcode, DType dtype);
  // Called `name` where it has no name of its own yet.
  void name(Instruction* value, const std::string& name);

 private:
  struct Scope {
    Computation* computation = nullptr;
    Captures* captures = nullptr;
    Instruction* parameter = nullptr;
    std::map<const Instruction*, Instruction*> known;
  };
  Instruction* at_home(Instruction* value, size_t scope);
  void describe(Instruction* value);

  Module& module_;
  std::vector<Scope> scopes_;
  std::map<std::pair<Opcode, DType>, Computation*> combiners_;
  std::map<const Instruction*, bool> named_;
};

}  // namespace sinter::grain
