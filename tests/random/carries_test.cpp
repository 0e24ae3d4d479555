// Loops that the host runs, and those of grid scope: their state in places that alternate, in place, or moved by
// pointer. Every case runs with several trip counts, known and not, since the last iterations write to the places of
// the results; and with threads in several orders, since what is written in place must not be read by another thread.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/random/batch.h"

namespace sinter {
namespace {

// The pass that makes several steps of such a loop one launch.
constexpr const char* kTiles = "tile_loops";

// A loop over `carries` arrays f32[2000] called %x0, %x1, ..., whose body is `body` and hands on `nexts`. A body that
// turns an array by one element crosses threads, and 2000 elements are too many for a block: the loop is the host's.
struct Case {
  std::string name;
  int carries = 1;
  std::string body;
  std::vector<std::string> nexts;
  std::vector<std::string> starts = {};  // initial values by name; else the parameters p0, p1, ...
  std::string entry = "";                // what the entry computes before the loop
};

std::string turned(const std::string& result, const std::string& of) {
  return "  %" + result + "_tail = f32[1999] slice(%" + of + "), slice={[1:2000]}\n  %" + result +
         "_head = f32[1] slice(%" + of + "), slice={[0:1]}\n  %" + result + " = f32[2000] concatenate(%" + result +
         "_tail, %" + result + "_head), dimensions={0}\n";
}

std::string binary(const std::string& result, const std::string& op, const std::string& a, const std::string& b) {
  return "  %" + result + " = f32[2000] " + op + "(%" + a + ", %" + b + ")\n";
}

// `trip` iterations; below zero: as many as parameter `n` says, at most seven.
std::string text_of(const Case& test, int trip) {
  std::string state = "s32[]", pieces;
  for (int k = 0; k < test.carries; ++k) {
    state += ", f32[2000]";
    const std::string number = std::to_string(k);
    pieces += "  %x" + number + " = f32[2000] get-tuple-element(%state), index=" + std::to_string(k + 1) + "\n";
  }
  if (trip < 0) state += ", s32[]";
  state = "(" + state + ")";
  const std::string limit = "index=" + std::to_string(test.carries + 1) + "\n";
  std::string text =
      "HloModule carries\n\nsum {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
      "  ROOT %c = f32[] add(%a, %b)\n}\n\nbody {\n  %state = " +
      state + " parameter(0)\n";
  text += "  %i = s32[] get-tuple-element(%state), index=0\n  %one = s32[] constant(1)\n  %j = s32[] add(%i, %one)\n";
  text += pieces + test.body;
  if (trip < 0) text += "  %n = s32[] get-tuple-element(%state), " + limit;
  text += "  ROOT %next = " + state + " tuple(%j";
  for (const std::string& next : test.nexts) text += ", %" + next;
  text += std::string(trip < 0 ? ", %n" : "") + ")\n}\n\ncond {\n  %state = " + state + " parameter(0)\n";
  text += "  %i = s32[] get-tuple-element(%state), index=0\n";
  text += trip < 0 ? "  %n = s32[] get-tuple-element(%state), " + limit
                   : "  %n = s32[] constant(" + std::to_string(trip) + ")\n";
  text += "  ROOT %more = pred[] compare(%i, %n), direction=LT\n}\n\nENTRY main {\n";
  std::string starts;
  for (int k = 0; k < test.carries; ++k) {
    const std::string number = std::to_string(k);
    text += "  %p" + number + " = f32[2000] parameter(" + number + ")\n";
    starts += ", %" + (test.starts.empty() ? "p" + number : test.starts[k]);
  }
  text += "  %zero = s32[] constant(0)\n";
  if (trip < 0) {
    // Bits of a parameter: the trip count depends on data.
    text += "  %seed = f32[2000] parameter(" + std::to_string(test.carries) + ")\n";
    text += "  %seed_0 = f32[1] slice(%seed), slice={[0:1]}\n  %seed_1 = f32[] reshape(%seed_0)\n";
    text += "  %bits = s32[] bitcast-convert(%seed_1)\n  %mask = s32[] constant(3)\n  %shift = s32[] constant(21)\n";
    text += "  %high = s32[] shift-right-logical(%bits, %shift)\n  %n = s32[] and(%high, %mask)\n";
    starts += ", %n";
  }
  text += test.entry + "  %start = " + state + " tuple(%zero" + starts + ")\n";
  text += "  %loop = " + state + " while(%start), condition=cond, body=body\n";
  std::string results, types;
  for (int k = 0; k < test.carries; ++k) {
    const std::string number = std::to_string(k);
    text += "  %r" + number + " = f32[2000] get-tuple-element(%loop), index=" + std::to_string(k + 1) + "\n";
    results += (k == 0 ? "%r" : ", %r") + number;
    types += k == 0 ? "f32[2000]" : ", f32[2000]";
  }
  return text + "  ROOT %out = (" + types + ") tuple(" + results + ")\n}\n";
}

std::vector<Case> cases() {
  const std::string turn = turned("t", "x0");
  return {
      {"stencil", 1, turn + binary("v", "add", "x0", "t"), {"v"}},
      {"own_start",
       1,
       turn + binary("v", "add", "x0", "t"),
       {"v"},
       {"q"},
       turned("w", "p0") + binary("q", "multiply", "w", "p0")},
      {"in_place",
       2,
       turned("t", "x1") + binary("v", "add", "x0", "t") + binary("w", "subtract", "t", "v"),
       {"v", "w"}},
      {"swap", 3, turned("t", "x2") + binary("v", "add", "t", "x0"), {"x1", "x0", "v"}},
      {"turn_of_three", 4, turned("t", "x3") + binary("v", "add", "t", "x0"), {"x1", "x2", "x0", "v"}},
      {"wave", 2, turned("t", "x1") + binary("v", "subtract", "t", "x0"), {"x1", "v"}},
      {"history",
       4,
       turned("t", "x3") + binary("v", "subtract", "t", "x0") + binary("w", "add", "v", "x1"),
       {"x1", "x2", "x3", "w"}},
      // Starts of the loop's own, which are older than one that is not.
      {"old_starts",
       3,
       turned("t", "x2") + binary("v", "subtract", "t", "x0") + binary("w", "add", "v", "x1"),
       {"w", "x0", "x1"},
       {"p0", "q", "r"},
       binary("q", "add", "p0", "p1") + binary("r", "subtract", "p0", "p2")},
      {"middle_start",
       4,
       turned("t", "x3") + binary("v", "subtract", "t", "x0") + binary("w", "add", "v", "x1"),
       {"w", "x0", "x1", "x2"},
       {"q", "p1", "r", "u"},
       binary("q", "add", "p0", "p1") + binary("r", "subtract", "p0", "p2") + binary("u", "multiply", "p2", "p3")},
      {"two_of_one", 2, turn + binary("v", "add", "t", "x1"), {"v", "v"}},
      {"two_of_one_late", 3, turn + binary("v", "add", "t", "x2"), {"v", "v", "x1"}},
      {"unchanged", 2, turn + binary("v", "add", "t", "x1"), {"v", "x1"}},
      {"from_outside", 3, turn + binary("v", "add", "t", "x1"), {"v", "x2", "x2"}},
      {"same_start",
       2,
       turn + binary("v", "add", "t", "x1") + turned("u", "x1") + binary("w", "subtract", "u", "x0"),
       {"v", "w"},
       {"p0", "p0"}},
      {"late_reader",
       2,
       binary("v", "add", "x0", "x1") + turned("t", "v") + turned("u", "x0") + binary("w", "subtract", "t", "u"),
       {"v", "w"}},
      {"moved_and_read",
       3,
       turn + binary("v", "add", "t", "x1") + turned("u", "v") + binary("w", "subtract", "u", "x2"),
       {"v", "x0", "w"}},
      {"update",
       2,
       turned("t", "x1") + binary("v", "add", "t", "x0") +
           "  %piece = f32[1] slice(%v), slice={[5:6]}\n  %stack = f32[2000] dynamic-update-slice(%x0, %piece, %i)\n",
       {"stack", "v"}},
      {"update_and_reader",
       3,
       turned("t", "x1") +
           "  %piece = f32[1] slice(%t), slice={[5:6]}\n"
           "  %stack = f32[2000] dynamic-update-slice(%x0, %piece, %i)\n" +
           turned("u", "x0") + binary("w", "add", "u", "x2"),
       {"stack", "t", "w"}},
      {"update_reads_before",
       2,
       turned("t", "x1") + "  %old = f32[1] dynamic-slice(%x0, %i), dynamic_slice_sizes={1}\n"
                           "  %piece = f32[1] slice(%t), slice={[5:6]}\n  %sum = f32[1] add(%old, %piece)\n"
                           "  %stack = f32[2000] dynamic-update-slice(%x0, %sum, %j)\n",
       {"stack", "t"}},
      {"update_read_after",
       2,
       turned("t", "x1") +
           "  %piece = f32[1] slice(%t), slice={[5:6]}\n"
           "  %stack = f32[2000] dynamic-update-slice(%x0, %piece, %i)\n" +
           turned("u", "stack") + binary("w", "add", "u", "t"),
       {"stack", "w"}},
      {"update_of_start",
       2,
       turned("t", "x1") + "  %piece = f32[1] slice(%t), slice={[5:6]}\n"
                           "  %stack = f32[2000] dynamic-update-slice(%x0, %piece, %i)\n",
       {"stack", "t"},
       {"q", "p1"},
       "  %z = f32[] constant(0)\n  %q = f32[2000] broadcast(%z), dimensions={}\n"},
      // The start leaves the range: the last windows are moved back inside.
      {"update_clamped",
       2,
       turned("t", "x1") + "  %fifty = s32[] constant(50)\n  %begin = s32[] multiply(%i, %fifty)\n"
                           "  %piece = f32[30] slice(%t), slice={[5:35]}\n"
                           "  %stack = f32[2000] dynamic-update-slice(%x0, %piece, %begin)\n",
       {"stack", "t"}},
      {"two_updates",
       3,
       turned("t", "x2") + "  %piece = f32[4] slice(%t), slice={[5:9]}\n  %twice = f32[4] add(%piece, %piece)\n"
                           "  %stack = f32[2000] dynamic-update-slice(%x0, %piece, %i)\n"
                           "  %other = f32[2000] dynamic-update-slice(%x1, %twice, %j)\n",
       {"stack", "other", "t"}},
      {"update_of_sum",
       2,
       turned("t", "x1") +
           "  %z = f32[] constant(0)\n  %sum = f32[] reduce(%t, %z), dimensions={0}, to_apply=sum\n"
           "  %piece = f32[1] reshape(%sum)\n  %stack = f32[2000] dynamic-update-slice(%x0, %piece, %i)\n",
       {"stack", "t"}},
      {"update_all", 2, turned("t", "x1") + "  %stack = f32[2000] dynamic-update-slice(%x0, %t, %i)\n", {"stack", "t"}},
  };
}

// `grid_loops`: where that takes less time, a loop is one launch; `tiles`: several steps of it are.
void check_cases(bool grid_loops, bool tiles) {
  std::vector<CheckedProgram> items;
  for (const Case& test : cases()) {
    for (const int trip : {1, 2, 3, 4, 7, -1, -2, -3}) {
      CheckedProgram item;
      item.program.name = test.name + (trip < 0 ? "_until_" : "_") + std::to_string(std::abs(trip));
      item.program.text = text_of(test, trip);
      item.program.exact = true;
      item.seed = static_cast<uint64_t>(std::abs(trip));
      const int parameters = test.carries + (trip < 0 ? 1 : 0);
      for (int k = 0; k < parameters; ++k) item.program.inputs.push_back({DType::kF32, {2000}, 1});
      items.push_back(std::move(item));
    }
  }
  BatchOptions options = {.one_kernel = false, .orders = {"", "reverse", "7"}};
  options.schedule.moves.grid_loops = grid_loops;
  if (!tiles) options.graph.without = {kTiles};
  check_batch(items, options);
  for (const CheckedProgram& item : items) {
    EXPECT_EQ(item.problem, "") << item.program.name << ": " << item.detail << "\n" << item.program.text;
  }
}

TEST(Carries, RightOnTheHost) { check_cases(false, false); }
TEST(Carries, RightInOneLaunch) { check_cases(true, false); }
TEST(Carries, RightInTiles) { check_cases(true, true); }

// How many copies the plan of a case has.
int copies(const std::string& name, int trip) {
  const std::vector<Case> all = cases();
  const auto test = std::find_if(all.begin(), all.end(), [&](const Case& candidate) { return candidate.name == name; });
  const Source source = {.name = "carries.hlo", .text = text_of(*test, trip)};
  Diagnostics diagnostics(source);
  CompileOptions options;
  options.name = "carries";
  options.schedule.moves.grid_loops = false;
  options.graph.without = {kTiles};
  const std::optional<Artifact> artifact = compile(options, diagnostics);
  EXPECT_TRUE(artifact.has_value()) << diagnostics.render();
  bool looped = false;
  int count = 0;
  std::vector<const std::vector<HostStep>*> left = {&artifact->program.plan.steps};
  while (!left.empty()) {
    const std::vector<HostStep>* steps = left.back();
    left.pop_back();
    for (const HostStep& step : *steps) {
      if (step.kind == HostStep::Kind::kCopy) ++count;
      looped |= step.kind == HostStep::Kind::kLoop || step.kind == HostStep::Kind::kWhile;
      left.push_back(&step.body);
    }
  }
  EXPECT_TRUE(looped) << name << " is no loop of the host";
  return count;
}

TEST(Carries, StateIsNotCopied) {
  for (const int trip : {4, 7}) {
    for (const char* name : {"stencil", "own_start", "in_place", "wave", "history", "late_reader"}) {
      EXPECT_EQ(copies(name, trip), 0) << name << " " << trip;
    }
  }
  // What is a parameter still, or two results at once, must be copied to the result.
  EXPECT_EQ(copies("swap", 4), 2);
  EXPECT_EQ(copies("two_of_one", 4), 1);
  EXPECT_EQ(copies("unchanged", 4), 1);
  // One more a loop whose last iteration is not known.
  EXPECT_EQ(copies("stencil", -1), 1);
}

}  // namespace
}  // namespace sinter
