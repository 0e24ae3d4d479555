// The comment that opens a kernel file: what it computes, its inputs and outputs, its launch, its bytes. It is made
// from the finished kernel, so that every name in it is one of the text's.
#include <algorithm>
#include <map>
#include <set>

#include "passes/analysis/functions/network.h"
#include "passes/analysis/functions/pairs.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/lower/describe/choose_formulas.h"
#include "passes/lower/describe/describe_paragraphs.h"
#include "passes/lower/describe/formula_lines.h"
#include "passes/lower/describe/formulas.h"
#include "passes/lower/describe/kernel_title.h"
#include "passes/lower/describe/loop_formulas.h"
#include "passes/lower/stages/base/kernel_frame.h"
#include "passes/names/value_names.h"
#include "passes/schedule/groups/group_values.h"
#include "passes/stages/stage_kind.h"

namespace sinter {

namespace {

// Up to this many values are all listed; above, a line a paragraph.
constexpr size_t kMaxListed = 16;
constexpr size_t kMaxOfStep = 28;
// Lines that are made before those are chosen that a reader takes.
constexpr size_t kMaxTried = 400;
// Names in a line; runs of numbered ones count as one.
constexpr size_t kMaxNames = 8;
// Operations in a title, which is one line.
constexpr size_t kMaxOps = 5;
// One, or `kColumns - 1`.
bool is_number(const Expr& expr) {
  if (expr.kind == Expr::Kind::kInfix) return is_number(*expr.operands[0]) && is_number(*expr.operands[1]);
  return expr.kind == Expr::Kind::kInteger || expr.kind == Expr::Kind::kLiteral || expr.kind == Expr::Kind::kName;
}

// True for `minimum(maximum(x, 0), 199)` and the halves of it: where in its operand an instruction reads or writes.
bool is_start(const Instruction& origin, const Expr* value) {
  switch (origin.opcode) {
    case Opcode::kDynamicSlice:
    case Opcode::kDynamicUpdateSlice:
    case Opcode::kGather:
    case Opcode::kScatter:
      break;
    default:
      return false;
  }
  if (value != nullptr && value->kind == Expr::Kind::kCast) value = value->operands[0];
  return value != nullptr && value->kind == Expr::Kind::kCall &&
         (value->text == "minimum" || value->text == "maximum") && value->operands.size() == 2 &&
         is_number(*value->operands[1]);
}

class Description {
 public:
  Description(const Module& module, const Kernel& kernel, const KernelValues& values, const DemandGraph& graph,
              const ScratchShapes& scratch)
      : kernel_(kernel), values_(values), graph_(graph), scratch_(scratch), paragraphs_(paragraphs(module, kernel)) {
    for (const Instruction* value : values.context.computed) {
      if (!is_plumbing(*value) && value->parent() == values.context.level) computed_.push_back(value);
    }
    computed_ = in_text_order(std::move(computed_));
    for (const DemandNode& node : graph.nodes) {
      if (!node.name.empty()) positions_[node.instruction].insert(node.name);
    }
  }

  std::vector<std::string> lines(int64_t threads, const std::string& launch) {
    lines_ = {title(threads), ""};
    arrays();
    if (!paragraphs_.loops.empty() || !add_formulas()) add_paragraphs();
    if (!paragraphs_.loops.empty() && is_own_stage()) add_formulas();
    const int64_t read = bytes(false);
    lines_.push_back(launch + (read > 0 ? " Reads " + human_bytes(read) + read_again() + ", writes " : " Writes ") +
                     human_bytes(bytes(true)) + ".");
    return std::move(lines_);
  }

 private:
  std::string title(int64_t threads) const {
    std::string text = kernel_.name + ": ";
    if (!paragraphs_.loops.empty() && !is_own_stage()) {
      for (const StepLoop& step : paragraphs_.loops) {
        const WhileInfo info = analyze_while(*step.loop);
        if (&step != &paragraphs_.loops[0]) text += " then ";
        text += info.trip_count ? std::to_string(*info.trip_count) + " steps" : "steps until a condition fails";
        if (&step != &paragraphs_.loops.back() || (threads > 1 && !info.trip_count)) text += ",";
      }
      if (threads == 1) return text + "; one thread, its state in registers.";
      const bool blocks = blocks_work_together();
      text += " of " + std::to_string(threads) + (blocks ? " elements" : " independent elements");
      return text + "; one element a thread, its state in registers" +
             (blocks ? "; " + working_together() + " take each step together." : ".");
    }
    for (const Instruction* instruction : computed_) {
      // No loop stands in the text.
      if (instruction->opcode != Opcode::kWhile || is_own_stage()) continue;
      return text + std::to_string(*analyze_while(*instruction).trip_count) +
             " steps that need nothing of each other, over " + to_string(largest_output().shape, false) + ".";
    }
    const std::vector<std::string> ops = operations_of_title(computed_, values_.outputs);
    const std::string over = " over " + computed_extent() + ".";
    for (size_t count = std::min(ops.size(), kMaxOps);; --count) {
      std::string list = ops[0];
      for (size_t i = 1; i < count; ++i) list += ", " + ops[i];
      if (count < ops.size()) list += ", ...";
      if (count <= 1 || text.size() + list.size() + over.size() <= kCommentWidth) return text + list + over;
    }
  }

  // The shape of most of what is computed; of an array of which only a part is written, that part.
  std::string computed_extent() const {
    const auto written = [&](const Instruction* output) -> const Shape& {
      const Shape* part = written_part(*output);
      return part != nullptr && !is_written_whole(*output) ? *part : output->shape;
    };
    const auto smaller = [&](const Instruction* a, const Instruction* b) {
      return written(a).bytes() < written(b).bytes();
    };
    return to_string(written(*std::max_element(values_.outputs.begin(), values_.outputs.end(), smaller)), false);
  }

  bool is_written_whole(const Instruction& output) const {
    for (const Parameter& parameter : kernel_.parameters) {
      if (parameter.output && parameter.variable->origin == &output)
        return parameter.bytes.value_or(output.shape.bytes()) >= output.shape.bytes();
    }
    return true;
  }

  // Whether loops are those of what a stage of its own reads.
  bool is_own_stage() const {
    return std::ranges::any_of(computed_, [](const Instruction* value) { return own_kind(*value) != nullptr; });
  }

  const Instruction& largest_output() const {
    const auto smaller = [](const Instruction* a, const Instruction* b) { return a->shape.bytes() < b->shape.bytes(); };
    return **std::max_element(values_.outputs.begin(), values_.outputs.end(), smaller);
  }

  // Lanes of a warp, where blocks have several groups of threads (groups_of_block).
  std::string working_together() const {
    const auto lanes = std::ranges::find(kernel_.constants, "kLanes", &NamedConstant::name);
    return lanes == kernel_.constants.end() ? "a block's threads" : lanes->value + " neighbouring threads";
  }

  bool blocks_work_together() const {
    const auto is_shared = [](const DemandNode& node) {
      const bool reduces = node.kind == DemandNode::Kind::kBlockReduce && node.scope != 0;  // in the loop, not after it
      return reduces || node.kind == DemandNode::Kind::kShared || node.kind == DemandNode::Kind::kExchanged;
    };
    return std::any_of(graph_.nodes.begin(), graph_.nodes.end(), is_shared);
  }

  // nullptr: passed by value, or counts of blocks.
  const Shape* array_shape(const Parameter& parameter) const {
    const Variable& variable = *parameter.variable;
    if (variable.type.kind == CType::Kind::kValue) return nullptr;
    const auto scratch = scratch_.find(&variable);
    if (scratch != scratch_.end()) return &scratch->second;
    return variable.origin != nullptr ? &variable.origin->shape : nullptr;
  }

  // The arrays of the signature, spelled as there.
  void arrays() {
    struct Line {
      std::string opening, names, shape;
    };
    std::vector<Line> list;
    size_t width = 0;
    const auto opening = [](const Parameter& parameter) {
      return parameter.scratch ? "  tmp  " : parameter.output ? "  out  " : "  in   ";
    };
    for (const std::string_view kind : {"  in   ", "  out  ", "  tmp  "}) {
      std::vector<std::string> names, shapes;
      for (const Parameter& parameter : kernel_.parameters) {
        const Shape* shape = array_shape(parameter);
        if (shape == nullptr || opening(parameter) != kind) continue;
        names.push_back(parameter.variable->name);
        shapes.push_back(to_string(*shape, false));
      }
      for (const NameRun& run : name_runs(names, [&](size_t a, size_t b) { return shapes[a] == shapes[b]; })) {
        list.push_back({std::string(kind), run.text, shapes[run.first]});
        width = std::max(width, run.text.size());
      }
    }
    for (const Line& line : list) lines_.push_back(line.opening + padded(line.names, width + 3) + line.shape);
    lines_.push_back("");
  }

  int64_t bytes(bool output) const {
    int64_t result = 0;
    for (const Parameter& parameter : kernel_.parameters) {
      const Shape* shape = array_shape(parameter);
      const bool counts = parameter.output == output || parameter.scratch;
      if (shape != nullptr && counts) result += parameter.bytes.value_or(shape->bytes());
    }
    return result;
  }

  // Arrays that several passes over a row load: " (x 4 times)".
  std::string read_again() const {
    const std::vector<bool> needed = needed_nodes(graph_);
    std::map<const Instruction*, std::set<size_t>> passes;
    for (size_t id = 0; id < graph_.nodes.size(); ++id) {
      const DemandNode& node = graph_.nodes[id];
      if (!needed[id] || node.kind != DemandNode::Kind::kLoad) continue;
      for (size_t phase = 0; phase < graph_.phases.size(); ++phase) {
        const ColumnPhase& pass = graph_.phases[phase];
        int scope = node.scope;
        while (scope > 0 && scope != pass.scope) scope = graph_.scopes[scope].parent;
        if (scope == pass.scope && node.expr.coefficient_of_coordinate(pass.coordinate) != 0)
          passes[node.instruction].insert(phase);
      }
    }
    std::string text;
    for (const Parameter& parameter : kernel_.parameters) {
      const auto read = parameter.output ? passes.end() : passes.find(parameter.variable->origin);
      if (read == passes.end() || read->second.size() < 2) continue;
      const size_t times = read->second.size();
      text += (text.empty() ? " (" : ", ") + parameter.variable->name +
              (times == 2 ? " twice" : " " + std::to_string(times) + " times");
    }
    return text.empty() ? "" : text + ")";
  }

  // Variables of the text by what they hold an element of.
  struct Variables {
    FormulaNames names;
    StartNames starts;
    std::set<std::string> given, taken;
    std::map<std::string, std::vector<std::string>> elements;  // variables of one value, by the name that it goes by
  };

  // What a variable was made for is not always what it holds: a place in an array it may read, one result of several,
  // or a sum in a wider type than the value's.
  bool holds_value(const Variable& variable, const Expr* value) const {
    const Instruction* origin = variable.origin;
    if (origin->shape.is_array() && origin->shape.dtype != variable.type.dtype) return false;
    if (value != nullptr && value->kind == Expr::Kind::kMember && !origin->shape.is_array()) return false;
    const auto positions = positions_.find(origin);
    return positions == positions_.end() ||
           std::none_of(positions->second.begin(), positions->second.end(),
                        [&](const std::string& position) { return variable.name.starts_with(position); });
  }

  void collect_variables(Variables* found) const {
    std::vector<std::pair<const Instruction*, std::string>> variables;
    collect_variables(kernel_.body, found, &variables);
    // Elements of one value are numbered behind its name (arrange/names.cpp): where all of a name are of one value, it
    // is that value's.
    std::map<std::string, std::set<const Instruction*>> values;
    std::map<std::string, std::set<std::string>> elements;
    for (const auto& [origin, name] : variables) {
      const std::string of = without_number(name);
      values[of].insert(origin);
      elements[of].insert(name);
    }
    const std::set<std::string> of_variables = found->taken;
    for (const auto& [origin, name] : variables) {
      const std::string of = without_number(name);
      const bool is_element = elements.at(of).size() > 1 && values.at(of).size() == 1 && of_variables.count(of) == 0;
      const std::string& known_as = is_element ? of : name;
      if (found->names.emplace(origin, known_as).second) found->taken.insert(known_as);
      if (is_element) found->elements[known_as].push_back(name);
    }
  }

  void collect_variables(const Block& block, Variables* found,
                         std::vector<std::pair<const Instruction*, std::string>>* variables) const {
    for (const Statement& statement : block) {
      const bool declares = statement.kind == Statement::Kind::kLet || statement.kind == Statement::Kind::kDeclare;
      if (statement.variable != nullptr) found->taken.insert(statement.variable->name);
      if (declares && statement.variable->origin != nullptr) {
        std::string name = statement.variable->name;
        const Instruction* origin = statement.variable->origin;
        // Elements of a row, kept in registers; and what lanes compute ahead.
        const bool is_array = statement.variable->type.kind == CType::Kind::kArray;
        if (is_array && name.ends_with("_values")) name.resize(name.size() - 7);
        if (name.ends_with("_of_lane")) name.resize(name.size() - 8);
        if (is_start(*origin, statement.value)) {
          found->starts[origin].insert(name);
        } else if (holds_value(*statement.variable, statement.value) && found->given.insert(name).second) {
          // Variables of blocks that do not see each other may have one name: then it is the first's.
          variables->emplace_back(origin, name);
        }
      }
      collect_variables(statement.body, found, variables);
      collect_variables(statement.other, found, variables);
    }
  }

  void add_entry(const std::string& opening, const std::string& text) { sinter::add_entry(opening, text, &lines_); }

  // What the text has names for: arrays, counters, variables.
  void collect_arrays(Variables* found) const {
    for (const Parameter& parameter : kernel_.parameters) {
      found->taken.insert(parameter.variable->name);
      if (parameter.variable->origin != nullptr)
        found->names.emplace(parameter.variable->origin, parameter.variable->name);
    }
    for (const auto& [counter, start_and_step] : values_.context.counters) found->names.emplace(counter, "t");
  }

  // What formulas read and do not say.
  void add_left_out(const std::vector<std::string>& names, const Variables& found, const std::string& indent) {
    if (names.empty()) return;
    std::vector<std::string> list;
    for (const std::string& name : names) {
      const auto elements = found.elements.find(name);
      list.push_back(elements == found.elements.end() ? name : with_elements(name, elements->second));
    }
    add_entry(indent, "Not shown: " + name_list(list, list.size()) + ".");
  }

  // "b (b_0 .. b_2)": a value whose elements are variables.
  static std::string with_elements(const std::string& name, const std::vector<std::string>& elements) {
    return name + " (" + name_list(elements, kMaxNames) + ")";
  }

  // What a loop carries, as its formulas have it: of an array whose elements are variables, the array and these.
  static std::string carried(const std::vector<std::string>& carries, const std::map<int64_t, std::string>& names) {
    std::set<std::string> arrays;
    for (const auto& [element, name] : names) {
      if (std::ranges::find(carries, name) == carries.end()) arrays.insert(name);
    }
    const auto array_of = [&](std::string name) {
      while (arrays.count(name) == 0) {
        std::string shorter = without_number(name);
        if (shorter == name) return std::string();
        name = std::move(shorter);
      }
      return name;
    };
    std::vector<std::string> list;
    for (size_t i = 0; i < carries.size();) {
      const std::string array = array_of(carries[i]);
      std::vector<std::string> elements;
      const size_t first = i;
      while (!array.empty() && i < carries.size() && array_of(carries[i]) == array) elements.push_back(carries[i++]);
      list.push_back(elements.empty() ? carries[first] : with_elements(array, elements));
      i = std::max(i, first + 1);
    }
    return name_list(list, kMaxNames);
  }

  // Values that a formula names but that no element asked for is made of.
  void add_unread(const std::vector<Formula>& shown, const UnknownNames& unknown, const std::string& indent) {
    std::vector<std::string> names;
    const std::vector<bool> needed = needed_nodes(graph_);
    std::set<const Instruction*> read;
    for (size_t id = 0; id < graph_.nodes.size(); ++id) {
      if (needed[id]) read.insert(graph_.nodes[id].instruction);
    }
    for (const Formula& line : shown) {
      for (const std::string& word : words_of(line.text)) {
        const auto value = unknown.find(word);
        const bool is_new = value != unknown.end() && std::ranges::find(names, word) == names.end();
        if (is_new && !read.contains(value->second)) names.push_back(word);
      }
    }
    if (!names.empty()) add_entry(indent, "Nothing is read of " + name_list(names, names.size()) + ".");
  }

  // Of a function of the user's own that gives arrays of the kernel, the other results that are read.
  static void name_members(std::vector<const Instruction*>& elements, FormulaNames* names) {
    std::set<std::string> taken;
    for (const auto& [value, name] : *names) taken.insert(name);
    std::set<const Instruction*> seen(elements.begin(), elements.end());
    for (const Instruction* output : std::vector(elements)) {
      if (member_of_call(*output).empty()) continue;
      for (const Instruction* other : output->operand(0)->users()) {
        if (!seen.insert(other).second) continue;
        const std::string base = value_name(*other);
        std::string name = base;
        for (int number = 1; !taken.insert(name).second; ++number) name = base + "_" + std::to_string(number);
        names->emplace(other, name);
        elements.push_back(other);
      }
    }
  }

  // What attention, or a chain of products, is made of goes by the names of its operands and its results. Returns what
  // gives those.
  static std::vector<const Instruction*> name_parts(const Instruction& fusion, Variables* found) {
    const Computation& parts = **fusion.attributes->calls;
    std::vector<const Instruction*> results;
    const auto name_result = [&](const Instruction& outside, const Instruction* inside) {
      auto named = found->names.find(&outside);
      if (named == found->names.end()) {
        const std::string base = value_name(outside);
        std::string name = base;
        for (int number = 1; found->taken.count(name) > 0; ++number) name = base + "_" + std::to_string(number);
        named = found->names.emplace(&outside, name).first;
      }
      const std::string name = named->second;
      found->taken.insert(name);
      found->names.emplace(inside, name);
      results.push_back(inside);
    };
    if (parts.root()->opcode != Opcode::kTuple) name_result(fusion, parts.root());
    for (const Instruction* user : fusion.users()) {
      if (parts.root()->opcode == Opcode::kTuple && user->opcode == Opcode::kGetTupleElement)
        name_result(*user, parts.root()->operand(static_cast<size_t>(*user->attributes->tuple_index)));
    }
    for (const Instruction* parameter : parts.parameters()) {
      const Instruction* operand = fusion.operand(static_cast<size_t>(parameter->parameter_number));
      const auto named = found->names.find(operand);
      found->names.emplace(parameter, named == found->names.end() ? value_name(*operand) : named->second);
    }
    return results;
  }

  // What a loop leaves is in the variables that it carries.
  void name_carries(const Instruction& loop, FormulaNames* names) const {
    const std::map<int64_t, std::string> carries = carry_variables(kernel_, loop);
    for (const Instruction* user : loop.users()) {
      if (user->opcode != Opcode::kGetTupleElement) continue;
      const auto carried = carries.find(*user->attributes->tuple_index);
      if (carried != carries.end()) names->emplace(user, carried->second);
    }
  }

  static void add_first_values(const Instruction& loop, std::set<const Instruction*>* values) {
    const WhileInfo info = analyze_while(loop);
    for (size_t i = 0; i < info.carries.size(); ++i) {
      if (info.carries[i].kind == CarryKind::kGeneral)
        values->insert(state_element(loop.operand(0), static_cast<int>(i)));
    }
  }

  // A line a value: false if those are too many.
  bool add_formulas() {
    Variables found;
    FormulaNames& names = found.names;
    collect_arrays(&found);
    std::set<const Instruction*> results(values_.outputs.begin(), values_.outputs.end());
    std::vector<const Instruction*> elements;  // of a tuple that the kernel gives, in their order
    for (const Instruction* output : values_.outputs) {
      if (output->opcode == Opcode::kGetTupleElement) elements.push_back(output);
    }
    name_members(elements, &names);
    std::stable_sort(elements.begin(), elements.end(), [](const Instruction* a, const Instruction* b) {
      return *a->attributes->tuple_index < *b->attributes->tuple_index;
    });
    for (const Instruction* output : elements) {
      const Instruction* producer = output->operand(0);
      results.insert(producer);
      // "value, index = sort(keys, iota())"
      const auto named = names.find(output);
      if (named == names.end()) continue;
      const auto [joined, first] = names.emplace(producer, named->second);
      if (!first) joined->second += ", " + named->second;
    }
    collect_variables(&found);
    std::vector<const Instruction*> shown;
    std::set<const Instruction*> first_values;  // of variables that loops in the text carry
    std::string steps;
    for (const Instruction* instruction : computed_) {
      if (is_attention(*instruction) || is_network(*instruction) || is_chain(*instruction) || is_pairs(*instruction)) {
        const std::vector<const Instruction*> inside = name_parts(*instruction, &found);
        results.insert(inside.begin(), inside.end());
        for (const Instruction& part : (*instruction->attributes->calls)->instructions()) {
          if (!is_plumbing(part)) shown.push_back(&part);
        }
        continue;
      }
      if (instruction->opcode != Opcode::kWhile) {
        shown.push_back(instruction);
        continue;
      }
      if (!paragraphs_.loops.empty()) {
        name_carries(*instruction, &names);
        add_first_values(*instruction, &first_values);
        continue;
      }
      const std::string count = std::to_string(*analyze_while(*instruction).trip_count);
      const auto named = names.find(instruction);
      steps = "  step t in [0, " + count + "), a thread's own, gives " +
              (named == names.end() ? "results" : named->second) + " at t";
    }
    std::erase_if(shown, [&](const Instruction* value) { return first_values.contains(value); });
    std::vector<std::string> left_out;
    UnknownNames unknown;
    std::optional<std::vector<Formula>> list =
        formulas(shown, results, names, found.taken, found.starts, kMaxTried, &unknown);
    if (list && list->size() > kMaxListed) {
      std::set<std::string> wanted;
      for (const Instruction* result : results) wanted.insert(names.count(result) > 0 ? names.at(result) : "");
      const std::vector<Formula> all = std::move(*list);
      list = formulas_alone(all, wanted, found.taken, kMaxListed);
      left_out = names_left_out(*list, all);
    }
    if (!list || list->size() > kMaxListed) return false;
    sinter::add_formulas(*list, "  ", &lines_);
    add_left_out(left_out, found, "  ");
    add_unread(*list, unknown, "  ");
    if (!steps.empty()) lines_.push_back(steps);
    if (!list->empty() || !steps.empty()) lines_.push_back("");
    return true;
  }

  void add_paragraphs() {
    const size_t before = lines_.size();
    size_t width = 0;
    for (const Paragraph& paragraph : paragraphs_.all) width = std::max(width, paragraph.title.size());
    const auto add = [&](int loop) {
      for (const Paragraph& paragraph : paragraphs_.all) {
        if (paragraph.loop != loop || paragraph.names.empty()) continue;
        add_entry((loop >= 0 ? "    " : "  ") + padded(paragraph.title, width + 2),
                  name_list(paragraph.names, kMaxNames));
      }
    };
    if (!graph_.phases.empty()) {
      // The passes over a row are called by what they leave behind.
      for (const Paragraph& paragraph : paragraphs_.all) lines_.push_back("  " + paragraph.title);
    } else {
      add(-1);
    }
    Variables found;
    collect_arrays(&found);
    collect_variables(&found);
    for (size_t loop = 0; loop < paragraphs_.loops.size(); ++loop) {
      const Instruction& instruction = *paragraphs_.loops[loop].loop;
      const WhileInfo info = analyze_while(instruction);
      const std::vector<std::string>& carries = paragraphs_.loops[loop].carries;
      const std::map<int64_t, std::string> names = carry_variables(kernel_, instruction);
      const std::optional<LoopFormulas> step =
          loop_formulas(instruction, names, found.names, found.taken, found.starts, kMaxOfStep);
      std::string line = "  loop";
      if (info.trip_count) line += " t in [0, " + std::to_string(*info.trip_count) + ")";
      if (step && !step->condition.empty()) line += " while " + step->condition;
      if (!carries.empty()) line += ", carrying " + (step ? carried(carries, names) : name_list(carries, kMaxNames));
      if (step) sinter::add_formulas(step->around, "  ", &lines_);
      const size_t at = lines_.size();
      if (step) {
        sinter::add_formulas(step->lines, "    ", &lines_);
        add_left_out(step->left_out, found, "    ");
      } else {
        add(static_cast<int>(loop));
      }
      lines_.insert(lines_.begin() + static_cast<int64_t>(at), line + (lines_.size() > at ? ":" : "."));
    }
    if (lines_.size() > before) lines_.push_back("");
  }

  const Kernel& kernel_;
  const KernelValues& values_;
  const DemandGraph& graph_;
  const ScratchShapes& scratch_;
  const Paragraphs paragraphs_;
  std::vector<const Instruction*> computed_;
  std::map<const Instruction*, std::set<std::string>> positions_;  // names of places that instructions read at
  std::vector<std::string> lines_;
};

}  // namespace

std::string human_bytes(int64_t bytes) {
  const char* units[] = {"B", "kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 1000 && unit < 4) {
    value /= 1000;
    ++unit;
  }
  char text[32];
  if (unit == 0) {
    snprintf(text, sizeof(text), "%d B", static_cast<int>(value));
  } else {
    snprintf(text, sizeof(text), value < 100 ? "%.1f %s" : "%.0f %s", value, units[unit]);
  }
  return text;
}

std::string launch_text(int64_t blocks, int64_t threads) {
  if (blocks == 1 && threads == 1) return "One thread";
  const std::string each = std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  return blocks == 1 ? "One block of " + each : std::to_string(blocks) + " blocks of " + each;
}

std::vector<std::string> describe_kernel(const Module& module, const Kernel& kernel, const KernelValues& values,
                                         const DemandGraph& graph, int64_t threads, const std::string& launch,
                                         const ScratchShapes& scratch) {
  return Description(module, kernel, values, graph, scratch).lines(threads, launch);
}

}  // namespace sinter
