#include "passes/lower/stages/products/simt_text.h"

#include <algorithm>

#include "passes/lower/text/indented.h"

namespace sinter {

namespace {

std::string function(const std::string& name, const std::string& value) {
  return "__device__ __forceinline__ int " + name + "(int number) {\n  return " + value + ";\n}\n";
}

}  // namespace

void SimtText::add_tile(size_t side, const std::string& type) {
  const auto before = std::ranges::count(tiles, side, &Tile::side);
  const std::string number = before > 0 ? std::to_string(before + 1) : "", ending = before > 0 ? "_" + number : "";
  tiles.push_back({.side = side,
                   .type = type,
                   .name = (side == 0 ? "lhs" : "rhs") + ending,
                   .element = (side == 0 ? "a" : "b") + ending,
                   .number = number});
}

std::set<std::string> SimtText::names() const {
  std::set<std::string> names = {"batch",    "chunk",       "column",    "e",      "i",          "j",
                                 "k",        "lane",        "load_tile", "number", "own_column", "own_row",
                                 "part",     "part_column", "row",       "shared", "stage",      "store_tile",
                                 "sum",      "sum_at",      "sums",      "thread", "tile",       "tile_column",
                                 "tile_row", "warp_column", "warp_row"};
  if (tiles.size() > 2 || product.empty()) names.insert("term");
  for (const Value& value : values) names.insert(value.name);
  if (!values.empty()) names.insert("results");
  for (size_t i = 0; i <= values.size() && !values.empty(); ++i) {
    for (const char* of_value : {"term_", "next_"}) names.insert(of_value + std::to_string(i + 1));
  }
  for (const Tile& tile : tiles) {
    names.insert(tile.element);
    for (const char* of_tile : {"_k", "_part", tile.side == 0 ? "_row" : "_column"}) names.insert(tile.name + of_tile);
  }
  return names;
}

std::string SimtText::shared(const std::string& more) const {
  std::string stage;
  for (const Tile& tile : tiles) {
    const std::string pitch = tile.side == 0 ? "kLhsPitch" : "kRhsPitch";
    stage += "    alignas(16) " + tile.type + " " + tile.name + "[kTileK][" + pitch + "];\n";
  }
  const auto array = [](const std::string& type, const std::string& name) {
    return "alignas(16) " + type + " " + name + "[kTileM * kTileN];\n";
  };
  std::string results, more_results;
  for (const Value& value : values) {
    if (value.stored) more_results += "    " + array(value.type, value.name);
  }
  if (!more_results.empty()) results = "  struct Results {\n    " + array(sum, "sums") + more_results + "  };\n";
  return "struct Shared {\n"
         "  struct Stage {\n" +
         stage + "  };\n" + results +
         "  union {\n"
         "    Stage stage[kStages];\n    " +
         (results.empty() ? array(sum, "sums") : "Results results;\n") + "  };\n" + more + "};\n";
}

std::string SimtText::places() const {
  const bool deep = form.k > SimtThreads::kDepth;
  std::string text = "// The first element of each load of a tile: they are numbered as their elements lie in memory";
  const bool along_k = std::ranges::any_of(threads.loads, &SimtThreads::Load::along_k);
  text += along_k && deep ? ",\n// kDepth along k, then rows, then what else there is of k.\n" : ".\n";
  for (size_t number = 0; number < tiles.size(); ++number) {
    const Tile& tile = tiles[number];
    const std::string outer = tile.name + (tile.side == 0 ? "_row" : "_column");
    const std::string chunks = tile.chunks();
    const std::string elements = threads.loads[number].elements > 1 ? " * " + tile.chunk() : "";
    const std::string row = "number / " + chunks, along = "number % " + chunks + elements;
    if (!threads.loads[number].along_k) {
      text += function(tile.name + "_k", row) + function(outer, along);
    } else if (deep) {
      const std::string length = tile.side == 0 ? "kTileM" : "kTileN";
      text += function(outer, row + " % " + length) +
              function(tile.name + "_k", "number / (" + chunks + " * " + length + ") * kDepth + " + along);
    } else {
      text += function(outer, row) + function(tile.name + "_k", along);
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
  std::string declared, loads;
  for (const Tile& tile : tiles) {
    const bool rows = tile.side == 0;
    const std::string counter = rows ? "i" : "j", count = rows ? "kSumsM" : "kSumsN";
    const std::string element = tile.element + "[" + count + "]";
    const bool joins = tiles.size() == 2 && !rows && tiles[0].type == tile.type;
    if (joins) declared.replace(declared.size() - 2, 2, ", " + element + ";\n");
    if (!joins) declared += tile.type + " " + element + ";\n";
    const std::string lanes = rows ? "kLanesM" : "kLanesN";
    const std::string from =
        "stage." + tile.name + "[k][" + (rows ? "own_row" : "own_column") + " + " + counter + " * " + lanes + "]";
    const std::string loop = "for (int " + counter + " = 0; " + counter + " < " + count + "; ";
    if (threads.chunk == 1) {  // which is what is loaded
      loads += loop + "++" + counter + ") " + tile.element + "[" + counter + "] = " + from + ";\n";
    } else {
      loads += loop + counter + " += kChunk) {\n  const auto chunk = load_vector<kChunk>(&" + from +
               ");\n  for (int e = 0; e < kChunk; ++e) " + tile.element + "[" + counter + " + e] = chunk[e];\n}\n";
    }
  }
  return declared + loads;
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

std::string SimtText::sums_in_shared() const {
  return std::ranges::any_of(values, &Value::stored) ? "shared.results." : "shared.";
}

std::string SimtText::sums_to_shared() const {
  std::string text =
      "// to shared memory, which the stages no longer need, so that what follows has rows of neighbours\n" +
      value_to_shared(sum, "sums");
  for (const Value& value : values) {
    if (value.stored) text += value_to_shared(value.type, value.name);
  }
  return text + "__syncthreads();\n";
}

std::string SimtText::value_to_shared(const std::string& type, const std::string& name) const {
  const std::string target = sums_in_shared() + name;
  std::string text =
      "#pragma unroll\n"
      "for (int i = 0; i < kSumsM; ++i) {\n"
      "  for (int j = 0; j < kSumsN; ";
  if (threads.chunk == 1) {
    return text +
           "++j)\n"
           "    " +
           target + "[sum_at(own_row + i * kLanesM, own_column + j * kLanesN)] = " + name +
           "[i][j];\n"
           "}\n";
  }
  return text +
         "j += kChunk) {\n"
         "    const int row = own_row + i / kChunk * kChunk * kLanesM + i % kChunk;\n"
         "    Vector<" +
         type +
         ", kChunk> chunk;\n"
         "    for (int e = 0; e < kChunk; ++e) chunk[e] = " +
         name +
         "[i][j + e];\n"
         "    store_vector(&" +
         target +
         "[sum_at(row, own_column + j * kLanesN)], chunk);\n"
         "  }\n"
         "}\n";
}

}  // namespace sinter
