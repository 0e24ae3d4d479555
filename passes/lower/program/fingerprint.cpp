#include "passes/lower/program/fingerprint.h"

#include <map>
#include <span>

#include "ir/support/sha256.h"

namespace sinter {

namespace {

class Fingerprinter {
 public:
  std::string run(const Kernel& kernel) {
    add(kernel);
    return std::move(text_);
  }

 private:
  // Parts are as deep as launches share launches: a loop's steps, and what shares a launch of these.
  void add(const Kernel& kernel) {
    for (const Parameter& parameter : kernel.parameters) {
      type(parameter.variable->type);
      variable(parameter.variable);
    }
    for (const TileMap& map : kernel.tile_maps) {
      variable(map.array);
      text_ += "+" + std::to_string(map.first);
      for (const auto& list : {std::span<const std::string>(map.extents), std::span<const std::string>(map.strides),
                               std::span<const std::string>(map.tile)}) {
        for (const std::string& number : list) text_ += "," + number;
      }
      text_ += ";";
    }
    for (const NamedConstant& constant : kernel.constants) text_ += constant.name + "=" + constant.value + ";";
    for (const int64_t extent : kernel.launch.grid) text_ += std::to_string(extent) + ",";
    text_ += std::to_string(kernel.launch.block) + ";";
    for (const SharedStruct::Member& member : kernel.shared.members) {
      text_ += member.name + " " + member.type + " " + std::string(dtype_name(member.dtype));
      for (const std::string& dim : member.dims) text_ += "[" + dim + "]";
    }
    for (const ResultStruct& result : kernel.structs) {
      text_ += result.name + "{";
      for (const auto& [name, dtype] : result.members) text_ += name + " " + std::string(dtype_name(dtype)) + ";";
      text_ += "}";
    }
    for (const std::string& declaration : kernel.declarations) text_ += declaration;
    for (const DeviceFunction& function : kernel.functions) {
      type(function.result);
      text_ += function.name;
      for (const Variable* parameter : function.parameters) {
        type(parameter->type);
        variable(parameter);
      }
      block(function.body);
    }
    for (const FunctionObject& object : kernel.function_objects) {
      type(object.result);
      text_ += object.name;
      for (const auto* list : {&object.members, &object.parameters}) {
        for (const Variable* variable : *list) {
          type(variable->type);
          this->variable(variable);
        }
        text_ += ";";
      }
      block(object.body);
    }
    block(kernel.body);
    for (const KernelPart& part : kernel.parts) {
      text_ += "part " + std::to_string(part.places) + (part.last ? " last " : " ") + part.block + "{";
      add(part.kernel);
      text_ += "}";
    }
    if (kernel.finished != nullptr) variable(kernel.finished);
    if (kernel.resident) text_ += kernel.apart ? "apart" : "resident";
  }

  void type(const CType& type) {
    text_ += std::to_string(static_cast<int>(type.kind)) + "." + std::to_string(static_cast<int>(type.dtype)) + "." +
             std::to_string(type.length);
    if (type.name) text_ += *type.name;
    if (type.extent) text_ += *type.extent;
    text_ += " ";
  }
  void variable(const Variable* variable) {
    text_ += "v" + std::to_string(numbers_.try_emplace(variable, numbers_.size()).first->second);
  }
  // Expressions are as deep as a line of text is long.
  void expr(const Expr* expr) {
    if (expr == nullptr) {
      text_ += "~";
      return;
    }
    text_ += "(" + std::to_string(static_cast<int>(expr->kind)) + expr->text;
    if (expr->kind == Expr::Kind::kInteger) text_ += std::to_string(expr->integer);
    if (expr->kind == Expr::Kind::kLiteral)
      text_ += std::string(dtype_name(expr->type.dtype)) + to_string(expr->literal);
    if (expr->kind == Expr::Kind::kCast) type(expr->type);
    if (expr->variable != nullptr) variable(expr->variable);
    for (const Expr* operand : expr->operands) this->expr(operand);
    text_ += ")";
  }
  void block(const Block& block) {
    text_ += "{";
    for (const Statement& statement : block) {
      using Kind = Statement::Kind;
      if (statement.kind == Kind::kBlank || statement.kind == Kind::kComment || statement.kind == Kind::kNote) continue;
      text_ += std::to_string(static_cast<int>(statement.kind)) + ":" + statement.text;
      if (statement.variable != nullptr) {
        type(statement.variable->type);
        variable(statement.variable);
      }
      for (const Expr* part : {statement.target, statement.begin, statement.value}) expr(part);
      text_ += std::to_string(statement.step) + "/" + std::to_string(statement.unroll);
      this->block(statement.body);
      this->block(statement.other);
    }
    text_ += "}";
  }

  std::string text_;
  std::map<const Variable*, size_t> numbers_;
};

}  // namespace

std::string fingerprint(const Kernel& kernel) { return Fingerprinter().run(kernel); }

std::string fingerprint(const Program& program) {
  std::string text;
  for (const Kernel& kernel : program.kernels) text += fingerprint(kernel) + "\n";
  for (const Buffer& buffer : program.plan.buffers) {
    text += std::to_string(static_cast<int>(buffer.kind)) + " " + to_string(buffer.shape);
    for (const int64_t number : {buffer.index, buffer.output, buffer.offset}) text += " " + std::to_string(number);
    for (const size_t target : buffer.targets) text += " " + std::to_string(target);
    text += "\n";
  }
  std::map<std::string, size_t> counters;
  const auto counter = [&](const std::string& name) {
    return " c" + std::to_string(counters.try_emplace(name, counters.size()).first->second);
  };
  // How many steps are inside each says which they are: outer ones come first.
  for_each_step(program.plan.steps, [&](const HostStep& step) {
    text += std::to_string(static_cast<int>(step.kind)) + " " + std::to_string(step.kernel) + " " +
            std::to_string(step.trip) + counter(step.counter) + " " + step.call.function + " " +
            std::string(dtype_name(step.call.dtype)) + " " + std::to_string(step.call.operands) +
            (step.unless_same ? " unless same" : "");
    for (const std::string& number : step.call.numbers) text += " " + number;
    for (const size_t buffer : step.buffers) text += " " + std::to_string(buffer);
    for (const HostStep::Scalar& scalar : step.scalars) text += counter(scalar.counter) + std::to_string(scalar.number);
    for (const auto* inside : {&step.condition, &step.body}) text += " of " + std::to_string(inside->size());
    for (const std::vector<HostStep>& arm : step.arms) text += " arm of " + std::to_string(arm.size());
    text += "\n";
  });
  for (const auto* tensors : {&program.inputs, &program.outputs}) {
    for (const Program::Tensor& tensor : *tensors)
      text += to_string(tensor.shape) + " " + std::to_string(tensor.donated_to) + "\n";
  }
  for (const Program::Weight& weight : program.weights) text += weight.tensor + " " + to_string(weight.shape) + "\n";
  text.append(reinterpret_cast<const char*>(program.plan.constants.data()), program.plan.constants.size());
  return sha256_hex(text).substr(0, 16);
}

}  // namespace sinter
