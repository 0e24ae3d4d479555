// Programs whose text or compile time would explode under careless recomputation: each compiles in seconds to bounded
// text, and computes what the evaluator does.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <sstream>

#include "tests/random/batch.h"

namespace sinter {
namespace {

constexpr double kMostSeconds = 30;  // of a sanitizer build on a busy machine; seconds otherwise
constexpr size_t kMostBytes = 2 << 20;

struct Compiled {
  double seconds = 0;
  size_t bytes = 0;  // of the kernels' text
  size_t kernels = 0;
};

Compiled compile_text(const std::string& text, std::optional<Artifact>& artifact) {
  const Source source = {.name = "limit.hlo", .text = text};
  Diagnostics diagnostics(source);
  const auto start = std::chrono::steady_clock::now();
  artifact = compile({.name = "limit"}, diagnostics);
  Compiled result;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_TRUE(artifact.has_value()) << diagnostics.render();
  if (!artifact) return result;
  for (const auto& [path, content] : artifact->files) {
    if (!path.starts_with("kernels/")) continue;
    result.bytes += content.size();
    ++result.kernels;
  }
  return result;
}

void expect_bounded(const std::string& name, const std::string& text) {
  std::optional<Artifact> artifact;
  const Compiled compiled = compile_text(text, artifact);
  std::printf("%-20s %6.2f s %8zu bytes in %zu kernels\n", name.c_str(), compiled.seconds, compiled.bytes,
              compiled.kernels);
  EXPECT_LT(compiled.seconds, kMostSeconds);
  EXPECT_LT(compiled.bytes, kMostBytes);
}

void expect_right(const std::string& text, const std::vector<RandomInput>& inputs) {
  std::vector<CheckedProgram> items(1);
  items[0].program.name = "limit";
  items[0].program.text = text;
  items[0].program.exact = false;
  items[0].program.inputs = inputs;
  check_batch(items, {.one_kernel = false});
  EXPECT_EQ(items[0].problem, "") << items[0].detail;
}

TEST(Limits, AssociativeScan) {
  std::ifstream file(std::string(SINTER_SOURCE_DIR) + "/tests/random/data/associative_scan.hlo");
  std::stringstream text;
  text << file.rdbuf();
  expect_bounded("associative scan", text.str());
  expect_right(text.str(), {{DType::kF32, {256, 16}, 1}, {DType::kF32, {256, 16}, 1}});
}

// u + 0.1 * (left + right + up + down - 4 u), zeros outside, `steps` times.
std::string stencil(int steps) {
  constexpr const char* kType = "f32[40,48]";
  struct Shift {
    const char* slice;
    const char* type;
    const char* padding;
  };
  constexpr Shift kShifts[] = {{"{[1:40], [0:48]}", "f32[39,48]", "0_1x0_0"},
                               {"{[0:39], [0:48]}", "f32[39,48]", "1_0x0_0"},
                               {"{[0:40], [1:48]}", "f32[40,47]", "0_0x0_1"},
                               {"{[0:40], [0:47]}", "f32[40,47]", "0_0x1_0"}};
  std::ostringstream text;
  text << "HloModule stencil\n\nENTRY main {\n  u.0 = " << kType << " parameter(0)\n  zero = f32[] constant(0)\n"
       << "  tenth = f32[] constant(0.1)\n  tenths = " << kType << " broadcast(tenth), dimensions={}\n"
       << "  four = f32[] constant(4)\n  fours = " << kType << " broadcast(four), dimensions={}\n";
  for (int step = 0; step < steps; ++step) {
    const std::string at = "." + std::to_string(step), u = "u" + at;
    text << "  sum0" << at << " = " << kType << " multiply(" << u << ", fours)\n  sum" << at << ".0 = " << kType
         << " negate(sum0" << at << ")\n";
    for (int s = 0; s < 4; ++s) {
      const std::string name = at + "." + std::to_string(s);
      text << "  slice" << name << " = " << kShifts[s].type << " slice(" << u << "), slice=" << kShifts[s].slice
           << "\n  pad" << name << " = " << kType << " pad(slice" << name << ", zero), padding=" << kShifts[s].padding
           << "\n  sum" << at << "." << s + 1 << " = " << kType << " add(sum" << name << ", pad" << name << ")\n";
    }
    text << "  scaled" << at << " = " << kType << " multiply(sum" << at << ".4, tenths)\n  "
         << (step + 1 == steps ? "ROOT " : "") << "u." << step + 1 << " = " << kType << " add(" << u << ", scaled" << at
         << ")\n";
  }
  text << "}\n";
  return text.str();
}

TEST(Limits, UnrolledStencil) {
  expect_bounded("stencil", stencil(8));
  expect_right(stencil(8), {{DType::kF32, {40, 48}, 1}});
}

// Each level puts together halves of two functions of the level before.
std::string nested_concatenates(int depth) {
  std::ostringstream text;
  text << "HloModule concatenates\n\nENTRY main {\n  y.0 = f32[64] parameter(0)\n";
  for (int level = 0; level < depth; ++level) {
    const std::string at = "." + std::to_string(level);
    text << "  sine" << at << " = f32[64] sine(y" << at << ")\n  tanh" << at << " = f32[64] tanh(y" << at << ")\n  low"
         << at << " = f32[24] slice(sine" << at << "), slice={[40:64]}\n  high" << at << " = f32[40] slice(tanh" << at
         << "), slice={[0:40]}\n  " << (level + 1 == depth ? "ROOT " : "") << "y." << level + 1
         << " = f32[64] concatenate(low" << at << ", high" << at << "), dimensions={0}\n";
  }
  text << "}\n";
  return text.str();
}

TEST(Limits, NestedConcatenates) {
  expect_bounded("concatenates", nested_concatenates(12));
  expect_right(nested_concatenates(12), {{DType::kF32, {64}, 1}});
}

std::string chain(int length) {
  std::string text = "HloModule chain\n\nENTRY main {\n  y.0 = f32[64] parameter(0)\n  x = f32[64] parameter(1)\n";
  for (int i = 0; i < length; ++i) {
    const std::string opcode = i % 3 == 0 ? "multiply" : i % 3 == 1 ? "add" : "maximum";
    text += std::string(i + 1 == length ? "  ROOT " : "  ") + "y." + std::to_string(i + 1) + " = f32[64] " + opcode +
            "(y." + std::to_string(i) + ", x)\n";
  }
  return text + "}\n";
}

TEST(Limits, LongChain) {
  std::optional<Artifact> artifact;
  const std::string text = chain(100000);
  const Compiled compiled = compile_text(text, artifact);
  std::printf("%-20s %6.2f s %8zu bytes in %zu kernels\n", "chain", compiled.seconds, compiled.bytes, compiled.kernels);
  EXPECT_LT(compiled.seconds, 2 * kMostSeconds);
  // Statements are few times the ops; kernels of the same text are emitted once.
  EXPECT_LT(compiled.bytes, 100 * size_t{100000});
  expect_right(chain(3000), {{DType::kF32, {64}, 1}, {DType::kF32, {64}, 0.5}});
}

}  // namespace
}  // namespace sinter
