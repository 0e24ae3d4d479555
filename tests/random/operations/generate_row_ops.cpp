// Operations around rows: arrays of one shape, whose rows are long, moved along every axis, reduced over every set of
// axes and spread again, gathered, updated and put together.
#include "tests/random/operations/generate_row_ops.h"

#include <algorithm>
#include <numeric>

#include "tests/random/operations/generate_ops.h"

namespace sinter {
namespace {

size_t at(int64_t index) { return static_cast<size_t>(index); }

class RowWriter {
 public:
  RowWriter(Draft& draft, const Sizes& whole)
      : draft_(draft), random_(draft.random()), whole_(whole), rank_(static_cast<int64_t>(whole.size())) {}

  void step();

 private:
  int64_t axis();
  Term late();
  Term second(const Term& like);
  Term part(const Term& a, int64_t axis, int64_t begin, int64_t end, int64_t stride = 1);
  Term joined(const std::vector<Term>& parts, int64_t axis);
  Term iota(const Sizes& dims, int64_t axis);
  Term indices(const Sizes& dims, int64_t size);
  Term start(int64_t size);
  Term spread(const Term& reduced, const Sizes& kept);

  void combine();
  void reduce();
  void roll();
  void shift();
  void mirror();
  void window();
  void accumulate();
  void take_along_axis();
  void take();
  void put();
  void slice_and_pad();
  void update();
  void splice();
  void interleave();
  void reverse();
  void mask();
  void other();

  Draft& draft_;
  Random& random_;
  const Sizes whole_;
  const int64_t rank_;
};

// Along the rows as often as across them.
int64_t RowWriter::axis() { return random_.chance(50) ? rank_ - 1 : random_.below(rank_); }

// A whole array, a recent one rather.
Term RowWriter::late() {
  std::vector<Term> fitting;
  for (const Term& term : draft_.terms) {
    if (term.dims() == whole_ && term.dtype() != DType::kPred) fitting.push_back(term);
  }
  if (fitting.empty()) return source(draft_, random_dtype(draft_, is_real), whole_);
  const int64_t count = static_cast<int64_t>(fitting.size());
  const int64_t recent = random_.chance(60) ? std::min<int64_t>(count, 3) : count;
  return fitting[at(count - 1 - random_.below(recent))];
}

Term RowWriter::second(const Term& like) { return as_type(draft_, late(), like.dtype()); }

Term RowWriter::part(const Term& a, int64_t axis, int64_t begin, int64_t end, int64_t stride) {
  Attributes attributes;
  attributes.slice = std::vector<SliceBounds>();
  for (const int64_t size : a.dims()) attributes.slice->push_back({0, size, 1});
  (*attributes.slice)[at(axis)] = {begin, end, stride};
  return add(draft_, Opcode::kSlice, {a}, a.facts, attributes);
}

Term RowWriter::joined(const std::vector<Term>& parts, int64_t axis) {
  Attributes attributes;
  attributes.dimensions = Sizes{axis};
  Facts facts = parts[0].facts;
  for (const Term& part : parts) facts = either(facts, part.facts);
  return add(draft_, Opcode::kConcatenate, parts, facts, attributes);
}

Term RowWriter::iota(const Sizes& dims, int64_t axis) {
  Attributes attributes;
  attributes.iota_dimension = axis;
  return add_stated(draft_, Opcode::kIota, Shape::array(DType::kS32, dims), {}, any_facts(DType::kS32), attributes);
}

// Numbers mostly from 0 to `size` - 1: given, worked out from an element's place, or data; by chance negative ones
// count from the end, as Python's do.
Term RowWriter::indices(const Sizes& dims, int64_t size) {
  const auto filled = [&](int64_t number) { return splat(draft_, DType::kS32, static_cast<double>(number), dims); };
  Term result;
  if (dims == whole_ && random_.chance(30)) {
    result = as_type(draft_, tame(draft_, late(), 64), DType::kS32);
  } else if (!dims.empty() && random_.chance(50)) {
    const Term place = iota(dims, random_.below(static_cast<int64_t>(dims.size())));
    result = add(draft_, Opcode::kMultiply, {place, filled(random_.between(1, 7))}, {});
    result = add(draft_, Opcode::kRemainder, {result, filled(std::max<int64_t>(size, 1))}, {});
  } else {
    result = source(draft_, DType::kS32, dims);
  }
  if (random_.chance(40)) {
    Attributes below;
    below.direction = "LT";
    const Term negative = add(draft_, Opcode::kCompare, {result, filled(0)}, {}, below);
    const Term moved = add(draft_, Opcode::kAdd, {result, filled(size)}, {});
    result = add(draft_, Opcode::kSelect, {negative, moved, result}, {});
  }
  return result;
}

// Where a slice begins: a number that is known, data, or the place of a reduction's result.
Term RowWriter::start(int64_t size) {
  if (random_.chance(40)) return constant(draft_, DType::kS32, static_cast<double>(random_.below(size + 1)));
  return indices({}, size);
}

// A reduction's result in every element that it is of.
Term RowWriter::spread(const Term& reduced, const Sizes& kept) {
  Attributes attributes;
  attributes.dimensions = kept;
  return add_stated(draft_, Opcode::kBroadcast, Shape::array(reduced.dtype(), whole_), {reduced}, reduced.facts,
                    attributes);
}

void RowWriter::combine() {
  static const std::vector<Opcode> kOpcodes = {Opcode::kAdd,     Opcode::kAdd,     Opcode::kSubtract, Opcode::kSubtract,
                                               Opcode::kMaximum, Opcode::kMinimum, Opcode::kMultiply};
  const Term a = late(), b = second(a);
  const Opcode opcode = random_.pick(kOpcodes);
  add(draft_, opcode, {a, b}, binary_facts(opcode, a.dtype(), a.facts, b.facts));
}

void RowWriter::reduce() {
  const Term a = late();
  Sizes reduced, kept;
  const bool rows = random_.chance(35);
  for (int64_t d = 0; d < rank_; ++d)
    (rows ? d == rank_ - 1 : random_.chance(50)) ? reduced.push_back(d) : kept.push_back(d);
  if (reduced.empty()) std::swap(reduced, kept);
  const Term result = add_reduction(draft_, a, reduced);
  if (random_.chance(20)) return;
  const Term everywhere = spread(result, kept);
  const Term other = random_.chance(70) ? a : late();
  const Term with = as_type(draft_, everywhere, other.dtype());
  const Opcode opcode = random_.chance(60)   ? Opcode::kSubtract
                        : random_.chance(50) ? Opcode::kMaximum
                                             : Opcode::kMultiply;
  add(draft_, opcode, {other, with}, binary_facts(opcode, other.dtype(), other.facts, with.facts));
}

void RowWriter::roll() {
  const Term a = late();
  const int64_t d = axis(), size = whole_[at(d)];
  if (size < 2) return;
  const int64_t by =
      random_.chance(60) ? random_.between(1, std::min<int64_t>(size - 1, 4)) : random_.between(1, size - 1);
  const int64_t cut = random_.chance(50) ? by : size - by;
  joined({part(a, d, cut, size), part(a, d, 0, cut)}, d);
}

void RowWriter::shift() {
  const Term a = late();
  const int64_t d = axis(), size = whole_[at(d)];
  const int64_t by = random_.between(1, std::min<int64_t>(size, 3));
  const bool up = random_.chance(50);
  const Term filler = constant(draft_, a.dtype(), static_cast<double>(random_.below(2)));
  Attributes attributes;
  attributes.padding = std::vector<PadBounds>(whole_.size());
  const bool cut_first = by < size && random_.chance(50);
  const Term from = !cut_first ? a : up ? part(a, d, 0, size - by) : part(a, d, by, size);
  const int64_t cut = cut_first ? 0 : -by;
  (*attributes.padding)[at(d)] = up ? PadBounds{by, cut, 0} : PadBounds{cut, by, 0};
  add(draft_, Opcode::kPad, {from, filler}, either(a.facts, filler.facts), attributes);
}

// Continued at both ends by what is there, the other way round or repeated; then a part of it, or a window over it.
void RowWriter::mirror() {
  const Term a = late();
  const int64_t d = axis(), size = whole_[at(d)];
  const int64_t by = random_.between(1, std::min<int64_t>(size, 3));
  const bool mirrors = random_.chance(70);
  const auto turned = [&](const Term& edge) {
    Attributes attributes;
    attributes.dimensions = Sizes{d};
    return mirrors ? add(draft_, Opcode::kReverse, {edge}, edge.facts, attributes) : edge;
  };
  const Term first = part(a, d, 0, by), last = part(a, d, size - by, size);
  const Term longer = joined({turned(mirrors ? first : last), a, turned(mirrors ? last : first)}, d);
  if (random_.chance(50)) {
    const int64_t begin = random_.below(2 * by + 1);
    part(longer, d, begin, begin + size);
    return;
  }
  std::vector<WindowDimension> window(whole_.size());
  window[at(d)].size = 2 * by + 1;
  add_windows(draft_, longer, window);
}

void RowWriter::window() {
  const Term a = late();
  std::vector<WindowDimension> window(whole_.size());
  for (int64_t i = random_.between(1, 2); i > 0; --i) {
    WindowDimension& dimension = window[at(axis())];
    dimension.size = random_.between(2, 5);
    dimension.pad_low = random_.below(dimension.size);
    dimension.pad_high = dimension.size - 1 - dimension.pad_low;
  }
  add_windows(draft_, a, window);
}

void RowWriter::accumulate() {
  const Term a = late();
  const int64_t d = axis(), size = whole_[at(d)];
  constexpr int64_t kMostTaps = 3'000'000;  // the evaluator takes each
  if (count(whole_) * size > kMostTaps) return;
  std::vector<WindowDimension> window(whole_.size());
  window[at(d)].size = size;
  (random_.chance(75) ? window[at(d)].pad_low : window[at(d)].pad_high) = size - 1;
  add_windows(draft_, a, window);
}

// An index for each element, as jnp.take_along_axis has it: the other axes go together, or have indices of their own.
void RowWriter::take_along_axis() {
  const Term a = late();
  const int64_t d = axis();
  const Term own = indices(whole_, whole_[at(d)]);
  Sizes with_vector = whole_;
  with_vector.push_back(1);
  const auto as_vectors = [&](const Term& term) {
    return add_stated(draft_, Opcode::kReshape, Shape::array(DType::kS32, with_vector), {term}, {});
  };
  Attributes attributes;
  attributes.offset_dims = Sizes();
  attributes.index_vector_dim = rank_;
  attributes.slice_sizes = Sizes(whole_.size(), 1);
  attributes.collapsed_slice_dims = Sizes();
  attributes.start_index_map = Sizes();
  attributes.operand_batching_dims = Sizes();
  attributes.start_indices_batching_dims = Sizes();
  if (random_.chance(60)) {
    attributes.collapsed_slice_dims = attributes.start_index_map = Sizes{d};
    for (int64_t other = 0; other < rank_; ++other) {
      if (other != d) attributes.operand_batching_dims->push_back(other);
    }
    attributes.start_indices_batching_dims = attributes.operand_batching_dims;
    add(draft_, Opcode::kGather, {a, as_vectors(own)}, a.facts, attributes);
    return;
  }
  std::vector<Term> vectors;
  for (int64_t other = 0; other < rank_; ++other) {
    attributes.collapsed_slice_dims->push_back(other);
    attributes.start_index_map->push_back(other);
    vectors.push_back(as_vectors(other == d ? own : iota(whole_, other)));
  }
  add(draft_, Opcode::kGather, {a, vectors.size() == 1 ? vectors[0] : joined(vectors, rank_)}, a.facts, attributes);
}

// An index for each place of one axis, as jnp.take has it.
void RowWriter::take() {
  const Term a = late();
  const int64_t d = axis(), size = whole_[at(d)];
  const Term places = indices({size}, size);
  Attributes attributes;
  attributes.offset_dims = Sizes();
  for (int64_t other = 0; other < rank_; ++other) {
    if (other != d) attributes.offset_dims->push_back(other);
  }
  attributes.collapsed_slice_dims = attributes.start_index_map = Sizes{d};
  attributes.operand_batching_dims = attributes.start_indices_batching_dims = Sizes();
  attributes.index_vector_dim = 1;
  attributes.slice_sizes = whole_;
  (*attributes.slice_sizes)[at(d)] = 1;
  add(draft_, Opcode::kGather, {a, places}, a.facts, attributes);
}

// Rows (or columns) set at places that differ, or added at any.
void RowWriter::put() {
  Term a = late();
  const int64_t d = axis(), size = whole_[at(d)];
  const int64_t places = random_.between(1, std::min<int64_t>(size, 12));
  Sizes update_dims = whole_;
  update_dims[at(d)] = places;
  Term updates = part(second(a), d, 0, places);
  Attributes attributes;
  attributes.update_window_dims = Sizes();
  for (int64_t other = 0; other < rank_; ++other) {
    if (other != d) attributes.update_window_dims->push_back(other);
  }
  attributes.inserted_window_dims = attributes.scatter_dims_to_operand_dims = Sizes{d};
  attributes.input_batching_dims = attributes.scatter_indices_batching_dims = Sizes();
  attributes.index_vector_dim = 1;
  Facts facts = either(a.facts, updates.facts);
  Term where;
  if (random_.chance(50)) {
    where = iota({places}, 0);
    const Term first = splat(draft_, DType::kS32, static_cast<double>(random_.below(size - places + 1)), {places});
    where = add(draft_, Opcode::kAdd, {where, first}, {});
    Draft inside = open(draft_, "scatter");
    inside.computation->add(Opcode::kParameter, Shape::scalar(a.dtype()), {}, "current");
    Instruction* update = inside.computation->add(Opcode::kParameter, Shape::scalar(a.dtype()), {}, "update");
    update->parameter_number = 1;
    inside.computation->set_root(update);
    attributes.to_apply = inside.computation;
    attributes.unique_indices = random_.chance(50);
  } else {
    const double limit = std::min(64.0, std::floor(exact_limit(a.dtype()) / static_cast<double>(places + 1)));
    if (limit < 1) return;
    a = tame(draft_, a, limit);
    updates = tame(draft_, updates, limit);
    where = indices({places}, size);
    attributes.to_apply = combiner(draft_, Opcode::kAdd, a.dtype());
    facts = rounded(a.dtype(), a.facts.magnitude + static_cast<double>(places) * updates.facts.magnitude, true);
  }
  add(draft_, Opcode::kScatter, {a, where, updates}, facts, attributes);
}

// A box from somewhere in it, with something around.
void RowWriter::slice_and_pad() {
  const Term a = late();
  Attributes sliced, padded;
  sliced.dynamic_slice_sizes = whole_;
  padded.padding = std::vector<PadBounds>(whole_.size());
  for (int64_t i = random_.between(1, 2); i > 0; --i) {
    const int64_t d = axis(), size = random_.between(1, whole_[at(d)]), missing = whole_[at(d)] - size;
    const int64_t low = random_.between(0, missing);
    (*sliced.dynamic_slice_sizes)[at(d)] = size;
    (*padded.padding)[at(d)] = {low, missing - low, 0};
  }
  std::vector<Term> operands = {a};
  for (const int64_t size : whole_) operands.push_back(start(size));
  const Term box = add(draft_, Opcode::kDynamicSlice, operands, a.facts, sliced);
  const Term filler = constant(draft_, a.dtype(), static_cast<double>(random_.below(2)));
  add(draft_, Opcode::kPad, {box, filler}, either(box.facts, filler.facts), padded);
}

void RowWriter::update() {
  const Term a = late();
  Term with = second(a);
  for (int64_t i = random_.between(1, 2); i > 0; --i) {
    const int64_t d = axis(), size = with.dims()[at(d)], less = random_.between(1, size);
    const int64_t begin = random_.between(0, size - less);
    with = part(with, d, begin, begin + less);
  }
  std::vector<Term> operands = {a, with};
  for (const int64_t size : whole_) operands.push_back(start(size));
  add(draft_, Opcode::kDynamicUpdateSlice, operands, either(a.facts, with.facts));
}

// The first part of one and the last of another; by chance of several.
void RowWriter::splice() {
  const Term a = late();
  const int64_t d = axis(), size = whole_[at(d)];
  std::vector<Term> parts;
  for (int64_t begin = 0; begin < size;) {
    const int64_t end = parts.size() == 3 || random_.chance(25) ? size : random_.between(begin + 1, size);
    parts.push_back(part(parts.empty() ? a : second(a), d, begin, end));
    begin = end;
  }
  joined(parts, d);
}

// What stands at even places and what stands at odd ones: turned pairs, as rotary embeddings have them, or halves.
void RowWriter::interleave() {
  const Term a = late();
  const int64_t d = axis(), size = whole_[at(d)];
  if (size % 2 != 0) return;
  const Term even = part(a, d, 0, size - 1, 2), odd = part(a, d, 1, size, 2);
  if (random_.chance(50)) {
    joined({odd, even}, d);
    return;
  }
  const Term zero = constant(draft_, a.dtype(), 0);
  const auto padded = [&](const Term& half, int64_t low) {
    Attributes attributes;
    attributes.padding = std::vector<PadBounds>(whole_.size());
    (*attributes.padding)[at(d)] = {low, 1 - low, 1};
    return add(draft_, Opcode::kPad, {half, zero}, either(half.facts, zero.facts), attributes);
  };
  const Term x = padded(odd, 0), y = padded(even, 1);
  add(draft_, Opcode::kSubtract, {x, y}, binary_facts(Opcode::kSubtract, a.dtype(), x.facts, y.facts));
}

void RowWriter::reverse() {
  const Term a = late();
  Attributes attributes;
  attributes.dimensions = Sizes{axis()};
  add(draft_, Opcode::kReverse, {a}, a.facts, attributes);
}

// By a place's number, or by which of two is larger.
void RowWriter::mask() {
  static const std::vector<std::string> kDirections = {"LT", "GE", "GT", "EQ", "NE"};
  const Term a = late(), b = second(a);
  Attributes attributes;
  attributes.direction = random_.pick(kDirections);
  const int64_t d = axis();
  Term left = late(), right = as_type(draft_, late(), left.dtype());
  if (random_.chance(60)) {
    left = iota(whole_, d);
    right = rank_ > 1 && random_.chance(40)
                ? iota(whole_, random_.below(rank_))
                : splat(draft_, DType::kS32, static_cast<double>(random_.below(whole_[at(d)])), whole_);
  }
  const Term chosen = add(draft_, Opcode::kCompare, {left, right}, {}, attributes);
  add(draft_, Opcode::kSelect, {chosen, a, b}, either(a.facts, b.facts));
}

// Of all the operations there are: those that are met around rows.
void RowWriter::other() {
  static const std::vector<void (*)(Draft&)> kOperations = {
      add_unary,  add_convert, add_function,      add_variadic_reduce,      add_sort,      add_topk, add_reduce_window,
      add_gather, add_scatter, add_dynamic_slice, add_dynamic_update_slice, add_transpose, add_dot,  add_cumulative};
  random_.pick(kOperations)(draft_);
}

void RowWriter::step() {
  struct Weighted {
    int weight;
    void (RowWriter::*write)();
  };
  static constexpr Weighted kSteps[] = {
      {14, &RowWriter::combine},   {16, &RowWriter::reduce}, {7, &RowWriter::roll},
      {6, &RowWriter::shift},      {6, &RowWriter::mirror},  {6, &RowWriter::window},
      {3, &RowWriter::accumulate}, {8, &RowWriter::take},    {9, &RowWriter::take_along_axis},
      {5, &RowWriter::put},        {4, &RowWriter::update},  {4, &RowWriter::slice_and_pad},
      {6, &RowWriter::splice},     {4, &RowWriter::reverse}, {6, &RowWriter::mask},
      {3, &RowWriter::interleave}, {9, &RowWriter::other},
  };
  int total = 0;
  for (const Weighted& step : kSteps) total += step.weight;
  int64_t place = random_.below(total);
  const Weighted* chosen = kSteps;
  while (place >= chosen->weight) place -= (chosen++)->weight;
  (this->*chosen->write)();
}

}  // namespace

Sizes draw_rows(Random& random, int64_t most_elements) {
  static const std::vector<int64_t> kRound = {32, 64, 96, 128, 256, 384, 512, 768, 1024, 2048, 4096};
  constexpr int64_t kLeast = 32, kMost = 4096;
  int64_t length = random.chance(55) ? random.pick(kRound) : random.between(kLeast, random.chance(60) ? 300 : kMost);
  if (random.chance(15)) length += random.chance(50) ? 1 : -1;
  Sizes dims;
  int64_t left = std::max<int64_t>(most_elements / length, 1);
  for (int64_t rank = random.between(1, 3); rank > 0; --rank) {
    dims.push_back(random.between(1, std::min<int64_t>(left, rank == 1 ? 40 : 9)));
    left /= dims.back();
  }
  dims.insert(random.chance(85) ? dims.end() : dims.begin() + random.below(static_cast<int64_t>(dims.size())), length);
  return dims;
}

void add_row_operations(Draft& draft, const Sizes& whole, int64_t count) {
  constexpr size_t kMostTerms = 250;
  RowWriter writer(draft, whole);
  for (int64_t i = 0; i < count && draft.terms.size() < kMostTerms; ++i) writer.step();
}

}  // namespace sinter
