// Definitions: what stands on the right is checked, the ranges of its indices are found, and it is lowered and brought
// to the axes on the left.
#include <algorithm>

#include "frontend/grain/compiler.h"

namespace sinter::grain {

// The value with the target's indices, and what its ':' stand for, as axes in the order on the left.
Value Compiler::close(const Target& target, const Value& value, const Type& type) {
  Value result;
  result.type = type;
  const size_t first = target.has_places && !call_->loops.empty() && call_->loops.back()->is_for &&
                               !target.places.empty() && target.places[0].name == call_->loops.back()->counter &&
                               !target.places[0].is_colon
                           ? 1
                           : 0;
  std::vector<const Index*> own;
  size_t colons = 0;
  for (size_t i = first; i < target.places.size(); ++i) {
    if (target.places[i].is_colon) {
      ++colons;
    } else {
      own.push_back(target.places[i].index);
    }
  }
  for (const Part& part : value.parts) {
    Part lowered = lower_axes(part, own);
    // (frame, own indices, colons, a leaf's dimensions) to the order on the left.
    Dims permutation;
    const size_t base = lowered.frame.size();
    for (size_t i = 0; i < base; ++i) permutation.push_back(static_cast<int64_t>(i));
    size_t index_place = base, colon_place = base + own.size();
    for (size_t i = first; i < target.places.size(); ++i) {
      permutation.push_back(static_cast<int64_t>(target.places[i].is_colon ? colon_place++ : index_place++));
    }
    for (size_t i = base + own.size() + colons; i < lowered.value->shape.dims.size(); ++i)
      permutation.push_back(static_cast<int64_t>(i));
    lowered.value = builder_.transpose(lowered.value, permutation);
    result.parts.push_back(lowered);
  }
  return result;
}

void Compiler::compile_definition(const Statement& statement) {
  const std::string first_name = statement.targets[0].name;
  begin_statement(statement, first_name);
  Loop* loop = call_->loops.empty() ? nullptr : call_->loops.back();
  call_->scopes.emplace_back();
  struct Leave {
    Compiler& compiler;
    bool done = false;
    void leave() {
      if (!done) compiler.call_->scopes.pop_back();
      done = true;
    }
    ~Leave() { leave(); }
  } leave{*this};

  // The left side: names and indices.
  std::vector<std::optional<Type>> declared(statement.targets.size());
  std::vector<bool> stacks(statement.targets.size());
  for (size_t t = 0; t < statement.targets.size(); ++t) {
    const Target& target = statement.targets[t];
    if (target.primed) {
      if (call_->primes.count(target.name) == 0) {
        const Binding* known = find(target.name);
        fail(target.loc, "E0615",
             target.name + "' is the next value of a carry, and " + target.name + " is " +
                 (known != nullptr ? known->what : "none"),
             loop == nullptr ? target.name + " = ..." : "carry (" + target.name + " = ...)");
      }
      if (const Binding* known = find(target.name + "'"))
        fail(target.loc, "E0613", target.name + "' is defined already, at " + where(known->loc));
      declared[t] = find(target.name)->value.type;
    } else {
      check_is_new(target.name, target.loc, false);
      if (const auto result = call_->results.find(target.name); result != call_->results.end())
        declared[t] = result->second;
    }
    if (statement.type && statement.targets.size() == 1) declared[t] = type_of(*statement.type);
    for (size_t i = 0; i < target.places.size(); ++i) {
      Binder& place = const_cast<Binder&>(target.places[i]);
      if (place.is_colon) continue;
      const bool is_counter = loop != nullptr && loop->is_for && place.name == loop->counter;
      if (is_counter) {
        if (i != 0) {
          fail(place.loc, "E0765", "the counter " + place.name + " comes first in what a loop stacks",
               "steps[" + place.name + ", i] = ..., and after the loop " + target.name + "[i, " + place.name +
                   "] = steps[" + place.name + ", i]");
        }
        if (!loop->stacks)
          fail(target.loc, "E0765", "how often this loop runs is known only when it runs; nothing stacks",
               "carry an array and write to it");
        stacks[t] = true;
        if (target.primed) fail(target.loc, "E0765", "a next value is no stack");
        find(place.name)->used = true;
        continue;
      }
      if (loop != nullptr && !loop->is_for && i == 0 && find(place.name) != nullptr &&
          find(place.name)->what == "a carry") {
        fail(target.loc, "E0765",
             "a while loop has no counter to stack by; how long '" + target.name + "' is would depend on data",
             "for t in 0..n, or carry an array and write to it: " + target.name + "' = " + target.name + " with [" +
                 place.name + "; drop] = ...");
      }
      // Several targets share their indices.
      Binding* known = find(place.name);
      const auto in_this = [&](const Target& other) {
        return std::any_of(other.places.begin(), other.places.end(),
                           [&](const Binder& p) { return &p != &place && p.name == place.name; });
      };
      if (known != nullptr && known->index != nullptr && t > 0 && in_this(statement.targets[0])) {
        place.index = known->index;
        continue;
      }
      if (known != nullptr && known->index != nullptr && in_this(target)) {
        fail(place.loc, "E0706", "'" + place.name + "' is there twice",
             "a diagonal: d[i, j] = if i == j then x[i] else 0");
      }
      Index* index = bind_index(place);
      if (index->range == Index::Range::kWritten && !index->low.is_zero()) {
        fail(place.loc, "E0708",
             "a definition gives its array from 0 on; " + place.name + " begins at " + index->low.text(),
             "with a base: " + target.name + " = x with [" + place.name + " in " + index->low.text() + ".." +
                 index->high.text() + "] = ...");
      }
      if (declared[t] && index->range == Index::Range::kNone && declared[t]->rank() == target.places.size()) {
        index->range = Index::Range::kDeclared;
        index->high = declared[t]->dims[i];
        const auto at = call_->result_locs.find(target.name);
        index->range_from =
            target.name + (target.primed ? "'" : "") + (at != call_->result_locs.end() ? ", " + where(at->second) : "");
      }
    }
    if (target.has_places && declared[t] && declared[t]->rank() != target.places.size()) {
      fail(target.places[0].loc, "E0705",
           target.name + " is declared " + text(*declared[t]) + ", " + std::to_string(target.places.size()) +
               (target.places.size() == 1 ? " index is" : " indices are") + " given");
    }
  }

  // The right side.
  Expr& value = *statement.value;
  if (statement.targets.size() == 1 && declared[0]) expected_ = &*declared[0];
  std::vector<Type> types;
  Expr& call = plain(value);
  if (statement.targets.size() == 1) {
    types = {check(value)};
  } else {
    if (call.kind != Expr::Kind::kCall) {
      fail({value.begin}, "E0755",
           std::to_string(statement.targets.size()) + " names are defined, " + quote(value) + " is one value");
    }
    call.type = Type();
    call.number.reset();
    call.indices.clear();
    call.callee = nullptr;
    types = check_results(call);
    value.indices = call.indices;
    if (types.size() != statement.targets.size()) {
      fail({value.begin}, "E0755",
           quote(call) + " gives " + std::to_string(types.size()) + (types.size() == 1 ? " value, " : " values, ") +
               std::to_string(statement.targets.size()) + " names are defined");
    }
  }
  for (size_t t = 0; t < types.size(); ++t) {
    const Target& target = statement.targets[t];
    if (!types[t].element.is_open()) continue;
    if (!declared[t]) {
      const bool both = plain(value).kind == Expr::Kind::kIf;
      fail(target.loc, "E0754",
           "nothing says of which type '" + target.name + "' is" + (both ? ": both arms are constants" : ""),
           target.has_places ? quote(target.loc.offset, value.begin) + " f32(" + quote(value) + ")"
                             : target.name + ": f32 = ...");
    }
    settle(value, declared[t]->element, target.name);
    types[t].element = declared[t]->element;
  }
  // A right side of another rank is said below, and explains an index that it lacks.
  bool is_rank_right = true;
  for (size_t t = 0; t < types.size(); ++t) {
    const std::vector<Binder>& places = statement.targets[t].places;
    const auto is_colon = [](const Binder& place) { return place.is_colon; };
    const auto colons = static_cast<size_t>(std::count_if(places.begin(), places.end(), is_colon));
    if (statement.targets[t].has_places && colons != types[t].rank()) is_rank_right = false;
  }
  for (const Target& target : statement.targets) {
    for (const Binder& place : target.places) {
      if (!is_rank_right || place.is_colon || place.index == nullptr) continue;
      if (place.index->range == Index::Range::kWritten) continue;
      if (std::find(value.indices.begin(), value.indices.end(), place.index) != value.indices.end()) continue;
      std::string left = target.name + (target.primed ? "'" : "") + "[", zero, one_text, repaired;
      for (const Binder& other : target.places) {
        const std::string separator = zero.empty() ? "" : ", ";
        const std::string name = other.is_colon ? ":" : other.name;
        zero += separator + (&other == &place ? "0" : name);
        one_text += separator + (&other == &place ? "1" : name);
        repaired +=
            separator +
            (&other == &place
                 ? name + " in 0.." + (place.index->range == Index::Range::kDeclared ? place.index->high.text() : "n")
                 : name);
      }
      std::string hint = "if that is meant, write its range: " + left + repaired + "] = ...";
      if (loop != nullptr && loop->is_for && &place == &target.places[0] && target.places.size() > 1)
        hint = "did you mean '" + loop->counter + "', the loop's counter?";
      fail(place.loc, "E0703",
           "the right side does not use '" + place.name + "', so " + left + zero + "], " + left + one_text +
               "], ... would be equal",
           hint);
    }
  }
  resolve_ranges(statement_indices_);

  // What is defined.
  std::vector<Type> defined;
  for (size_t t = 0; t < types.size(); ++t) {
    const Target& target = statement.targets[t];
    const std::string name = target.name + (target.primed ? "'" : "");
    Type type;
    type.element = types[t].element;
    size_t colon = 0;
    const auto colons = static_cast<size_t>(
        std::count_if(target.places.begin(), target.places.end(), [](const Binder& p) { return p.is_colon; }));
    if (target.has_places && colons != types[t].rank()) {
      const std::string left = quote(target.loc.offset, value.begin);
      const std::string shown =
          left.substr(0, left.rfind(']') == std::string::npos ? left.size() : left.rfind(']') + 1);
      if (colons == 0) {
        // The operand that is an array.
        const Expr* array = &value;
        std::function<void(const Expr&)> look = [&](const Expr& part) {
          if (part.type.rank() == 0) return;
          if (part.kind == Expr::Kind::kName || part.kind == Expr::Kind::kAccess || part.kind == Expr::Kind::kPrimed)
            array = &part;
          if (part.kind == Expr::Kind::kBinary || part.kind == Expr::Kind::kUnary || part.kind == Expr::Kind::kParens ||
              part.kind == Expr::Kind::kIf) {
            for (const ExprPtr& child : part.children) look(*child);
          }
        };
        look(value);
        std::string hint =
            array->kind == Expr::Kind::kName ? "did you mean " + array->text + "[" + target.places[0].name + "]?" : "";
        fail({array->begin}, "E0707",
             shown + " is one element, but the right side is an array: " + quote(*array) + " is " + text(array->type),
             hint);
      }
      fail({value.begin}, "E0707",
           shown + " is an array of " + (colons == 1 ? "one dimension" : std::to_string(colons) + " dimensions") +
               ", but the right side is " + (types[t].rank() == 0 ? "one element" : text(types[t])),
           "write an index for each ':'");
    }
    for (const Binder& place : target.places) {
      if (place.is_colon) {
        type.dims.push_back(types[t].dims[colon++]);
      } else if (place.index != nullptr && !(stacks[t] && &place == &target.places[0])) {
        type.dims.push_back(place.index->high);
      }
    }
    if (!target.has_places) type.dims = types[t].dims;
    if (stacks[t]) type.dims.insert(type.dims.begin(), loop->high - loop->low);
    if (declared[t]) {
      const Type& wanted = *declared[t];
      const bool for_all = statement.type && types[t].rank() == 0 && !target.has_places;
      if (for_all) type.dims = wanted.dims;
      if (!(type.element == wanted.element)) {
        if (target.primed)
          fail(target.loc, "E0763", target.name + " is " + text(wanted) + ", " + name + " is " + text(type),
               wanted.element.is_dtype() ? text(wanted.element) + "(" + quote(value) + ")" : "");
        fail(target.loc, "E0755", name + " is declared " + text(wanted) + ", its elements are " + text(type.element),
             wanted.element.is_dtype() && type.element.is_dtype() ? text(wanted.element) + "(" + quote(value) + ")"
                                                                  : "");
      }
      if (type.dims != wanted.dims) {
        if (target.primed) {
          fail({value.begin}, "E0763",
               target.name + " is " + text(wanted) + ", " + name + " is " + text(type) +
                   ": a loop's state keeps its shape",
               type.rank() == 0 ? "give every element: " + name + "[i] = ..."
                                : "state a size that holds the last step, and update parts of it");
        }
        for (size_t d = 0; d < type.rank() && type.rank() == wanted.rank(); ++d) {
          if (type.dims[d] == wanted.dims[d]) continue;
          const bool is_index = d < target.places.size() && !target.places[d].is_colon;
          fail(stacks[t] && d == 0 ? target.loc
               : is_index          ? target.places[d].loc
                                   : target.loc,
               "E0711",
               name + " is declared with '" + wanted.dims[d].text() + "', " +
                   (is_index ? target.places[d].name + " runs over " : "the right side has ") + type.dims[d].text(),
               "-> (" + name + ": " + text(type) + ")");
        }
        fail(target.loc, "E0755", name + " is declared " + text(wanted) + ", the right side is " + text(type),
             type.rank() == 0 && wanted.rank() > 0
                 ? "an array of one value is written " + name + "[i in 0..n] = ..., or " + name + ": " + text(wanted) +
                       " = ... with its type"
                 : "");
      }
      type = wanted;
    }
    defined.push_back(type);
  }

  std::vector<Value> values(types.size());
  if (lowering_) {
    values = statement.targets.size() == 1 ? std::vector<Value>{lower(value)}
             : call.callee != nullptr      ? lower_user_call(call)
                                           : lower_library(call);
  }
  leave.leave();
  for (size_t t = 0; t < types.size(); ++t) {
    const Target& target = statement.targets[t];
    Value closed;
    if (lowering_) {
      values[t].type = types[t];
      Type element_type = defined[t];
      if (stacks[t]) element_type.dims.erase(element_type.dims.begin());
      closed = target.has_places ? close(target, values[t], element_type) : broadcast_to(values[t], element_type);
    }
    closed.type = defined[t];
    if (stacks[t]) {
      stack(target, statement, defined[t], closed);
    } else {
      define(target, statement, defined[t], std::move(closed));
    }
  }
}

void Compiler::define(const Target& target, const Statement& statement, const Type& type, Value value) {
  value.type = type;
  const std::vector<Leaf> all = leaves(type.element);
  for (size_t i = 0; i < value.parts.size(); ++i) {
    std::string name = target.name + (target.primed ? "_next" : "");
    std::string path = all[i].path;
    std::replace(path.begin(), path.end(), '.', '_');
    if (!path.empty()) name += "_" + path;
    builder_.name(builder_.here(value.parts[i].value), name);
  }
  Binding& binding = bind(target.name + (target.primed ? "'" : ""), target.loc, "a definition");
  binding.value = std::move(value);
  if (statement.kind == Statement::Kind::kDefinition) binding.statement = &statement;
  binding.quiet = target.primed || call_->results.count(target.name) != 0;
}

}  // namespace sinter::grain
