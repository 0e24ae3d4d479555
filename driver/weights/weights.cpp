#include "driver/weights/weights.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "driver/tensors/tensors.h"
#include "driver/weights/weight_inputs.h"
#include "ir/module/weights.h"
#include "ir/support/sha256.h"
#include "passes/names/value_names.h"
#include "runtime/tensor_file.h"

namespace sinter {
namespace {

struct HomeName {
  WeightsHome home;
  const char* word;
};
constexpr HomeName kHomes[] = {
    {WeightsHome::kEmbedded, "embed"}, {WeightsHome::kFile, "file"}, {WeightsHome::kCaller, "caller"}};

// Numbers of other types are rarely learned: places, sizes, tables.
bool may_be_weight(const Instruction& constant, int64_t smallest_bytes) {
  const Shape& shape = constant.shape;
  if (constant.opcode != Opcode::kConstant || !shape.is_array() || shape.dims.empty()) return false;
  const bool is_of_bytes = is_integer(shape.dtype) && dtype_bits(shape.dtype) <= 8;
  if (!is_float(shape.dtype) && !is_complex(shape.dtype) && !is_of_bytes) return false;
  return shape.element_count() > 1 && shape.bytes() >= smallest_bytes;
}

// "jit(apply)/MLP/Dense_0/dot_general" -> "MLP.Dense_0.dot_general".
std::string path_name(const std::string& op_name) {
  std::string name;
  for (size_t begin = 0; begin < op_name.size();) {
    const size_t end = std::min(op_name.find('/', begin), op_name.size());
    const std::string part = op_name.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty() || part.find('(') != std::string::npos) continue;
    name += (name.empty() ? "" : ".") + part;
  }
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '_' && c != '-') c = '_';
  }
  return name;
}

bool only_moves(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kReshape:
    case Opcode::kBroadcast:
    case Opcode::kTranspose:
    case Opcode::kConvert:
    case Opcode::kCopy:
    case Opcode::kBitcast:
      return true;
    default:
      return false;
  }
}

// What reads a constant, behind what only moves it, and inside what is called with it.
const Instruction& reader_of(const Instruction& constant) {
  const Instruction* at = &constant;
  while (!at->users().empty()) {
    const Instruction& user = *at->users()[0];
    if (user.opcode == Opcode::kCall || user.opcode == Opcode::kFusion) {
      const auto& operands = user.operands();
      const size_t number = static_cast<size_t>(std::find(operands.begin(), operands.end(), at) - operands.begin());
      at = user.called_computations()[0]->parameters()[number];
      continue;
    }
    if (!only_moves(user)) return user;
    at = &user;
  }
  return *at;
}

std::string base_name(const Instruction& constant) {
  if (std::string said = path_name(constant.metadata->op_name); !said.empty()) return said;
  const Instruction& reader = reader_of(constant);
  std::string path = path_name(reader.metadata->op_name);
  return path.empty() ? std::string(opcode_name(reader.opcode)) : path;
}

class Marking {
 public:
  Marking(Module& module, const WeightOptions& options, Diagnostics& diagnostics)
      : module_(module), options_(options), diagnostics_(diagnostics) {}

  std::optional<std::vector<WeightValue>> run() {
    for (const auto& computation : module_.computations()) {
      for (Instruction& instruction : computation->instructions()) {
        if (!weight_name(instruction).empty())
          instruction.annotations.edit().frontend_attributes.erase(kWeightAttribute);
      }
    }
    if (options_.inputs && !options_.inputs_stay) mark_inputs();
    if (options_.home) {
      for (const auto& computation : module_.computations()) {
        for (Instruction& instruction : computation->instructions()) {
          if (may_be_weight(instruction, options_.smallest_bytes)) mark_constant(instruction);
        }
      }
    }
    if (!diagnostics_.ok()) return std::nullopt;
    return std::move(values_);
  }

 private:
  void mark(Instruction& instruction, const std::string& base, Literal value) {
    std::string name = base;
    for (int number = 2; !taken_.insert(name).second; ++number) name = base + "_" + std::to_string(number);
    instruction.annotations.edit().frontend_attributes[kWeightAttribute] = name;
    values_.push_back({name, std::move(value)});
  }

  void mark_constant(Instruction& constant) {
    if (constant.literal.is_elided() && options_.home != WeightsHome::kCaller) {
      diagnostics_.error(constant.loc, "E0501", "the values of constant " + constant.name + " are left out",
                         "--weights=caller, for weights that the library's caller has; or text printed in full: "
                         "lowered.compiler_ir(\"hlo\").as_hlo_text(print_large_constants=True)");
      return;
    }
    mark(constant, base_name(constant), std::exchange(constant.literal, Literal::elided(constant.shape)));
  }

  void mark_inputs() {
    std::optional<std::vector<WeightInput>> inputs =
        weight_inputs(module_, *options_.inputs, diagnostics_, options_.of_several);
    if (!inputs) return;
    const std::vector<Instruction*> parameters = module_.entry()->parameters();
    for (WeightInput& input : *inputs) mark(*parameters[input.parameter], input.name, std::move(input.value));
  }

  Module& module_;
  const WeightOptions& options_;
  Diagnostics& diagnostics_;
  std::set<std::string> taken_;
  std::vector<WeightValue> values_;
};

}  // namespace

std::vector<std::string> weights_homes() {
  std::vector<std::string> words;
  for (const HomeName& home : kHomes) words.emplace_back(home.word);
  return words;
}

std::string weights_home_name(WeightsHome home) {
  const auto is_it = [&](const HomeName& name) { return name.home == home; };
  return std::find_if(std::begin(kHomes), std::end(kHomes), is_it)->word;
}

std::optional<WeightsHome> weights_home_by_name(const std::string& word) {
  const auto found =
      std::find_if(std::begin(kHomes), std::end(kHomes), [&](const HomeName& name) { return name.word == word; });
  return found == std::end(kHomes) ? std::nullopt : std::optional(found->home);
}

std::string difference_of(const WeightValue& a, const WeightValue& b) {
  const Literal &one = a.value, &other = b.value;
  const std::string shape = to_string(one.shape(), false), wanted = to_string(other.shape(), false);
  if (shape != wanted) return wanted + ", not " + shape;
  if (one.is_elided() || other.is_elided()) return "";
  return std::ranges::equal(one.bytes(), other.bytes()) ? "" : "other values";
}

std::string weights_text(const WeightOptions& options) {
  std::string text;
  if (options.home) text += " --weights=" + weights_home_name(*options.home);
  if (options.smallest_bytes > 0) text += " --weights-from=" + std::to_string(options.smallest_bytes);
  return text;
}

std::optional<std::vector<WeightValue>> mark_weights(Module& module, const WeightOptions& options,
                                                     Diagnostics& diagnostics) {
  return Marking(module, options, diagnostics).run();
}

bool all_weights_are_separate(const Module& module, Diagnostics& diagnostics) {
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      if (instruction.opcode != Opcode::kConstant || weight_name(instruction).empty()) continue;
      diagnostics.error(instruction.loc, "E0508",
                        "constant " + instruction.name + " is in a function whose callers cannot give it as a weight",
                        "make it an argument of the program (sinter.jax.export, weights=...); or --weights-from=" +
                            std::to_string(instruction.shape.bytes() + 1) + ", if it may be a part of the program");
    }
  }
  return diagnostics.ok();
}

std::string weights_file(const Program& program, const std::vector<WeightValue>& values, const std::string& build) {
  std::vector<tensor_file::Tensor> tensors;
  for (const Program::Weight& weight : program.weights) {
    const auto is_it = [&](const WeightValue& value) { return value.name == weight.tensor; };
    const auto found = std::find_if(values.begin(), values.end(), is_it);
    check(found != values.end(), "weights", weight.tensor + " has no value");
    tensors.push_back(file_tensor(weight.tensor, found->value));
  }
  std::string content, error;
  check(tensor_file::format_safetensors(tensors, content, error, {{tensor_file::kBuildKey, build}}), "weights", error);
  return content;
}

}  // namespace sinter
