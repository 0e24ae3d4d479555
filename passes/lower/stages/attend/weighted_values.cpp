#include "passes/lower/stages/attend/weighted_values.h"

namespace sinter {

namespace {

using Product = TensorCoreForm::Product;

// Two instructions have given weights of 16 columns, as one takes them.
std::string of_16_bits(const WeightedValues& of) {
  return "// values by weights: of 16 " + of.columns + ", which two instructions have given " + of.made +
         " of\n"
         "#pragma unroll\n"
         "for (int j = 0; j < kEights; j += 2) {\n"
         "  uint32_t w[kMmasM][4];\n"
         "  for (int i = 0; i < kMmasM; ++i) {\n"
         "    for (int r = 0; r < 4; ++r) {\n"
         "      const float* pair = &" +
         of.weights +
         "[i][j + r / 2][r % 2 * 2];\n"
         "      const Vector<" +
         of.element + ", 2> weights = {" + of.narrow + "(pair[0]), " + of.narrow +
         "(pair[1])};\n"
         "      w[i][r] = bit_cast<uint32_t>(weights);\n"
         "    }\n"
         "  }\n"
         "  for (int f = 0; f < " +
         of.value_eights +
         "; f += 2) {\n"
         "    uint32_t b[4];\n"
         "    ldmatrix_x4_trans(b, &" +
         of.values + "[(j * 8 + lane % 16) * " + of.value_row +
         " + (f + lane / 16) * 8]);\n"
         "    for (int i = 0; i < kMmasM; ++i) {\n"
         "      " +
         of.mma + "(" + of.results +
         "[i][f], w[i], {b[0], b[1]});\n"
         "      " +
         of.mma + "(" + of.results +
         "[i][f + 1], w[i], {b[2], b[3]});\n"
         "    }\n"
         "  }\n"
         "}\n";
}

// Lane quad has the weights of columns 2 * quad and the next; an instruction takes those of columns quad and quad + 4.
std::string of_tf32(const WeightedValues& of) {
  return "// values by weights: of 8 " + of.columns +
         ", of which a lane has two\n"
         "#pragma unroll\n"
         "for (int j = 0; j < kEights; ++j) {\n"
         "  uint32_t w[kMmasM][4];\n"
         "  for (int i = 0; i < kMmasM; ++i) {\n"
         "    for (int r = 0; r < 4; ++r) w[i][r] = to_tf32(" +
         of.weights +
         "[i][j][r % 2 * 2 + r / 2]);\n"
         "  }\n"
         "  for (int f = 0; f < " +
         of.value_eights +
         "; ++f) {\n"
         "    const float* value = &" +
         of.values + "[(j * 8 + lane % 4 * 2) * " + of.value_row +
         " + f * 8 + group];\n"
         "    const uint32_t b[2] = {to_tf32(value[0]), to_tf32(value[" +
         of.value_row +
         "])};\n"
         "    for (int i = 0; i < kMmasM; ++i) mma_tf32(" +
         of.results +
         "[i][f], w[i], b);\n"
         "  }\n"
         "}\n";
}

std::string of_three_tf32(const WeightedValues& of) {
  const bool infinite = of.may_be_infinite;
  const std::string split =
      "      split_tf32(__float_as_uint(weight), w_big[i][r], w_small[i][r]);\n" +
      std::string(infinite ? "      const bool infinite = fabsf(weight) == INFINITY;  // times any value: infinite\n"
                             "      w_finite[i][r] = infinite ? 0 : w_big[i][r];\n"
                             "      if (infinite) w_small[i][r] = 0;\n"
                           : "");
  return "// values by weights: of 8 " + of.columns +
         ", of which a lane has two\n"
         "#pragma unroll\n"
         "for (int j = 0; j < kEights; ++j) {\n"
         "  uint32_t w_big[kMmasM][4], w_small[kMmasM][4]" +
         (infinite ? ", w_finite[kMmasM][4]" : "") +
         ";\n"
         "  for (int i = 0; i < kMmasM; ++i) {\n"
         "    for (int r = 0; r < 4; ++r) {\n"
         "      const float weight = " +
         of.weights + "[i][j][r % 2 * 2 + r / 2];\n" + split +
         "    }\n"
         "  }\n"
         "  for (int f = 0; f < " +
         of.value_eights +
         "; ++f) {\n"
         "    const float* value = &" +
         of.values + "[(j * 8 + lane % 4 * 2) * " + of.value_row +
         " + f * 8 + group];\n"
         "    uint32_t b_big[2], b_small[2], b_finite[2];\n"
         "    for (int r = 0; r < 2; ++r) {\n"
         "      split_tf32(__float_as_uint(value[r * " +
         of.value_row +
         "]), b_big[r], b_small[r]);\n"
         "      const bool infinite = fabsf(value[r * " +
         of.value_row +
         "]) == INFINITY;  // times any weight: infinite\n"
         "      b_finite[r] = infinite ? 0 : b_big[r];\n"
         "      if (infinite) b_small[r] = 0;\n"
         "    }\n"
         "    for (int i = 0; i < kMmasM; ++i) {\n"
         "      float part[4] = {};\n"
         "      mma_tf32(part, w_small[i], b_finite);\n"
         "      mma_tf32(part, " +
         (infinite ? "w_finite" : "w_big") +
         "[i], b_small);\n"
         "      mma_tf32(part, w_big[i], b_big);\n"
         "      for (int r = 0; r < 4; ++r) " +
         of.results +
         "[i][f][r] += part[r];\n"
         "    }\n"
         "  }\n"
         "}\n";
}

}  // namespace

std::string add_weighted_values(const WeightedValues& of) {
  if (of.product == Product::k16Bits) return of_16_bits(of);
  return of.product == Product::kTf32 ? of_tf32(of) : of_three_tf32(of);
}

}  // namespace sinter
