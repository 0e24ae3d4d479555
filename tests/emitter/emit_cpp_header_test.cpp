// The C++ header's text; what it does is tested by tests/ship.
#include <gtest/gtest.h>

#include "emitter/host/cpp_header.h"
#include "emitter/host/emit_host.h"
#include "emitter/text/emit_names.h"
#include "tests/emitter/emit_fixture.h"

namespace sinter {
namespace {

using testing::add_program;
using testing::Folder;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string header_of(const Program& program) { return emit_cpp_header(name_host(program)); }

TEST(EmitCppHeader, NamesInputsAndOutputs) {
  const std::string text = header_of(add_program());
  for (const char* part : {
           "//   add_two::Instance model;  // throws add_two::Error\n//   model.run({x, z}, {sum}, stream);\n",
           "//   if (status.ok()) status = model.try_run({x, z}, {sum}, stream);\n",
           "namespace add_two {\ninline namespace interface_",
           "struct Inputs {\n"
           "  Span<const float, 100> x;  // f32[100]\n"
           "  Span<const float, 100> z;  // f32[100]\n"
           "};\n",
           "struct Outputs {\n  Span<float, 100> sum;  // f32[100]\n};\n",
           "  if (!in.z.fits()) return \"add_two: input z must have 100 elements\";\n",
           "  if (!out.sum.fits()) return \"add_two: output sum must have 100 elements\";\n",
           "  return {in.x.data(), in.z.data()};\n",
           "    const AddTwoInputs inputs = pointers(in);\n",
           "  explicit Graph(const Instance& model, const Inputs& in, const Outputs& out) {\n",
       }) {
    EXPECT_TRUE(has(text, part)) << part << "\nis not in\n" << text;
  }
}

TEST(EmitCppHeader, ManyInputsAreNotListedInTheExample) {
  Program program = add_program();
  program.name = "wide";
  for (int i = 0; i < 10; ++i) {
    program.inputs.push_back({.name = "another_" + std::to_string(i), .shape = program.inputs[0].shape});
  }
  const std::string text = header_of(program);
  EXPECT_TRUE(has(text, "//   wide::Inputs in;\n//   in.x = x;  // and so on: pointers, arrays, containers\n")) << text;
  EXPECT_TRUE(has(text, "//   wide::Outputs out;\n//   out.sum = sum;\n//   model.run(in, out, stream);\n")) << text;
}

TEST(EmitCppHeader, Namespaces) {
  EXPECT_EQ(safe_namespace("classify"), "classify");
  EXPECT_EQ(safe_namespace("logistic"), "logistic");
  EXPECT_EQ(safe_namespace("f"), "f");
  EXPECT_EQ(safe_namespace("model_4"), "model_4");
  for (const char* name : {"time", "index", "exp", "expf", "lgamma", "float4", "uint2", "half", "clock_t",
                           "CUstream_st", "policy_run", "policy_capture", "cudaMalloc"}) {
    EXPECT_EQ(safe_namespace(name), name + std::string("_model"));
  }
  Program program = add_program();
  program.name = "time";
  EXPECT_TRUE(has(header_of(program), "//   time_model::Instance model;")) << header_of(program);
}

// Every element type, and no array at all: nothing is warned of.
TEST(EmitCppHeader, Compiles) {
  Program types;
  types.name = "types";
  int64_t rank = 0;
  for (const char* name :
       {"pred", "s4", "s8", "s64", "u8", "u32", "f8e4m3fn", "f16", "bf16", "f32", "f64", "c64", "c128"}) {
    Shape shape = Shape::array(*dtype_from_name(name), std::vector<int64_t>(static_cast<size_t>(rank++ % 3), 3));
    types.inputs.push_back({.name = name, .shape = shape});
    types.outputs.push_back({.name = name, .shape = shape});
  }
  types.inputs.push_back({.name = "none", .shape = Shape::array(DType::kF32, {0, 3})});
  Program nothing, silent;
  nothing.name = "nothing";
  silent.name = "silent";
  silent.inputs = types.inputs;
  FileSet files;
  for (const Program* program : {&types, &nothing, &silent}) {
    const HostProgram host = name_host(*program);
    files[header_path(host.name)] = emit_header(host, {});
    files[cpp_header_path(host.name)] = emit_cpp_header(host);
  }
  files["caller.cpp"] = R"(
#include "nothing/nothing.hpp"
#include "silent/silent.hpp"
#include "types/types.hpp"

static_assert(types::count(&types::Inputs::c64) == 2 * 9 && types::count(&types::Inputs::f64) == 3);
static_assert(types::count(&types::Inputs::none) == 0 && types::count(&types::Inputs::f8e4m3fn) == 1);
void call(CUstream_st* stream, types::Inputs in, types::Outputs out, silent::Inputs heard) {
  nothing::Instance().run();
  nothing::Instance().run(stream);
  silent::Instance().run(heard, stream);
  types::Instance().run(in, out);
}
)";
  Folder folder;
  folder.write(files);
  for (const char* compiler : {"g++ -std=c++17", "clang++-19 -std=c++20"}) {
    if (folder.shell(std::string(compiler) + " --version") != 0) continue;
    EXPECT_EQ(folder.shell(std::string(compiler) +
                           " -Wall -Wextra -Wpedantic -Wconversion -Werror -Iinclude -fsyntax-only caller.cpp"),
              0)
        << folder.output;
  }
  if (folder.shell("clang-format-19 --version") != 0) GTEST_SKIP() << "no clang-format-19";
  folder.write({{".clang-format", emit_project(add_program(), {}, {}).at(".clang-format")}});
  EXPECT_EQ(folder.shell("clang-format-19 --dry-run -Werror include/*/*.hpp"), 0) << folder.output;
}

}  // namespace
}  // namespace sinter
