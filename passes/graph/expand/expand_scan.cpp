// expand_scan: a scan becomes a loop over its dimension that carries its state and fills its results slice by slice.
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// The loop's state is (counter, inputs, results, carries).
class ScanExpander {
 public:
  explicit ScanExpander(Instruction& scan) : scan_(scan), module_(*scan.parent()->parent()) {
    const Attributes& attributes = scan.attributes;
    dimension_ = attributes.dimensions->front();
    carries_ = static_cast<size_t>(attributes.num_carries.value_or(0));
    inputs_ = scan.operands().size() - carries_;
    const std::vector<Shape> shapes = scan.shape.is_tuple() ? scan.shape.elements : std::vector<Shape>{scan.shape};
    results_.assign(shapes.begin(), shapes.end() - static_cast<std::ptrdiff_t>(carries_));
    const Shape& scanned = inputs_ > 0 ? scan.operand(0)->shape : results_[0];
    steps_ = scanned.dims[static_cast<size_t>(dimension_)];
  }

  void run() {
    GraphBuilder before(scan_);
    std::vector<Value> results;
    for (const Shape& shape : results_) {
      results.push_back(before.splat(before.constant(Literal(Shape::scalar(shape.dtype))), shape.dims));
    }
    results.insert(results.end(), scan_.operands().begin() + static_cast<std::ptrdiff_t>(inputs_),
                   scan_.operands().end());
    if (steps_ > 0) results = after_loop(before, results);
    if (scan_.shape.is_tuple()) {
      become(scan_, Opcode::kTuple, results);
    } else {
      become(scan_, Opcode::kCopy, results);
    }
  }

 private:
  // What the loop makes of the results it begins with.
  std::vector<Value> after_loop(GraphBuilder& before, const std::vector<Value>& results) {
    std::vector<Value> state{before.integer(DType::kS32, 0)};
    state.insert(state.end(), scan_.operands().begin(),
                 scan_.operands().begin() + static_cast<std::ptrdiff_t>(inputs_));
    state.insert(state.end(), results.begin(), results.end());
    const Value init = before.tuple(state);
    Attributes attributes;
    attributes.condition = condition(init->shape);
    attributes.body = body(init->shape);
    const Value loop = before.make(Opcode::kWhile, {init}, std::move(attributes));
    std::vector<Value> elements;
    for (size_t k = 0; k < results.size(); ++k) {
      elements.push_back(before.tuple_element(loop, static_cast<int64_t>(1 + inputs_ + k)));
    }
    return elements;
  }

  Computation* condition(const Shape& state) {
    Computation* computation = module_.add_computation("scan_condition");
    GraphBuilder builder(*computation);
    const Value counter = builder.tuple_element(builder.parameter(state, "state"), 0);
    computation->set_root(builder.compare({counter, builder.integer(DType::kS32, steps_)}, "LT"));
    return computation;
  }

  Computation* body(const Shape& state) {
    Computation* computation = module_.add_computation("scan_body");
    GraphBuilder builder(*computation);
    const Value parameter = builder.parameter(state, "state");
    std::vector<Value> elements;
    for (size_t k = 0; k < state.elements.size(); ++k) {
      elements.push_back(builder.tuple_element(parameter, static_cast<int64_t>(k)));
    }
    const Value counter = elements[0];
    const bool reverse = scan_.attributes->is_reverse.value_or(false);
    const Value step = reverse ? builder.subtract({builder.integer(DType::kS32, steps_ - 1), counter}) : counter;

    Computation* function = *scan_.attributes->to_apply;
    const std::vector<Instruction*> parameters = function->parameters();
    std::vector<Value> arguments;
    for (size_t k = 0; k < inputs_; ++k) {
      const Value array = elements[1 + k];
      arguments.push_back(builder.part_at(array, step, dimension_));
    }
    const auto first_carry = elements.end() - static_cast<std::ptrdiff_t>(carries_);
    arguments.insert(arguments.end(), first_carry, elements.end());
    const Value call = builder.call(function, arguments);
    const auto value = [&](size_t k) {
      return call->shape.is_tuple() ? builder.tuple_element(call, static_cast<int64_t>(k)) : call;
    };

    std::vector<Value> next{builder.add({counter, builder.integer(DType::kS32, 1)})};
    next.insert(next.end(), elements.begin() + 1, elements.begin() + static_cast<std::ptrdiff_t>(1 + inputs_));
    for (size_t k = 0; k < results_.size(); ++k) {
      const Value array = elements[1 + inputs_ + k];
      next.push_back(builder.with_part_at(array, step, dimension_, value(k)));
    }
    for (size_t k = 0; k < carries_; ++k) next.push_back(value(results_.size() + k));
    computation->set_root(builder.tuple(next));
    return computation;
  }

  Instruction& scan_;
  Module& module_;
  int64_t dimension_ = 0;
  size_t inputs_ = 0, carries_ = 0;
  std::vector<Shape> results_;  // those that hold a slice a step
  int64_t steps_ = 0;
};

}  // namespace

bool expand_scan(Module& module, const GraphPassOptions&) {
  std::vector<Instruction*> scans;
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      if (instruction.opcode == Opcode::kScan) scans.push_back(&instruction);
    }
  }
  for (Instruction* scan : scans) ScanExpander(*scan).run();
  if (!scans.empty()) module.sort_computations();
  return !scans.empty();
}

}  // namespace sinter
