// What warpgroups say: the loops that multiply, with both operands in shared memory or one in registers, and where
// their sums go.
#include "passes/lower/stages/products/tensor_core_text.h"

namespace sinter {

std::string TensorCoreText::warpgroups_loop() const {
  return sum() +
         " sums[kEights][4] = {};\n"
         "for (int tile = 0; tile < kStages - 2; ++tile) copy_tile(tile);\n"
         "for (int tile = 0; tile < " +
         tiles + "; ++tile) {\n" + wait("  ", "kStages - 3") +
         "  fence_async_proxy();\n"
         "  __syncthreads();\n"
         "  const Shared::Stage& stage = shared.stage[tile % kStages];\n"
         "  const auto a = " +
         std::string(along_k[0] ? "along_k(&stage.lhs[lhs_at(group_row, 0)]);\n"
                                : "across_k(&stage.lhs[lhs_at(group_row, 0)], kTileK);\n") +
         "  const auto b = " + (along_k[1] ? "along_k(stage.rhs);\n" : "across_k(stage.rhs, kTileK);\n") +
         "  copy_tile(tile + kStages - 2);\n"
         "  wgmma_fence();\n"
         "  for (int step = 0; step < kStepsK; ++step) " +
         mma +
         "(sums, a + step, b + step);\n"
         "  wgmma_commit();\n"
         "  wgmma_wait<1>();\n"
         "}\n"
         "wgmma_wait<0>();\n";
}

std::string TensorCoreText::load_rows() const {
  const size_t side = form.register_side();
  const std::string outer = side == 0 ? "warp_row" : "warp_column";
  std::string text = std::string("// what this warp has of a k tile of the ") +
                     (side == 0 ? "left operand, 16 rows, " : "right operand, 16 columns, ") +
                     "from shared memory to registers\n"
                     "uint32_t next[kStepsK][4];\n"
                     "const auto load_rows = [&](int tile) {\n"
                     "  const Shared::Stage& stage = shared.stage[tile % kStages];\n"
                     "  for (int step = 0; step < kStepsK; ++step) {\n" +
                     rows_to_registers(side, "next[step]", outer) +
                     "  }\n"
                     "};\n";
  if (form.small_bytes(are_tf32) == 0) return text;
  const std::string other = side == 0 ? "rhs" : "lhs", tile = side == 0 ? "kTileK * kTileN" : "kTileM * kTileK";
  return text + "// the " + (side == 0 ? "right" : "left") +
         " operand in two terms of TF32: large parts in place, small ones beside\n"
         "const auto split_tile = [&](int tile) {\n"
         "  Shared::Stage& stage = shared.stage[tile % kStages];\n"
         "  for (int at = thread * kChunk; at < " +
         tile +
         "; at += kThreads * kChunk)\n"
         "    split_chunk(&stage." +
         other +
         "[at], &shared.small[tile % 2][at]);\n"
         "};\n";
}

// One group of products is under way at a time: what is multiplied next is made ready beside it.
std::string TensorCoreText::registers_loop() const {
  using Product = TensorCoreForm::Product;
  const bool split = form.product == Product::k3xTf32, plain = form.product == Product::kInt8;
  const bool splits_registers = split && !are_tf32[form.register_side()];
  const bool splits_tile = form.small_bytes(are_tf32) > 0;
  const std::string stage = "shared.stage[tile % kStages]";
  const std::string b = "along_k(" + stage + (form.turned ? ".lhs)" : ".rhs)");
  std::string text = sum() + " sums[kEights][4] = {}" + (split ? ", of_tile[kEights][4]" : "") +
                     ";\n"
                     "for (int tile = 0; tile < kStages - 1; ++tile) copy_tile(tile);\n" +
                     wait("", "kStages - 3") +
                     "__syncthreads();\n"
                     "load_rows(0);\n" +
                     (splits_tile ? "split_tile(0);\n" : "") +
                     "fence_async_proxy();\n"
                     "__syncthreads();\n" +
                     (plain ? "#pragma unroll 2  // what is loaded next has registers of its own\n" : "") +
                     "for (int tile = 0; tile < " + tiles + "; ++tile) {\n";
  // The first product of a k tile sets the sums, all others add to them.
  std::string products;
  const auto add_products = [&](const std::string& left, const std::string& right) {
    products += "    wgmma_tf32(of_tile, " + left + ", " + right + (products.empty() ? ", step > 0" : "") + ");\n";
  };
  if (splits_registers) add_products("a_small[step]", "b + step");
  if (splits_tile) add_products("a_big[step]", "b_small + step");
  add_products("a_big[step]", "b + step");
  if (split) {
    text += std::string(splits_registers ? "  uint32_t a_big[kStepsK][4], a_small[kStepsK][4];\n"
                                         : "  uint32_t a_big[kStepsK][4];  // TF32 as it is\n") +
            "  for (int step = 0; step < kStepsK; ++step) {\n"
            "    for (int r = 0; r < 4; ++r) " +
            (splits_registers ? "split_tf32(next[step][r], a_big[step][r], a_small[step][r])"
                              : "a_big[step][r] = next[step][r]") +
            ";\n"
            "  }\n"
            "  const auto b = " +
            b + ";\n" + (splits_tile ? "  const auto b_small = along_k(shared.small[tile % 2]);\n" : "") +
            "  wgmma_fence();\n"
            "#pragma unroll\n"
            "  for (int step = 0; step < kStepsK; ++step) {\n" +
            products + "  }\n";
  } else {
    const std::string value =
        form.product == Product::kTf32 ? "to_tf32(__uint_as_float(next[step][r]))" : "next[step][r]";
    text +=
        "  uint32_t a[kStepsK][4];\n"
        "  for (int step = 0; step < kStepsK; ++step) {\n"
        "    for (int r = 0; r < 4; ++r) a[step][r] = " +
        value +
        ";\n"
        "  }\n"
        "  const auto b = " +
        b +
        ";\n"
        "  wgmma_fence();\n"
        "#pragma unroll\n"
        "  for (int step = 0; step < kStepsK; ++step) " +
        mma + "(sums, a[step], b + step);\n";
  }
  return text +
         "  wgmma_commit();\n"
         "  copy_tile(tile + kStages - 1);\n"
         "  load_rows(tile + 1);\n" +
         (splits_tile ? "  split_tile(tile + 1);\n" : "") + wait("  ", "kStages - 3") +
         "  fence_async_proxy();\n"
         "  wgmma_wait<0>();\n" +
         (split ? "  add_part(sums, of_tile);\n" : "") +
         "  __syncthreads();\n"
         "}\n";
}

std::string TensorCoreText::sums_of_warpgroups() const {
  // Of bytes that lie across k, what registers have comes in the order of unzip_bytes: even ones first.
  const bool zipped = form.element_bytes() == 1 && !along_k[form.register_side()];
  const std::string of_warp = zipped ? "group * 2 + r / 2" : "r / 2 * 8 + group";
  if (form.turned) {
    return "for (int j = 0; j < kEights; ++j) {\n"
           "  for (int r = 0; r < 4; ++r) {\n"
           "    const int row = j * 8 + lane % 4 * 2 + r % 2, column = warp_column + " +
           of_warp +
           ";\n"
           "    shared.sums[sum_at(row, column)] = sums[j][r];\n"
           "  }\n"
           "}\n"
           "__syncthreads();\n";
  }
  return "for (int j = 0; j < kEights; ++j) {\n"
         "  for (int r = 0; r < 4; r += 2) {\n"
         "    const int row = warp_row + " +
         of_warp +
         ", column = j * 8 + lane % 4 * 2;\n"
         "    const Vector<" +
         sum() +
         ", 2> pair = {sums[j][r], sums[j][r + 1]};\n"
         "    store_vector(&shared.sums[sum_at(row, column)], pair);\n"
         "  }\n"
         "}\n"
         "__syncthreads();\n";
}

}  // namespace sinter
