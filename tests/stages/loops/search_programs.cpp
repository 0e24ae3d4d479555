// search_programs: binary searches of edges in order and in none, with numbers and without, by loops as
// jnp.searchsorted has them; counts that are floats; places of largest values that a loop's step finds beside these.
// Compared with the evaluator bit for bit.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

// Loops narrow two bounds down, in so many steps.
struct SearchSpec {
  std::string name;
  int64_t searches = 1, edges = 1, steps = 1;
  std::string list;      // of edges
  bool left = false;     // of edges that are equal, the first
  std::string list_too;  // where there are two, of which a number says which
};

std::string replaced(std::string text, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values) {
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + value.size()))
      text.replace(at, name.size(), value);
  }
  return text;
}

// Keys that compare in total order: zeros are made one, and NaNs, as JAX has it.
constexpr const char* kLoop = R"(
@_body {
  @_state = (s32[], u32[N], u32[N], f32[E], f32[N]) parameter(0)
  @_t = s32[] get-tuple-element(@_state), index=0
  @_low = u32[N] get-tuple-element(@_state), index=1
  @_high = u32[N] get-tuple-element(@_state), index=2
  @_edges = f32[E] get-tuple-element(@_state), index=3
  @_x = f32[N] get-tuple-element(@_state), index=4
  @_one = s32[] constant(1)
  @_two = u32[] constant(2)
  @_nan = f32[] constant(nan)
  @_zero = f32[] constant(0)
  @_nans = f32[N] broadcast(@_nan), dimensions={}
  @_zeros = f32[N] broadcast(@_zero), dimensions={}
  @_next_t = s32[] add(@_t, @_one)
  @_twos = u32[N] broadcast(@_two), dimensions={}
  @_between = u32[N] subtract(@_high, @_low)
  @_half = u32[N] divide(@_between, @_twos)
  @_middle = u32[N] add(@_low, @_half)
  @_places = u32[N,1] reshape(@_middle)
  @_column = f32[N,1] gather(@_edges, @_places), offset_dims={1}, collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}
  @_edge = f32[N] reshape(@_column)
  @_x_nan = pred[N] compare(@_x, @_x), direction=NE
  @_x_zero = pred[N] compare(@_x, @_zeros), direction=EQ
  @_x_number = f32[N] select(@_x_zero, @_zeros, @_x)
  @_x_key = f32[N] select(@_x_nan, @_nans, @_x_number)
  @_edge_nan = pred[N] compare(@_edge, @_edge), direction=NE
  @_edge_zero = pred[N] compare(@_edge, @_zeros), direction=EQ
  @_edge_number = f32[N] select(@_edge_zero, @_zeros, @_edge)
  @_edge_key = f32[N] select(@_edge_nan, @_nans, @_edge_number)
  @_left = pred[N] compare(@_x_key, @_edge_key), direction=DIRECTION, type=TOTALORDER
  @_next_low = u32[N] select(@_left, @_low, @_middle)
  @_next_high = u32[N] select(@_left, @_middle, @_high)
  ROOT @_next = (s32[], u32[N], u32[N], f32[E], f32[N]) tuple(@_next_t, @_next_low, @_next_high, @_edges, @_x)
}

@_condition {
  @_tested = (s32[], u32[N], u32[N], f32[E], f32[N]) parameter(0)
  @_step = s32[] get-tuple-element(@_tested), index=0
  @_steps = s32[] constant(STEPS)
  ROOT @_less = pred[] compare(@_step, @_steps), direction=LT
}
)";

constexpr const char* kCall = R"(  @_list = f32[E] constant({LIST})
  @_begin = (s32[], u32[N], u32[N], f32[E], f32[N]) tuple(zero, none, all, @_list, x)
  @ = (s32[], u32[N], u32[N], f32[E], f32[N]) while(@_begin), condition=@_condition, body=@_body
)";

StageProgram search_program(const SearchSpec& spec) {
  const bool two = !spec.list_too.empty();
  std::string text = "HloModule " + spec.name + "\n" + replaced(kLoop, {{"@", "one"}});
  if (two) text += replaced(kLoop, {{"@", "other"}});
  text += R"(
ENTRY main {
  x = f32[N] parameter(0)
  zero = s32[] constant(0)
  first = u32[] constant(0)
  last = u32[] constant(E)
  none = u32[N] broadcast(first), dimensions={}
  all = u32[N] broadcast(last), dimensions={}
)" + replaced(kCall, {{"@", "one"}, {"LIST", spec.list}});
  if (two) {
    text += "  rises = pred[] parameter(1)\n" + replaced(kCall, {{"@", "other"}, {"LIST", spec.list_too}}) +
            R"(  up = u32[N] get-tuple-element(one), index=2
  down = u32[N] get-tuple-element(other), index=2
  opposite = u32[N] subtract(all, down)
  all_rise = pred[N] broadcast(rises), dimensions={}
  ROOT places = u32[N] select(all_rise, up, opposite)
}
)";
  } else {
    text += R"(  low = u32[N] get-tuple-element(one), index=1
  high = u32[N] get-tuple-element(one), index=2
  ROOT bounds = (u32[N], u32[N]) tuple(low, high)
}
)";
  }
  text = replaced(text, {{"STEPS", std::to_string(spec.steps)},
                         {"DIRECTION", spec.left ? "LE" : "LT"},
                         {"[N", "[" + std::to_string(spec.searches)},
                         {"[E]", "[" + std::to_string(spec.edges) + "]"},
                         {"(E)", "(" + std::to_string(spec.edges) + ")"}});
  return {spec.name, text, few_values(12)};
}

// Ones and minus threes, chosen, added up in very many bins.
StageProgram count_program() {
  return {"counts", R"(HloModule counts

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

ENTRY main {
  drawn = s32[5000] parameter(0)
  flags = pred[5000] parameter(1)
  place = s32[5000] iota(), iota_dimension=0
  prime = s32[] constant(7919)
  primes = s32[5000] broadcast(prime), dimensions={}
  far = s32[5000] multiply(place, primes)
  moved = s32[5000] add(far, drawn)
  end = s32[] constant(9000)
  ends = s32[5000] broadcast(end), dimensions={}
  at = s32[5000] remainder(moved, ends)
  rows = s32[5000,1] reshape(at)
  zero = f32[] constant(0)
  one = f32[] constant(1)
  less = f32[] constant(-3)
  zeros = f32[8192] broadcast(zero), dimensions={}
  ones = f32[5000] broadcast(one), dimensions={}
  lesses = f32[5000] broadcast(less), dimensions={}
  numbers = f32[5000] select(flags, ones, lesses)
  ROOT sums = f32[8192] scatter(zeros, rows, numbers), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add
}
)",
          few_values(9)};
}

// Steps of Viterbi: the largest of sums, and which one it was. Which NaN a sum of infinities is, machines differ in.
StageProgram path_program(const std::string& name, int64_t batch, int64_t states) {
  const std::string text = R"(
larger {
  c = f32[] parameter(0)
  d = f32[] parameter(1)
  ROOT e = f32[] maximum(c, d)
}

argmax {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  above = pred[] compare(a, b), direction=GT
  nan = pred[] compare(a, a), direction=NE
  first = pred[] or(above, nan)
  value = f32[] select(first, a, b)
  equal = pred[] compare(a, b), direction=EQ
  earlier = pred[] compare(i, j), direction=LT
  tie = pred[] and(equal, earlier)
  taken = pred[] or(first, tie)
  place = s32[] select(taken, i, j)
  ROOT found = (f32[], s32[]) tuple(value, place)
}

step {
  state = (s32[], f32[B,S], s32[7,B,S], f32[S,S]) parameter(0)
  t = s32[] get-tuple-element(state), index=0
  score = f32[B,S] get-tuple-element(state), index=1
  paths = s32[7,B,S] get-tuple-element(state), index=2
  change = f32[S,S] get-tuple-element(state), index=3
  one = s32[] constant(1)
  zero = s32[] constant(0)
  least = f32[] constant(-inf)
  next_t = s32[] add(t, one)
  from = f32[B,S,S] broadcast(score), dimensions={0,1}
  to = f32[B,S,S] broadcast(change), dimensions={1,2}
  sums = f32[B,S,S] add(from, to)
  best = f32[B,S] reduce(sums, least), dimensions={1}, to_apply=larger
  at = s32[B,S,S] iota(), iota_dimension=1
  chosen = (f32[B,S], s32[B,S]) reduce(sums, at, least, zero), dimensions={1}, to_apply=argmax
  which = s32[B,S] get-tuple-element(chosen), index=1
  row = s32[1,B,S] reshape(which)
  next_paths = s32[7,B,S] dynamic-update-slice(paths, row, t, zero, zero)
  ROOT next = (s32[], f32[B,S], s32[7,B,S], f32[S,S]) tuple(next_t, best, next_paths, change)
}

condition {
  tested = (s32[], f32[B,S], s32[7,B,S], f32[S,S]) parameter(0)
  u = s32[] get-tuple-element(tested), index=0
  steps = s32[] constant(7)
  ROOT less = pred[] compare(u, steps), direction=LT
}

ENTRY main {
  scores = f32[B,S] parameter(0)
  changes = f32[S,S] parameter(1)
  none = s32[] constant(0)
  empty = s32[7,B,S] broadcast(none), dimensions={}
  begin = (s32[], f32[B,S], s32[7,B,S], f32[S,S]) tuple(none, scores, empty, changes)
  loop = (s32[], f32[B,S], s32[7,B,S], f32[S,S]) while(begin), condition=condition, body=step
  last = f32[B,S] get-tuple-element(loop), index=1
  all = s32[7,B,S] get-tuple-element(loop), index=2
  nought = f32[] constant(0)
  noughts = f32[B,S] broadcast(nought), dimensions={}
  no_number = pred[B,S] compare(last, last), direction=NE
  shown = f32[B,S] select(no_number, noughts, last)
  ROOT results = (f32[B,S], s32[7,B,S]) tuple(shown, all)
}
)";
  const std::string sized = replaced(text, {{"[B,S,S]", "[B," + std::to_string(states) + ",S]"},
                                            {"[S,S]", "[" + std::to_string(states) + ",S]"},
                                            {"B,", std::to_string(batch) + ","},
                                            {",S]", "," + std::to_string(states) + "]"}});
  return {name, "HloModule " + name + "\n" + sized, few_values(7)};
}

std::vector<StageProgram> programs() {
  return {
      search_program({"searches", 1027, 5, 3, "-1, 0, 0.5, 0.5, 2"}),
      search_program({"searches_left", 1024, 8, 4, "-inf, -1, -0.5, 0, 0, 1, 3, inf", true}),
      search_program({"searches_nowhere", 700, 4, 3, "2, nan, -1, -0.0"}),
      search_program({"searches_nowhere_left", 700, 4, 3, "2, nan, -1, -0.0", true}),
      search_program({"searches_further", 2048, 3, 4, "-1, 1, 2"}),
      search_program({"searches_both_ways", 1000, 6, 3, "-2, -1, 0, 0.5, 1, 2", false, "2, 1, 0.5, 0, -1, -2"}),
      count_program(),
      path_program("paths", 5, 12),
      path_program("paths_of_warps", 3, 64),
  };
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
