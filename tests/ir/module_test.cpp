// The graph: names, use lists, order, clones.
#include "ir/module/module.h"

#include <gtest/gtest.h>

#include "ir/support/diagnostics.h"

namespace sinter {
namespace {

const Shape kScalar = Shape::scalar(DType::kF32);

std::vector<std::string> names(const Computation& computation) {
  std::vector<std::string> result;
  for (const Instruction& instruction : computation.instructions()) result.push_back(instruction.name);
  return result;
}

class ModuleTest : public testing::Test {
 protected:
  ModuleTest() {
    computation = module.add_computation("main");
    module.set_entry(computation);
    x = computation->add(Opcode::kParameter, kScalar, {}, "x");
  }
  Instruction* add(const std::string& name, Instruction* a, Instruction* b) {
    return computation->add(Opcode::kAdd, kScalar, {a, b}, name);
  }
  Module module;
  Computation* computation = nullptr;
  Instruction* x = nullptr;
};

TEST_F(ModuleTest, NamesAreMadeUnique) {
  EXPECT_EQ(add("add.5", x, x)->name, "add.5");
  EXPECT_EQ(add("add.5", x, x)->name, "add.6");
  EXPECT_EQ(add("add", x, x)->name, "add");
  EXPECT_EQ(add("add", x, x)->name, "add.7");
  EXPECT_EQ(add("", x, x)->name, "add.8");
  EXPECT_EQ(add("a.b", x, x)->name, "a.b");
  EXPECT_EQ(add("a.b", x, x)->name, "a.b.1");
  EXPECT_EQ(add("n.99999999999999999999", x, x)->name, "n.99999999999999999999");
  EXPECT_EQ(add("n.99999999999999999999", x, x)->name, "n.99999999999999999999.1");
  EXPECT_EQ(module.add_computation("main")->name, "main.1");
}

TEST_F(ModuleTest, UseListsFollowOperands) {
  Instruction* y = computation->add(Opcode::kParameter, kScalar, {}, "y");
  Instruction* square = add("square", x, x);
  Instruction* sum = add("sum", x, y);
  EXPECT_EQ(x->users(), (std::vector<Instruction*>{square, square, sum}));
  square->set_operand(0, y);
  EXPECT_EQ(x->users().size(), 2u);
  EXPECT_EQ(y->users(), (std::vector<Instruction*>{sum, square}));
  sum->set_operands({y});
  EXPECT_EQ(x->users(), (std::vector<Instruction*>{square}));
  EXPECT_EQ(y->users().size(), 2u);
}

TEST_F(ModuleTest, ReplaceAllUses) {
  Instruction* y = computation->add(Opcode::kParameter, kScalar, {}, "y");
  Instruction* square = add("square", x, x);
  Instruction* sum = add("sum", square, x);
  computation->set_root(square);
  square->replace_all_uses_with(y);
  EXPECT_EQ(sum->operand(0), y);
  EXPECT_EQ(computation->root(), y);
  EXPECT_TRUE(square->users().empty());
  x->replace_all_uses_with(y);
  EXPECT_TRUE(x->users().empty());
  EXPECT_EQ(square->operands(), (std::vector<Instruction*>{y, y}));
  EXPECT_EQ(y->users().size(), 4u);
}

TEST_F(ModuleTest, RemoveChecksItsCondition) {
  Instruction* square = add("square", x, x);
  computation->set_root(square);
  EXPECT_THROW(computation->remove(x), InternalError);
  EXPECT_THROW(computation->remove(square), InternalError);
  computation->set_root(x);
  computation->remove(square);
  EXPECT_TRUE(x->users().empty());
  EXPECT_EQ(names(*computation), std::vector<std::string>{"x"});
}

TEST_F(ModuleTest, OperandsOfAnotherComputationAreRefused) {
  Computation* other = module.add_computation("other");
  EXPECT_THROW(other->add(Opcode::kNegate, kScalar, {x}), InternalError);
}

TEST_F(ModuleTest, SortMovesOnlyWhatIsWrong) {
  Instruction* a = add("a", x, x);
  Instruction* b = add("b", x, x);
  Instruction* c = add("c", a, a);
  computation->move_before(c, a);
  Instruction* d = add("d", b, b);
  d->control_predecessors.push_back(c);
  computation->move_before(d, c);
  EXPECT_EQ(names(*computation), (std::vector<std::string>{"x", "d", "c", "a", "b"}));
  computation->sort();
  EXPECT_EQ(names(*computation), (std::vector<std::string>{"x", "b", "a", "c", "d"}));
}

TEST_F(ModuleTest, SortRefusesCycles) {
  Instruction* a = add("a", x, x);
  Instruction* b = add("b", a, a);
  a->set_operand(0, b);
  EXPECT_THROW(computation->sort(), InternalError);
}

TEST_F(ModuleTest, SortOfDeepGraphs) {
  Instruction* last = x;
  for (int i = 0; i < 60000; ++i) last = computation->add(Opcode::kNegate, kScalar, {last});
  computation->move_before(x, last);
  computation->move_before(last, &computation->instructions().front());
  computation->sort();
  EXPECT_EQ(&computation->instructions().front(), x);
  EXPECT_EQ(&computation->instructions().back(), last);
}

TEST_F(ModuleTest, ComputationsAreSortedCalleesFirst) {
  Computation* callee = module.add_computation("callee");
  callee->set_root(callee->add(Opcode::kParameter, kScalar, {}, "p"));
  Instruction* call = computation->add(Opcode::kCall, kScalar, {x}, "call");
  call->attributes.edit().to_apply = callee;
  EXPECT_EQ(call->called_computations(), std::vector<Computation*>{callee});
  module.sort_computations();
  EXPECT_EQ(module.computations()[0].get(), callee);
  EXPECT_EQ(module.computations()[1].get(), computation);
}

TEST_F(ModuleTest, ParametersByNumber) {
  x->parameter_number = 1;
  Instruction* y = computation->add(Opcode::kParameter, kScalar, {}, "y");
  EXPECT_EQ(computation->parameters(), (std::vector<Instruction*>{y, x}));
}

TEST_F(ModuleTest, CloneIsIndependent) {
  Computation* body = module.add_computation("body");
  body->set_root(body->add(Opcode::kParameter, kScalar, {}, "state"));
  Instruction* loop = computation->add(Opcode::kWhile, kScalar, {x}, "loop");
  loop->attributes.edit().body = body;
  loop->attributes.edit().branch_computations = std::vector<Computation*>{body, body};
  loop->control_predecessors.push_back(x);
  computation->set_root(loop);
  module.sort_computations();

  const std::unique_ptr<Module> copy = module.clone();
  ASSERT_EQ(copy->computations().size(), 2u);
  Computation* copied_body = copy->computations()[0].get();
  const Instruction* copied = copy->entry()->root();
  EXPECT_NE(copied, loop);
  EXPECT_EQ(copied->name, "loop");
  EXPECT_EQ(copied->operand(0), &copy->entry()->instructions().front());
  EXPECT_EQ(copied->control_predecessors[0], copied->operand(0));
  EXPECT_EQ(*copied->attributes->body, copied_body);
  EXPECT_EQ(*copied->attributes->branch_computations, (std::vector<Computation*>{copied_body, copied_body}));
  EXPECT_EQ(copied->parent()->parent(), copy.get());
  // New names continue as in the original.
  EXPECT_EQ(copy->unique_instruction_name("loop"), "loop.1");
}

TEST_F(ModuleTest, MovedModuleKeepsItsComputations) {
  const Module moved = std::move(module);
  EXPECT_EQ(moved.entry()->parent(), &moved);
}

// Row 3 was called from row 2: the text prints parents as row plus one.
TEST_F(ModuleTest, PythonFrames) {
  module.tables.files = {"cartpole.py"};
  module.tables.functions = {"step", "dynamics"};
  module.tables.locations = {{1, 1, 145, 145, 1, 2}, {1, 2, 39, 39, 1, 2}};
  module.tables.frames = {{1, 1}, {1, 1}, {2, 3}};
  x->metadata.edit().stack_frame_id = 3;
  const std::vector<PythonFrame> frames = module.python_frames(*x);
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].function, "dynamics");
  EXPECT_EQ(frames[0].line, 39);
  EXPECT_EQ(frames[1].function, "step");
  x->metadata.edit().stack_frame_id = 99;
  EXPECT_TRUE(module.python_frames(*x).empty());
}

TEST_F(ModuleTest, PythonFramesInACycleEnd) {
  module.tables.files = {"a.py"};
  module.tables.functions = {"f"};
  module.tables.locations = {{1, 1, 1, 1, 1, 1}};
  module.tables.frames = {{1, 3}, {1, 2}};
  x->metadata.edit().stack_frame_id = 1;
  EXPECT_EQ(module.python_frames(*x).size(), 2u);
}

}  // namespace
}  // namespace sinter
