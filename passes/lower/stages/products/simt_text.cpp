#include "passes/lower/stages/products/simt_text.h"

#include "passes/lower/text/indented.h"

namespace sinter {

namespace {

std::string function(const std::string& name, const std::string& value) {
  return "__device__ __forceinline__ int " + name + "(int number) {\n  return " + value + ";\n}\n";
}

}  // namespace

const std::set<std::string>& simt_names() {
  static const std::set<std::string> names = {
      "a",        "b",           "batch",  "chunk",       "column",     "e",           "i",
      "j",        "k",           "lane",   "lhs_k",       "lhs_part",   "lhs_row",     "load_tile",
      "part",     "part_column", "number", "own_column",  "own_row",    "rhs_column",  "rhs_k",
      "rhs_part", "row",         "shared", "stage",       "store_tile", "sum",         "sum_at",
      "sums",     "thread",      "tile",   "tile_column", "tile_row",   "warp_column", "warp_row"};
  return names;
}

std::string SimtText::shared(const std::string& more) const {
  return "struct Shared {\n"
         "  struct Stage {\n"
         "    alignas(16) " +
         lhs +
         " lhs[kTileK][kLhsPitch];\n"
         "    alignas(16) " +
         rhs +
         " rhs[kTileK][kRhsPitch];\n"
         "  };\n"
         "  union {\n"
         "    Stage stage[kStages];\n"
         "    alignas(16) " +
         sum +
         " sums[kTileM * kTileN];\n"
         "  };\n" +
         more + "};\n";
}

std::string SimtText::places() const {
  const bool deep = form.k > SimtThreads::kDepth;
  std::string text = "// The first element of each load of a tile: they are numbered as their elements lie in memory";
  const bool along_k = threads.loads[0].along_k || threads.loads[1].along_k;
  text += along_k && deep ? ",\n// kDepth along k, then rows, then what else there is of k.\n" : ".\n";
  for (const size_t side : {0, 1}) {
    const std::string operand = side == 0 ? "lhs" : "rhs", outer = side == 0 ? "lhs_row" : "rhs_column";
    const std::string chunk = side == 0 ? "kLhsChunk" : "kRhsChunk", chunks = chunk + "s";
    const std::string elements = threads.loads[side].elements > 1 ? " * " + chunk : "";
    const std::string row = "number / " + chunks, along = "number % " + chunks + elements;
    if (!threads.loads[side].along_k) {
      text += function(operand + "_k", row) + function(outer, along);
    } else if (deep) {
      const std::string length = side == 0 ? "kTileM" : "kTileN";
      text += function(outer, row + " % " + length) +
              function(operand + "_k", "number / (" + chunks + " * " + length + ") * kDepth + " + along);
    } else {
      text += function(outer, row) + function(operand + "_k", along);
    }
  }
  return text +
         "// Chunks of a row change places: what a warp writes at once lies in all 32 banks.\n"
         "__device__ __forceinline__ int sum_at(int row, int column) {\n"
         "  return row * kTileN + (column ^ row / kChunk % 4 * (kChunk * 2));\n"
         "}\n";
}

std::string SimtText::coordinates() const {
  return "const int warp_row = thread / kWarp / kWarpsN * kWarpM;\n"
         "const int warp_column = thread / kWarp % kWarpsN * kWarpN;\n"
         "// a thread's first sum: kChunk rows and columns of each lane, side by side, and so again. Half a warp\n"
         "// reads at once: lanes 2n and 2n + 1 the same of lhs, others two apart the same of rhs\n"
         "const int own_row = warp_row + lane / 2 % kLanesM * kChunk;\n"
         "const int own_column = warp_column + (lane % 2 + lane / 16 * 2) * kChunk;\n";
}

std::string SimtText::fragments() const {
  // Where a chunk is one element, it is what is loaded.
  const auto fragment = [&](const std::string& name, const std::string& count, const std::string& operand,
                            const std::string& own, const std::string& lanes) {
    const std::string counter = name == "a" ? "i" : "j";
    const std::string from = "stage." + operand + "[k][" + own + " + " + counter + " * " + lanes + "]";
    const std::string loop = "for (int " + counter + " = 0; " + counter + " < " + count + "; ";
    if (threads.chunk == 1) return loop + "++" + counter + ") " + name + "[" + counter + "] = " + from + ";\n";
    return loop + counter + " += kChunk) {\n  const auto chunk = load_vector<kChunk>(&" + from +
           ");\n  for (int e = 0; e < kChunk; ++e) " + name + "[" + counter + " + e] = chunk[e];\n}\n";
  };
  const std::string declared =
      lhs == rhs ? lhs + " a[kSumsM], b[kSumsN];\n" : lhs + " a[kSumsM];\n" + rhs + " b[kSumsN];\n";
  return declared + fragment("a", "kSumsM", "lhs", "own_row", "kLanesM") +
         fragment("b", "kSumsN", "rhs", "own_column", "kLanesN");
}

std::string SimtText::main_loop() const {
  const std::string product = this->product.empty() ? "sums[i][j] += a[i] * b[j];\n"
                                                    : "sums[i][j] = " + this->product + "(a[i], b[j], sums[i][j]);\n";
  return sum +
         " sums[kSumsM][kSumsN] = {};\n"
         "load_tile(0);\n"
         "store_tile(0);\n"
         "__syncthreads();\n"
         "for (int tile = 0; tile < kTiles; ++tile) {\n"
         "  if (tile + 1 < kTiles) load_tile(tile + 1);\n"
         "  const Shared::Stage& stage = shared.stage[tile % kStages];\n"
         "#pragma unroll\n"
         "  for (int k = 0; k < kTileK; ++k) {\n" +
         indented(fragments(), "    ") +
         "    for (int i = 0; i < kSumsM; ++i) {\n"
         "      for (int j = 0; j < kSumsN; ++j) " +
         product +
         "    }\n"
         "  }\n"
         "  if (tile + 1 < kTiles) store_tile(tile + 1);\n"
         "  __syncthreads();\n"
         "}\n";
}

std::string SimtText::sums_to_shared() const {
  std::string text =
      "// to shared memory, which the stages no longer need, so that what follows has rows of neighbours\n"
      "#pragma unroll\n"
      "for (int i = 0; i < kSumsM; ++i) {\n"
      "  for (int j = 0; j < kSumsN; ";
  if (threads.chunk == 1) {
    return text +
           "++j)\n"
           "    shared.sums[sum_at(own_row + i * kLanesM, own_column + j * kLanesN)] = sums[i][j];\n"
           "}\n"
           "__syncthreads();\n";
  }
  return text +
         "j += kChunk) {\n"
         "    const int row = own_row + i / kChunk * kChunk * kLanesM + i % kChunk;\n"
         "    Vector<" +
         sum +
         ", kChunk> chunk;\n"
         "    for (int e = 0; e < kChunk; ++e) chunk[e] = sums[i][j + e];\n"
         "    store_vector(&shared.sums[sum_at(row, own_column + j * kLanesN)], chunk);\n"
         "  }\n"
         "}\n"
         "__syncthreads();\n";
}

}  // namespace sinter
