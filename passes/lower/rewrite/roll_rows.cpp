#include "passes/lower/rewrite/roll_rows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "passes/lower/rewrite/join_rows.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/rewrite/replace_expr.h"
#include "passes/lower/text/assignment.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;
using ExprKind = Expr::Kind;
using Exprs = std::vector<const Expr*>;

// Statements of a row that are one loop. They stand where the last of them stood.
struct Run {
  std::vector<size_t> places;  // in the block, by element
  Statement step;              // what the loop does for element `k`
  Variable* array = nullptr;   // that the loop fills, and that is declared in front of it; nullptr: none
  size_t begin = 0;
  Statement before;  // in front of the loop, where it has a kind other than kBlank
};

bool stands_for_nothing(const Statement& statement) {
  return statement.kind == StatementKind::kBlank || statement.kind == StatementKind::kComment ||
         statement.kind == StatementKind::kNote;
}

// A statement that gives one variable a value, and does nothing else.
bool is_plain(const Statement& statement) {
  switch (statement.kind) {
    case StatementKind::kLet:
    case StatementKind::kDeclare:
      return statement.value == nullptr || !waits(statement.value);
    case StatementKind::kAssign:
      return statement.target->kind == ExprKind::kVariable && !waits(statement.value);
    default:
      return false;
  }
}

const Variable* assigned(const Statement& statement) {
  return statement.kind == StatementKind::kAssign ? statement.target->variable : statement.variable;
}

bool waits_for_block(const Expr* expr) {
  return expr != nullptr && (expr->sync == Sync::kBlock || std::ranges::any_of(expr->operands, waits_for_block));
}

bool is_integer_value(const Expr& expr) { return expr.type.kind == CType::Kind::kValue && is_integer(expr.type.dtype); }

// A sum, product, largest element or the like that is written out: what it begins with, and what each link adds.
struct Chain {
  const Expr* begin = nullptr;
  std::vector<const Expr*> links;  // the first is the innermost
  size_t inner = 0;                // which operand of a link the one before it is
};

std::optional<size_t> inner_of(const Expr& link) {
  if (link.kind == ExprKind::kInfix && (link.text == "+" || link.text == "*")) return 0;
  if (link.kind != ExprKind::kCall) return std::nullopt;
  if ((link.text == "fmaf" || link.text == "fma") && link.operands.size() == 3) return 2;
  return link.operands.size() == 2 ? std::optional<size_t>(0) : std::nullopt;
}

Chain chain_of(const Expr* expr) {
  Chain chain;
  const std::optional<size_t> inner = inner_of(*expr);
  chain.begin = expr;
  if (!inner) return chain;
  chain.inner = *inner;
  const auto is_link = [&](const Expr& other) {
    return other.kind == expr->kind && other.text == expr->text && other.operands.size() == expr->operands.size() &&
           other.type == expr->type;
  };
  while (is_link(*chain.begin)) {
    chain.links.push_back(chain.begin);
    chain.begin = chain.begin->operands[*inner];
  }
  std::ranges::reverse(chain.links);
  return chain;
}

struct InOrder {
  bool operator()(const Variable* a, const Variable* b) const { return a->id < b->id; }
};
using Rows = std::map<const Variable*, RowOfVariables, InOrder>;

class RowRoller {
 public:
  RowRoller(Kernel* kernel, Block* block) : kernel_(kernel), all_(block) {
    for (const Variable& variable : kernel->variables()) taken_.insert(variable.name);
    for (const Parameter& parameter : kernel->parameters) taken_.insert(parameter.variable->name);
    for (const NamedConstant& constant : kernel->constants) taken_.insert(constant.name);
    for (const char* name : {"k", "n", "m", "place", "of_row"}) {
      if (taken_.count(name) > 0) continue;
      counter_ = kernel->variable(name, CType::value(DType::kS32));
      break;
    }
  }

  bool run(const std::vector<RowOfVariables>& rows) {
    if (counter_ == nullptr) return false;
    for (const RowOfVariables& row : rows) add_row(row, nullptr);
    if (rows_.empty()) return false;
    if (!roll(all_)) return false;
    // What no loop counts through is an element by its number.
    replace_in(kernel_, all_, [&](const Expr* expr, bool) -> const Expr* {
      if (expr->kind != ExprKind::kVariable) return nullptr;
      const auto found = place_of_.find(expr->variable);
      if (found == place_of_.end()) return nullptr;
      return element(found->second.array, kernel_->integer(static_cast<int64_t>(found->second.number)));
    });
    if (still_declares(*all_)) return false;
    join_rows(kernel_, counter_, all_);
    return true;
  }

 private:
  struct Place {
    Variable* array = nullptr;
    size_t number = 0;
  };

  bool still_declares(const Block& block) const {
    return std::ranges::any_of(block, [&](const Statement& statement) {
      return (statement.variable != nullptr && place_of_.count(statement.variable) > 0) ||
             still_declares(statement.body) || still_declares(statement.other);
    });
  }

  const Expr* element(const Variable* array, const Expr* number) {
    return kernel_->subscript(kernel_->reference(array), number, CType::value(array->type.dtype));
  }
  const Expr* counter() { return kernel_->reference(counter_); }

  // The array that variables become.
  Variable* add_row(const RowOfVariables& row, const Statement* first) {
    std::string name = row[0]->name;
    const size_t end = name.find_last_not_of("0123456789");
    if (end != std::string::npos && end > 0 && name[end] == '_') name.resize(end);
    for (const Variable* variable : row) taken_.erase(variable->name);
    while (taken_.count(name) > 0) name += "_row";
    taken_.insert(name);
    CType type = row[0]->type;
    type.kind = CType::Kind::kArray;
    type.length = static_cast<int64_t>(row.size());
    Variable* array = kernel_->variable(name, type, first == nullptr ? row[0]->origin : first->variable->origin);
    for (size_t i = 0; i < row.size(); ++i) place_of_[row[i]] = {array, i};
    rows_[array] = row;
    return array;
  }

  // ---- values of all elements as one, of element `counter` ----

  const Expr* unified(const Exprs& values) {
    const Expr* first = values[0];
    const auto is_same = [&](const Expr* other) { return same_expr(first, other); };
    if (std::ranges::all_of(values, is_same)) return first;
    if (is_integer_value(*first)) {
      if (const Expr* sum = unified_index(values)) return sum;
    }
    if (first->kind == ExprKind::kVariable) return unified_variables(values);
    if (first->kind == ExprKind::kInteger || first->kind == ExprKind::kLiteral) return nullptr;
    const auto is_alike = [&](const Expr* other) {
      return other->kind == first->kind && other->type == first->type && other->text == first->text &&
             other->sync == first->sync && other->operands.size() == first->operands.size();
    };
    if (!std::ranges::all_of(values, is_alike) || first->operands.empty()) return nullptr;
    Exprs operands;
    for (size_t o = 0; o < first->operands.size(); ++o) {
      Exprs parts;
      for (const Expr* value : values) parts.push_back(value->operands[o]);
      operands.push_back(unified(parts));
      if (operands.back() == nullptr) return nullptr;
    }
    return kernel_->with_operands(*first, std::move(operands));
  }

  // Integers that grow by as much from each element to the next, on top of what is alike.
  const Expr* unified_index(const Exprs& values) {
    Exprs rests;
    std::vector<int64_t> added;
    for (const Expr* value : values) {
      const bool adds = value->kind == ExprKind::kInfix && (value->text == "+" || value->text == "-") &&
                        value->operands[1]->kind == ExprKind::kInteger;
      if (value->kind == ExprKind::kInteger) {
        rests.push_back(nullptr);
        added.push_back(value->integer);
      } else {
        rests.push_back(adds ? value->operands[0] : value);
        added.push_back(!adds ? 0 : value->text == "+" ? value->operands[1]->integer : -value->operands[1]->integer);
      }
    }
    const int64_t step = added[1] - added[0];
    for (size_t i = 1; i < added.size(); ++i) {
      if (added[i] - added[i - 1] != step) return nullptr;
    }
    const bool no_rest = rests[0] == nullptr;
    if (!std::ranges::all_of(rests, [&](const Expr* rest) { return (rest == nullptr) == no_rest; })) return nullptr;
    const CType type = values[0]->type;
    const Expr* sum = nullptr;
    if (!no_rest) {
      if (step == 0 && added[0] == 0) return nullptr;  // it would be asked for again
      sum = unified(rests);
      if (sum == nullptr) return nullptr;
    }
    const auto add = [&](const Expr* more) { sum = sum == nullptr ? more : kernel_->infix(sum, "+", more, type); };
    if (step != 0) add(step == 1 ? counter() : kernel_->infix(counter(), "*", kernel_->integer(step), type));
    if (added[0] != 0 || sum == nullptr) add(kernel_->integer(added[0]));
    return sum;
  }

  const Expr* unified_variables(const Exprs& values) {
    const auto known = place_of_.find(values[0]->variable);
    if (known != place_of_.end()) {
      Variable* array = known->second.array;
      if (rows_.at(array).size() != values.size()) return nullptr;
      for (size_t i = 0; i < values.size(); ++i) {
        const auto place = place_of_.find(values[i]->variable);
        const bool is_own = values[i]->kind == ExprKind::kVariable && place != place_of_.end() &&
                            place->second.array == array && place->second.number == i;
        if (!is_own) return nullptr;
      }
      return element(array, counter());
    }
    // Constants of the block, one for each element.
    Run run;
    Exprs parts;
    RowOfVariables row;
    for (const Expr* value : values) {
      const auto found = value->kind == ExprKind::kVariable ? lets_.find(value->variable) : lets_.end();
      if (found == lets_.end() || place_of_.count(value->variable) > 0) return nullptr;
      if (std::ranges::count(run.places, found->second) > 0) return nullptr;
      run.places.push_back(found->second);
      parts.push_back((*block_)[found->second].value);
      row.push_back((*block_)[found->second].variable);
    }
    const auto is_alike = [&](const Variable* other) { return other->type == row[0]->type; };
    if (!std::ranges::all_of(row, is_alike) || row[0]->type.kind != CType::Kind::kValue) return nullptr;
    const Expr* value = unified(parts);
    if (value == nullptr) return nullptr;
    const Statement& first = (*block_)[run.places[0]];
    run.array = add_row(row, &first);
    run.step = {.kind = StatementKind::kAssign, .target = element(run.array, counter()), .value = value, .text = "="};
    runs_.push_back(std::move(run));
    return element(runs_.back().array, counter());
  }

  // ---- the statements of a block ----

  bool roll(Block* block) {
    block_ = block;
    lets_.clear();
    runs_.clear();
    chains_.clear();
    std::map<const Variable*, std::vector<size_t>> declares, assigns;
    for (size_t at = 0; at < block->size(); ++at) {
      const Statement& statement = (*block)[at];
      if (statement.kind == StatementKind::kLet && is_plain(statement)) lets_[statement.variable] = at;
      if (statement.kind == StatementKind::kDeclare && statement.value != nullptr)
        declares[statement.variable].push_back(at);
      if (statement.kind == StatementKind::kAssign && statement.target->kind == ExprKind::kVariable)
        assigns[statement.target->variable].push_back(at);
    }
    const Rows rows = rows_;
    for (const auto& [array, row] : rows) {
      if (declares.count(row[0]) > 0 && !add_run(place_of_.at(row[0]).array, row, declares, true)) return false;
      if (assigns.count(row[0]) > 0 && !add_run(place_of_.at(row[0]).array, row, assigns, false)) return false;
    }
    add_stores();
    before_ = *block;
    for (size_t at = 0; at < block->size(); ++at) {
      const Statement& statement = (*block)[at];
      const bool is_in_run =
          std::ranges::any_of(runs_, [&](const Run& run) { return std::ranges::count(run.places, at) > 0; });
      const bool computes = is_plain(statement) || statement.kind == StatementKind::kAssign;
      if (!is_in_run && computes && statement.value != nullptr && !waits(statement.value)) add_chain(at);
    }
    if (!may_move()) return false;
    rebuild();
    // What stands within reads the rows of what stands around it.
    return std::ranges::all_of(*block, [&](Statement& statement) {
      return is_loop(statement) || (roll(&statement.body) && roll(&statement.other));
    });
  }

  bool add_run(Variable* array, const RowOfVariables& row,
               const std::map<const Variable*, std::vector<size_t>>& statements, bool declares) {
    Run run;
    Exprs values;
    for (const Variable* variable : row) {
      const auto found = statements.find(variable);
      if (found == statements.end() || found->second.size() != 1) return false;
      const Statement& statement = (*block_)[found->second[0]];
      if (!is_plain(statement) || statement.text != (*block_)[statements.at(row[0])[0]].text) return false;
      run.places.push_back(found->second[0]);
      values.push_back(statement.value);
    }
    const Expr* value = unified(values);
    if (value == nullptr) return false;
    const Statement& first = (*block_)[run.places[0]];
    if (declares) run.array = array;
    run.step = {.kind = StatementKind::kAssign,
                .target = element(array, counter()),
                .value = value,
                .text = declares ? "=" : first.text,
                .origin = first.origin};
    runs_.push_back(std::move(run));
    return true;
  }

  // Stores of a row's elements, one behind the other.
  void add_stores() {
    for (size_t at = 0; at < block_->size(); ++at) {
      const Place place = stored((*block_)[at]);
      if (place.array == nullptr || place.number != 0) continue;
      const size_t count = rows_.at(place.array).size();
      if (at + count > block_->size()) continue;
      Run run;
      Exprs targets;
      for (size_t i = 0; i < count; ++i) {
        const Statement& statement = (*block_)[at + i];
        const Place own = stored(statement);
        if (own.array != place.array || own.number != i || statement.text != (*block_)[at].text) break;
        run.places.push_back(at + i);
        targets.push_back(statement.target);
      }
      if (targets.size() != count) continue;
      const Expr* target = unified(targets);
      if (target == nullptr) continue;
      run.step = (*block_)[at];
      run.step.target = target;
      run.step.value = element(place.array, counter());
      runs_.push_back(std::move(run));
      at += count - 1;
    }
  }

  Place stored(const Statement& statement) const {
    const bool stores = statement.kind == StatementKind::kAssign && statement.target->kind == ExprKind::kSubscript &&
                        statement.value->kind == ExprKind::kVariable;
    const auto found = stores ? place_of_.find(statement.value->variable) : place_of_.end();
    return found == place_of_.end() ? Place{} : found->second;
  }

  // A sum over a row that is a statement's value, or part of it.
  void add_chain(size_t at) {
    Statement& statement = (*block_)[at];
    bool added = false;
    const auto roll_chain = [&](const Expr* expr, bool maybe) -> const Expr* {
      if (added || maybe) return nullptr;
      const Chain chain = chain_of(expr);
      const auto has_length = [&](const auto& row) {
        return row.second.size() == chain.links.size() || row.second.size() == chain.links.size() + 1;
      };
      if (std::ranges::none_of(rows_, has_length)) return nullptr;
      const bool is_whole = expr == statement.value && statement.kind == StatementKind::kLet;
      const Variable* total = add_links(at, chain, is_whole ? statement.variable : nullptr);
      added = total != nullptr;
      return added ? kernel_->reference(total) : nullptr;
    };
    const Expr* value = replaced(kernel_, statement.value, roll_chain);
    if (!added) return;
    if (value->kind == ExprKind::kVariable && value->variable == statement.variable) {
      statement.value = nullptr;  // the loop makes it
    } else {
      statement.value = value;
      add_chain(at);  // there may be another one
    }
  }

  const Variable* add_links(size_t at, const Chain& chain, Variable* total) {
    const Expr& link = *chain.links[0];
    const size_t parts = link.operands.size();
    // What each link adds; of as many links as a row has elements but one, what the chain begins with is the first.
    std::vector<Exprs> added(parts);
    const auto has_length = [&](size_t length) {
      return std::ranges::any_of(rows_, [&](const auto& row) { return row.second.size() == length; });
    };
    const bool begins_with_first = !has_length(chain.links.size());
    if (begins_with_first) {
      const bool is_product = parts == 3;
      const Expr& first = *chain.begin;
      if (is_product && (first.kind != ExprKind::kInfix || first.text != "*")) return nullptr;
      for (size_t p = 0, next = 0; p < parts; ++p) {
        if (p != chain.inner) added[p].push_back(is_product ? first.operands[next++] : &first);
      }
    }
    for (const Expr* each : chain.links) {
      for (size_t p = 0; p < parts; ++p) {
        if (p != chain.inner) added[p].push_back(each->operands[p]);
      }
    }
    const auto rows = rows_;
    const auto places = place_of_;
    const size_t runs = runs_.size();
    Exprs operands(parts);
    for (size_t p = 0; p < parts; ++p) {
      if (p == chain.inner) continue;
      operands[p] = unified(added[p]);
      if (operands[p] == nullptr || mentions_total(operands[p], total)) {
        rows_ = rows;
        place_of_ = places;
        runs_.resize(runs);
        return nullptr;
      }
    }
    if (total == nullptr) {
      std::string name = "total";
      for (int number = 2; taken_.count(name) > 0; ++number) name = "total_" + std::to_string(number);
      taken_.insert(name);
      total = kernel_->variable(name, link.type);
    }
    Run run;
    run.places = {at};
    run.begin = begins_with_first ? 1 : 0;
    run.before = {
        .kind = StatementKind::kDeclare, .variable = total, .value = chain.begin, .origin = (*block_)[at].origin};
    operands[chain.inner] = kernel_->reference(total);
    run.step = assignment(kernel_->reference(total), kernel_->with_operands(link, operands));
    run.step.origin = (*block_)[at].origin;
    lengths_[total] = static_cast<int64_t>(chain.links.size() + run.begin);
    chains_.push_back(std::move(run));
    return total;
  }

  static bool mentions_total(const Expr* expr, const Variable* total) {
    return total != nullptr && mentions(expr, total);
  }

  // ---- order ----

  // Whether the statements of runs do the same where the last of each stands.
  bool may_move() const {
    std::map<size_t, size_t> end_of;  // by place of a statement of a run
    for (const Run& run : runs_) {
      for (const size_t place : run.places) {
        if (!end_of.emplace(place, run.places.back()).second) return false;
      }
      if (!std::ranges::is_sorted(run.places)) return false;
    }
    for (const Run& run : runs_) {
      const size_t end = run.places.back();
      for (const size_t place : run.places) {
        const Statement& moved = before_[place];
        for (size_t at = place + 1; at < end; ++at) {
          const auto other = end_of.find(at);
          // Its own run, or one that comes later all the same.
          if (other != end_of.end() && other->second >= end) continue;
          if (!are_apart(moved, before_[at], end)) return false;
        }
      }
    }
    return true;
  }

  // `end`: where what is moved comes to stand, behind `other`.
  bool are_apart(const Statement& moved, const Statement& other, size_t end) const {
    if (stands_for_nothing(other)) return true;
    if (!is_plain(moved) || mentions(Block{other}, assigned(moved))) return false;
    if (is_plain(other)) {
      const Variable* changed = assigned(other);
      return changed != assigned(moved) && !mentions(moved.value, changed);
    }
    if (!other.body.empty() || !other.other.empty()) return false;
    std::set<std::string> read;
    if (!reads_for_good(moved.value, &read)) return false;
    const bool stores = other.kind == StatementKind::kAssign;
    const std::string array = stores ? shared_array(*other.target) : "";
    const bool is_known = other.kind == StatementKind::kExpression || other.kind == StatementKind::kLet ||
                          (stores && !array.empty() && read.count(array) == 0);
    return is_known && keeps_shared(read, end);
  }

  // The array of shared memory that an expression is an element of; empty: of none.
  static std::string shared_array(const Expr& expr) {
    const bool is_member = expr.kind == ExprKind::kSubscript && expr.operands[0]->kind == ExprKind::kMember;
    return is_member ? expr.operands[0]->text : "";
  }

  // Whether all memory that is read is shared, by the arrays `read`, or no thread writes it.
  static bool reads_for_good(const Expr* expr, std::set<std::string>* read) {
    if (expr->kind == ExprKind::kSubscript) {
      const Expr& base = *expr->operands[0];
      const std::string array = shared_array(*expr);
      if (!array.empty()) {
        read->insert(array);
      } else if (base.kind != ExprKind::kVariable ||
                 (base.type.kind != CType::Kind::kConstPointer && base.type.kind != CType::Kind::kArray)) {
        return false;
      }
    }
    return std::ranges::all_of(expr->operands, [&](const Expr* part) { return reads_for_good(part, read); });
  }

  // Whether no thread writes such arrays of shared memory while another one may not have come past the statement at
  // `end`: before the next barrier, in this step or the next.
  bool keeps_shared(const std::set<std::string>& arrays, size_t end) const {
    if (arrays.empty()) return true;
    const auto has_barrier = [](const Statement& statement) { return waits_for_block(statement.value); };
    size_t first = end, last = end;
    while (first > 0 && !has_barrier(before_[first - 1])) --first;
    while (last < before_.size() && !has_barrier(before_[last])) ++last;
    std::vector<size_t> places;
    for (size_t at = first; at < last; ++at) places.push_back(at);
    for (size_t at = 0; last == before_.size() && at < first && !has_barrier(before_[at]); ++at) places.push_back(at);
    return std::ranges::none_of(places, [&](size_t at) { return writes_shared(before_[at], arrays); });
  }

  static bool writes_shared(const Statement& statement, const std::set<std::string>& arrays) {
    const auto writes = [&](const Block& block) {
      return std::ranges::any_of(block, [&](const Statement& inner) { return writes_shared(inner, arrays); });
    };
    const bool assigns = statement.kind == StatementKind::kAssign && arrays.count(shared_array(*statement.target)) > 0;
    return assigns || writes(statement.body) || writes(statement.other);
  }

  Statement loop_of(const Run& run, int64_t length) {
    Statement loop = {.kind = StatementKind::kFor, .variable = counter_};
    loop.begin = kernel_->integer(static_cast<int64_t>(run.begin));
    loop.value = kernel_->integer(length);
    loop.unroll = Statement::kUnrollFully;
    loop.body.push_back(run.step);
    return loop;
  }

  void rebuild() {
    if (runs_.empty() && chains_.empty()) return;
    std::set<size_t> moved;
    std::multimap<size_t, const Run*> ending;
    for (const Run& run : runs_) {
      moved.insert(run.places.begin(), run.places.end());
      ending.emplace(run.places.back(), &run);
    }
    for (const Run& run : chains_) ending.emplace(run.places.back(), &run);
    Block result;
    for (size_t at = 0; at < block_->size(); ++at) {
      const auto [first, last] = ending.equal_range(at);
      for (auto run = first; run != last; ++run) {
        const Run& own = *run->second;
        if (own.before.kind != StatementKind::kBlank) result.push_back(own.before);
        if (own.array != nullptr)
          result.push_back({.kind = StatementKind::kDeclare, .variable = own.array, .origin = own.step.origin});
        const int64_t length = own.before.kind != StatementKind::kBlank ? lengths_.at(own.before.variable)
                                                                        : static_cast<int64_t>(own.places.size());
        result.push_back(loop_of(own, length));
      }
      const Statement& statement = (*block_)[at];
      const bool is_made = statement.kind == StatementKind::kLet && statement.value == nullptr;
      if (moved.count(at) == 0 && !is_made) result.push_back(statement);
    }
    *block_ = std::move(result);
  }

  bool is_loop(const Statement& statement) const {
    return statement.kind == StatementKind::kFor && statement.variable == counter_;
  }

  Kernel* kernel_;
  Block* all_;
  Block* block_ = nullptr;
  Variable* counter_ = nullptr;
  std::set<std::string> taken_;
  Block before_;                                // the block, as it was
  std::map<const Variable*, Place> place_of_;   // only looked up
  Rows rows_;                                   // by array
  std::map<const Variable*, size_t> lets_;      // of the block; only looked up
  std::map<const Variable*, int64_t> lengths_;  // by total; only looked up
  std::vector<Run> runs_, chains_;
};

}  // namespace

void roll_rows(Kernel* kernel, const std::vector<RowOfVariables>& rows, Block* block) {
  if (rows.empty()) return;
  Block rolled = *block;
  if (RowRoller(kernel, &rolled).run(rows)) *block = std::move(rolled);
}

}  // namespace sinter
