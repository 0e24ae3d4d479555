#include "passes/lower/stages/gemv/gemv_text.h"

#include "ir/support/ceil_div.h"
#include "passes/analysis/values/hardware.h"

namespace sinter {

const std::set<std::string>& gemv_names() {
  static const std::set<std::string> names = {
      "along",    "batch",         "chunk",   "column_of",    "copy_step", "e",          "elements", "end",
      "finished", "first",         "first_k", "first_output", "group",     "i",          "k",        "k_of_panel",
      "lane",     "loads_weights", "mask",    "of_tile",      "output",    "own_vector", "panel",    "part",
      "partial",  "piece",         "place",   "products",     "r",         "shared",     "split",    "step",
      "sums",     "thread",        "total",   "vector",       "x",         "x_at",       "x_value"};
  return names;
}

int64_t GemvText::blocks() const { return ceil_div(operands.outputs, form.n); }

int64_t GemvText::panels() const { return ceil_div(threads.split_k, threads.panel_k); }

std::vector<NamedConstant> GemvText::constants() const {
  std::vector<NamedConstant> result;
  const auto constant = [&](const char* what, const auto& value, const std::string& comment = "") {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>) {
      result.push_back({what, "int", std::to_string(value), comment});
    } else {
      result.push_back({what, "int", value, comment});
    }
  };

  if (operands.batch > 1) constant("kBatch", operands.batch);
  constant("kVectors", operands.vectors);
  constant("kOutputs", operands.outputs, parts.empty > 0 ? "of all parts, empty ones too" : "");
  constant("kK", operands.k);
  if (parts.count > 1) {
    constant("kParts", parts.count,
             has_matrices ? "matrices, of each of which a block has sums"
                          : "of a row of sums; a result is made of one of each");
    if (parts.empty > 0) constant("kFull", parts.full(), "of them; others are left empty");
    constant("kPart", "kOutputs / kParts", std::to_string(parts.size));
    constant("kRun", parts.run, "neighbours of a part, side by side in a block");
  }
  constant("kTileN", form.n, "outputs of a block");
  if (parts.count > 1) constant("kResults", "kTileN / kParts", "of a block: " + std::to_string(form.n / parts.count));
  constant("kTileK", form.k, "along k, of a step");
  if (copies() && !form.resident)
    constant("kStages", slots(), all_ahead() ? "steps that have slots: all" : "steps that have slots: one is added up");
  if (splits()) {
    constant("kSplits", form.splits, "blocks that share the sums of an output");
    constant("kSplitK", threads.split_k, "along k, of each");
  }
  const std::string of_block = splits() ? "kSplitK" : "kK";
  constant("kSteps", splits() || whole_k() ? of_block + " / kTileK" : "(kK + kTileK - 1) / kTileK",
           std::to_string(steps()));
  if (form.resident) {
    result.push_back(
        {kLoadsWeights, "bool", "true", "into shared memory; as a part of a launch of many steps, it is told"});
  }
  if (panels() > 1) {
    constant("kPanelSteps", threads.panel_k / form.k, "whose part of the vectors is in shared memory");
    constant("kPanels", "(kSteps + kPanelSteps - 1) / kPanelSteps", std::to_string(panels()));
  }
  constant("kPanelK", panels() > 1 ? "kPanelSteps * kTileK" : "kSteps * kTileK", std::to_string(threads.panel_k));
  constant("kBlocks", whole_outputs() ? "kOutputs / kTileN" : "(kOutputs + kTileN - 1) / kTileN",
           std::to_string(blocks()));
  constant("kThreads", block);
  constant("kWarp", kWarp);
  constant("kChunk", operands.chunk,
           copies() ? "elements of a copy of " + std::to_string(copy_bytes) + " bytes" : "elements of a load");
  constant("kLanes", operands.along_k ? "kTileK / kChunk" : "kTileN / kChunk",
           (operands.along_k ? "threads that share an output: " : "threads of neighbouring outputs: ") +
               std::to_string(threads.lanes));
  constant("kPlaces", "kThreads / kLanes", std::to_string(block / threads.lanes));
  constant("kRows", operands.along_k ? "kTileN / kPlaces" : "kTileK / kPlaces",
           "chunks of a thread and step: " + std::to_string(threads.rows));
  constant("kSums", operands.along_k ? "kRows" : "kChunk", "of a thread and vector");
  if (operands.along_k && piece > 1) constant("kPiece", piece, "elements of a vector that are read at once");
  if (!statistics.empty()) {
    constant("kVectorThreads", threads.statistics.of_vector, "that make the statistics of a vector");
    if (statistics.width > 1) constant("kWidth", statistics.width, "neighbouring terms that a thread loads at once");
  }
  // Warps beside each other hold sums of the same outputs.
  if (threads.groups == 1) {
    constant("kGroups", 1, "of warps that share outputs");
  } else {
    constant("kGroups", operands.along_k ? "kLanes / kWarp" : "kThreads / kWarp",
             "of warps that share outputs: " + std::to_string(threads.groups));
  }
  return result;
}

std::vector<std::pair<std::string, std::string>> GemvText::assertions() const {
  std::string conditions;
  for (const auto& [is_whole, condition] : {std::pair(whole_outputs(), "kOutputs % kTileN == 0"),
                                            {whole_k(), splits() ? "kK == kSplits * kSplitK" : "kK % kTileK == 0"}}) {
    if (is_whole) conditions += (conditions.empty() ? "" : " && ") + std::string(condition);
  }
  std::vector<std::pair<std::string, std::string>> result;
  if (!conditions.empty()) result.emplace_back(conditions, "steps and blocks are whole");
  if (parts.count > 1) result.emplace_back("kTileN % (kRun * kParts) == 0", "a block has all parts");
  return result;
}

std::string GemvText::shared() const {
  std::string lines = "struct Shared {\n";
  if (copies())
    lines += "  Vector<" + copied + ", kChunk> chunk[" + (form.resident ? "kSteps" : "kStages") +
             "][kRows][kThreads];  // that each thread reads itself" +
             (form.resident ? ", kept between steps\n" : "\n");
  lines += "  alignas(16) " + x + " x[kVectors][kPanelK];\n  " + sum + " sums[kGroups][kVectors][kTileN];\n";
  return lines + statistics.members() + "};\n";
}

// Threads that are neighbours read neighbouring pieces.
std::string GemvText::x_at() const {
  return "// Where element k of a vector is in shared memory: the first pieces of all chunks, then the second\n"
         "// ones, so that threads side by side read what lies side by side.\n"
         "__device__ __forceinline__ int x_at(int k) {\n"
         "  return (k % kChunk / kPiece * (kPanelK / kChunk) + k / kChunk) * kPiece + k % kPiece;\n"
         "}\n";
}

std::string GemvText::column_of() const {
  return "// The output of the block that a part has for its result `j`.\n"
         "__device__ __forceinline__ int column_of(int part, int j) {\n"
         "  return (j / kRun * kParts + part) * kRun + j % kRun;\n"
         "}\n";
}

std::string GemvText::sums_to_shared() const {
  if (!adds_up_lanes()) {
    return "// to shared memory: no two threads of a warp have sums of one output\n"
           "#pragma unroll\n"
           "for (int vector = 0; vector < kVectors; ++vector) {\n"
           "#pragma unroll\n"
           "  for (int i = 0; i < kSums; ++i) shared.sums[thread / kWarp][vector][along + i] = sums[vector][i];\n"
           "}\n"
           "__syncthreads();\n";
  }
  std::string lines =
      "// what threads of a warp have of the same outputs, added up\n"
      "#pragma unroll\n"
      "for (int vector = 0; vector < kVectors; ++vector) {\n"
      "#pragma unroll\n"
      "  for (int i = 0; i < kSums; ++i) {\n";
  if (operands.along_k) {
    const std::string lanes = threads.lanes > kWarp ? "kWarp" : "kLanes";
    const std::string group = threads.groups > 1 ? "thread % kLanes / kWarp" : "0";
    lines += "    const " + sum + " sum = warp_reduce<" + lanes +
             ">(sums[vector][i], Add());\n"
             "    if (thread % " +
             lanes + " == 0) shared.sums[" + group + "][vector][place + i * kPlaces] = sum;\n";
  } else {
    lines += "    " + sum +
             " sum = sums[vector][i];\n"
             "#pragma unroll\n"
             "    for (int mask = kLanes; mask < kWarp; mask *= 2) sum += shuffle_xor(sum, mask);\n"
             "    if (thread % kWarp < kLanes) shared.sums[thread / kWarp][vector][along + i] = sum;\n";
  }
  return lines +
         "  }\n"
         "}\n"
         "__syncthreads();\n";
}

std::string GemvText::launch() const {
  const auto count = [](int64_t number, const char* of) { return std::to_string(number) + " " + of; };
  std::string words = count(operands.vectors, operands.vectors == 1 ? "vector" : "vectors") +
                      (has_matrices ? " times " + std::to_string(parts.full()) + " matrices: " : " times a matrix: ") +
                      count(form.n, form.n == 1 ? "output" : "outputs") + " a block of " + count(block, "threads") +
                      (steps() == 1 ? "; K in one step" : "; K in steps of " + std::to_string(form.k));
  if (form.resident) {
    words += ", all of them in shared memory";
  } else if (copies() && steps() > 1) {
    words += ", " + (all_ahead() ? "all" : std::to_string(slots() - 1)) + " under way";
  }
  if (splits()) words += ", divided among " + count(form.splits, "blocks");
  words += ".";
  if (has_matrices) {
    words += " A block has a run of the outputs of each in turn.";
  } else if (parts.count > 1) {
    words += " A result is made of " + std::to_string(parts.full()) + " outputs, one of each part of " +
             std::to_string(parts.size) + ": a block has a run of each part in turn.";
  }
  return words;
}

}  // namespace sinter
