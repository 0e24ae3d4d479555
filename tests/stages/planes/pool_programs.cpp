// pool_programs: maxima over windows beside their gradients, of which a thread has a cell; borders of all kinds,
// windows that overlap, leave gaps and fill no whole cells, channels first and last, compared with the evaluator.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct Pad {
  int64_t low = 0, high = 0;
};

struct Pool {
  std::string name;
  std::vector<int64_t> dims, size, stride;
  std::vector<Pad> pad;
  bool pads_before = false;  // the array has its border before windows move over it, as in JAX
  DType dtype = DType::kF32;
  std::string select = "GE", scatter = "add";
  bool special = true;
};

template <class Each>
std::string joined(size_t count, const std::string& between, const Each& each) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += (i == 0 ? "" : between) + each(i);
  return text;
}

StageProgram program(const Pool& pool) {
  const size_t rank = pool.dims.size();
  std::vector<int64_t> padded, windows;
  for (size_t d = 0; d < rank; ++d) {
    padded.push_back(pool.dims[d] + pool.pad[d].low + pool.pad[d].high);
    windows.push_back((padded[d] - pool.size[d]) / pool.stride[d] + 1);
  }
  const auto number = [](int64_t value) { return std::to_string(value); };
  const std::string pads =
      joined(rank, "x", [&](size_t d) { return number(pool.pad[d].low) + "_" + number(pool.pad[d].high); });
  const std::string window = "size=" + joined(rank, "x", [&](size_t d) { return number(pool.size[d]); }) +
                             " stride=" + joined(rank, "x", [&](size_t d) { return number(pool.stride[d]); });
  const std::string scalar = shape_text(pool.dtype, {}), all = shape_text(pool.dtype, pool.dims),
                    whole = shape_text(pool.dtype, padded), some = shape_text(pool.dtype, windows);
  const std::string parameters = "  a = " + scalar + " parameter(0)\n  b = " + scalar + " parameter(1)\n";
  const std::string least = is_float(pool.dtype) ? "-inf" : "-2147483648";
  std::string text =
      "HloModule " + pool.name + "\n\nlarger {\n" + parameters + "  ROOT c = " + scalar +
      " maximum(a, b)\n}\n\nstays {\n" + parameters + "  ROOT c = pred[] compare(a, b), direction=" + pool.select +
      "\n}\n\ngive {\n" + parameters + "  ROOT c = " + scalar + " " + pool.scatter +
      "(a, b)\n}\n\nENTRY main {\n  x = " + all + " parameter(0)\n  g = " + some + " parameter(1)\n  zero = " + scalar +
      " constant(0)\n  least = " + scalar + " constant(" + least + ")\n  y = " + all + " add(x, x)\n  m = " + some +
      " reduce-window(y, least), window={" + window + " pad=" + pads + "}, to_apply=larger\n";
  const std::string gradient = " select-and-scatter(";
  if (pool.pads_before) {
    text += "  p = " + whole + " pad(y, least), padding=" + pads + "\n  q = " + whole + gradient +
            "p, g, zero), window={" + window + "}, select=stays, scatter=give\n  s = " + all + " slice(q), slice={" +
            joined(rank, ", ",
                   [&](size_t d) {
                     return "[" + number(pool.pad[d].low) + ":" + number(pool.pad[d].low + pool.dims[d]) + "]";
                   }) +
            "}\n";
  } else {
    text += "  s = " + all + gradient + "y, g, zero), window={" + window + " pad=" + pads +
            "}, select=stays, scatter=give\n";
  }
  text += "  r = " + all + " subtract(s, x)\n  ROOT t = (" + some + ", " + all + ") tuple(m, r)\n}\n";
  return {pool.name, text, few_values(5, pool.special)};
}

std::vector<StageProgram> programs() {
  const std::vector<int64_t> first = {3, 7, 84, 72}, last = {3, 84, 72, 7}, by_two = {1, 1, 2, 2};
  const std::vector<Pad> none(4), after = {{}, {}, {0, 1}, {0, 1}}, before = {{}, {}, {1, 0}, {1, 0}},
                                  around = {{}, {}, {1, 1}, {1, 1}};
  std::vector<StageProgram> result;
  for (const Pool& pool : {
           Pool{"after", first, {1, 1, 3, 3}, by_two, after, true},
           Pool{"before", first, {1, 1, 3, 3}, by_two, before, true},
           Pool{"around", first, {1, 1, 3, 3}, by_two, around, true},
           Pool{"around_itself", first, {1, 1, 3, 3}, by_two, around},
           Pool{"last_of_equals", first, {1, 1, 3, 3}, by_two, after, true, DType::kF32, "GT"},
           Pool{"channels", last, {1, 3, 3, 1}, {1, 2, 2, 1}, {{}, {0, 1}, {0, 1}, {}}, true},
           Pool{"channels_bf16",
                last,
                {1, 3, 3, 1},
                {1, 2, 2, 1},
                {{}, {1, 0}, {0, 1}, {}},
                true,
                DType::kBF16,
                "GE",
                "add",
                false},
           Pool{"inside", first, {1, 1, 4, 3}, {1, 1, 2, 3}, none},
           Pool{"odd", {3, 7, 85, 73}, {1, 1, 3, 3}, by_two, none},
           Pool{"integers", first, {1, 1, 3, 3}, by_two, none, false, DType::kS32},
           Pool{"largest", first, {1, 1, 3, 3}, by_two, around, true, DType::kF32, "GE", "maximum"},
           Pool{"apart", {4, 20, 120, 120}, {1, 1, 2, 2}, {1, 1, 2, 2}, none},
           Pool{"gaps", {4, 20, 120, 120}, {1, 1, 2, 2}, {1, 1, 3, 4}, none},
           Pool{"boxes", {5, 20, 60, 60}, {1, 2, 2, 3}, {1, 2, 2, 2}, none},
       })
    result.push_back(program(pool));
  return result;
}

// Windows that overlap add up in another order than the evaluator's, if at all.
double tolerance(DType type) { return is_float(type) ? 1e-5 : 0; }

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs(), sinter::tolerance); }
