// How far indices run, from docs/grain.md, section 5: what is written; the dimension on the left; a subscript that is
// the index alone; or from 0 as far as all of their subscripts stay in range.
#include <algorithm>
#include <set>

#include "tests/grain/interpret.h"

namespace sinter::grain_test {

using grain::Expr;
using grain::Statement;
using grain::Subscript;

// The indices of one statement and their uses.
class RangeFinder {
 public:
  explicit RangeFinder(Interpreter& interpreter) : interpreter_(interpreter) {}
  void find(const Statement& statement);
  void find(const Expr& expr, const Wanted& wanted);

 private:
  using Scope = std::vector<std::pair<std::string, const void*>>;
  struct Affine {
    int64_t constant = 0;
    std::map<const void*, int64_t> terms;
  };
  struct Use {
    Affine place;
    int64_t dim = 0;
    bool is_alone = false, has_rule = false;
  };
  void add(const std::string& name, const void* key, const Expr* low, const Expr* high, Scope& scope);
  void walk(const Expr& expr, Scope scope, const Wanted& wanted);
  void use(const Expr& access, const Dims& dims, const Scope& scope);
  void resolve(const Scope& scope);
  bool names_any(const Expr& expr, const Scope& scope) const;
  const void* key_of(const std::string& name, const Scope& scope) const;
  std::optional<Affine> affine(const Expr& expr, const Scope& scope);

  Interpreter& interpreter_;
  std::vector<const void*> order_;
  std::map<const void*, std::optional<Range>> ranges_;
  std::vector<Use> uses_;
};

const void* RangeFinder::key_of(const std::string& name, const Scope& scope) const {
  for (size_t i = scope.size(); i-- > 0;) {
    if (scope[i].first == name) return scope[i].second;
  }
  return nullptr;
}

void RangeFinder::add(const std::string& name, const void* key, const Expr* low, const Expr* high, Scope& scope) {
  scope.emplace_back(name, key);
  if (ranges_.count(key) != 0) return;
  order_.push_back(key);
  ranges_[key] = std::nullopt;
  if (low != nullptr) ranges_[key] = Range{interpreter_.integer(*low), interpreter_.integer(*high)};
}

bool RangeFinder::names_any(const Expr& expr, const Scope& scope) const {
  if (expr.kind == Expr::Kind::kName && key_of(expr.text, scope) != nullptr) return true;
  const auto any = [&](const grain::ExprPtr& child) { return child && names_any(*child, scope); };
  return std::any_of(expr.children.begin(), expr.children.end(), any) ||
         std::any_of(expr.subscripts.begin(), expr.subscripts.end(),
                     [&](const Subscript& subscript) { return any(subscript.value); }) ||
         std::any_of(expr.arguments.begin(), expr.arguments.end(),
                     [&](const grain::Argument& argument) { return any(argument.value); });
}

// nullopt: not a sum of indices times constants.
std::optional<RangeFinder::Affine> RangeFinder::affine(const Expr& expr, const Scope& scope) {
  const Expr& inner = plain(expr);
  Affine result;
  if (inner.kind == Expr::Kind::kName) {
    if (const void* key = key_of(inner.text, scope)) {
      result.terms[key] = 1;
      return result;
    }
    if (interpreter_.find(inner.text) != nullptr) return std::nullopt;
    result.constant = interpreter_.integer(inner);
    return result;
  }
  if (inner.kind == Expr::Kind::kNumber) {
    result.constant = interpreter_.integer(inner);
    return result;
  }
  const auto scaled = [](Affine a, int64_t factor) {
    a.constant *= factor;
    for (auto& [key, coefficient] : a.terms) coefficient *= factor;
    return a;
  };
  if (inner.kind == Expr::Kind::kUnary && inner.text == "-") {
    const std::optional<Affine> a = affine(*inner.children[0], scope);
    if (a) return scaled(*a, -1);
    return std::nullopt;
  }
  if (inner.kind == Expr::Kind::kBinary && (inner.text == "+" || inner.text == "-" || inner.text == "*")) {
    std::optional<Affine> a = affine(*inner.children[0], scope), b = affine(*inner.children[1], scope);
    if (!a || !b) return std::nullopt;
    if (inner.text == "*") {
      if (!a->terms.empty() && !b->terms.empty()) return std::nullopt;
      return a->terms.empty() ? scaled(*b, a->constant) : scaled(*a, b->constant);
    }
    const Affine other = scaled(*b, inner.text == "-" ? -1 : 1);
    a->constant += other.constant;
    for (const auto& [key, coefficient] : other.terms) a->terms[key] += coefficient;
    std::erase_if(a->terms, [](const auto& term) { return term.second == 0; });
    return a;
  }
  if (names_any(inner, scope) || inner.kind == Expr::Kind::kAccess) return std::nullopt;
  // A formula of dims: div(n, 2).
  if (inner.kind != Expr::Kind::kBinary && inner.kind != Expr::Kind::kCall) return std::nullopt;
  try {
    const Value value = interpreter_.evaluate(inner);
    if (!value.is_constant() || !value.is_whole) return std::nullopt;
    result.constant = value.one.integer;
    return result;
  } catch (const Meaningless&) {
    return std::nullopt;
  }
}

// The uses of indices as subscripts of an array with these dimensions.
void RangeFinder::use(const Expr& access, const Dims& dims, const Scope& scope) {
  for (size_t axis = 0; axis < access.subscripts.size() && axis < dims.size(); ++axis) {
    const Subscript& subscript = access.subscripts[axis];
    if (!subscript.value || subscript.high || subscript.binder) continue;
    const std::optional<Affine> place = affine(*subscript.value, scope);
    if (!place || place->terms.empty()) continue;
    const Expr& inner = plain(*subscript.value);
    uses_.push_back({*place, dims[axis], inner.kind == Expr::Kind::kName, !access.rules.empty()});
  }
}

void RangeFinder::walk(const Expr& expr, Scope scope, const Wanted& wanted) {
  if (expr.kind == Expr::Kind::kReduce) {
    for (const grain::Binder& binder : expr.binders)
      add(binder.name, &binder, binder.low.get(), binder.high.get(), scope);
  }
  if (expr.kind == Expr::Kind::kWith) {
    walk(*expr.children[0], scope, wanted);
    const Dims dims = interpreter_.dims_of(*expr.children[0], wanted);
    std::map<std::string, int64_t> before = interpreter_.call_->indices;
    for (const auto& [name, key] : scope) interpreter_.call_->indices[name] = 0;
    const std::vector<std::string> names = interpreter_.update_indices(expr);
    interpreter_.call_->indices = std::move(before);
    for (const std::string& name : names) {
      const Expr *low = nullptr, *high = nullptr;
      for (const Subscript& subscript : expr.subscripts) {
        if (!subscript.binder || subscript.binder->name != name) continue;
        low = subscript.binder->low.get();
        high = subscript.binder->high.get();
      }
      add(name, interpreter_.update_key(expr, name), low, high, scope);
    }
    use(expr, dims, scope);
    for (const Subscript& subscript : expr.subscripts) {
      if (subscript.value && !subscript.high && !subscript.binder) walk(*subscript.value, scope, {});
    }
    walk(*expr.children[1], scope, {});
    return;
  }
  for (const grain::ExprPtr& child : expr.children) {
    walk(*child, scope, expr.kind == Expr::Kind::kParens || expr.kind == Expr::Kind::kIf ? wanted : Wanted());
  }
  if (expr.kind == Expr::Kind::kAccess) {
    const bool has_index = std::any_of(expr.subscripts.begin(), expr.subscripts.end(), [&](const Subscript& subscript) {
      return subscript.value && names_any(*subscript.value, scope);
    });
    if (has_index) {
      // Shapes depend on no index: any value does.
      std::map<std::string, int64_t> before = interpreter_.call_->indices;
      for (const auto& [name, key] : scope) interpreter_.call_->indices[name] = 0;
      const Dims dims = interpreter_.dims_of(*expr.children[0], {});
      interpreter_.call_->indices = std::move(before);
      use(expr, dims, scope);
    }
    for (const Subscript& subscript : expr.subscripts) {
      if (subscript.value && !subscript.high) walk(*subscript.value, scope, {});
    }
    for (const grain::Rule& rule : expr.rules) {
      if (rule.value) walk(*rule.value, scope, {});
    }
  }
  for (const grain::Argument& argument : expr.arguments) walk(*argument.value, scope, {});
  if (expr.condition) walk(*expr.condition, scope, {});
}

void RangeFinder::find(const Statement& statement) {
  Scope scope;
  Wanted wanted;
  std::optional<Dims> declared_dims;
  const Call::Loop* loop = interpreter_.call_->loops.empty() ? nullptr : interpreter_.call_->loops.back();
  for (const grain::Target& target : statement.targets) {
    const Interpreter::Declared type = interpreter_.declared(target, statement);
    if (!declared_dims) declared_dims = type.dims;
    for (size_t p = 0; p < target.places.size(); ++p) {
      const grain::Binder& place = target.places[p];
      if (place.is_colon || (loop != nullptr && p == 0 && place.name == loop->counter)) continue;
      add(place.name, &place, place.low.get(), place.high.get(), scope);
      if (!ranges_[&place] && type.dims) ranges_[&place] = Range{0, type.dims->at(p)};
    }
  }
  // The same index on several left sides is one.
  for (const auto& [name, key] : scope) {
    for (const auto& [other, other_key] : scope) {
      if (name == other && !ranges_[key] && ranges_[other_key]) ranges_[key] = ranges_[other_key];
    }
  }
  if (declared_dims) wanted.dims = &*declared_dims;
  if (statement.value) walk(*statement.value, scope, wanted);
  resolve(scope);
}

void RangeFinder::find(const Expr& expr, const Wanted& wanted) {
  walk(expr, {}, wanted);
  resolve({});
}

void RangeFinder::resolve(const Scope& scope) {
  for (const Use& use : uses_) {
    if (!use.is_alone) continue;
    std::optional<Range>& range = ranges_[use.place.terms.begin()->first];
    if (!range) range = Range{0, use.dim};
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const void* key : order_) {
      if (ranges_[key]) continue;
      std::optional<int64_t> least;
      bool waits = false;
      for (const Use& use : uses_) {
        const auto own = use.place.terms.find(key);
        if (own == use.place.terms.end() || use.has_rule) continue;
        // How many values from 0 on keep the place in range, whatever the other indices are.
        int64_t low = use.place.constant, high = use.place.constant;
        for (const auto& [other, factor] : use.place.terms) {
          if (other == key) continue;
          if (!ranges_[other]) {
            waits = true;
            break;
          }
          const int64_t a = factor * ranges_[other]->low, b = factor * (ranges_[other]->high - 1);
          low += std::min(a, b);
          high += std::max(a, b);
        }
        if (waits) break;
        int64_t extent = 0;
        while (own->second > 0 ? high + own->second * extent < use.dim : low + own->second * extent >= 0) ++extent;
        if (!least || extent < *least) least = extent;
      }
      if (waits || !least) continue;
      ranges_[key] = Range{0, *least};
      changed = true;
    }
  }
  for (const auto& [name, key] : scope) {
    for (const auto& [other, other_key] : scope) {
      if (name == other && !ranges_[key] && ranges_[other_key]) ranges_[key] = ranges_[other_key];
    }
  }
  for (const auto& [key, range] : ranges_) {
    if (!range) throw Meaningless("nothing says how far an index runs");
    if (range->high < range->low) throw Meaningless("a range runs backwards");
    interpreter_.call_->ranges[key] = *range;
  }
}

void Interpreter::find_ranges(const Statement& statement) { RangeFinder(*this).find(statement); }
void Interpreter::find_ranges(const Expr& expr, const Wanted& wanted) { RangeFinder(*this).find(expr, wanted); }

Dims Interpreter::dims_of(const Expr& expr, const Wanted& wanted) {
  const Expr& inner = plain(expr);
  if (inner.kind == Expr::Kind::kName || inner.kind == Expr::Kind::kPrimed) {
    const Value* value = find(inner.text + (inner.kind == Expr::Kind::kPrimed ? "'" : ""));
    if (value != nullptr && !value->dims.empty()) return value->dims;
  }
  const bool was_probing = probes_;
  probes_ = true;
  Dims dims;
  try {
    dims = evaluate(inner, wanted).dims;
  } catch (...) {
    probes_ = was_probing;
    throw;
  }
  probes_ = was_probing;
  if (dims.empty() && wanted.dims != nullptr) return *wanted.dims;
  return dims;
}

// Names in the places of `with` that have no meaning yet.
std::vector<std::string> Interpreter::update_indices(const Expr& with) const {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (find(name) != nullptr || call_->dims.count(name) != 0 || call_->names->constants.count(name) != 0) return;
    if (name == "pi" || std::find(names.begin(), names.end(), name) != names.end()) return;
    if (call_->indices.count(name) == 0) names.push_back(name);
  };
  const std::function<void(const Expr&)> look = [&](const Expr& expr) {
    if (expr.kind == Expr::Kind::kName) add(expr.text);
    if (expr.kind == Expr::Kind::kReduce) return;
    for (const grain::ExprPtr& child : expr.children) look(*child);
    for (const Subscript& subscript : expr.subscripts) {
      if (subscript.value) look(*subscript.value);
    }
    for (const grain::Argument& argument : expr.arguments) look(*argument.value);
  };
  for (const Subscript& subscript : with.subscripts) {
    if (subscript.binder) add(subscript.binder->name);
  }
  for (const Subscript& subscript : with.subscripts) {
    if (subscript.value && !subscript.high && !subscript.binder) look(*subscript.value);
  }
  return names;
}

// The text of the index's first use among the places says which it is.
const void* Interpreter::update_key(const Expr& with, const std::string& name) const {
  const void* key = nullptr;
  const std::function<void(const Expr&)> look = [&](const Expr& expr) {
    if (expr.kind == Expr::Kind::kName && expr.text == name && key == nullptr) key = &expr;
    for (const grain::ExprPtr& child : expr.children) look(*child);
    for (const Subscript& subscript : expr.subscripts) {
      if (subscript.value) look(*subscript.value);
    }
    for (const grain::Argument& argument : expr.arguments) look(*argument.value);
  };
  for (const Subscript& subscript : with.subscripts) {
    if (subscript.binder && subscript.binder->name == name) return &*subscript.binder;
    if (subscript.value) look(*subscript.value);
  }
  return key;
}

}  // namespace sinter::grain_test
