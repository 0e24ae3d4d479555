// How offsets, their coordinates and tests of these are spelled: a sum of strides as its large ones first, a comparison
// without what its ranges already say.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "passes/lower/text/expressions.h"
#include "passes/lower/text/index_types.h"

namespace sinter {

namespace {

// A place so near to the beginning of a row, as a part of it, is spelt from there.
constexpr int64_t kNearOfRow = 8;

// Of what is smaller a multiple is read as it is.
constexpr int64_t kLeastStride = 16;

// A stride or limit of an atom. One that goes with anything but a coordinate equals an extent by accident, and so does
// one of `element`, whose extent is the stride of others. A writer's own coordinates, which are not in the graph, stand
// for what it found before a loop.
const Expr* extent_of(Expressions& expressions, const IndexExpr::Atom& atom, int64_t value) {
  const std::vector<DemandCoordinate>& coordinates = expressions.graph->coordinates;
  if (atom.kind != IndexExpr::AtomKind::kCoordinate || static_cast<size_t>(atom.id) >= coordinates.size())
    return expressions.number(value);
  const DemandCoordinate& coordinate = coordinates[atom.id];
  using Role = CoordinateRole;
  const bool counts = (coordinate.scope == 0 && coordinate.role != Role::kElement) || coordinate.role == Role::kStep ||
                      coordinate.role == Role::kColumn;
  return counts ? expressions.int_constant(value) : expressions.number(value);
}

// How many a coordinate counts, or where a window's position may lie; 0 of other atoms.
int64_t counted_extent(const DemandGraph& graph, const IndexExpr::Atom& atom) {
  if (atom.kind == IndexExpr::AtomKind::kCoordinate)
    return atom.id < std::ssize(graph.coordinates) ? graph.coordinates[atom.id].extent : 0;
  if (atom.kind != IndexExpr::AtomKind::kValue) return 0;
  for (const DemandReduce& reduce : graph.reduces) {
    for (const DemandReduce::Tap& tap : reduce.taps) {
      if (tap.position == atom.id) return tap.extent;
    }
  }
  return 0;
}

// Matrices of a batch begin at multiples of their size, which no loop over a matrix computes again.
bool counts_batches(const DemandGraph& graph, const IndexExpr::Atom& atom) {
  return atom.kind == IndexExpr::AtomKind::kCoordinate && atom.id < std::ssize(graph.coordinates) &&
         graph.coordinates[atom.id].role == CoordinateRole::kBatch;
}

// The atom of a term.
IndexExpr single_term(const IndexExpr::Term& term) {
  const IndexExpr::Atom& atom = *term.atom;
  switch (atom.kind) {
    case IndexExpr::AtomKind::kCoordinate:
      return IndexExpr::coordinate(atom.id, atom.range);
    case IndexExpr::AtomKind::kValue:
      return IndexExpr::value(atom.id, atom.range);
    case IndexExpr::AtomKind::kFloorDiv:
      return atom.operand.floor_div(atom.divisor);
    case IndexExpr::AtomKind::kMod:
      break;
  }
  return atom.operand.floor_mod(atom.divisor);
}

// How many times `length` is the multiple of it that `value` is near; 0 if it is near none.
int64_t nearest_multiple(int64_t value, int64_t length) {
  const int64_t near = length / kNearOfRow;
  const int64_t times = value >= 0 ? (value + near) / length : -((near - value) / length);
  return std::abs(value - times * length) <= near ? times : 0;
}

// Whether a value is a place along a coordinate, limited to what is inside.
bool is_place_along(const DemandGraph& graph, const IndexExpr::Atom& atom, int coordinate) {
  if (atom.kind != IndexExpr::AtomKind::kValue || graph.nodes[atom.id].kind != DemandNode::Kind::kClampIndex)
    return false;
  const DemandNode& place = graph.nodes[graph.nodes[atom.id].operands[0]];
  return place.kind == DemandNode::Kind::kIndex && place.expr.coefficient_of_coordinate(coordinate) == 1;
}

// The name of a term's stride: a row's, that another term counts along, or of what the coordinate counts; nullptr:
// none.
const Expr* named_stride(Expressions& expressions, const IndexExpr& expr, const IndexExpr::Term& term) {
  if (term.coefficient < kLeastStride) return nullptr;
  for (const Expressions::AlongRow& row : expressions.along_rows) {
    if (term.coefficient == row.extent && expr.coefficient_of_coordinate(row.coordinate) == 1)
      return expressions.kernel->name_expr(row.name);
  }
  const Expr* name = extent_of(expressions, *term.atom, term.coefficient);
  return name->kind == Expr::Kind::kName ? name : nullptr;
}

// What stands behind the sum of these terms: of the place of an element as a whole, how many arrays as large are before
// its own, `13 * kElements`.
const Expr* whole_arrays(Expressions& expressions, const std::vector<IndexExpr::Term>& terms, int64_t constant) {
  const bool is_flat =
      terms.size() == 1 && terms[0].coefficient == 1 && terms[0].atom->kind == IndexExpr::AtomKind::kCoordinate;
  const int64_t count = is_flat ? counted_extent(*expressions.graph, *terms[0].atom) : 0;
  Kernel& kernel = *expressions.kernel;
  const Expr* each = count < kLeastStride || constant % count != 0 ? nullptr : expressions.int_constant(count);
  for (const Expressions::AlongRow& row : expressions.along_rows) {
    if (each != nullptr && row.coordinate == terms[0].atom->id && row.extent == count)
      each = kernel.name_expr(row.name);
  }
  if (each == nullptr || each->kind != Expr::Kind::kName) return kernel.integer(constant);
  if (constant == count) return each;
  return kernel.infix(kernel.integer(constant / count), "*", each, CType::value(expressions.index_type));
}

}  // namespace

const Expr* Expressions::int_constant(int64_t value) {
  const auto named = constants.find(value);
  return named != constants.end() ? kernel->name_expr(named->second) : number(value);
}

const Expr* Expressions::number(int64_t value) {
  const auto named = numbers.find(value);
  if (named == numbers.end()) return kernel->integer(value);
  const NamedConstant& constant = named->second;
  if (std::ranges::find(kernel->constants, constant.name, &NamedConstant::name) == kernel->constants.end())
    kernel->constants.push_back(constant);
  return kernel->name_expr(constant.name);
}

const Expr* Expressions::trip_count(int counter) {
  const auto named = trip_names.find(counter);
  return named != trip_names.end() ? kernel->name_expr(named->second)
                                   : kernel->integer(graph->coordinates[counter].extent);
}

const Expr* Expressions::atom(const IndexExpr::Atom& atom) {
  switch (atom.kind) {
    case IndexExpr::AtomKind::kCoordinate:
      return coordinates.at(atom.id);
    case IndexExpr::AtomKind::kValue: {
      const Expr* expr = value(atom.id);
      const DType dtype = graph->nodes[atom.id].dtype;
      const bool is_index = graph->nodes[atom.id].kind == DemandNode::Kind::kPosition;
      return is_index || dtype == DType::kS32 || dtype == index_type ? expr
                                                                     : kernel->cast(CType::value(index_type), expr);
    }
    case IndexExpr::AtomKind::kFloorDiv:
    case IndexExpr::AtomKind::kMod: {
      IndexExpr operand = atom.operand;
      const bool division = atom.kind == IndexExpr::AtomKind::kFloorDiv;
      // C++ divides toward zero: shift a possibly negative operand up by whole divisors first.
      int64_t shift = 0;
      if (operand.range().low < 0) shift = (-operand.range().low + atom.divisor - 1) / atom.divisor;
      const Expr* base = index_or_name(operand + shift * atom.divisor);
      const Expr* result = kernel->infix(base, division ? "/" : "%", number(atom.divisor), CType::value(index_type));
      return division && shift != 0 ? kernel->infix(result, "-", kernel->integer(shift), CType::value(index_type))
                                    : result;
    }
  }
  return nullptr;
}

IndexBase index_base(const IndexExpr& expr) {
  IndexBase result;
  result.constant = expr.constant();
  int64_t factor = 0;
  for (const IndexExpr::Term& term : expr.terms()) factor = std::gcd(factor, term.coefficient);
  result.factor = factor == 0 ? 1 : factor;
  // What is taken from a number is the base, not its opposite.
  const auto is_taken = [](const IndexExpr::Term& term) { return term.coefficient < 0; };
  if (expr.constant() > 0 && factor != 0 && std::ranges::all_of(expr.terms(), is_taken)) result.factor = -factor;
  // Only factors that leave the base a plain offset: the smallest coefficient becomes one.
  for (const IndexExpr::Term& term : expr.terms()) {
    result.base = result.base + single_term(term) * (term.coefficient / result.factor);
  }
  return result;
}

bool Expressions::is_formula(const IndexExpr& base) const {
  if (flat && base == flat->sum) return false;
  if (base.terms().size() != 1) return base.terms().size() > 1;
  const IndexExpr::AtomKind kind = base.terms()[0].atom->kind;
  return kind != IndexExpr::AtomKind::kCoordinate && kind != IndexExpr::AtomKind::kValue;
}

const Expr* Expressions::index_or_name(const IndexExpr& expr) {
  const IndexBase parts = index_base(expr);
  const auto named = indices.find(parts.base);
  if (named == indices.end()) return index(expr);
  const CType type = CType::value(index_type);
  const Expr* result = kernel->reference(named->second);
  if (std::abs(parts.factor) != 1) result = kernel->infix(result, "*", kernel->integer(std::abs(parts.factor)), type);
  if (parts.factor < 0) return kernel->infix(kernel->integer(parts.constant), "-", result, type);
  int64_t constant = parts.constant;
  const auto add = [&](int64_t number, const Expr* what) {
    if (number != 0) result = kernel->infix(result, number > 0 ? "+" : "-", what, type);
  };
  // So many rows, or arrays, further on.
  for (const IndexExpr::Term& term : parts.base.terms()) {
    const Expr* each = parts.factor == 1 && index_type == DType::kS32 ? named_stride(*this, parts.base, term) : nullptr;
    const int64_t times = each == nullptr ? 0 : nearest_multiple(constant, term.coefficient);
    if (times == 0) continue;
    add(times, std::abs(times) == 1 ? each : kernel->infix(kernel->integer(std::abs(times)), "*", each, type));
    constant -= times * term.coefficient;
    break;
  }
  add(constant, kernel->integer(std::abs(constant)));
  return result;
}

const Expr* Expressions::index(const IndexExpr& given) {
  IndexExpr expr = given;
  const int64_t multiple = flat ? expr.coefficient_of_coordinate(flat->last) : 0;
  if (multiple != 0) {
    const IndexExpr rest = expr - flat->sum * multiple;
    bool whole = true;
    rest.visit_leaves([&](const IndexExpr::Atom& leaf) {
      if (leaf.kind != IndexExpr::AtomKind::kCoordinate) return;
      for (const IndexExpr::Term& term : flat->sum.terms()) whole &= term.atom->id != leaf.id;
    });
    if (whole) expr = rest + flat->whole * multiple;
  }
  std::vector<IndexExpr::Term> terms = expr.terms().vec();
  const bool wide = index_type == DType::kS64;
  // What goes back by strides from a multiple of them counts down: (510 - t) * 4096.
  int64_t constant = expr.constant(), counted_from = 0;
  const IndexExpr::Atom* counts_down = nullptr;
  for (IndexExpr::Term& term : terms) {
    const int64_t stride = -term.coefficient;
    if (wide || counts_down != nullptr || stride < kLeastStride || constant < stride || constant % stride != 0)
      continue;
    counts_down = term.atom;
    counted_from = constant / stride;
    constant = 0;
    term.coefficient = stride;
  }
  std::stable_sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) {
    // A positive term first, so that no expression begins with a minus; then large strides first.
    if ((a.coefficient > 0) != (b.coefficient > 0)) return a.coefficient > 0;
    return std::abs(a.coefficient) > std::abs(b.coefficient);
  });
  const CType type = CType::value(index_type);
  const auto row_length = [&](int64_t size) -> const Expr* {
    for (const AlongRow& row : along_rows) {
      if (size == row.extent && expr.coefficient_of_coordinate(row.coordinate) == 1) return kernel->name_expr(row.name);
    }
    return nullptr;
  };
  // Of a row whose number is a value: as long as what counts along it, which is added.
  const auto length_of_row = [&](const IndexExpr::Term& term) -> const Expr* {
    const int64_t size = term.coefficient;
    if (term.atom->kind != IndexExpr::AtomKind::kValue || size < 2) return nullptr;
    for (const IndexExpr::Term& inner : terms) {
      if (inner.coefficient != 1) continue;
      for (const AlongRow& row : along_rows) {
        if (size == row.extent && is_place_along(*graph, *inner.atom, row.coordinate))
          return kernel->name_expr(row.name);
      }
      const bool counts = inner.atom->kind == IndexExpr::AtomKind::kCoordinate;
      if (counts && counted_extent(*graph, *inner.atom) == size) return extent_of(*this, *inner.atom, size);
    }
    return nullptr;
  };
  const Expr* result = nullptr;
  // (i * kRows + row) * kColumns + column, of three or more: the place of an element in an array of so many dimensions.
  // The dimension along which a term counts, if that is what the term before it is a multiple of; nullptr: it is not.
  const auto dimension_of = [&](size_t inner) -> const Expr* {
    const IndexExpr::Term& term = terms[inner];
    if (term.coefficient < 1 || counts_batches(*graph, *terms[inner - 1].atom)) return nullptr;
    const int64_t size = terms[inner - 1].coefficient / term.coefficient;
    if (terms[inner - 1].coefficient != size * term.coefficient || size < 2) return nullptr;
    const bool is_coordinate = term.atom->kind == IndexExpr::AtomKind::kCoordinate;
    for (const AlongRow& row : along_rows) {
      if (is_coordinate && row.coordinate == term.atom->id && row.extent == size) return kernel->name_expr(row.name);
    }
    return size == counted_extent(*graph, *term.atom) ? kernel->integer(size) : nullptr;
  };
  size_t nested = terms.size();
  if (!wide && counts_down == nullptr && !terms.empty() && terms.back().coefficient == 1) {
    for (--nested; nested > 0 && dimension_of(nested) != nullptr;) --nested;
    if (terms.size() - nested < 3) nested = terms.size();
  }
  // Of a constant, the rows that it goes on and what is left: four columns before an element of the next row is
  // (row + 1) * kColumns + column - 4.
  int64_t rows = 0;
  size_t rows_term = 0;
  while (rows_term < nested &&
         (terms[rows_term].coefficient < 2 || row_length(terms[rows_term].coefficient) == nullptr))
    ++rows_term;
  if (!wide && rows_term < nested && fits_int(expr.range())) {
    const int64_t length = terms[rows_term].coefficient;
    rows = nearest_multiple(constant, length);
    constant -= rows * length;
  }
  IndexExpr sum;  // of the terms so far, where it may be wide
  const auto widened = [&](const Expr* part) { return is_wide(*kernel, *part) ? part : kernel->cast(type, part); };
  for (size_t number = 0; number < terms.size() && number <= nested; ++number) {
    const IndexExpr::Term& term = terms[number];
    const int64_t size = std::abs(term.coefficient);
    const Expr* part = atom(*term.atom);
    if (term.atom == counts_down) part = kernel->infix(kernel->integer(counted_from), "-", part, type);
    if (wide) {
      const IndexExpr product = single_term(term) * term.coefficient;
      sum = sum + product;
      if (!fits_int(product.range())) part = widened(part);
    }
    if (number == nested) {
      for (size_t inner = nested + 1; inner < terms.size(); ++inner) {
        part = kernel->infix(part, "*", dimension_of(inner), type);
        const bool is_last = inner + 1 == terms.size();
        if (is_last && result != nullptr) part = kernel->infix(std::exchange(result, nullptr), "+", part, type);
        part = kernel->infix(part, "+", atom(*terms[inner].atom), type);
      }
    } else if (const Expr* length = size == 1 ? nullptr : row_length(size)) {
      if (number == rows_term && rows != 0)
        part = kernel->infix(part, rows > 0 ? "+" : "-", kernel->integer(std::abs(rows)), type);
      part = kernel->infix(part, "*", length, type);
    } else if (const Expr* length = length_of_row(term)) {
      part = kernel->infix(part, "*", length, type);
    } else if (size != 1) {
      part = kernel->infix(part, "*", extent_of(*this, *term.atom, size), type);
    }
    if (wide && !fits_int(sum.range()) && (result == nullptr || !is_wide(*kernel, *result))) part = widened(part);
    if (result == nullptr) {
      if (term.coefficient < 0 && constant > 0) {
        result = kernel->infix(kernel->integer(constant), "-", part, type);
      } else {
        result = term.coefficient < 0 ? kernel->prefix("-", part, type) : part;
      }
    } else {
      result = kernel->infix(result, term.coefficient < 0 ? "-" : "+", part, type);
    }
  }
  if (wide && result != nullptr && !fits_int(expr.range())) result = widened(result);
  const bool constant_leads = !terms.empty() && terms.front().coefficient < 0 && constant > 0;
  if (result == nullptr) return kernel->integer(constant);
  if (constant > 0 && !constant_leads) return kernel->infix(result, "+", whole_arrays(*this, terms, constant), type);
  if (constant < 0) return kernel->infix(result, "-", kernel->integer(-constant), type);
  return result;
}

const Expr* Expressions::in_range(const IndexExpr& expr, int64_t low, int64_t high) {
  // `256 - i < 256` reads `i >= 1`.
  const auto is_negative = [](const IndexExpr::Term& term) { return term.coefficient < 0; };
  if (!expr.is_constant() && std::all_of(expr.terms().begin(), expr.terms().end(), is_negative))
    return in_range(IndexExpr(0) - expr, 1 - high, 1 - low);
  const IndexRange range = expr.range();
  const CType pred = CType::value(DType::kPred);
  // expr = base + constant: compare the base, so that `i - 3 >= 0` reads `i >= 3`.
  const IndexExpr base = expr - expr.constant();
  const Expr* value = index_or_name(base);
  if (expr.terms().size() == 2 && high - low == 1) {
    // `a - b == 0` reads, and cannot overflow, as `a == b`.
    const bool opposite = expr.terms()[0].coefficient + expr.terms()[1].coefficient == 0;
    if (opposite && std::abs(expr.terms()[0].coefficient) == 1) {
      const IndexExpr left = single_term(expr.terms()[1]), right = single_term(expr.terms()[0]);
      const IndexExpr moved = right + (expr.constant() - low) * expr.terms()[0].coefficient;
      return kernel->infix(index_or_name(left), "==", index_or_name(moved), pred);
    }
  }
  const bool single = expr.terms().size() == 1 && high - low == 1;
  if (single && expr.terms()[0].coefficient == 1 && expr.terms()[0].atom->kind == IndexExpr::AtomKind::kValue &&
      graph->nodes[expr.terms()[0].atom->id].dtype == DType::kPred) {
    const Expr* truth = this->value(expr.terms()[0].atom->id);
    return low - expr.constant() == 1 ? truth : kernel->prefix("!", truth, pred);
  }
  // One number is all that it may be: `a + b >= 510 && a + b < 511` reads `a + b == 510`.
  const bool holds = range.low >= low && range.high < high;
  if (single || (high - low == 1 && !expr.is_constant() && !holds))
    return kernel->infix(value, "==", compared_with(base, low - expr.constant()), pred);
  const auto bound = [&](int64_t number) { return compared_with(base, number - expr.constant()); };
  const Expr* above = range.low >= low ? nullptr : kernel->infix(value, ">=", bound(low), pred);
  const Expr* below = range.high < high ? nullptr : kernel->infix(value, "<", bound(high), pred);
  if (above == nullptr && below == nullptr) return kernel->literal(integer_literal(DType::kPred, 1));
  if (above == nullptr) return below;
  if (below == nullptr) return above;
  return kernel->infix(above, "&&", below, pred);
}

const Expr* Expressions::compared_with(const IndexExpr& base, int64_t number) {
  constexpr int64_t kFewest = 8;  // smaller numbers are read as they are
  constexpr int64_t kMostBehind = 3;
  // A limit may be a few places of padding behind one that has a name.
  for (int64_t behind = 0; behind <= kMostBehind && number >= kFewest && !numbers.empty(); ++behind) {
    if (numbers.count(number - behind) == 0) continue;
    const Expr* name = this->number(number - behind);
    return behind == 0 ? name : kernel->infix(name, "+", kernel->integer(behind), CType::value(DType::kS32));
  }
  if (base.terms().size() != 1) return kernel->integer(number);
  const IndexExpr::Atom& atom = *base.terms()[0].atom;
  const bool is_coordinate = base.terms()[0].coefficient == 1 && atom.kind == IndexExpr::AtomKind::kCoordinate;
  // Of a coordinate that counts along a row, or rows, its own extent comes first: another may be as large.
  const auto extent = [&](int64_t size) {
    for (const AlongRow& row : along_rows) {
      if (is_coordinate && row.coordinate == atom.id && row.extent == size) return kernel->name_expr(row.name);
    }
    return extent_of(*this, atom, size);
  };
  const Expr* whole = extent(number);
  if (whole->kind == Expr::Kind::kName || number < kFewest || base.terms()[0].coefficient != 1) return whole;
  const Expr* next = extent(number + 1);
  int64_t before = 1;
  // Of its own extent a few places before it, too.
  for (const AlongRow& row : along_rows) {
    const bool is_near = number < row.extent && row.extent - number <= std::min(kNearOfRow, row.extent / kLeastStride);
    if (next->kind == Expr::Kind::kName || !is_coordinate || row.coordinate != atom.id || !is_near) continue;
    next = kernel->name_expr(row.name);
    before = row.extent - number;
  }
  if (next->kind != Expr::Kind::kName) return whole;
  return kernel->infix(next, "-", kernel->integer(before), CType::value(DType::kS32));
}

const Expr* Expressions::named_place(NodeId number, NodeId place) {
  const DemandNode& constant = graph->nodes[number];
  const DemandNode& index = graph->nodes[place];
  const bool is_number =
      constant.kind == DemandNode::Kind::kConstant && constant.dtype == DType::kS32 && !named(number);
  if (!is_number || index.kind != DemandNode::Kind::kIndex || index.expr.constant() != 0) return nullptr;
  const Expr* name = compared_with(index.expr, constant.literal.integer_at(0));
  return name->kind == Expr::Kind::kInteger ? nullptr : name;
}

const Expr* Expressions::index_comparison(const DemandNode& node) {
  const DemandNode& left = graph->nodes[node.operands[0]];
  const DemandNode& right = graph->nodes[node.operands[1]];
  const bool is_index = left.kind == DemandNode::Kind::kIndex && right.kind == DemandNode::Kind::kConstant;
  if (!is_index || left.dtype != DType::kS32 || left.expr.terms().size() != 1 || named(node.operands[0]))
    return nullptr;
  const int64_t coefficient = left.expr.terms()[0].coefficient;
  const bool is_plain = coefficient == 1 && left.expr.constant() == 0;
  if (std::abs(coefficient) != 1 || is_plain || !fits_int(left.expr.range())) return nullptr;
  const IndexRange range = left.expr.range();
  const int64_t number = right.literal.integer_at(0);
  const std::string& direction = *node.instruction->attributes->direction;
  if (direction == "EQ") return in_range(left.expr, number, number + 1);
  if (direction == "LT") return in_range(left.expr, range.low, number);
  if (direction == "LE") return in_range(left.expr, range.low, number + 1);
  if (direction == "GT") return in_range(left.expr, number + 1, range.high + 1);
  if (direction == "GE") return in_range(left.expr, number, range.high + 1);
  return nullptr;
}

LeftTest Expressions::left_test(const DemandNode& choice) {
  if (tests_around_ == nullptr) tests_around_ = std::make_shared<const TestsAround>(*graph);
  return tests_around_->left(choice);
}

const Expr* Expressions::outside(const IndexExpr& expr, int64_t low, int64_t high) {
  const IndexRange range = expr.range();
  if (low <= range.low) return in_range(expr, high, range.high + 1);
  if (high > range.high) return in_range(expr, range.low, low);
  return kernel->prefix("!", in_range(expr, low, high), CType::value(DType::kPred));
}

const Expr* Expressions::in_range(const std::vector<DemandTest>& tests) {
  const Expr* condition = nullptr;
  for (const DemandTest& test : tests) {
    const Expr* holds = in_range(test.expr, test.low, test.high);
    condition = condition == nullptr ? holds : kernel->infix(condition, "&&", holds, CType::value(DType::kPred));
  }
  return condition;
}

}  // namespace sinter
