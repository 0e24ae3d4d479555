#include "passes/lower/stages/products/tensor_core_text.h"

#include <algorithm>

namespace sinter {

namespace {

// How elements of a row change places, of rows of `elements` in chunks of 16 bytes, by the row's number. Eight rows at
// one place are read at once, or written as many chunks of one row; of floats that lie across k four rows of eight
// neighbours each, of bytes every other pair of 16 rows; of doubles four rows of four neighbours.
std::string swizzle(const std::string& row, int64_t bytes, int64_t element_bytes, bool across) {
  if (element_bytes == 8) return row + " % 4 * 4";
  if (across && element_bytes == 4) return row + (bytes == 64 ? " / 2 % 2 * 8" : " % 4 * 8");
  if (across && element_bytes == 1) {
    return bytes % 128 == 0 ? "(" + row + " / 4 * 2 + " + row + " % 2) % 8 * kChunk" : row + " / 4 % 4 * kChunk";
  }
  if (bytes == 32) return row + " / 4 % 2 * kChunk";
  return bytes % 128 == 0 ? row + " % 8 * kChunk" : row + " / 2 % 4 * kChunk";
}

std::string place(const std::string& name, const std::string& parameters, const std::string& row,
                  const std::string& length, const std::string& along, const std::string& change) {
  return "__device__ __forceinline__ int " + name + "(" + parameters + ") {\n  return " + row + " * " + length +
         " + (" + along + " ^ " + change + ");\n}\n";
}

// Of rows along one k, in blocks of as many columns as a row has.
std::string block_place(const std::string& name, const std::string& parameters, const std::string& along) {
  return "__device__ __forceinline__ int " + name + "(" + parameters + ") {\n  return (" + along +
         " / kRow * kTileK + k) * kRow + (" + along + " % kRow ^ k % 8 * kChunk);\n}\n";
}

}  // namespace

const std::set<std::string>& tensor_core_names() {
  static const std::set<std::string> names = {
      "a",           "b",           "b_big",      "b_small",     "a_big",        "a_small",     "at",
      "next",        "load_rows",   "split_tile", "a_value",     "batch",        "chunk",       "column",
      "copy_tile",   "e",           "finished",   "first_k",     "segment",      "k_tile",      "tile_k",
      "segment_end", "word",        "first",      "counts",      "has_term",     "any",         "count",
      "tiles",       "is_in",       "is_here",    "here",        "any_here",     "add_parts",   "counter",
      "first_part",  "is_last",     "of_group",   "store_part",  "more",         "part",        "partial",
      "split",       "tile_number", "total",      "four",        "fragment",     "group",       "i",
      "j",           "k",           "lane",       "lhs_at",      "lhs_k",        "lhs_row",     "load_step",
      "of_tile",     "pair",        "place",      "r",           "group_row",    "rhs_at",      "rhs_column",
      "rhs_k",       "row",         "shared",     "stage",       "step",         "sum",         "sum_at",
      "sums",        "thread",      "tile",       "tile_column", "tile_row",     "warp_column", "warp_row",
      "full",        "lhs_tiles",   "number",     "rhs_tiles",   "sums_of_warp", "tile_place",  "warp",
      "warpgroup",   "part_column"};
  return names;
}

std::string TensorCoreText::shared(const std::string& more) const {
  return "struct Shared {\n"
         "  struct Stage {\n"
         "    alignas(" +
         std::string(form.wgmma ? "1024" : "128") + ") " + element +
         " lhs[kTileM * kTileK];\n"
         "    " +
         element +
         " rhs[kTileK * kTileN];\n"
         "  };\n"
         "  union {\n"
         "    Stage stage[kStages];\n"
         "    alignas(128) " +
         sum() +
         " sums[kTileM * kTileN];\n"
         "  };\n" +
         (form.small_bytes(are_tf32) > 0
              ? "  alignas(1024) float small[2][" + std::string(form.turned ? "kTileM * kTileK" : "kTileK * kTileN") +
                    "];  // what large parts leave of the " + (form.turned ? "left" : "right") + " operand\n"
              : "") +
         (form.splits > 1 ? "  bool is_last;  // of the blocks that share the tile\n" : "") + more + "};\n";
}

std::string TensorCoreText::places() const {
  const int64_t bytes = form.element_bytes(), k_bytes = form.k * bytes;
  std::string text =
      form.has_registers()
          ? "// Where an element of a tile is in shared memory: chunks of 16 bytes change places within their\n"
            "// row, of the " +
                std::string(form.turned ? "left" : "right") +
                " operand as wgmma reads them (device/wgmma.cuh), of the other so\n"
                "// that what the lanes of a warp read at once lies in all 32 banks.\n"
      : form.wgmma
          ? "// Where an element of a tile is in shared memory: in rows of 128 bytes, within which chunks of\n"
            "// 16 bytes change places, as wgmma reads them (device/wgmma.cuh).\n"
          : "// Where an element of a tile is in shared memory: chunks of 16 bytes change places within their\n"
            "// row, so that what the lanes of a warp read at once lies in all 32 banks.\n";
  text += along_k[0] ? place("lhs_at", "int row, int k", "row", "kTileK", "k", swizzle("row", k_bytes, bytes, false))
          : form.wgmma && !form.has_registers()
              ? block_place("lhs_at", "int row, int k", "row")
              : place("lhs_at", "int row, int k", "k", "kTileM", "row", swizzle("k", form.m * bytes, bytes, true));
  text += along_k[1]
              ? place("rhs_at", "int k, int column", "column", "kTileK", "k", swizzle("column", k_bytes, bytes, false))
          : form.wgmma && !form.has_registers() ? block_place("rhs_at", "int k, int column", "column")
                                                : place("rhs_at", "int k, int column", "k", "kTileN", "column",
                                                        swizzle("k", form.n * bytes, bytes, true));
  return text + place("sum_at", "int row, int column", "row", "kTileN", "column", sum_place());
}

// How sums of a row change places: eight rows at two columns are written at once; what a warp reads at once are
// neighbours of a row, or runs of one part, each as far from the next as all parts are wide.
std::string TensorCoreText::sum_place() const {
  // Of warpgroups that divide columns, rows at eight columns each.
  if (parts.count == 1) return form.turned ? "row / 2 % 4 * 8" : form.n == 16 ? "row / 2 % 2 * 8" : "row % 4 * 8";
  const int64_t all_parts = std::max<int64_t>(32, parts.run * parts.count);
  const std::string turn = all_parts == 32 ? "32" : "(kRun * kParts)";
  return std::string(form.turned ? "row / 2 % 4 * 8" : "row % 2 * 16 ^ row / 2 % 2 * 8") +
         (form.n > all_parts ? " ^ column / " + turn + " % 2 * kRun" : "");
}

std::string TensorCoreText::place_of(size_t side, const std::string& outer, const std::string& k) const {
  return side == 0 ? "lhs_at(" + outer + ", " + k + ")" : "rhs_at(" + k + ", " + outer + ")";
}

std::string TensorCoreText::rows_to_registers(size_t side, const std::string& to, const std::string& outer) const {
  const bool doubles = form.element_bytes() == 8;
  const std::string tile = side == 0 ? "stage.lhs" : "stage.rhs";
  if (along_k[side] && !doubles) {
    return "    const int place = " + place_of(side, outer + " + lane % 16", "(step * 2 + lane / 16) * kChunk") +
           ";\n"
           "    ldmatrix_x4(" +
           to + ", &" + tile + "[place]);\n";
  }
  if (form.element_bytes() == 1) {
    return "    uint32_t pair[4];\n"
           "    ldmatrix_x4_trans(pair, &" +
           tile + "[" + place_of(side, outer, "step * kMmaK + row_of_bytes(lane)") +
           "]);\n"
           "    unzip_bytes(pair[0], pair[1], " +
           to + "[0], " + to +
           "[1]);\n"
           "    unzip_bytes(pair[2], pair[3], " +
           to + "[2], " + to + "[3]);\n";
  }
  if (form.element_bytes() == 2) {
    return "    const int place = " +
           place_of(side, outer + " + lane / 8 % 2 * 8", "step * kMmaK + lane % 8 + lane / 16 * 8") +
           ";\n"
           "    ldmatrix_x4_trans(" +
           to + ", &" + tile + "[place]);\n";
  }
  const std::string element = tile + "[place]";
  return "    for (int r = 0; r < 4; ++r) {\n"
         "      const int place = " +
         place_of(side, outer + " + r % 2 * 8 + group", "step * kMmaK + r / 2 * 4 + lane % 4") +
         ";\n"
         "      " +
         to + "[r] = " + (doubles ? element : "__float_as_uint(" + element + ")") +
         ";\n"
         "    }\n";
}

std::string TensorCoreText::load_step() const {
  const bool bytes = form.element_bytes() == 1, doubles = form.element_bytes() == 8;
  const bool one_by_one = form.element_bytes() >= 4;  // where they do not lie as ldmatrix reads them
  const std::string type = doubles ? "double" : "uint32_t";
  const auto register_of = [&](const std::string& value) { return doubles ? value : "__float_as_uint(" + value + ")"; };
  std::string text = "// one step of K from shared memory to registers\n" + type + " a[2][kMmasM][4];\n" + type +
                     " b[2][kMmasN][2];\n"
                     "const auto load_step = [&](int tile, int step) {\n"
                     "  const Shared::Stage& stage = shared.stage[tile % kStages];\n"
                     "  for (int i = 0; i < kMmasM; ++i) {\n"
                     "    const int row = warp_row + i * kMmaM;\n";
  text += rows_to_registers(0, "a[step % 2][i]", "row");
  text += "  }\n";
  if (!along_k[1] && bytes) {
    text +=
        "  for (int j = 0; j < kMmasN; j += 2) {\n"
        "    const int column = warp_column + j * kMmaN;\n"
        "    uint32_t pair[4];\n"
        "    ldmatrix_x4_trans(pair, &stage.rhs[rhs_at(step * kMmaK + row_of_bytes(lane), column)]);\n"
        "    unzip_bytes(pair[0], pair[1], b[step % 2][j][0], b[step % 2][j + 1][0]);\n"
        "    unzip_bytes(pair[2], pair[3], b[step % 2][j][1], b[step % 2][j + 1][1]);\n"
        "  }\n";
  } else if (!doubles && (along_k[1] || !one_by_one)) {
    text +=
        "  for (int j = 0; j < kMmasN; j += 2) {\n"
        "    const int column = warp_column + j * kMmaN;\n"
        "    uint32_t pair[4];\n";
    text += along_k[1] ? "    const int place =\n"
                         "        rhs_at((step * 2 + lane / 8 % 2) * kChunk, column + lane % 8 + lane / 16 * 8);\n"
                         "    ldmatrix_x4(pair, &stage.rhs[place]);\n"
                       : "    const int place = rhs_at(step * kMmaK + lane % 16, column + lane / 16 * 8);\n"
                         "    ldmatrix_x4_trans(pair, &stage.rhs[place]);\n";
    text +=
        "    b[step % 2][j][0] = pair[0], b[step % 2][j][1] = pair[1];\n"
        "    b[step % 2][j + 1][0] = pair[2], b[step % 2][j + 1][1] = pair[3];\n"
        "  }\n";
  } else {
    text +=
        "  for (int j = 0; j < kMmasN; ++j) {\n"
        "    for (int r = 0; r < 2; ++r) {\n"
        "      const int place =\n"
        "          rhs_at(step * kMmaK + r * 4 + lane % 4, warp_column + j * kMmaN + group);\n"
        "      b[step % 2][j][r] = " +
        register_of("stage.rhs[place]") +
        ";\n"
        "    }\n"
        "  }\n";
  }
  return text + "};\n";
}

// Of 3xTF32: what one operand leaves of TF32 is multiplied with the other one, small terms first.
std::string TensorCoreText::terms_of_warps() const {
  const bool splits_a = !are_tf32[0], splits_b = !are_tf32[1];
  const std::string a = splits_a ? "a_big" : "a[step % 2][i]", b = splits_b ? "b_big[j]" : "b[step % 2][j]";
  const auto products = [](const std::string& left, const std::string& right) {
    return "      for (int j = 0; j < kMmasN; ++j) mma_tf32(of_tile[i][j], " + left + ", " + right + ");\n";
  };
  std::string text;
  if (splits_b) {
    text +=
        "    uint32_t b_big[kMmasN][2], b_small[kMmasN][2];\n"
        "    for (int j = 0; j < kMmasN; ++j) {\n"
        "      for (int r = 0; r < 2; ++r) split_tf32(b[step % 2][j][r], b_big[j][r], b_small[j][r]);\n"
        "    }\n";
  }
  text += "    for (int i = 0; i < kMmasM; ++i) {\n";
  if (splits_a) {
    text +=
        "      uint32_t a_big[4], a_small[4];\n"
        "      for (int r = 0; r < 4; ++r) split_tf32(a[step % 2][i][r], a_big[r], a_small[r]);\n";
    text += products("a_small", b);
  }
  if (splits_b) text += products(a, "b_small[j]");
  return text + products(a, b) + "    }\n";
}

std::string TensorCoreText::wait(const std::string& before, const char* left) const {
  return is_asynchronous ? before + "wait_copies<" + left + ">();\n" : "";
}

std::string TensorCoreText::main_loop() const {
  using Product = TensorCoreForm::Product;
  if (form.wgmma) return form.has_registers() ? registers_loop() : warpgroups_loop();
  std::string text = sum() + " sums[kMmasM][kMmasN][4] = {};\n";
  if (form.product == Product::k3xTf32) text += "float of_tile[kMmasM][kMmasN][4] = {};\n";
  text += "for (int tile = 0; tile < kStages - 1; ++tile) copy_tile(tile);\n" + wait("", "kStages - 2") +
          "__syncthreads();\n"
          "load_step(0, 0);\n"
          "for (int tile = 0; tile < " +
          tiles +
          "; ++tile) {\n"
          "#pragma unroll\n"
          "  for (int step = 0; step < kStepsK; ++step) {\n"
          "    if (step + 1 < kStepsK) {\n"
          "      load_step(tile, step + 1);\n"
          "      if (step == 0) copy_tile(tile + kStages - 1);\n"
          "    } else {\n" +
          wait("      ", "kStages - 2") +
          "      __syncthreads();\n"
          "      load_step(tile + 1, 0);\n"
          "    }\n";
  switch (form.product) {
    case Product::k16Bits:
    case Product::kInt8:
    case Product::kF64:
      text +=
          "    for (int i = 0; i < kMmasM; ++i) {\n"
          "      for (int j = 0; j < kMmasN; ++j) " +
          mma +
          "(sums[i][j], a[step % 2][i], b[step % 2][j]);\n"
          "    }\n";
      break;
    case Product::kTf32:
      text +=
          "    uint32_t b_big[kMmasN][2];\n"
          "    for (int j = 0; j < kMmasN; ++j) {\n"
          "      for (int r = 0; r < 2; ++r) b_big[j][r] = to_tf32(__uint_as_float(b[step % 2][j][r]));\n"
          "    }\n"
          "    for (int i = 0; i < kMmasM; ++i) {\n"
          "      uint32_t a_big[4];\n"
          "      for (int r = 0; r < 4; ++r) a_big[r] = to_tf32(__uint_as_float(a[step % 2][i][r]));\n"
          "      for (int j = 0; j < kMmasN; ++j) mma_tf32(sums[i][j], a_big, b_big[j]);\n"
          "    }\n";
      break;
    case Product::k3xTf32:
      text += terms_of_warps();
      break;
  }
  text += "  }\n";
  if (form.product == Product::k3xTf32) text += "  add_and_clear(sums, of_tile);\n";
  return text + "}\n";
}

std::string TensorCoreText::add_parts() const {
  const std::string width = std::to_string(16 / form.sum_bytes()), vector = "Vector<" + sum() + ", " + width + ">";
  const bool groups = form.group() < form.splits;
  std::string text =
      groups ? "// this block's part of the sums; the last block of a group to finish adds up what its blocks\n"
               "// have, in order, and the last group to finish what groups have\n"
             : "// this block's part of the sums; the last block of the tile to finish adds up all parts, in order\n";
  text +=
      "const auto store_part = [&](int part) {\n"
      "  for (int i = thread * " +
      width + "; i < kTileSums; i += kThreads * " + width +
      ")\n"
      "    store_vector(&partial[part * kTileSums + i], load_vector<" +
      width +
      ">(&shared.sums[i]));\n"
      "};\n"
      "const auto is_last = [&](int counter, unsigned blocks) {\n"
      "  __syncthreads();\n"
      "  if (thread == 0)\n"
      "    shared.is_last = count_finished(&finished[counter], blocks - 1) == blocks - 1;\n"
      "  __syncthreads();\n"
      "  return shared.is_last;\n"
      "};\n"
      "const auto add_parts = [&](int first, int step, int end) {\n"
      "  for (int i = thread * " +
      width + "; i < kTileSums; i += kThreads * " + width +
      ") {\n"
      "    " +
      vector + " total = load_vector<" + width +
      ">(&partial[first * kTileSums + i]);\n"
      "#pragma unroll 4\n"
      "    for (int part = first + step; part < end; part += step) {\n"
      "      const " +
      vector + " more = load_vector<" + width +
      ">(&partial[part * kTileSums + i]);\n"
      "      for (int e = 0; e < " +
      width +
      "; ++e) total[e] += more[e];\n"
      "    }\n"
      "    store_vector(&shared.sums[i], total);\n"
      "  }\n"
      "};\n"
      "const int first_part = tile_number * kSplits;\n"
      "store_part(first_part + split);\n";
  if (groups) {
    text +=
        "const int of_group = first_part + split / kGroup * kGroup;\n"
        "const int counter = tile_number * (kGroups + 1);\n"
        "if (!is_last(counter + split / kGroup, kGroup)) return;\n"
        "add_parts(of_group, 1, of_group + kGroup);\n"
        "store_part(of_group);\n"
        "if (!is_last(counter + kGroups, kGroups)) return;\n"
        "add_parts(first_part, kGroup, first_part + kSplits);\n";
  } else {
    text +=
        "if (!is_last(tile_number, kSplits)) return;\n"
        "add_parts(first_part, 1, first_part + kSplits);\n";
  }
  return text + "__syncthreads();\n";
}

std::string TensorCoreText::sum() const {
  return form.element_bytes() == 1 ? "int" : form.sum_bytes() == 8 ? "double" : "float";
}

std::string TensorCoreText::sums_to_shared() const {
  const std::string begin =
      "// to shared memory, which the stages no longer need, so that what follows has rows of neighbours\n" +
      wait("", "0") + "__syncthreads();\n";
  if (form.wgmma) return begin + sums_of_warpgroups();
  // Of bytes that lie across k, rows and columns come in the order of unzip_bytes: even ones first.
  const bool bytes = form.element_bytes() == 1;
  const std::string row = bytes && !along_k[0] ? "group * 2 + r / 2" : "r / 2 * 8 + group";
  const bool zips = bytes && !along_k[1];
  std::string text = begin +
                     "for (int i = 0; i < kMmasM; ++i) {\n"
                     "  for (int j = 0; j < kMmasN; j += " +
                     std::string(zips ? "2" : "1") +
                     ") {\n"
                     "    for (int r = 0; r < 4; r += 2) {\n"
                     "      const int row = warp_row + i * kMmaM + " +
                     row + ";\n";
  if (!zips) text.replace(text.find("j += 1"), 6, "++j");
  text += zips ? "      const int column = warp_column + j * kMmaN + lane % 4 * 4;\n"
                 "      const Vector<int, 4> four = {sums[i][j][r], sums[i][j + 1][r], sums[i][j][r + 1],\n"
                 "                                   sums[i][j + 1][r + 1]};\n"
                 "      store_vector(&shared.sums[sum_at(row, column)], four);\n"
               : "      const int column = warp_column + j * kMmaN + lane % 4 * 2;\n"
                 "      const Vector<" +
                     sum() +
                     ", 2> pair = {sums[i][j][r], sums[i][j][r + 1]};\n"
                     "      store_vector(&shared.sums[sum_at(row, column)], pair);\n";
  return text +
         "    }\n"
         "  }\n"
         "}\n"
         "__syncthreads();\n";
}

}  // namespace sinter
