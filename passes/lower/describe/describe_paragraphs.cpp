#include "passes/lower/describe/describe_paragraphs.h"

#include <algorithm>
#include <map>
#include <set>

#include "passes/names/source_order.h"

namespace sinter {

namespace {

using Kind = Statement::Kind;

const Variable* root_variable(const Expr* target) {
  while (target != nullptr && target->kind != Expr::Kind::kVariable && !target->operands.empty())
    target = target->operands[0];
  return target != nullptr ? target->variable : nullptr;
}

// A comment, or an empty line, that has a title.
bool opens_paragraph(const Statement& statement) {
  return statement.kind == Kind::kComment || (statement.kind == Kind::kBlank && !statement.text.empty());
}

// A loop over steps, not one of a reduction.
bool is_step_loop(const Statement& statement) {
  if (statement.kind != Kind::kFor && statement.kind != Kind::kWhile) return false;
  return statement.origin != nullptr && statement.origin->opcode == Opcode::kWhile;
}

class Reader {
 public:
  Reader(const Module& module, const Kernel& kernel) : module_(module) {
    for (const Parameter& parameter : kernel.parameters) parameters_.insert(parameter.variable);
    // The titles first: a store at the end belongs to the paragraph of its function.
    collect_titles(kernel.body, -1);
    walk(kernel.body, -1, -1);
  }

  Paragraphs result() {
    for (const auto& [variable, home] : set_in_) {
      if (variable->origin == nullptr) continue;  // a counter, shared memory
      const auto readers = read_in_.find(variable);
      const bool elsewhere = readers != read_in_.end() && std::any_of(readers->second.begin(), readers->second.end(),
                                                                      [&](int reader) { return reader != home; });
      if (home >= 0 && (elsewhere || given_.count(variable) > 0)) add(home, variable->name);
    }
    for (const Variable* variable : outside_loops_) {
      if (variable->origin == nullptr) continue;  // shared memory
      for (size_t loop = 0; loop < result_.loops.size(); ++loop) {
        if (assigned_in_[loop].count(variable) > 0) result_.loops[loop].carries.push_back(variable->name);
      }
    }
    return std::move(result_);
  }

 private:
  void collect_titles(const Block& block, int loop) {
    for (const Statement& statement : block) {
      if (opens_paragraph(statement) && numbers_.count({statement.text, loop}) == 0) {
        numbers_[{statement.text, loop}] = static_cast<int>(result_.all.size());
        result_.all.push_back({statement.text, loop, {}});
      }
      int inner = loop;
      if (loop < 0 && is_step_loop(statement)) {
        inner = loop_of_[&statement] = static_cast<int>(result_.loops.size());
        result_.loops.push_back({statement.origin, {}});
      }
      collect_titles(statement.body, inner);
      collect_titles(statement.other, loop);
    }
    assigned_in_.resize(result_.loops.size());
  }

  void walk(const Block& block, int paragraph, int loop) {
    for (const Statement& statement : block) {
      if (opens_paragraph(statement)) paragraph = numbers_.at({statement.text, loop});
      int home = paragraph;
      if (statement.kind == Kind::kAssign) {
        const Variable* target = root_variable(statement.target);
        if (parameters_.count(target) > 0) {
          home = stored(statement, target, paragraph, loop);
        } else {
          if (loop >= 0) assigned_in_[loop].insert(target);
          if (declared_outside(target, paragraph)) {
            set_in_.emplace_back(target, paragraph);
            given_.insert(target);
          }
        }
      }
      if ((statement.kind == Kind::kLet || statement.kind == Kind::kDeclare) && statement.variable != nullptr) {
        home_.emplace(statement.variable, paragraph);
        set_in_.emplace_back(statement.variable, paragraph);
        if (loop < 0) outside_loops_.push_back(statement.variable);
      }
      for (const Expr* expr : {statement.value, statement.begin}) read(expr, home);
      if (statement.target != nullptr && statement.target->kind != Expr::Kind::kVariable) read(statement.target, home);
      const auto opened = loop_of_.find(&statement);
      walk(statement.body, paragraph, opened != loop_of_.end() ? opened->second : loop);
      walk(statement.other, paragraph, loop);
    }
  }

  bool declared_outside(const Variable* variable, int paragraph) const {
    const auto home = home_.find(variable);
    return home != home_.end() && home->second != paragraph;
  }

  // A store: what it spells itself belongs to its function, a variable to the paragraph that declares it.
  int stored(const Statement& statement, const Variable* pointer, int paragraph, int loop) {
    if (statement.value->kind == Expr::Kind::kVariable) return kStores;
    if (statement.origin != nullptr) {
      const std::string function = source_place(module_, *statement.origin).function;
      // After the loops: the last one that the function is in.
      const int last = loop >= 0 ? loop : static_cast<int>(result_.loops.size()) - 1;
      for (int place = loop; place <= last; ++place) {
        const auto known = numbers_.find({function, place});
        if (known != numbers_.end()) paragraph = known->second;
      }
    }
    if (paragraph >= 0) add(paragraph, pointer->name);
    return paragraph;
  }

  void add(int paragraph, const std::string& name) {
    std::vector<std::string>& names = result_.all[paragraph].names;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }

  // Expressions are as deep as a line is long.
  void read(const Expr* expr, int paragraph) {
    if (expr == nullptr) return;
    if (expr->kind == Expr::Kind::kVariable) read_in_[expr->variable].insert(paragraph);
    for (const Expr* operand : expr->operands) read(operand, paragraph);
  }

  static constexpr int kStores = -2;

  const Module& module_;
  Paragraphs result_;
  std::map<std::pair<std::string, int>, int> numbers_;  // (title, loop) -> paragraph
  std::map<const Statement*, int> loop_of_;             // those of result_.loops
  std::set<const Variable*> parameters_, given_;
  std::vector<std::set<const Variable*>> assigned_in_;  // each loop
  std::vector<const Variable*> outside_loops_;
  std::map<const Variable*, int> home_;
  std::map<const Variable*, std::set<int>> read_in_;
  std::vector<std::pair<const Variable*, int>> set_in_;
};

// "state_0_in": "state_", 0, "_in". No number: -1.
struct NumberedName {
  std::string stem;
  int64_t number = -1;
  std::string rest;
};

NumberedName numbered(const std::string& name) {
  const size_t last = name.find_last_of("0123456789");
  if (last == std::string::npos) return {name, -1, ""};
  const size_t before = name.find_last_not_of("0123456789", last);
  if (before == std::string::npos || name[before] != '_' || last - before > 8) return {name, -1, ""};
  return {name.substr(0, before + 1), std::stoll(name.substr(before + 1, last - before)), name.substr(last + 1)};
}

}  // namespace

Paragraphs paragraphs(const Module& module, const Kernel& kernel) { return Reader(module, kernel).result(); }

std::vector<NameRun> name_runs(const std::vector<std::string>& names, const std::function<bool(size_t, size_t)>& same) {
  std::vector<NameRun> result;
  for (size_t i = 0; i < names.size();) {
    const NumberedName first = numbered(names[i]);
    size_t end = i + 1;
    while (first.number >= 0 && end < names.size() && (!same || same(i, end))) {
      const NumberedName other = numbered(names[end]);
      if (other.stem != first.stem || other.rest != first.rest ||
          other.number != first.number + static_cast<int64_t>(end - i))
        break;
      ++end;
    }
    if (end - i >= 3) {
      result.push_back({names[i] + " .. " + names[end - 1], i});
    } else {
      for (size_t k = i; k < end; ++k) result.push_back({names[k], k});
    }
    i = end;
  }
  return result;
}

std::string name_list(const std::vector<std::string>& names, size_t most) {
  const std::vector<NameRun> runs = name_runs(names);
  std::string text;
  for (size_t i = 0; i < runs.size() && i < most; ++i) text += (i == 0 ? "" : ", ") + runs[i].text;
  return text + (runs.size() > most ? ", ..." : "");
}

}  // namespace sinter
