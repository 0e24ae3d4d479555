#include "passes/lower/stages/chain/chain_text.h"

#include "passes/lower/stages/attend/weighted_values.h"

namespace sinter {

namespace {

using Product = TensorCoreForm::Product;

}  // namespace

const std::set<std::string>& chain_names() {
  static const std::set<std::string> names = {"a",
                                              "a_big",
                                              "a_small",
                                              "b",
                                              "b_big",
                                              "b_small",
                                              "b_finite",
                                              "infinite",
                                              "batch",
                                              "c",
                                              "column",
                                              "copy_tile",
                                              "all_count",
                                              "e",
                                              "end_tile",
                                              "f",
                                              "feature",
                                              "first_column",
                                              "first_row",
                                              "first_tile",
                                              "group",
                                              "here",
                                              "i",
                                              "index",
                                              "j",
                                              "lane",
                                              "most",
                                              "operands",
                                              "pair",
                                              "part",
                                              "product",
                                              "product_2",
                                              "products",
                                              "products_2",
                                              "product_again",
                                              "r",
                                              "results",
                                              "results_2",
                                              "row",
                                              "rows",
                                              "rows_2",
                                              "s",
                                              "shared",
                                              "sum",
                                              "thread",
                                              "tile",
                                              "to",
                                              "total",
                                              "value",
                                              "w",
                                              "w_big",
                                              "w_finite",
                                              "w_small",
                                              "warp_row",
                                              "weight",
                                              "weight_2",
                                              "weights",
                                              "weights_2",
                                              "x",
                                              "others",
                                              "half",
                                              "largest",
                                              "base",
                                              "own",
                                              "scaled",
                                              "more",
                                              "next",
                                              "take_tile",
                                              "row_of_all",
                                              "row_at",
                                              "column_at",
                                              "panel",
                                              "w_2",
                                              "column_of_tile"};
  return names;
}

std::string numbered(const std::string& word, size_t number) {
  return number == 0 ? word : word + "_" + std::to_string(number + 1);
}

size_t ChainText::group_of(size_t tile) const {
  std::vector<int64_t> known;
  for (size_t i = 0; i <= tile; ++i) {
    const int64_t features = chain.tiles[i].features;
    size_t group = 0;
    while (group < known.size() && known[group] != features) ++group;
    if (i == tile) return group;
    if (group == known.size()) known.push_back(features);
  }
  return 0;
}

std::string ChainText::weights_of(size_t result) const {
  return result < chain.products.size() ? numbered("products", result) : numbered("weights", result);
}

std::string ChainText::shared() const {
  const std::string aligned = form.by_warpgroup ? "alignas(1024) " : "";
  std::string tile, operands;
  for (size_t i = 0; i < chain.tiles.size(); ++i)
    tile += "    " + aligned + element + " " + numbered("columns", i) + "[kTileN * " + stride(i) + "];\n";
  for (size_t i = 0; i < chain.products.size(); ++i) {
    operands +=
        "    " + aligned + element + " " + numbered("rows", i) + "[kTileM * " + stride(chain.products[i].tile) + "];\n";
  }
  return "struct Shared {\n"
         "  struct Tile {  // features of columns\n" +
         tile +
         "  };\n"
         "  struct Operands {\n" +
         operands +
         "    Tile tile[2];\n"
         "  };\n"
         "  union {\n"
         "    " +
         std::string(form.by_warpgroup ? "" : "alignas(128) ") +
         "Operands operands;\n"
         "    float results[kTileM" +
         std::string(chain.reduces() ? "" : " * kResultRow") +
         "];\n"
         "  };\n"
         "};\n" +
         (form.by_warpgroup ? "\n" + places() : "");
}

std::string ChainText::products(size_t number) const {
  const size_t tile = chain.products[number].tile;
  const std::string to = numbered("products", number), row = of_tile("kRow", tile);
  const std::string a = "operands." + numbered("rows", number), b = "here." + numbered("columns", tile);
  std::string text = "float " + to +
                     "[kMmasM][kEights][4] = {};\n"
                     "#pragma unroll\n"
                     "for (int c = 0; c < " +
                     of_tile("kSteps", tile) +
                     "; c += 2) {\n"
                     "  uint32_t a[kMmasM][2][4];\n"
                     "  for (int i = 0; i < kMmasM; ++i) {\n"
                     "    for (int s = 0; s < 2; ++s) {\n"
                     "      const int row = warp_row + i * kMmaM + lane % 16;\n"
                     "      const int feature = (c + s) * kMmaK + lane / 16 * kChunk;\n"
                     "      ldmatrix_x4(a[i][s], &" +
                     a + "[row * " + row + " + feature]);\n";
  if (chain.product == Product::kTf32) text += "      for (uint32_t& x : a[i][s]) x = to_tf32(__uint_as_float(x));\n";
  text +=
      "    }\n"
      "  }\n"
      "  for (int j = 0; j < kEights; ++j) {\n"
      "    uint32_t b[4];\n"
      "    ldmatrix_x4(b, &" +
      b + "[(j * 8 + lane % 8) * " + row + " + c * kMmaK + lane / 8 * kChunk]);\n";
  if (splits()) {
    text +=
        "    uint32_t b_big[4], b_small[4];\n"
        "    for (int r = 0; r < 4; ++r) split_tf32(b[r], b_big[r], b_small[r]);\n"
        "    for (int i = 0; i < kMmasM; ++i) {\n"
        "      float part[4] = {};\n"
        "      for (int s = 0; s < 2; ++s) {\n"
        "        uint32_t a_big[4], a_small[4];\n"
        "        for (int r = 0; r < 4; ++r) split_tf32(a[i][s][r], a_big[r], a_small[r]);\n"
        "        mma_tf32(part, a_small, {b_big[s * 2], b_big[s * 2 + 1]});\n"
        "        mma_tf32(part, a_big, {b_small[s * 2], b_small[s * 2 + 1]});\n"
        "        mma_tf32(part, a_big, {b_big[s * 2], b_big[s * 2 + 1]});\n"
        "      }\n"
        "      for (int r = 0; r < 4; ++r) " +
        to + "[i][j][r] += part[r];\n    }\n";
  } else {
    if (chain.product == Product::kTf32) text += "    for (uint32_t& x : b) x = to_tf32(__uint_as_float(x));\n";
    text += "    for (int i = 0; i < kMmasM; ++i) {\n      " + mma + "(" + to +
            "[i][j], a[i][0], {b[0], b[1]});\n      " + mma + "(" + to + "[i][j], a[i][1], {b[2], b[3]});\n    }\n";
  }
  return text +
         "  }\n"
         "}\n";
}

std::string ChainText::product_again() const {
  return "const auto product_again = [&](const float* a, const float* b, int features) {\n"
         "  float total = 0.0f;\n"
         "  for (int c = 0; c < features; ++c) total = fmaf(a[c], b[c], total);\n"
         "  return total;\n"
         "};\n";
}

std::string ChainText::add_result(size_t number) const {
  const ChainDemand::Result& result = chain.results[number];
  return add_weighted_values({.product = chain.product,
                              .element = element,
                              .mma = mma,
                              .narrow = narrow,
                              .weights = weights_of(number),
                              .values = "here." + numbered("columns", result.tile),
                              .results = numbered("results", number),
                              .value_row = of_tile("kRow", result.tile),
                              .value_eights = of_tile("kFeatureEights", result.tile),
                              .columns = "columns",
                              .made = "products",
                              .may_be_infinite = true});
}

std::string ChainText::add_scores() const {
  return "// beside the largest score so far; what was summed beside a smaller one shrinks\n"
         "#pragma unroll\n"
         "for (int i = 0; i < kMmasM; ++i) {\n"
         "#pragma unroll\n"
         "  for (int half = 0; half < 2; ++half) {\n"
         "    float most = largest[i][half];\n"
         "    for (int e = 0; e < kEights * 2; ++e)\n"
         "      most = maximum(most, products[i][e / 2][half * 2 + e % 2]);\n"
         "    const float base = most == -INFINITY ? 0.0f : most;  // all scores are -infinity: no weight\n"
         "    float total = sum[i][half] * " +
         weight_of("largest[i][half] - base") +
         ";\n"
         "    for (int e = 0; e < kEights * 2; ++e)\n"
         "      total += " +
         weight_of("products[i][e / 2][half * 2 + e % 2] - base") +
         ";\n"
         "    largest[i][half] = most;\n"
         "    sum[i][half] = total;\n"
         "  }\n"
         "}\n";
}

std::string ChainText::join_lanes() const {
  return "// four lanes have parts of a row\n"
         "for (int i = 0; i < kMmasM; ++i) {\n"
         "#pragma unroll\n"
         "  for (int half = 0; half < 2; ++half) {\n"
         "    const float own = largest[i][half];\n"
         "    const float most = warp_reduce<4>(own, [](float x, float y) { return maximum(x, y); });\n"
         "    const float base = most == -INFINITY ? 0.0f : most;\n"
         "    const float scaled = sum[i][half] * " +
         weight_of("own - base") +
         ";\n"
         "    largest[i][half] = most;\n"
         "    sum[i][half] = warp_reduce<4>(scaled, [](float x, float y) { return x + y; });\n"
         "    sum[i][half] += most - most;  // NaN where the largest score is infinite\n"
         "  }\n"
         "}\n";
}

std::string ChainText::result_to_shared(size_t number) const {
  const ChainDemand::Result& result = chain.results[number];
  if (chain.is_softmax()) {
    return "for (int i = 0; i < kMmasM; ++i) {\n"
           "  for (int half = 0; half < 2; ++half) {\n"
           "    const int row = warp_row + i * kMmaM + half * 8 + group;\n"
           "    if (lane % 4 == 0) shared.results[row] = " +
           std::string(number == 0 ? "largest" : "sum") +
           "[i][half];\n"
           "  }\n"
           "}\n"
           "__syncwarp();\n";
  }
  if (result.reduction) {
    const std::string combine = result.reduction == RowReduction::kSum ? "x + y" : "maximum(x, y)";
    return "for (int i = 0; i < kMmasM; ++i) {\n"
           "#pragma unroll\n"
           "  for (int half = 0; half < 2; ++half) {\n"
           "    const float total = warp_reduce<4>(results[i][half], [](float x, float y) { return " +
           combine +
           "; });\n"
           "    const int row = warp_row + i * kMmaM + half * 8 + group;\n"
           "    if (lane % 4 == 0) shared.results[row] = total;\n"
           "  }\n"
           "}\n"
           "__syncwarp();\n";
  }
  const std::string results = numbered("results", number);
  return "for (int i = 0; i < kMmasM; ++i) {\n"
         "#pragma unroll\n"
         "  for (int half = 0; half < 2; ++half) {\n"
         "    const int row = warp_row + i * kMmaM + half * 8 + group;\n"
         "    for (int f = 0; f < " +
         of_tile("kFeatureEights", result.tile) +
         "; ++f) {\n"
         "      const Vector<float, 2> pair = {" +
         results + "[i][f][half * 2], " + results +
         "[i][f][half * 2 + 1]};\n"
         "      store_vector(&shared.results[row * kResultRow + f * 8 + lane % 4 * 2], pair);\n"
         "    }\n"
         "  }\n"
         "}\n"
         "__syncwarp();\n";
}

}  // namespace sinter
