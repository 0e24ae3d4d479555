// stacked_programs: loops that record a reduction of all elements in each step, which a block makes of some steps at a
// time and the blocks of the launch together after the loop; compared with the evaluator bit for bit: sums are exact.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

// What a loop records: `operation` of the state, as `dtype`, reduced from `initial` on.
struct Record {
  std::string combiner, initial;
  DType dtype = DType::kF32;
};

struct StackSpec {
  std::string name;
  std::vector<int64_t> dims;  // of the state, f32
  int64_t steps = 1;
  std::vector<Record> records = {};
  bool recorded_as_it_is = true;  // not: one more than the reduction
};

StageProgram stack_program(const StackSpec& spec) {
  const std::string state = shape_text(DType::kF32, spec.dims);
  std::string text = "HloModule " + spec.name + "\n", types = "s32[], " + state, reads, next = "next_t, next_x", starts;
  std::string dimensions, results, outputs;
  for (size_t d = 0; d < spec.dims.size(); ++d) dimensions += (d == 0 ? "" : ",") + std::to_string(d);
  for (size_t i = 0; i < spec.records.size(); ++i) {
    const Record& record = spec.records[i];
    const std::string n = std::to_string(i), scalar = shape_text(record.dtype, {});
    const std::string piece = shape_text(record.dtype, {1}), stack = shape_text(record.dtype, {spec.steps});
    const std::string carry = std::to_string(i + 2);
    text += "\ncombine" + n + " {\n  a = " + scalar + " parameter(0)\n  b = " + scalar +
            " parameter(1)\n  ROOT c = " + scalar + " " + record.combiner + "(a, b)\n}\n";
    types += ", " + stack;
    reads += "  old" + n + " = " + stack + " get-tuple-element(state), index=" + carry + "\n  initial" + n + " = " +
             scalar + " constant(" + record.initial + ")\n  value" + n + " = " + shape_text(record.dtype, spec.dims) +
             " convert(next_x)\n  all" + n + " = " + scalar + " reduce(value" + n + ", initial" + n +
             "), dimensions={" + dimensions + "}, to_apply=combine" + n + "\n  kept" + n + " = " + scalar +
             (spec.recorded_as_it_is ? " copy(all" + n + ")" : " " + record.combiner + "(all" + n + ", all" + n + ")") +
             "\n  row" + n + " = " + piece + " reshape(kept" + n + ")\n  new" + n + " = " + stack +
             " dynamic-update-slice(old" + n + ", row" + n + ", t)\n";
    next += ", new" + n;
    starts += "  none" + n + " = " + scalar + " constant(" +
              (record.dtype == DType::kPred ? "false"
               : is_complex(record.dtype)   ? "(0, 0)"
                                            : "0") +
              ")\n  empty" + n + " = " + stack + " broadcast(none" + n + "), dimensions={}\n";
    results += ", empty" + n;
    outputs += ", stack" + n;
  }
  const std::string tuple = "(" + types + ")";
  text += "\nbody {\n  state = " + tuple +
          " parameter(0)\n  t = s32[] get-tuple-element(state), index=0\n  x = " + state +
          " get-tuple-element(state), index=1\n  one = s32[] constant(1)\n  next_t = s32[] add(t, one)\n  next_x = " +
          state + " negate(x)\n" + reads + "  ROOT next = " + tuple + " tuple(" + next + ")\n}\n";
  text += "\ncondition {\n  state = " + tuple +
          " parameter(0)\n  t = s32[] get-tuple-element(state), index=0\n  steps = s32[] constant(" +
          std::to_string(spec.steps) + ")\n  ROOT more = pred[] compare(t, steps), direction=LT\n}\n";
  text += "\nENTRY main {\n  x = " + state + " parameter(0)\n  zero = s32[] constant(0)\n" + starts +
          "  start = " + tuple + " tuple(zero, x" + results + ")\n  loop = " + tuple +
          " while(start), condition=condition, body=body\n  last = " + state + " get-tuple-element(loop), index=1\n";
  std::string result_types = state;
  for (size_t i = 0; i < spec.records.size(); ++i) {
    const std::string stack = shape_text(spec.records[i].dtype, {spec.steps});
    text += "  stack" + std::to_string(i) + " = " + stack + " get-tuple-element(loop), index=" + std::to_string(i + 2) +
            "\n";
    result_types += ", " + stack;
  }
  text += "  ROOT results = (" + result_types + ") tuple(last" + outputs + ")\n}\n";
  return {spec.name, text, few_values(10, false)};
}

std::vector<StageProgram> programs() {
  constexpr DType f16 = DType::kF16, f64 = DType::kF64, s32 = DType::kS32, s8 = DType::kS8, pred = DType::kPred;
  const std::vector<Record> mixed = {{"add", "3"}, {"maximum", "-inf"}, {"or", "false", pred}, {"minimum", "100", s32}};
  const std::vector<StackSpec> specs = {
      {.name = "one_warp", .dims = {32}, .steps = 5, .records = {{"add", "0"}}},
      {.name = "two_warps", .dims = {64}, .steps = 1, .records = mixed},
      {.name = "a_few_blocks", .dims = {2048}, .steps = 7, .records = mixed},
      {.name = "blocks_of_a_warp", .dims = {33, 32}, .steps = 9, .records = {{"add", "1"}, {"maximum", "2"}}},
      {.name = "one_full_group", .dims = {2048, 2}, .steps = 16, .records = {{"add", "0", f64}}},
      {.name = "three_levels", .dims = {40000}, .steps = 3, .records = {{"add", "-0"}, {"add", "2", s32}}},
      {.name = "narrow", .dims = {4096}, .steps = 11, .records = {{"maximum", "1", f16}, {"add", "5", s8}}},
      {.name = "many",
       .dims = {34816},
       .steps = 10,
       .records =
           {{"add", "0"}, {"add", "1", f64}, {"maximum", "0"}, {"minimum", "0", f64}, {"add", "2"}, {"add", "3"}}},
      {.name = "changed_after", .dims = {2304}, .steps = 13, .records = mixed, .recorded_as_it_is = false},
      {.name = "no_whole_warps", .dims = {1999}, .steps = 4, .records = {{"add", "1"}}, .recorded_as_it_is = false},
      {.name = "no_warp", .dims = {20}, .steps = 6, .records = mixed},
      {.name = "no_whole_block", .dims = {97}, .steps = 5, .records = {{"minimum", "-0"}, {"add", "-0"}}},
      {.name = "no_whole_blocks", .dims = {2049}, .steps = 17, .records = mixed},
      {.name = "odd_rows", .dims = {31, 67}, .steps = 9, .records = {{"multiply", "1", s32}, {"and", "true", pred}}},
      {.name = "odd_levels", .dims = {40009}, .steps = 3, .records = {{"add", "-0"}, {"add", "2", s32}}},
      {.name = "complex", .dims = {2049}, .steps = 3, .records = {{"add", "(0, 0)", DType::kC64}}},
      {.name = "complex_from", .dims = {2048}, .steps = 3, .records = {{"add", "(5, 0)", DType::kC64}}},
  };
  std::vector<StageProgram> all;
  for (const StackSpec& spec : specs) all.push_back(stack_program(spec));
  return all;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
