#include "frontend/python/name_values.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>

#include "frontend/python/scan.h"
#include "ir/module/variable.h"
#include "ir/support/is_word.h"

namespace sinter {

namespace {

// Of a target that takes apart what the path leads into: the variable. Where the variable holds several, the path goes
// on: `state` is state_0 and state_1, or `state` where nobody knows which.
struct Variable {
  std::string name;
  bool is_whole = false;  // nothing of the path is left
};

Variable variable_in(const PythonTarget& target, const PythonPath& path) {
  const PythonTarget* part = &target;
  size_t at = 0;
  for (; at < path.size() && !part->elements.empty(); ++at) {
    if (path[at] < 0 || path[at] >= static_cast<int64_t>(part->elements.size())) return {};
    part = &part->elements[path[at]];
  }
  if (part->name.find_first_not_of('_') == std::string::npos) return {};
  Variable variable{.name = part->name, .is_whole = at == path.size()};
  const bool is_known = std::find(path.begin() + at, path.end(), kSomeElement) == path.end();
  for (; is_known && at < path.size(); ++at) variable.name += "_" + std::to_string(path[at]);
  return variable;
}

// Where in a target a variable stands; false if it does not.
bool find_variable(const PythonTarget& target, const std::string& name, PythonPath* path) {
  if (target.name == name && target.elements.empty()) return true;
  for (size_t i = 0; i < target.elements.size(); ++i) {
    path->push_back(static_cast<int64_t>(i));
    if (find_variable(target.elements[i], name, path)) return true;
    path->pop_back();
  }
  return false;
}

bool is_comprehension(std::string_view function) { return function.ends_with("comp>") || function.ends_with("expr>"); }

struct Names {
  std::string variable, carried;
};

class ValueNamer {
 public:
  ValueNamer(Module& module, const std::vector<Source>& sources, Diagnostics& diagnostics)
      : module_(module), sources_(sources) {
    for (size_t i = 0; i < module.tables.files.size() && i < sources.size(); ++i) {
      files_.emplace_back();
      if (sources[i].name.empty()) continue;
      auto scanned = std::make_unique<PythonSource>(scan_python(sources[i].text));
      if (const SourceTables::Location* misfit = find_misfit(*scanned, static_cast<int64_t>(i + 1))) {
        diagnostics.warning(Loc(), "W0106",
                            sources[i].name + " is not what the text was made from: nothing stands from " +
                                place(misfit->line, misfit->column) + " to " +
                                place(misfit->end_line, misfit->end_column));
        continue;
      }
      files_.back() = std::move(scanned);
      read_.push_back(sources[i]);
    }
    files_.resize(module.tables.files.size());
  }

  std::vector<Source> name_all() {
    if (read_.empty()) return {};
    name_parameters();
    name_results();
    for (const auto& computation : module_.computations()) {
      for (Instruction& instruction : computation->instructions()) name_value(instruction);
    }
    return read_;
  }

 private:
  static std::string place(int64_t line, int64_t column) { return std::to_string(line) + ":" + std::to_string(column); }

  // Each frame begins and ends where a token does. Without columns, nothing is known of it.
  const SourceTables::Location* find_misfit(const PythonSource& source, int64_t file) const {
    for (const SourceTables::Location& location : module_.tables.locations) {
      if (location.file != file || location.end_column == 0) continue;
      if (source.begins.count({location.line, location.column}) == 0 ||
          source.ends.count({location.end_line, location.end_column}) == 0)
        return &location;
    }
    return nullptr;
  }

  struct Frame {
    const PythonSource* source = nullptr;
    const std::string* text = nullptr;
    PythonRange range;
    std::string function;
    int64_t parent = 0;
  };

  // Without source where there is none of its file.
  Frame frame_at(int64_t row) const {
    const SourceTables& tables = module_.tables;
    Frame frame;
    if (row < 1 || row > static_cast<int64_t>(tables.frames.size())) return frame;
    const int64_t location_row = tables.frames[row - 1].location;
    if (location_row < 1 || location_row > static_cast<int64_t>(tables.locations.size())) return frame;
    const SourceTables::Location& location = tables.locations[location_row - 1];
    if (location.file < 1 || location.end_column == 0) return frame;
    frame.source = files_[location.file - 1].get();
    frame.text = &sources_[location.file - 1].text;
    frame.range = {location.line, location.column, location.end_line, location.end_column};
    if (location.function > 0) frame.function = tables.functions[location.function - 1];
    frame.parent = tables.frames[row - 1].parent - 1;  // as printed, it is one more
    return frame;
  }

  // A function's frame stands in that of its call. What JAX had traced before has the frame of its first use instead:
  // that of sigmoid(f), in the frame of sigmoid(g).
  static bool is_call_of(const Frame& caller, const Frame& callee) {
    if (caller.source == nullptr || callee.source == nullptr) return true;
    if (callee.function.starts_with(caller.function + ".<locals>.")) return true;  // it may be handed to another
    if (callee.function == caller.function) return false;
    const std::string name = callee.function.substr(callee.function.rfind('.') + 1);
    if (name.starts_with("__")) return true;
    return mentions(caller, caller.range, name, 0);
  }

  // Whether the text of a range has the name, or a variable in it is assigned what has: `greeks(x)`, where
  // `greeks = jax.value_and_grad(price)`.
  static bool mentions(const Frame& frame, const PythonRange& range, const std::string& name, int depth) {
    const size_t begin = frame.source->offset(range.line, range.column);
    const size_t end = frame.source->offset(range.end_line, range.end_column);
    const std::string_view text = std::string_view(*frame.text).substr(begin, end - begin);
    if (text.find(name) != std::string_view::npos) return true;
    const auto is_assigned_it = [&](const auto& assigned) {
      const std::string& variable = assigned.second.name;
      return !variable.empty() && text.find(variable) != std::string_view::npos && !(assigned.first == range) &&
             mentions(frame, assigned.first, name, depth + 1);
    };
    const auto& all = frame.source->assigned;
    return depth < 2 && std::any_of(all.begin(), all.end(), is_assigned_it);
  }

  // The innermost frame that says where an instruction stands.
  int64_t place_of(const Instruction& instruction) {
    const int64_t row = instruction.metadata->stack_frame_id;
    const auto known = places_.find(row);
    if (known != places_.end()) return known->second;
    int64_t place = row;
    for (Frame frame = frame_at(row); frame.parent > 0;) {
      const Frame caller = frame_at(frame.parent);
      if (!is_call_of(caller, frame)) place = frame.parent;
      frame = caller;
    }
    places_.emplace(row, place);
    return place;
  }

  // One `+` may be a broadcast and an add: the add, which nothing of the same expression reads, is the variable. What a
  // derivative adds to an expression has its range, too, and is a part.
  bool is_part(const Instruction& instruction) {
    const auto is_derivative = [](const Instruction& of) {
      return of.metadata->op_name.find("transpose(") != std::string::npos;
    };
    const std::vector<Instruction*>& users = instruction.users();
    return is_derivative(instruction) ||
           (!users.empty() && std::all_of(users.begin(), users.end(), [&](const Instruction* user) {
             return user->opcode != Opcode::kTuple &&
                    (is_derivative(*user) || place_of(*user) == place_of(instruction));
           }));
  }

  // The smallest expression of those that begins with the range and holds it.
  template <class Found>
  static auto find_around(const std::map<PythonRange, Found>& expressions, const PythonRange& range) {
    const auto found = expressions.lower_bound(range);
    const bool begins =
        found != expressions.end() && found->first.line == range.line && found->first.column == range.column;
    return begins ? found : expressions.end();
  }

  // What the values of a frame are, or the elements of what it gives.
  Names names_at(int64_t row, PythonPath path) const {
    Frame frame = frame_at(row);
    // JAX has one range for all that begins at one place, the shortest: that of `a * b` for `a * b + c`, too. What
    // nothing else of its range reads is the whole.
    bool is_shortest = true;
    while (frame.source != nullptr) {
      PythonRange range = frame.range;
      for (bool inlined = true; inlined; is_shortest = false) {
        auto assigned = frame.source->assigned.find(range);
        auto found = frame.source->given.find(range);
        if (is_shortest) {
          assigned = find_around(frame.source->assigned, range);
          found = find_around(frame.source->given, range);
        }
        const bool is_given = found != frame.source->given.end();
        if (assigned != frame.source->assigned.end() && (!is_given || assigned->first <= found->first)) {
          const Variable variable = variable_in(assigned->second, path);
          return {variable.name, variable.is_whole ? carried_at(frame, variable.name) : ""};
        }
        if (!is_given) return {};
        const PythonGiven& given = found->second;
        path.insert(path.begin(), given.path.begin(), given.path.end());
        inlined = given.comprehension && !is_comprehension(frame.function);
        if (inlined) range = *given.comprehension;
      }
      if (is_step(frame)) {
        if (std::string carried = carried_from(frame, path); !carried.empty()) return {"", std::move(carried)};
      }
      // A function without name may be called for each part of something: nobody knows which one this is.
      if (frame.function.ends_with("<lambda>")) path.insert(path.begin(), kSomeElement);
      frame = frame_at(frame.parent);
    }
    return {};
  }

  static bool is_step(const Frame& frame) { return frame.source->steps.count(frame.function) > 0; }

  // The carry that a step's variable becomes when it is returned.
  static std::string carried_at(const Frame& frame, const std::string& variable) {
    const PythonFunction* step = function_of(frame);
    PythonPath path;
    const bool returned = step != nullptr && step->returned && find_variable(*step->returned, variable, &path);
    return returned ? carried_from(frame, path) : "";
  }

  // The carry that a part of a step's result becomes.
  static std::string carried_from(const Frame& frame, PythonPath path) {
    const PythonFunction* step = function_of(frame);
    if (step == nullptr) return "";
    const auto loop = frame.source->steps.find(step->name);
    if (loop == frame.source->steps.end()) return "";
    if (loop->second == PythonLoop::kScan) {
      if (path.empty() || path[0] != 0) return "";  // a row of what is stacked
      path.erase(path.begin());
    }
    const size_t place = loop->second == PythonLoop::kFori ? 1 : 0;
    if (place >= step->parameters.size()) return "";
    const auto unpacked = step->unpacked.find(step->parameters[place]);
    const PythonTarget whole{.name = step->parameters[place], .elements = {}};
    const Variable variable = variable_in(unpacked != step->unpacked.end() ? unpacked->second : whole, path);
    return variable.is_whole ? variable.name : "";
  }

  static const PythonFunction* function_of(const Frame& frame) {
    const PythonFunction* found = nullptr;
    for (const PythonFunction& function : frame.source->functions) {
      if (function.name != frame.function) continue;
      if (found != nullptr) return nullptr;  // defined twice: nobody knows which
      found = &function;
    }
    return found;
  }

  void name_value(Instruction& instruction) {
    PythonPath path;
    switch (instruction.opcode) {
      case Opcode::kParameter:
      case Opcode::kTuple:
      case Opcode::kWhile:
        return;
      case Opcode::kGetTupleElement:
        if (instruction.operand(0)->opcode == Opcode::kWhile || instruction.operand(0)->opcode == Opcode::kParameter)
          return;
        path.push_back(*instruction.attributes->tuple_index);
        break;
      default:
        break;
    }
    const int64_t row = instruction.metadata->stack_frame_id;
    if (row == 0) return;
    if (const std::vector<NamedNumber>& numbers = numbers_at(place_of(instruction)); !numbers.empty())
      set_named_numbers(instruction, numbers);
    if (is_part(instruction)) return;
    const Names names = names_at(place_of(instruction), std::move(path));
    // What the text itself says, holds.
    if (!names.variable.empty() && variable_of(instruction).empty()) set_variable(instruction, names.variable);
    if (!names.carried.empty()) set_carried_variable(instruction, names.carried);
  }

  // The numbers of the module that the text of a frame names. JAX has the shortest range for all that begins at one
  // place, that of `abs(x)` for `abs(x) > LIMIT`, too: the rest of the line is looked at.
  const std::vector<NamedNumber>& numbers_at(int64_t row) {
    const auto [place, is_new] = numbers_.try_emplace(row);
    Frame frame = frame_at(row);
    while (is_new && frame.source == nullptr && frame.parent > 0) frame = frame_at(frame.parent);
    if (!is_new || frame.source == nullptr) return place->second;
    const size_t begin = frame.source->offset(frame.range.line, frame.range.column);
    const size_t end = frame.text->find('\n', frame.source->offset(frame.range.end_line, frame.range.end_column));
    std::string_view text = std::string_view(*frame.text).substr(begin, end - begin);
    text = text.substr(0, text.find('#'));
    for (size_t at = 0; at < text.size();) {
      size_t stop = at;
      while (stop < text.size() && is_word(text[stop])) ++stop;
      const std::string word(text.substr(at, stop - at));
      const auto number = frame.source->constants.find(word);
      const bool is_attribute = at > 0 && text[at - 1] == '.';
      const auto is_it = [&](const NamedNumber& known) { return known.name == word; };
      if (number != frame.source->constants.end() && !is_attribute && std::ranges::none_of(place->second, is_it))
        place->second.push_back({word, number->second});
      at = std::max(stop, at + 1);
    }
    return place->second;
  }

  // `x, v = state` of the function that was compiled: state[0] is x. Only where none of them is a parameter's name.
  void name_parameters() {
    const std::vector<Instruction*> parameters = module_.entry()->parameters();
    const auto base = [](const Instruction& parameter) {
      const std::string& name = parameter.metadata->op_name;
      return name.substr(0, name.find_first_of("[."));
    };
    const PythonFunction* compiled = compiled_function();
    if (compiled == nullptr) return;
    for (const auto& [name, target] : compiled->unpacked) {
      std::vector<std::pair<Instruction*, std::string>> named;
      bool all = true;
      for (Instruction* parameter : parameters) {
        if (base(*parameter) != name) continue;
        const Variable variable = variable_in(target, indices_of(parameter->metadata->op_name));
        const bool is_taken = std::any_of(parameters.begin(), parameters.end(),
                                          [&](const Instruction* other) { return base(*other) == variable.name; });
        all = all && variable.is_whole && !is_taken;
        named.emplace_back(parameter, variable.name);
      }
      for (const auto& [parameter, variable] : named) {
        if (all) set_variable(*parameter, variable);
      }
    }
  }

  // `return x, v` of the function that was compiled, where each result is one of the variables.
  void name_results() {
    const PythonFunction* compiled = compiled_function();
    const Instruction* root = module_.entry()->root();
    if (compiled == nullptr || !compiled->returned || root->opcode != Opcode::kTuple) return;
    const std::vector<PythonTarget>& names = compiled->returned->elements;
    const std::vector<Instruction*>& results = root->operands();
    const bool fits = names.size() == results.size() &&
                      std::all_of(names.begin(), names.end(), [](const auto& name) { return name.elements.empty(); });
    for (size_t i = 0; fits && i < names.size(); ++i) {
      const Opcode opcode = results[i]->opcode;
      const bool is_made = opcode != Opcode::kParameter && opcode != Opcode::kConstant && opcode != Opcode::kBroadcast;
      if (is_made && !names[i].name.empty()) set_variable(*results[i], names[i].name);
    }
  }

  // state[0][1] -> {0, 1}
  static PythonPath indices_of(const std::string& name) {
    PythonPath path;
    for (size_t at = name.find('['); at != std::string::npos; at = name.find('[', at + 1)) {
      const size_t end = name.find_first_not_of("0123456789", at + 1);
      const bool is_index = end != std::string::npos && end > at + 1 && end < at + 6 && name[end] == ']';
      path.push_back(is_index ? std::stoll(name.substr(at + 1, end - at - 1)) : kSomeElement);
    }
    return path;
  }

  // The one function among those of the frames that has parameters of the names that the text's have.
  const PythonFunction* compiled_function() const {
    std::vector<std::string> wanted;
    for (const Instruction* parameter : module_.entry()->parameters()) {
      const std::string& name = parameter->metadata->op_name;
      const std::string base = name.substr(0, name.find_first_of("[."));
      if (wanted.empty() || wanted.back() != base) wanted.push_back(base);
    }
    const std::vector<std::string>& known = module_.tables.functions;
    const auto is_of_module = [&](const PythonFunction& function) {
      return module_.name == "jit_" + function.name.substr(function.name.rfind('.') + 1);
    };
    const PythonFunction* found = nullptr;
    for (const auto& file : files_) {
      if (file == nullptr) continue;
      for (const PythonFunction& function : file->functions) {
        if (function.parameters != wanted || std::find(known.begin(), known.end(), function.name) == known.end())
          continue;
        // Of several, that which the module is called after.
        if (found != nullptr && is_of_module(*found) == is_of_module(function)) return nullptr;
        if (found == nullptr || is_of_module(function)) found = &function;
      }
    }
    return found;
  }

  Module& module_;
  const std::vector<Source>& sources_;
  std::map<int64_t, int64_t> places_;                    // by frame
  std::map<int64_t, std::vector<NamedNumber>> numbers_;  // by frame
  std::vector<std::unique_ptr<PythonSource>> files_;     // nullptr where there is none
  std::vector<Source> read_;
};

}  // namespace

std::vector<Source> name_values(Module& module, const std::vector<Source>& sources, Diagnostics& diagnostics) {
  return ValueNamer(module, sources, diagnostics).name_all();
}

}  // namespace sinter
