// Shapes: text, sizes, comparison.
#include "ir/values/shape.h"

#include <gtest/gtest.h>

namespace sinter {
namespace {

TEST(Shape, Text) {
  EXPECT_EQ(to_string(Shape::scalar(DType::kF32)), "f32[]");
  EXPECT_EQ(to_string(Shape::array(DType::kBF16, {2, 3})), "bf16[2,3]");
  EXPECT_EQ(to_string(Shape::token()), "token[]");
  EXPECT_EQ(to_string(Shape::tuple({})), "()");

  Shape shape = Shape::array(DType::kF32, {2, 3});
  shape.layout = Layout{{0, 1}, "T(8,128)"};
  EXPECT_EQ(to_string(shape), "f32[2,3]{0,1:T(8,128)}");
  EXPECT_EQ(to_string(shape, false), "f32[2,3]");

  Shape scalar = Shape::scalar(DType::kS32);
  scalar.layout = Layout{};
  EXPECT_EQ(to_string(scalar), "s32[]");
  scalar.layout->properties = "S(5)";
  EXPECT_EQ(to_string(scalar), "s32[]{:S(5)}");
}

TEST(Shape, TextOfTuplesCountsElements) {
  const std::vector<Shape> seven(7, Shape::scalar(DType::kPred));
  EXPECT_EQ(to_string(Shape::tuple(seven)), "(pred[], pred[], pred[], pred[], pred[], /*index=5*/pred[], pred[])");
}

TEST(Shape, DynamicDimensions) {
  Shape shape = Shape::array(DType::kF32, {4, Shape::kUnbounded, 5});
  shape.dynamic = {true, true, false};
  EXPECT_EQ(to_string(shape), "f32[<=4,?,5]");
  EXPECT_FALSE(shape.is_static());
  EXPECT_FALSE(Shape::tuple({Shape::scalar(DType::kF32), shape}).is_static());
  EXPECT_TRUE(Shape::array(DType::kF32, {4}).is_static());
}

TEST(Shape, Sizes) {
  EXPECT_EQ(Shape::scalar(DType::kC128).bytes(), 16);
  EXPECT_EQ(Shape::array(DType::kS4, {5}).bytes(), 5);
  EXPECT_EQ(Shape::array(DType::kF32, {3, 0, 7}).element_count(), 0);
  EXPECT_EQ(Shape::tuple({Shape::scalar(DType::kF32), Shape::array(DType::kU8, {3}), Shape::token()}).bytes(), 7);
}

TEST(Shape, SizesDoNotOverflow) {
  EXPECT_EQ(Shape::array(DType::kF64, {INT64_MAX, INT64_MAX}).bytes(), INT64_MAX);
  EXPECT_EQ(Shape::array(DType::kF64, {INT64_MAX, 2, 0}).element_count(), 0);
  EXPECT_EQ(Shape::array(DType::kF32, {Shape::kUnbounded}).element_count(), INT64_MAX);
  EXPECT_EQ(Shape::array(DType::kF32, {-5, 3}).element_count(), 0);
}

TEST(Shape, SameTypeIgnoresLayouts) {
  Shape a = Shape::array(DType::kF32, {2, 3});
  Shape b = a;
  b.layout = Layout{{0, 1}, ""};
  EXPECT_TRUE(a.same_type(b));
  EXPECT_NE(a, b);
  EXPECT_TRUE(Shape::tuple({a}).same_type(Shape::tuple({b})));
  EXPECT_FALSE(a.same_type(Shape::array(DType::kF32, {3, 2})));
  EXPECT_FALSE(a.same_type(Shape::array(DType::kS32, {2, 3})));
  EXPECT_FALSE(a.same_type(Shape::tuple({a})));
  b.dynamic = {false, false};
  EXPECT_TRUE(a.same_type(b));
  b.dynamic = {false, true};
  EXPECT_FALSE(a.same_type(b));
}

TEST(Shape, Layouts) {
  Shape shape = Shape::array(DType::kF32, {2, 3, 4});
  EXPECT_EQ(minor_to_major(shape), (std::vector<int64_t>{2, 1, 0}));
  EXPECT_TRUE(is_row_major(shape));
  shape.layout = Layout{{2, 0, 1}, ""};
  EXPECT_FALSE(is_row_major(shape));
  EXPECT_EQ(strides({2, 3, 4}), (std::vector<int64_t>{12, 4, 1}));
  EXPECT_TRUE(strides({}).empty());
}

TEST(DType, NamesRoundTrip) {
#define DTYPE(enumerator, hlo_name, dtype_class, bits, cuda) \
  EXPECT_EQ(dtype_from_name(hlo_name), DType::enumerator);   \
  EXPECT_EQ(dtype_name(DType::enumerator), hlo_name);        \
  EXPECT_EQ(dtype_bytes(DType::enumerator), (bits + 7) / 8);
#include "ir/values/dtype.def"
#undef DTYPE
  EXPECT_EQ(dtype_from_name("f31"), std::nullopt);
}

}  // namespace
}  // namespace sinter
