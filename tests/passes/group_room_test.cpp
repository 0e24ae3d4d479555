// The bound of a kernel's size is no less than the size of its graph, and is the size where nothing is shared.
#include "passes/schedule/groups/group_room.h"

#include <gtest/gtest.h>

#include "frontend/hlo/parse_hlo.h"
#include "passes/schedule/groups/group_values.h"
#include "passes/stages/domain/choose_domain.h"

namespace sinter {
namespace {

constexpr const char* kUpdatesProgram = R"(
HloModule program
ENTRY main {
  x = f32[8,4] parameter(0)
  u = f32[2,4] parameter(1)
  start = s32[] parameter(2)
  zero = s32[] constant(0)
  none = f32[] constant(0)
  doubled = f32[2,4] add(u, u)
  first = f32[8,4] dynamic-update-slice(x, doubled, start, zero)
  part = f32[2,4] slice(first), slice={[3:5], [0:4]}
  squares = f32[2,4] multiply(part, part)
  second = f32[8,4] dynamic-update-slice(first, squares, zero, zero)
  wide = f32[8,8] pad(second, none), padding=0_0x2_2
  turned = f32[8,8] reverse(wide), dimensions={0}
  both = f32[8,16] concatenate(wide, turned), dimensions={1}
  ROOT sum = f32[8,16] add(both, both)
}
)";

int64_t nodes_of(const KernelValues& kernel, GroupRoom* room) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<MapDemand> built = choose_map(kernel, &failure);
  EXPECT_TRUE(built.has_value());
  if (!built) return 0;
  if (room != nullptr) *room = GroupRoom(*built->graph, kernel.context.computed.size());
  return static_cast<int64_t>(built->graph->nodes.size());
}

TEST(GroupRoom, NoGraphIsLargerThanItsBound) {
  const Source source{.name = "program.hlo", .text = kUpdatesProgram};
  Diagnostics diagnostics(source);
  const std::unique_ptr<Module> module = parse_hlo(diagnostics);
  ASSERT_TRUE(module);
  const LevelContext level = level_context(*module->entry(), nullptr);
  const Instruction* root = module->entry()->root();
  KernelValues kernel;
  kernel.context.level = level.computation;
  kernel.outputs = {root};
  kernel.context.computed = {root};
  GroupRoom room;
  EXPECT_EQ(room.nodes_with(*root), INT64_MAX);
  nodes_of(kernel, &room);
  std::vector<const Instruction*> values;
  for (const Instruction& value : module->entry()->instructions()) {
    if (!is_plumbing(value) && &value != root) values.insert(values.begin(), &value);
  }
  for (const Instruction* value : values) {
    const int64_t most = room.nodes_with(*value);
    kernel.context.computed.insert(value);
    room.add(*value);
    GroupRoom anew;
    const int64_t nodes = nodes_of(kernel, &anew);
    EXPECT_LE(nodes, most) << value->name;
    EXPECT_LT(most, 1000) << value->name;
    EXPECT_EQ(room.values(), anew.values());
  }
}

TEST(GroupRoom, IsThatOfTheSameKernelInAnotherModule) {
  const Source source{.name = "program.hlo", .text = kUpdatesProgram};
  Diagnostics diagnostics(source);
  const std::unique_ptr<Module> module = parse_hlo(diagnostics);
  ASSERT_TRUE(module);
  const std::unique_ptr<Module> copy = module->clone();
  const LevelContext level = level_context(*module->entry(), nullptr);
  KernelValues kernel;
  kernel.context.level = level.computation;
  kernel.outputs = {module->entry()->root()};
  kernel.context.computed = {module->entry()->root()};
  GroupRoom room;
  nodes_of(kernel, &room);
  const Instruction* read = module->entry()->root()->operand(0);
  const Instruction* copied = copy->entry()->root()->operand(0);
  const auto in_copy = [&](const Instruction* array) { return array == read ? copied : nullptr; };
  const std::optional<GroupRoom> other = room.of_other(in_copy);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->nodes_with(*copied), room.nodes_with(*read));
  EXPECT_EQ(other->nodes_with(*read), INT64_MAX);
  EXPECT_FALSE(room.of_other([](const Instruction*) -> const Instruction* { return nullptr; }));
}

}  // namespace
}  // namespace sinter
