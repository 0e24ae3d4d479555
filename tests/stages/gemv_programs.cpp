// gemv_programs: a few vectors times a large matrix, and a small one. The matrix on either side, its neighbours in
// memory along k or along the outputs, copies of 16, 8 and 4 bytes and none, sums that blocks share, batches; of all
// kinds of numbers, with what stands before and after a product; in numbers whose sums are exact, and in numbers whose
// sums are not.
#include "ir/values/dtype.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

// `vectors` is the number of rows, or of columns where the matrix is the left operand.
struct Product {
  DType dtype, result;
  int64_t batch, vectors, outputs, k;
  bool matrix_left = false;
};

std::vector<int64_t> dims(int64_t batch, int64_t a, int64_t b) {
  return batch == 1 ? std::vector<int64_t>{a, b} : std::vector<int64_t>{batch, a, b};
}

std::string product_name(const Product& p, bool vectors_along_k, bool matrix_along_k) {
  std::string name = std::string(dtype_name(p.dtype)) + "_" + std::string(dtype_name(p.result));
  for (const int64_t extent : {p.batch, p.vectors, p.outputs, p.k}) name += "_" + std::to_string(extent);
  return name + (p.matrix_left ? "_left" : "") + (vectors_along_k ? "_n" : "_t") + (matrix_along_k ? "t" : "n");
}

// `x`, `w`: what the operands are made of, in place of parameters of their shapes; `after`: what is made of `dot`.
std::string product_text(const std::string& name, const Product& p, bool vectors_along_k, bool matrix_along_k,
                         const std::string& x = "", const std::string& w = "", const std::string& after = "") {
  const std::string first = p.batch == 1 ? "" : ", lhs_batch_dims={0}, rhs_batch_dims={0}";
  const int64_t d = p.batch == 1 ? 0 : 1;
  const auto shape = [&](int64_t outer, bool along_k) {
    return shape_text(p.dtype, along_k ? dims(p.batch, outer, p.k) : dims(p.batch, p.k, outer));
  };
  std::string text = "HloModule " + name + "\n\nENTRY main {\n";
  text += x.empty() ? "  x = " + shape(p.vectors, vectors_along_k) + " parameter(0)\n" : x;
  text += w.empty() ? "  w = " + shape(p.outputs, matrix_along_k) + " parameter(1)\n" : w;
  const auto along = [&](bool along_k) { return std::to_string(along_k ? d + 1 : d); };
  const std::string result =
      shape_text(p.result, p.matrix_left ? dims(p.batch, p.outputs, p.vectors) : dims(p.batch, p.vectors, p.outputs));
  text += std::string(after.empty() ? "  ROOT dot = " : "  dot = ") + result +
          (p.matrix_left ? " dot(w, x)" : " dot(x, w)") + first + ", lhs_contracting_dims={" +
          along(p.matrix_left ? matrix_along_k : vectors_along_k) + "}, rhs_contracting_dims={" +
          along(p.matrix_left ? vectors_along_k : matrix_along_k) + "}\n";
  return text + after + "}\n";
}

void add(const Product& product, bool vectors_along_k, bool matrix_along_k, const DrawInput& input,
         std::vector<StageProgram>* programs) {
  const std::string name = product_name(product, vectors_along_k, matrix_along_k);
  programs->push_back({name, product_text(name, product, vectors_along_k, matrix_along_k), input});
}

// Vectors times the matrices that numbers choose, in copies: one for each batch, for each of several outputs, for each
// of several parts of k; of outputs and k that are whole steps, and that are not.
void add_gathered(std::vector<StageProgram>* programs) {
  struct Gathered {
    std::string type;
    int64_t chosen, k, n;
    bool is_sum;  // over those that are chosen
  };
  const Gathered all[] = {{"bf16", 1, 2048, 512, false}, {"bf16", 5, 1003, 204, false}, {"s8", 3, 1024, 704, false},
                          {"f32", 3, 1024, 256, false},  {"f32", 4, 512, 1028, true},   {"bf16", 3, 1408, 1024, true}};
  for (const Gathered& g : all) {
    const std::string chosen = std::to_string(g.chosen), k = std::to_string(g.k), n = std::to_string(g.n);
    const std::string name = "gathered_" + g.type + "_" + chosen + (g.is_sum ? "_sum_" : "_") + k + "_" + n;
    const std::string matrices = "[2," + chosen + "," + k + "," + n + "]";
    programs->push_back(
        {name,
         "HloModule " + name + "\n\nENTRY main {\n  x = f32[2," + (g.is_sum ? chosen + "," : "") + k +
             "] parameter(0)\n  w = " + g.type + "[5," + k + "," + n + "] parameter(1)\n  at = s32[2," + chosen +
             ",1] parameter(2)\n  g = " + g.type + matrices +
             " gather(w, at), offset_dims={2,3}, collapsed_slice_dims={0}, start_index_map={0}, "
             "index_vector_dim=2, slice_sizes={1," +
             k + "," + n + "}\n  wide = f32" + matrices + " convert(g)\n  ROOT dot = f32[2," +
             (g.is_sum ? "" : chosen + ",") + n +
             "] dot(x, wide), lhs_batch_dims={0}, lhs_contracting_dims=" + (g.is_sum ? "{1,2}" : "{1}") +
             ", rhs_batch_dims={0}, rhs_contracting_dims=" + (g.is_sum ? "{1,2}" : "{2}") + "\n}\n",
         few_values(9, false)});
  }
}

std::vector<StageProgram> exact_programs() {
  std::vector<StageProgram> programs;
  constexpr DType kBF16 = DType::kBF16, kF16 = DType::kF16, kF32 = DType::kF32, kF64 = DType::kF64, kS8 = DType::kS8;
  const Product products[] = {
      {kBF16, kBF16, 1, 2, 512, 512},      {kBF16, kF32, 1, 8, 96, 2048},        {kF16, kF32, 1, 1, 2048, 1024},
      {kF32, kF32, 1, 5, 515, 260},        {kF32, kF32, 1, 3, 517, 263},         {kBF16, kF32, 1, 7, 514, 262},
      {kBF16, kF32, 1, 4, 517, 263},       {kF32, kF32, 3, 4, 72, 704},          {kF64, kF64, 1, 2, 300, 500},
      {kS8, DType::kS32, 1, 3, 1024, 320}, {kS8, DType::kS32, 1, 16, 257, 513},  {kBF16, kBF16, 1, 16, 320, 640},
      {kF32, kF32, 1, 6, 400, 400, true},  {kBF16, kF32, 2, 2, 130, 1024, true}, {kF32, kF32, 1, 8, 32, 20000},
      {kF32, kF32, 1, 4, 128, 256},        {kBF16, kF32, 1, 3, 66, 1001},        {kF32, kF32, 1, 2, 64, 1024, true},
  };
  for (const Product& product : products) {
    for (const bool vectors_along_k : {true, false}) {
      for (const bool matrix_along_k : {true, false})
        add(product, vectors_along_k, matrix_along_k, few_values(9, product.k > 600), &programs);
    }
  }
  // Bytes with a scale for each output, or for each element of k; floats of eight bits; both vectors and results
  // computed on the way.
  const Product dequantised = {kF32, kF32, 1, 4, 384, 352};
  const std::string after =
      "  bias = f32[384] parameter(3)\n  biases = f32[4,384] broadcast(bias), dimensions={1}\n"
      "  moved = f32[4,384] add(dot, biases)\n  zero = f32[] constant(0)\n"
      "  zeros = f32[4,384] broadcast(zero), dimensions={}\n  relu = f32[4,384] maximum(moved, zeros)\n"
      "  ROOT both = (f32[4,384], f32[4,384]) tuple(relu, moved)\n";
  for (const std::string by : {"0", "1"}) {
    const std::string extent = by == "0" ? "352" : "384";
    programs.push_back({"bytes_" + by,
                        product_text("bytes_" + by, dequantised, true, false, "",
                                     "  bytes = s8[352,384] parameter(1)\n  wide = f32[352,384] convert(bytes)\n"
                                     "  scale = f32[" +
                                         extent +
                                         "] parameter(2)\n  scales = f32[352,384] broadcast(scale), "
                                         "dimensions={" +
                                         by + "}\n  w = f32[352,384] multiply(wide, scales)\n",
                                     after),
                        few_values(9, false)});
  }
  programs.push_back({"bytes_t",
                      product_text("bytes_t", dequantised, true, true,
                                   "  given = f32[4,352] parameter(0)\n  two = f32[] constant(2)\n"
                                   "  twos = f32[4,352] broadcast(two), dimensions={}\n"
                                   "  x = f32[4,352] multiply(given, twos)\n",
                                   "  bytes = s8[384,352] parameter(1)\n  offset = s8[384] parameter(2)\n"
                                   "  offsets = s8[384,352] broadcast(offset), dimensions={0}\n"
                                   "  moved_bytes = s8[384,352] subtract(bytes, offsets)\n"
                                   "  w = f32[384,352] convert(moved_bytes)\n",
                                   after),
                      few_values(9, false)});
  const Product small_floats = {kBF16, kF32, 1, 2, 384, 352};
  for (const bool along_k : {true, false}) {
    const std::string shape = along_k ? "[384,352]" : "[352,384]", name = along_k ? "f8_t" : "f8_n";
    programs.push_back(
        {name,
         product_text(name, small_floats, true, along_k, "",
                      "  small = f8e4m3fn" + shape + " parameter(1)\n  w = bf16" + shape + " convert(small)\n"),
         few_values(9, false)});
  }
  // Two numbers of 4 bits a byte, scaled and moved by groups of rows; rows of two matrices in turn.
  for (const int64_t outputs : {512, 772}) {
    const std::string n = std::to_string(outputs), name = "packed_" + n;
    const auto of_groups = [&](const std::string& what, int64_t number) {
      return "  " + what + " = f32[8," + n + "] parameter(" + std::to_string(number) + ")\n  " + what +
             "s = f32[8,48," + n + "] broadcast(" + what + "), dimensions={0,2}\n";
    };
    programs.push_back(
        {name,
         product_text(name, {kBF16, kBF16, 1, 3, outputs, 384}, true, false, "",
                      "  bytes = u8[192," + n + "] parameter(1)\n  mask_0 = u8[] constant(15)\n  mask = u8[192," + n +
                          "] broadcast(mask_0), dimensions={}\n  four_0 = u8[] constant(4)\n  four = u8[192," + n +
                          "] broadcast(four_0), dimensions={}\n  low_bits = u8[192," + n +
                          "] and(bytes, mask)\n  high_bits = u8[192," + n +
                          "] shift-right-logical(bytes, four)\n  low = u8[192,1," + n +
                          "] reshape(low_bits)\n  high = u8[192,1," + n + "] reshape(high_bits)\n  both = u8[192,2," +
                          n + "] concatenate(low, high), dimensions={1}\n  groups = u8[8,48," + n +
                          "] reshape(both)\n  wide = f32[8,48," + n + "] convert(groups)\n" + of_groups("offset", 2) +
                          of_groups("scale", 3) + "  moved = f32[8,48," + n +
                          "] subtract(wide, offsets)\n  scaled = f32[8,48," + n +
                          "] multiply(moved, scales)\n  narrow = bf16[8,48," + n +
                          "] convert(scaled)\n  w = bf16[384," + n + "] reshape(narrow)\n"),
         few_values(5, false)});
  }
  programs.push_back({"rows_in_turn",
                      product_text("rows_in_turn", {kF32, kF32, 1, 3, 512, 384}, true, false, "",
                                   "  even = bf16[192,512] parameter(1)\n  odd = bf16[192,512] parameter(2)\n"
                                   "  evens = bf16[192,1,512] reshape(even)\n  odds = bf16[192,1,512] reshape(odd)\n"
                                   "  both = bf16[192,2,512] concatenate(evens, odds), dimensions={1}\n"
                                   "  all = bf16[384,512] reshape(both)\n  w = f32[384,512] convert(all)\n"),
                      few_values(9, false)});
  // Scores and sums of decoding with grouped heads: batch dimensions apart.
  programs.push_back({"decode_scores",
                      "HloModule decode_scores\n\nENTRY main {\n  q = bf16[2,4,3,64] parameter(0)\n"
                      "  cache = bf16[2,300,4,64] parameter(1)\n  ROOT scores = f32[2,4,3,300] dot(q, cache), "
                      "lhs_batch_dims={0,1}, rhs_batch_dims={0,2}, lhs_contracting_dims={3}, "
                      "rhs_contracting_dims={3}\n}\n",
                      few_values(9)});
  programs.push_back({"decode_mixed",
                      "HloModule decode_mixed\n\nENTRY main {\n  weights = bf16[2,4,3,300] parameter(0)\n"
                      "  cache = bf16[2,300,4,64] parameter(1)\n  ROOT mixed = f32[2,4,3,64] dot(weights, cache), "
                      "lhs_batch_dims={0,1}, rhs_batch_dims={0,2}, lhs_contracting_dims={3}, "
                      "rhs_contracting_dims={1}\n}\n",
                      few_values(9)});
  add_gathered(&programs);
  return programs;
}

// Sums that are rounded.
std::vector<StageProgram> rounded_programs() {
  std::vector<StageProgram> programs;
  for (const Product& product :
       {Product{DType::kF32, DType::kF32, 1, 3, 256, 4096}, Product{DType::kBF16, DType::kBF16, 1, 3, 256, 4096}}) {
    for (const bool along_k : {true, false})
      add(product, true, along_k, few_values(product.dtype == DType::kF32 ? 1 << 20 : 200, false), &programs);
  }
  return programs;
}

// Relative to the largest result: of f32 sums of parts, each rounded to 2^-24 of it; of narrow results one rounding.
double rounding(DType type) { return type == DType::kF32 ? 1e-6 : 0x1p-8; }
double exact(DType) { return 0; }

}  // namespace
}  // namespace sinter

int main() {
  const int wrong = sinter::run_stage_programs(sinter::exact_programs(), sinter::exact);
  return wrong + sinter::run_stage_programs(sinter::rounded_programs(), sinter::rounding);
}
