// row_update_programs: small updates of what a scatter of rows has made, and several updates one after the other, of an
// array that is donated, copied or carried by a loop, compared with the evaluator bit for bit. The batch runs each with
// two arrays for a donated pair and with one (run_batch.cpp).
#include <array>

#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

// What a program makes of an array `x`: `y`, and sums `a` of 41 elements.
struct Chain {
  std::string name;
  std::string body;
  std::string y = "y", a = "c";
};

// i are row numbers, some out of range and some equal, u rows of these; q a column, r three rows; j and k are where
// they begin, clamped. c is added to what a loop's steps leave.
std::string rows(const std::string& name, const std::string& array, const std::string& combiner) {
  return "  " + name + " = ARRAY scatter(" + array +
         ", i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
         "index_vector_dim=1, to_apply=" +
         combiner + "\n";
}

std::string column(const std::string& name, const std::string& array, const std::string& values = "q") {
  return "  " + name + " = ARRAY dynamic-update-slice(" + array + ", " + values + ", o, k)\n";
}

std::string three(const std::string& name, const std::string& array, const std::string& values = "r") {
  return "  " + name + " = ARRAY dynamic-update-slice(" + array + ", " + values + ", j, o)\n";
}

// Of a column: what is there, and twice that.
std::string twice(const std::string& name, const std::string& array, const std::string& at) {
  return "  " + name + "_d = COLUMN dynamic-slice(" + array + ", o, " + at + "), dynamic_slice_sizes={ROWS,1}\n  " +
         name + " = COLUMN add(" + name + "_d, " + name + "_d)\n";
}

std::string sums(const std::string& name, const std::string& array) {
  return "  " + name + "_s = f32[41] reduce(" + array + ", zero), dimensions={0}, to_apply=add\n  " + name +
         " = f32[41] maximum(" + name + "_s, c)\n";
}

std::string replace(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string sized(std::string text, int64_t count) {
  const std::string number = std::to_string(count);
  text = replace(text, "ARRAY", "f32[" + number + ",41]");
  text = replace(text, "COLUMN", "f32[" + number + ",1]");
  return replace(text, "ROWS", number);
}

const std::array<std::pair<std::string, std::string>, 8> kInputs = {{{"x", "ARRAY"},
                                                                     {"i", "s32[12]"},
                                                                     {"u", "f32[12,41]"},
                                                                     {"q", "COLUMN"},
                                                                     {"r", "f32[3,41]"},
                                                                     {"j", "s32[]"},
                                                                     {"k", "s32[]"},
                                                                     {"c", "f32[41]"}}};

const std::string kConstants = "  o = s32[] constant(0)\n  one = s32[] constant(1)\n  zero = f32[] constant(0)\n";

const std::string kFunctions = R"(add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT sum = f32[] add(a, b)
}

last {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] copy(b)
}

)";

StageProgram alone(const Chain& chain, bool donated) {
  const std::string name = chain.name + (donated ? "" : "_copied");
  std::string text = "HloModule " + name + (donated ? ", input_output_alias={ {0}: (0, {}, may-alias) }" : "") +
                     "\n\n" + kFunctions + "ENTRY main {\n";
  for (size_t n = 0; n < kInputs.size(); ++n)
    text += "  " + kInputs[n].first + " = " + kInputs[n].second + " parameter(" + std::to_string(n) + ")\n";
  text += kConstants + chain.body + "  ROOT all = (ARRAY, f32[41]) tuple(" + chain.y + ", " + chain.a + ")\n}\n";
  return {name, sized(text, 7001), few_values(60, /*special=*/false)};
}

// `steps` < 0: as often as a parameter says.
StageProgram looped(const Chain& chain, int64_t steps, bool donated) {
  const std::string name =
      chain.name + "_" + (steps < 0 ? "while" : std::to_string(steps)) + (donated ? "" : "_copied");
  std::string state = "(s32[], s32[]";
  for (const auto& [input, shape] : kInputs) state += ", " + shape;
  state += ")";
  std::string text = "HloModule " + name + (donated ? ", input_output_alias={ {0}: (0, {}, may-alias) }" : "") +
                     "\n\n" + kFunctions + "body {\n  p = " + state +
                     " parameter(0)\n  n = s32[] get-tuple-element(p), index=0\n  end = s32[] get-tuple-element(p), "
                     "index=1\n";
  for (size_t n = 0; n < kInputs.size(); ++n)
    text += "  " + kInputs[n].first + (kInputs[n].first == "i" ? "0" : "") + " = " + kInputs[n].second +
            " get-tuple-element(p), index=" + std::to_string(n + 2) + "\n";
  text += kConstants +
          "  next = s32[] add(n, one)\n  m = s32[12] broadcast(n), dimensions={}\n  i = s32[12] add(i0, m)\n" +
          chain.body + "  ROOT t = " + state + " tuple(next, end, " + chain.y + ", i0, u, q, r, j, k, " + chain.a +
          ")\n}\n\ncond {\n  p = " + state +
          " parameter(0)\n  n = s32[] get-tuple-element(p), index=0\n  end = s32[] get-tuple-element(p), index=1\n  "
          "ROOT less = pred[] compare(n, end), direction=LT\n}\n\nENTRY main {\n";
  for (size_t n = 0; n < kInputs.size(); ++n)
    text += "  " + kInputs[n].first + " = " + kInputs[n].second + " parameter(" + std::to_string(n) + ")\n";
  text += "  o = s32[] constant(0)\n";
  if (steps < 0) {
    text += "  wanted = s32[] parameter(8)\n  most = s32[] constant(4)\n  end = s32[] minimum(wanted, most)\n";
  } else {
    text += "  end = s32[] constant(" + std::to_string(steps) + ")\n";
  }
  text += "  t = " + state + " tuple(o, end, x, i, u, q, r, j, k, c)\n  w = " + state +
          " while(t), condition=cond, body=body\n  y = ARRAY get-tuple-element(w), index=2\n  a = f32[41] "
          "get-tuple-element(w), index=9\n  ROOT all = (ARRAY, f32[41]) tuple(y, a)\n}\n";
  return {name, sized(text, 60001), few_values(60, /*special=*/false)};
}

std::vector<StageProgram> programs() {
  const std::vector<Chain> chains = {
      {"rows_then_column", rows("s", "x", "add") + column("y", "s")},
      {"last_rows_then_three", rows("s", "x", "last") + three("y", "s")},
      {"rows_then_twice", rows("s", "x", "add") + twice("v", "s", "k") + column("y", "s", "v")},
      {"rows_then_other_column", rows("s", "x", "add") + twice("v", "s", "j") + column("y", "s", "v")},
      {"twice_of_before", rows("s", "x", "add") + twice("v", "x", "k") + column("y", "s", "v")},
      {"rows_twice_then_column", rows("s", "x", "add") + rows("s2", "s", "last") + column("y", "s2")},
      {"rows_twice", rows("s", "x", "last") + rows("y", "s", "add")},
      {"column_then_rows", column("s", "x") + rows("y", "s", "add")},
      {"column_rows_column",
       column("s", "x") + rows("s2", "s", "add") + twice("v", "s2", "j") + column("y", "s2", "v")},
      {"rows_column_rows", rows("s", "x", "add") + column("s2", "s") + rows("y", "s2", "last")},
      {"rows_column_three", rows("s", "x", "add") + column("s2", "s") + three("y", "s2")},
      {"column_three", column("s", "x") + three("y", "s")},
      {"column_three_read", twice("v", "x", "j") + column("s", "x", "v") +
                                "  g = f32[3,41] dynamic-slice(s, j, o), "
                                "dynamic_slice_sizes={3,41}\n  h = f32[3,41] add(g, r)\n" +
                                three("y", "s", "h")},
      {"column_three_other", column("s", "x") +
                                 "  g = f32[3,41] dynamic-slice(s, k, o), "
                                 "dynamic_slice_sizes={3,41}\n  h = f32[3,41] add(g, r)\n" +
                                 three("y", "s", "h")},
      {"first_read_in_second", column("s", "x") +
                                   "  g = f32[3,41] dynamic-slice(x, k, o), "
                                   "dynamic_slice_sizes={3,41}\n  h = f32[3,41] add(g, r)\n" +
                                   three("y", "s", "h")},
      {"rows_read_between", rows("s", "x", "add") + sums("a", "s") + column("y", "s"), "y", "a"},
      {"rows_read_after", rows("s", "x", "add") + column("y", "s") + "  d = ARRAY subtract(y, s)\n" + sums("a", "d"),
       "y", "a"},
      {"before_read_after", rows("s", "x", "add") + column("y", "s") + "  d = ARRAY subtract(y, x)\n" + sums("a", "d"),
       "y", "a"},
      {"between_read_after", column("s", "x") + three("y", "s") + "  d = ARRAY subtract(y, s)\n" + sums("a", "d"), "y",
       "a"},
      {"result_read", rows("s", "x", "add") + column("y", "s") + sums("a", "y"), "y", "a"},
      {"rows_under_column_read", column("s", "x") + rows("s2", "s", "add") + column("y", "s2") + sums("a", "s"), "y",
       "a"},
  };
  std::vector<StageProgram> result;
  for (const Chain& chain : chains) {
    result.push_back(alone(chain, true));
    result.push_back(alone(chain, false));
    result.push_back(looped(chain, 3, true));
    result.push_back(looped(chain, -1, true));
  }
  for (const size_t chain : {size_t{0}, size_t{5}, size_t{10}}) {
    result.push_back(looped(chains[chain], 0, true));
    result.push_back(looped(chains[chain], 1, true));
    result.push_back(looped(chains[chain], 3, false));
  }
  return result;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
