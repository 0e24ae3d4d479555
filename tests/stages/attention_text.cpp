#include "tests/stages/attention_text.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "tests/stages/base/planned_programs.h"

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
    kWideWindow,
    kAround,    // of the keys beside a query's own place, on both sides
    kBehind,    // of a window behind the query; the last queries see no key
    kPadded,    // causal, and of the keys that are given
    kMaskedIn,  // causal, inside a select by the keys that are given
    kBeyond,    // of keys behind what an s64 holds: none
    kOfKeys,
    kBias,
    kOfProduct,  // a bias that is a product, in another order
    kAllHidden,
    kConstant,
    kNarrow,
    kPosition,    // of the keys up to a position that is given
    kNoPosition,  // before the first key: -infinity
    kRecent,      // of the last ones up to it, and softly capped
  } mask = Mask::kNone;
  bool values_first = false;  // the second product is dot(values, weights)
  bool special = false;       // infinities and NaNs
  std::string precision = {};
  int64_t sharing = 1;  // neighbours of the batch that have the same keys and values
  // A number that has a weight beside the keys': one more score, whose weight is left out, or added to the sum alone.
  enum class Sink { kNone, kScore, kInSum } sink = Sink::kNone;
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
    case Mask::kWideWindow:
      return text + places + "  up_to = " + pred + " compare(query, key), direction=GE\n  width_0 = s32[] constant(" +
             (spec.mask == Mask::kWindow ? "12" : "300") + ")\n  width = " + integers +
             " broadcast(width_0), dimensions={}\n  last = " + integers + " add(key, width)\n  from = " + pred +
             " compare(last, query), direction=GT\n  seen = " + pred + " and(up_to, from)\n" + hide("-1e9");
    case Mask::kAround:
      return text + places + "  apart = " + integers + " subtract(query, key)\n  distance = " + integers +
             " abs(apart)\n  width_0 = s32[] constant(30)\n  width = " + integers +
             " broadcast(width_0), dimensions={}\n  seen = " + pred + " compare(distance, width), direction=LT\n" +
             hide("-1e9");
    case Mask::kBehind:
      return text + places + "  by_0 = s32[] constant(70)\n  by = " + integers +
             " broadcast(by_0), dimensions={}\n  end = " + integers + " add(query, by)\n  begin = " + integers +
             " add(end, by)\n  from = " + pred + " compare(key, end), direction=LT\n  far = " + pred +
             " compare(key, begin), direction=LT\n  near = " + pred + " not(from)\n  seen = " + pred +
             " and(near, far)\n" + hide("-1e30");
    case Mask::kBeyond: {
      const std::string wide = "u64[" + dims + "]";
      return text + "  query = " + wide + " iota(), iota_dimension=1\n  key = " + wide +
             " iota(), iota_dimension=2\n  up_to = " + pred +
             " compare(query, key), direction=GE\n  far_0 = u64[] constant(18446744073709551611)\n  far = " + wide +
             " broadcast(far_0), dimensions={}\n  from = " + pred +
             " compare(key, far), direction=GE\n  seen = " + pred + " and(up_to, from)\n" + hide("-1e9");
    }
    case Mask::kPadded:
    case Mask::kMaskedIn: {
      const std::string given = "  given_0 = pred[" + std::to_string(spec.batch) + "," + std::to_string(spec.keys) +
                                "] parameter(3)\n  given = " + pred + " broadcast(given_0), dimensions={0,2}\n" +
                                places + "  before = " + pred + " compare(query, key), direction=GE\n";
      if (spec.mask == Mask::kPadded) return text + given + "  seen = " + pred + " and(given, before)\n" + hide("-1e9");
      return text + given + "  low = f32[] constant(-1e20)\n  lows = " + shape +
             " broadcast(low), dimensions={}\n  hidden = f32[] constant(-1e9)\n  hiddens = " + shape +
             " broadcast(hidden), dimensions={}\n  inside = " + shape + " select(before, scaled, hiddens)\n" +
             "  scores = " + shape + " select(given, inside, lows)\n";
    }
    case Mask::kOfKeys:
      return text + "  seen_0 = pred[" + std::to_string(spec.batch) + "," + std::to_string(spec.keys) +
             "] parameter(3)\n  seen = " + pred + " broadcast(seen_0), dimensions={0,2}\n" + hide("-1e9");
    case Mask::kPosition:
    case Mask::kNoPosition:
    case Mask::kRecent: {
      const std::string position = "  position = s32[] parameter(3)\n  key = " + integers +
                                   " iota(), iota_dimension=2\n  positions = " + integers +
                                   " broadcast(position), dimensions={}\n  up_to = " + pred +
                                   " compare(key, positions), direction=LE\n";
      if (spec.mask != Mask::kRecent) {
        const bool none = spec.mask == Mask::kNoPosition;
        return text + position + "  seen = " + pred + " copy(up_to)\n" + hide(none ? "-inf" : "-1e30");
      }
      return text + position + "  width_0 = s32[] constant(100)\n  width = " + integers +
             " broadcast(width_0), dimensions={}\n  last = " + integers + " add(key, width)\n  from = " + pred +
             " compare(last, positions), direction=GT\n  seen = " + pred +
             " and(up_to, from)\n  cap = f32[] constant(5)\n  caps = " + shape +
             " broadcast(cap), dimensions={}\n  part = " + shape + " divide(scaled, caps)\n  bent = " + shape +
             " tanh(part)\n  capped = " + shape + " multiply(bent, caps)\n  hidden = f32[] constant(-2.38e38)\n" +
             "  hiddens = " + shape + " broadcast(hidden), dimensions={}\n  scores = " + shape +
             " select(seen, capped, hiddens)\n";
    }
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
    case Mask::kOfProduct: {
      const auto of = [&](const std::vector<int64_t>& sizes) { return shape_text(spec.dtype, sizes); };
      return text + "  pairs = " + of({spec.queries, spec.keys, 24}) +
             " parameter(3)\n  heads = " + of({24, spec.batch}) +
             " parameter(4)\n  bias_0 = " + shape_text(DType::kF32, {spec.queries, spec.keys, spec.batch}) +
             " dot(pairs, heads), lhs_contracting_dims={2}, rhs_contracting_dims={0}\n  bias = " + shape +
             " transpose(bias_0), dimensions={2,0,1}\n  scores = " + shape + " add(scaled, bias)\n";
    }
  }
  return text;
}

// Keys or values, of which each is that of several neighbours of the batch.
std::string shared_operand(const AttentionSpec& spec, const std::string& name, int64_t parameter, int64_t width) {
  const auto shape = [&](const std::vector<int64_t>& dims) { return shape_text(spec.dtype, dims); };
  const std::string of = std::to_string(parameter);
  if (spec.sharing == 1)
    return "  " + name + " = " + shape({spec.batch, spec.keys, width}) + " parameter(" + of + ")\n";
  const int64_t batch = spec.batch / spec.sharing;
  return "  " + name + "_0 = " + shape({batch, spec.keys, width}) + " parameter(" + of + ")\n  " + name +
         "_1 = " + shape({batch, spec.sharing, spec.keys, width}) + " broadcast(" + name +
         "_0), dimensions={0,2,3}\n  " + name + " = " + shape({spec.batch, spec.keys, width}) + " reshape(" + name +
         "_1)\n";
}

DrawInput input_of(const AttentionSpec& spec) {
  const DrawInput any = few_values(10, spec.special);
  const int64_t position = spec.mask == AttentionSpec::Mask::kNoPosition ? -1 : spec.keys * 2 / 3;
  return [any, position](const Shape& shape, size_t number) {
    if (shape.dtype != DType::kS32) return any(shape, number);
    Literal literal(shape);
    literal.set_integer(0, position);
    return literal;
  };
}

// From `scores` to `weights`.
std::string softmax(const AttentionSpec& spec, const std::string& of_query) {
  using Sink = AttentionSpec::Sink;
  const auto row_of = [&](int64_t keys) { return "f32[" + of_query + "," + std::to_string(keys) + "]"; };
  const bool is_score = spec.sink == Sink::kScore;
  const std::string shape = row_of(spec.keys + (is_score ? 1 : 0)), rows = "f32[" + of_query + "]";
  std::string text;
  if (spec.sink != Sink::kNone) text += "  sink_0 = f32[" + std::to_string(spec.batch) + "] parameter(3)\n";
  if (is_score) {
    text += "  sink = " + row_of(1) + " broadcast(sink_0), dimensions={0}\n  all = " + shape +
            " concatenate(scores, sink), dimensions={2}\n";
  }
  const std::string scores = is_score ? "all" : "scores";
  text += "  none = f32[] constant(-inf)\n  most = " + rows + " reduce(" + scores +
          ", none), dimensions={2}, to_apply=largest\n  mosts = " + shape +
          " broadcast(most), dimensions={0,1}\n  less = " + shape + " subtract(" + scores +
          ", mosts)\n  weight = " + shape + " exponential(less)\n  zero = f32[] constant(0)\n  total = " + rows +
          " reduce(weight, zero), dimensions={2}, to_apply=sum\n";
  if (spec.sink == Sink::kInSum) {
    text += "  sink = " + rows + " broadcast(sink_0), dimensions={0}\n  sink_less = " + rows +
            " subtract(sink, most)\n  of_sink = " + rows + " exponential(sink_less)\n  all_total = " + rows +
            " add(of_sink, total)\n";
  }
  text += "  totals = " + shape + " broadcast(" + (spec.sink == Sink::kInSum ? "all_total" : "total") +
          "), dimensions={0,1}\n  " + (is_score ? "all_weights" : "weights") + " = " + shape +
          " divide(weight, totals)\n";
  if (is_score) {
    text += "  weights = " + row_of(spec.keys) + " slice(all_weights), slice={[0:" + std::to_string(spec.batch) +
            "], [0:" + std::to_string(spec.queries) + "], [0:" + std::to_string(spec.keys) + "]}\n";
  }
  return text;
}

StageProgram attention_program(const AttentionSpec& spec) {
  const std::string dims =
      std::to_string(spec.batch) + "," + std::to_string(spec.queries) + "," + std::to_string(spec.keys);
  const std::string of_query = std::to_string(spec.batch) + "," + std::to_string(spec.queries);
  const std::string shape = "f32[" + dims + "]";
  const std::string precision = spec.precision.empty() ? "" : ", " + spec.precision;
  std::string text =
      "HloModule " + spec.name +
      "\n\nlargest {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] maximum(a, b)\n}\n\n"
      "sum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n\nENTRY main {\n"
      "  q = " +
      shape_text(spec.dtype, {spec.batch, spec.queries, spec.features}) + " parameter(0)\n" +
      shared_operand(spec, "k", 1, spec.features) + shared_operand(spec, "v", 2, spec.values) +
      "  products = " + shape +
      " dot(q, k), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
      "rhs_contracting_dims={2}" +
      precision + "\n" + scores(spec, shape, dims) + softmax(spec, of_query) +
      "  w = " + shape_text(spec.dtype, {spec.batch, spec.queries, spec.keys}) + " convert(weights)\n";
  const std::vector<int64_t> results = spec.values_first ? std::vector<int64_t>{spec.batch, spec.values, spec.queries}
                                                         : std::vector<int64_t>{spec.batch, spec.queries, spec.values};
  text += "  ROOT y = " + shape_text(spec.dtype, results) +
          (spec.values_first ? " dot(v, w), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, "
                               "rhs_contracting_dims={2}"
                             : " dot(w, v), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
                               "rhs_contracting_dims={1}") +
          precision + "\n}\n";
  return {spec.name, text, input_of(spec)};
}

std::vector<StageProgram> programs(const std::vector<AttentionSpec>& specs) {
  std::vector<StageProgram> result;
  for (const AttentionSpec& spec : specs) result.push_back(attention_program(spec));
  return result;
}

constexpr DType kBF16 = DType::kBF16, kF16 = DType::kF16, kF32 = DType::kF32;
using Mask = AttentionSpec::Mask;
using Sink = AttentionSpec::Sink;

std::vector<AttentionSpec> sixteen_bits() {
  return {
      {"whole", kBF16, 2, 128, 128, 64, 64},
      {"half", kF16, 2, 130, 67, 64, 64, Mask::kCausal},
      {"few", kBF16, 3, 17, 5, 8, 8},
      {"wide", kF16, 1, 70, 90, 128, 128, Mask::kInfinite},
      {"widest", kBF16, 1, 70, 90, 256, 256, Mask::kCausal},
      {"widest_uneven", kF16, 2, 70, 60, 192, 136, Mask::kInfinite},
      {"uneven", kBF16, 2, 40, 130, 40, 24, Mask::kBias, true},
      {"uneven_product", kBF16, 3, 70, 90, 40, 24, Mask::kOfProduct, true},
      {"pairs", kBF16, 1, 33, 65, 6, 10, Mask::kOfKeys},
      {"hidden", kBF16, 1, 200, 200, 32, 64, Mask::kAllHidden},
      {"shifted", kF16, 1, 190, 300, 64, 32, Mask::kShifted},
      {"constant", kBF16, 2, 32, 32, 16, 16, Mask::kConstant},
      {"narrow", kBF16, 1, 64, 320, 16, 16, Mask::kNarrow},
      {"window", kBF16, 2, 400, 400, 64, 64, Mask::kWindow},
      {"window_of_few_keys", kF16, 1, 400, 150, 64, 64, Mask::kWindow},
      {"around", kF16, 1, 300, 333, 32, 64, Mask::kAround, true},
      {"behind", kBF16, 1, 260, 260, 64, 64, Mask::kBehind},
      {"wide_window", kBF16, 1, 700, 700, 64, 64, Mask::kWideWindow},
      {"beyond", kBF16, 1, 256, 256, 64, 64, Mask::kBeyond},
      {"padded", kBF16, 2, 200, 200, 64, 64, Mask::kPadded},
      {"masked_in", kF16, 2, 200, 200, 64, 64, Mask::kMaskedIn},
      {"sink", kBF16, 2, 200, 200, 64, 64, Mask::kCausal, false, false, "", 1, Sink::kScore},
      {"sink_in_sum", kF16, 2, 150, 170, 64, 64, Mask::kInfinite, false, true, "", 1, Sink::kInSum},
  };
}

std::vector<AttentionSpec> floats() {
  return {
      {"exact", kF32, 2, 64, 64, 64, 64},
      {"exact_causal", kF32, 1, 150, 150, 64, 64, Mask::kCausal},
      {"exact_infinite", kF32, 1, 100, 100, 16, 48, Mask::kInfinite, true},
      {"exact_wide", kF32, 1, 70, 45, 128, 96, Mask::kWindow},
      {"exact_widest", kF32, 1, 70, 13, 256, 192, Mask::kCausal},
      {"exact_around", kF32, 1, 150, 200, 64, 64, Mask::kAround},
      {"exact_padded", kF32, 2, 150, 150, 48, 48, Mask::kPadded, false, true},
      {"exact_odd", kF32, 3, 19, 37, 5, 7, Mask::kOfKeys},
      {"exact_bias", kF32, 1, 65, 33, 24, 40, Mask::kBias},
      {"exact_product", kF32, 2, 65, 33, 24, 40, Mask::kOfProduct},
      {"exact_hidden", kF32, 1, 90, 90, 16, 16, Mask::kAllHidden},
      {"exact_constant", kF32, 1, 32, 48, 16, 16, Mask::kConstant},
      {"exact_sink", kF32, 2, 100, 130, 32, 32, Mask::kInfinite, false, true, "", 1, Sink::kScore},
      {"exact_sink_in_sum", kF32, 3, 90, 90, 32, 32, Mask::kNone, false, true, "", 1, Sink::kInSum},
      {"exact_special", kF32, 2, 40, 24, 16, 16, Mask::kNone, false, true},
  };
}

std::vector<AttentionSpec> tf32() {
  const std::string precision = "algorithm=dot_tf32_tf32_f32";
  return {
      {"tf32_whole", kF32, 2, 128, 96, 64, 64, Mask::kNone, false, false, precision},
      {"tf32_causal", kF32, 1, 200, 200, 64, 64, Mask::kCausal, true, false, precision},
      {"tf32_wide", kF32, 1, 50, 70, 100, 128, Mask::kBias, false, false, precision},
      {"tf32_widest", kF32, 1, 50, 30, 256, 256, Mask::kCausal, false, false, precision},
  };
}

// Causal, with heads that share keys as a dimension of the queries, as jax.nn.dot_product_attention has it.
StageProgram grouped_causal() {
  const std::string text = R"(HloModule grouped_causal

largest {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] maximum(a, b)
}

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

ENTRY main {
  q = bf16[200,6,64] parameter(0)
  grouped = bf16[200,2,3,64] reshape(q)
  k = bf16[200,2,64] parameter(1)
  v = bf16[200,2,64] parameter(2)
  products = f32[2,200,3,200] dot(grouped, k), lhs_batch_dims={1}, rhs_batch_dims={1}, lhs_contracting_dims={3}, rhs_contracting_dims={2}
  by_head = f32[2,3,200,200] transpose(products), dimensions={0,2,1,3}
  query = s32[2,3,200,200] iota(), iota_dimension=2
  key = s32[2,3,200,200] iota(), iota_dimension=3
  seen = pred[2,3,200,200] compare(query, key), direction=GE
  hidden = f32[] constant(-2.38e38)
  hiddens = f32[2,3,200,200] broadcast(hidden), dimensions={}
  scores = f32[2,3,200,200] select(seen, by_head, hiddens)
  none = f32[] constant(-inf)
  most = f32[2,3,200] reduce(scores, none), dimensions={3}, to_apply=largest
  mosts = f32[2,3,200,200] broadcast(most), dimensions={0,1,2}
  less = f32[2,3,200,200] subtract(scores, mosts)
  weight = f32[2,3,200,200] exponential(less)
  zero = f32[] constant(0)
  total = f32[2,3,200] reduce(weight, zero), dimensions={3}, to_apply=sum
  totals = f32[2,3,200,200] broadcast(total), dimensions={0,1,2}
  weights = f32[2,3,200,200] divide(weight, totals)
  w = bf16[2,3,200,200] convert(weights)
  ROOT y = bf16[2,3,200,64] dot(w, v), lhs_batch_dims={0}, rhs_batch_dims={1}, lhs_contracting_dims={3}, rhs_contracting_dims={0}
}
)";
  return {"grouped_causal", text, few_values(10, false)};
}

// Keys are divided among warps, and blocks: of one key to many, of single queries to several instructions' rows.
std::vector<AttentionSpec> few_queries() {
  return {
      {"decode", kBF16, 4, 1, 1000, 128, 128, Mask::kPosition},
      {"decode_half", kF16, 6, 3, 1023, 64, 64, Mask::kRecent},
      {"decode_sink", kBF16, 6, 1, 3000, 64, 64, Mask::kNone, false, false, "", 1, Sink::kScore},
      {"decode_sink_in_sum", kF16, 2, 3, 333, 64, 64, Mask::kNone, false, false, "", 1, Sink::kInSum},
      {"decode_one_key", kBF16, 2, 16, 1, 64, 64},
      {"decode_few_keys", kF16, 2, 17, 7, 64, 64, Mask::kInfinite},
      {"decode_many_keys", kBF16, 1, 16, 4097, 64, 128, Mask::kOfKeys},
      {"decode_shared", kBF16, 12, 1, 700, 128, 128, Mask::kPosition, false, false, "", 4},
      {"decode_shared_odd", kF16, 9, 5, 333, 40, 24, Mask::kBias, false, false, "", 3},
      {"decode_widest", kBF16, 8, 1, 600, 256, 256, Mask::kPosition},
      {"decode_shared_wide", kF16, 8, 1, 600, 192, 128, Mask::kRecent, false, false, "", 4},
      {"decode_one_head", kBF16, 20, 1, 260, 64, 64, Mask::kRecent, false, false, "", 20},
      {"decode_none", kBF16, 2, 1, 300, 64, 64, Mask::kNoPosition},
      {"decode_causal", kF16, 2, 17, 1000, 64, 64, Mask::kCausal},
      {"decode_values_first", kBF16, 8, 1, 500, 64, 64, Mask::kPosition, true, false, "", 2},
      {"decode_special", kF16, 3, 2, 130, 16, 16, Mask::kNone, false, true},
  };
}

std::vector<AttentionSpec> few_queries_of_floats() {
  return {
      {"decode_exact", kF32, 2, 1, 1023, 64, 64, Mask::kPosition},
      {"decode_exact_wide", kF32, 2, 3, 333, 128, 128, Mask::kRecent},
      {"decode_exact_shared", kF32, 8, 1, 700, 64, 64, Mask::kPosition, false, false, "", 4},
      {"decode_exact_widest", kF32, 4, 1, 1500, 256, 192, Mask::kPosition},
      {"decode_exact_odd", kF32, 3, 16, 129, 5, 7, Mask::kOfKeys},
      {"decode_exact_none", kF32, 1, 2, 90, 16, 16, Mask::kNoPosition},
      {"decode_exact_special", kF32, 2, 2, 100, 16, 16, Mask::kNone, false, true},
      {"decode_exact_hidden", kF32, 1, 16, 2000, 32, 32, Mask::kAllHidden},
  };
}

// Weights are rounded to the type of the values before they are divided by their sum.
double tolerance_of_sixteen_bits(DType dtype) { return dtype == kBF16 ? 0.02 : 0.003; }
double tolerance_of_floats(DType) { return 1e-5; }
double tolerance_of_tf32(DType) { return 0.002; }

// A plan whose blocks have so many queries each; empty where blocks have them anyway.
std::string plan_of_rows(const StageProgram& program, const AttentionSpec& spec, int64_t rows) {
  std::string plan = plan_of(program);
  const size_t stage = plan.find("stage attend");
  if (stage == std::string::npos) return "";
  const size_t begin = plan.rfind("grid ", stage), end = plan.find(" {", begin);
  const std::string launch = "grid " + std::to_string(spec.batch * ceil_div(spec.queries, rows)) + " block 128";
  return plan.compare(begin, end - begin, launch) == 0 ? "" : plan.replace(begin, end - begin, launch);
}

std::vector<StageProgram> programs_of_rows(const std::vector<AttentionSpec>& specs) {
  constexpr int64_t kFewest = 64, kMost = 128, kNarrow = 64;
  std::vector<StageProgram> result;
  for (const AttentionSpec& spec : specs) {
    const bool exact = spec.dtype == kF32 && spec.precision.empty();
    const bool narrow = std::max(spec.features, spec.values) <= kNarrow && !exact;
    for (int64_t rows = kFewest; rows <= (narrow ? kMost : kFewest); rows *= 2) {
      StageProgram program = attention_program(spec);
      program.plan = plan_of_rows(program, spec, rows);
      program.name += "_of_" + std::to_string(rows);
      if (!program.plan.empty()) result.push_back(std::move(program));
    }
  }
  return result;
}

}  // namespace

std::vector<AttentionGroup> attention_groups() {
  return {
      {programs(sixteen_bits()), tolerance_of_sixteen_bits},    {programs(few_queries()), tolerance_of_sixteen_bits},
      {{grouped_causal()}, tolerance_of_sixteen_bits},          {programs(floats()), tolerance_of_floats},
      {programs(few_queries_of_floats()), tolerance_of_floats}, {programs(tf32()), tolerance_of_tf32}};
}

std::vector<AttentionGroup> attention_of_rows() {
  return {{programs_of_rows(sixteen_bits()), tolerance_of_sixteen_bits},
          {programs_of_rows(floats()), tolerance_of_floats},
          {programs_of_rows(tf32()), tolerance_of_tf32}};
}

}  // namespace sinter
