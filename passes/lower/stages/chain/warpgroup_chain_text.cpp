// What a warpgroup says of a chain: products of features in shared memory, and of weights in registers with values
// there.
#include "passes/lower/stages/chain/chain_text.h"

namespace sinter {

namespace {

// For each row of shared memory that a tile has of a column's features.
std::string for_panels(bool several, const std::string& depth, const std::string& text) {
  if (!several) return text;
  std::string inside;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin) + 1;
    inside += "  " + text.substr(begin, end - begin);
    begin = end;
  }
  return "#pragma unroll\nfor (int panel = 0; panel < " + depth + "; panel += kPanel) {\n" + inside + "}\n";
}

constexpr const char* kMultiplied =
    "wgmma_commit();\n"
    "wgmma_wait<0>();\n";

}  // namespace

std::string ChainText::places() const {
  const auto place = [](const std::string& of, const std::string& extent) {
    return "__device__ __forceinline__ int " + of + "_at(int " + of +
           ", int feature) {\n"
           "  return (feature / kPanel * " +
           extent + " + " + of + ") * kPanel + (feature % kPanel ^ " + of +
           " % 8 * kChunk);\n"
           "}\n";
  };
  return "// Where a feature is in shared memory: kPanel features of a row or column in 128 bytes, within\n"
         "// which chunks of 16 bytes change places, as wgmma reads them (device/wgmma.cuh).\n" +
         place("row", "kTileM") + place("column", "kTileN");
}

std::string ChainText::products_of_warpgroup() const {
  std::string sums, loops;
  for (size_t i = 0; i < chain.products.size(); ++i) {
    const size_t tile = chain.products[i].tile;
    const bool several = form.depths[tile] > kRowElements;
    const std::string to = numbered("products", i), a = numbered("rows", i), b = numbered("columns", tile);
    const auto at = [&](const char* function) {
      return several ? "[" + std::string(function) + "(0, panel)]" : std::string("[0]");
    };
    sums += "float " + to + "[kMmasM][kEights][4];\n";
    loops += for_panels(several, of_tile("kDepth", tile),
                        "for (int c = 0; c < kPanel / kMmaK; ++c)\n"
                        "  " +
                            mma + "(" + to + "[0], along_k(&operands." + a + at("row_at") + ") + c, along_k(&here." +
                            b + at("column_at") + ") + c, " + (several ? "panel + c > 0" : "c > 0") + ");\n");
  }
  return sums + "wgmma_fence();\n" + loops + kMultiplied;
}

std::string ChainText::results_of_warpgroup() const {
  std::string arrays, rounded, loops;
  for (size_t i = 0; i < chain.results.size(); ++i) {
    const std::string w = numbered("w", i);
    arrays += std::string(arrays.empty() ? "uint32_t " : ", ") + w + "[kTileN / kMmaK][4]";
    rounded += "    const float* " + numbered("pair", i) + " = &" + weights_of(i) +
               "[0][j * 2 + r / 2][r % 2 * 2];\n"
               "    " +
               w + "[j][r] = bit_cast<uint32_t>(Vector<" + element + ", 2>{" + narrow + "(" + numbered("pair", i) +
               "[0]), " + narrow + "(" + numbered("pair", i) + "[1])});\n";
    loops +=
        "for (int j = 0; j < kTileN / kMmaK; ++j)\n"
        "  " +
        mma + "(" + numbered("results", i) + "[0], " + w + "[j], across_k(here." +
        numbered("columns", chain.results[i].tile) + ", kTileN) + j);\n";
  }
  return "// values by weights, 16 columns of which are an instruction's: registers have these rounded\n" + arrays +
         ";\n"
         "#pragma unroll\n"
         "for (int j = 0; j < kTileN / kMmaK; ++j) {\n"
         "  for (int r = 0; r < 4; ++r) {\n" +
         rounded +
         "  }\n"
         "}\n"
         "wgmma_fence();\n" +
         loops + kMultiplied;
}

}  // namespace sinter
