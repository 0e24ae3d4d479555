// Batches: programs of one name in one library, and one that is refused, does not build or crashes beside others that
// are right.
#include <gtest/gtest.h>

#include <memory>

#include "driver/build/build_library.h"
#include "driver/build/engine.h"
#include "driver/build/run_library.h"
#include "driver/tensors/tensors.h"
#include "frontend/hlo/parse_hlo.h"

namespace sinter {
namespace {

// A module with its inputs, ready to be run.
struct Request {
  explicit Request(std::string text) : source{"test.hlo", std::move(text)} {
    Diagnostics diagnostics(source);
    module = parse_hlo(diagnostics);
    EXPECT_TRUE(module != nullptr) << diagnostics.render();
    inputs = random_tensors(input_shapes(*module), 1);
  }
  Source source;
  std::unique_ptr<Module> module;
  std::vector<Literal> inputs;
};

std::vector<RunResult> run(const std::vector<std::unique_ptr<Request>>& requests) {
  std::vector<RunRequest> plain;
  for (const auto& request : requests) plain.push_back({request->source, *request->module, request->inputs});
  return run_emitted_batch(plain, {}, /*seconds=*/100);
}

void expect_right(const Request& request, const RunResult& result) {
  ASSERT_EQ(result.status, RunResult::Status::kOk) << result.error;
  const RunResult expected = run_evaluator({request.source, *request.module, request.inputs});
  ASSERT_EQ(result.outputs.size(), expected.outputs.size());
  for (size_t i = 0; i < result.outputs.size(); ++i) {
    EXPECT_TRUE(result.outputs[i].same_value(expected.outputs[i])) << "output " << i;
  }
}

constexpr const char* kAdd = R"(HloModule same_name
ENTRY main {
  x = f32[5] parameter(0)
  y = f32[5] parameter(1)
  ROOT r = f32[5] add(x, y)
}
)";

constexpr const char* kSubtract = R"(HloModule same_name
ENTRY main {
  x = f32[7] parameter(0)
  y = f32[7] parameter(1)
  ROOT r = f32[7] subtract(x, y)
}
)";

// Tuples as parameter and result, and constants in constants.bin.
constexpr const char* kTuples = R"(HloModule tuples
ENTRY main {
  p = (f32[3], (s32[2], f32[3])) parameter(0)
  x = f32[3] get-tuple-element(p), index=0
  inner = (s32[2], f32[3]) get-tuple-element(p), index=1
  y = f32[3] get-tuple-element(inner), index=1
  sum = f32[3] add(x, y)
  table = f32[3] constant({2, 3, 5})
  ROOT result = ((s32[2], f32[3]), f32[3], f32[3]) tuple(inner, sum, table)
}
)";

constexpr const char* kRefused = R"(HloModule refused
ENTRY main {
  x = f32[3] parameter(0)
  token = token[] after-all()
  ROOT sent = token[] outfeed(x, token)
}
)";

TEST(RunBatch, ProgramsAreIndependent) {
  std::vector<std::unique_ptr<Request>> requests;
  for (const char* text : {kAdd, kRefused, kSubtract, kTuples}) requests.push_back(std::make_unique<Request>(text));
  const std::vector<RunResult> results = run(requests);
  ASSERT_EQ(results.size(), 4u);
  expect_right(*requests[0], results[0]);
  EXPECT_EQ(results[1].status, RunResult::Status::kRefused);
  EXPECT_NE(results[1].error.find("error[E0301]"), std::string::npos) << results[1].error;
  expect_right(*requests[2], results[2]);
  expect_right(*requests[3], results[3]);
}

FileSet emitted(const std::string& text, const std::string& name) {
  const Source source{"test.hlo", text};
  Diagnostics diagnostics(source);
  std::optional<Artifact> artifact = compile({.name = name}, diagnostics);
  EXPECT_TRUE(artifact.has_value()) << diagnostics.render();
  return artifact->files;
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, from.size(), to);
}

TEST(RunBatch, OneThatDoesNotBuildIsAloneInThat) {
  // As many as share a library on any machine.
  std::vector<std::string> names = {"bad"};
  for (int i = 0; i < 20; ++i) names.push_back("good_" + std::to_string(i));
  std::vector<FileSet> files;
  for (const std::string& name : names) files.push_back(emitted(kAdd, name));
  for (auto& [path, text] : files[0]) {
    if (path.starts_with("kernels/")) replace(text, "__global__", "nonsense __global__");
  }
  std::vector<LibraryProgram> programs;
  for (size_t i = 0; i < names.size(); ++i) programs.push_back({names[i], &files[i]});
  const std::vector<BuiltProgram> built = build_libraries(programs, "90a", Device::kCpu);
  ASSERT_EQ(built.size(), programs.size());
  EXPECT_TRUE(built[0].library.empty());
  EXPECT_NE(built[0].error.find("nonsense"), std::string::npos) << built[0].error;
  for (size_t i = 1; i < built.size(); ++i) EXPECT_FALSE(built[i].library.empty()) << built[i].error;
}

TEST(RunBatch, CrashesAndStrayWritesAreResults) {
  std::vector<FileSet> files;
  const std::vector<std::string> names = {"right", "crash", "stray", "writes_input"};
  for (const std::string& name : names) files.push_back(emitted(kAdd, name));
  const std::string store = "sum[element] = ";
  for (auto& [path, text] : files[1]) {
    if (path.starts_with("kernels/"))
      replace(text, store, "*static_cast<volatile float*>(nullptr) = 1.0f;\n  " + store);
  }
  for (auto& [path, text] : files[2]) {
    if (path.starts_with("kernels/")) replace(text, store, "sum[5] = 1.0f;\n  " + store);
  }
  for (auto& [path, text] : files[3]) {
    if (path.starts_with("kernels/")) replace(text, store, "const_cast<float*>(x)[0] = 77.0f;\n  " + store);
  }
  std::vector<LibraryProgram> programs;
  for (size_t i = 0; i < names.size(); ++i) programs.push_back({names[i], &files[i]});
  const std::vector<BuiltProgram> built = build_libraries(programs, "90a", Device::kCpu);
  const Request request(kAdd);
  std::vector<std::string> errors(names.size());
  std::vector<bool> ok;
  for (size_t i = 0; i < names.size(); ++i) {
    ASSERT_FALSE(built[i].library.empty()) << built[i].error;
    LibraryCall call{.library = built[i].library,
                     .program = names[i],
                     .inputs = &request.inputs,
                     .outputs = {Shape::array(DType::kF32, {5})},
                     .order = "reverse",
                     .seconds = 100};
    ok.push_back(run_in_child(call, errors[i]).has_value());
  }
  EXPECT_EQ(ok, std::vector<bool>({true, false, false, false}));
  EXPECT_NE(errors[1].find("ended by a signal"), std::string::npos) << errors[1];
  EXPECT_NE(errors[2].find("bytes beside array 2"), std::string::npos) << errors[2];
  EXPECT_NE(errors[3].find("input 0 was changed"), std::string::npos) << errors[3];
}

}  // namespace
}  // namespace sinter
