// Random scatters, gathers and dynamic slices: every way in which windows, index vectors and batch dimensions can lie
// in their arrays, indices in and out of range, of every integer type; arithmetic before and after.
#include <algorithm>
#include <cmath>

#include "tests/random/generate.h"

namespace sinter {

namespace {

std::string list(const std::vector<int64_t>& values) {
  std::string text;
  for (const int64_t value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
  return "{" + text + "}";
}

// How a window lies in an array (`target`), and index vectors in the array of them.
struct Indexing {
  std::vector<int64_t> target;    // dims
  std::vector<int64_t> window;    // its size along each dimension
  std::vector<int64_t> inserted;  // dimensions the window is without
  std::vector<int64_t> batching, indices_batching;
  std::vector<int64_t> start_map;
  std::vector<int64_t> indices;  // dims, with the vector dimension if it is one
  int64_t vector_dim = 0;
  std::vector<int64_t> windows;      // dims of the updates, or of what is gathered
  std::vector<int64_t> window_dims;  // which of them are the window's
};

class IndexedGenerator {
 public:
  IndexedGenerator(uint64_t seed, bool exact) : random_(seed) {
    program_.name = "indexed_" + std::to_string(seed);
    program_.exact = exact;
  }

  RandomProgram run();

 private:
  Indexing indexing();
  std::string parameter(DType dtype, const std::vector<int64_t>& dims, int64_t magnitude);
  std::string indices(const Indexing& where);
  std::string components(const Indexing& where, DType dtype);
  std::string line(const std::string& hint, DType dtype, const std::vector<int64_t>& dims, const std::string& right);
  std::string typed(DType dtype, const std::vector<int64_t>& dims) const;
  std::string filled(DType dtype, const std::vector<int64_t>& dims, int64_t value);
  std::string wrap(const std::string& value, DType dtype, const std::vector<int64_t>& dims);
  std::string combiner(const std::vector<DType>& dtypes);
  void scatter(const Indexing& where);
  void gather(const Indexing& where);
  void dynamic_slices();

  Random random_;
  HloText text_;
  RandomProgram program_;
  std::vector<std::pair<std::string, std::string>> results_;  // name, shape
};

std::string IndexedGenerator::typed(DType dtype, const std::vector<int64_t>& dims) const {
  std::string shape = std::string(dtype_name(dtype)) + list(dims);
  std::replace(shape.begin(), shape.end(), '{', '[');
  std::replace(shape.begin(), shape.end(), '}', ']');
  return shape;
}

std::string IndexedGenerator::line(const std::string& hint, DType dtype, const std::vector<int64_t>& dims,
                                   const std::string& right) {
  return text_.line(hint, typed(dtype, dims) + " " + right);
}

std::string IndexedGenerator::parameter(DType dtype, const std::vector<int64_t>& dims, int64_t magnitude) {
  program_.inputs.push_back({dtype, dims, static_cast<double>(magnitude)});
  return line("x", dtype, dims, "parameter(" + std::to_string(program_.inputs.size() - 1) + ")");
}

std::string IndexedGenerator::filled(DType dtype, const std::vector<int64_t>& dims, int64_t value) {
  const std::string one = line("value", dtype, {}, "constant(" + std::to_string(value) + ")");
  return line("values", dtype, dims, "broadcast(" + one + "), dimensions={}");
}

// A value as it is, or after an operation on its elements.
std::string IndexedGenerator::wrap(const std::string& value, DType dtype, const std::vector<int64_t>& dims) {
  if (dtype == DType::kPred || random_.chance(50)) return value;
  if (random_.chance(30)) return line("neg", dtype, dims, "negate(" + value + ")");
  return line("sum", dtype, dims, "add(" + value + ", " + value + ")");
}

Indexing IndexedGenerator::indexing() {
  Indexing where;
  const int64_t rank = random_.between(1, 3);
  std::vector<int64_t> batch;  // dims of the indices but for the vector dimension
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t extent = random_.between(1, 7);
    where.target.push_back(extent);
    const int64_t kind = random_.below(5);
    if (kind == 0) {
      where.batching.push_back(d);
      where.window.push_back(1);
      where.indices_batching.push_back(static_cast<int64_t>(batch.size()));
      batch.push_back(extent);
    } else {
      const bool inserted = kind <= 2;
      if (inserted) where.inserted.push_back(d);
      where.window.push_back(inserted ? 1 : random_.chance(40) ? extent : random_.between(1, extent));
      if (random_.chance(75)) where.start_map.push_back(d);
    }
  }
  for (int64_t more = random_.below(3); more > 0; --more) batch.push_back(random_.between(1, 4));
  if (random_.chance(30) && where.start_map.size() > 1) std::reverse(where.start_map.begin(), where.start_map.end());
  // The vector dimension among the others; it may be left out where it has one element.
  where.vector_dim = random_.between(0, static_cast<int64_t>(batch.size()));
  where.indices = batch;
  if (where.start_map.size() == 1 && random_.chance(30)) {
    where.vector_dim = static_cast<int64_t>(batch.size());
  } else {
    where.indices.insert(where.indices.begin() + where.vector_dim, static_cast<int64_t>(where.start_map.size()));
  }
  for (int64_t& d : where.indices_batching) d += d >= where.vector_dim ? 1 : 0;
  // The window's dimensions among the batch dimensions.
  std::vector<int64_t> sizes;
  for (int64_t d = 0; d < rank; ++d) {
    const auto in = [&](const std::vector<int64_t>& dims) {
      return std::find(dims.begin(), dims.end(), d) != dims.end();
    };
    if (!in(where.inserted) && !in(where.batching)) sizes.push_back(where.window[static_cast<size_t>(d)]);
  }
  size_t next_batch = 0, next_window = 0;
  while (next_batch < batch.size() || next_window < sizes.size()) {
    const bool take_window = next_window < sizes.size() && (next_batch == batch.size() || random_.chance(50));
    if (take_window) where.window_dims.push_back(static_cast<int64_t>(where.windows.size()));
    where.windows.push_back(take_window ? sizes[next_window++] : batch[next_batch++]);
  }
  return where;
}

// Indices of any integer type, some of them below zero or too large; or numbers that depend on their place alone.
std::string IndexedGenerator::indices(const Indexing& where) {
  static const std::vector<DType> types = {DType::kS32, DType::kS32, DType::kS32, DType::kS64, DType::kU32,
                                           DType::kU8,  DType::kS8,  DType::kU64, DType::kS16};
  const DType dtype = random_.pick(types);
  if (where.start_map.size() > 1 && random_.chance(40)) return components(where, dtype);
  if (!where.indices.empty() && random_.chance(25)) {
    const int64_t along = random_.below(static_cast<int64_t>(where.indices.size()));
    const std::string count = line("iota", dtype, where.indices, "iota(), iota_dimension=" + std::to_string(along));
    if (random_.chance(50)) return count;
    const std::string factors = filled(dtype, where.indices, random_.between(1, 2));
    return line("strided", dtype, where.indices, "multiply(" + count + ", " + factors + ")");
  }
  const std::string drawn = parameter(dtype, where.indices, random_.chance(10) ? 0 : random_.between(2, 8));
  if (random_.chance(40)) return drawn;
  const std::string ones = filled(dtype, where.indices, 1);
  return line("shifted", dtype, where.indices, "subtract(" + drawn + ", " + ones + ")");
}

// Index vectors put together of components: some count along a dimension of the batch, some are the same for all.
std::string IndexedGenerator::components(const Indexing& where, DType dtype) {
  std::vector<int64_t> dims = where.indices;
  dims[static_cast<size_t>(where.vector_dim)] = 1;
  std::string operands;
  for (size_t i = 0; i < where.start_map.size(); ++i) {
    std::string component;
    switch (random_.below(4)) {
      case 0:
      case 1: {
        const int64_t along = random_.below(static_cast<int64_t>(dims.size()));
        component = line("iota", dtype, dims, "iota(), iota_dimension=" + std::to_string(along));
        break;
      }
      case 2:
        component = filled(dtype, dims, random_.between(0, 3));
        break;
      default:
        component = parameter(dtype, dims, 8);
    }
    operands += (operands.empty() ? "" : ", ") + component;
  }
  return line("vectors", dtype, where.indices,
              "concatenate(" + operands + "), dimensions={" + std::to_string(where.vector_dim) + "}");
}

// How updates combine with what is there: one operation, the update itself, or a function of its own.
std::string IndexedGenerator::combiner(const std::vector<DType>& dtypes) {
  const std::string name = text_.fresh("combine");
  text_.open(name);
  std::vector<std::string> old, update, results;
  const size_t count = dtypes.size();
  for (size_t i = 0; i < 2 * count; ++i) {
    (i < count ? old : update).push_back(line("p", dtypes[i % count], {}, "parameter(" + std::to_string(i) + ")"));
  }
  const int64_t kind = random_.below(count == 1 ? 6 : 3);
  static const std::vector<std::string> operations = {"add", "maximum", "minimum"};
  const std::string operation = random_.pick(operations);
  std::string shapes;
  for (size_t i = 0; i < count; ++i) {
    const bool logical = dtypes[i] == DType::kPred;
    const std::string operands = "(" + old[i] + ", " + update[i] + ")";
    if (kind == 0) {
      results.push_back(update[i]);
    } else if (kind == 1 && !logical) {
      // Not commutative, and the others' values decide.
      const std::string less =
          line("less", DType::kPred, {}, "compare(" + old[0] + ", " + update[0] + "), direction=LT");
      const std::string difference = line("difference", dtypes[i], {}, "subtract(" + update[i] + ", " + old[i] + ")");
      results.push_back(line("chosen", dtypes[i], {}, "select(" + less + ", " + difference + ", " + old[i] + ")"));
    } else {
      results.push_back(line("combined", dtypes[i], {}, (logical ? "or" : operation) + operands));
    }
    shapes += (i == 0 ? "" : ", ") + typed(dtypes[i], {});
  }
  if (count == 1) {
    // The root must be the last line.
    text_.line("root", typed(dtypes[0], {}) + " copy(" + results[0] + ")", true);
  } else {
    std::string names;
    for (const std::string& result : results) names += (names.empty() ? "" : ", ") + result;
    text_.line("root", "(" + shapes + ") tuple(" + names + ")", true);
  }
  return text_.close();
}

// How far apart two sums of bf16 numbers up to 8 may be: `count` roundings of numbers up to 8 `count`, each by up to
// 2^-9 of it and one way or the other.
double error_of_sum(int64_t count) {
  const auto n = static_cast<double>(count);
  return 8 * n * std::sqrt(n) * 0x1p-9;
}

void IndexedGenerator::scatter(const Indexing& where) {
  static const std::vector<DType> types = {DType::kF32, DType::kF32, DType::kS32, DType::kBF16,
                                           DType::kS8,  DType::kU32, DType::kPred};
  const size_t count = random_.chance(25) ? 2 : 1;
  std::vector<DType> dtypes;
  for (size_t i = 0; i < count; ++i) dtypes.push_back(i == 0 && count == 2 ? DType::kS32 : random_.pick(types));
  std::string operands, shapes;
  for (const DType dtype : dtypes) {
    operands += wrap(parameter(dtype, where.target, 4), dtype, where.target) + ", ";
    shapes += (shapes.empty() ? "" : ", ") + typed(dtype, where.target);
  }
  operands += indices(where);
  for (const DType dtype : dtypes) operands += ", " + wrap(parameter(dtype, where.windows, 4), dtype, where.windows);
  std::string attributes = "update_window_dims=" + list(where.window_dims) +
                           ", inserted_window_dims=" + list(where.inserted) +
                           ", scatter_dims_to_operand_dims=" + list(where.start_map);
  if (!where.batching.empty()) {
    attributes += ", input_batching_dims=" + list(where.batching) +
                  ", scatter_indices_batching_dims=" + list(where.indices_batching);
  }
  attributes += ", index_vector_dim=" + std::to_string(where.vector_dim) + ", to_apply=";
  const std::string function = combiner(dtypes);
  int64_t updates = 1;
  for (size_t d = 0; d < where.windows.size(); ++d) {
    const bool window = std::count(where.window_dims.begin(), where.window_dims.end(), static_cast<int64_t>(d)) > 0;
    if (!window) updates *= where.windows[d];
  }
  program_.narrow_tolerance = error_of_sum(updates);
  const std::string right = " scatter(" + operands + "), " + attributes + function;
  if (count == 1) {
    const std::string result = line("scatter", dtypes[0], where.target, right.substr(1));
    results_.emplace_back(wrap(result, dtypes[0], where.target), typed(dtypes[0], where.target));
    return;
  }
  const std::string result = text_.line("scatter", "(" + shapes + ")" + right);
  for (size_t i = 0; i < count; ++i) {
    const std::string element =
        line("element", dtypes[i], where.target, "get-tuple-element(" + result + "), index=" + std::to_string(i));
    results_.emplace_back(wrap(element, dtypes[i], where.target), typed(dtypes[i], where.target));
  }
}

void IndexedGenerator::gather(const Indexing& where) {
  const DType dtype = random_.chance(70) ? DType::kF32 : DType::kS8;
  const std::string operand = wrap(parameter(dtype, where.target, 4), dtype, where.target);
  std::string attributes = "offset_dims=" + list(where.window_dims) + ", collapsed_slice_dims=" + list(where.inserted) +
                           ", start_index_map=" + list(where.start_map);
  if (!where.batching.empty()) {
    attributes += ", operand_batching_dims=" + list(where.batching) +
                  ", start_indices_batching_dims=" + list(where.indices_batching);
  }
  attributes += ", index_vector_dim=" + std::to_string(where.vector_dim) + ", slice_sizes=" + list(where.window);
  const std::string right = "gather(" + operand + ", " + indices(where) + "), " + attributes;
  const std::string result = line("gather", dtype, where.windows, right);
  results_.emplace_back(wrap(result, dtype, where.windows), typed(dtype, where.windows));
}

// Slices of an array and updates of it, one after the other.
void IndexedGenerator::dynamic_slices() {
  static const std::vector<DType> types = {DType::kS32, DType::kS32, DType::kS64, DType::kU8, DType::kU32};
  std::vector<int64_t> dims;
  for (int64_t rank = random_.between(1, 3); rank > 0; --rank) dims.push_back(random_.between(1, 7));
  std::string value = parameter(DType::kF32, dims, 4);
  for (int64_t steps = random_.between(2, 4); steps > 0; --steps) {
    const DType dtype = random_.pick(types);
    std::vector<int64_t> piece;
    std::string starts;
    for (const int64_t extent : dims) {
      piece.push_back(random_.between(1, extent));
      const std::string drawn = parameter(dtype, {}, 8);
      const std::string two = line("two", dtype, {}, "constant(2)");
      starts += ", " + (random_.chance(50) ? drawn : line("start", dtype, {}, "subtract(" + drawn + ", " + two + ")"));
    }
    if (random_.chance(50)) {
      const std::string update = wrap(parameter(DType::kF32, piece, 4), DType::kF32, piece);
      value = line("updated", DType::kF32, dims, "dynamic-update-slice(" + value + ", " + update + starts + ")");
    } else {
      value = line("slice", DType::kF32, piece,
                   "dynamic-slice(" + value + starts + "), dynamic_slice_sizes=" + list(piece));
      dims = piece;
    }
    value = wrap(value, DType::kF32, dims);
  }
  results_.emplace_back(value, typed(DType::kF32, dims));
}

RandomProgram IndexedGenerator::run() {
  text_.open("main", true);
  const int64_t kind = random_.below(10);
  if (kind < 6) {
    scatter(indexing());
  } else if (kind < 9) {
    gather(indexing());
  } else {
    dynamic_slices();
  }
  std::string names, shapes;
  for (const auto& [name, shape] : results_) {
    names += (names.empty() ? "" : ", ") + name;
    shapes += (shapes.empty() ? "" : ", ") + shape;
  }
  text_.line("result", "(" + shapes + ") tuple(" + names + ")", true);
  text_.close();
  program_.text = text_.module(program_.name);
  return program_;
}

}  // namespace

RandomProgram generate_indexed(uint64_t seed, bool exact) { return IndexedGenerator(seed, exact).run(); }

}  // namespace sinter
