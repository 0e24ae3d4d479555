// The op table as a whole, and the parts of rows that can be checked against the evaluator.
#include "ir/ops/op_table.h"

#include <gtest/gtest.h>

#include <set>

#include "frontend/hlo/parse_hlo.h"
#include "ir/evaluate/evaluate.h"

namespace sinter {
namespace {

std::unique_ptr<Module> parse(const std::string& entry) {
  const Source source{"test.hlo", "HloModule test\nENTRY main {\n" + entry + "\n}\n"};
  Diagnostics diagnostics(source);
  std::unique_ptr<Module> module = parse_hlo(diagnostics);
  EXPECT_TRUE(module != nullptr) << diagnostics.render();
  return module;
}

// The row-major number of each element of operand 0, moved by the instruction: by the evaluator, and by its source
// index applied to each index of the result.
void expect_source_index(const std::string& entry) {
  SCOPED_TRACE(entry);
  const std::unique_ptr<Module> module = parse(entry);
  ASSERT_TRUE(module);
  const Instruction& root = *module->entry()->root();
  const auto source_index = op_def(root.opcode).source_index;
  ASSERT_TRUE(source_index != nullptr);

  const Shape& from = root.operand(0)->shape;
  Literal numbers(from);
  for (int64_t i = 0; i < from.element_count(); ++i) numbers.set_integer(i, i);
  const std::optional<Literal> moved = evaluate_instruction(root, {numbers});
  ASSERT_TRUE(moved);

  std::vector<IndexExpr> index;
  for (int64_t i = 0; i < root.shape.rank(); ++i) {
    index.push_back(IndexExpr::coordinate(static_cast<int>(i), {0, root.shape.dims[static_cast<size_t>(i)] - 1}));
  }
  const std::vector<IndexExpr> source = source_index(root, index);
  ASSERT_EQ(static_cast<int64_t>(source.size()), from.rank());
  const IndexExpr linear = linearize(source, from.dims);
  const std::vector<int64_t> steps = strides(root.shape.dims);
  for (int64_t i = 0; i < root.shape.element_count(); ++i) {
    const IndexExpr at = linear.substitute([&](const IndexExpr::Atom& atom) {
      const size_t dimension = static_cast<size_t>(atom.id);
      return std::optional<IndexExpr>(i / steps[dimension] % root.shape.dims[dimension]);
    });
    ASSERT_TRUE(at.is_constant()) << at.to_string();
    EXPECT_EQ(at.constant(), moved->integer_at(i)) << "element " << i;
  }
}

TEST(OpTable, AttributesAreListedOnce) {
  for (int i = 0; i < kOpcodeCount; ++i) {
    std::set<AttributeId> seen;
    for (const AttributeSpec& spec : op_def(static_cast<Opcode>(i)).attributes) {
      EXPECT_TRUE(seen.insert(spec.id).second) << opcode_name(static_cast<Opcode>(i));
    }
  }
}

TEST(OpTable, OpcodeNamesRoundTrip) {
  for (int i = 0; i < kOpcodeCount; ++i) {
    EXPECT_EQ(opcode_from_name(opcode_name(static_cast<Opcode>(i))), static_cast<Opcode>(i));
  }
  EXPECT_EQ(opcode_from_name("atan"), std::nullopt);
}

// Operands of a commutative op may be exchanged without changing a bit.
TEST(OpTable, CommutativeOpsCommute) {
  const std::vector<std::string> lists = {"pred[4] {0,0,1,1}",          "pred[4] {0,1,0,1}",
                                          "s32[4] {3,-7,2147483647,0}", "s32[4] {-1,5,2,-2147483648}",
                                          "f32[4] {0,-0.0,inf,2.5}",    "f32[4] {-0.0,0,-1,nan}"};
  for (int i = 0; i < kOpcodeCount; ++i) {
    const Opcode opcode = static_cast<Opcode>(i);
    if (!op_def(opcode).commutative) continue;
    for (size_t k = 0; k < lists.size(); k += 2) {
      const auto constant = [&](const std::string& name, const std::string& list) {
        const size_t blank = list.find(' ');
        return name + " = " + list.substr(0, blank) + " constant(" + list.substr(blank + 1) + ")\n";
      };
      const std::string shape = lists[k].substr(0, lists[k].find(' '));
      const std::unique_ptr<Module> module =
          parse(constant("a", lists[k]) + constant("b", lists[k + 1]) + "ROOT r = " + shape + " " +
                std::string(opcode_name(opcode)) + "(a, b)");
      const Instruction& root = *module->entry()->root();
      if (std::holds_alternative<ShapeError>(op_def(opcode).infer(root))) continue;
      const Literal& a = root.operand(0)->literal;
      const Literal& b = root.operand(1)->literal;
      const std::optional<Literal> ab = evaluate_instruction(root, {a, b});
      const std::optional<Literal> ba = evaluate_instruction(root, {b, a});
      ASSERT_TRUE(ab && ba) << opcode_name(opcode) << " " << shape;
      EXPECT_TRUE(ab->same_value(*ba)) << opcode_name(opcode) << " " << shape;
    }
  }
}

TEST(OpTable, SourceIndexOfBroadcast) {
  expect_source_index("p = s32[3] parameter(0)\nROOT r = s32[2,3,4] broadcast(p), dimensions={1}");
  expect_source_index("p = s32[3,2] parameter(0)\nROOT r = s32[2,3] broadcast(p), dimensions={1,0}");
  expect_source_index("p = s32[] parameter(0)\nROOT r = s32[5] broadcast(p), dimensions={}");
  expect_source_index("p = s32[] parameter(0)\nROOT r = s32[5] broadcast(p)");
}

TEST(OpTable, SourceIndexOfReshape) {
  expect_source_index("p = s32[6,4] parameter(0)\nROOT r = s32[24] reshape(p)");
  expect_source_index("p = s32[24] parameter(0)\nROOT r = s32[2,3,4] reshape(p)");
  expect_source_index("p = s32[4,6,5] parameter(0)\nROOT r = s32[4,3,10] reshape(p)");
  expect_source_index("p = s32[6,4] parameter(0)\nROOT r = s32[4,6] reshape(p)");
  expect_source_index("p = s32[1,3,1] parameter(0)\nROOT r = s32[3] reshape(p)");
  expect_source_index("p = s32[3] parameter(0)\nROOT r = s32[1,1,3,1] reshape(p)");
  expect_source_index("p = s32[2,1,6] parameter(0)\nROOT r = s32[3,1,4] reshape(p)");
  expect_source_index("p = s32[] parameter(0)\nROOT r = s32[1,1] reshape(p)");
  expect_source_index("p = s32[0,3] parameter(0)\nROOT r = s32[7,0] reshape(p)");
}

// Dimensions that stay are passed through as they are.
TEST(OpTable, SourceIndexOfReshapeIsSimple) {
  const std::unique_ptr<Module> module = parse("p = s32[8,6,5,1] parameter(0)\nROOT r = s32[8,30] reshape(p)");
  const Instruction& root = *module->entry()->root();
  const std::vector<IndexExpr> index = {IndexExpr::coordinate(0, {0, 7}), IndexExpr::coordinate(1, {0, 29})};
  const std::vector<IndexExpr> source = op_def(root.opcode).source_index(root, index);
  EXPECT_EQ(source[0], index[0]);
  EXPECT_EQ(source[1], index[1].floor_div(5));
  EXPECT_EQ(source[2], index[1].floor_mod(5));
  EXPECT_EQ(source[3], IndexExpr(0));
}

TEST(OpTable, SourceIndexOfTranspose) {
  expect_source_index("p = s32[2,3,4] parameter(0)\nROOT r = s32[4,2,3] transpose(p), dimensions={2,0,1}");
  expect_source_index("p = s32[2,3] parameter(0)\nROOT r = s32[3,2] transpose(p), dimensions={1,0}");
}

TEST(OpTable, SourceIndexOfReverse) {
  expect_source_index("p = s32[2,3,4] parameter(0)\nROOT r = s32[2,3,4] reverse(p), dimensions={0,2}");
}

TEST(OpTable, SourceIndexOfSlice) {
  expect_source_index("p = s32[7,9] parameter(0)\nROOT r = s32[3,3] slice(p), slice={[1:7:2], [5:8]}");
}

TEST(OpTable, SpellingFollowsTheOperand) {
  const auto spelling = [](const std::string& entry) {
    const std::unique_ptr<Module> module = parse(entry);
    return std::string(cuda_spelling(*module->entry()->root()).text);
  };
  EXPECT_EQ(spelling("x = f32[4] parameter(0)\nROOT r = f32[4] exponential(x)"), "expf");
  EXPECT_EQ(spelling("x = bf16[4] parameter(0)\nROOT r = bf16[4] exponential(x)"), "expf");
  EXPECT_EQ(spelling("x = f64[4] parameter(0)\nROOT r = f64[4] exponential(x)"), "exp");
  EXPECT_EQ(spelling("x = pred[4] parameter(0)\nROOT r = pred[4] add(x, x)"), "||");
  EXPECT_EQ(spelling("x = u8[4] parameter(0)\nROOT r = u8[4] divide(x, x)"), "integer_divide");
  EXPECT_EQ(spelling("x = c64[4] parameter(0)\nROOT r = f32[4] abs(x)"), "abs");
}

TEST(OpTable, UlpBounds) {
  const auto bound = [](const std::string& entry) { return ulp_bound(*parse(entry)->entry()->root()); };
  EXPECT_EQ(bound("x = f32[4] parameter(0)\nROOT r = f32[4] add(x, x)"), 0);
  EXPECT_EQ(bound("x = s32[4] parameter(0)\nROOT r = s32[4] power(x, x)"), 0);
  EXPECT_EQ(bound("x = f32[4] parameter(0)\nROOT r = f32[4] power(x, x)"), 5);
  EXPECT_EQ(bound("x = bf16[4] parameter(0)\nROOT r = bf16[4] tanh(x)"), 1);
}

// Every helper header that a row names is there.
TEST(OpTable, HelpersExist) {
  for (int i = 0; i < kOpcodeCount; ++i) {
    const CudaSpellings& cuda = op_def(static_cast<Opcode>(i)).cuda;
    for (const CudaSpelling* spelling :
         {&cuda.f32, &cuda.f64, &cuda.signed_integer, &cuda.unsigned_integer, &cuda.pred, &cuda.complex}) {
      if (spelling->header.empty()) continue;
      const std::string path = std::string(SINTER_SOURCE_DIR) + "/templates/" + std::string(spelling->header);
      std::unique_ptr<FILE, int (*)(FILE*)> file(fopen(path.c_str(), "r"), fclose);
      EXPECT_TRUE(file != nullptr) << spelling->header;
    }
  }
}

}  // namespace
}  // namespace sinter
