// uneven_programs: loops of which two carries are rows of nearly one length, as alignments by dynamic programming have
// them, that steps store rows of, too; along the last dimension and along another one, of few rows and one, of floats
// and of numbers of 8 bits. Compared with the evaluator bit for bit.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct UnevenSpec {
  std::string name;
  int64_t rows = 1, shorter = 1, longer = 1;
  std::string type = "f32";
  bool across = false;  // what differs in length is not what lies side by side
};

std::string replaced(std::string text, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values) {
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + value.size()))
      text.replace(at, name.size(), value);
  }
  return text;
}

// The longer state is the sum of itself and of the shorter one, moved; the shorter one is turned by the difference of
// itself and of what both ends of the longer one have.
constexpr const char* kText = R"(
body {
  state = (s32[], T[LONG], T[SHORT], T[5,LONG], T[5,SHORT]) parameter(0)
  t = s32[] get-tuple-element(state), index=0
  a = T[LONG] get-tuple-element(state), index=1
  b = T[SHORT] get-tuple-element(state), index=2
  all_a = T[5,LONG] get-tuple-element(state), index=3
  all_b = T[5,SHORT] get-tuple-element(state), index=4
  one = s32[] constant(1)
  none = s32[] constant(0)
  three = T[] constant(3)
  zero = T[] constant(0)
  threes = T[SHORT] broadcast(three), dimensions={}
  moved = T[LONG] pad(b, zero), padding=MOVED
  next_a = T[LONG] add(moved, a)
  first = T[SHORT] slice(a), slice={FIRST}
  last = T[SHORT] slice(a), slice={LAST}
  ends = T[SHORT] maximum(first, last)
  turned = T[SHORT] reverse(b), dimensions={DIM}
  apart = T[SHORT] subtract(ends, turned)
  next_b = T[SHORT] minimum(apart, threes)
  row_a = T[1,LONG] reshape(a)
  row_b = T[1,SHORT] reshape(next_b)
  next_all_a = T[5,LONG] dynamic-update-slice(all_a, row_a, t, none, none)
  next_all_b = T[5,SHORT] dynamic-update-slice(all_b, row_b, t, none, none)
  next_t = s32[] add(t, one)
  ROOT next = (s32[], T[LONG], T[SHORT], T[5,LONG], T[5,SHORT]) tuple(next_t, next_a, next_b, next_all_a, next_all_b)
}

condition {
  tested = (s32[], T[LONG], T[SHORT], T[5,LONG], T[5,SHORT]) parameter(0)
  step = s32[] get-tuple-element(tested), index=0
  steps = s32[] constant(5)
  ROOT less = pred[] compare(step, steps), direction=LT
}

ENTRY main {
  x = T[LONG] parameter(0)
  y = T[SHORT] parameter(1)
  start = s32[] constant(0)
  nothing = T[] constant(0)
  rows_a = T[5,LONG] broadcast(nothing), dimensions={}
  rows_b = T[5,SHORT] broadcast(nothing), dimensions={}
  begin = (s32[], T[LONG], T[SHORT], T[5,LONG], T[5,SHORT]) tuple(start, x, y, rows_a, rows_b)
  loop = (s32[], T[LONG], T[SHORT], T[5,LONG], T[5,SHORT]) while(begin), condition=condition, body=body
  of_a = T[LONG] get-tuple-element(loop), index=1
  of_b = T[SHORT] get-tuple-element(loop), index=2
  of_rows_a = T[5,LONG] get-tuple-element(loop), index=3
  of_rows_b = T[5,SHORT] get-tuple-element(loop), index=4
  ROOT results = (T[LONG], T[SHORT], T[5,LONG], T[5,SHORT]) tuple(of_a, of_b, of_rows_a, of_rows_b)
}
)";

StageProgram uneven_program(const UnevenSpec& spec) {
  const auto both = [&](const std::string& rows, const std::string& columns, const std::string& between) {
    return spec.across ? columns + between + rows : rows + between + columns;
  };
  const std::string rows = std::to_string(spec.rows), shorter = std::to_string(spec.shorter);
  const std::string longer = std::to_string(spec.longer), more = std::to_string(spec.longer - spec.shorter);
  const std::string text = replaced(kText, {{"MOVED", both("0_0", more + "_0", "x")},
                                            {"FIRST", both("[0:" + rows + "]", "[0:" + shorter + "]", ", ")},
                                            {"LAST", both("[0:" + rows + "]", "[" + more + ":" + longer + "]", ", ")},
                                            {"DIM", spec.across ? "0" : "1"},
                                            {"LONG", both(rows, longer, ",")},
                                            {"SHORT", both(rows, shorter, ",")},
                                            {"T[", spec.type + "["}});
  return {spec.name, "HloModule " + spec.name + "\n" + text, few_values(9, false)};
}

std::vector<StageProgram> programs() {
  return {
      uneven_program({"one_more", 5, 64, 65}),
      uneven_program({"twice_as_many", 3, 40, 80}),
      uneven_program({"warps", 2, 255, 256}),
      uneven_program({"few", 33, 8, 9}),
      uneven_program({"one_row", 1, 30, 33}),
      uneven_program({"bytes", 7, 16, 17, "s8"}),
      uneven_program({"across", 5, 20, 21, "f32", true}),
      uneven_program({"halves", 4, 31, 32, "bf16"}),
  };
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs(), nullptr, {}, {"pad_carries"}); }
