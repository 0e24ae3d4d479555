// part_update_programs: updates of a part of an array that is put back where it was, and updates that branches make, of
// an array that is donated, copied or carried by a loop, compared with the evaluator bit for bit. The batch runs each
// with two arrays for a donated pair and with one (run_batch.cpp).
#include <array>

#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

// What a program makes of an array `k`: `y`, and sums `a` of 37 elements, which begin as `c`.
struct Part {
  std::string name;
  std::string body;
  std::string a = "c";
};

// l and p are where layers and places begin, clamped; places are those of eight lanes, some out of range.
const std::array<std::pair<std::string, std::string>, 7> kInputs = {{{"k", "f32[5,8,211,37]"},
                                                                     {"u", "f32[8,1,37]"},
                                                                     {"l", "s32[]"},
                                                                     {"p", "s32[]"},
                                                                     {"lanes", "s32[8,1]"},
                                                                     {"on", "pred[]"},
                                                                     {"c", "f32[37]"}}};

const std::string kFunctions = R"(add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT sum = f32[] add(a, b)
}

last {
  a = f32[] parameter(0)
  ROOT b = f32[] parameter(1)
}

same {
  ROOT k = f32[5,8,211,37] parameter(0)
}

token {
  p = (f32[5,8,211,37], f32[8,1,37], s32[], s32[]) parameter(0)
  k = f32[5,8,211,37] get-tuple-element(p), index=0
  u = f32[8,1,37] get-tuple-element(p), index=1
  l = s32[] get-tuple-element(p), index=2
  at = s32[] get-tuple-element(p), index=3
  o = s32[] constant(0)
  r = f32[1,8,1,37] reshape(u)
  before = f32[1,8,1,37] dynamic-slice(k, o, o, at, o), dynamic_slice_sizes={1,8,1,37}
  s = f32[1,8,1,37] add(r, before)
  ROOT y = f32[5,8,211,37] dynamic-update-slice(k, s, l, o, at, o)
}

other_token {
  p = (f32[5,8,211,37], f32[8,1,37], s32[], s32[]) parameter(0)
  k = f32[5,8,211,37] get-tuple-element(p), index=0
  u = f32[8,1,37] get-tuple-element(p), index=1
  l = s32[] get-tuple-element(p), index=2
  at = s32[] get-tuple-element(p), index=3
  o = s32[] constant(0)
  r = f32[1,8,1,37] reshape(u)
  ROOT y = f32[5,8,211,37] dynamic-update-slice(k, r, at, o, l, o)
}

)";

const std::string kArray = "f32[5,8,211,37]", kLayer = "f32[1,8,211,37]", kFlat = "f32[8,211,37]";
const std::string kConstants = "  o = s32[] constant(0)\n  one = s32[] constant(1)\n  zero = f32[] constant(0)\n";

// The layer `at` of `array`, as `name`.
std::string layer(const std::string& name, const std::string& array, const std::string& at = "l") {
  return "  " + name + "_l = " + kLayer + " dynamic-slice(" + array + ", " + at +
         ", o, o, o), dynamic_slice_sizes={1,8,211,37}\n  " + name + " = " + kFlat + " reshape(" + name + "_l)\n";
}

std::string put_back(const std::string& name, const std::string& array, const std::string& part,
                     const std::string& at = "l") {
  return "  " + name + "_l = " + kLayer + " reshape(" + part + ")\n  " + name + " = " + kArray +
         " dynamic-update-slice(" + array + ", " + name + "_l, " + at + ", o, o, o)\n";
}

std::string token(const std::string& name, const std::string& part) {
  return "  " + name + " = " + kFlat + " dynamic-update-slice(" + part + ", u, o, p, o)\n";
}

std::string bring(const std::string& name, const std::string& part, const std::string& combiner) {
  return "  " + name + " = " + kFlat + " scatter(" + part +
         ", lanes, u), update_window_dims={1,2}, inserted_window_dims={}, scatter_dims_to_operand_dims={1}, "
         "input_batching_dims={0}, scatter_indices_batching_dims={0}, index_vector_dim=1, to_apply=" +
         combiner + "\n";
}

std::string sums(const std::string& part) {
  return "  a_s = f32[37] reduce(" + part + ", zero), dimensions={0,1}, to_apply=add\n  a = f32[37] maximum(a_s, c)\n";
}

std::string chosen(const std::string& part, const std::string& before) {
  return "  mask = pred[8,211,37] broadcast(on), dimensions={}\n  maybe = " + kFlat + " select(mask, " + part + ", " +
         before + ")\n";
}

const std::string kToken = layer("x", "k") + token("n", "x");

std::vector<Part> parts() {
  const std::string given = "  t = (f32[5,8,211,37], f32[8,1,37], s32[], s32[]) tuple(k, u, l, p)\n";
  return {
      {"token_of_layer", kToken + put_back("y", "k", "n")},
      {"token_and_sums", kToken + put_back("y", "k", "n") + sums("n"), "a"},
      {"token_and_sums_before", kToken + put_back("y", "k", "n") + sums("x"), "a"},
      {"lanes_of_layer", layer("x", "k") + bring("n", "x", "last") + put_back("y", "k", "n")},
      {"lanes_added", layer("x", "k") + bring("n", "x", "add") + put_back("y", "k", "n")},
      {"lanes_and_sums", layer("x", "k") + bring("n", "x", "last") + put_back("y", "k", "n") + sums("n"), "a"},
      {"maybe_token", kToken + chosen("n", "x") + put_back("y", "k", "maybe")},
      {"maybe_not_token", kToken + chosen("x", "n") + put_back("y", "k", "maybe")},
      {"maybe_lanes", layer("x", "k") + bring("n", "x", "last") + chosen("n", "x") + put_back("y", "k", "maybe")},
      {"token_elsewhere", kToken + put_back("y", "k", "n", "p")},
      {"layers_in_turn", kToken + put_back("k1", "k", "n") + layer("x1", "k1", "one") + token("n1", "x1") +
                             put_back("y", "k1", "n1", "one")},
      {"two_starts",
       "  x = f32[2,8,100,37] dynamic-slice(k, l, o, p, o), dynamic_slice_sizes={2,8,100,37}\n"
       "  v = f32[1,8,1,37] reshape(u)\n"
       "  n = f32[2,8,100,37] dynamic-update-slice(x, v, one, o, l, o)\n"
       "  y = f32[5,8,211,37] dynamic-update-slice(k, n, l, o, p, o)\n"},
      {"branch_token", given + "  y = f32[5,8,211,37] conditional(on, t, k), true_computation=token, "
                               "false_computation=same\n"},
      {"branch_tokens", given + "  y = f32[5,8,211,37] conditional(p, k, t, t), branch_computations={same, token, "
                                "other_token}\n"},
      {"branch_token_of_layer", given +
                                    "  b = f32[5,8,211,37] conditional(on, t, k), true_computation=token, "
                                    "false_computation=same\n" +
                                    layer("x", "b") + token("n", "x") + put_back("y", "b", "n")},
  };
}

StageProgram alone(const Part& part, bool donated) {
  const std::string name = part.name + (donated ? "" : "_copied");
  std::string text = "HloModule " + name + (donated ? ", input_output_alias={ {0}: (0, {}, may-alias) }" : "") +
                     "\n\n" + kFunctions + "ENTRY main {\n";
  for (size_t n = 0; n < kInputs.size(); ++n)
    text += "  " + kInputs[n].first + " = " + kInputs[n].second + " parameter(" + std::to_string(n) + ")\n";
  text += kConstants + part.body + "  ROOT all = (f32[5,8,211,37], f32[37]) tuple(y, " + part.a + ")\n}\n";
  return {name, text, few_values(12, /*special=*/false)};
}

StageProgram looped(const Part& part, int64_t steps) {
  const std::string name = part.name + "_" + std::to_string(steps);
  std::string state = "(s32[]", rest;
  for (const auto& [input, shape] : kInputs) state += ", " + shape;
  state += ")";
  std::string text = "HloModule " + name + ", input_output_alias={ {0}: (0, {}, may-alias) }\n\n" + kFunctions +
                     "body {\n  q = " + state + " parameter(0)\n  t0 = s32[] get-tuple-element(q), index=0\n";
  for (size_t n = 0; n < kInputs.size(); ++n)
    text += "  " + kInputs[n].first + (kInputs[n].first == "l" ? "0" : "") + " = " + kInputs[n].second +
            " get-tuple-element(q), index=" + std::to_string(n + 1) + "\n";
  text += kConstants + "  next = s32[] add(t0, one)\n  l = s32[] add(l0, t0)\n" + part.body + "  ROOT r = " + state +
          " tuple(next, y, u, l0, p, lanes, on, " + part.a + ")\n}\n\ncond {\n  q = " + state +
          " parameter(0)\n  t0 = s32[] get-tuple-element(q), index=0\n  end = s32[] constant(" + std::to_string(steps) +
          ")\n  ROOT less = pred[] compare(t0, end), direction=LT\n}\n\nENTRY main {\n";
  for (size_t n = 0; n < kInputs.size(); ++n)
    text += "  " + kInputs[n].first + " = " + kInputs[n].second + " parameter(" + std::to_string(n) + ")\n";
  text += "  o = s32[] constant(0)\n  s = " + state + " tuple(o, k, u, l, p, lanes, on, c)\n  w = " + state +
          " while(s), condition=cond, body=body\n  y = f32[5,8,211,37] get-tuple-element(w), index=1\n  a = f32[37] "
          "get-tuple-element(w), index=7\n  ROOT all = (f32[5,8,211,37], f32[37]) tuple(y, a)\n}\n";
  return {name, text, few_values(12, /*special=*/false)};
}

std::vector<StageProgram> programs() {
  std::vector<StageProgram> result;
  for (const Part& part : parts()) {
    result.push_back(alone(part, true));
    result.push_back(alone(part, false));
    result.push_back(looped(part, 3));
  }
  for (const int64_t steps : {0, 1}) result.push_back(looped(parts()[1], steps));
  return result;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
