// Writing a random module instruction by instruction: what is known of each value, and how a value of a wanted type and
// shape is come by. The families of operations (generate_*_ops.cpp) are written with it.
//
// Facts are kept so that the module has one right answer, to the bit: before floats are summed or multiplied in an
// order that nobody fixed, they are made integers so small that no sum rounds. Elementwise operations round as they
// like, since each rounds alone; what an infinity or a NaN may reach is kept from operations that see more of it than
// that.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "ir/module/module.h"
#include "tests/random/random.h"

namespace sinter {

using Sizes = std::vector<int64_t>;

// Of every element of a float or complex value, whatever the inputs are.
struct Facts {
  double magnitude =
      std::numeric_limits<double>::infinity();  // |x| is at most that; infinite: x may be infinite or NaN
  bool integral = false;                        // x is an integer
  bool finite() const { return std::isfinite(magnitude); }
};
Facts either(const Facts& a, const Facts& b);
// The facts of a result that is rounded to `dtype`.
Facts rounded(DType dtype, double magnitude, bool integral);

struct Term {
  Instruction* node = nullptr;
  Facts facts;
  DType dtype() const { return node->shape.dtype; }
  const Sizes& dims() const { return node->shape.dims; }
  int64_t rank() const { return node->shape.rank(); }
};

// What computations of one module share.
struct DraftModule {
  Module& module;
  Random& random;
  std::vector<int64_t> sizes;  // that dimensions are drawn from
  std::vector<DType> dtypes;   // that are drawn from
  int64_t most_elements = 3000;
  // What the entry takes, tuples flattened.
  struct Input {
    Shape shape;
    Facts facts;
  };
  std::vector<Input> inputs;
};

// A computation being written.
struct Draft {
  DraftModule& shared;
  Computation* computation = nullptr;
  bool is_entry = false;
  bool scalars_only = false;  // a function that is applied to single elements
  int depth = 0;              // of computations around
  int64_t repetitions = 1;    // how often loops around run it
  std::string scope;          // of op_name: "jit(f)/while/body"
  std::vector<Term> terms;    // arrays to draw operands from, in program order

  Random& random() { return shared.random; }
};

// --- Making instructions. Each becomes a term to draw from.
Term add(Draft& draft, Opcode opcode, const std::vector<Term>& operands, const Facts& facts,
         Attributes attributes = {});
// The same where the shape, or its element type, does not follow from the operands.
Term add_stated(Draft& draft, Opcode opcode, Shape shape, const std::vector<Term>& operands, const Facts& facts,
                Attributes attributes = {});
// Elements of a tuple.
std::vector<Term> add_elements(Draft& draft, Instruction* tuple, const std::vector<Facts>& facts);
// The result of an instruction as terms: the elements of a tuple, or itself.
void add_results(Draft& draft, Instruction* node, const std::vector<Facts>& facts);
Instruction* add_tuple(Draft& draft, const std::vector<Term>& elements);
// Makes an instruction without a term: of tuple type, or in a function of scalars.
Instruction* add_node(Draft& draft, Opcode opcode, const std::vector<Instruction*>& operands,
                      Attributes attributes = {}, const Shape* stated = nullptr);
Term term_of(Draft& draft, Instruction* node, const Facts& facts);

Term constant(Draft& draft, DType dtype, double number);
Term splat(Draft& draft, DType dtype, double number, const Sizes& dims);
// One element type's literal of random numbers: integral and small for floats, any bits for integers.
Literal random_literal(Random& random, DType dtype, const Sizes& dims, const Facts& facts);

// --- Coming by operands.
DType random_dtype(Draft& draft, const std::function<bool(DType)>& accepts = nullptr);
Sizes random_dims(Draft& draft, int64_t least_rank = 0, int64_t most_rank = 5);
// A value made of nothing: a parameter (of the entry), a constant, an iota, a scalar broadcast.
Term source(Draft& draft, DType dtype, const Sizes& dims);
// A term there is, recent ones rather; a new source where none is accepted.
Term pick(Draft& draft, const std::function<bool(const Term&)>& accepts = nullptr);
Term pick_of_rank(Draft& draft, int64_t least, int64_t most, const std::function<bool(DType)>& accepts = nullptr);
// Some value of this type and shape.
Term want(Draft& draft, DType dtype, const Sizes& dims);
// `term` converted, and broadcast, reshaped, sliced or padded.
Term as_type(Draft& draft, const Term& term, DType dtype);
Term as_shape(Draft& draft, const Term& term, const Sizes& dims);
// Its elements made integers of at most this magnitude (for integer types, itself).
Term tame(Draft& draft, const Term& term, double limit);
// Its elements made finite.
Term finite(Draft& draft, const Term& term);

// The largest magnitude up to which every integer is a number of the type; of complex types, of their parts.
double exact_limit(DType dtype);
// The largest finite number.
double largest(DType dtype);
bool is_bits(DType dtype);
bool is_real(DType dtype);  // a float
Facts any_facts(DType dtype);

int64_t count(const Sizes& dims);
// A computation beside this one; "while/body" says what for.
Draft open(Draft& outside, const std::string& scope, int64_t repetitions = 1);
// The next parameter of the computation, of these arrays if it is a tuple.
Instruction* add_parameter(Draft& draft, const Shape& shape, const std::vector<Facts>& facts);
// "add.f32": a function of two scalars, made once.
Computation* combiner(Draft& draft, Opcode opcode, DType dtype);

}  // namespace sinter
