// Tensors of modules: flattening, random inputs, HLO modules of constants and safetensors files.
#include "driver/tensors/tensors.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "driver/tensors/constant_module.h"
#include "frontend/hlo/parse_hlo.h"

namespace sinter {
namespace {

namespace fs = std::filesystem;

Literal counting(DType dtype, std::vector<int64_t> dims) {
  Literal literal(Shape::array(dtype, std::move(dims)));
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    is_float(dtype) ? literal.set_real(i, static_cast<double>(i) - 1.5) : literal.set_integer(i, i % 2);
  }
  return literal;
}

std::vector<Shape> shapes_of(const std::vector<Literal>& tensors) {
  std::vector<Shape> shapes;
  for (const Literal& tensor : tensors) shapes.push_back(tensor.shape());
  return shapes;
}

void expect_same(const std::vector<Literal>& got, const std::vector<Literal>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(got[i].same_value(expected[i])) << i;
}

class TensorFiles : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_ = fs::temp_directory_path() / ("sinter-tensors-" + std::to_string(getpid()));
  std::string error_;
};

TEST(Tensors, NestedTuplesFlattenInOrder) {
  const Source source = {.name = "-", .text = R"(HloModule m
ENTRY e {
  a = (f32[2], (s32[], pred[3])) parameter(0)
  b = f64[1] parameter(1)
  ROOT t = ((f32[2], (s32[], pred[3])), f64[1]) tuple(a, b)
})"};
  Diagnostics diagnostics(source);
  const std::unique_ptr<Module> module = parse_hlo(diagnostics);
  ASSERT_TRUE(module) << diagnostics.render();
  const std::vector<Shape> shapes = input_shapes(*module);
  ASSERT_EQ(shapes.size(), 4u);
  EXPECT_EQ(to_string(shapes[2], false), "pred[3]");
  EXPECT_EQ(output_shapes(*module).size(), 4u);

  const std::vector<Literal> arrays = random_tensors(shapes, 3);
  const std::vector<Literal> arguments = pack_arguments(*module, arrays);
  ASSERT_EQ(arguments.size(), 2u);
  expect_same(flatten(Literal::tuple(arguments)), arrays);
}

TEST(Tensors, RandomDependsOnSeedAndPositionOnly) {
  const std::vector<Shape> shapes(2, Shape::array(DType::kF32, {100}));
  const std::vector<Literal> one = random_tensors(shapes, 1), again = random_tensors(shapes, 1);
  expect_same(one, again);
  EXPECT_FALSE(one[0].same_value(one[1]));
  EXPECT_FALSE(one[0].same_value(random_tensors(shapes, 2)[0]));
}

TEST(Tensors, RandomIntegersServeAsIndices) {
  for (const DType dtype : {DType::kS32, DType::kU8, DType::kS4, DType::kU1, DType::kS64}) {
    const Literal tensor = random_tensors({Shape::array(dtype, {200})}, 5)[0];
    for (int64_t i = 0; i < 200; ++i) {
      EXPECT_GE(tensor.integer_at(i), 0);
      EXPECT_LT(tensor.integer_at(i), 8);
    }
  }
}

TEST_F(TensorFiles, SafetensorsRoundTrip) {
  const std::vector<Literal> tensors = {counting(DType::kF32, {2, 3}), counting(DType::kBF16, {4}),
                                        counting(DType::kPred, {5}),   counting(DType::kS64, {}),
                                        counting(DType::kF16, {0, 2}), counting(DType::kU8, {1})};
  ASSERT_TRUE(write_tensors(path("t.safetensors"), tensors, error_)) << error_;
  const auto read = read_tensors({path("t.safetensors")}, shapes_of(tensors), "input", error_);
  ASSERT_TRUE(read) << error_;
  expect_same(*read, tensors);
}

TEST_F(TensorFiles, NpyRoundTrip) {
  const std::vector<Literal> tensors = {counting(DType::kF64, {3, 2})};
  ASSERT_TRUE(write_tensors(path("t.npy"), tensors, error_)) << error_;
  const auto read = read_tensors({path("t.npy")}, shapes_of(tensors), "input", error_);
  ASSERT_TRUE(read) << error_;
  expect_same(*read, tensors);
}

TEST_F(TensorFiles, ConstantModulesRoundTrip) {
  const std::vector<Literal> tensors = {counting(DType::kF32, {2, 2}), counting(DType::kPred, {3}),
                                        counting(DType::kF8E4M3FN, {2})};
  ASSERT_TRUE(write_tensors(path("t.hlo"), tensors, error_)) << error_;
  const auto read = read_tensors({path("t.hlo")}, shapes_of(tensors), "input", error_);
  ASSERT_TRUE(read) << error_;
  expect_same(*read, tensors);
}

TEST_F(TensorFiles, WrongShapesAndCountsAreTold) {
  const std::vector<Literal> tensors = {counting(DType::kF32, {2})};
  ASSERT_TRUE(write_tensors(path("t.safetensors"), tensors, error_)) << error_;
  EXPECT_FALSE(read_tensors({path("t.safetensors")}, {Shape::array(DType::kF32, {3})}, "input", error_));
  EXPECT_NE(error_.find("f32[3]"), std::string::npos) << error_;
  EXPECT_FALSE(read_tensors({path("t.safetensors")}, {}, "input", error_));
  EXPECT_FALSE(read_tensors({path("missing.safetensors")}, shapes_of(tensors), "input", error_));
  std::ofstream(path("bad.safetensors")) << "garbage";
  EXPECT_FALSE(read_tensors({path("bad.safetensors")}, shapes_of(tensors), "input", error_));
}

}  // namespace
}  // namespace sinter
