// Two whole kernel files from hand-built kernels: the examples that emitted code is measured by, textually. And
// clang-format, with the style that is emitted beside them, leaves them as they are.
#include <gtest/gtest.h>

#include <cmath>

#include "emitter/host/emit_project.h"
#include "tests/emitter/clang_format.h"

namespace sinter {
namespace {

using Kind = Statement::Kind;

CType pointer(DType dtype) { return {.kind = CType::Kind::kPointer, .dtype = dtype}; }
CType const_pointer(DType dtype) { return {.kind = CType::Kind::kConstPointer, .dtype = dtype}; }
const CType kFloat = CType::value(DType::kF32);
const CType kInt = CType::value(DType::kS32);
const CType kBool = CType::value(DType::kPred);

// Short names for building expressions and statements.
class Builder {
 public:
  explicit Builder(Kernel& kernel) : k(kernel) {}

  const Expr* name(const std::string& text) { return k.name_expr(text); }
  const Expr* real(double value) { return k.literal(real_literal(DType::kF32, value)); }
  const Expr* number(int64_t value) { return k.integer(value); }
  const Expr* ref(const Variable* variable) { return k.reference(variable); }
  const Expr* infix(const Expr* left, const char* op, const Expr* right, CType type = kFloat) {
    return k.infix(left, op, right, type);
  }
  const Expr* call(const char* function, std::vector<const Expr*> arguments) {
    return k.call(function, std::move(arguments), kFloat);
  }
  const Expr* at(const Variable* base, const Expr* index) { return k.subscript(ref(base), index, kFloat); }
  Variable* parameter(const std::string& name, CType type, bool output = false) {
    k.parameters.push_back({k.variable(name, type), output});
    return k.parameters.back().variable;
  }

  Variable* let(Block& block, const std::string& name, CType type, const Expr* value) {
    Variable* variable = k.variable(name, type);
    block.push_back({.kind = Kind::kLet, .variable = variable, .value = value});
    return variable;
  }
  Variable* declare(Block& block, const std::string& name, CType type, const Expr* value = nullptr) {
    Variable* variable = k.variable(name, type);
    block.push_back({.kind = Kind::kDeclare, .variable = variable, .value = value});
    return variable;
  }
  static void assign(Block& block, const Expr* target, const char* op, const Expr* value) {
    block.push_back({.kind = Kind::kAssign, .target = target, .value = value, .text = op});
  }
  static void comment(Block& block, const char* text) { block.push_back({.kind = Kind::kComment, .text = text}); }
  static void blank(Block& block) { block.push_back({.kind = Kind::kBlank}); }
  static void run(Block& block, const Expr* value) { block.push_back({.kind = Kind::kExpression, .value = value}); }
  static void when(Block& block, const Expr* condition, Block body) {
    block.push_back({.kind = Kind::kIf, .value = condition, .body = std::move(body)});
  }
  void loop(Block& block, Variable* counter, const Expr* end, Block body, int unroll = 0) {
    block.push_back({.kind = Kind::kFor,
                     .variable = counter,
                     .value = end,
                     .begin = number(0),
                     .unroll = unroll,
                     .body = std::move(body)});
  }

 private:
  Kernel& k;
};

void build_softmax(Kernel& kernel) {
  Builder b(kernel);
  kernel.name = "softmax";
  kernel.description = {"softmax: softmax over the last axis.",
                        "",
                        "  in   x     f32[4096,1000]",
                        "  out  div   f32[4096,1000]",
                        "",
                        "  max = reduce(x, -inf), dimensions={1}, to_apply=maximum       f32[4096]",
                        "  exp = exponential(x - broadcast(max))",
                        "  sum = reduce(exp, 0), dimensions={1}, to_apply=add            f32[4096]",
                        "  div = exp / broadcast(sum)",
                        "",
                        "One block of 256 threads a row; the row stays in registers. Reads 16.4 MB, writes 16.4 MB."};
  kernel.headers = {"device/vector_access.cuh", "device/block_reduce.cuh"};
  kernel.constants = {{"kRows", "int", "4096", ""},
                      {"kColumns", "int", "1000", ""},
                      {"kThreads", "int", "256", ""},
                      {"kWidth", "int", "4", "elements a 16-byte access"}};
  kernel.assertions = {{"kColumns % kWidth == 0", "a row is whole accesses"},
                       {"kColumns / kWidth <= kThreads", "one access a thread covers the row"}};
  kernel.launch.grid_spelling[0] = "kRows";
  kernel.launch.block = 256;

  Variable* x = b.parameter("x", const_pointer(DType::kF32));
  Variable* div = b.parameter("div", pointer(DType::kF32), true);
  const Expr* width = b.name("kWidth");
  Block& body = kernel.body;
  Variable* row = b.let(body, "row", kInt, b.name("blockIdx.x"));
  Variable* column = b.let(body, "column", kInt, b.infix(b.name("threadIdx.x"), "*", width));
  Variable* inside = b.let(body, "inside", kBool, b.infix(b.ref(column), "<", b.name("kColumns")));
  Builder::blank(body);
  const CType vector = CType::named("Vector<float, kWidth>");
  const Expr* lowest = b.real(-INFINITY);
  Variable* value = b.declare(body, "value", vector, kernel.braces({lowest, lowest, lowest, lowest}, vector));
  const auto place = [&](Variable* base) {
    const Expr* start = b.infix(b.ref(base), "+", b.infix(b.ref(row), "*", b.name("kColumns")));
    return b.infix(start, "+", b.ref(column));
  };
  Block load;
  Builder::assign(load, b.ref(value), "=", b.call("load_vector<kWidth>", {place(x)}));
  Builder::when(body, b.ref(inside), load);
  Builder::blank(body);

  Variable* k = kernel.variable("k", kInt);
  const Expr* element = kernel.subscript(b.ref(value), b.ref(k), kFloat);
  const auto reduce = [&](Variable* variable, const char* functor) {
    const Expr* reduced = b.call("block_reduce<kThreads>", {b.ref(variable), b.call(functor, {})});
    Builder::assign(body, b.ref(variable), "=", reduced);
    Builder::blank(body);
  };
  Builder::comment(body, "max");
  Variable* max = b.declare(body, "max", kFloat, b.real(-INFINITY));
  Block step;
  Builder::assign(step, b.ref(max), "=", b.call("maximum", {b.ref(max), element}));
  b.loop(body, k, width, step);
  reduce(max, "Maximum");

  Builder::comment(body, "exp, sum");
  Variable* sum = b.declare(body, "sum", kFloat, b.real(0));
  step.clear();
  Builder::assign(step, element, "=", b.call("expf", {b.infix(element, "-", b.ref(max))}));
  Builder::assign(step, b.ref(sum), "+=", element);
  b.loop(body, k, width, step);
  reduce(sum, "Add");

  Builder::comment(body, "div");
  step.clear();
  Builder::assign(step, element, "/=", b.ref(sum));
  b.loop(body, k, width, step);
  Block store;
  Builder::run(store, b.call("store_vector<kWidth>", {place(div), b.ref(value)}));
  Builder::when(body, b.ref(inside), store);
}

const char kSoftmax[] = R"(// softmax: softmax over the last axis.
//
//   in   x     f32[4096,1000]
//   out  div   f32[4096,1000]
//
//   max = reduce(x, -inf), dimensions={1}, to_apply=maximum       f32[4096]
//   exp = exponential(x - broadcast(max))
//   sum = reduce(exp, 0), dimensions={1}, to_apply=add            f32[4096]
//   div = exp / broadcast(sum)
//
// One block of 256 threads a row; the row stays in registers. Reads 16.4 MB, writes 16.4 MB.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/launch.cuh"
#include "device/vector_access.cuh"

namespace model_kernels::softmax {
namespace {

constexpr int kRows = 4096;
constexpr int kColumns = 1000;
constexpr int kThreads = 256;
constexpr int kWidth = 4;  // elements a 16-byte access

static_assert(kColumns % kWidth == 0, "a row is whole accesses");
static_assert(kColumns / kWidth <= kThreads, "one access a thread covers the row");

__global__ void __launch_bounds__(kThreads)
softmax(const float* __restrict__ x, float* __restrict__ div) {
  const int row = blockIdx.x;
  const int column = threadIdx.x * kWidth;
  const bool inside = column < kColumns;

  Vector<float, kWidth> value = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
  if (inside) value = load_vector<kWidth>(x + row * kColumns + column);

  // max
  float max = -INFINITY;
  for (int k = 0; k < kWidth; ++k) max = maximum(max, value[k]);
  max = block_reduce<kThreads>(max, Maximum());

  // exp, sum
  float sum = 0.0f;
  for (int k = 0; k < kWidth; ++k) {
    value[k] = expf(value[k] - max);
    sum += value[k];
  }
  sum = block_reduce<kThreads>(sum, Add());

  // div
  for (int k = 0; k < kWidth; ++k) value[k] /= sum;
  if (inside) store_vector<kWidth>(div + row * kColumns + column, value);
}

}  // namespace

cudaError_t
enqueue(const float* x, float* div, cudaStream_t stream) {
  return launch(softmax, {.grid = kRows, .block = kThreads}, stream, x, div);
}

}  // namespace model_kernels::softmax
)";

TEST(PrintExample, Softmax) {
  Kernel kernel;
  build_softmax(kernel);
  const std::string text = print_kernel_file(kernel, "model");
  EXPECT_EQ(text, kSoftmax);
  EXPECT_EQ(clang_formatted(text), text);
}

void build_cartpole(Kernel& kernel) {
  Builder b(kernel);
  kernel.name = "step";
  kernel.description = {"step: 50 steps of 64 independent elements; one element a thread, its state in registers."};
  kernel.constants = {{"kElements", "int", "64", ""},
                      {"kSteps", "int", "50", ""},
                      {"kRows", "int", "16", ""},
                      {"kThreads", "int", "32", ""}};
  kernel.assertions = {{"kElements % kThreads == 0", "the grid covers the elements exactly"}};
  kernel.launch.grid_spelling[0] = "kElements / kThreads";
  kernel.launch.block = 32;

  Variable *in[4], *starts[4], *out[4], *state[4], *next[4];
  for (int i = 0; i < 4; ++i) in[i] = b.parameter("state_" + std::to_string(i) + "_in", const_pointer(DType::kF32));
  Variable* actions = b.parameter("actions", const_pointer(DType::kS32));
  for (int i = 0; i < 4; ++i) starts[i] = b.parameter("starts_" + std::to_string(i), const_pointer(DType::kF32));
  for (int i = 0; i < 4; ++i) out[i] = b.parameter("state_" + std::to_string(i) + "_out", pointer(DType::kF32), true);
  Variable* sum_out = b.parameter("sum_out", pointer(DType::kS32), true);

  Block& body = kernel.body;
  const Expr* first = b.infix(b.name("blockIdx.x"), "*", b.name("kThreads"));
  const Expr* element = b.ref(b.let(body, "element", kInt, b.infix(first, "+", b.name("threadIdx.x"))));
  Builder::blank(body);
  for (int i = 0; i < 4; ++i) state[i] = b.declare(body, "state_" + std::to_string(i), kFloat, b.at(in[i], element));
  Variable* sum = b.declare(body, "sum", kInt, b.number(0));
  Builder::blank(body);

  Block step;
  Variable* t = kernel.variable("t", kInt);
  const Expr* line = b.infix(b.infix(b.ref(t), "%", b.name("kRows")), "*", b.name("kElements"));
  const Expr* row = b.ref(b.let(step, "row", kInt, b.infix(line, "+", element)));
  Builder::blank(step);
  Builder::comment(step, "dynamics");
  const Expr* sine = b.ref(b.declare(step, "sine", kFloat));
  const Expr* cosine = b.ref(b.declare(step, "cosine", kFloat));
  const Expr* sine_place = kernel.prefix("&", sine, pointer(DType::kF32));
  const Expr* cosine_place = kernel.prefix("&", cosine, pointer(DType::kF32));
  Builder::run(step, b.call("sincosf", {b.ref(state[2]), sine_place, cosine_place}));
  const Expr* pushed = b.infix(b.at(actions, row), "==", b.number(1), kBool);
  const Expr* select = b.ref(b.let(step, "select", kFloat, kernel.conditional(pushed, b.real(10), b.real(-10))));
  const Expr* square = b.infix(b.infix(b.ref(state[3]), "*", b.ref(state[3])), "*", b.real(0.05));
  const Expr* push = b.infix(b.call("fmaf", {square, sine, select}), "/", b.real(1.1));
  const Expr* div_1 = b.ref(b.let(step, "div_1", kFloat, push));
  const Expr* turned = kernel.prefix("-", cosine, kFloat);
  const Expr* sub = b.ref(b.let(step, "sub", kFloat, b.call("fmaf", {turned, div_1, b.infix(sine, "*", b.real(9.8))})));
  const Expr* mass = b.infix(b.infix(b.infix(cosine, "*", cosine), "*", b.real(0.1)), "/", b.real(1.1));
  const Expr* lever = b.infix(b.infix(b.real(1.3333334), "-", mass), "*", b.real(0.5));
  const Expr* div_2 = b.ref(b.let(step, "div_2", kFloat, b.infix(sub, "/", lever)));
  const Expr* pull = b.infix(b.infix(b.infix(div_2, "*", b.real(0.05)), "*", cosine), "/", b.real(1.1));
  const Expr* rates[4] = {b.ref(state[1]), b.infix(div_1, "-", pull), b.ref(state[3]), div_2};
  for (int i = 0; i < 4; ++i) {
    const Expr* moved = b.call("fmaf", {rates[i], b.real(0.02), b.ref(state[i])});
    next[i] = b.let(step, "next_" + std::to_string(i), kFloat, moved);
  }
  Builder::blank(step);
  Builder::comment(step, "ended");
  const auto beyond = [&](Variable* variable, double limit) {
    return b.infix(b.call("fabsf", {b.ref(variable)}), ">", b.real(limit), kBool);
  };
  const Expr* outside = b.infix(beyond(next[0], 2.4), "||", beyond(next[2], 0.20943952), kBool);
  const Expr* ended = b.ref(b.let(step, "ended", kBool, outside));
  Builder::blank(step);
  Builder::comment(step, "step_tuple");
  for (int i = 0; i < 4; ++i) {
    const Expr* restarted = kernel.conditional(ended, b.at(starts[i], row), b.ref(next[i]));
    Builder::assign(step, b.ref(state[i]), "=", restarted);
  }
  Builder::blank(step);
  Builder::comment(step, "step");
  Builder::assign(step, b.ref(sum), "+=", ended);
  b.loop(body, t, b.name("kSteps"), step, 10);
  Builder::blank(body);
  for (int i = 0; i < 4; ++i) Builder::assign(body, b.at(out[i], element), "=", b.ref(state[i]));
  Builder::assign(body, b.at(sum_out, element), "=", b.ref(sum));
}

const char kCartpole[] = R"(// step: 50 steps of 64 independent elements; one element a thread, its state in registers.

#include "kernels.h"

#include "device/launch.cuh"

namespace model_kernels::step {
namespace {

constexpr int kElements = 64;
constexpr int kSteps = 50;
constexpr int kRows = 16;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
step(const float* __restrict__ state_0_in,
     const float* __restrict__ state_1_in,
     const float* __restrict__ state_2_in,
     const float* __restrict__ state_3_in,
     const int* __restrict__ actions,
     const float* __restrict__ starts_0,
     const float* __restrict__ starts_1,
     const float* __restrict__ starts_2,
     const float* __restrict__ starts_3,
     float* __restrict__ state_0_out,
     float* __restrict__ state_1_out,
     float* __restrict__ state_2_out,
     float* __restrict__ state_3_out,
     int* __restrict__ sum_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  float state_0 = state_0_in[element];
  float state_1 = state_1_in[element];
  float state_2 = state_2_in[element];
  float state_3 = state_3_in[element];
  int sum = 0;

#pragma unroll 10
  for (int t = 0; t < kSteps; ++t) {
    const int row = t % kRows * kElements + element;

    // dynamics
    float sine, cosine;
    sincosf(state_2, &sine, &cosine);
    const float select = actions[row] == 1 ? 10.0f : -10.0f;
    const float div_1 = fmaf(state_3 * state_3 * 0.05f, sine, select) / 1.1f;
    const float sub = fmaf(-cosine, div_1, sine * 9.8f);
    const float div_2 = sub / ((1.3333334f - cosine * cosine * 0.1f / 1.1f) * 0.5f);
    const float next_0 = fmaf(state_1, 0.02f, state_0);
    const float next_1 = fmaf(div_1 - div_2 * 0.05f * cosine / 1.1f, 0.02f, state_1);
    const float next_2 = fmaf(state_3, 0.02f, state_2);
    const float next_3 = fmaf(div_2, 0.02f, state_3);

    // ended
    const bool ended = fabsf(next_0) > 2.4f || fabsf(next_2) > 0.20943952f;

    // step_tuple
    state_0 = ended ? starts_0[row] : next_0;
    state_1 = ended ? starts_1[row] : next_1;
    state_2 = ended ? starts_2[row] : next_2;
    state_3 = ended ? starts_3[row] : next_3;

    // step
    sum += ended;
  }

  state_0_out[element] = state_0;
  state_1_out[element] = state_1;
  state_2_out[element] = state_2;
  state_3_out[element] = state_3;
  sum_out[element] = sum;
}

}  // namespace

cudaError_t
enqueue(const float* state_0_in, const float* state_1_in, const float* state_2_in,
        const float* state_3_in, const int* actions, const float* starts_0, const float* starts_1,
        const float* starts_2, const float* starts_3, float* state_0_out, float* state_1_out,
        float* state_2_out, float* state_3_out, int* sum_out, cudaStream_t stream) {
  return launch(step, {.grid = kElements / kThreads, .block = kThreads}, stream,
                state_0_in, state_1_in, state_2_in, state_3_in, actions, starts_0, starts_1,
                starts_2, starts_3, state_0_out, state_1_out, state_2_out, state_3_out, sum_out);
}

}  // namespace model_kernels::step
)";

TEST(PrintExample, Cartpole) {
  Kernel kernel;
  build_cartpole(kernel);
  const std::string text = print_kernel_file(kernel, "model");
  EXPECT_EQ(text, kCartpole);
  EXPECT_EQ(clang_formatted(text), text);
}

// A copy has all that a kernel has, and nothing that goes with the first.
TEST(PrintExample, Copy) {
  std::optional<Kernel> copy;
  {
    Kernel kernel;
    build_cartpole(kernel);
    copy = kernel.copy();
  }
  ASSERT_TRUE(copy.has_value());
  EXPECT_EQ(print_kernel_file(*copy, "model"), kCartpole);
}

TEST(PrintExample, NoCopy) {
  Kernel kernel, other;
  build_softmax(kernel);
  const Variable* of_other = other.variable("x", kFloat);
  kernel.body.push_back({.kind = Kind::kExpression, .value = kernel.reference(of_other)});
  EXPECT_FALSE(kernel.copy().has_value());
}

}  // namespace
}  // namespace sinter
