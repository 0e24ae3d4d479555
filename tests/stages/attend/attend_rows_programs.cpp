// attend_rows_programs: attention whose keys and values are in memory in another form: of fewer bits, with a scale for
// each key or each head, with a zero point, in pages that a table names, in the cache of a layer. Each is compared with
// the evaluator.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

enum class Scale : uint8_t { kNone, kOfKey, kOfHead };

struct Cache {
  std::string name;
  DType dtype = DType::kBF16, stored = DType::kS8;  // of products, and in memory
  int64_t batch = 2, heads = 2, group = 4, queries = 1, keys = 67, features = 40, values = 24;
  Scale scale = Scale::kNone;
  int64_t page = 0;  // keys of a page; 0: there are none
  bool layers = false, zero_point = false, causal = false;
};

using Dims = std::vector<int64_t>;

constexpr int64_t kMorePages = 3, kLayers = 3;
int64_t pages_of(const Cache& c) { return c.batch * (c.keys / c.page) + kMorePages; }

class CacheText {
 public:
  explicit CacheText(const Cache& cache) : c_(cache) {}

  std::string run() {
    text_ =
        "HloModule " + c_.name +
        "\n\nlargest {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] maximum(a, b)\n}\n\n"
        "sum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n\nENTRY main {\n";
    parameter("q", c_.dtype, {c_.batch, c_.queries, c_.heads, c_.group, c_.features});
    if (c_.page > 0) parameter("table", DType::kS32, {c_.batch, c_.keys / c_.page});
    if (c_.layers) {
      parameter("layer", DType::kS32, {});
      line("none_before", DType::kS32, {}, "constant(0)");
    }
    operand("k", c_.features);
    operand("v", c_.values);
    const Dims scores = {c_.batch, c_.heads, c_.queries, c_.group, c_.keys};
    const Dims rows = {c_.batch, c_.heads, c_.queries, c_.group};
    const DType f32 = DType::kF32;
    line("products", f32, scores,
         "dot(q, k), lhs_batch_dims={0,2}, rhs_batch_dims={0,2}, lhs_contracting_dims={4}, rhs_contracting_dims={3}");
    line("by", f32, {}, "constant(0.125)");
    line("bys", f32, scores, "broadcast(by), dimensions={}");
    line("scaled", f32, scores, "multiply(products, bys)");
    if (c_.causal) {
      line("query", DType::kS32, scores, "iota(), iota_dimension=2");
      line("key", DType::kS32, scores, "iota(), iota_dimension=4");
      line("seen", DType::kPred, scores, "compare(query, key), direction=GE");
      line("low", f32, {}, "constant(-1e9)");
      line("lows", f32, scores, "broadcast(low), dimensions={}");
      line("masked", f32, scores, "select(seen, scaled, lows)");
    }
    const std::string score = c_.causal ? "masked" : "scaled";
    line("none", f32, {}, "constant(-inf)");
    line("most", f32, rows, "reduce(" + score + ", none), dimensions={4}, to_apply=largest");
    line("mosts", f32, scores, "broadcast(most), dimensions={0,1,2,3}");
    line("less", f32, scores, "subtract(" + score + ", mosts)");
    line("weight", f32, scores, "exponential(less)");
    line("zero", f32, {}, "constant(0)");
    line("total", f32, rows, "reduce(weight, zero), dimensions={4}, to_apply=sum");
    line("totals", f32, scores, "broadcast(total), dimensions={0,1,2,3}");
    line("weights", f32, scores, "divide(weight, totals)");
    line("w", c_.dtype, scores, "convert(weights)");
    line("ROOT y", c_.dtype, {c_.batch, c_.heads, c_.queries, c_.group, c_.values},
         "dot(w, v), lhs_batch_dims={0,1}, rhs_batch_dims={0,2}, lhs_contracting_dims={4}, rhs_contracting_dims={1}");
    return text_ + "}\n";
  }

 private:
  void line(const std::string& value, DType dtype, const Dims& dims, const std::string& what) {
    text_ += "  " + value + " = " + shape_text(dtype, dims) + " " + what + "\n";
  }
  void parameter(const std::string& value, DType dtype, const Dims& dims) {
    line(value, dtype, dims, "parameter(" + std::to_string(parameters_++) + ")");
  }

  // Keys or values, `of` each.
  void operand(const std::string& x, int64_t of) {
    const Dims all = {c_.batch, c_.keys, c_.heads, of};
    const std::string heads = std::to_string(c_.heads), width = std::to_string(of);
    if (c_.page > 0) {
      parameter(x + "_pool", c_.stored, {pages_of(c_), c_.page, c_.heads, of});
      line(x + "_pages", c_.stored, {c_.batch, c_.keys / c_.page, c_.page, c_.heads, of},
           "gather(" + x +
               "_pool, table), offset_dims={2,3,4}, collapsed_slice_dims={0}, start_index_map={0}, "
               "index_vector_dim=2, slice_sizes={1," +
               std::to_string(c_.page) + "," + heads + "," + width + "}");
      line(x + "_stored", c_.stored, all, "reshape(" + x + "_pages)");
    } else if (c_.layers) {
      parameter(x + "_layers", c_.stored, {kLayers, c_.batch, c_.keys, c_.heads, of});
      line(x + "_layer", c_.stored, {1, c_.batch, c_.keys, c_.heads, of},
           "dynamic-slice(" + x +
               "_layers, layer, none_before, none_before, none_before, none_before), "
               "dynamic_slice_sizes={1," +
               std::to_string(c_.batch) + "," + std::to_string(c_.keys) + "," + heads + "," + width + "}");
      line(x + "_stored", c_.stored, all, "reshape(" + x + "_layer)");
    } else {
      parameter(x + "_stored", c_.stored, all);
    }
    line(x + "_wide", c_.dtype, all, (c_.stored == c_.dtype ? "copy(" : "convert(") + x + "_stored)");
    std::string value = x + "_wide";
    if (c_.zero_point) {
      line(x + "_zero_0", c_.dtype, {}, "constant(3)");
      line(x + "_zero", c_.dtype, all, "broadcast(" + x + "_zero_0), dimensions={}");
      line(x + "_less", c_.dtype, all, "subtract(" + value + ", " + x + "_zero)");
      value = x + "_less";
    }
    if (c_.scale == Scale::kOfKey) {
      parameter(x + "_scale", c_.dtype, {c_.batch, c_.keys, c_.heads});
      line(x + "_scales", c_.dtype, all, "broadcast(" + x + "_scale), dimensions={0,1,2}");
    } else if (c_.scale == Scale::kOfHead) {
      parameter(x + "_wide_scale", DType::kF32, {c_.heads});
      line(x + "_scale", c_.dtype, {c_.heads}, "convert(" + x + "_wide_scale)");
      line(x + "_scales", c_.dtype, all, "broadcast(" + x + "_scale), dimensions={2}");
    } else {
      line(x, c_.dtype, all, "copy(" + value + ")");
      return;
    }
    line(x, c_.dtype, all, "multiply(" + value + ", " + x + "_scales)");
  }

  const Cache c_;
  int64_t parameters_ = 0;
  std::string text_;
};

// Pages in no order, one of them behind the last: the last is read.
DrawInput input_of(const Cache& cache) {
  const DrawInput any = few_values(10, false);
  return [any, cache](const Shape& shape, size_t number) {
    if (shape.dtype != DType::kS32) return any(shape, number);
    Literal literal(shape);
    for (int64_t i = 0; i < shape.element_count(); ++i)
      literal.set_integer(i, cache.layers ? 1 : (i * 5 + 2) % (pages_of(cache) + 1));
    return literal;
  };
}

constexpr DType kBF16 = DType::kBF16, kF16 = DType::kF16, kF32 = DType::kF32, kS8 = DType::kS8;

std::vector<Cache> sixteen_bits() {
  using enum Scale;
  return {
      {.name = "bytes", .scale = kOfKey},
      {.name = "floats_of_8_bits", .stored = DType::kF8E4M3FN, .heads = 3, .group = 2, .keys = 130, .features = 64},
      {.name = "of_head",
       .dtype = kF16,
       .heads = 1,
       .group = 2,
       .queries = 2,
       .keys = 200,
       .features = 72,
       .scale = kOfHead},
      {.name = "zero_point", .group = 3, .features = 16, .values = 16, .scale = kOfKey, .zero_point = true},
      {.name = "many_queries",
       .batch = 1,
       .group = 1,
       .queries = 150,
       .keys = 150,
       .features = 64,
       .values = 64,
       .scale = kOfKey,
       .causal = true},
      {.name = "pages", .stored = kBF16, .batch = 3, .group = 1, .keys = 96, .features = 32, .values = 64, .page = 8},
      {.name = "pages_of_bytes", .keys = 70, .features = 64, .values = 128, .scale = kOfKey, .page = 7},
      {.name = "pages_of_many",
       .dtype = kF16,
       .stored = kF16,
       .heads = 1,
       .group = 1,
       .queries = 130,
       .keys = 99,
       .page = 11},
      {.name = "wide",
       .stored = DType::kF8E5M2,
       .heads = 1,
       .keys = 100,
       .features = 256,
       .values = 256,
       .scale = kOfKey},
      {.name = "wider_in_memory", .stored = kF32, .keys = 100, .features = 64, .values = 64},
      {.name = "groups_of_four", .heads = 1, .keys = 90, .features = 20, .values = 12, .scale = kOfKey},
      {.name = "layers", .stored = kBF16, .keys = 75, .features = 32, .values = 32, .layers = true},
      {.name = "layers_of_bytes", .keys = 130, .features = 48, .values = 32, .scale = kOfHead, .layers = true},
  };
}

std::vector<Cache> floats() {
  using enum Scale;
  return {
      {.name = "exact_bytes",
       .dtype = kF32,
       .stored = DType::kU8,
       .group = 1,
       .keys = 75,
       .scale = kOfKey,
       .zero_point = true},
      {.name = "exact_many",
       .dtype = kF32,
       .stored = kS8,
       .batch = 1,
       .heads = 1,
       .group = 2,
       .queries = 70,
       .keys = 77,
       .features = 20,
       .values = 36,
       .scale = kOfKey},
      {.name = "exact_pages",
       .dtype = kF32,
       .stored = kF32,
       .heads = 1,
       .keys = 90,
       .features = 32,
       .values = 16,
       .page = 9},
      {.name = "exact_halves", .dtype = kF32, .stored = kF16, .keys = 64, .features = 128, .values = 96},
  };
}

std::vector<StageProgram> programs(const std::vector<Cache>& caches) {
  std::vector<StageProgram> result;
  for (const Cache& cache : caches) result.push_back({cache.name, CacheText(cache).run(), input_of(cache)});
  return result;
}

}  // namespace
}  // namespace sinter

int main() {
  using namespace sinter;
  const int sixteen_bit =
      run_stage_programs(programs(sixteen_bits()), [](DType dtype) { return dtype == kBF16 ? 0.02 : 0.003; });
  return sixteen_bit | run_stage_programs(programs(floats()), [](DType) { return 1e-5; });
}
