// What stands before a product: an array that is read as it is, moved, or computed of others.
#include "tests/stages/contractions/contraction_writer.h"
#include "tests/stages/stage_programs.h"

namespace sinter {

std::string ContractionWriter::operand(const std::string& name, DType dtype, const Dims& dims, double* magnitude) {
  const size_t rank = dims.size();
  const bool small = dtype_bytes(dtype) == 1;  // with no arithmetic of its own worth having
  if (rank == 0 || one_in(2)) return parameter(name, dtype, dims);
  switch (random_.below(small ? 7 : 12)) {
    case 0: {  // the inside of a larger array
      Dims larger = dims;
      std::string bounds;
      for (int64_t& size : larger) {
        const int64_t first = one_in(2) ? 0 : between(0, 5), more = one_in(2) ? 0 : between(0, 5);
        bounds += (bounds.empty() ? "[" : ", [") + std::to_string(first) + ":" + std::to_string(first + size) + "]";
        size += first + more;
      }
      const std::string given = parameter(name + "_given", dtype, larger);
      line(name, dtype, dims, "slice(" + given + "), slice={" + bounds + "}");
      return name;
    }
    case 1: {
      const std::vector<size_t> order = shuffled(rank);
      Dims given_dims(rank), permutation;
      for (size_t d = 0; d < rank; ++d) {
        given_dims[order[d]] = dims[d];
        permutation.push_back(static_cast<int64_t>(order[d]));
      }
      const std::string given = parameter(name + "_given", dtype, given_dims);
      line(name, dtype, dims, "transpose(" + given + "), dimensions=" + list(permutation));
      return name;
    }
    case 2: {  // the same along a dimension
      const size_t d = below(rank);
      Dims fewer, kept;
      for (size_t i = 0; i < rank; ++i) {
        if (i == d) continue;
        fewer.push_back(dims[i]);
        kept.push_back(static_cast<int64_t>(i));
      }
      const std::string given = parameter(name + "_given", dtype, fewer);
      line(name, dtype, dims, "broadcast(" + given + "), dimensions=" + list(kept));
      return name;
    }
    case 3: {
      const std::string given = parameter(name + "_given", dtype, dims);
      line(name, dtype, dims, "reverse(" + given + "), dimensions=" + list({static_cast<int64_t>(below(rank))}));
      return name;
    }
    case 4: {  // of one row after the other
      const std::string given = parameter(name + "_given", dtype, {product(dims)});
      line(name, dtype, dims, "reshape(" + given + ")");
      return name;
    }
    case 5: {  // a smaller array with zeros around it
      Dims smaller = dims;
      std::string padding;
      for (int64_t& size : smaller) {
        const int64_t low = size > 1 && one_in(2) ? 1 : 0, high = size > 3 && one_in(2) ? 2 : 0;
        size -= low + high;
        padding += (padding.empty() ? "" : "x") + std::to_string(low) + "_" + std::to_string(high);
      }
      const std::string given = parameter(name + "_given", dtype, smaller);
      line(name + "_zero", dtype, {}, is_complex(dtype) ? "constant((0, 0))" : "constant(0)");
      line(name, dtype, dims, "pad(" + given + ", " + name + "_zero), padding=" + padding);
      return name;
    }
    case 6: {  // two arrays side by side
      const size_t d = below(rank);
      if (dims[d] < 2) return parameter(name, dtype, dims);
      Dims first = dims, second = dims;
      first[d] = between(1, dims[d] - 1);
      second[d] -= first[d];
      const std::string a = parameter(name + "_a", dtype, first), b = parameter(name + "_b", dtype, second);
      line(name, dtype, dims, "concatenate(" + a + ", " + b + "), dimensions=" + list({static_cast<int64_t>(d)}));
      return name;
    }
    case 7: {  // of another type
      const DType from = is_integer(dtype) ? DType::kS16
                         : one_in(2)       ? DType::kS8
                         : one_in(2)       ? DType::kF8E4M3FN
                                           : DType::kBF16;
      const std::string given = parameter(name + "_given", from, dims);
      line(name, dtype, dims, "convert(" + given + ")");
      if (from == DType::kS8 && !rounds_) *magnitude *= 4;
      if (from == DType::kS8 && rounds_) *magnitude *= 128;
      return name;
    }
    case 8: {  // scaled, or moved, along a dimension; bytes with a scale
      const auto d = static_cast<int64_t>(below(rank));
      const bool bytes = !is_integer(dtype) && one_in(2);
      std::string given = parameter(name + "_given", bytes ? DType::kS8 : dtype, dims);
      if (bytes) {
        line(name + "_wide", dtype, dims, "convert(" + given + ")");
        given = name + "_wide";
        *magnitude *= rounds_ ? 128 : 4;
      }
      const std::string scale = parameter(name + "_scale", dtype, {dims[static_cast<size_t>(d)]});
      line(name + "_scales", dtype, dims, "broadcast(" + scale + "), dimensions=" + list({d}));
      const bool multiplies = one_in(2);
      if (!multiplies) *magnitude += 1;
      line(name, dtype, dims, std::string(multiplies ? "multiply(" : "add(") + given + ", " + name + "_scales)");
      return name;
    }
    case 9: {  // two arrays, added
      const std::string a = parameter(name + "_a", dtype, dims), b = parameter(name + "_b", dtype, dims);
      line(name, dtype, dims, "subtract(" + a + ", " + b + ")");
      *magnitude += 1;
      return name;
    }
    case 10: {  // none above a diagonal
      const auto d = static_cast<int64_t>(below(rank));
      const std::string given = parameter(name + "_given", dtype, dims);
      line(name + "_place", DType::kS32, dims, "iota(), iota_dimension=" + std::to_string(d));
      line(name + "_other", DType::kS32, dims, "iota(), iota_dimension=" + std::to_string(rank - 1));
      line(name + "_below", DType::kPred, dims, "compare(" + name + "_place, " + name + "_other), direction=GE");
      const std::string zeros = scalar(dtype, "0", dims);
      line(name, dtype, dims, "select(" + name + "_below, " + given + ", " + zeros + ")");
      return name;
    }
    default: {
      const std::string given = parameter(name + "_given", dtype, dims);
      line(name, dtype, dims,
           (is_complex(dtype) ? "add(" : "maximum(") + given + ", " + scalar(dtype, "0", dims) + ")");
      return name;
    }
  }
}

}  // namespace sinter
