// The op table: one row for each opcode, holding every fact about it. Parser, printer, verifier, evaluator,
// lowering and docs read rows; a missing row or a missing obligation of its family does not compile
// (op_table_rows.cpp instantiates complete<opcode>() for every line of opcodes.def).
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/index/index_expr.h"
#include "ir/module/module.h"
#include "ir/values/literal.h"

namespace sinter {

struct AttributeSpec {
  AttributeId id;
  bool required = false;
};

// A shape, or what is wrong: message, and a hint for the note line (may be empty).
struct ShapeError {
  std::string message;
  std::string hint;
};
using ShapeResult = std::variant<Shape, ShapeError>;

// How emitted CUDA C++ spells an elementwise op for one class of element types. Operands are the op's operands.
struct CudaSpelling {
  enum class Kind : uint8_t {
    kNone,      // no spelling: not emitted yet, refused with a diagnostic
    kPrefix,    // text operand:            -x
    kInfix,     // operand text operand:    x + y
    kFunction,  // text(operands...):       fabsf(x)
    kSpecial,   // written by lowering: select, convert, compare, clamp, ...
  };
  Kind kind = Kind::kNone;
  std::string_view text = {};
  std::string_view header = {};  // device helper it needs: "device/sign.cuh"; empty for CUDA built-ins
};

// f16 and bf16 compute in f32 and round after each op, so they use `f32`.
struct CudaSpellings {
  CudaSpelling f32 = {}, f64 = {}, signed_integer = {}, unsigned_integer = {}, pred = {}, complex = {};
};

// How much a kernel is about an op that it computes: what is lightest is mentioned last.
enum class Lightness : uint8_t {
  kUnsaid,
  kAlgorithm,  // products, sorts, factorisations
  kReduction,  // what applies a computation of the program
  kPlacement,  // what reads or writes where it is told
  kFunction,   // of the math library
  kArithmetic,
  kLogic,  // on bits arithmetic, on truth values plain
  kPlain,  // values as they are
};

// Errors of a function, in units in the last place, as the CUDA C++ Programming Guide lists them ("Mathematical
// Functions", full range, without fast math).
struct FunctionError {
  int f32 = 0, f64 = 0;
};

using RealFunction = double (*)(double);
using ComplexFunction = std::complex<double> (*)(std::complex<double>);

struct EvaluateContext;  // calls of sub-computations; evaluate.cpp

struct OpDef {
  int arity = 0;  // exact number of operands; -1: any number
  std::span<const AttributeSpec> attributes = {};
  // The result shape from operands and attributes (layouts absent). nullptr: the text must state the shape,
  // and `verify` checks it.
  ShapeResult (*infer)(const Instruction&) = nullptr;
  // The text may state another element type than `infer` gives: dot and its like.
  bool states_type = false;
  // Extra constraints, on an instruction whose shape is set and, where there is a rule, agrees with it. An empty
  // message: fine.
  ShapeError (*verify)(const Instruction&) = nullptr;
  // The value; nullptr: not evaluated yet (refused with a diagnostic by check_evaluable).
  Literal (*evaluate)(const Instruction&, std::span<const Literal> operands, EvaluateContext&) = nullptr;
  // Index maps with one source and no guard (broadcast, reshape, transpose, reverse, slice): the index into
  // operand 0 of result element `index`.
  std::vector<IndexExpr> (*source_index)(const Instruction&, const std::vector<IndexExpr>& index) = nullptr;
  CudaSpellings cuda = {};
  FunctionError error = {};  // of the spelling on reals
  bool commutative = false;
  // What a unary op is on floats and on complex numbers: computed so and rounded once.
  RealFunction real = nullptr;
  ComplexFunction complex = nullptr;
  // Elementwise ops that are more than `real` have kernels of their own in ir/evaluate/elements.
  bool own_kernel = false;
  Lightness lightness = Lightness::kUnsaid;
  // Rough cost of one element relative to an add: decides what is kept rather than recomputed.
  int cost = 1;
};

const OpDef& op_def(Opcode opcode);

// Spelling for the element type the op computes in (its operand's type for compare and convert).
const CudaSpelling& cuda_spelling(const Instruction& instruction);

// The largest error, in units in the last place of the result type, that emitted code may show against the
// evaluator for this op (docs/numerics.md); 0 = bit for bit.
int ulp_bound(const Instruction& instruction);

}  // namespace sinter
