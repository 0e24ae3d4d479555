#include "tests/random/reduce/reduce_module.h"

#include <algorithm>
#include <optional>

#include "ir/verify/verify.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "tests/random/check_module.h"

namespace sinter {
namespace {

// Instructions keep their place in the lists of a clone, which is how a step finds those that it is about.
struct Place {
  size_t computation = 0, instruction = 0;
};

Instruction& at(Module& module, const Place& place) {
  return *std::next(module.computations()[place.computation]->instructions().begin(),
                    static_cast<int64_t>(place.instruction));
}

bool is_entry(const Instruction& instruction) {
  return instruction.parent() == instruction.parent()->parent()->entry();
}

// The header says nothing of parameters and results that are about to change.
void clear_interface(Module& module) {
  module.input_output_alias.clear();
  module.buffer_donor.clear();
  module.entry_parameter_layouts.clear();
  module.entry_result_layout.reset();
}

// Dead code goes, and parameters of the entry that nothing reads, with their inputs.
void clean(ModuleCase& reduced) {
  remove_dead_code(*reduced.module);
  Computation& entry = *reduced.module->entry();
  int64_t number = 0;
  size_t input = 0;
  for (Instruction* parameter : entry.parameters()) {
    const size_t arrays = parameter->shape.is_tuple() ? parameter->shape.elements.size() : 1;
    if (parameter->users().empty() && entry.root() != parameter) {
      reduced.inputs.erase(reduced.inputs.begin() + static_cast<int64_t>(input),
                           reduced.inputs.begin() + static_cast<int64_t>(input + arrays));
      entry.remove(parameter);
      continue;
    }
    parameter->parameter_number = number++;
    input += arrays;
  }
}

class Reducer {
 public:
  Reducer(const ModuleCase& original, const ShowsProblem& shows, int most_tries)
      : best_(original.clone()), shows_(shows), tries_left_(most_tries) {}

  ModuleCase run() {
    attempt([](ModuleCase& reduced) {
      clear_interface(*reduced.module);
      return true;
    });
    attempt([](ModuleCase& reduced) {
      reduced.module->tables = {};
      for (const auto& computation : reduced.module->computations()) {
        for (Instruction& instruction : computation->instructions()) instruction.metadata = {};
      }
      return true;
    });
    bool smaller = true;
    while (smaller && tries_left_ > 0) {
      smaller = drop_results();
      smaller |= run_passes();
      smaller |= replace_instructions();
    }
    return std::move(best_);
  }

 private:
  // Keeps what `step` makes of a copy if that is valid and shows the problem. False: there is nothing to do.
  bool attempt(const std::function<bool(ModuleCase&)>& step) {
    if (tries_left_ <= 0) return false;
    ModuleCase reduced = best_.clone();
    try {
      if (!step(reduced)) return false;
      clean(reduced);
      const Source nowhere;
      Diagnostics diagnostics(nowhere);
      if (!verify(*reduced.module, diagnostics)) return false;
      --tries_left_;
      if (!shows_(reduced)) return false;
    } catch (const InternalError&) {
      return false;
    }
    best_ = std::move(reduced);
    return true;
  }

  bool drop_results() {
    bool smaller = false;
    const auto results = [&] { return best_.module->entry()->root()->operands().size(); };
    const auto is_tuple = [&] { return best_.module->entry()->root()->opcode == Opcode::kTuple; };
    for (size_t i = 0; is_tuple() && i < results(); ++i) {
      smaller |= attempt([&](ModuleCase& reduced) {
        clear_interface(*reduced.module);
        Computation& entry = *reduced.module->entry();
        entry.set_root(entry.root()->operand(i));
        return true;
      });
    }
    for (size_t i = 0; is_tuple() && i < results();) {
      const bool dropped = attempt([&](ModuleCase& reduced) {
        clear_interface(*reduced.module);
        Computation& entry = *reduced.module->entry();
        std::vector<Instruction*> kept = entry.root()->operands();
        kept.erase(kept.begin() + static_cast<int64_t>(i));
        std::vector<Shape> shapes;
        for (const Instruction* operand : kept) shapes.push_back(operand->shape);
        entry.set_root(entry.add(Opcode::kTuple, Shape::tuple(shapes), kept));
        return true;
      });
      smaller |= dropped;
      if (!dropped) ++i;
    }
    return smaller;
  }

  bool run_passes() {
    bool smaller = false;
    for (const auto pass :
         {inline_calls, flatten_tuples, simplify_tuples, simplify_while, simplify_conditional, remove_duplicates}) {
      const int64_t before = instruction_count(*best_.module);
      smaller |= attempt([&](ModuleCase& reduced) {
        clear_interface(*reduced.module);
        if (!pass(*reduced.module, {})) return false;
        remove_dead_code(*reduced.module);
        return instruction_count(*reduced.module) < before;
      });
    }
    return smaller;
  }

  bool replace_instructions() {
    bool smaller = false;
    // From the results backwards: what is replaced early takes most with it. Computations stand callees first.
    for (size_t c = best_.module->computations().size(); c-- > 0;) {
      c = std::min(c, best_.module->computations().size() - 1);
      for (size_t i = best_.module->computations()[c]->instructions().size(); i-- > 0;) {
        if (c >= best_.module->computations().size() || i >= best_.module->computations()[c]->instructions().size())
          continue;
        smaller |= replace({c, i});
      }
    }
    return smaller;
  }

  bool replace(const Place& place) {
    const Instruction& node = at(*best_.module, place);
    if (node.opcode == Opcode::kParameter || node.opcode == Opcode::kConstant || node.opcode == Opcode::kTuple)
      return false;
    return replace_by_operand(place) || replace_by_earlier(place) || replace_by_parameter(place) ||
           replace_by_constant(place);
  }

  bool replace_by_operand(const Place& place) {
    const size_t operands = at(*best_.module, place).operands().size();
    for (size_t i = 0; i < operands; ++i) {
      if (!at(*best_.module, place).operand(i)->shape.same_type(at(*best_.module, place).shape)) continue;
      const bool done = attempt([&](ModuleCase& reduced) {
        Instruction& node = at(*reduced.module, place);
        node.replace_all_uses_with(node.operand(i));
        return true;
      });
      if (done) return true;
    }
    return false;
  }

  // A parameter's element of the same type, in a body: a carry that the body leaves as it is.
  bool replace_by_earlier(const Place& place) {
    const Instruction& node = at(*best_.module, place);
    if (is_entry(node) || node.opcode == Opcode::kGetTupleElement) return false;
    Place earlier = place;
    for (earlier.instruction = 0; earlier.instruction < place.instruction; ++earlier.instruction) {
      const Instruction& candidate = at(*best_.module, earlier);
      if (candidate.opcode != Opcode::kGetTupleElement || !candidate.shape.same_type(node.shape)) continue;
      const bool done = attempt([&](ModuleCase& reduced) {
        at(*reduced.module, place).replace_all_uses_with(&at(*reduced.module, earlier));
        return true;
      });
      if (done) return true;
    }
    return false;
  }

  bool replace_by_parameter(const Place& place) {
    const Instruction& node = at(*best_.module, place);
    if (!is_entry(node) || !node.shape.is_array() || node.operands().empty()) return false;
    return attempt([&](ModuleCase& reduced) {
      const std::optional<Literal> value = value_of(place);
      if (!value) return false;
      clear_interface(*reduced.module);
      Instruction& replaced = at(*reduced.module, place);
      Computation& entry = *replaced.parent();
      Instruction* parameter = entry.insert_before(&replaced, Opcode::kParameter, replaced.shape, {});
      parameter->parameter_number = static_cast<int64_t>(entry.parameters().size()) - 1;
      reduced.inputs.push_back(*value);
      replaced.replace_all_uses_with(parameter);
      return true;
    });
  }

  bool replace_by_constant(const Place& place) {
    const Instruction& original = at(*best_.module, place);
    const Shape& shape = original.shape;
    if (!shape.is_array() || is_complex(shape.dtype) || splat_value(original)) return false;
    for (const int value : {0, 1}) {
      const bool done = attempt([&](ModuleCase& reduced) {
        Instruction& node = at(*reduced.module, place);
        const DType dtype = node.shape.dtype;
        become_splat(node, is_float(dtype) ? real_literal(dtype, value) : integer_literal(dtype, value));
        return true;
      });
      if (done) return true;
    }
    return false;
  }

  // What an instruction of the entry evaluates to in the best case so far.
  std::optional<Literal> value_of(const Place& place) {
    ModuleCase copy = best_.clone();
    clear_interface(*copy.module);
    copy.module->entry()->set_root(&at(*copy.module, place));
    std::string error;
    const std::optional<std::vector<Literal>> results = results_of(*copy.module, copy.inputs, error);
    if (!results) return std::nullopt;
    return results->front();
  }

  ModuleCase best_;
  const ShowsProblem& shows_;
  int tries_left_;
};

}  // namespace

int64_t instruction_count(const Module& module) {
  int64_t count = 0;
  for (const auto& computation : module.computations())
    count += static_cast<int64_t>(computation->instructions().size());
  return count;
}

ModuleCase reduce_module(const ModuleCase& original, const ShowsProblem& shows, int most_tries) {
  return Reducer(original, shows, most_tries).run();
}

}  // namespace sinter
