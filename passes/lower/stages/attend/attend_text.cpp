#include "passes/lower/stages/attend/attend_text.h"

#include "passes/lower/stages/attend/weighted_values.h"

namespace sinter {

const std::set<std::string>& attend_names() {
  static const std::set<std::string> names = {"a",           "a_big",       "a_small",
                                              "b",           "b_big",       "b_small",
                                              "b_finite",    "infinite",    "base",
                                              "batch",       "c",           "column",
                                              "e",           "f",           "feature",
                                              "first_key",   "first_query", "group",
                                              "half",        "here",        "i",
                                              "j",           "key",         "operands",
                                              "pair",        "x",           "s",
                                              "last",        "lane",        "largest",
                                              "more",        "most",        "part",
                                              "query",       "r",           "results",
                                              "row",         "score",       "scores",
                                              "seen_tiles",  "shared",      "shift",
                                              "shrink",      "sum",         "thread",
                                              "tile",        "to",          "total",
                                              "value",       "w",           "w_big",
                                              "w_small",     "warp_row",    "weight",
                                              "weights",     "copy_tile",   "product_again",
                                              "sums",        "finished",    "first_tile",
                                              "of_warp",     "partial",     "partial_largest",
                                              "partial_sum", "first_part",  "p",
                                              "scale",       "tile_number", "tiles",
                                              "turn",        "take_tile",   "is_whole",
                                              "whole_tiles", "turns",       "warp",
                                              "sink_of",     "raw",         "elements",
                                              "of_row",      "raw_elements"};
  return names;
}

std::string AttendText::raw_tile() const {
  if (!converts()) return "";
  return "  struct Raw {  // a tile as it is in memory\n"
         "    alignas(16) " +
         raw_keys +
         " keys[kTileN * kDepth];\n"
         "    alignas(16) " +
         raw_values +
         " values[kTileN * kWidth];\n"
         "  };\n";
}

std::string AttendText::shared() const {
  return "struct Shared {\n"
         "  struct Tile {\n"
         "    " +
         element +
         " keys[kTileN * kRow];\n"
         "    " +
         element +
         " values[kTileN * kValueRow];\n"
         "  };\n" +
         raw_tile() +
         "  struct Operands {\n"
         "    " +
         element + " queries[kTileM * kRow];\n" +
         (by_keys ? (converts() ? "    Tile tile[kWarps];\n"
                                  "    Raw tiles[kWarps][kStages];\n"
                                : "    Tile tiles[kWarps][kStages];\n") +
                        std::string("  };\n"
                                    "  struct Sums {  // of a warp\n"
                                    "    float results[kTileM * kResultRow];\n"
                                    "    float largest[kTileM], sum[kTileM];\n"
                                    "  };\n"
                                    "  union {\n"
                                    "    alignas(128) Operands operands;\n"
                                    "    Sums of_warp[kWarps];\n"
                                    "  };\n"
                                    "  float scale[") +
                        std::string(parts > 1 ? "kParts > kWarps ? kParts : kWarps" : "kWarps") +
                        "][kTileM];\n"
                        "  float total[kTileM];\n"
                        "};\n"
                  : std::string(converts() ? "    Tile tile;\n"
                                             "    Raw tiles[2];\n"
                                           : "    Tile tile[2];\n") +
                        "  };\n"
                        "  union {\n"
                        "    alignas(128) Operands operands;\n"
                        "    float results[kTileM * kResultRow];\n"
                        "  };\n"
                        "};\n");
}

std::string AttendText::queries_of(const std::string& to, const std::string& step, const std::string& indent) const {
  const std::string feature = keeps_queries ? ", feature = " : ";\n" + indent + "const int feature = ";
  std::string text = indent + "const int row = " + first_row() + "i * kMmaM + lane % 16" + feature + step +
                     " * kMmaK + lane / 16 * kChunk;\n" + indent + "ldmatrix_x4(" + to +
                     ", &operands.queries[row * kRow + feature]);\n";
  if (product == TensorCoreForm::Product::kTf32)
    text += indent + "for (uint32_t& x : " + to + ") x = to_tf32(__uint_as_float(x));\n";
  return text;
}

std::string AttendText::load_queries() const {
  const std::string text =
      std::string(by_keys ? "wait_copies<kStages - 2>();\n" : "wait_copies<0>();\n") + "__syncthreads();\n";
  if (!keeps_queries) return text;
  return text +
         "uint32_t a[kMmasM][kSteps][4];\n"
         "for (int i = 0; i < kMmasM; ++i) {\n"
         "#pragma unroll\n"
         "  for (int c = 0; c < kSteps; ++c) {\n" +
         queries_of("a[i][c]", "c", "    ") +
         "  }\n"
         "}\n";
}

std::string AttendText::products() const {
  std::string text =
      "float scores[kMmasM][kEights][4] = {};\n"
      "#pragma unroll\n"
      "for (int c = 0; c < kSteps; c += 2) {\n";
  if (!keeps_queries) {
    text +=
        "  uint32_t a[kMmasM][2][4];  // of all steps there is no room in registers\n"
        "  for (int i = 0; i < kMmasM; ++i) {\n"
        "    for (int s = 0; s < 2; ++s) {\n" +
        queries_of("a[i][s]", "(c + s)", "      ") +
        "    }\n"
        "  }\n";
  }
  const std::string first = keeps_queries ? "c" : "0", second = keeps_queries ? "c + 1" : "1";
  text +=
      "  for (int j = 0; j < kEights; ++j) {\n"
      "    uint32_t b[4];\n"
      "    ldmatrix_x4(b, &here.keys[(j * 8 + lane % 8) * kRow + c * kMmaK + lane / 8 * kChunk]);\n";
  if (splits()) {
    text +=
        "    uint32_t b_big[4], b_small[4];\n"
        "    for (int r = 0; r < 4; ++r) split_tf32(b[r], b_big[r], b_small[r]);\n"
        "    for (int i = 0; i < kMmasM; ++i) {\n"
        "      float part[4] = {};\n"
        "      for (int s = 0; s < 2; ++s) {\n"
        "        uint32_t a_big[4], a_small[4];\n"
        "        for (int r = 0; r < 4; ++r) split_tf32(a[i][" +
        std::string(keeps_queries ? "c + s" : "s") +
        "][r], a_big[r], a_small[r]);\n"
        "        mma_tf32(part, a_small, {b_big[s * 2], b_big[s * 2 + 1]});\n"
        "        mma_tf32(part, a_big, {b_small[s * 2], b_small[s * 2 + 1]});\n"
        "        mma_tf32(part, a_big, {b_big[s * 2], b_big[s * 2 + 1]});\n"
        "      }\n"
        "      for (int r = 0; r < 4; ++r) scores[i][j][r] += part[r];\n"
        "    }\n";
  } else {
    if (is_float()) text += "    for (uint32_t& x : b) x = to_tf32(__uint_as_float(x));\n";
    text += "    for (int i = 0; i < kMmasM; ++i) {\n      " + mma + "(scores[i][j], a[i][" + first +
            "], {b[0], b[1]});\n      " + mma + "(scores[i][j], a[i][" + second + "], {b[2], b[3]});\n    }\n";
  }
  return text +
         "  }\n"
         "}\n";
}

std::string AttendText::softmax() const {
  // One multiply-add and one instruction for 2 to its power: of large scores the product is rounded by too much.
  const std::string to_weights =
      splits() ? "    for (int e = 0; e < kEights * 2; ++e) {\n"
                 "      float& weight = scores[i][e / 2][half * 2 + e % 2];\n"
                 "      weight = expf(weight - base);\n"
               : "    float shift = base * kLog2E;\n"
                 "    if (fabsf(base) > kLargeScore) {  // the shift would be rounded by too much\n"
                 "      for (int e = 0; e < kEights * 2; ++e) scores[i][e / 2][half * 2 + e % 2] -= base;\n"
                 "      shift = 0.0f;\n"
                 "    }\n"
                 "    for (int e = 0; e < kEights * 2; ++e) {\n"
                 "      float& weight = scores[i][e / 2][half * 2 + e % 2];\n"
                 "      weight = exp2_approx(fmaf(weight, kLog2E, -shift));\n";
  return "// weights, beside the largest score so far; what was summed beside a smaller one shrinks\n"
         "#pragma unroll\n"
         "for (int i = 0; i < kMmasM; ++i) {\n"
         "  for (int half = 0; half < 2; ++half) {\n"
         "    float most = scores[i][0][half * 2];\n"
         "    for (int e = 1; e < kEights * 2; ++e)\n"
         "      most = fmaxf(most, scores[i][e / 2][half * 2 + e % 2]);\n"
         "    most = warp_reduce<4>(most, [](float x, float y) { return fmaxf(x, y); });\n"
         "    most = fmaxf(largest[i][half], most);\n"
         "    const float base = most == -INFINITY ? 0.0f : most;  // all scores are -infinity: no weight\n"
         "    const float shrink = " +
         weight_of("largest[i][half] - base") +
         ";\n"
         "    largest[i][half] = most;\n"
         "    sum[i][half] *= shrink;\n"
         "    for (int e = 0; e < kValueEights * 2; ++e) results[i][e / 2][half * 2 + e % 2] *= shrink;\n" +
         to_weights +
         "      sum[i][half] += weight;\n"
         "    }\n"
         "  }\n"
         "}\n";
}

std::string AttendText::add_values() const {
  return add_weighted_values({.product = product, .element = element, .mma = mma, .narrow = narrow});
}

std::string AttendText::add_sink(const std::string& largest, const std::string& indent) const {
  if (sink == Sink::kNone) return "";
  const std::string add = indent + "total += " + weight_of("sink_of(row) - " + largest) + ";\n";
  const std::string beside = sink == Sink::kInLargest ? "sink_of(row) == INFINITY" : largest + " == -INFINITY";
  return add + indent + "if (" + beside + ") total = NAN;  // as the definition has it\n";
}

std::string AttendText::results_to_shared() const {
  return "// results, to shared memory, which the tiles no longer need: then a row's are neighbours\n"
         "wait_copies<0>();\n"
         "__syncthreads();\n"
         "for (int i = 0; i < kMmasM; ++i) {\n"
         "#pragma unroll\n"
         "  for (int half = 0; half < 2; ++half) {\n"
         "    " +
         std::string(sink == Sink::kNone ? "const " : "") +
         "float total = warp_reduce<4>(sum[i][half], [](float x, float y) { return x + y; });\n"
         "    const int row = warp_row + i * kMmaM + half * 8 + group;\n" +
         add_sink("largest[i][half]", "    ") +
         "    for (int f = 0; f < kValueEights; ++f) {\n"
         "      const Vector<float, 2> pair = {results[i][f][half * 2] / total,\n"
         "                                     results[i][f][half * 2 + 1] / total};\n"
         "      store_vector(&shared.results[row * kResultRow + f * 8 + lane % 4 * 2], pair);\n"
         "    }\n"
         "  }\n"
         "}\n"
         "__syncwarp();\n";
}

std::string AttendText::warps_to_shared() const {
  return "// what the warp has, to shared memory, which the tiles no longer need\n"
         "wait_copies<0>();\n"
         "__syncthreads();\n"
         "for (int i = 0; i < kMmasM; ++i) {\n"
         "#pragma unroll\n"
         "  for (int half = 0; half < 2; ++half) {\n"
         "    const float total = warp_reduce<4>(sum[i][half], [](float x, float y) { return x + y; });\n"
         "    const int row = i * kMmaM + half * 8 + group;\n"
         "    Shared::Sums& to = shared.of_warp[warp];\n"
         "    if (lane % 4 == 0) {\n"
         "      to.largest[row] = largest[i][half];\n"
         "      to.sum[row] = total;\n"
         "    }\n"
         "    for (int f = 0; f < kValueEights; ++f) {\n"
         "      const Vector<float, 2> pair = {results[i][f][half * 2], results[i][f][half * 2 + 1]};\n"
         "      store_vector(&to.results[row * kResultRow + f * 8 + lane % 4 * 2], pair);\n"
         "    }\n"
         "  }\n"
         "}\n"
         "__syncthreads();\n";
}

std::string AttendText::combine_warps() const {
  std::string text = parts > 1 ? "// what the block has of the keys: what its warps have, in their order, each scaled "
                                 "as if beside\n// the largest score of all of them\n"
                               : "// the results: what warps have, in their order, each scaled as if beside the "
                                 "largest score of\n// all, divided by the sum of all weights\n";
  text +=
      "for (int row = thread; row < kPartM; row += kThreads) {\n"
      "  float most = -INFINITY, total = 0.0f;\n"
      "  for (const Shared::Sums& sums : shared.of_warp) most = fmaxf(most, sums.largest[row]);\n"
      "  const float base = most == -INFINITY ? 0.0f : most;\n"
      "  for (int w = 0; w < kWarps; ++w) {\n"
      "    const Shared::Sums& sums = shared.of_warp[w];\n"
      "    shared.scale[w][row] = " +
      weight_of("sums.largest[row] - base") +
      ";\n"
      "    total += shared.scale[w][row] * sums.sum[row];\n"
      "  }\n";
  text += parts > 1 ? "  partial_largest[part * kPartM + row] = most;\n"
                      "  partial_sum[part * kPartM + row] = total;\n"
                    : add_sink("most", "  ") + "  shared.total[row] = total;\n";
  text +=
      "}\n"
      "__syncthreads();\n"
      "for (int e = thread * 4; e < kPartM * kWidth; e += kThreads * 4) {\n"
      "  const int row = e / kWidth, at = row * kResultRow + e % kWidth;\n"
      "  Vector<float, 4> value = {};\n"
      "#pragma unroll\n"
      "  for (int w = 0; w < kWarps; ++w) {\n"
      "    const Vector<float, 4> more = load_vector<4>(&shared.of_warp[w].results[at]);\n"
      "    for (int r = 0; r < 4; ++r) value[r] += shared.scale[w][row] * more[r];\n"
      "  }\n";
  if (parts > 1) {
    return text +
           "  store_vector(&partial[part * kPartM * kWidth + e], value);\n"
           "}\n";
  }
  return text +
         "  for (int r = 0; r < 4; ++r) value[r] /= shared.total[row];\n"
         "  store_vector(&shared.of_warp[0].results[at], value);\n"
         "}\n"
         "__syncthreads();\n";
}

std::string AttendText::combine_parts() const {
  return "// the last block of these queries to finish: the results, of all parts, in their order\n"
         "if (!is_last_of(&finished[tile_number], kParts - 1)) return;\n"
         "for (int row = warp; row < kPartM; row += kWarps) {\n"
         "  float most = -INFINITY, total = 0.0f;\n"
         "  for (int p = lane; p < kParts; p += kWarp)\n"
         "    most = fmaxf(most, partial_largest[(first_part + p) * kPartM + row]);\n"
         "  most = warp_reduce(most, [](float x, float y) { return fmaxf(x, y); });\n"
         "  const float base = most == -INFINITY ? 0.0f : most;\n"
         "#pragma unroll 1\n"
         "  for (int p = lane; p < kParts; p += kWarp) {\n"
         "    const int place = (first_part + p) * kPartM + row;\n"
         "    shared.scale[p][row] = " +
         weight_of("partial_largest[place] - base") +
         ";\n"
         "    total += shared.scale[p][row] * partial_sum[place];\n"
         "  }\n"
         "  total = warp_reduce(total, [](float x, float y) { return x + y; });\n" +
         add_sink("most", "  ") +
         "  if (lane == 0) shared.total[row] = total;\n"
         "}\n"
         "__syncthreads();\n"
         "for (int e = thread * 4; e < kPartM * kWidth; e += kThreads * 4) {\n"
         "  const int row = e / kWidth;\n"
         "  Vector<float, 4> value = {};\n"
         "#pragma unroll 16\n"
         "  for (int p = 0; p < kParts; ++p) {\n"
         "    const float* from = &partial[(first_part + p) * kPartM * kWidth + e];\n"
         "    const Vector<float, 4> more = load_vector<4>(from);\n"
         "    for (int r = 0; r < 4; ++r) value[r] += shared.scale[p][row] * more[r];\n"
         "  }\n"
         "  for (int r = 0; r < 4; ++r) value[r] /= shared.total[row];\n"
         "  store_vector(&shared.of_warp[0].results[row * kResultRow + e % kWidth], value);\n"
         "}\n"
         "__syncthreads();\n";
}

}  // namespace sinter
