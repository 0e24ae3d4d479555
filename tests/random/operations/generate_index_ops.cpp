// Operations that move elements, with places known and with places that are data.
#include <algorithm>
#include <numeric>

#include "tests/random/operations/generate_ops.h"

namespace sinter {
namespace {

size_t at(int64_t index) { return static_cast<size_t>(index); }

Sizes shuffled(Random& random, int64_t count) {
  Sizes order(at(count));
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[at(random.below(static_cast<int64_t>(i)))]);
  return order;
}

// Some of `from`, ascending.
Sizes some_of(Random& random, const Sizes& from, int percent) {
  Sizes result;
  for (const int64_t item : from) {
    if (random.chance(percent)) result.push_back(item);
  }
  std::sort(result.begin(), result.end());
  return result;
}

bool contains(const Sizes& list, int64_t value) { return std::find(list.begin(), list.end(), value) != list.end(); }

Sizes without(const Sizes& all, const Sizes& removed) {
  Sizes result;
  for (const int64_t item : all) {
    if (!contains(removed, item)) result.push_back(item);
  }
  return result;
}

bool is_index_type(DType dtype) { return is_integer(dtype) && dtype_bits(dtype) >= 8; }

// Numbers mostly within reach of a dimension, by chance far out.
Term index_term(Draft& draft, DType dtype, const Sizes& dims) {
  Random& random = draft.random();
  if (random.chance(40)) return want(draft, dtype, dims);
  const Facts facts = any_facts(dtype);
  return term_of(draft, draft.computation->add_constant(random_literal(random, dtype, dims, facts)), facts);
}

std::vector<Term> start_indices(Draft& draft, int64_t rank) {
  const DType dtype = random_dtype(draft, is_index_type);
  std::vector<Term> indices;
  for (int64_t d = 0; d < rank; ++d) indices.push_back(index_term(draft, dtype, {}));
  return indices;
}

// What gather and scatter have in common: which dimensions of the operand the indices place a window in.
struct Places {
  Sizes batching, indices_batching;  // paired dimensions of operand and indices
  Sizes mapped;                      // dimensions an index vector has a number for, in its order
  Sizes removed;                     // of size one in the window, left out
  Sizes window;                      // where the window's dimensions are in the result (or the updates)
  Sizes window_sizes;                // of every dimension of the operand
  Sizes indices;                     // the indices' shape
  int64_t index_vector_dim = 0;
  Sizes result;  // the result's (or the updates') shape
};

Places random_places(Draft& draft, const Sizes& operand) {
  Random& random = draft.random();
  const int64_t rank = static_cast<int64_t>(operand.size());
  Places places;
  const Sizes all = shuffled(random, rank);
  if (random.chance(25)) places.batching = some_of(random, all, 30);
  const Sizes rest = without(all, places.batching);
  for (const int64_t d : rest) {
    if (random.chance(60)) places.mapped.push_back(d);
  }
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t size = operand[at(d)];
    if (contains(places.batching, d)) {
      places.window_sizes.push_back(std::min<int64_t>(size, 1));
    } else if (size > 0 && random.chance(contains(places.mapped, d) ? 50 : 15)) {
      places.removed.push_back(d);
      places.window_sizes.push_back(1);
    } else {
      places.window_sizes.push_back(
          contains(places.mapped, d) || random.chance(20) ? random.between(std::min<int64_t>(1, size), size) : size);
    }
  }

  // Dimensions of the indices, but for the vectors: the batching ones in any place among others.
  Sizes batch;
  const int64_t others = random.between(0, 2);
  for (int64_t i = 0; i < others; ++i) batch.push_back(random.pick(draft.shared.sizes));
  for (int64_t& size : batch) size = std::min<int64_t>(size, 12);
  for (const int64_t d : places.batching) {
    const int64_t place = random.between(0, static_cast<int64_t>(batch.size()));
    batch.insert(batch.begin() + place, operand[at(d)]);
    for (int64_t& other : places.indices_batching) other += other >= place ? 1 : 0;
    places.indices_batching.push_back(place);
  }
  const int64_t vector = static_cast<int64_t>(places.mapped.size());
  places.indices = batch;
  places.index_vector_dim = random.between(0, static_cast<int64_t>(batch.size()));
  if (vector == 1 && random.chance(40)) {
    places.index_vector_dim = static_cast<int64_t>(batch.size());
  } else {
    places.indices.insert(places.indices.begin() + places.index_vector_dim, vector);
    for (int64_t& dimension : places.indices_batching) dimension += dimension >= places.index_vector_dim ? 1 : 0;
  }

  Sizes window;
  for (int64_t d = 0; d < rank; ++d) {
    if (!contains(places.removed, d) && !contains(places.batching, d)) window.push_back(places.window_sizes[at(d)]);
  }
  const int64_t result_rank = static_cast<int64_t>(batch.size() + window.size());
  Sizes where = shuffled(random, result_rank);
  where.resize(window.size());
  std::sort(where.begin(), where.end());
  places.window = where;
  size_t next_window = 0, next_batch = 0;
  for (int64_t d = 0; d < result_rank; ++d) {
    places.result.push_back(contains(where, d) ? window[next_window++] : batch[next_batch++]);
  }
  return places;
}

// A number for every element, different from all the others'.
Term distinct_indices(Draft& draft, DType dtype, const Sizes& dims) {
  Attributes attributes;
  attributes.iota_dimension = 0;
  const Term line =
      add_stated(draft, Opcode::kIota, Shape::array(dtype, {count(dims)}), {}, any_facts(dtype), attributes);
  return add_stated(draft, Opcode::kReshape, Shape::array(dtype, dims), {line}, line.facts);
}

}  // namespace

void add_broadcast(Draft& draft) {
  Random& random = draft.random();
  const Term a = pick_of_rank(draft, 0, 3);
  const int64_t rank = random.between(a.rank(), std::min<int64_t>(a.rank() + 2, 5));
  Sizes places = shuffled(random, rank);
  places.resize(at(a.rank()));
  if (random.chance(80)) std::sort(places.begin(), places.end());
  Sizes dims(at(rank), -1);
  for (int64_t d = 0; d < a.rank(); ++d) dims[at(places[at(d)])] = a.dims()[at(d)];
  for (int64_t& size : dims) {
    if (size < 0) size = random.pick(draft.shared.sizes);
  }
  if (count(dims) > draft.shared.most_elements) return;
  Attributes attributes;
  attributes.dimensions = places;
  add_stated(draft, Opcode::kBroadcast, Shape::array(a.dtype(), dims), {a}, a.facts, attributes);
}

void add_reshape(Draft& draft) {
  Random& random = draft.random();
  const Term a = pick(draft);
  // The prime factors of the sizes, put together anew, with ones between.
  Sizes factors;
  for (int64_t size : a.dims()) {
    if (size == 0) factors.push_back(0);
    for (int64_t factor = 2; size > 1; ++factor) {
      for (; size > 1 && size % factor == 0; size /= factor) factors.push_back(factor);
    }
  }
  Sizes dims;
  for (const int64_t factor : factors) {
    if (dims.empty() || (dims.size() < 5 && random.chance(45))) {
      dims.push_back(factor);
    } else {
      dims.back() *= factor;
    }
  }
  while (dims.size() < 5 && random.chance(25))
    dims.insert(dims.begin() + random.between(0, static_cast<int64_t>(dims.size())), 1);
  add_stated(draft, random.chance(15) ? Opcode::kBitcast : Opcode::kReshape, Shape::array(a.dtype(), dims), {a},
             a.facts);
}

void add_transpose(Draft& draft) {
  const Term a = pick_of_rank(draft, 2, 5);
  Attributes attributes;
  attributes.dimensions = shuffled(draft.random(), a.rank());
  add(draft, Opcode::kTranspose, {a}, a.facts, attributes);
}

void add_reverse(Draft& draft) {
  const Term a = pick_of_rank(draft, 1, 5);
  Attributes attributes;
  attributes.dimensions = some_of(draft.random(), shuffled(draft.random(), a.rank()), 60);
  add(draft, Opcode::kReverse, {a}, a.facts, attributes);
}

void add_slice(Draft& draft) {
  Random& random = draft.random();
  const Term a = pick_of_rank(draft, 1, 5);
  Attributes attributes;
  attributes.slice = std::vector<SliceBounds>();
  for (const int64_t size : a.dims()) {
    const int64_t start = random.chance(30) ? 0 : random.between(0, size);
    const int64_t limit = random.chance(30) ? size : random.between(start, size);
    attributes.slice->push_back({start, limit, random.chance(70) ? 1 : random.between(1, 4)});
    if (start == limit && random.chance(90)) attributes.slice->back() = {0, size, 1};
  }
  add(draft, Opcode::kSlice, {a}, a.facts, attributes);
}

void add_pad(Draft& draft) {
  Random& random = draft.random();
  const Term a = pick_of_rank(draft, 1, 4);
  const Term filler = want(draft, a.dtype(), {});
  Attributes attributes;
  attributes.padding = std::vector<PadBounds>();
  int64_t elements = 1;
  for (const int64_t size : a.dims()) {
    PadBounds bounds = {random.between(-2, 3), random.between(-2, 3), random.chance(25) ? random.between(1, 2) : 0};
    if (random.chance(40)) bounds = {};
    int64_t result = (size == 0 ? 0 : size + (size - 1) * bounds.interior) + bounds.low + bounds.high;
    if (result < 0) {
      bounds = {};
      result = size;
    }
    attributes.padding->push_back(bounds);
    elements *= result;
  }
  if (elements > draft.shared.most_elements) return;
  add(draft, Opcode::kPad, {a, filler}, either(a.facts, filler.facts), attributes);
}

void add_concatenate(Draft& draft) {
  Random& random = draft.random();
  std::vector<Term> parts = {pick_of_rank(draft, 1, 4)};
  const size_t dimension = at(random.below(parts[0].rank()));
  Facts facts = parts[0].facts;
  const int64_t more = random.between(0, 3);
  for (int64_t i = 0; i < more; ++i) {
    Sizes dims = parts[0].dims();
    dims[dimension] = random.pick(draft.shared.sizes);
    if (count(dims) > draft.shared.most_elements / 2) continue;
    parts.push_back(random.chance(20) ? parts[0] : want(draft, parts[0].dtype(), dims));
    facts = either(facts, parts.back().facts);
  }
  Attributes attributes;
  attributes.dimensions = Sizes{static_cast<int64_t>(dimension)};
  add(draft, Opcode::kConcatenate, parts, facts, attributes);
}

void add_iota(Draft& draft) {
  const DType dtype = random_dtype(draft, [](DType t) { return t != DType::kPred; });
  const Sizes dims = random_dims(draft, 1, 4);
  Attributes attributes;
  attributes.iota_dimension = draft.random().below(static_cast<int64_t>(dims.size()));
  const double most = static_cast<double>(dims[at(*attributes.iota_dimension)]);
  add_stated(draft, Opcode::kIota, Shape::array(dtype, dims), {}, rounded(dtype, most, true), attributes);
}

void add_dynamic_slice(Draft& draft) {
  Random& random = draft.random();
  const Term a = pick_of_rank(draft, 0, 4);
  Attributes attributes;
  attributes.dynamic_slice_sizes = Sizes();
  for (const int64_t size : a.dims()) {
    attributes.dynamic_slice_sizes->push_back(random.chance(30) ? size
                                                                : random.between(std::min<int64_t>(size, 1), size));
  }
  std::vector<Term> operands = start_indices(draft, a.rank());
  operands.insert(operands.begin(), a);
  add(draft, Opcode::kDynamicSlice, operands, a.facts, attributes);
}

void add_dynamic_update_slice(Draft& draft) {
  Random& random = draft.random();
  const Term a = pick_of_rank(draft, 0, 4);
  Sizes sizes;
  for (const int64_t size : a.dims())
    sizes.push_back(random.chance(30) ? size : random.between(std::min<int64_t>(size, 1), size));
  const Term update = want(draft, a.dtype(), sizes);
  std::vector<Term> operands = start_indices(draft, a.rank());
  operands.insert(operands.begin(), {a, update});
  add(draft, Opcode::kDynamicUpdateSlice, operands, either(a.facts, update.facts));
}

void add_gather(Draft& draft) {
  Random& random = draft.random();
  const Term a = pick_of_rank(draft, 1, 4);
  const Places places = random_places(draft, a.dims());
  if (count(places.result) > draft.shared.most_elements || places.result.size() > 6) return;
  const Term indices = index_term(draft, random_dtype(draft, is_index_type), places.indices);
  Attributes attributes;
  attributes.offset_dims = places.window;
  attributes.collapsed_slice_dims = places.removed;
  attributes.start_index_map = places.mapped;
  attributes.operand_batching_dims = places.batching;
  attributes.start_indices_batching_dims = places.indices_batching;
  attributes.index_vector_dim = places.index_vector_dim;
  attributes.slice_sizes = places.window_sizes;
  // A clamped index is data all the same; sorted ones are a promise that iota alone keeps.
  if (random.chance(10)) attributes.indices_are_sorted = false;
  add(draft, Opcode::kGather, {a, indices}, a.facts, attributes);
}

// Colliding updates come in any order, so they add small integers, take the larger, or do not collide.
void add_scatter(Draft& draft) {
  Random& random = draft.random();
  Term a = pick_of_rank(draft, 1, 4, [](DType dtype) { return dtype != DType::kF8E8M0FNU; });
  const Places places = random_places(draft, a.dims());
  if (count(places.result) > draft.shared.most_elements) return;
  const DType dtype = a.dtype();
  Term updates = want(draft, dtype, places.result);
  Attributes attributes;
  attributes.update_window_dims = places.window;
  attributes.inserted_window_dims = places.removed;
  attributes.scatter_dims_to_operand_dims = places.mapped;
  attributes.input_batching_dims = places.batching;
  attributes.scatter_indices_batching_dims = places.indices_batching;
  attributes.index_vector_dim = places.index_vector_dim;

  Sizes batch = places.indices;
  if (places.index_vector_dim < static_cast<int64_t>(batch.size()))
    batch.erase(batch.begin() + places.index_vector_dim);
  int64_t vectors = count(batch);
  for (const int64_t d : places.batching) vectors /= std::max<int64_t>(a.dims()[at(d)], 1);
  const DType index_type = random_dtype(draft, is_index_type);
  Term indices = index_term(draft, index_type, places.indices);
  const double one_limit = exact_limit(dtype) / static_cast<double>(vectors + 1);

  std::vector<Opcode> opcodes = {Opcode::kMaximum, Opcode::kMinimum};
  if (is_complex(dtype)) opcodes.clear();
  if (is_bits(dtype)) opcodes.insert(opcodes.end(), {Opcode::kAnd, Opcode::kOr, Opcode::kXor});
  if (one_limit >= 1 || is_bits(dtype)) opcodes.insert(opcodes.end(), {Opcode::kAdd, Opcode::kAdd, Opcode::kAdd});
  if (is_bits(dtype)) opcodes.push_back(Opcode::kMultiply);
  // A window for one index alone, or one that whole numbers apart have (windows may overlap): no collisions.
  const bool alone = vectors <= 1;
  const bool apart = !alone && places.mapped.size() == 1 && places.batching.empty() &&
                     places.window_sizes[at(places.mapped[0])] == 1 && vectors <= 100;
  const bool overwrite = alone || apart ? random.chance(60) || opcodes.empty() : false;
  if (opcodes.empty() && !overwrite) return;
  Facts facts;
  if (overwrite) {
    if (apart) {
      indices = distinct_indices(draft, index_type, places.indices);
      attributes.unique_indices = true;
    }
    Draft inside = open(draft, "scatter");
    Instruction* current = inside.computation->add(Opcode::kParameter, Shape::scalar(dtype), {}, "current");
    Instruction* update = inside.computation->add(Opcode::kParameter, Shape::scalar(dtype), {}, "update");
    update->parameter_number = 1;
    Instruction* root = update;
    if (random.chance(30) && is_integer(dtype)) root = add_node(inside, Opcode::kSubtract, {current, update});
    inside.computation->set_root(root);
    attributes.to_apply = inside.computation;
    facts = either(a.facts, updates.facts);
  } else {
    const Opcode opcode = random.pick(opcodes);
    if (opcode == Opcode::kAdd && !is_bits(dtype)) {
      a = tame(draft, a, std::min(one_limit, 64.0));
      updates = tame(draft, updates, std::min(one_limit, 64.0));
      facts = rounded(dtype, (a.facts.magnitude + updates.facts.magnitude * static_cast<double>(vectors)), true);
    } else if (!is_bits(dtype)) {
      // Zeros of both signs are equally large.
      a = tame(draft, a, std::min(exact_limit(dtype), 64.0));
      updates = tame(draft, updates, std::min(exact_limit(dtype), 64.0));
      facts = either(a.facts, updates.facts);
    }
    attributes.to_apply = combiner(draft, opcode, dtype);
  }
  add(draft, Opcode::kScatter, {a, indices, updates}, facts, attributes);
}

}  // namespace sinter
