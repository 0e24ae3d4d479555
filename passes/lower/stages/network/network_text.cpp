#include "passes/lower/stages/network/network_text.h"

#include "passes/lower/text/indented.h"

namespace sinter {

namespace {

std::string choice(const std::string& test, const std::string& lines, const std::string& others) {
  return "if (" + test + ") {\n" + indented(lines, "  ") + "} else {\n" + indented(others, "  ") + "}\n";
}

}  // namespace

const std::set<std::string>& network_names() {
  static const std::set<std::string> names = {
      "column", "copy_tile", "e",    "first",      "first_row",     "group",    "i",           "j",
      "lane",   "multiply",  "next", "place",      "product_again", "read_row", "reduced_row", "row",
      "shared", "stage",     "sums", "sums_piece", "term",          "thread",   "warp",        "warp_row"};
  return names;
}

std::string NetworkText::shared() const {
  const std::string how = !turned.any()     ? "[terms, columns]"
                          : !straight.any() ? "[columns, terms]"
                                            : "[terms, columns], or of [columns, terms]";
  return "// What a layer multiplies by: an array of " + how +
         ".\n"
         "struct Weights {\n"
         "  const " +
         element +
         "* elements;\n"
         "  int terms, columns;\n" +
         (is_mixed() ? "  bool turned;\n" : "") +
         "};\n"
         "\n"
         "struct Shared {\n"
         "  alignas(128) " +
         element +
         " activations[kTileM * kRow];\n"
         "  " +
         element + " tiles[kStages][" + (turned.any() ? "kTile" : "kTileK * kWeightRow") +
         "];\n"
         "  Weights layers[kLayers];\n" +
         (keeps ? "  float kept[kTileM * kKeptRow];\n" : "") + numbers + "};\n";
}

std::string NetworkText::columns_of_warp() const {
  // Of 16-bit floats two at a time are loaded.
  const std::string units = is_narrow() ? "(kColumns + 15) / 16" : "(kColumns + 15) / 16 * 2";
  return "// Instructions beside one another that a warp makes of so many columns, and their sums.\n"
         "template <int kColumns>\n"
         "constexpr int kMmasN = (" +
         units + " + kWarpsN - 1) / kWarpsN" + (is_narrow() ? " * 2" : "") +
         ";\n"
         "template <int kColumns>\n"
         "using Sums = float[kMmasM][kMmasN<kColumns>][4];\n";
}

// Of some terms, a row each.
std::string NetworkText::copies_of_rows() const {
  const std::string inside = "term < from.terms";
  const std::string wide =
      "for (int c = threadIdx.x % kPerRow * kChunk; c < from.columns; c += kPerRow * kChunk)\n"
      "  copy_async(&to[c], &elements[c], " +
      inside + ");\n";
  // Of f32 a warp's copies lie in different banks where eight lanes have a row.
  const bool eight = !is_narrow() && per_row > 8;
  const std::string narrow =
      std::string(eight ? "const int end = threadIdx.x % kPerRow < 8 ? from.columns : 0;\n" : "") +
      "for (int c = threadIdx.x % kPerRow; c < " + (eight ? "end; c += 8)\n" : "from.columns; c += kPerRow)\n") +
      (is_narrow() ? "  to[c] = " + inside + " ? elements[c] : " + element + "{};\n"
                   : "  copy_async<4>(&to[c], &elements[c], " + inside + ");\n");
  return "const int row = threadIdx.x / kPerRow, term = next.term + row;\n"
         "const " +
         element + "* elements = &from.elements[term * from.columns];\n" + element +
         "* to = &shared.tiles[next.stage][row * kWeightRow];\n" +
         either(straight, "from.columns % kChunk == 0", wide, narrow);
}

// Of all columns, some terms each.
std::string NetworkText::copies_of_columns() const {
  const std::string columns = turned.in_eights ? "from.columns" : "(from.columns + 7) / 8 * 8";
  const std::string inside = turned.in_eights ? "term < from.terms" : "column < from.columns && term < from.terms";
  const auto loop = [&](const std::string& count, const std::string& by, const std::string& copy) {
    return "// Eight lanes take eight columns, which lie in all 32 banks.\n"
           "for (int i = threadIdx.x; i < " +
           columns + " * " + count +
           "; i += kThreads) {\n"
           "  const int column = i / (8 * " +
           count + ") * 8 + i % 8, k = i / 8 % " + count + by +
           ";\n"
           "  const int at = column * kTurnedRow + k, term = next.term + k;\n"
           "  const bool inside = " +
           inside + ";\n" + copy + "}\n";
  };
  const std::string from = "from.elements[column * from.terms + term]";
  const std::string one = is_narrow() ? "  to[at] = inside ? " + from + " : " + element + "{};\n"
                                      : "  copy_async<4>(&to[at], &" + from + ", inside);\n";
  return element + "* to = shared.tiles[next.stage];\n" +
         either(turned, "from.terms % kChunk == 0",
                loop("kPerColumn", " * kChunk", "  copy_async(&to[at], &" + from + ", inside);\n"),
                loop("kTileK", "", one));
}

std::string NetworkText::either(const Copies& copies, const std::string& test, const std::string& wide,
                                const std::string& narrow) {
  if (!copies.has_narrow_rows) return wide;
  if (!copies.has_wide_rows) return narrow;
  return choice(test, wide, narrow);
}

std::string NetworkText::copy_tile() const {
  const std::string copies = indented(is_mixed()     ? choice("from.turned", copies_of_columns(), copies_of_rows())
                                      : turned.any() ? copies_of_columns()
                                                     : copies_of_rows(),
                                      "    ");
  return "// The next tile to copy: tiles come in the order in which they are multiplied.\n"
         "struct NextTile {\n"
         "  int layer = 0, term = 0, stage = 0;\n"
         "};\n"
         "\n"
         "// Copies it, as one group, with zeros behind a layer's last term. Behind the last tile groups are\n"
         "// empty.\n"
         "__device__ __forceinline__ void copy_tile(Shared& shared, NextTile& next) {\n"
         "  if (next.layer < kLayers) {\n"
         "    const Weights& from = shared.layers[next.layer];\n" +
         copies +
         "    next.stage = (next.stage + 1) % kStages;\n"
         "    next.term += kTileK;\n"
         "    if (next.term >= from.terms) {\n"
         "      ++next.layer;\n"
         "      next.term = 0;\n"
         "    }\n"
         "  }\n"
         "  commit_copies();\n"
         "}\n";
}

// Of 16 terms from k on.
std::string NetworkText::products_of_sixteen() const {
  if (is_narrow()) {
    const std::string of_rows =
        "ldmatrix_x4_trans(b, &tile[(k + lane % 16) * kWeightRow + (first + j + lane / 16) * 8]);\n";
    const std::string of_columns =
        "const int column = (first + j + lane / 16) * 8 + lane % 8;\n"
        "ldmatrix_x4(b, &tile[column * kTurnedRow + k + lane / 8 % 2 * 8]);\n";
    const std::string loads = indented(is_mixed()     ? choice("kTurned", of_columns, of_rows)
                                       : turned.any() ? of_columns
                                                      : of_rows,
                                       "  ");
    return "uint32_t a[kMmasM][4];\n"
           "for (int i = 0; i < kMmasM; ++i) ldmatrix_x4(a[i], &activations[i * kMmaM * kRow + k]);\n"
           "for (int j = 0; j < kMmasN<kColumns>; j += 2) {\n"
           "  uint32_t b[4];\n" +
           loads +
           "  for (int i = 0; i < kMmasM; ++i) {\n"
           "    " +
           mma +
           "(sums[i][j], a[i], {b[0], b[1]});\n"
           "    " +
           mma +
           "(sums[i][j + 1], a[i], {b[2], b[3]});\n"
           "  }\n"
           "}\n";
  }
  const std::string load = "    ldmatrix_x4(a, &activations[i * kMmaM * kRow + k + s * kMmaK]);\n";
  const std::string of_rows = "&tile[(k + lane % 4) * kWeightRow + (first + j) * 8 + lane / 4];\n";
  const std::string of_columns = "&tile[((first + j) * 8 + lane / 4) * kTurnedRow + k + lane % 4];\n";
  const std::string b = is_mixed() ? "  const float* b = kTurned ? " + of_columns.substr(0, of_columns.size() - 2) +
                                         "\n                           : " + of_rows
                                   : "  const float* b = " + (turned.any() ? of_columns : of_rows);
  // From a term to the next one.
  const std::string step = is_mixed() ? " * kTermStep" : turned.any() ? "" : " * kWeightRow";
  if (splits()) {
    return "uint32_t a_big[2][kMmasM][4], a_small[2][kMmasM][4];\n"
           "for (int s = 0; s < 2; ++s) {\n"
           "  for (int i = 0; i < kMmasM; ++i) {\n"
           "    uint32_t a[4];\n" +
           load +
           "    for (int r = 0; r < 4; ++r) split_tf32(a[r], a_big[s][i][r], a_small[s][i][r]);\n"
           "  }\n"
           "}\n"
           "for (int j = 0; j < kMmasN<kColumns>; ++j) {\n" +
           b +
           "  uint32_t b_big[2][2], b_small[2][2];\n"
           "  for (int r = 0; r < 4; ++r) {\n"
           "    const uint32_t bits = __float_as_uint(b[r * 4" +
           step +
           "]);\n"
           "    split_tf32(bits, b_big[r / 2][r % 2], b_small[r / 2][r % 2]);\n"
           "  }\n"
           "  for (int i = 0; i < kMmasM; ++i) {\n"
           "    float part[4] = {};\n"
           "    for (int s = 0; s < 2; ++s) {\n"
           "      mma_tf32(part, a_small[s][i], b_big[s]);\n"
           "      mma_tf32(part, a_big[s][i], b_small[s]);\n"
           "      mma_tf32(part, a_big[s][i], b_big[s]);\n"
           "    }\n"
           "    for (int r = 0; r < 4; ++r) sums[i][j][r] += part[r];\n"
           "  }\n"
           "}\n";
  }
  return "uint32_t a_of[2][kMmasM][4];\n"
         "for (int s = 0; s < 2; ++s) {\n"
         "  for (int i = 0; i < kMmasM; ++i) {\n"
         "    uint32_t(&a)[4] = a_of[s][i];\n" +
         load +
         "    for (uint32_t& x : a) x = to_tf32(__uint_as_float(x));\n"
         "  }\n"
         "}\n"
         "for (int j = 0; j < kMmasN<kColumns>; ++j) {\n" +
         b +
         "  for (int s = 0; s < 2; ++s) {\n"
         "    const float* pair = &b[s * kMmaK" +
         step +
         "];\n"
         "    const uint32_t of_step[2] = {to_tf32(pair[0]), to_tf32(pair[4" +
         step +
         "])};\n"
         "    for (int i = 0; i < kMmasM; ++i) mma_tf32(sums[i][j], a_of[s][i], of_step);\n"
         "  }\n"
         "}\n";
}

std::string NetworkText::multiply() const {
  const std::string products = indented(products_of_sixteen(), "      ");
  return "// The products of a layer, of the rows and columns of a warp. Tiles of weights are kStages - 1 ahead,\n"
         "// those of the next layer too. `stage`: of the first tile.\n"
         "template <int kTerms, int kColumns" +
         std::string(is_mixed() ? ", bool kTurned" : "") +
         ">\n"
         "__device__ __forceinline__ void multiply(Shared& shared, NextTile& next, int& stage,\n"
         "                                         Sums<kColumns>& sums) {\n"
         "  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;\n"
         "  const int warp_row = warp / kWarpsN * kWarpM, first = warp % kWarpsN * kMmasN<kColumns>;\n" +
         (is_mixed() && !is_narrow() ? "  constexpr int kTermStep = kTurned ? 1 : kWeightRow;  // to the next term\n"
                                     : "") +
         "#pragma unroll 1\n"
         "  for (int begin = 0; begin < kTerms; begin += kTileK) {\n"
         "    wait_copies<kStages - 2>();\n"
         "    __syncthreads();\n"
         "    copy_tile(shared, next);\n"
         "    const " +
         element +
         "* tile = shared.tiles[stage];\n"
         "    stage = (stage + 1) % kStages;\n"
         "    if (first * 8 >= kColumns) continue;\n"
         "    const " +
         element +
         "* activations =\n"
         "        &shared.activations[(warp_row + lane % 16) * kRow + begin + lane / 16 * kChunk];\n"
         "#pragma unroll\n"
         "    for (int k = 0; k < kTileK; k += 16) {\n" +
         (has_short_tiles ? "      if (begin + k >= kTerms) break;\n" : "") + products +
         "    }\n"
         "  }\n"
         "}\n";
}

std::string NetworkText::product_again() const {
  const std::string of_row = "k * weights.columns + column", of_column = "column * weights.terms + k";
  return "// A sum that is not finite, computed again in f32.\n"
         "__device__ __attribute__((noinline)) float product_again(const Shared& shared, int layer, int row,\n"
         "                                                         int column) {\n"
         "  const Weights& weights = shared.layers[layer];\n"
         "  float total = 0.0f;\n"
         "  for (int k = 0; k < weights.terms; ++k) {\n"
         "    const float weight = weights.elements[" +
         (is_mixed()     ? "weights.turned ? " + of_column + " : " + of_row
          : turned.any() ? of_column
                         : of_row) +
         "];\n"
         "    total = fmaf(shared.activations[row * kRow + k], weight, total);\n"
         "  }\n"
         "  return total;\n"
         "}\n";
}

}  // namespace sinter
