// The verifier: one broken constraint at a time.
#include "ir/verify/verify.h"

#include <gtest/gtest.h>

#include "frontend/hlo/parse_hlo.h"

namespace sinter {
namespace {

// Computations that the tests call.
constexpr const char* kCallees = R"(
add_f32 {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ge_f32 {
  a.1 = f32[] parameter(0)
  b.1 = f32[] parameter(1)
  ROOT c.1 = pred[] compare(a.1, b.1), direction=GE
}
next {
  i = s32[] parameter(0)
  one = s32[] constant(1)
  ROOT n = s32[] add(i, one)
}
below_ten {
  i.1 = s32[] parameter(0)
  ten = s32[] constant(10)
  ROOT l = pred[] compare(i.1, ten), direction=LT
}
)";

// Operands of every test, by type: f4 is f32[4].
constexpr const char* kOperands = R"(
  f = f32[] parameter(0)
  f4 = f32[4] parameter(1)
  f45 = f32[4,5] parameter(2)
  s = s32[] parameter(3)
  s4 = s32[4] parameter(4)
  p4 = pred[4] parameter(5)
  c4 = c64[4] parameter(6)
  p = pred[] parameter(7)
  img = f32[1,8,8,3] parameter(8)
  kernel = f32[3,3,3,16] parameter(9)
  b33 = f32[2,3,3] parameter(10)
)";

// The verifier's report on a module whose root is `root`; empty if it has nothing to say.
std::string report(const std::string& root) {
  const Source source{"test.hlo", std::string("HloModule test\n") + kCallees + "ENTRY main {" + kOperands +
                                      "  ROOT root = " + root + "\n}\n"};
  Diagnostics diagnostics(source);
  const std::unique_ptr<Module> module = parse_hlo(diagnostics);
  if (!module) return "not parsed: " + diagnostics.render();
  const bool right = verify(*module, diagnostics);
  EXPECT_EQ(right, diagnostics.ok());
  return right ? "" : diagnostics.render();
}

void expect_right(const std::string& root) { EXPECT_EQ(report(root), ""); }

void expect_error(const std::string& root, const std::string& message) {
  const std::string found = report(root);
  EXPECT_NE(found.find("error"), std::string::npos) << root;
  EXPECT_NE(found.find(message), std::string::npos) << root << "\n" << found;
}

TEST(Verify, Elementwise) {
  expect_right("f32[4] add(f4, f4)");
  expect_right("f32[4] select(p4, f4, f4)");
  expect_right("f32[4] select(p, f4, f4)");
  expect_right("f32[4] clamp(f, f4, f)");
  expect_right("f32[4] abs(c4)");
  expect_right("pred[4] compare(f4, f4), direction=LT, type=TOTALORDER");
  expect_right("s8[4] convert(f4)");
  expect_error("f32[4] add(f4, f45)", "different dimensions: f32[4] and f32[4,5]");
  expect_error("f32[4] add(f4, s4)", "different element types");
  expect_error("f32[5] add(f4, f4)", "error[E0204]: add: the result is stated as f32[5], but is f32[4]");
  expect_error("s32[4] exponential(s4)", "must be floating-point or complex");
  expect_error("f32[4] not(f4)", "must be integers or pred");
  expect_error("c64[4] maximum(c4, c4)", "no order");
  expect_error("pred[4] subtract(p4, p4)", "must be numbers");
  expect_error("f32[4] select(s4, f4, f4)", "must be pred");
  expect_error("f32[4,5] select(p4, f45, f45)", "must be a scalar or have the dimensions of f32[4,5]");
  expect_error("pred[4] compare(f4, f4), direction=LESS", "direction=LESS does not exist");
  expect_error("pred[4] compare(c4, c4), direction=LT", "direction must be EQ or NE");
  expect_error("pred[4] compare(s4, s4), direction=LT, type=UNSIGNED", "does not fit");
  expect_error("f32[4] reduce-precision(f4), exponent_bits=0, mantissa_bits=3", "exponent_bits=0 is out of range");
  expect_error("s8[5] convert(f4)", "stated as s8[5], but is s8[4]");
}

TEST(Verify, IndexMaps) {
  expect_right("f32[4,7] broadcast(f4), dimensions={0}");
  expect_right("f32[20] reshape(f45)");
  expect_right("f32[5,4] transpose(f45), dimensions={1,0}");
  expect_right("f32[2,5] slice(f45), slice={[0:3:2], [0:5]}");
  expect_right("f32[9] pad(f4, f), padding=-1_3_1");
  expect_right("f32[4,10] concatenate(f45, f45), dimensions={1}");
  expect_right("u8[4,4] bitcast-convert(f4)");
  expect_error("f32[4,7] broadcast(f4), dimensions={1}", "maps to dimension 1 of f32[4,7] with another size");
  expect_error("f32[4,7] broadcast(f4)", "one entry for each dimension");
  expect_error("f32[4,7] broadcast(f4), dimensions={2}", "dimension 2 is out of range");
  expect_error("f32[21] reshape(f45)", "has 20 elements, f32[21] has 21");
  expect_error("f32[5,4] transpose(f45), dimensions={1,1}", "dimension 1 is listed twice");
  expect_error("f32[5] transpose(f45), dimensions={1}", "not a permutation");
  expect_error("f32[4,6] slice(f45), slice={[0:4], [0:6]}", "[0:6] of dimension 1 is out of range");
  expect_error("f32[4,0] slice(f45), slice={[0:4], [3:2]}", "out of range");
  expect_error("f32[4,5] slice(f45), slice={[0:4], [0:5:0]}", "not positive");
  expect_error("f32[0] pad(f4, f), padding=-3_-3", "is negative");
  expect_error("f32[4] pad(f4, f), padding=9223372036854775807_9223372036854775807", "too large");
  expect_error("f32[4] pad(f4, s), padding=0_0", "must be f32[]");
  expect_error("f32[9,5] concatenate(f45, f4), dimensions={0}", "does not fit f32[4,5]");
  expect_error("s32[4] iota(), iota_dimension=1", "out of range");
  expect_error("s32[] iota(), iota_dimension=0", "a scalar has no dimensions");
  expect_error("u8[4,3] bitcast-convert(f4)", "but is u8[4,4]");
  expect_error("u64[4] bitcast-convert(f4)", "last dimension of f32[4] must be 2");
}

TEST(Verify, DynamicSlices) {
  expect_right("f32[2,5] dynamic-slice(f45, s, s), dynamic_slice_sizes={2,5}");
  expect_right("f32[4] dynamic-update-slice(f4, f4, s)");
  expect_error("f32[2,5] dynamic-slice(f45, s), dynamic_slice_sizes={2,5}", "1 start indices for 2 dimensions");
  expect_error("f32[6,5] dynamic-slice(f45, s, s), dynamic_slice_sizes={6,5}", "6 for dimension 0 is out of range");
  expect_error("f32[2,5] dynamic-slice(f45, s, f), dynamic_slice_sizes={2,5}", "must be an integer scalar");
  expect_error("f32[4] dynamic-update-slice(f4, s4, s)", "another element type");
}

constexpr const char* kGather =
    ", offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes=";

TEST(Verify, Gather) {
  expect_right(std::string("f32[4,5] gather(f45, s4)") + kGather + "{1,5}");
  expect_error(std::string("f32[4,5] gather(f45, s4)") + kGather + "{2,5}", "it must be 1");
  expect_error(std::string("f32[4,5] gather(f45, s4)") + kGather + "{1}", "one entry for each dimension");
  expect_error(std::string("f32[4,5] gather(f45, s4)") + kGather + "{1,6}", "out of range");
  expect_error(std::string("f32[4,5] gather(f45, f4)") + kGather + "{1,5}", "must be integers");
  expect_error(
      "f32[4,5] gather(f45, s4), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0,1}, "
      "index_vector_dim=1, slice_sizes={1,5}",
      "start_index_map={0,1} must have one entry");
  expect_error(
      "f32[4,5] gather(f45, s4), offset_dims={1}, collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1, "
      "slice_sizes={1,5}",
      "offset_dims={1} must have 2 entries");
  expect_error(
      "f32[4,5] gather(f45, s4), offset_dims={7}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=-3, "
      "slice_sizes={1,5}",
      "index_vector_dim=-3 is out of range");
}

// Its attributes, up to the list of the windows' dimensions.
constexpr const char* kScatterUpToWindow =
    ", inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_f32, "
    "update_window_dims=";

TEST(Verify, Scatter) {
  expect_right(std::string("f32[4,5] scatter(f45, s4, f45)") + kScatterUpToWindow + "{1}");
  expect_error(std::string("f32[4,5] scatter(f45, s4, f45)") + kScatterUpToWindow + "{}", "must have 1 dimensions");
  expect_error(std::string("f32[4,5] scatter(f45, s4, f4)") + kScatterUpToWindow + "{1}", "must have 2 dimensions");
  expect_error(std::string("s32[4,5] scatter(f45, s4)") + kScatterUpToWindow + "{1}", "needs at least 3");
  expect_error(
      "s32[4] scatter(s4, s4, s4), inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
      "to_apply=add_f32, update_window_dims={}",
      "%add_f32 takes (f32[], f32[]), is called with (s32[], s32[])");
}

TEST(Verify, Reductions) {
  expect_right("f32[4] reduce(f45, f), dimensions={1}, to_apply=add_f32");
  expect_right("f32[2] reduce-window(f4, f), window={size=2 stride=2}, to_apply=add_f32");
  expect_right("f32[4] map(f4, f4), dimensions={0}, to_apply=add_f32");
  expect_right("f32[4] sort(f4), dimensions={0}, to_apply=ge_f32");
  expect_right("(f32[4,2], s32[4,2]) topk(f45), k=2, largest=true");
  expect_right("f32[4] select-and-scatter(f4, f4, f), window={size=1}, select=ge_f32, scatter=add_f32");
  expect_error("f32[4] reduce(f45, f), dimensions={3}, to_apply=add_f32",
               "error[E0231]: reduce: dimensions: dimension 3 is out of range for f32[4,5]");
  expect_error("f32[4] reduce(f45, f), dimensions={1}, to_apply=ge_f32", "returns pred[], must return f32[]");
  expect_error("f32[4] reduce(f45, f), dimensions={1}, to_apply=next", "takes (s32[])");
  expect_error("f32[4] reduce(f45, s), dimensions={1}, to_apply=add_f32", "must be f32[]");
  expect_error("f32[4] reduce(f45), dimensions={1}, to_apply=add_f32", "needs at least 2");
  expect_error("f32[2] reduce-window(f4, f), window={size=2x2}, to_apply=add_f32", "the window has 2 dimensions");
  expect_error("f32[2] reduce-window(f4, f), window={size=2 stride=0}, to_apply=add_f32", "stride=0 is not positive");
  expect_error("f32[4] select-and-scatter(f4, f4, f), window={size=2}, select=ge_f32, scatter=add_f32",
               "the window has f32[3] places");
  expect_error("f32[4] sort(f4), dimensions={0}, to_apply=add_f32", "must return pred[]");
  expect_error("(f32[4,9], s32[4,9]) topk(f45), k=9", "k=9 is out of range");
}

TEST(Verify, Contractions) {
  expect_right("f32[5] dot(f4, f45), lhs_contracting_dims={0}, rhs_contracting_dims={0}");
  expect_right("bf16[5] dot(f4, f45), lhs_contracting_dims={0}, rhs_contracting_dims={0}");
  expect_error("f32[4] dot(f4, f45), lhs_contracting_dims={0}, rhs_contracting_dims={1}", "different sizes");
  expect_error("f32[4] dot(f4, f45), lhs_contracting_dims={0}", "different lengths");
  expect_error("f32[5] dot(f4, f45), lhs_contracting_dims={0,0}, rhs_contracting_dims={0,0}", "listed twice");
}

TEST(Verify, Convolutions) {
  expect_right("f32[1,8,8,16] convolution(img, kernel), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f");
  expect_error("f32[1,6,6,16] convolution(img, kernel), window={size=2x3}, dim_labels=b01f_01io->b01f",
               "differs from the kernel");
  expect_error(
      "f32[1,6,6,16] convolution(img, kernel), window={size=3x3}, dim_labels=b01f_01io->b01f, "
      "feature_group_count=3",
      "the left operand has 3 features");
  expect_error(
      "f32[1,6,6,16] convolution(img, kernel), window={size=3x3}, dim_labels=b01f_01io->b01f, "
      "feature_group_count=0",
      "not positive");
  expect_error("f32[1,6,16] convolution(img, kernel), window={size=3}, dim_labels=b0f_0io->b0f", "dim_labels give");
  expect_error(
      "f32[1,6,6,16] convolution(img, kernel), dim_labels=b01f_01io->b01f, "
      "window={size=3x3 lhs_dilate=9223372036854775807x1}",
      "too large");
}

TEST(Verify, LinearAlgebra) {
  expect_right("f32[2,3,3] cholesky(b33), lower=true");
  expect_right("f32[2,3,3] triangular-solve(b33, b33), left_side=true, transpose_a=NO_TRANSPOSE");
  expect_right("c64[4,3] fft(f45), fft_type=RFFT, fft_length={5}");
  expect_error("f32[4,5] cholesky(f45)", "square matrices");
  expect_error("f32[4,5] triangular-solve(b33, f45)", "do not fit the matrices");
  expect_error("c64[4,3] fft(f45), fft_type=DCT, fft_length={5}", "fft_type=DCT does not exist");
  expect_error("c64[4,3] fft(f45), fft_type=RFFT, fft_length={6}", "must be 6");
}

TEST(Verify, Control) {
  expect_right("s32[] while(s), condition=below_ten, body=next");
  expect_right("s32[] call(s), to_apply=next");
  expect_right("s32[] conditional(p, s, s), true_computation=next, false_computation=next");
  expect_right("s32[] conditional(s, s), branch_computations={next}");
  expect_right("(f32[], s32[4]) tuple(f, s4)");
  expect_error("f32[] while(f), condition=below_ten, body=next", "%below_ten takes (s32[]), is called with (f32[])");
  expect_error("s32[] while(s), condition=next, body=next", "must return pred[]");
  expect_error("s32[] call(f), to_apply=next", "is called with (f32[])");
  expect_error("s32[] conditional(s4, s), branch_computations={next}", "the selector is s32[4]");
  expect_error("s32[] conditional(p, s), true_computation=next", "needs either");
  expect_error("s32[] conditional(s, s), branch_computations={next,next}", "1 operands for 2 branches");
  expect_error("f32[4] get-tuple-element(f4), index=0", "not a tuple");
  expect_error("(f32[]) tuple(f, s4)", "but is (f32[], s32[4])");
}

TEST(Verify, ErrorsAreLocated) {
  const std::string found = report("f32[5] add(f4, f4)");
  EXPECT_NE(found.find("ROOT root = f32[5] add(f4, f4)"), std::string::npos) << found;
}

// Structure that no text can have, made by hand.
class VerifyStructure : public testing::Test {
 protected:
  VerifyStructure() {
    main_ = module_.add_computation("main");
    x_ = main_->add(Opcode::kParameter, scalar_, {}, "x");
    y_ = main_->add(Opcode::kNegate, scalar_, {x_}, "y");
    main_->set_root(y_);
    module_.set_entry(main_);
  }

  void expect(const std::string& message) {
    const Source source{"test.hlo", ""};
    Diagnostics diagnostics(source);
    const bool right = verify(module_, diagnostics);
    EXPECT_EQ(right, message.empty());
    EXPECT_NE(diagnostics.render().find(message), std::string::npos) << diagnostics.render();
  }

  const Shape scalar_ = Shape::scalar(DType::kF32);
  Module module_;
  Computation* main_ = nullptr;
  Instruction* x_ = nullptr;
  Instruction* y_ = nullptr;
};

TEST_F(VerifyStructure, Right) { expect(""); }

TEST_F(VerifyStructure, NoEntry) {
  module_.set_entry(nullptr);
  expect("E0205");
}

TEST_F(VerifyStructure, EqualNames) {
  y_->name = "x";
  expect("two instructions have the name %x");
}

TEST_F(VerifyStructure, NoRoot) {
  main_->set_root(nullptr);
  expect("computation %main has no root");
}

TEST_F(VerifyStructure, OperandAfterUser) {
  main_->move_before(y_, x_);
  expect("operand 0 of %y is not an instruction before it");
}

TEST_F(VerifyStructure, ControlPredecessorElsewhere) {
  Computation* other = module_.add_computation("other");
  other->set_root(other->add(Opcode::kParameter, scalar_, {}, "z"));
  y_->control_predecessors.push_back(other->root());
  expect("a control predecessor of %y");
}

TEST_F(VerifyStructure, CalleeAfterCaller) {
  Computation* callee = module_.add_computation("callee");
  callee->set_root(callee->add(Opcode::kParameter, scalar_, {}, "z"));
  Instruction* call = main_->add(Opcode::kCall, scalar_, {x_}, "call");
  call->attributes.edit().to_apply = callee;
  expect("%call calls a computation that does not stand before its own");
  module_.sort_computations();
  expect("");
  call->attributes.edit().to_apply = main_;
  expect("E0209");
}

TEST_F(VerifyStructure, Shapes) {
  x_->shape.dims = {-3};
  expect("the dimension -3 of f32[-3] is negative");
  x_->shape.dims = {int64_t{1} << 40, int64_t{1} << 40};
  expect("takes more than 2^46 bytes");
  x_->shape = scalar_;
  x_->shape.layout = Layout{{0}, ""};
  expect("does not list every dimension once");
}

TEST_F(VerifyStructure, ParameterNumbers) {
  x_->parameter_number = 1;
  expect("parameter 1 of %main should be number 0");
}

TEST_F(VerifyStructure, NumberOfOperands) {
  y_->set_operands({});
  expect("error[E0201]: negate: has 0 operands, takes 1");
}

TEST_F(VerifyStructure, MissingAttribute) {
  y_->opcode = Opcode::kReverse;
  expect("error[E0202]: reverse: the attribute dimensions is missing");
}

TEST_F(VerifyStructure, StrayAttribute) {
  y_->attributes.edit().dimensions = std::vector<int64_t>{0};
  expect("error[E0203]: negate: has no attribute dimensions");
}

TEST_F(VerifyStructure, EntryLayouts) {
  module_.entry_parameter_layouts = {scalar_, scalar_};
  expect("entry_computation_layout has 2 parameters");
  module_.entry_parameter_layouts = {Shape::array(DType::kF32, {2})};
  expect("states parameter 0 as f32[2]");
  module_.entry_parameter_layouts = {scalar_};
  module_.entry_result_layout = Shape::scalar(DType::kS32);
  expect("states the result as s32[]");
}

TEST_F(VerifyStructure, Aliases) {
  module_.input_output_alias = {{.output_index = {}, .parameter = 0, .parameter_index = {}}};
  expect("");
  module_.buffer_donor = {{.output_index = {}, .parameter = 0, .parameter_index = {}}};
  expect("parameter 0 is donated twice");
  module_.buffer_donor.clear();
  module_.input_output_alias[0].parameter = 3;
  expect("names parameter 3");
  module_.input_output_alias[0] = {.output_index = {1}, .parameter = 0, .parameter_index = {}};
  expect("names result {1}");
}

}  // namespace
}  // namespace sinter
