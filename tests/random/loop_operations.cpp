#include "tests/random/loop_operations.h"

#include <algorithm>

namespace sinter {

Value LoopOperations::pick(const std::vector<Value>& pool, DType dtype) {
  std::vector<Value> fitting;
  for (const Value& value : pool) {
    if (value.dtype == dtype) fitting.push_back(value);
  }
  return fitting.empty() ? random_.pick(pool) : random_.pick(fitting);
}

Value LoopOperations::index_map(const Value& value) {
  std::vector<size_t> small;
  for (size_t d = 0; d < value.dims.size(); ++d) {
    if (value.dims[d].kind == DimKind::kSmall) small.push_back(d);
  }
  if (value.dims.size() >= 2 && random_.chance(25)) {
    std::vector<int64_t> order;
    for (size_t d = 0; d < value.dims.size(); ++d) order.insert(order.begin() + random_.below(order.size() + 1), d);
    return scribe_.transpose(value, order);
  }
  if (value.dims.size() >= 2 && random_.chance(15)) {
    // Merge two neighbours and take them apart again.
    const size_t d = static_cast<size_t>(random_.below(static_cast<int64_t>(value.dims.size()) - 1));
    Dims merged = value.dims;
    merged[d].size *= merged[d + 1].size;
    merged.erase(merged.begin() + d + 1);
    const Value flat = scribe_.reshape(value, merged);
    return scribe_.reshape(random_.chance(50) ? scribe_.unary(flat) : flat, value.dims);
  }
  if (small.empty() || random_.chance(10)) {
    Dims dims = value.dims;
    const Dim fresh = {random_.between(1, 3)};
    const size_t at = static_cast<size_t>(random_.below(static_cast<int64_t>(dims.size()) + 1));
    dims.insert(dims.begin() + at, fresh);
    std::vector<int64_t> mapping;
    for (size_t d = 0; d < value.dims.size(); ++d) mapping.push_back(static_cast<int64_t>(d < at ? d : d + 1));
    return scribe_.broadcast(value, dims, mapping);
  }
  const size_t d = random_.pick(small);
  const int64_t size = value.dims[d].size;
  switch (random_.below(6)) {
    case 0:
      return scribe_.reverse(value, d);
    case 1: {
      const int64_t begin = random_.below(size);
      return scribe_.slice(value, d, begin, random_.between(begin + 1, size));
    }
    case 2: {
      // Rotation: two slices the other way round.
      if (size < 2) return value;
      const int64_t cut = random_.between(1, size - 1);
      const Value front = scribe_.slice(value, d, 0, cut);
      return scribe_.concatenate(scribe_.slice(value, d, cut, size), front, d);
    }
    case 3:
      return size <= 3 ? scribe_.concatenate(value, scribe_.unary(value), d) : scribe_.slice(value, d, 0, size, 2);
    case 4: {
      if (size > 3) return scribe_.reverse(value, d);
      const Value wide = scribe_.pad(value, d, random_.below(2), random_.below(2), random_.below(2));
      return wide;
    }
    default: {
      // Shift by one, zeros behind.
      if (size < 2) return value;
      return scribe_.pad(scribe_.slice(value, d, 1, size), d, 0, 1, 0);
    }
  }
}

Value LoopOperations::table_row(LoopBody& body) {
  const Value table = random_.pick(body.tables);
  const int64_t rows = table.dims[0].size;
  Value index = body.counter;
  std::vector<Value> scalars;
  for (const Value& value : body.pool) {
    if (value.dtype == DType::kS32 && value.dims.empty()) scalars.push_back(value);
  }
  if (!scalars.empty() && random_.chance(25)) {
    index = random_.pick(scalars);
  } else if (rows == 16) {
    const Value count = scribe_.scalar(DType::kS32, 16);
    index = scribe_.add("remainder", "remainder(" + index.name + ", " + count.name + ")", DType::kS32, {}, index);
  }
  const Value zero = scribe_.scalar(DType::kS32, 0);
  Dims row = table.dims;
  row[0].size = 1;
  std::string starts = index.name, sizes = "1";
  for (size_t d = 1; d < row.size(); ++d) {
    starts += ", " + zero.name;
    sizes += "," + std::to_string(row[d].size);
  }
  const Value cut = scribe_.add(
      "dynamic-slice", "dynamic-slice(" + table.name + ", " + starts + "), dynamic_slice_sizes={" + sizes + "}",
      table.dtype, row, table);
  row.erase(row.begin());
  return scribe_.reshape(cut, row);
}

std::optional<Value> LoopOperations::lookup(LoopBody& body) {
  std::vector<Value> indices;
  for (const Value& value : body.pool) {
    if (value.dtype == DType::kS32) indices.push_back(value);
  }
  std::vector<Value> lists;
  for (const Value& table : body.tables) {
    if (table.dims.size() == 1) lists.push_back(table);
  }
  if (indices.empty() || lists.empty()) return std::nullopt;
  const Value index = random_.pick(indices);
  const Value table = random_.pick(lists);
  Dims vector = index.dims;
  vector.push_back({1});
  const Value components = scribe_.reshape(index, vector);
  return scribe_.add("gather",
                     "gather(" + table.name + ", " + components.name +
                         "), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=" +
                         std::to_string(index.dims.size()) + ", slice_sizes={1}",
                     table.dtype, index.dims, table);
}

Value LoopOperations::reduced(const Value& value) {
  std::vector<int64_t> small;
  for (size_t d = 0; d < value.dims.size(); ++d) {
    if (value.dims[d].kind == DimKind::kSmall && (small.empty() || random_.chance(50)))
      small.push_back(static_cast<int64_t>(d));
  }
  if (small.empty() || value.dtype == DType::kPred) return scribe_.unary(value);
  static const std::vector<std::string> kFloat = {"add", "maximum", "minimum"};
  static const std::vector<std::string> kInteger = {"add", "maximum", "minimum", "and", "or", "xor"};
  return scribe_.reduce(value, random_.pick(is_float(value.dtype) ? kFloat : kInteger), small);
}

Value LoopOperations::updated(LoopBody& body, const Value& value) {
  std::vector<size_t> small;
  for (size_t d = 0; d < value.dims.size(); ++d) {
    if (value.dims[d].kind == DimKind::kSmall && value.dims[d].size > 1) small.push_back(d);
  }
  if (small.empty()) return scribe_.unary(value);
  const size_t dim = random_.pick(small);
  const Value zero = scribe_.scalar(DType::kS32, 0);
  Value place = scribe_.scalar(DType::kS32, static_cast<double>(random_.below(value.dims[dim].size)));
  if (random_.chance(60)) {
    const Value size = scribe_.scalar(DType::kS32, static_cast<double>(value.dims[dim].size));
    place = scribe_.add("remainder", "remainder(" + body.counter.name + ", " + size.name + ")", DType::kS32, {}, place);
  }
  const Value piece = scribe_.unary(scribe_.slice(value, dim, 0, 1));
  std::string starts;
  for (size_t d = 0; d < value.dims.size(); ++d) starts += ", " + (d == dim ? place.name : zero.name);
  Value like = value;
  like.magnitude = std::max(value.magnitude, piece.magnitude);
  like.slope = std::max(value.slope, piece.slope);
  like.error = std::max(value.error, piece.error);
  like.exact = value.exact && piece.exact;
  return scribe_.add("dynamic-update-slice", "dynamic-update-slice(" + value.name + ", " + piece.name + starts + ")",
                     value.dtype, value.dims, like);
}

std::optional<Value> LoopOperations::fit_dims(Value value, const Dims& dims) {
  for (size_t d = value.dims.size(); d-- > 0;) {
    const Dim dim = value.dims[d];
    if (std::find(dims.begin(), dims.end(), dim) != dims.end()) continue;
    if (dim.kind != DimKind::kSmall) return std::nullopt;
    if (random_.chance(30) && value.dtype != DType::kPred) {
      value = scribe_.reduce(value, random_.chance(50) ? "maximum" : "add", {static_cast<int64_t>(d)});
      continue;
    }
    const int64_t begin = random_.below(dim.size);
    value = scribe_.slice(value, d, begin, begin + 1);
    Dims rest = value.dims;
    rest.erase(rest.begin() + d);
    value = scribe_.reshape(value, rest);
  }
  std::vector<int64_t> mapping;
  std::vector<bool> used(dims.size(), false);
  for (size_t d = 0; d < value.dims.size(); ++d) {
    size_t at = 0;
    while (at < dims.size() && (used[at] || !(dims[at] == value.dims[d]))) ++at;
    if (at == dims.size()) {
      // The same small size twice, but once in `dims`.
      if (value.dims[d].kind != DimKind::kSmall) return std::nullopt;
      value = scribe_.slice(value, d, 0, 1);
      Dims rest = value.dims;
      rest.erase(rest.begin() + d);
      value = scribe_.reshape(value, rest);
      --d;
      continue;
    }
    used[at] = true;
    mapping.push_back(static_cast<int64_t>(at));
  }
  if (value.dims == dims && std::is_sorted(mapping.begin(), mapping.end())) return value;
  return scribe_.broadcast(value, dims, mapping);
}

std::optional<Value> LoopOperations::fit(const Value& value, DType dtype, const Dims& dims) {
  Value result = value;
  if (result.dtype != dtype) {
    if (dtype == DType::kPred) {
      if (!result.exact) return std::nullopt;
      result = scribe_.compare(result,
                               scribe_.filled(result.dtype, static_cast<double>(random_.between(0, 3)), result.dims));
    } else if (is_float(result.dtype)) {
      if (!result.exact) return std::nullopt;
      if (dtype == DType::kU32) result = scribe_.convert(result, DType::kS32);
      result = scribe_.convert(result, dtype);
    } else if (is_float(dtype)) {
      if (result.dtype != DType::kPred) {
        const Value mask = scribe_.filled(result.dtype, 7, result.dims);
        result = scribe_.add("and", "and(" + result.name + ", " + mask.name + ")", result.dtype, result.dims, result);
      }
      result = scribe_.convert(result, dtype);
      result.magnitude = 7;
    } else {
      result = scribe_.convert(result, dtype);
    }
  }
  return fit_dims(result, dims);
}

Value LoopOperations::fit_any(const LoopBody& body, const Value& carry) {
  for (int tries = 0; tries < 6; ++tries) {
    // Late values first: they are what the body is about.
    const int64_t count = static_cast<int64_t>(body.pool.size());
    const int64_t at = count - 1 - random_.below(random_.chance(60) ? std::min<int64_t>(count, 8) : count);
    Value value = body.pool[static_cast<size_t>(at)];
    if (tries < 3 && value.dtype != carry.dtype) value = pick(body.pool, carry.dtype);
    if (std::optional<Value> fitted = fit(value, carry.dtype, carry.dims)) return *fitted;
  }
  return carry;
}

}  // namespace sinter
