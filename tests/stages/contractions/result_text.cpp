// What stands after a product: elementwise operations of it and of others, moves, conversions, sums of rows.
#include <algorithm>

#include "tests/stages/contractions/contraction_writer.h"
#include "tests/stages/stage_programs.h"

namespace sinter {

// Of a value alone, of it and an array of its dims, or of it and what is the same along all dimensions but one.
ContractionWriter::Value ContractionWriter::elementwise(const Value& value) {
  const auto& [name, dtype, dims] = value;
  Value next = {fresh("value"), dtype, dims};
  const auto made = [&](const std::string& text) {
    line(next.name, dtype, dims, text);
    return next;
  };
  const bool complex = is_complex(dtype), curves = rounds_ && is_float(dtype);
  switch (random_.below(9)) {
    case 0:
      return made((complex ? "subtract(" : "maximum(") + name + ", " + parameter(fresh("residual"), dtype, dims) + ")");
    case 1:
      return made("add(" + name + ", " + parameter(fresh("residual"), dtype, dims) + ")");
    case 2:
      if (dtype == DType::kU32) return value;
      return made("negate(" + name + ")");
    case 3:
    case 4: {
      if (dims.empty()) return value;
      const size_t d = below(dims.size());
      const std::string bias = parameter(fresh("bias"), dtype, {dims[d]}), spread = fresh("spread");
      line(spread, dtype, dims, "broadcast(" + bias + "), dimensions=" + list({static_cast<int64_t>(d)}));
      ++multiplications_;
      return made(std::string(one_in(2) ? "add(" : "multiply(") + name + ", " + spread + ")");
    }
    case 5: {  // of a sign
      if (complex) return value;
      ++multiplications_;
      const std::string zeros = scalar(dtype, "0", dims), positive = fresh("positive"), less = fresh("less");
      line(positive, DType::kPred, dims, "compare(" + name + ", " + zeros + "), direction=GT");
      line(less, dtype, dims, "multiply(" + name + ", " + scalar(dtype, is_float(dtype) ? "0.25" : "3", dims) + ")");
      return made("select(" + positive + ", " + name + ", " + less + ")");
    }
    case 6: {
      if (complex) return value;
      const std::string low = scalar(dtype, "0", dims), high = scalar(dtype, "6", dims);
      return made("clamp(" + low + ", " + name + ", " + high + ")");
    }
    case 7:  // that rise by at most as much as what they are of
      if (!curves) return value;
      bound_ += dtype == DType::kF64 ? 1e-13 : 2e-6;
      return made(std::string(one_in(2) ? "tanh(" : "logistic(") + name + ")");
    default:
      if (!curves) return value;
      return made("multiply(" + name + ", " + scalar(dtype, "0.7", dims) + ")");
  }
}

// Sums along one dimension; once in a program.
ContractionWriter::Value ContractionWriter::reduce(const Value& value) {
  const auto& [name, dtype, dims] = value;
  if (!combiner_.empty() || dims.empty()) return value;
  // Each multiplication takes two more bits of a sum that is to be exact.
  if (!rounds_ && !is_integer(dtype) && multiplications_ > 1) return value;
  const size_t d = one_in(2) ? dims.size() - 1 : below(dims.size());
  combiner_ = "\nadd_two {\n  a = " + shape_text(dtype, {}) + " parameter(0)\n  b = " + shape_text(dtype, {}) +
              " parameter(1)\n  ROOT sum = " + shape_text(dtype, {}) + " add(a, b)\n}\n";
  const std::string zero = fresh("zero");
  line(zero, dtype, {}, "constant(" + std::string(is_complex(dtype) ? "(0, 0)" : "0") + ")");
  Value next = {fresh("value"), dtype, dims};
  next.dims.erase(next.dims.begin() + static_cast<std::ptrdiff_t>(d));
  line(next.name, dtype, next.dims,
       "reduce(" + name + ", " + zero + "), dimensions=" + list({static_cast<int64_t>(d)}) + ", to_apply=add_two");
  bound_ *= 2 * static_cast<double>(std::max<int64_t>(dims[d], 1));
  return next;
}

ContractionWriter::Value ContractionWriter::in_parts(const Value& value) {
  const auto& [name, dtype, dims] = value;
  const int64_t count = random_.pick<int64_t>({2, 2, 3, 4, 4, 8});
  if (dims.empty() || dims.back() == 0 || dims.back() % count != 0) return value;
  Value next = {name, dtype, dims};
  next.dims.back() /= count;
  std::vector<Value> parts;
  for (int64_t i = 0; i < count; ++i) {
    Value part = {fresh("part"), dtype, next.dims};
    std::string bounds;
    for (size_t d = 0; d + 1 < dims.size(); ++d) bounds += "[0:" + std::to_string(dims[d]) + "], ";
    const int64_t first = i * next.dims.back(), end = first + next.dims.back();
    bounds += "[" + std::to_string(first) + ":" + std::to_string(end) + "]";
    line(part.name, dtype, next.dims, "slice(" + name + "), slice={" + bounds + "}");
    parts.push_back(one_in(3) ? elementwise(part) : std::move(part));
  }
  // Of all parts but one, at times.
  if (one_in(8)) parts.pop_back();
  std::string all = parts[0].name;
  for (size_t i = 1; i < parts.size(); ++i) {
    next.name = fresh("gated");
    const std::string combine = is_complex(dtype) || one_in(2) ? "add(" : one_in(2) ? "maximum(" : "subtract(";
    line(next.name, dtype, next.dims, combine + all + ", " + parts[i].name + ")");
    all = next.name;
  }
  next.name = all;
  bound_ *= static_cast<double>(count);
  return next;
}

ContractionWriter::Value ContractionWriter::follow(const Value& value) {
  const auto& [name, dtype, dims] = value;
  const size_t rank = dims.size();
  Value next = {fresh("value"), dtype, dims};
  switch (rank == 0 ? 0 : random_.below(10)) {
    case 5:
      if (is_complex(dtype)) {
        next.dtype = real_type(dtype);
        line(next.name, next.dtype, dims, (one_in(2) ? "real(" : "imag(") + name + ")");
        return next;
      }
      next.dtype = is_integer(dtype) ? DType::kF32 : dtype == DType::kF32 ? DType::kBF16 : DType::kF32;
      line(next.name, next.dtype, dims, "convert(" + name + ")");
      return next;
    case 6: {
      const std::vector<size_t> order = shuffled(rank);
      Dims permutation;
      next.dims.clear();
      for (const size_t d : order) {
        permutation.push_back(static_cast<int64_t>(d));
        next.dims.push_back(dims[d]);
      }
      line(next.name, dtype, next.dims, "transpose(" + name + "), dimensions=" + list(permutation));
      return next;
    }
    case 7:
      next.dims = {product(dims)};
      line(next.name, dtype, next.dims, "reshape(" + name + ")");
      return next;
    case 8: {
      std::string bounds;
      for (int64_t& size : next.dims) {
        const int64_t first = size > 2 && one_in(2) ? 1 : 0;
        bounds += (bounds.empty() ? "[" : ", [") + std::to_string(first) + ":" + std::to_string(size) + "]";
        size -= first;
      }
      line(next.name, dtype, next.dims, "slice(" + name + "), slice={" + bounds + "}");
      return next;
    }
    case 9:
      return reduce(value);
    default:
      return elementwise(value);
  }
}

void ContractionWriter::results() {
  std::vector<Value> given;
  Value value = products_[0];
  if (gated_) {
    for (size_t i = 1; i < products_.size(); ++i) {
      const Value other = one_in(3) ? elementwise(products_[i]) : products_[i];
      const Value gated = {fresh("gated"), value.dtype, value.dims};
      const std::string combine = is_complex(value.dtype) || one_in(2) ? "add(" : one_in(2) ? "maximum(" : "subtract(";
      line(gated.name, value.dtype, value.dims, combine + value.name + ", " + other.name + ")");
      value = gated;
      if (one_in(6)) given.push_back(other);
    }
    bound_ *= static_cast<double>(products_.size());
  } else if (products_.size() > 1) {
    const Value& other = products_[1];
    if (other.dims == value.dims && one_in(2)) {  // one gates the other
      const Value gated = {fresh("gated"), value.dtype, value.dims};
      const bool selects =
          !rounds_ && !is_complex(value.dtype);  // a sum that is rounded may be on another side of zero
      std::string text = (is_complex(value.dtype) ? "add(" : "maximum(") + value.name + ", " + other.name + ")";
      if (selects) {
        const std::string positive = fresh("positive"), zeros = scalar(value.dtype, "0", value.dims);
        line(positive, DType::kPred, value.dims, "compare(" + value.name + ", " + zeros + "), direction=GT");
        text = "select(" + positive + ", " + other.name + ", " + zeros + ")";
      }
      line(gated.name, value.dtype, value.dims, text);
      value = gated;
    } else {
      given.push_back(one_in(2) ? other : elementwise(other));
    }
  }
  const Value first = value;
  if (parts_) value = in_parts(value);
  for (int i = static_cast<int>(random_.below(5)); i > 0; --i) value = follow(value);
  if (value.name != first.name && one_in(4)) given.insert(given.begin(), first);
  given.push_back(value);
  if (given.size() == 1) {
    text_ += "  ROOT same = " + shape_text(value.dtype, value.dims) + " copy(" + value.name + ")\n";
    return;
  }
  std::string shapes, names;
  for (const Value& one : given) {
    shapes += (shapes.empty() ? "" : ", ") + shape_text(one.dtype, one.dims);
    names += (names.empty() ? "" : ", ") + one.name;
  }
  text_ += "  ROOT results = (" + shapes + ") tuple(" + names + ")\n";
}

}  // namespace sinter
