// Conditionals that the host decides, since an arm has a reduction of long rows: with two and three arms, selectors in
// and out of range, arms that hand on what they are given, one in another, and in loops of the host, where the results
// are the loop's state. Every case runs with several selectors and with threads in several orders.
#include <gtest/gtest.h>

#include "tests/random/batch.h"

namespace sinter {
namespace {

const std::string kPair = "(f32[4,300], f32[4,300])";

// An arm on (x, y): `lines`, then what it gives.
std::string arm(const std::string& name, const std::string& lines, const std::string& first,
                const std::string& second) {
  return name + " {\n  %s = " + kPair + " parameter(0)\n  %x = f32[4,300] get-tuple-element(%s), index=0\n" +
         "  %y = f32[4,300] get-tuple-element(%s), index=1\n" + lines + "  ROOT %r = " + kPair + " tuple(%" + first +
         ", %" + second + ")\n}\n\n";
}

// Rows of x less their maximum: %z.
const std::string kHeavy =
    "  %low = f32[] constant(-inf)\n  %m = f32[4] reduce(%x, %low), dimensions={1}, to_apply=larger\n"
    "  %spread = f32[4,300] broadcast(%m), dimensions={0}\n  %z = f32[4,300] subtract(%x, %spread)\n";

std::string head(const std::string& name) {
  return "HloModule " + name + "\n\nlarger {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n" +
         "  ROOT %l = f32[] maximum(%a, %b)\n}\n\n" + arm("heavy", kHeavy, "z", "x") + arm("keep", "", "x", "y") +
         arm("swap", "  %n = f32[4,300] negate(%y)\n", "n", "x") + arm("same", kHeavy, "z", "z");
}

std::string entry(const std::string& selector, const std::string& arms) {
  return "ENTRY main {\n  %p = f32[4,300] parameter(0)\n  %q = f32[4,300] parameter(1)\n" + selector +
         "  %t = " + kPair + " tuple(%p, %q)\n" + arms;
}

std::string number(int value) {
  return "  %k = s32[] parameter(2)\n  %o = s32[] constant(" + std::to_string(value) + ")\n";
}

std::vector<std::pair<std::string, std::string>> programs() {
  std::vector<std::pair<std::string, std::string>> result;
  const auto add = [&](const std::string& name, const std::string& text) {
    result.emplace_back(name, head(name) + text);
  };
  for (const int value : {-1, 0, 1, 2, 3}) {
    const std::string suffix = value < 0 ? "below" : std::to_string(value);
    const std::string selector = number(value) + "  %w = s32[] subtract(%o, %k)\n";
    add("three_" + suffix,
        entry(selector,
              "  ROOT %c = " + kPair + " conditional(%w, %t, %t, %t), branch_computations={heavy, keep, swap}\n}\n"));
    add("two_" + suffix,
        entry(selector + "  %u = pred[] compare(%w, %k), direction=LT\n",
              "  ROOT %c = " + kPair + " conditional(%u, %t, %t), true_computation=swap, false_computation=same\n}\n"));
    add("array_" + suffix,
        "only {\n  %x = f32[4,300] parameter(0)\n" + kHeavy + "  ROOT %r = f32[4,300] add(%z, %x)\n}\n\n" +
            "given {\n  ROOT %x = f32[4,300] parameter(0)\n}\n\n" +
            entry(selector, "  ROOT %c = f32[4,300] conditional(%w, %p, %q), branch_computations={only, given}\n}\n"));
    add("nested_" + suffix,
        arm("outer",
            "  %o = s32[] constant(" + std::to_string(value) + ")\n  %t = " + kPair +
                " tuple(%y, %x)\n  %c = " + kPair + " conditional(%o, %t, %t), branch_computations={heavy, swap}\n" +
                "  %i = f32[4,300] get-tuple-element(%c), index=0\n  %j = f32[4,300] get-tuple-element(%c), index=1\n",
            "j", "i") +
            entry(selector,
                  "  ROOT %c = " + kPair + " conditional(%w, %t, %t), branch_computations={outer, keep}\n}\n"));
    // The arm changes from step to step.
    const std::string state = "(s32[], s32[], f32[4,300], f32[4,300])";
    add("loop_" + suffix,
        "body {\n  %s = " + state + " parameter(0)\n  %i = s32[] get-tuple-element(%s), index=0\n" +
            "  %k = s32[] get-tuple-element(%s), index=1\n  %x = f32[4,300] get-tuple-element(%s), index=2\n" +
            "  %y = f32[4,300] get-tuple-element(%s), index=3\n  %t = " + kPair + " tuple(%x, %y)\n  %c = " + kPair +
            " conditional(%k, %t, %t, %t), branch_computations={swap, heavy, keep}\n" +
            "  %a = f32[4,300] get-tuple-element(%c), index=0\n  %b = f32[4,300] get-tuple-element(%c), index=1\n" +
            "  %one = s32[] constant(1)\n  %n = s32[] add(%i, %one)\n  %m = s32[] xor(%k, %n)\n  ROOT %r = " + state +
            " tuple(%n, %m, %a, %b)\n}\n\nmore {\n  %s = " + state + " parameter(0)\n" +
            "  %i = s32[] get-tuple-element(%s), index=0\n  %e = s32[] constant(5)\n" +
            "  ROOT %l = pred[] compare(%i, %e), direction=LT\n}\n\n" +
            entry(selector, "  %zero = s32[] constant(0)\n  %start = " + state +
                                " tuple(%zero, %w, %p, %q)\n  %loop = " + state +
                                " while(%start), condition=more, body=body\n" +
                                "  %f = f32[4,300] get-tuple-element(%loop), index=2\n" +
                                "  %g = f32[4,300] get-tuple-element(%loop), index=3\n  ROOT %r = " + kPair +
                                " tuple(%f, %g)\n}\n"));
  }
  return result;
}

TEST(Branches, Right) {
  std::vector<CheckedProgram> items;
  for (const auto& [name, text] : programs()) {
    CheckedProgram item;
    item.program.name = name;
    item.program.text = text;
    item.program.exact = true;
    item.seed = items.size() + 1;
    item.program.inputs = {{DType::kF32, {4, 300}, 4}, {DType::kF32, {4, 300}, 4}, {DType::kS32, {}, 1}};
    items.push_back(std::move(item));
  }
  check_batch(items, {.one_kernel = false, .orders = {"", "reverse", "7"}});
  for (const CheckedProgram& item : items) {
    EXPECT_EQ(item.problem, "") << item.program.name << ": " << item.detail << "\n" << item.program.text;
  }
}

TEST(Branches, AreTheHosts) {
  for (const auto& [name, text] : programs()) {
    if (!name.starts_with("three_")) continue;
    const Source source = {.name = name + ".hlo", .text = text};
    Diagnostics diagnostics(source);
    const std::optional<Artifact> artifact = compile({.name = name}, diagnostics);
    ASSERT_TRUE(artifact) << diagnostics.render();
    EXPECT_TRUE(artifact->program.plan.synchronises);
    EXPECT_EQ(artifact->schedule.tree.items.back().kind, TreeNode::Kind::kBranch);
  }
}

}  // namespace
}  // namespace sinter
