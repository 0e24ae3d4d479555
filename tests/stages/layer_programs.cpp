// layer_programs: layers of units inside loops of thread scope, each layer in an array of the thread's own; and loops
// whose steps sum, choose or scan what neighbouring threads have. Compared with the evaluator bit for bit.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

// A loop of three steps around `body`, which makes `sums` of x and three matrices.
StageProgram layers(const std::string& name, const std::string& body) {
  const std::string state = "(s32[], s32[40,2], s32[2,9], s32[9,7], s32[7,2])";
  const std::string text = "HloModule " + name + R"(

add {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = s32[] add(a, b)
}

body {
  state = )" + state + R"( parameter(0)
  t = s32[] get-tuple-element(state), index=0
  x = s32[40,2] get-tuple-element(state), index=1
  u = s32[2,9] get-tuple-element(state), index=2
  v = s32[9,7] get-tuple-element(state), index=3
  w = s32[7,2] get-tuple-element(state), index=4
  one = s32[] constant(1)
  zero = s32[] constant(0)
  later = s32[] add(t, one))" +
                           body + R"(
  seven = s32[] constant(7)
  sevens = s32[40,2] broadcast(seven), dimensions={}
  next = s32[40,2] and(sums, sevens)
  ROOT r = )" + state + R"( tuple(later, next, u, v, w)
}

condition {
  state.1 = )" + state + R"( parameter(0)
  t.1 = s32[] get-tuple-element(state.1), index=0
  three = s32[] constant(3)
  ROOT goes = pred[] compare(t.1, three), direction=LT
}

ENTRY main {
  x.1 = s32[40,2] parameter(0)
  u.1 = s32[2,9] parameter(1)
  v.1 = s32[9,7] parameter(2)
  w.1 = s32[7,2] parameter(3)
  zero.1 = s32[] constant(0)
  start = )" + state + R"( tuple(zero.1, x.1, u.1, v.1, w.1)
  end = )" + state + R"( while(start), condition=condition, body=body
  ROOT y = s32[40,2] get-tuple-element(end), index=1
}
)";
  return {name, text, few_values(7, false)};
}

// Five steps of a recurrence of rows of `lanes` elements, to each of which is added what its row comes to; or, with
// `scans`, what the elements of the row up to this one come to, and up to the one before.
StageProgram rows_of_lanes(const std::string& name, int64_t rows, int64_t lanes, const std::string& operation,
                           bool scans = false) {
  const std::string all = "s32[" + std::to_string(rows) + "," + std::to_string(lanes) + "]";
  const std::string row = "s32[" + std::to_string(rows) + "]", stack = "s32[5," + std::to_string(rows) + "]";
  const std::string state = "(s32[], " + all + ", " + all + ", " + stack + ")";
  const std::string count = std::to_string(rows), others = std::to_string(lanes - 1);
  const std::string scan = "  scan = " + all + " reduce-window(product, zero), window={size=1x" +
                           std::to_string(lanes) + " pad=0_0x" + others + "_0}, to_apply=combine\n  first = s32[" +
                           count + ",1] broadcast(zero), dimensions={}\n  others = s32[" + count + "," + others +
                           "] slice(scan), slice={[0:" + count + "], [0:" + others + "]}\n  before = " + all +
                           " concatenate(first, others), dimensions={1}\n  added = " + all + " add(scan, before)";
  const std::string added = scans ? scan : "  added = " + all + " broadcast(sum), dimensions={0}";
  const std::string text = "HloModule " + name + "\n\ncombine {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n" +
                           "  ROOT c = s32[] " + operation + "(a, b)\n}\n\nbody {\n  state = " + state +
                           R"( parameter(0)
  t = s32[] get-tuple-element(state), index=0
  x = )" + all + R"( get-tuple-element(state), index=1
  w = )" + all + R"( get-tuple-element(state), index=2
  sums = )" + stack + R"( get-tuple-element(state), index=3
  one = s32[] constant(1)
  zero = s32[] constant(0)
  later = s32[] add(t, one)
  product = )" + all + R"( multiply(x, w)
  two = s32[] constant(-2)
  sum = )" + row + R"( reduce(product, two), dimensions={1}, to_apply=combine
)" + added + R"(
  seven = s32[] constant(7)
  sevens = )" + all + R"( broadcast(seven), dimensions={}
  next_sum = )" + all + R"( add(x, added)
  next = )" + all + R"( and(next_sum, sevens)
  line = s32[1,)" + std::to_string(rows) +
                           R"(] reshape(sum)
  next_sums = )" + stack + R"( dynamic-update-slice(sums, line, t, zero)
  ROOT r = )" + state + R"( tuple(later, next, w, next_sums)
}

condition {
  state.1 = )" + state + R"( parameter(0)
  t.1 = s32[] get-tuple-element(state.1), index=0
  five = s32[] constant(5)
  ROOT goes = pred[] compare(t.1, five), direction=LT
}

ENTRY main {
  x.1 = )" + all + R"( parameter(0)
  w.1 = )" + all + R"( parameter(1)
  zero.1 = s32[] constant(0)
  zeros = )" + stack + R"( broadcast(zero.1), dimensions={}
  start = )" + state + R"( tuple(zero.1, x.1, w.1, zeros)
  end = )" + state + R"( while(start), condition=condition, body=body
  y = )" + all + R"( get-tuple-element(end), index=1
  s = )" + stack + R"( get-tuple-element(end), index=3
  ROOT both = ()" + all + ", " +
                           stack + R"() tuple(y, s)
}
)";
  return {name, text, few_values(7, false)};
}

// With 20 and 24 units in place of 9 and 7.
StageProgram wider(StageProgram program) {
  for (const auto& [from, to] : {std::pair("[9,", "[20,"), {",9]", ",20]"}, {"[7,", "[24,"}, {",7]", ",24]"}}) {
    const std::string old = from;
    for (size_t at = 0; (at = program.text.find(old, at)) != std::string::npos; at += old.size() + 1) {
      program.text.replace(at, old.size(), to);
    }
  }
  return program;
}

std::vector<StageProgram> programs() {
  const std::string two_layers = R"(
  first = s32[40,9] dot(x, u), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  nines = s32[40,9] broadcast(zero), dimensions={}
  hidden = s32[40,9] maximum(first, nines)
  second = s32[40,7] dot(hidden, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  sevenths = s32[40,7] broadcast(zero), dimensions={}
  deeper = s32[40,7] maximum(second, sevenths)
  sums = s32[40,2] dot(deeper, w), lhs_contracting_dims={1}, rhs_contracting_dims={0})";
  // A layer of two dimensions, read along both.
  const std::string plane = R"(
  first = s32[40,9] dot(x, u), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  square = s32[40,3,3] reshape(first)
  spread = s32[40,7,3,3] broadcast(square), dimensions={0,2,3}
  turned = s32[7,9] transpose(v), dimensions={1,0}
  weights = s32[7,3,3] reshape(turned)
  all = s32[40,7,3,3] broadcast(weights), dimensions={1,2,3}
  products = s32[40,7,3,3] multiply(spread, all)
  second = s32[40,7] reduce(products, zero), dimensions={2,3}, to_apply=add
  sums = s32[40,2] dot(second, w), lhs_contracting_dims={1}, rhs_contracting_dims={0})";
  // What is summed differs with the sum: no layer.
  const std::string none = R"(
  first = s32[40,9] dot(x, u), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  spread = s32[40,9,7] broadcast(first), dimensions={0,1}
  all = s32[40,9,7] broadcast(v), dimensions={1,2}
  larger = s32[40,9,7] maximum(spread, all)
  second = s32[40,7] reduce(larger, zero), dimensions={1}, to_apply=add
  sums = s32[40,2] dot(second, w), lhs_contracting_dims={1}, rhs_contracting_dims={0})";
  // Four units of the second layer are computed together.
  return {
      layers("two_layers", two_layers), layers("plane", plane), layers("mixed", none),
      wider(layers("wide", two_layers)),
      // Two groups of lanes a warp and many blocks; four; a block of its own for each, whose rows do not fill warps.
      rows_of_lanes("sums_of_16", 1100, 16, "add"), rows_of_lanes("largest_of_8", 64, 8, "maximum"),
      rows_of_lanes("sums_of_8", 33, 8, "add"), rows_of_lanes("sums_of_12", 40, 12, "add"),
      // Scans of a warp, of several, of rows that fill none, and by operations that do not begin with zero.
      rows_of_lanes("scans_of_32", 9, 32, "add", true), rows_of_lanes("scans_of_96", 5, 96, "maximum", true),
      rows_of_lanes("scans_of_512", 3, 512, "add", true), rows_of_lanes("scans_of_40", 7, 40, "minimum", true)};
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
