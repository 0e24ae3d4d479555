// Programs with dimensions of up to 13 elements, which a block or two have, and of up to 300, of which a run launches
// the blocks that it needs: built once, and run at several sizes, as the evaluator computes the same text with that
// size as a number. What is beyond the size is NaN, and all bits of integers.
//
// In tests/driver/sizes/*.hlo, `@` is the dimension.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "driver/build/engine.h"
#include "driver/system/files.h"
#include "driver/tensors/compare.h"
#include "driver/tensors/dynamic_sizes.h"
#include "driver/tensors/sized_arrays.h"
#include "driver/tensors/tensors.h"
#include "frontend/hlo/parse_hlo.h"

namespace sinter {
namespace {

struct Bound {
  int most;
  std::vector<int> sizes;
};
const Bound kBounds[] = {{13, {0, 1, 6, 12, 13}}, {300, {0, 1, 129, 300}}};

std::string with_dimension(std::string text, const std::string& dimension) {
  for (size_t at = text.find('@'); at != std::string::npos; at = text.find('@')) text.replace(at, 1, dimension);
  return text;
}

struct Program {
  Program(const std::string& name, const std::string& text) : source{name, text} {
    Diagnostics diagnostics(source);
    module = parse_hlo(diagnostics);
    EXPECT_TRUE(module != nullptr && verify_sizes(*module, diagnostics)) << diagnostics.render();
  }
  Source source;
  std::unique_ptr<Module> module;
};

// A program at a size: its inputs, and what is expected.
struct Case {
  std::string name;
  const Program* program;
  std::vector<Literal> inputs, expected;
};

std::vector<std::string> texts() {
  std::vector<std::string> paths;
  for (const auto& file : std::filesystem::directory_iterator(SINTER_SOURCE_DIR "/tests/driver/sizes"))
    paths.push_back(file.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST(SizedPrograms, AreWhatTheirTextIsAtEachSize) {
  std::vector<std::unique_ptr<Program>> programs;
  std::vector<Case> cases;
  for (const std::string& path : texts()) {
    std::string error;
    const std::string text = read_file(path, error).value_or("");
    const std::string name = std::filesystem::path(path).stem().string();
    for (const Bound& bound : kBounds) {
      programs.push_back(std::make_unique<Program>(name, with_dimension(text, "<=" + std::to_string(bound.most))));
      const Program& program = *programs.back();
      for (const int size : bound.sizes) {
        const Program fixed(name, with_dimension(text, std::to_string(size)));
        const std::vector<Literal> given = random_tensors(input_shapes(*fixed.module), static_cast<uint64_t>(size) + 1);
        std::optional<std::vector<Literal>> inputs = with_sizes(*program.module, given, error);
        ASSERT_TRUE(inputs.has_value()) << error;
        const RunResult expected = run_evaluator({fixed.source, *fixed.module, given});
        ASSERT_EQ(expected.status, RunResult::Status::kOk) << expected.error;
        cases.push_back({name + " at " + std::to_string(size) + " of " + std::to_string(bound.most), &program,
                         std::move(*inputs), expected.outputs});
      }
    }
  }
  std::vector<RunRequest> requests;
  for (const Case& one : cases) requests.push_back({one.program->source, *one.program->module, one.inputs});
  const std::vector<RunResult> emitted = run_emitted_batch(requests, {}, /*seconds=*/100);
  const Tolerance tolerance = {.rtol = 1e-4, .atol = 1e-5};
  for (size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(cases[i].name);
    const RunResult evaluated = run_evaluator(requests[i]);
    for (const RunResult* result : {&evaluated, &emitted[i]}) {
      ASSERT_EQ(result->status, RunResult::Status::kOk) << result->error;
      ASSERT_EQ(result->outputs.size(), cases[i].expected.size());
      for (size_t k = 0; k < result->outputs.size(); ++k)
        ASSERT_EQ(result->outputs[k].shape().dims, cases[i].expected[k].shape().dims);
      const Comparison comparison = compare(result->outputs, cases[i].expected, tolerance);
      EXPECT_TRUE(comparison.ok) << comparison.text;
    }
  }
}

TEST(SizedPrograms, InputsOfOneSizeAgree) {
  const Program program("two", R"(HloModule two
ENTRY main {
  x = f32[<=8,3] parameter(0)
  y = f32[<=8,3] parameter(1)
  ROOT z = f32[<=8,3] add(x, y)
}
)");
  const Literal four(Shape::array(DType::kF32, {4, 3})), five(Shape::array(DType::kF32, {5, 3}));
  std::string error;
  EXPECT_FALSE(with_sizes(*program.module, {four, five}, error).has_value());
  EXPECT_EQ(error,
            "dimension 0 of input 0 has 4 elements, and dimension 0 of input 1 has 5 elements: both are the size "
            "of one run");
}

}  // namespace
}  // namespace sinter
