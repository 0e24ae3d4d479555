// version_programs: parameters that are updated part by part, with reads of what lies between two updates, compared
// with the evaluator bit for bit. The batch runs each with two arrays for a donated pair and with one (run_batch.cpp),
// so that a kernel that reads a version after the next update has written over it is seen.
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "driver/compile/compile.h"
#include "driver/compile/gpus.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct Versions {
  std::string name;
  std::string body;  // of the program
  std::string pairs = "{0}: (0, {}, may-alias)";
};

// x and z are six megabytes, of odd sizes; r is a row of them, i, j and k are where rows begin, clamped where they
// are outside.
StageProgram program(const Versions& versions) {
  std::string text = "HloModule " + versions.name;
  if (!versions.pairs.empty()) text += ", input_output_alias={ " + versions.pairs + " }";
  text += R"(

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT sum = f32[] add(a, b)
}

last {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] copy(b)
}

times {
  p = (s32[], f32[3,37,45,331], f32[331]) parameter(0)
  t = s32[] get-tuple-element(p), index=0
  x = f32[3,37,45,331] get-tuple-element(p), index=1
  s = f32[331] get-tuple-element(p), index=2
  one = s32[] constant(1)
  o = s32[] constant(0)
  next = s32[] add(t, one)
  row = f32[1,1,1,331] dynamic-slice(x, o, t, t, o), dynamic_slice_sizes={1,1,1,331}
  flat = f32[331] reshape(row)
  half = f32[] constant(0.5)
  halves = f32[331] broadcast(half), dimensions={}
  less = f32[331] multiply(s, halves)
  sum = f32[331] add(less, flat)
  ROOT all = (s32[], f32[3,37,45,331], f32[331]) tuple(next, x, sum)
}

goes_on {
  p = (s32[], f32[3,37,45,331], f32[331]) parameter(0)
  t = s32[] get-tuple-element(p), index=0
  n = s32[] constant(5)
  ROOT less = pred[] compare(t, n), direction=LT
}

ENTRY main {
  x = f32[3,37,45,331] parameter(0)
  z = f32[3,37,45,331] parameter(1)
  r = f32[1,37,1,331] parameter(2)
  i = s32[] parameter(3)
  j = s32[] parameter(4)
  k = s32[] parameter(5)
  o = s32[] constant(0)
  one = s32[] constant(1)
  two = s32[] constant(2)
  zero = f32[] constant(0)
)";
  return {versions.name, text + versions.body + "}\n", few_values(12, /*special=*/false)};
}

const std::string kArray = "f32[3,37,45,331]", kRow = "f32[1,37,1,331]";

// `name` = `array` with `row` at layer, place `at`.
std::string update(const std::string& name, const std::string& array, const std::string& row, const std::string& layer,
                   const std::string& at) {
  return "  " + name + " = " + kArray + " dynamic-update-slice(" + array + ", " + row + ", " + layer + ", o, " + at +
         ", o)\n";
}

// `name`: sums of a layer's places, as a row.
std::string sums(const std::string& name, const std::string& array, int layer) {
  const std::string from = std::to_string(layer), to = std::to_string(layer + 1);
  return "  " + name + "_l = f32[1,37,45,331] slice(" + array + "), slice={[" + from + ":" + to +
         "], [0:37], [0:45], [0:331]}\n  " + name + "_s = f32[37,331] reduce(" + name +
         "_l, zero), dimensions={0,2}, to_apply=add\n  " + name + " = " + kRow + " reshape(" + name + "_s)\n";
}

std::string slice_of(const std::string& name, const std::string& array, const std::string& layer,
                     const std::string& at) {
  return "  " + name + " = " + kRow + " dynamic-slice(" + array + ", " + layer + ", o, " + at +
         ", o), dynamic_slice_sizes={1,37,1,331}\n";
}

std::string root(const std::vector<std::string>& shapes, const std::string& values) {
  std::string text = "  ROOT all = (";
  for (size_t n = 0; n < shapes.size(); ++n) text += (n == 0 ? "" : ", ") + shapes[n];
  return text + ") tuple(" + values + ")\n";
}

// Updated layer after layer, each with what is made of the layer before, as it has been updated.
std::string layers(const std::string& x, const std::string& prefix = "") {
  const std::string& p = prefix;
  return update(p + "x1", x, "r", "o", "i") + sums(p + "a", p + "x1", 0) +
         update(p + "x2", p + "x1", p + "a", "one", "i") + sums(p + "b", p + "x2", 1) +
         update(p + "x3", p + "x2", p + "b", "two", "i") + sums(p + "c", p + "x3", 2);
}

// Written where that is inside, as `.at[l, :, i].set(...)` is; else what is there stays.
std::string set(const std::string& name, const std::string& array, const std::string& row, const std::string& layer) {
  return "  " + name + "_k = s32[1] reshape(i)\n  " + name + "_q = s32[1] reshape(" + layer + ")\n  " + name +
         "_i = s32[2] concatenate(" + name + "_q, " + name + "_k), dimensions={0}\n  " + name +
         "_r = f32[37,331] reshape(" + row + ")\n  " + name + " = " + kArray + " scatter(" + array + ", " + name +
         "_i, " + name +
         "_r), update_window_dims={0,1}, inserted_window_dims={0,2}, scatter_dims_to_operand_dims={0,2}, "
         "index_vector_dim=0, indices_are_sorted=true, unique_indices=true, to_apply=last\n";
}

// The plan of a GPU whose launches take no time: of arrays as small as these, too, each update is a kernel of its own.
// Of a parameter that is kept it is that of one that is donated: the copy at the start counts for more than the rest.
std::string plan_of_many_launches(const StageProgram& program) {
  CompileOptions options;
  options.plan_only = true;
  options.schedule.gpu = default_gpu("90a");
  options.schedule.gpu->launch_us = 0;
  std::string text = program.text;
  const size_t end = text.find('\n');
  const bool is_kept = text.substr(0, end).find("alias") == std::string::npos;
  if (is_kept && program.name != "set_of_kept") text.insert(end, ", input_output_alias={ {0}: (0, {}, may-alias) }");
  const Source source = {.name = program.name + ".hlo", .text = text};
  Diagnostics diagnostics(source);
  const std::optional<Artifact> artifact = compile(options, diagnostics);
  return artifact ? print(artifact->schedule.tree) : "";
}

// Not those of which there is no order in which every version is read before it is written over, nor those whose
// versions loops read, nor scatters of what is not donated, of which the whole array is computed.
bool is_to_be_in_place(const std::string& name) {
  static const std::set<std::string> kWhole = {"difference",       "read_too_late",  "place_from_the_last",
                                               "middle_is_result", "read_by_a_loop", "written_after_a_loop",
                                               "set_of_kept"};
  return kWhole.count(name) == 0;
}

std::vector<StageProgram> programs() {
  std::vector<StageProgram> all;
  const auto add = [&](const std::string& name, const std::string& body,
                       const std::string& pairs = "{0}: (0, {}, may-alias)") {
    all.push_back(program({name, body, pairs}));
  };
  const std::string first = update("x1", "x", "r", "o", "i"), second = update("x2", "x1", "a", "one", "j");
  const std::vector<std::string> array_and_row = {kArray, kRow}, array_and_two = {kArray, kRow, kRow};
  add("layers", layers("x") + root(array_and_row, "x3, c"));
  add("layers_of_kept", layers("x") + root(array_and_row, "x3, c"), "");
  add("kept_and_read",
      layers("x") + sums("d", "x", 1) + "  e = " + kRow + " add(c, d)\n" + root(array_and_row, "x3, e"), "");
  add("layers_of_two", layers("x") + layers("z", "z") + root({kArray, kArray, kRow, kRow}, "x3, zx3, c, zc"),
      "{0}: (0, {}, may-alias), {1}: (1, {}, may-alias)");
  add("one_from_the_other",
      first + sums("a", "x1", 0) + update("z1", "z", "a", "o", "j") + sums("b", "z1", 0) +
          update("x2", "x1", "b", "one", "k") + sums("c", "x2", 1) + update("z2", "z1", "c", "one", "k") +
          root({kArray, kArray}, "x2, z2"),
      "{0}: (0, {}, may-alias), {1}: (1, {}, may-alias)");
  // Nothing but its place in the text says when x1 is read.
  add("read_at_the_end", first + update("x2", "x1", "r", "one", "j") + update("x3", "x2", "r", "two", "k") +
                             sums("a", "x1", 0) + sums("b", "x2", 0) + root(array_and_two, "x3, a, b"));
  add("both_at_once", first + sums("a", "x1", 0) + second + sums("b", "x2", 0) + "  d = " + kRow + " subtract(a, b)\n" +
                          root(array_and_row, "x2, d"));
  add("first_and_last", first + sums("a", "x1", 0) + second + sums("b", "x2", 1) + sums("c", "x", 0) + "  d = " + kRow +
                            " subtract(b, c)\n" + root(array_and_row, "x2, d"));
  // Here is no order in which x1 may be written over.
  add("difference", first + sums("a", "x1", 0) + second + "  d = " + kArray + " subtract(x2, x1)\n" +
                        root({kArray, kArray}, "x2, d"));
  add("read_too_late", first + sums("a", "x1", 0) + second + sums("b", "x2", 1) + "  w = " + kArray +
                           " broadcast(b_s), dimensions={1,3}\n  d = " + kArray + " multiply(w, x1)\n" +
                           root({kArray, kArray}, "x2, d"));
  add("place_from_the_last",
      first + sums("a", "x1", 0) + second + sums("b", "x2", 1) +
          "  n = f32[1,1,1,1] slice(b), slice={[0:1], [3:4], [0:1], [5:6]}\n  m = f32[] reshape(n)\n"
          "  l = s32[] convert(m)\n" +
          slice_of("c", "x1", "one", "l") + root(array_and_row, "x2, c"));
  add("same_place", first + sums("a", "x1", 0) + update("x2", "x1", "a", "o", "i") + sums("b", "x2", 0) +
                        update("x3", "x2", "b", "o", "i") + sums("c", "x3", 0) + root(array_and_row, "x3, c"));
  add("adds_to_itself", first + sums("a", "x1", 0) + slice_of("p", "x1", "one", "j") + "  q = " + kRow +
                            " add(p, a)\n" + update("x2", "x1", "q", "one", "j") + sums("b", "x2", 1) +
                            root(array_and_row, "x2, b"));
  add("from_beside", first + sums("a", "x1", 0) + slice_of("p", "x1", "o", "k") + "  q = " + kRow + " add(p, a)\n" +
                         update("x2", "x1", "q", "o", "j") + sums("b", "x2", 0) + root(array_and_row, "x2, b"));
  add("windows_that_meet",
      "  s = f32[1,37,5,331] broadcast(r_f), dimensions={1,3}\n"
      "  x1 = f32[3,37,45,331] dynamic-update-slice(x, s, o, o, i, o)\n" +
          sums("a", "x1", 0) +
          "  b = f32[1,37,7,331] broadcast(a_s), dimensions={1,3}\n"
          "  x2 = f32[3,37,45,331] dynamic-update-slice(x1, b, k, o, j, o)\n" +
          sums("c", "x2", 0) + root(array_and_two, "x2, a, c"));
  all.back().text.insert(all.back().text.find("  s = f32[1,37,5,331]"), "  r_f = f32[37,331] reshape(r)\n");
  add("middle_is_result", first + sums("a", "x1", 0) + second + root({kArray, kArray}, "x2, x1"));
  add("two_ends",
      first + sums("a", "x1", 0) + second + update("y2", "x1", "r", "two", "k") + root({kArray, kArray}, "x2, y2"));
  add("two_ends_of_kept",
      first + sums("a", "x1", 0) + second + sums("b", "x2", 1) + update("y2", "x1", "b", "two", "k") +
          root({kArray, kArray}, "x2, y2"),
      "");
  const std::string loop =
      "  start = f32[331] constant({...})\n  state = (s32[], f32[3,37,45,331], f32[331]) tuple(o, x1, start)\n"
      "  end = (s32[], f32[3,37,45,331], f32[331]) while(state), condition=goes_on, body=times\n"
      "  e = f32[331] get-tuple-element(end), index=2\n";
  const std::string zeros = "  start = f32[331] broadcast(zero), dimensions={}\n";
  add("read_by_a_loop", first + sums("a", "x1", 0) + zeros + loop.substr(loop.find('\n') + 1) + second +
                            root({kArray, "f32[331]"}, "x2, e"));
  add("written_after_a_loop", first + zeros + loop.substr(loop.find('\n') + 1) + "  f = " + kRow +
                                  " broadcast(e), dimensions={3}\n" + update("x2", "x1", "f", "one", "j") +
                                  sums("b", "x2", 1) + root(array_and_row, "x2, b"));
  add("set_where_inside", set("x1", "x", "r", "o") + sums("a", "x1", 0) + set("x2", "x1", "a", "one") +
                              sums("b", "x2", 1) + set("x3", "x2", "b", "two") + sums("c", "x3", 2) +
                              root(array_and_row, "x3, c"));
  add("set_of_kept",
      set("x1", "x", "r", "o") + sums("a", "x1", 0) + set("x2", "x1", "a", "one") + sums("b", "x2", 1) +
          root(array_and_row, "x2, b"),
      "");
  add("sorted_between",
      first +
          "  v = f32[1,1,45,331] slice(x1), slice={[0:1], [3:4], [0:45], [0:331]}\n  w = f32[45,331] reshape(v)\n"
          "  g = f32[331,45] transpose(w), dimensions={1,0}\n  h = f32[331,331] dot(g, w), "
          "lhs_contracting_dims={1}, rhs_contracting_dims={0}\n  m = f32[331] reduce(h, zero), dimensions={0}, "
          "to_apply=add\n  q = " +
          kRow + " broadcast(m), dimensions={3}\n" + update("x2", "x1", "q", "o", "j") + sums("b", "x2", 0) +
          root({kArray, kRow, "f32[331,331]"}, "x2, b, h"));
  return all;
}

}  // namespace
}  // namespace sinter

int main() {
  std::vector<sinter::StageProgram> programs = sinter::programs();
  int status = 0;
  for (sinter::StageProgram& program : programs) {
    program.plan = sinter::plan_of_many_launches(program);
    const bool in_place = program.plan.find(":in_place") != std::string::npos;
    if (in_place == sinter::is_to_be_in_place(program.name)) continue;
    std::printf("FAIL %s: %s\n", program.name.c_str(), in_place ? "is updated in place" : "is not updated in place");
    status = 1;
  }
  return status | sinter::run_stage_programs(programs);
}
