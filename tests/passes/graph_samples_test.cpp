// The pipeline on every sample: it verifies after each pass (run_graph_passes does), prints as it is read back, and
// gives the same text twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "frontend/hlo/parse_hlo.h"
#include "ir/text/print.h"
#include "passes/analysis/functions/network.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/graph/pipeline.h"

namespace sinter {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> samples() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(SINTER_SOURCE_DIR) / "samples")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".hlo" && name == entry.path().parent_path().filename().string() + ".hlo") {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::unique_ptr<Module> parse_text(const std::string& text) {
  const Source source{"sample.hlo", text};
  Diagnostics diagnostics(source);
  std::unique_ptr<Module> module = parse_hlo(diagnostics);
  EXPECT_NE(module, nullptr) << diagnostics.render();
  return module;
}

std::unique_ptr<Module> after_pipeline(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  std::unique_ptr<Module> module = parse_text(text.str());
  run_graph_passes(*module, GraphPassOptions());
  return module;
}

class GraphSamples : public testing::TestWithParam<fs::path> {};

TEST_P(GraphSamples, PipelineIsClean) {
  const std::unique_ptr<Module> module = after_pipeline(GetParam());
  const std::string printed = print(*module);
  EXPECT_EQ(print(*after_pipeline(GetParam())), printed);
  EXPECT_EQ(print(*parse_text(printed)), printed);
  for (const auto& computation : module->computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      if (instruction.opcode == Opcode::kFusion) {
        EXPECT_TRUE(is_attention(instruction) || is_network(instruction)) << instruction.name;
      }
      if (instruction.opcode != Opcode::kCall) continue;
      EXPECT_TRUE(is_per_element(**instruction.attributes->to_apply)) << instruction.name;
    }
  }
  for (const char* left : {" map(", " copy("}) {
    EXPECT_EQ(printed.find(left), std::string::npos) << left;
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, GraphSamples, testing::ValuesIn(samples()),
                         [](const auto& info) { return info.param.stem().string(); });

const Instruction* only_loop(const Module& module) {
  const Instruction* loop = nullptr;
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      if (instruction.opcode != Opcode::kWhile) continue;
      EXPECT_EQ(loop, nullptr);
      loop = &instruction;
    }
  }
  return loop;
}

// One counter, four states, the sum, and what the loop only reads; the row is t % 16 without fixes of its sign.
void expect_cartpole_loop(const std::string& sample) {
  const auto module = after_pipeline(fs::path(SINTER_SOURCE_DIR) / "samples" / sample / (sample + ".hlo"));
  const Instruction* loop = only_loop(*module);
  ASSERT_NE(loop, nullptr);
  const WhileInfo info = analyze_while(*loop);
  EXPECT_EQ(info.trip_count, 50);
  const auto count = [&](CarryKind kind) {
    return std::count_if(info.carries.begin(), info.carries.end(),
                         [&](const Carry& carry) { return carry.kind == kind; });
  };
  EXPECT_EQ(count(CarryKind::kInduction), 1);
  EXPECT_EQ(count(CarryKind::kGeneral), 5);
  EXPECT_EQ(count(CarryKind::kInvariant), 5);
  for (const Instruction& instruction : loop->attributes->body.value()->instructions()) {
    if (instruction.opcode != Opcode::kDynamicSlice) continue;
    EXPECT_EQ(instruction.operand(1)->opcode, Opcode::kRemainder);
    EXPECT_TRUE(instruction.annotations->frontend_attributes.contains("sinter_in_bounds"));
  }
}

TEST(GraphSamples, CartpoleHasOneCounter) { expect_cartpole_loop("cartpole_soa"); }
TEST(GraphSamples, UnrolledCartpoleIsRolledBack) { expect_cartpole_loop("cartpole_unroll10"); }

}  // namespace
}  // namespace sinter
