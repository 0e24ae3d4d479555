// Which dots are computed in tiles: extents, what fits into a contract kernel, and how values are grouped around dots.
#include "passes/stages/products/contract.h"

#include <gtest/gtest.h>

#include "passes/schedule/schedule.h"
#include "tests/passes/parse_module.h"

namespace sinter {
namespace {

std::unique_ptr<Module> parse_entry(const std::string& entry) {
  return parse_module("HloModule test\n\nENTRY main {\n" + entry + "}\n");
}

// The schedule of an entry computation, one kernel a line: "contract: dot add".
std::string kernels(const std::string& entry) {
  const std::unique_ptr<Module> module = parse_entry(entry);
  const Source source{"test.hlo", ""};
  Diagnostics diagnostics(source);
  ScheduleOptions options;
  options.moves.last_block = false;  // what follows in the last block is told apart as another kernel here
  const std::optional<Schedule> schedule = choose_homes(*module, "test", options, diagnostics);
  EXPECT_TRUE(schedule.has_value()) << diagnostics.render();
  std::string text;
  for (const TreeNode& kernel : schedule->tree.items) {
    for (const TreeNode& stage : kernel.body()) {
      text += stage.schedule + ":";
      for (const TreeValue& value : stage.values) text += " " + value.name;
      text += "\n";
    }
  }
  return text;
}

// Extents of the root.
std::optional<ContractExtents> extents(const std::string& entry) {
  const std::unique_ptr<Module> module = parse_entry(entry);
  return contract_extents(*module->entry()->root());
}

TEST(Contract, ExtentsOfAMatrixProduct) {
  const auto found = extents(
      "a = f32[17,33] parameter(0)\n b = f32[65,33] parameter(1)\n"
      "ROOT d = f32[17,65] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={1}\n");
  EXPECT_EQ(found, (ContractExtents{1, 17, 65, 33}));
}

TEST(Contract, ExtentsAreProductsOfDimensions) {
  const auto found = extents(
      "a = f32[2,5,3,7,4] parameter(0)\n b = f32[4,6,2,3,7] parameter(1)\n"
      "ROOT d = f32[2,3,5,6] dot(a, b), lhs_batch_dims={0,2}, rhs_batch_dims={2,3}, lhs_contracting_dims={3,4}, "
      "rhs_contracting_dims={4,0}\n");
  EXPECT_EQ(found, (ContractExtents{6, 5, 6, 28}));
}

TEST(Contract, NoSumsOfPredicates) {
  EXPECT_EQ(extents("a = pred[32,32] parameter(0)\n"
                    "ROOT d = pred[32,32] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"),
            std::nullopt);
  EXPECT_EQ(extents("a = f32[32,32] parameter(0)\n ROOT n = f32[32,32] negate(a)\n"), std::nullopt);
}

TEST(Contract, GridFoldsWhereYAndZEnd) {
  const ContractGrid plain = contract_grid({3, 17, 65, 33}, 16);
  EXPECT_FALSE(plain.folded);
  EXPECT_EQ(plain.grid[0], 5);
  EXPECT_EQ(plain.grid[1], 2);
  EXPECT_EQ(plain.grid[2], 3);
  const ContractGrid tall = contract_grid({1, 65536 * 16, 20, 16}, 16);
  EXPECT_TRUE(tall.folded);
  EXPECT_EQ(tall.grid[0], 2 * 65536);
  EXPECT_EQ(tall.grid[1], 1);
  const ContractGrid many = contract_grid({65536, 16, 16, 16}, 16);
  EXPECT_TRUE(many.folded);
  EXPECT_EQ(many.grid[0], 65536);
}

TEST(Contract, SmallDotsStayMaps) {
  EXPECT_EQ(kernels("a = f32[4,64] parameter(0)\n b = f32[64,256] parameter(1)\n"
                    "ROOT d = f32[4,256] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"),
            "map: d\n");
  EXPECT_EQ(kernels("a = f32[64,4] parameter(0)\n b = f32[4,64] parameter(1)\n"
                    "ROOT d = f32[64,64] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"),
            "map: d\n");
}

TEST(Contract, PrologueAndEpilogueBelongToTheKernel) {
  EXPECT_EQ(kernels("a = bf16[32,64] parameter(0)\n b = f32[64,32] parameter(1)\n c = f32[32] parameter(2)\n"
                    "aw = f32[32,64] convert(a)\n"
                    "d = f32[32,32] dot(aw, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                    "cs = f32[32,32] broadcast(c), dimensions={1}\n"
                    "ROOT e = f32[32,32] add(d, cs)\n"),
            "contract: aw d cs e\n");
}

TEST(Contract, OneDotAKernel) {
  // The second sum goes through memory; adding it is the first one's epilogue.
  EXPECT_EQ(kernels("a = f32[32,64] parameter(0)\n b = f32[64,32] parameter(1)\n c = f32[64,32] parameter(2)\n"
                    "n = f32[32,64] parameter(3)\n"
                    "d1 = f32[32,32] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                    "d2 = f32[32,32] dot(n, c), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                    "ROOT e = f32[32,32] add(d1, d2)\n"),
            "contract: d1\ncontract: d2 e\n");
}

// Products of x with the right operands v and w, and what is made of both, where `more` has other values.
std::string of_two(const std::string& v, const std::string& w, const std::string& more,
                   const std::string& result = "ROOT e = f32[32,32] multiply(t, d2)\n") {
  return kernels("x = f32[32,64] parameter(0)\n a = f32[64,32] parameter(1)\n b = f32[64,32] parameter(2)\n" + more +
                 "d1 = f32[32,32] dot(x, " + v +
                 "), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                 "t = f32[32,32] tanh(d1)\n"
                 "d2 = f32[32,32] dot(x, " +
                 w + "), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n" + result);
}

TEST(Contract, ResultsAreMadeOfSeveralMatrices) {
  EXPECT_EQ(of_two("a", "b", ""), "contract(simt 64x64x8): d1 t d2 e\n");
  // Made alike of arrays of one type.
  EXPECT_EQ(of_two("n", "m",
                   "p = f32[32,64] parameter(3)\n q = f32[32,64] parameter(4)\n"
                   "n = f32[64,32] transpose(p), dimensions={1,0}\n m = f32[64,32] transpose(q), dimensions={1,0}\n"),
            "contract(simt 64x64x8): n m d1 t d2 e\n");
  // Both are stored where both are read.
  EXPECT_EQ(of_two("a", "b", "",
                   "e = f32[32,32] multiply(t, d2)\n"
                   "ROOT all = (f32[32,32], f32[32,32], f32[32,32]) tuple(e, d1, d2)\n"),
            "contract(simt 64x64x8): d1 t d2 e\n");
}

TEST(Contract, MatricesThatAreNotMadeAlikeAreKernelsOfTheirOwn) {
  const std::string apart = "contract: d1 t\ncontract: m d2 e\n";
  EXPECT_EQ(of_two("a", "m", "m = f32[64,32] negate(b)\n"), apart);
  EXPECT_EQ(of_two("a", "m", "p = f32[32,64] parameter(3)\n m = f32[64,32] transpose(p), dimensions={1,0}\n"), apart);
  EXPECT_EQ(of_two("a", "m", "p = f16[64,32] parameter(3)\n m = f32[64,32] convert(p)\n"), apart);
  // Nor are products of which nothing is made together.
  EXPECT_EQ(of_two("a", "b", "", "ROOT all = (f32[32,32], f32[32,32]) tuple(t, d2)\n"),
            "contract: d1 t\ncontract: d2\n");
}

TEST(Contract, AMatrixThatIsMadeOfTheOtherProductIsNotOneOfSeveral) {
  EXPECT_EQ(kernels("x = f32[64,64] parameter(0)\n a = f32[64,64] parameter(1)\n"
                    "d1 = f32[64,64] dot(x, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                    "d2 = f32[64,64] dot(x, d1), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                    "ROOT e = f32[64,64] multiply(d1, d2)\n"),
            "contract: d1\ncontract: d2 e\n");
}

TEST(Contract, ThreePartsAreFourOfWhichOneIsEmpty) {
  EXPECT_EQ(kernels("x = f32[32,64] parameter(0)\n w = f32[64,96] parameter(1)\n"
                    "d = f32[32,96] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                    "a = f32[32,32] slice(d), slice={[0:32], [0:32]}\n"
                    "b = f32[32,32] slice(d), slice={[0:32], [32:64]}\n"
                    "c = f32[32,32] slice(d), slice={[0:32], [64:96]}\n"
                    "ab = f32[32,32] multiply(a, b)\n ROOT abc = f32[32,32] multiply(ab, c)\n"),
            "contract(simt 64x64x8): d a b c ab abc\n");
}

TEST(Contract, AnActivationIsTheEpilogueOfTheLayerBefore) {
  EXPECT_EQ(kernels("x = f32[32,64] parameter(0)\n w = f32[64,64] parameter(1)\n v = f32[64,32] parameter(2)\n"
                    "d1 = f32[32,64] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                    "t = f32[32,64] tanh(d1)\n"
                    "ROOT d2 = f32[32,32] dot(t, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"),
            "contract: d1 t\ncontract: d2\n");
}

TEST(Contract, AnotherOrderOfElementsIsAnotherKernel) {
  EXPECT_EQ(kernels("x = f32[32,64] parameter(0)\n w = f32[64,48] parameter(1)\n"
                    "d = f32[32,48] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                    "ROOT t = f32[48,32] transpose(d), dimensions={1,0}\n"),
            "contract: d\nmap: t\n");
  EXPECT_EQ(kernels("x = f32[32,64] parameter(0)\n w = f32[64,48] parameter(1)\n"
                    "d = f32[32,48] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                    "r = f32[4,8,48] reshape(d)\n"
                    "ROOT n = f32[4,8,48] negate(r)\n"),
            "contract: d r n\n");
}

TEST(Contract, ADotThatOthersReadIsStoredToo) {
  EXPECT_EQ(kernels("x = f32[32,64] parameter(0)\n w = f32[64,48] parameter(1)\n"
                    "d = f32[32,48] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                    "n = f32[32,48] negate(d)\n"
                    "ROOT t = (f32[32,48], f32[32,48]) tuple(n, d)\n"),
            "contract: d n\n");
}

// Rows of 64 in two parts, from the columns `first` and `second` on, and their product.
std::string gated(const std::string& first, const std::string& second) {
  return kernels(
      "x = f32[32,64] parameter(0)\n w = f32[64,64] parameter(1)\n"
      "d = f32[32,64] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "a = f32[32,32] slice(d), slice={[0:32], " +
      first + "}\n b = f32[32,32] slice(d), slice={[0:32], " + second + "}\nROOT p = f32[32,32] multiply(a, b)\n");
}

TEST(Contract, ResultsAreMadeOfPartsOfRows) {
  EXPECT_EQ(gated("[0:32]", "[32:64]"), "contract(simt 64x64x8): d a b p\n");
  EXPECT_EQ(gated("[32:64]", "[0:32]"), "contract(simt 64x64x8): d a b p\n");
}

TEST(Contract, WhatIsNoWholePartIsStored) {
  EXPECT_EQ(gated("[0:32]", "[0:32]"), "contract: d\nmap: a b p\n");
  EXPECT_EQ(gated("[0:32]", "[16:48]"), "contract: d\nmap: a b p\n");
  EXPECT_EQ(gated("[0:64:2]", "[1:64:2]"), "contract: d\nmap: a b p\n");
}

// Demand of the values of a module whose root is an array.
std::optional<ContractDemand> demand(const Module& module, KernelValues* values, std::string* reason) {
  values->context.level = module.entry();
  for (const Instruction& instruction : module.entry()->instructions()) {
    if (instruction.opcode != Opcode::kParameter) values->context.computed.insert(&instruction);
  }
  values->outputs = {module.entry()->root()};
  std::optional<DemandGraph::Failure> failure;
  std::optional<ContractDemand> found = demand_contract(*values, &failure);
  *reason = failure ? std::string(failure->reason) : "";
  return found;
}

TEST(Contract, OperandsAreDemandedWhereTheyAreContiguous) {
  const auto module = parse_entry(
      "a = f32[64,32] parameter(0)\n b = f32[48,64] parameter(1)\n"
      "ROOT d = f32[32,48] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={1}\n");
  KernelValues values;
  std::string reason;
  const auto found = demand(*module, &values, &reason);
  ASSERT_TRUE(found.has_value()) << reason;
  EXPECT_FALSE(found->operands[0].k_contiguous);
  EXPECT_TRUE(found->operands[1].k_contiguous);
  EXPECT_EQ(found->products.size(), 1u);
  EXPECT_EQ(found->epilogue->stores.size(), 1u);
}

TEST(Contract, RefusesWhatIsNotElementByElement) {
  KernelValues values;
  std::string reason;
  const auto module = parse_entry(
      "a = f32[32,64] parameter(0)\n b = f32[64,32] parameter(1)\n"
      "d = f32[32,32] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "ROOT t = f32[32,32] transpose(d), dimensions={1,0}\n");
  EXPECT_FALSE(demand(*module, &values, &reason).has_value());
  EXPECT_EQ(reason, "domain-mismatch");
}

}  // namespace
}  // namespace sinter
