// lane_update_programs: loops whose steps bring an element, or a window, to each lane of what they carry, which is
// updated in place (updates_in_place.h): where indices lie outside, where a mask takes updates back, where what is
// there is read before, in the same kernel or another, and where it cannot be in place. All are compared with the
// evaluator bit for bit.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

constexpr const char* kFunctions = R"(
last {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] copy(b)
}

add {
  d = f32[] parameter(0)
  e = f32[] parameter(1)
  ROOT sum = f32[] add(d, e)
}

blend {
  m = f32[] parameter(0)
  n = f32[] parameter(1)
  twice = f32[] add(m, m)
  ROOT o = f32[] subtract(n, twice)
}

larger {
  f = f32[] parameter(0)
  g = f32[] parameter(1)
  ROOT most = f32[] maximum(f, g)
}

smaller_number {
  h = s32[] parameter(0)
  k = s32[] parameter(1)
  ROOT least = s32[] minimum(h, k)
}
)";

// Of L lanes of C elements, at places p: a step gives next_x, and next_p and next_s, a number for each lane.
constexpr const char* kLoop = R"(
step {
  state = STATE parameter(0)
  t = s32[] get-tuple-element(state), index=0
  x = f32[L,C] get-tuple-element(state), index=1
  p = s32[L] get-tuple-element(state), index=2
  s = f32[L] get-tuple-element(state), index=3
  us = f32[24,L] get-tuple-element(state), index=4
  one = s32[] constant(1)
  zero = s32[] constant(0)
  nothing = f32[] constant(0)
  next_t = s32[] add(t, one)
  u_row = f32[1,L] dynamic-slice(us, t, zero), dynamic_slice_sizes={1,L}
  u = f32[L] reshape(u_row)
  column = s32[L,1] reshape(p)
  zeros = f32[L] broadcast(nothing), dimensions={}
  positive = pred[L] compare(u, zeros), direction=GT
  moved = s32[L] convert(positive)
BODY  ROOT next = STATE tuple(next_t, next_x, next_p, next_s, us)
}

goes_on {
  state = STATE parameter(0)
  t = s32[] get-tuple-element(state), index=0
  steps = s32[] constant(24)
  ROOT more = pred[] compare(t, steps), direction=LT
}

ENTRY main {
  x = f32[L,C] parameter(0)
  p = s32[L] parameter(1)
  s = f32[L] parameter(2)
  us = f32[24,L] parameter(3)
  zero = s32[] constant(0)
  state = STATE tuple(zero, x, p, s, us)
  loop = STATE while(state), condition=goes_on, body=step
  x_end = f32[L,C] get-tuple-element(loop), index=1
  p_end = s32[L] get-tuple-element(loop), index=2
  s_end = f32[L] get-tuple-element(loop), index=3
  ROOT r = (f32[L,C], s32[L], f32[L]) tuple(x_end, p_end, s_end)
}
)";

std::string with(std::string text, const std::vector<std::pair<std::string, std::string>>& replaced) {
  for (const auto& [from, to] : replaced) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  }
  return text;
}

struct Step {
  std::string name, body;
  int64_t lanes = 4096, elements = 96;  // a megabyte and more: a smaller array is rewritten
};

StageProgram program(const Step& step) {
  std::string text = with(kLoop, {{"BODY", step.body}, {"STATE", "(s32[], f32[L,C], s32[L], f32[L], f32[24,L])"}});
  for (const auto& [name, extent] : {std::pair("L", step.lanes), std::pair("C", step.elements)}) {
    const std::string number = std::to_string(extent), dim = name;
    text = with(text, {{"[" + dim + ",", "[" + number + ","},
                       {"[" + dim + "]", "[" + number + "]"},
                       {"," + dim + "]", "," + number + "]"},
                       {"," + dim + "}", "," + number + "}"},
                       {"(" + dim + ")", "(" + number + ")"},
                       {":" + dim + "]", ":" + number + "]"}});
  }
  return {step.name, "HloModule " + step.name + "\n" + kFunctions + text, few_values(101, /*special=*/false)};
}

std::string scattered(const std::string& combiner, const std::string& places = "column",
                      const std::string& updates = "u", const std::string& result = "next_x") {
  const std::string batch =
      "update_window_dims={}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, input_batching_dims={0}, "
      "scatter_indices_batching_dims={0}, index_vector_dim=1";
  const std::string windows =
      "update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={1}, input_batching_dims={0}, "
      "scatter_indices_batching_dims={0}, index_vector_dim=1";
  const std::string pairs =
      "update_window_dims={}, inserted_window_dims={0,1}, scatter_dims_to_operand_dims={0,1}, index_vector_dim=1";
  const std::string& dims = places == "pair" ? pairs : updates == "w" ? windows : batch;
  return "  " + result + " = f32[L,C] scatter(x, " + places + ", " + updates + "), " + dims + ", to_apply=" + combiner +
         "\n";
}

const std::string kMoves = "  next_p = s32[L] add(p, moved)\n";
const std::string kSums = "  next_s = f32[L] add(s, u)\n";

// Rows by their own number, or `beside` them.
std::string pairs(int64_t beside) {
  return "  own = s32[L,1] iota(), iota_dimension=0\n  beside = s32[] constant(" + std::to_string(beside) +
         ")\n  all_beside = s32[L,1] broadcast(beside), dimensions={}\n  number = s32[L,1] add(own, all_beside)\n"
         "  pair = s32[L,2] concatenate(number, column), dimensions={1}\n";
}

const std::string kMask = "  mask = pred[L,C] broadcast(positive), dimensions={0}\n";
const std::string kWindows = R"(  u_wide = f32[L,5] broadcast(u), dimensions={0}
  along = f32[L,5] iota(), iota_dimension=1
  w = f32[L,5] add(u_wide, along)
)";
const std::string kInside = R"(  low = s32[L,1] broadcast(zero), dimensions={}
  limit = s32[] constant(91)
  high = s32[L,1] broadcast(limit), dimensions={}
  inside = s32[L,1] clamp(low, column, high)
)";
const std::string kThere =
    R"(  there = f32[L] gather(x, column), offset_dims={}, collapsed_slice_dims={1}, start_index_map={1},
    operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,1}
  step = f32[L] subtract(u, there)
)";
// The first of a row's largest elements.
const std::string kLargest = R"(  most = f32[L] reduce(x, nothing), dimensions={1}, to_apply=larger
  most_wide = f32[L,C] broadcast(most), dimensions={0}
  is_most = pred[L,C] compare(x, most_wide), direction=EQ
  place = s32[L,C] iota(), iota_dimension=1
  far = s32[] constant(C)
  all_far = s32[L,C] broadcast(far), dimensions={}
  candidate = s32[L,C] select(is_most, place, all_far)
  where = s32[L] reduce(candidate, far), dimensions={1}, to_apply=smaller_number
  where_column = s32[L,1] reshape(where)
  low = f32[] constant(-4)
  lows = f32[L] broadcast(low), dimensions={}
  next_p = s32[L] add(p, where)
  next_s = f32[L] add(s, most)
)";

std::vector<StageProgram> programs() {
  const std::string most = "  most = f32[L] reduce(before, nothing), dimensions={1}, to_apply=larger\n",
                    adds_most = "  next_s = f32[L] add(s, most)\n";
  std::vector<StageProgram> result;
  for (const Step& step : {
           Step{"written", kMoves + scattered("last") + kSums},
           Step{"added", kMoves + scattered("add") + kSums},
           Step{"blended", kMoves + scattered("blend") + kSums},
           Step{"odd", kMoves + scattered("add") + kSums, 3001, 97},
           Step{"by_number", kMoves + pairs(0) + scattered("add", "pair") + kSums},
           Step{"beside_number", kMoves + pairs(2) + scattered("add", "pair") + kSums},
           Step{"windows", kMoves + kWindows + scattered("last", "column", "w") + kSums},
           Step{"windows_inside", kMoves + kWindows + kInside + scattered("add", "inside", "w") + kSums},
           Step{"there", kMoves + kThere + scattered("add", "column", "step") + kSums},
           Step{"there_for_others",
                kMoves + kThere + scattered("add", "column", "step") + "  next_s = f32[L] add(s, there)\n"},
           Step{"largest", kLargest + scattered("add", "where_column", "lows")},
           Step{"largest_of_few", kLargest + scattered("add", "where_column", "lows"), 16384, 24},
           Step{"largest_of_many", kLargest + scattered("last", "where_column", "u"), 301, 1111},
           Step{"masked", kMoves + kMask + scattered("last", "column", "u", "given") +
                              "  next_x = f32[L,C] select(mask, x, given)\n" + kSums},
           Step{"masked_pairs", kMoves + kMask + pairs(0) + scattered("add", "pair", "u", "given") +
                                    "  next_x = f32[L,C] select(mask, given, x)\n" + kSums},
           Step{"of_computed", kMoves + "  sign = f32[L,C] negate(x)\n" +
                                   with(scattered("add"), {{"scatter(x,", "scatter(sign,"}}) + kSums},
           Step{"of_few", kMoves + scattered("add") + kSums, 77, 50},
           Step{"largest_of_few_rows", kLargest + scattered("add", "where_column", "lows"), 77, 50},
           Step{"read_after", kMoves + scattered("last") + with(most, {{"before", "next_x"}}) + adds_most},
           Step{"read_elsewhere",
                kMoves + scattered("last") + "  before = f32[L,C] reverse(x), dimensions={0,1}\n" + most + adds_most},
           Step{"made_of_row", kMoves + with(most, {{"before", "x"}}) + scattered("add", "column", "most") + kSums},
           Step{"moved_on",
                kMoves + scattered("last") + with(most, {{"before", "next_x"}}) +
                    "  turned = f32[L,C] reverse(next_x), dimensions={0}\n  first = f32[L,1] slice(turned), "
                    "slice={[0:L], [0:1]}\n  of_other = f32[L] reshape(first)\n"
                    "  both = f32[L] add(most, of_other)\n  next_s = f32[L] add(s, both)\n"},
       })
    result.push_back(program(step));
  return result;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
