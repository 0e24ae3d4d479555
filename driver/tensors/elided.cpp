// JAX prints arrays above ten elements as `{...}` unless asked not to. The values are gone then: what stands for them
// shows how a program is compiled and how fast it is, not what it computes.
#include "driver/tensors/elided.h"

#include <cmath>
#include <utility>
#include <vector>

#include "driver/tensors/tensors.h"
#include "ir/module/weights.h"

namespace sinter {
namespace {

constexpr uint64_t kSeed = 22;
// Standard normal times this is about what transformers are initialised with (0.02); types below a byte have no such
// numbers.
constexpr double kScale = 0x1p-5;
constexpr int kSmallestScaledBits = 8;

// Those of the whole module, in the order of the text. Weights' values are elsewhere.
std::vector<Instruction*> elided_constants(const Module& module) {
  std::vector<Instruction*> constants;
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      const bool is_one = instruction.opcode == Opcode::kConstant && instruction.literal.is_elided();
      if (is_one && weight_name(instruction).empty()) constants.push_back(&instruction);
    }
  }
  return constants;
}

template <class Part>
void scale(Literal& literal) {
  for (Part& part : literal.mutable_values<Part>()) part *= static_cast<Part>(kScale);
}

// Standard normal and 0 to 7 become as small as weights and 0 to 1.
void make_small(Literal& literal) {
  const DType dtype = literal.shape().dtype;
  switch (dtype_class(dtype)) {
    case DTypeClass::kPredicate:
      return;
    case DTypeClass::kSigned:
    case DTypeClass::kUnsigned:
      for (int64_t i = 0; i < literal.element_count(); ++i) literal.set_integer(i, literal.integer_at(i) & 1);
      return;
    case DTypeClass::kFloat:
      if (dtype_bits(dtype) < kSmallestScaledBits) return;
      for (int64_t i = 0; i < literal.element_count(); ++i) {
        const double value = literal.real_at(i);
        literal.set_real(i, std::isfinite(value) ? value * kScale : kScale);  // f8e8m0fnu has no negative numbers
      }
      return;
    case DTypeClass::kComplex:
      dtype == DType::kC64 ? scale<float>(literal) : scale<double>(literal);
      return;
  }
}

Literal random_literal(const Shape& shape, uint64_t place) {
  Literal literal = std::move(random_tensors({shape}, kSeed + place).front());
  make_small(literal);
  return literal;
}

}  // namespace

Elided elided_by_name(const std::string& word) {
  return word == "random" ? Elided::kRandom : word == "zeros" ? Elided::kZeros : Elided::kRefuse;
}

std::string elided_name(Elided elided) {
  return elided == Elided::kRandom ? "random" : elided == Elided::kZeros ? "zeros" : "";
}

bool refuse_elided(const Module& module, Diagnostics& diagnostics, const std::string& other_way) {
  const std::vector<Instruction*> constants = elided_constants(module);
  for (const Instruction* constant : constants) {
    diagnostics.error(
        constant->loc, "E0501", "the values of constant " + constant->name + " are left out",
        "print the text in full: lowered.compiler_ir(\"hlo\").as_hlo_text(print_large_constants=True)" + other_way);
  }
  return constants.empty();
}

bool settle_elided(Module& module, Elided elided, Diagnostics& diagnostics, std::string& note) {
  if (elided == Elided::kRefuse) {
    return refuse_elided(module, diagnostics, "; or have values made up: --elided=random, --elided=zeros");
  }
  const std::vector<Instruction*> constants = elided_constants(module);
  if (constants.empty()) return true;
  for (size_t i = 0; i < constants.size(); ++i) {
    const Shape& shape = constants[i]->shape;
    if (!shape.is_array()) continue;
    constants[i]->literal = elided == Elided::kRandom ? random_literal(shape, i) : Literal(shape);
  }
  note = (constants.size() == 1 ? "1 constant has" : std::to_string(constants.size()) + " constants have") +
         " made-up values, since the text has only {...} (--elided=" + elided_name(elided) + ")";
  diagnostics.warning(constants.front()->loc, "W0105", note);
  return refuse_elided(module, diagnostics);
}

}  // namespace sinter
