// Whole folders: the emitted project builds for the CPU with its own CMakeLists.txt and computes, nvcc takes it where
// there is one, and clang-format leaves it alone.
#include <gtest/gtest.h>

#include <cstring>

#include "emitter/host/emit_host.h"
#include "runtime/tensor_file.h"
#include "tests/emitter/emit_fixture.h"

namespace sinter {
namespace {

using testing::add_kernel;
using testing::add_program;
using testing::buffer;
using testing::Folder;

FileSet emit(const Program& program) {
  return emit_project(program, {.input_hash = "00ff", .option_text = "--arch 90a"}, {{"plan.txt", "plan\n"}});
}

tensor_file::Tensor tensor(const std::string& name, const std::vector<float>& values) {
  tensor_file::Tensor result{name, "F32", {static_cast<int64_t>(values.size())}, {}};
  result.bytes.resize(values.size() * sizeof(float));
  std::memcpy(result.bytes.data(), values.data(), result.bytes.size());
  return result;
}

std::vector<float> values(const tensor_file::Tensor& tensor) {
  std::vector<float> result(tensor.bytes.size() / sizeof(float));
  std::memcpy(result.data(), tensor.bytes.data(), tensor.bytes.size());
  return result;
}

// A folder that uses everything a launcher can have: ten steps of a recurrence in two slots, weights, a donated input,
// a data-dependent loop that ends at once.
Program rich_program() {
  constexpr int64_t kCount = 100;
  const Shape shape = Shape::array(DType::kF32, {kCount});
  Program program = add_program(kCount);
  program.name = "rich";
  program.inputs.push_back({.name = "state", .shape = shape, .donated_to = 1});
  program.outputs.push_back({.name = "state", .shape = shape});
  HostPlan& plan = program.plan;
  Buffer state = buffer(Buffer::Kind::kDonated, "state", shape, 2);
  state.output = 1;
  Buffer slot_0 = buffer(Buffer::Kind::kArena, "slot_0", shape, 0);
  slot_0.reason = "host-loop-carry";
  Buffer slot_1 = buffer(Buffer::Kind::kArena, "slot_1", shape, 512);
  slot_1.reason = "host-loop-carry";
  plan.buffers.insert(plan.buffers.end(), {state, slot_0, slot_1, buffer(Buffer::Kind::kConstant, "bias", shape, 0),
                                           buffer(Buffer::Kind::kArena, "more", Shape::scalar(DType::kPred), 1024)});
  plan.arena_bytes = 1280;
  plan.live_bytes = 801;
  plan.synchronises = true;
  plan.constants.resize(kCount * sizeof(float));
  const std::vector<float> bias(kCount, 0.5f);
  std::memcpy(plan.constants.data(), bias.data(), plan.constants.size());

  // more = more + more would be a pred kernel; it is copied from zeros of the weights' tail instead.
  plan.constants.resize(512);
  Buffer zero = buffer(Buffer::Kind::kConstant, "zero", Shape::scalar(DType::kPred), 400);
  plan.buffers.push_back(zero);
  enum { kX, kZ, kSum, kState, kSlot0, kSlot1, kBias, kMore, kZero };
  const auto launch = [](std::vector<size_t> buffers) {
    return HostStep{.kind = HostStep::Kind::kLaunch, .kernel = 0, .buffers = std::move(buffers), .comment = "add"};
  };
  HostStep loop{.kind = HostStep::Kind::kLoop, .trip = 10, .counter = "t", .comment = "while.1"};
  loop.body = {launch({kSlot0, kZ, kSlot1}), {.kind = HostStep::Kind::kSwap, .buffers = {kSlot0, kSlot1}}};
  HostStep never{.kind = HostStep::Kind::kWhile, .buffers = {kMore}, .comment = "while.2"};
  never.condition = {{.kind = HostStep::Kind::kCopy, .buffers = {kZero, kMore}}};
  never.body = {launch({kX, kX, kSum})};
  // sum = x + 10 z + bias; state += z
  plan.steps = {{.kind = HostStep::Kind::kCopy, .buffers = {kX, kSlot0}, .comment = "copy"},
                loop,
                launch({kSlot0, kBias, kSum}),
                launch({kState, kZ, kState}),
                never};
  return program;
}

TEST(EmitProject, Files) {
  const FileSet files = emit(add_program());
  for (const char* path : {"include/add_two/add_two.h", "include/add_two/add_two.hpp", "add_two.cu", "kernels.h",
                           "kernels/add.cu", "main.cpp", "CMakeLists.txt", ".clang-format", "manifest.json", "plan.txt",
                           "device/launch.cuh", "cpu/sinter_cpu.h", "runner/tensor_file.h"}) {
    EXPECT_TRUE(files.count(path)) << path;
  }
  EXPECT_FALSE(files.count("constants.bin"));
  EXPECT_FALSE(files.count("device/warp_reduce.cuh"));
  EXPECT_EQ(emit(add_program()), files);
  EXPECT_TRUE(emit(rich_program()).count("constants.bin"));
  const std::string& manifest = files.at("manifest.json");
  EXPECT_NE(manifest.find("\"input_sha256\": \"00ff\""), std::string::npos) << manifest;
  // `printf "plan\n" | sha256sum`
  EXPECT_NE(manifest.find("\"plan.txt\": \"1b4025dc7b8d27cf38df85e77b20ed44a00851a2c28b338560560d85deded8e3\""),
            std::string::npos)
      << manifest;
}

TEST(EmitProject, HelpersOfHelpersAreCopied) {
  Program program = add_program();
  program.kernels[0].headers.insert("device/block_reduce.cuh");
  const FileSet files = emit(program);
  EXPECT_TRUE(files.count("device/block_reduce.cuh"));
  EXPECT_TRUE(files.count("device/warp_reduce.cuh"));
}

TEST(EmitProject, BuildsForTheCpuAndComputes) {
  Folder folder;
  folder.write(emit(rich_program()));
  ASSERT_EQ(folder.shell("cmake -S . -B build -DRICH_CPU=ON -DRICH_WERROR=ON && cmake --build build"), 0)
      << folder.output;
  std::vector<float> x(100), z(100), state(100);
  for (int i = 0; i < 100; ++i) x[i] = static_cast<float>(i), z[i] = 2.0f, state[i] = -static_cast<float>(i);
  std::string error;
  ASSERT_TRUE(tensor_file::write_tensors((folder / "in.safetensors").string(),
                                         {tensor("0", x), tensor("1", z), tensor("2", state)}, error))
      << error;
  // From another directory: the weights are in the executable.
  ASSERT_EQ(folder.shell("cd / && \"$OLDPWD\"/build/rich_cli --inputs \"$OLDPWD\"/in.safetensors "
                         "-o \"$OLDPWD\"/out.safetensors --repeat 3 --print-launches"),
            0)
      << folder.output;
  EXPECT_NE(folder.output.find("launches 15\n"), std::string::npos) << folder.output;  // 12 kernels, 3 copies
  EXPECT_NE(folder.output.find("3 runs, "), std::string::npos) << folder.output;
  std::vector<tensor_file::Tensor> out;
  ASSERT_TRUE(tensor_file::read_tensors((folder / "out.safetensors").string(), out, error)) << error;
  ASSERT_EQ(out.size(), 2u);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(values(out[0])[i], static_cast<float>(i) + 20.5f);
    EXPECT_EQ(values(out[1])[i], 2.0f - static_cast<float>(i));
  }

  EXPECT_EQ(folder.shell("build/rich_cli --random 7 -o a.safetensors && build/rich_cli --random 7 -o b.safetensors && "
                         "cmp a.safetensors b.safetensors && build/rich_cli --list"),
            0)
      << folder.output;
  EXPECT_NE(folder.output.find("in state f32[100] 400 bytes"), std::string::npos) << folder.output;
  EXPECT_NE(folder.shell("build/rich_cli in.safetensors in.safetensors"), 0);
  EXPECT_NE(folder.shell("build/rich_cli --what"), 0);
  EXPECT_NE(folder.shell("build/rich_cli"), 0);
  EXPECT_NE(folder.output.find("a run has 3 inputs: x, z, state; give them by --inputs"), std::string::npos)
      << folder.output;
  // What JAX leaves out is no input, but may be in a file.
  const auto refuses = [&](const std::vector<tensor_file::Tensor>& tensors, const std::string& because) {
    ASSERT_TRUE(tensor_file::write_tensors((folder / "other.safetensors").string(), tensors, error)) << error;
    EXPECT_NE(folder.shell("build/rich_cli other.safetensors"), 0);
    EXPECT_NE(folder.output.find(because), std::string::npos) << folder.output;
  };
  refuses({tensor("0", x), tensor("1", x), tensor("2", z), tensor("3", state)},
          "4 tensors, but a run has 3 inputs: x, z, state");
  refuses({tensor("x", x), tensor("1", z)}, "input 0 (x) is missing: tensors are called 0, 1, ..., and these x, 1");
  refuses({tensor("0", {1, 2}), tensor("1", z), tensor("2", state)}, "input 0 (x) is F32[2], not f32[100]");
}

// The C interface from C: statuses, overlaps, donation.
constexpr const char* kCaller = R"(
#include <stdio.h>
#include <stdlib.h>
#include "rich/rich.h"

#define EXPECT(condition) \
  if (!(condition)) {     \
    printf("line %d: %s (%s)\n", __LINE__, #condition, rich_last_error()); \
    return 1;             \
  }

int main(void) {
  float* memory = aligned_alloc(256, 1 << 16);
  for (int i = 0; i < 1 << 14; ++i) memory[i] = 1.0f;
  RichInstance *instance = NULL, *other = NULL;
  EXPECT(rich_create(NULL) == kRichInvalidArgument);
  EXPECT(rich_create(&instance) == kRichOk && rich_create(&other) == kRichOk);
  RichInputs in = {memory, memory, memory + 128};
  RichOutputs out = {memory + 256, memory + 384};
  EXPECT(rich_run(instance, &in, &out, NULL) == kRichOk);
  EXPECT(out.sum[99] == 11.5f && out.state[0] == 2.0f && in.state[0] == 1.0f);

  out.state = (float*)in.state;  // donated: the same pointer
  EXPECT(rich_run(instance, &in, &out, NULL) == kRichOk);
  EXPECT(out.state[0] == 2.0f);
  out.state = (float*)in.state + 4;  // overlaps but is not the same
  EXPECT(rich_run(instance, &in, &out, NULL) == kRichInvalidArgument);
  out.state = out.sum + 96;  // two outputs
  EXPECT(rich_run(instance, &in, &out, NULL) == kRichInvalidArgument);
  out.state = memory + 99 / 4 * 4;  // an input that is not donated to it
  EXPECT(rich_run(instance, &in, &out, NULL) == kRichInvalidArgument);
  puts(rich_last_error());
  out.state = memory + 385;
  EXPECT(rich_run(instance, &in, &out, NULL) == kRichInvalidArgument);
  out.state = NULL;
  EXPECT(rich_run(instance, &in, &out, NULL) == kRichInvalidArgument);
  EXPECT(rich_run(NULL, &in, &out, NULL) == kRichInvalidArgument);
  EXPECT(rich_run(instance, NULL, &out, NULL) == kRichInvalidArgument);
  EXPECT(kRichInputTable[2].bytes == 400 && kRichInputTable[2].dims[0] == kRichInState[0]);
  EXPECT(kRichInputTable[3].name == NULL && kRichRunSynchronises == 1);
  rich_destroy(instance);
  rich_destroy(other);
  rich_destroy(NULL);
  free(memory);
  return 0;
}
)";

TEST(EmitProject, InterfaceFromC) {
  Folder folder;
  FileSet files = emit(rich_program());
  files["caller.c"] = kCaller;
  folder.write(files);
  ASSERT_EQ(folder.shell("cc -std=c11 -Wall -Wextra -Werror -pedantic -c -I. -Iinclude caller.c && "
                         "c++ -std=c++20 -fsanitize=address,undefined -fno-sanitize-recover=all -DSINTER_CPU "
                         "-ffp-contract=off -Wall -Wextra -Werror -Wno-unknown-pragmas -I. -Iinclude -x c++ rich.cu "
                         "kernels/add.cu constants.cpp -x none caller.o -o caller && ./caller"),
            0)
      << folder.output;
  EXPECT_NE(folder.output.find("overlapping"), std::string::npos) << folder.output;
}

// Two programs with a kernel of one name, in one binary: each runs its own.
constexpr const char* kTwoPrograms = R"(
#include <stdlib.h>
#include "one/one.h"
#include "two/two.h"

int main(void) {
  float* memory = aligned_alloc(256, 1 << 14);
  for (int i = 0; i < 1 << 12; ++i) memory[i] = 1.0f;
  OneInstance* one = NULL;
  TwoInstance* two = NULL;
  if (one_create(&one) != kOneOk || two_create(&two) != kTwoOk) return 1;
  const OneInputs one_in = {memory, memory};
  const OneOutputs one_out = {memory + 1024};
  const TwoInputs two_in = {memory, memory};
  const TwoOutputs two_out = {memory + 2048};
  if (one_run(one, &one_in, &one_out, NULL) != kOneOk || two_run(two, &two_in, &two_out, NULL) != kTwoOk) return 2;
  // They have 100 and 200 elements.
  if (one_out.sum[99] != 2.0f || one_out.sum[100] != 1.0f) return 3;
  if (two_out.sum[199] != 2.0f || two_out.sum[200] != 1.0f) return 4;
  one_destroy(one);
  two_destroy(two);
  return 0;
}
)";

TEST(EmitProject, TwoProgramsLinkTogether) {
  Folder folder;
  std::string command;
  for (const auto& [name, count] : {std::pair("one", 100), std::pair("two", 200)}) {
    Program program = add_program(count);
    program.name = name;
    FileSet files;
    for (const auto& [path, content] : emit(program)) files[name + ("/" + path)] = content;
    folder.write(files);
    for (const std::string& path : {name + std::string(".cu"), std::string("kernels/add.cu")}) {
      command += "c++ -std=c++20 -DSINTER_CPU -Wall -Wextra -Werror -Wno-unknown-pragmas -I" + std::string(name) +
                 " -I" + std::string(name) + "/include -x c++ -c " + name + "/" + path + " -o " + name +
                 (path.starts_with("k") ? "_add.o" : ".o") + " && ";
    }
  }
  folder.write({{"caller.c", kTwoPrograms}});
  command +=
      "cc -std=c11 -Wall -Wextra -Werror -pedantic -Ione/include -Itwo/include -c caller.c && c++ *.o -o caller && "
      "./caller";
  EXPECT_EQ(folder.shell(command), 0) << folder.output;
}

// Every element type as input and output, through the header in C and C++.
TEST(EmitProject, AllTypesAsTensors) {
  Program program;
  program.name = "types";
  int64_t number = 0;
  for (const char* name :
       {"pred", "s4", "s8", "s16", "s32", "s64", "u8", "u32", "u64", "f8e4m3fn", "f16", "bf16", "f32", "f64"}) {
    const Shape shape =
        number % 2 == 0 ? Shape::scalar(*dtype_from_name(name)) : Shape::array(*dtype_from_name(name), {2, 3});
    program.inputs.push_back({.name = name, .shape = shape});
    program.outputs.push_back({.name = name, .shape = shape});
    program.plan.buffers.push_back(buffer(Buffer::Kind::kInput, name, shape, number));
    program.plan.buffers.push_back(buffer(Buffer::Kind::kOutput, name, shape, number));
    const size_t last = program.plan.buffers.size();
    program.plan.steps.push_back({.kind = HostStep::Kind::kCopy, .buffers = {last - 2, last - 1}});
    ++number;
  }
  Folder folder;
  FileSet files = emit(program);
  files["caller.c"] = "#include \"types/types.h\"\nint main(void) { return kTypesInputCount == 14 ? 0 : 1; }\n";
  folder.write(files);
  EXPECT_EQ(folder.shell("cc -std=c99 -Wall -Wextra -Werror -pedantic -I. -Iinclude caller.c -o caller && ./caller && "
                         "c++ -std=c++20 -DSINTER_CPU -Wall -Wextra -Werror -I. -Iinclude -x c++ types.cu info.cpp "
                         "main.cpp -o types && "
                         "./types --random 1 -o out.safetensors && ./types out.safetensors -o again.safetensors && "
                         "cmp out.safetensors again.safetensors"),
            0)
      << folder.output;
}

TEST(EmitProject, NothingAtAll) {
  Program program;
  program.name = "empty";
  Folder folder;
  folder.write(emit(program));
  EXPECT_EQ(
      folder.shell(
          "echo '#include \"empty/empty.h\"' > a.c && cc -std=c11 -Wall -Wextra -Werror -pedantic -Iinclude -c a.c && "
          "c++ -std=c++20 -DSINTER_CPU -Wall -Wextra -Werror -I. -Iinclude -x c++ empty.cu info.cpp main.cpp -o empty "
          "&& "
          "./empty"),
      0)
      << folder.output;
}

TEST(EmitProject, ClangFormatAgrees) {
  Folder folder;
  if (folder.shell("clang-format-19 --version") != 0) GTEST_SKIP() << "no clang-format-19";
  folder.write(emit(rich_program()));
  EXPECT_EQ(folder.shell(
                "clang-format-19 --dry-run -Werror include/rich/* rich.cu info.cpp kernels.h main.cpp constants.cpp"),
            0)
      << folder.output;
  Program program = add_program();
  program.inputs[0].name = "a_rather_long_name_of_an_input_that_makes_lines_long";
  program.inputs[1].name = "another_rather_long_name_of_an_input";
  Folder other;
  other.write(emit(program));
  EXPECT_EQ(other.shell("clang-format-19 --dry-run -Werror include/add_two/* add_two.cu info.cpp kernels.h main.cpp"),
            0)
      << other.output;
}

TEST(EmitProject, BuildsWithNvcc) {
  Folder folder;
  if (folder.shell("nvcc --version") != 0) GTEST_SKIP() << "no nvcc on the PATH";
  folder.write(emit(rich_program()));
  ASSERT_EQ(folder.shell("cmake -S . -B build -DRICH_WERROR=ON && cmake --build build --verbose"), 0) << folder.output;
  EXPECT_NE(folder.output.find("arch=compute_90a"), std::string::npos) << folder.output;
  EXPECT_NE(folder.output.find("-fmad=false"), std::string::npos) << folder.output;
  EXPECT_EQ(folder.shell("build/rich_cli --list"), 0) << folder.output;
}

}  // namespace
}  // namespace sinter
