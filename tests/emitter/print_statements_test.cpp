// Statements: blocks, one-line bodies, chains of else, comments; whole files with every part.
#include "emitter/kernels/print_statements.h"

#include <gtest/gtest.h>

#include "emitter/host/emit_project.h"
#include "tests/emitter/clang_format.h"

namespace sinter {
namespace {

using Kind = Statement::Kind;

class PrintStatements : public ::testing::Test {
 protected:
  const Expr* name(const std::string& text) { return kernel_.name_expr(text, f32_); }
  Statement assign(const std::string& target, const std::string& op, const Expr* value) {
    return {.kind = Kind::kAssign, .target = kernel_.name_expr(target), .value = value, .text = op};
  }
  Statement comment(const std::string& text) { return {.kind = Kind::kComment, .text = text}; }
  std::string print(const Block& block) { return print_block(block, 0, printer_); }

  Kernel kernel_;
  ExprPrinter printer_;
  CType f32_ = CType::value(DType::kF32);
};

TEST_F(PrintStatements, StepsByOne) {
  const Expr* one = kernel_.integer(1);
  EXPECT_EQ(print({assign("count", "+=", one), assign("count", "-=", one), assign("count", "*=", one)}),
            "++count;\n--count;\ncount *= 1;\n");
}

TEST_F(PrintStatements, BlankLinesStandBetweenOnly) {
  const Statement blank = {.kind = Kind::kBlank};
  const Statement leave = {.kind = Kind::kBreak};
  EXPECT_EQ(print({blank, blank, leave, blank, blank, leave, blank}), "break;\n\nbreak;\n");
}

TEST_F(PrintStatements, ElseChains) {
  Statement inner = {.kind = Kind::kIf, .value = name("b")};
  inner.body = {assign("x", "=", name("p"))};
  inner.other = {assign("x", "=", name("q")), assign("y", "=", name("q"))};
  Statement outer = {.kind = Kind::kIf, .value = name("a"), .body = {assign("x", "=", name("o"))}, .other = {inner}};
  EXPECT_EQ(print({outer}), "if (a) {\n  x = o;\n} else if (b) {\n  x = p;\n} else {\n  x = q;\n  y = q;\n}\n");
}

TEST_F(PrintStatements, LoopsAndNesting) {
  Variable* i = kernel_.variable("i", CType::value(DType::kS64));
  Statement loop = {.kind = Kind::kFor, .variable = i, .value = name("kSteps"), .begin = kernel_.integer(0)};
  loop.step = 32;
  loop.unroll = Statement::kUnrollFully;
  loop.body = {{.kind = Kind::kWhile, .value = name("running"), .body = {{.kind = Kind::kBreak}}}};
  EXPECT_EQ(print({loop}),
            "#pragma unroll\nfor (int64_t i = 0; i < kSteps; i += 32) {\n  while (running) {\n    break;\n  }\n}\n");
}

TEST_F(PrintStatements, DeepNestingNeedsNoStack) {
  Block block = {{.kind = Kind::kBreak}};
  for (int i = 0; i < 2000; ++i) {
    Statement loop = {.kind = Kind::kWhile, .value = name("a")};
    loop.body.swap(block);
    block.push_back(std::move(loop));
  }
  EXPECT_GT(print(block).size(), 2000u * 2000);
}

TEST_F(PrintStatements, Declarations) {
  Variable* x = kernel_.variable("x", f32_);
  Variable* y = kernel_.variable("y", f32_);
  Variable* z = kernel_.variable("z", {.kind = CType::Kind::kArray, .dtype = DType::kF32, .length = 4});
  Variable* p = kernel_.variable("p", {.kind = CType::Kind::kConstPointer, .dtype = DType::kF32});
  EXPECT_EQ(print({{.kind = Kind::kDeclare, .variable = x},
                   {.kind = Kind::kDeclare, .variable = y},
                   {.kind = Kind::kDeclare, .variable = z},
                   {.kind = Kind::kLet, .variable = p, .value = name("table")}}),
            "float x, y;\nfloat z[4];\nconst float* p = table;\n");
}

TEST_F(PrintStatements, CommentsAreHarmless) {
  EXPECT_EQ(print({comment("ends in a backslash \\")}), "// ends in a backslash /\n");
  EXPECT_EQ(print({comment("two\nlines\t\x01")}), "// two lines ?\n");
  EXPECT_EQ(print({comment("")}), "//\n");
  EXPECT_EQ(print({comment("   ")}), "//\n");
}

TEST_F(PrintStatements, LongCommentsAreWrapped) {
  std::string words = "  ";
  for (int i = 0; i < 40; ++i) words += "word" + std::to_string(i) + " ";
  const std::string text = print_comment(words, 4);
  EXPECT_TRUE(text.starts_with("    //   word0 word1")) << text;
  size_t begin = 0, lines = 0;
  while (begin < text.size()) {
    const size_t end = text.find('\n', begin);
    EXPECT_LE(end - begin, 100u);
    EXPECT_EQ(text.substr(begin, 9), "    //   ");
    begin = end + 1;
    ++lines;
  }
  EXPECT_EQ(lines, 3u);
}

TEST_F(PrintStatements, WholeFileWithEveryPart) {
  kernel_.name = "sum";
  kernel_.description = {"sum: a test."};
  kernel_.constants = {{"kRows", "int", "4", "rows of x"},
                       {"kThreads", "int", "64", "a block"},
                       {"kTable[3]", "float", "{1.0f, 2.0f, 3.0f}", ""}};
  kernel_.structs = {{"Pair", {{"first", DType::kU32}, {"second", DType::kF32}}}};
  Variable* seed = kernel_.variable("seed", CType::value(DType::kU32));
  kernel_.functions.push_back(
      {"twice",
       CType::named("Pair"),
       {seed},
       {"The seed and a constant."},
       {{.kind = Kind::kReturn,
         .value = kernel_.braces({kernel_.reference(seed), name("kTable[0]")}, CType::named("Pair"))}}});
  kernel_.shared.members = {{"tile", DType::kF32, {"kRows", "17"}}};
  kernel_.shared.bytes = 60000;
  kernel_.launch.block = 64;
  kernel_.launch.grid[1] = 2;
  kernel_.launch.grid_spelling[0] = "kRows";
  Variable* x = kernel_.variable("x", {.kind = CType::Kind::kPointer, .dtype = DType::kBF16});
  kernel_.parameters = {{x, true}, {kernel_.variable("t", CType::value(DType::kS32)), false}};
  Variable* shared = kernel_.variable("shared", CType::named("Shared&"));
  const Expr* block = kernel_.call("block_shared<Shared>", {}, f32_);
  kernel_.body = {{.kind = Kind::kDeclare, .variable = shared, .value = block},
                  {.kind = Kind::kAssign,
                   .target = kernel_.subscript(kernel_.reference(x), name("threadIdx.x"), f32_),
                   .value = kernel_.literal(real_literal(DType::kBF16, 0.5)),
                   .text = "="}};
  const std::string text = print_kernel_file(kernel_, "model");
  EXPECT_EQ(text, R"(// sum: a test.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"

namespace model_kernels::sum {
namespace {

constexpr int kRows = 4;      // rows of x
constexpr int kThreads = 64;  // a block
constexpr float kTable[3] = {1.0f, 2.0f, 3.0f};

struct Pair {
  uint32_t first;
  float second;
};

// The seed and a constant.
__device__ Pair twice(uint32_t seed) {
  return {seed, kTable[0]};
}

struct Shared {
  float tile[kRows][17];
};

__global__ void __launch_bounds__(kThreads)
sum(__nv_bfloat16* __restrict__ x, int t) {
  Shared& shared = block_shared<Shared>();
  x[threadIdx.x] = to_bfloat16(0.5f);
}

}  // namespace

cudaError_t
enqueue(__nv_bfloat16* x, int t, cudaStream_t stream) {
  return launch(sum,
                {.grid = dim3(kRows, 2), .block = kThreads, .shared_bytes = sizeof(Shared)},
                stream, x, t);
}

}  // namespace model_kernels::sum
)");
  EXPECT_EQ(clang_formatted(text), text);
}

// A launch stays within the width, whatever is long in it.
TEST_F(PrintStatements, LongLaunches) {
  kernel_.name = "a_kernel_whose_name_is_as_long_as_the_longest_names_of_functions_are";
  kernel_.launch = {.grid = {4, 2, 3},
                    .block = 64,
                    .grid_spelling = {"(kElements + kThreads * kWidth - 1) / (kThreads * kWidth)",
                                      "(kColumnsOfTheOutput + kTile - 1) / kTile", "kBatch"}};
  for (int i = 0; i < 12; ++i) {
    Variable* x = kernel_.variable("operand_" + std::to_string(i), {.kind = CType::Kind::kConstPointer});
    kernel_.parameters.push_back({.variable = x});
  }
  const std::string text = print_kernel_file(kernel_, "model");
  EXPECT_NE(text.find(R"(
  return launch(a_kernel_whose_name_is_as_long_as_the_longest_names_of_functions_are,
                {.grid = dim3((kElements + kThreads * kWidth - 1) / (kThreads * kWidth),
                              (kColumnsOfTheOutput + kTile - 1) / kTile, kBatch),
                 .block = 64},
                stream, operand_0, operand_1, operand_2, operand_3, operand_4, operand_5, operand_6,
                operand_7, operand_8, operand_9, operand_10, operand_11);
)"),
            std::string::npos)
      << text;
  EXPECT_EQ(clang_formatted(text), text);
}

TEST_F(PrintStatements, CommentsSpliceNoLines) {
  EXPECT_EQ(print_comment("/* x */", 2), "  // / * x */\n");
  EXPECT_EQ(print_comment("what?"
                          "?/",
                          0),
            "// what?? /\n");
  EXPECT_EQ(print_trailing_comment("C:\\model\\"), "// C:/model/");
}

}  // namespace
}  // namespace sinter
