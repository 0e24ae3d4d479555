// The types of arrays that are listed, and of reductions.
#include <algorithm>

#include "frontend/grain/compiler.h"

namespace sinter::grain {
namespace {

// The factors of a product, through parentheses.
void collect_factors(const Expr& expr, std::vector<const Expr*>& factors) {
  const Expr& inner = plain(expr);
  if (inner.kind != Expr::Kind::kBinary || inner.text != "*" || inner.number) {
    factors.push_back(&inner);
    return;
  }
  collect_factors(*inner.children[0], factors);
  collect_factors(*inner.children[1], factors);
}

// Beyond which values a sum or product of narrow integers wraps around: "s8 is s8, ..."; empty for other types.
std::string narrow_range(const Element& element) {
  if (!element.is_dtype() || !is_integer(element.dtype) || element.dtype == DType::kPred) return "";
  const int bits = dtype_bits(element.dtype);
  if (bits >= 32) return "";
  const bool is_signed = is_signed_integer(element.dtype);
  const int64_t most = (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  const std::string name(dtype_name(element.dtype));
  return name + " is " + name + ", and wraps around where it is beyond " + std::to_string(is_signed ? -most - 1 : 0) +
         " to " + std::to_string(most);
}

}  // namespace

void Compiler::check_array(Expr& expr) {
  Expr* typed = nullptr;
  for (const ExprPtr& child : expr.children) {
    check(*child);
    add_indices(expr, *child);
    if (!child->type.element.is_open() && typed == nullptr) typed = child.get();
  }
  Expr& first = typed != nullptr ? *typed : *expr.children[0];
  bool is_fraction = false;
  for (const ExprPtr& child : expr.children) {
    if (typed != nullptr) settle(*child, typed->type.element, quote(*typed));
    is_fraction = is_fraction || child->type.element.is_fraction;
    if (!(child->type.element == first.type.element)) {
      fail({child->begin}, "E0751",
           "elements of one array have one type: " + text(first.type) + " and " + text(child->type),
           text(first.type.element) + "(" + quote(*child) + ")");
    }
    if (child->type.dims != first.type.dims) {
      fail({child->begin}, "E0712",
           "elements of one array have one shape: " + text(first.type) + " and " + text(child->type));
    }
  }
  expr.type.element = first.type.element;
  if (expr.type.element.is_open()) expr.type.element.is_fraction = is_fraction;
  expr.type.dims.push_back(Formula(static_cast<int64_t>(expr.children.size())));
  expr.type.dims.insert(expr.type.dims.end(), first.type.dims.begin(), first.type.dims.end());
}

void Compiler::check_reduce(Expr& expr) {
  const std::string& word = expr.text;
  call_->scopes.emplace_back();
  struct Leave {
    Compiler& compiler;
    ~Leave() {
      compiler.call_->scopes.pop_back();
      compiler.reductions_.pop_back();
    }
  };
  reductions_.push_back(&expr);
  const Leave leave{*this};
  for (Binder& binder : expr.binders) {
    if (const Binding* known = find(binder.name); known != nullptr && known->index != nullptr) {
      const bool on_left =
          statement_ != nullptr &&
          std::any_of(statement_->targets.begin(), statement_->targets.end(), [&](const Target& target) {
            return std::any_of(target.places.begin(), target.places.end(),
                               [&](const Binder& place) { return place.index == known->index; });
          });
      if (on_left) {
        fail(binder.loc, "E0612",
             "'" + binder.name + "' is " + statement_->targets[0].name + "'s index here; a " +
                 (word == "sum" ? "sum" : "reduction") + " brings its own",
             word + "[k](...) with k for " + binder.name);
      }
    }
    bind_index(binder);
  }
  Expr& term = *expr.children[0];
  check(term);
  add_indices(expr, term);
  if (expr.condition) {
    check(*expr.condition);
    add_indices(expr, *expr.condition);
    if (!expr.condition->type.element.is_pred() || expr.condition->type.rank() != 0) {
      fail({expr.condition->begin}, "E0753",
           "a condition is one pred, " + quote(*expr.condition) + " is " + text(expr.condition->type));
    }
  }
  if (expr.children.size() > 1) {
    check(*expr.children[1]);
    add_indices(expr, *expr.children[1]);
  }
  for (const Binder& binder : expr.binders) {
    if (std::find(expr.indices.begin(), expr.indices.end(), binder.index) == expr.indices.end()) {
      fail(binder.loc, "E0704",
           "the " + std::string(word == "sum" ? "sum" : "reduction") + " runs over '" + binder.name +
               "', which nothing in it uses",
           word + "[" + binder.name + "](x[" + binder.name + "])");
    }
  }
  std::erase_if(expr.indices, [&](const Index* index) {
    return std::any_of(expr.binders.begin(), expr.binders.end(), [&](const Binder& b) { return b.index == index; });
  });
  const Element& element = term.type.element;
  if (term.type.rank() != 0) {
    fail({term.begin}, "E0707",
         "a reduction takes one element for each index, " + quote(term) + " is " + text(term.type),
         "write its indices");
  }
  const bool is_logic = word == "any" || word == "all";
  if (word == "reduce") {
    check_results(expr);
    return;
  }
  if (is_logic != element.is_pred()) {
    std::string hint;
    if (is_logic) hint = word + "[...](" + quote(term) + " != 0)";
    if (!is_logic && word == "sum") {
      hint = quote(expr.begin, term.begin) + "s32(" + quote(term) + ")); 'is there one': any" +
             quote(expr.begin + 3, term.begin) + quote(term) + ")";
    }
    fail({term.begin}, "E0753",
         word + " takes " + (is_logic ? "pred" : "numbers") + ", " + quote(term) + " is " + text(term.type), hint);
  }
  if (element.is_record() || element.kind == Element::Kind::kKey) {
    fail({term.begin}, "E0753", word + " takes numbers, " + quote(term) + " is " + text(term.type),
         "reduce[k](f, start, ...) takes records");
  }
  if (word == "mean" && !element.is_float() && !element.is_open()) {
    fail(expr.loc, "E0753", "mean takes floats, " + quote(term) + " is " + text(term.type),
         quote(expr.begin, term.begin) + "f32(" + quote(term) + "))");
  }
  if ((word == "max" || word == "min") && element.is_complex()) {
    fail({term.begin}, "E0753", "complex numbers have no order");
  }
  if (const std::string range = narrow_range(element); !range.empty() && (word == "sum" || word == "prod")) {
    // Factors are made wide each: a dot takes them narrow.
    std::vector<const Expr*> factors;
    collect_factors(term, factors);
    std::string wide;
    for (const Expr* factor : factors) {
      const char* type = is_signed_integer(element.dtype) ? "s32(" : "u32(";
      wide += (wide.empty() ? "" : " * ") + std::string(type) + quote(*factor) + ")";
    }
    warn(expr.loc, "W0732", (word == "sum" ? "a sum of " : "a product of ") + range,
         quote(expr.begin, term.begin) + wide + "); if it is to wrap around, " +
             std::string(dtype_name(element.dtype)) + "(...) of that");
  }
  expr.type.element = element;
  if (word == "argmax" || word == "argmin") {
    if (expr.binders.size() != 1) fail(expr.loc, "E0600", word + " takes one index", "of several, one after the other");
    if (element.is_open()) fail(expr.loc, "E0754", "nothing says of which type " + quote(term) + " is");
    expr.type = Type::of(DType::kS32);
  }
}

}  // namespace sinter::grain
