// donation_programs: donated parameters of which a part is updated, compared with the evaluator bit for bit. The batch
// runs each with two arrays for a donated pair and with one (run_batch.cpp).
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct Update {
  std::string name;
  std::string body;  // of the program, whose result is called `all` or `x1`
  std::string pairs = "{}: (0, {}, may-alias)";
};

// x and z are a megabyte, r a row, i and j row numbers; `x1 = x` updated at row i is what most programs begin with.
StageProgram program(const Update& update) {
  std::string text = "HloModule " + update.name + ", input_output_alias={ " + update.pairs + " }\n\n";
  text += R"(add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT sum = f32[] add(a, b)
}

last {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] copy(b)
}

ENTRY main {
  x = f32[512,512] parameter(0)
  z = f32[512,512] parameter(1)
  r = f32[1,512] parameter(2)
  i = s32[] parameter(3)
  j = s32[] parameter(4)
  o = s32[] constant(0)
  zero = f32[] constant(0)
)";
  // A few rows from the beginning, so that updates meet; clamped where they are negative.
  return {update.name, text + update.body + "}\n", few_values(12, /*special=*/false)};
}

const std::string kFirst = "  x1 = f32[512,512] dynamic-update-slice(x, r, i, o)\n";

// Arms that read the whole of what they write in place of, and a reader after them.
const std::string kInBranch = R"(HloModule in_branch, input_output_alias={ {0}: (0, {}, may-alias) }

product {
  x = f32[200,200] parameter(0)
  ROOT y = f32[200,200] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}

turned {
  x = f32[200,200] parameter(0)
  t = f32[200,200] transpose(x), dimensions={1,0}
  ROOT y = f32[200,200] dot(t, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}

ENTRY main {
  x = f32[200,200] parameter(0)
  p = pred[] parameter(1)
  y = f32[200,200] conditional(p, x, x), true_computation=product, false_computation=turned
  t = f32[200,200] transpose(x), dimensions={1,0}
  z = f32[200,200] add(t, y)
  ROOT both = (f32[200,200], f32[200,200]) tuple(y, z)
}
)";

std::vector<StageProgram> programs() {
  const std::string both = "{0}: (0, {}, may-alias), {1}: (1, {}, may-alias)", first = "{0}: (0, {}, may-alias)";
  const std::string last = "  ROOT x1 = f32[512,512] dynamic-update-slice(x, ";
  std::vector<StageProgram> all;
  const auto add = [&](const std::string& name, const std::string& body, const std::string& pairs) {
    all.push_back(program({name, body, pairs}));
  };
  const std::string whole = "{}: (0, {}, may-alias)";
  add("one_row", last + "r, i, o)\n", whole);
  add("clamped", "  far = s32[] constant(600)\n" + last + "r, far, o)\n", whole);
  add("computed", "  s = f32[1,512] sine(r)\n" + last + "s, i, o)\n", whole);
  add("added_to",
      "  p = f32[1,512] dynamic-slice(x, i, o), dynamic_slice_sizes={1,512}\n  s = f32[1,512] add(p, r)\n" + last +
          "s, i, o)\n",
      whole);
  add("from_another_row",
      "  p = f32[1,512] dynamic-slice(x, j, o), dynamic_slice_sizes={1,512}\n" + last + "p, i, o)\n", whole);
  add("overlapping", "  p = f32[5,512] dynamic-slice(x, j, o), dynamic_slice_sizes={5,512}\n" + last + "p, i, o)\n",
      whole);
  add("sum_of_all",
      "  s = f32[512] reduce(x, zero), dimensions={0}, to_apply=add\n  t = f32[1,512] reshape(s)\n" + last +
          "t, i, o)\n",
      whole);
  add("read_before",
      kFirst +
          "  s = f32[512] reduce(x, zero), dimensions={1}, to_apply=add\n"
          "  ROOT all = (f32[512,512], f32[512]) tuple(x1, s)\n",
      first);
  add("read_after",
      kFirst +
          "  s = f32[512] reduce(x1, zero), dimensions={1}, to_apply=add\n"
          "  ROOT all = (f32[512,512], f32[512]) tuple(x1, s)\n",
      first);
  add("read_too_late",
      kFirst +
          "  s = f32[512] reduce(x1, zero), dimensions={1}, to_apply=add\n"
          "  b = f32[512,512] broadcast(s), dimensions={0}\n  m = f32[512,512] multiply(b, x)\n"
          "  ROOT all = (f32[512,512], f32[512,512]) tuple(x1, m)\n",
      first);
  add("chain",
      kFirst +
          "  s = f32[1,512] negate(r)\n  x2 = f32[512,512] dynamic-update-slice(x1, s, j, o)\n"
          "  ROOT x3 = f32[512,512] dynamic-update-slice(x2, r, j, i)\n",
      whole);
  add("chain_read_between",
      kFirst +
          "  s = f32[512] reduce(x1, zero), dimensions={0}, to_apply=add\n  t = f32[1,512] reshape(s)\n"
          "  ROOT x2 = f32[512,512] dynamic-update-slice(x1, t, j, o)\n",
      whole);
  add("chain_adds_to_itself",
      kFirst +
          "  p = f32[1,512] dynamic-slice(x1, j, o), dynamic_slice_sizes={1,512}\n  s = f32[1,512] add(p, p)\n"
          "  ROOT x2 = f32[512,512] dynamic-update-slice(x1, s, j, o)\n",
      whole);
  add("chain_and_its_middle",
      kFirst +
          "  x2 = f32[512,512] dynamic-update-slice(x1, r, j, o)\n"
          "  ROOT all = (f32[512,512], f32[512,512]) tuple(x2, x1)\n",
      first);
  add("given_twice", kFirst + "  ROOT all = (f32[512,512], f32[512,512]) tuple(x1, x1)\n", first);
  add("given_second", kFirst + "  ROOT all = (f32[512,512], f32[512,512]) tuple(x1, x1)\n", "{1}: (0, {}, may-alias)");
  add("old_and_new", kFirst + "  ROOT all = (f32[512,512], f32[512,512]) tuple(x1, x)\n", first);
  const std::string two = "  z1 = f32[512,512] dynamic-update-slice(z, ",
                    tuple = "  ROOT all = (f32[512,512], f32[512,512]) tuple(x1, z1)\n";
  add("two_arrays", kFirst + "  s = f32[1,512] negate(r)\n" + two + "s, i, o)\n" + tuple, both);
  add("each_from_the_other",
      "  p = f32[1,512] dynamic-slice(x, i, o), dynamic_slice_sizes={1,512}\n"
      "  q = f32[1,512] dynamic-slice(z, i, o), dynamic_slice_sizes={1,512}\n"
      "  x1 = f32[512,512] dynamic-update-slice(x, q, i, o)\n" +
          two + "p, i, o)\n" + tuple,
      both);
  add("one_by_the_other",
      kFirst + "  p = f32[1,512] dynamic-slice(x1, j, o), dynamic_slice_sizes={1,512}\n" + two + "p, i, o)\n" + tuple,
      both);
  add("changed_places",
      "  x1 = f32[512,512] dynamic-update-slice(z, r, i, o)\n  z1 = f32[512,512] dynamic-update-slice(x, r, j, o)\n" +
          tuple,
      both);
  const std::string scatter =
      ", update_window_dims={0,1}, inserted_window_dims={}, "
      "scatter_dims_to_operand_dims={0}, index_vector_dim=0, to_apply=";
  add("scatter_one", "  k = s32[1] reshape(i)\n  ROOT x1 = f32[512,512] scatter(x, k, r)" + scatter + "last\n", whole);
  add("scatter_adds", "  k = s32[1] reshape(i)\n  ROOT x1 = f32[512,512] scatter(x, k, r)" + scatter + "add\n", whole);
  add("scatter_outside",
      "  h = s32[] constant(510)\n  l = s32[] add(i, h)\n  k = s32[1] reshape(l)\n  q = f32[3,512] pad(r, zero), "
      "padding=1_1x0_0\n  ROOT x1 = f32[512,512] scatter(x, k, q)" +
          scatter + "add\n",
      whole);
  all.push_back({"in_branch", kInBranch, few_values(12, /*special=*/false)});
  return all;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
