#include "tests/stages/attention_text.h"

namespace sinter {
namespace {

struct AttentionSpec {
  std::string name;
  DType dtype = DType::kF32;
  int64_t batch = 1, queries = 32, keys = 32, features = 16, values = 16;
  enum class Mask {
    kNone,
    kCausal,
    kShifted,
    kInfinite,
    kWindow,
    kOfKeys,
    kBias,
    kAllHidden,
    kConstant,
    kNarrow
  } mask = Mask::kNone;
  bool values_first = false;  // the second product is dot(values, weights)
  bool special = false;       // infinities and NaNs
  std::string precision = {};
};

std::string scores(const AttentionSpec& spec, const std::string& shape, const std::string& dims) {
  using Mask = AttentionSpec::Mask;
  const std::string pred = "pred[" + dims + "]", integers = "s32[" + dims + "]";
  std::string text =
      "  scale = f32[] constant(0.25)\n"
      "  scales = " +
      shape +
      " broadcast(scale), dimensions={}\n"
      "  scaled = " +
      shape + " multiply(products, scales)\n";
  const auto hide = [&](const std::string& with) {
    return "  hidden = f32[] constant(" + with + ")\n  hiddens = " + shape + " broadcast(hidden), dimensions={}\n" +
           "  scores = " + shape + " select(seen, scaled, hiddens)\n";
  };
  const std::string places =
      "  query = " + integers + " iota(), iota_dimension=1\n  key = " + integers + " iota(), iota_dimension=2\n";
  switch (spec.mask) {
    case Mask::kNone:
      return text + "  scores = " + shape + " copy(scaled)\n";
    case Mask::kCausal:
      return text + places + "  seen = " + pred + " compare(query, key), direction=GE\n" + hide("-1e9");
    case Mask::kAllHidden:  // the first 20 queries see no key, and weigh all alike
    case Mask::kShifted:
      return text + places + "  by_0 = s32[] constant(" + (spec.mask == Mask::kShifted ? "9" : "-20") +
             ")\n  by = " + integers + " broadcast(by_0), dimensions={}\n  shifted = " + integers +
             " add(query, by)\n  seen = " + pred + " compare(key, shifted), direction=LT\n" + hide("-1e30");
    case Mask::kInfinite:
      return text + places + "  seen = " + pred + " compare(key, query), direction=LE\n" + hide("-inf");
    case Mask::kWindow:
      return text + places + "  up_to = " + pred +
             " compare(query, key), direction=GE\n  width_0 = s32[] constant(12)\n" + "  width = " + integers +
             " broadcast(width_0), dimensions={}\n  last = " + integers + " add(key, width)\n  from = " + pred +
             " compare(last, query), direction=GT\n  seen = " + pred + " and(up_to, from)\n" + hide("-1e9");
    case Mask::kOfKeys:
      return text + "  seen_0 = pred[" + std::to_string(spec.batch) + "," + std::to_string(spec.keys) +
             "] parameter(3)\n  seen = " + pred + " broadcast(seen_0), dimensions={0,2}\n" + hide("-1e9");
    case Mask::kConstant: {  // an array in memory
      std::string slopes;
      for (int64_t key = 0; key < spec.keys; ++key)
        slopes += (key > 0 ? ", " : "") + std::to_string(static_cast<double>(key % 7) / 4);
      return text + "  slope = f32[" + std::to_string(spec.keys) + "] constant({" + slopes + "})\n  slopes = " + shape +
             " broadcast(slope), dimensions={2}\n  scores = " + shape + " add(scaled, slopes)\n";
    }
    case Mask::kNarrow: {  // places that wrap
      const std::string bytes = "s8[" + dims + "]";
      return text + "  query = " + bytes + " iota(), iota_dimension=1\n  key = " + bytes +
             " iota(), iota_dimension=2\n  seen = " + pred + " compare(query, key), direction=GE\n" + hide("-1e9");
    }
    case Mask::kBias:
      return text + "  bias_0 = f32[" + std::to_string(spec.queries) + "," + std::to_string(spec.keys) +
             "] parameter(3)\n  bias = " + shape + " broadcast(bias_0), dimensions={1,2}\n  scores = " + shape +
             " add(scaled, bias)\n";
  }
  return text;
}

StageProgram attention_program(const AttentionSpec& spec) {
  const std::string dims =
      std::to_string(spec.batch) + "," + std::to_string(spec.queries) + "," + std::to_string(spec.keys);
  const std::string of_query = std::to_string(spec.batch) + "," + std::to_string(spec.queries);
  const std::string shape = "f32[" + dims + "]", rows = "f32[" + of_query + "]";
  const std::string precision = spec.precision.empty() ? "" : ", " + spec.precision;
  const std::string v = shape_text(spec.dtype, {spec.batch, spec.keys, spec.values});
  std::string text =
      "HloModule " + spec.name +
      "\n\nlargest {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] maximum(a, b)\n}\n\n"
      "sum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n\nENTRY main {\n"
      "  q = " +
      shape_text(spec.dtype, {spec.batch, spec.queries, spec.features}) +
      " parameter(0)\n"
      "  k = " +
      shape_text(spec.dtype, {spec.batch, spec.keys, spec.features}) +
      " parameter(1)\n"
      "  v = " +
      v +
      " parameter(2)\n"
      "  products = " +
      shape +
      " dot(q, k), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
      "rhs_contracting_dims={2}" +
      precision + "\n" + scores(spec, shape, dims) +
      "  none = f32[] constant(-inf)\n"
      "  most = " +
      rows +
      " reduce(scores, none), dimensions={2}, to_apply=largest\n"
      "  mosts = " +
      shape +
      " broadcast(most), dimensions={0,1}\n"
      "  less = " +
      shape +
      " subtract(scores, mosts)\n"
      "  weight = " +
      shape +
      " exponential(less)\n"
      "  zero = f32[] constant(0)\n"
      "  total = " +
      rows +
      " reduce(weight, zero), dimensions={2}, to_apply=sum\n"
      "  totals = " +
      shape +
      " broadcast(total), dimensions={0,1}\n"
      "  weights = " +
      shape +
      " divide(weight, totals)\n"
      "  w = " +
      shape_text(spec.dtype, {spec.batch, spec.queries, spec.keys}) + " convert(weights)\n";
  const std::vector<int64_t> results = spec.values_first ? std::vector<int64_t>{spec.batch, spec.values, spec.queries}
                                                         : std::vector<int64_t>{spec.batch, spec.queries, spec.values};
  text += "  ROOT y = " + shape_text(spec.dtype, results) +
          (spec.values_first ? " dot(v, w), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, "
                               "rhs_contracting_dims={2}"
                             : " dot(w, v), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
                               "rhs_contracting_dims={1}") +
          precision + "\n}\n";
  return {spec.name, text, few_values(10, spec.special)};
}

std::vector<StageProgram> programs(const std::vector<AttentionSpec>& specs) {
  std::vector<StageProgram> result;
  for (const AttentionSpec& spec : specs) result.push_back(attention_program(spec));
  return result;
}

constexpr DType kBF16 = DType::kBF16, kF16 = DType::kF16, kF32 = DType::kF32;
using Mask = AttentionSpec::Mask;

std::vector<AttentionSpec> sixteen_bits() {
  return {
      {"whole", kBF16, 2, 128, 128, 64, 64},
      {"half", kF16, 2, 130, 67, 64, 64, Mask::kCausal},
      {"few", kBF16, 3, 17, 5, 8, 8},
      {"wide", kF16, 1, 70, 90, 128, 128, Mask::kInfinite},
      {"uneven", kBF16, 2, 40, 130, 40, 24, Mask::kBias, true},
      {"pairs", kBF16, 1, 33, 65, 6, 10, Mask::kOfKeys},
      {"hidden", kBF16, 1, 200, 200, 32, 64, Mask::kAllHidden},
      {"shifted", kF16, 1, 190, 300, 64, 32, Mask::kShifted},
      {"constant", kBF16, 2, 32, 32, 16, 16, Mask::kConstant},
      {"narrow", kBF16, 1, 64, 320, 16, 16, Mask::kNarrow},
  };
}

std::vector<AttentionSpec> floats() {
  return {
      {"exact", kF32, 2, 64, 64, 64, 64},
      {"exact_causal", kF32, 1, 150, 150, 64, 64, Mask::kCausal},
      {"exact_infinite", kF32, 1, 100, 100, 16, 48, Mask::kInfinite, true},
      {"exact_wide", kF32, 1, 70, 45, 128, 96, Mask::kWindow},
      {"exact_odd", kF32, 3, 19, 37, 5, 7, Mask::kOfKeys},
      {"exact_bias", kF32, 1, 65, 33, 24, 40, Mask::kBias},
      {"exact_hidden", kF32, 1, 90, 90, 16, 16, Mask::kAllHidden},
      {"exact_constant", kF32, 1, 32, 48, 16, 16, Mask::kConstant},
      {"exact_special", kF32, 2, 40, 24, 16, 16, Mask::kNone, false, true},
  };
}

std::vector<AttentionSpec> tf32() {
  const std::string precision = "algorithm=dot_tf32_tf32_f32";
  return {
      {"tf32_whole", kF32, 2, 128, 96, 64, 64, Mask::kNone, false, false, precision},
      {"tf32_causal", kF32, 1, 200, 200, 64, 64, Mask::kCausal, true, false, precision},
      {"tf32_wide", kF32, 1, 50, 70, 100, 128, Mask::kBias, false, false, precision},
  };
}

}  // namespace

std::vector<AttentionGroup> attention_groups() {
  // Weights are rounded to the type of the values before they are divided by their sum.
  return {{programs(sixteen_bits()), [](DType dtype) { return dtype == kBF16 ? 0.02 : 0.003; }},
          {programs(floats()), [](DType) { return 1e-5; }},
          {programs(tf32()), [](DType) { return 0.002; }}};
}

}  // namespace sinter
