// column_programs: reductions of many rows of a few columns each, which a thread has side by side: records of 2 to 8
// elements of every width in memory, rows that threads divide and that they do not, what the columns share read once.
// And the place of the largest of very many elements, which is in any of the parts. Compared with the evaluator.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct Columns {
  DType dtype = DType::kF32;
  int64_t batch = 1, rows = 1, columns = 2;
  std::string operation = "add";
  bool weighs = false;  // an array with a number for each row of the batch, times one of each row and column
  bool twice = false;   // the largest element of each column is subtracted, and the rest added up
};

StageProgram reduced(const Columns& columns) {
  const auto& [dtype, batch, rows, count, operation, weighs, twice] = columns;
  const std::string name = operation + "_" + std::string(dtype_name(dtype)) + "_" + std::to_string(batch) + "_" +
                           std::to_string(rows) + "_" + std::to_string(count) + (weighs ? "_weighed" : "") +
                           (twice ? "_twice" : "");
  const std::string number = shape_text(dtype, {}), all = shape_text(dtype, {batch, rows, count}),
                    result = shape_text(dtype, {batch, count});
  const auto function = [&](const std::string& of) {
    return of + " {\n  a = " + number + " parameter(0)\n  b = " + number + " parameter(1)\n  ROOT c = " + number + " " +
           of + "(a, b)\n}\n\n";
  };
  std::string text = "HloModule " + name + "\n\n" + function(operation) + (twice ? function("maximum") : "") +
                     "ENTRY main {\n  begin = " + number + " constant(" + (operation == "add" ? "0" : "1") + ")\n";
  if (weighs) {
    text += "  p = " + shape_text(dtype, {batch, rows}) + " parameter(0)\n  q = " + shape_text(dtype, {rows, count}) +
            " parameter(1)\n  ps = " + all + " broadcast(p), dimensions={0,1}\n  qs = " + all +
            " broadcast(q), dimensions={1,2}\n  x = " + all + " multiply(ps, qs)\n";
  } else {
    text += "  x = " + all + " parameter(0)\n";
  }
  std::string reduced = "x";
  if (twice) {
    text += "  most = " + result + " reduce(x, begin), dimensions={1}, to_apply=maximum\n  mosts = " + all +
            " broadcast(most), dimensions={0,2}\n  apart = " + all + " subtract(x, mosts)\n  square = " + all +
            " multiply(apart, apart)\n";
    reduced = "square";
  }
  text += "  ROOT y = " + result + " reduce(" + reduced + ", begin), dimensions={1}, to_apply=" + operation + "\n}\n";
  return {name, text, few_values(9, false)};
}

// The place of the largest or smallest element, of which there are several, NaNs among them, none of them at the
// beginning.
StageProgram place(DType dtype, int64_t length, int64_t first, bool is_most) {
  const std::string name = std::string(is_most ? "argmax_" : "argmin_") + std::string(dtype_name(dtype)) + "_" +
                           std::to_string(length) + "_" + std::to_string(first);
  const std::string number = shape_text(dtype, {}), all = shape_text(dtype, {length});
  const std::string places = shape_text(DType::kS32, {length}), flags = shape_text(DType::kPred, {length});
  const bool has_nan = is_float(dtype);
  const auto compare = [](const std::string& of, const std::string& direction) {
    return " compare(" + of + "), direction=" + direction + "\n";
  };
  std::string text = "HloModule " + name + "\n\nbest {\n  a = " + number + " parameter(0)\n  i = s32[] parameter(1)\n" +
                     "  b = " + number + " parameter(2)\n  j = s32[] parameter(3)\n  better = pred[]" +
                     compare("a, b", is_most ? "GT" : "LT");
  if (has_nan) text += "  nan = pred[]" + compare("a, a", "NE") + "  first = pred[] or(better, nan)\n";
  const std::string wins = has_nan ? "first" : "better";
  text += "  v = " + number + " select(" + wins + ", a, b)\n  same = pred[]" + compare("a, b", "EQ") +
          "  before = pred[]" + compare("i, j", "LT") + "  earlier = pred[] and(same, before)\n  stays = pred[] or(" +
          wins + ", earlier)\n  p = s32[] select(stays, i, j)\n  ROOT r = (" + number + ", s32[]) tuple(v, p)\n}\n\n" +
          "ENTRY main {\n  x = " + all + " parameter(0)\n  places = " + places +
          " iota(), iota_dimension=0\n  from = s32[] constant(" + std::to_string(first) + ")\n  froms = " + places +
          " broadcast(from), dimensions={}\n  later = " + flags + compare("places, froms", "GE") + "  one = " + number +
          " constant(1)\n  ones = " + all + " broadcast(one), dimensions={}\n  y = " + all +
          " select(later, x, ones)\n  begin = " + number + " constant(" +
          (has_nan ? (is_most ? "-inf" : "inf") : (is_most ? "0" : "255")) +
          ")\n  zero = s32[] constant(0)\n  found = (" + number +
          ", s32[]) reduce(y, places, begin, zero), dimensions={0}, to_apply=best\n" +
          "  ROOT place = s32[] get-tuple-element(found), index=1\n}\n";
  return {name, text, few_values(9, first > 4000000)};
}

std::vector<StageProgram> programs() {
  std::vector<StageProgram> all;
  for (const DType dtype : {DType::kF32, DType::kBF16, DType::kU8, DType::kF64}) {
    for (const int64_t columns : {2, 3, 8}) {
      all.push_back(reduced({dtype, 3, 524288 / columns, columns}));
      all.push_back(reduced({dtype, 257, 4099, columns, "maximum"}));
    }
  }
  for (const int64_t columns : {4, 5, 6, 7}) {
    all.push_back(reduced({DType::kF32, 5, 65536, columns, "add", true}));
    all.push_back(reduced({DType::kS32, 1, 300001, columns, "add", true}));
  }
  all.push_back(reduced({DType::kF32, 200, 2048, 3, "add", false, true}));
  all.push_back(reduced({DType::kF32, 200, 2047, 3, "add", false, true}));
  all.push_back(reduced({DType::kF32, 600, 700, 3, "add", true, true}));
  all.push_back(place(DType::kF32, 4194304, 4100000, true));
  all.push_back(place(DType::kF32, 4194319, 4194310, false));
  all.push_back(place(DType::kF32, 4200001, 1000000, true));
  all.push_back(place(DType::kU8, 4194304, 3000001, true));
  all.push_back(place(DType::kU8, 4199999, 2047, false));
  all.push_back(place(DType::kBF16, 4300000, 4299999, true));
  return all;
}

double tolerance(DType type) {
  return type == DType::kF64 ? 1e-12 : type == DType::kF32 ? 1e-5 : is_float(type) ? 5e-2 : 0;
}

}  // namespace
}  // namespace sinter

int main() {
  return sinter::run_stage_programs(sinter::programs(), sinter::tolerance, {}, {"split_columns", "find_part"});
}
