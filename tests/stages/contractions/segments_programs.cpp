// segments_programs: products whose left operand has zeros but for some rows in each segment of K, as products of
// experts have: in tiles of each form, of whole rows and others, with a mask that is an interval or any, in which rows
// are in several segments, in one, or in none; batches; and masks that are none of segments. Each is compared with the
// evaluator.
#include <cctype>
#include <cstdio>

#include "tests/stages/base/planned_programs.h"

namespace sinter {
namespace {

enum class Mask : uint8_t {
  kExperts,  // rows of neighbours, by sizes that are data
  kAny,      // an element for each row and segment
  kEmpty,    // no row is in any segment
  kOfTerms,  // differs within a segment: none of segments
};

struct Masked {
  Mask mask = Mask::kExperts;
  DType dtype = DType::kBF16;
  int64_t rows = 200, columns = 72, segments = 5, length = 64;
  int64_t batch = 1;
  bool turned = false;  // the matrices' neighbours in memory are along k
};

std::string program_text(const Masked& m, const std::string& name) {
  std::string text = "HloModule " + name + "\n\nENTRY main {\n";
  const auto line = [&](const std::string& value, DType dtype, std::vector<int64_t> dims, const std::string& what,
                        bool in_batch = true) {
    if (m.batch > 1 && in_batch) dims.insert(dims.begin(), m.batch);
    text += "  " + value + " = " + shape_text(dtype, dims) + " " + what + "\n";
  };
  // Dimensions behind the batch.
  const auto at = [&](std::initializer_list<int64_t> dims) {
    std::string list;
    for (const int64_t d : dims) list += (list.empty() ? "" : ",") + std::to_string(d + (m.batch > 1 ? 1 : 0));
    return "{" + (m.batch > 1 ? "0" + std::string(list.empty() ? "" : ",") : "") + list + "}";
  };
  const std::vector<int64_t> full = {m.segments, m.rows, m.length};
  const std::vector<int64_t> matrix =
      m.turned ? std::vector{m.segments, m.columns, m.length} : std::vector{m.segments, m.length, m.columns};
  line("x", m.dtype, {m.rows, m.length}, "parameter(0)");
  line("w", m.dtype, matrix, "parameter(1)");
  line("zero", m.dtype, {}, "constant(0)", false);
  line("zeros", m.dtype, full, "broadcast(zero), dimensions={}");
  line("value", m.dtype, full, "broadcast(x), dimensions=" + at({1, 2}));
  if (m.mask == Mask::kExperts || m.mask == Mask::kEmpty) {
    // Of each segment the first row and the one behind its last: they may overlap, or hold no row.
    line("first", DType::kS32, {m.segments}, "parameter(2)");
    line("size", DType::kS32, {m.segments}, "parameter(3)");
    line("last", DType::kS32, {m.segments}, m.mask == Mask::kEmpty ? "subtract(first, first)" : "add(first, size)");
    line("row", DType::kS32, full, "iota(), iota_dimension=" + std::to_string(m.batch > 1 ? 2 : 1));
    line("firsts", DType::kS32, full, "broadcast(first), dimensions=" + at({0}));
    line("lasts", DType::kS32, full, "broadcast(last), dimensions=" + at({0}));
    line("is_from", DType::kPred, full, "compare(firsts, row), direction=LE");
    line("is_below", DType::kPred, full, "compare(row, lasts), direction=LT");
    line("mask", DType::kPred, full, "and(is_from, is_below)");
  } else if (m.mask == Mask::kAny) {
    line("rows_in", DType::kS32, {m.segments, m.rows}, "parameter(2)");
    line("none", DType::kS32, {}, "constant(0)", false);
    line("nones", DType::kS32, {m.segments, m.rows}, "broadcast(none), dimensions={}");
    line("is_in", DType::kPred, {m.segments, m.rows}, "compare(rows_in, nones), direction=GT");
    line("mask", DType::kPred, full, "broadcast(is_in), dimensions=" + at({0, 1}));
  } else {
    line("mask", DType::kPred, full, "parameter(2)");
  }
  line("masked", m.dtype, full, "select(mask, value, zeros)");
  const std::string first = m.batch > 1 ? "1" : "0", last = m.batch > 1 ? "3" : "2";
  const std::string inner = std::to_string((m.batch > 1 ? 2 : 1) + (m.turned ? 1 : 0));
  line("dot", m.dtype, {m.rows, m.columns},
       "dot(masked, w), " + std::string(m.batch > 1 ? "lhs_batch_dims={0}, rhs_batch_dims={0}, " : "") +
           "lhs_contracting_dims={" + first + "," + last + "}, rhs_contracting_dims={" + first + "," + inner + "}");
  line("ROOT result", m.dtype, {m.rows, m.columns}, "negate(dot)");
  return text + "}\n";
}

// First rows and sizes among the rows; everything else of few values.
DrawInput input_of(const Masked& m) {
  return [draw = few_values(10, false), m](const Shape& shape, size_t number) {
    Literal value = draw(shape, number);
    if (shape.dtype != DType::kS32 || m.mask == Mask::kAny) return value;
    const int64_t each = std::max<int64_t>(m.rows / m.segments, 1);
    for (int64_t i = 0; i < shape.element_count(); ++i) {
      const int64_t segment = i % m.segments;
      // Some rows are in no segment, some in two, and a segment has none.
      value.set_integer(i, number == 2 ? segment * each : segment == 1 ? 0 : segment == 2 ? each + 3 : each - 1);
    }
    return value;
  };
}

StageProgram program(const Masked& m, const std::string& stage = "", int64_t threads = 0) {
  constexpr const char* kMasks[] = {"experts", "any", "empty", "of_terms"};
  std::string name = std::string(kMasks[static_cast<int>(m.mask)]) + "_" + std::string(dtype_name(m.dtype));
  for (const int64_t number : {m.batch, m.rows, m.columns, m.segments, m.length}) name += "_" + std::to_string(number);
  if (m.turned) name += "_t";
  if (!stage.empty()) {
    for (const char letter : "_" + stage + "_" + std::to_string(threads))
      name += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  }
  StageProgram result = {.name = name, .text = program_text(m, name), .input = input_of(m)};
  if (!stage.empty()) result.plan = plan_in_one_stage(result, stage, threads);
  return result;
}

std::vector<StageProgram> in_each_form() {
  std::vector<StageProgram> programs;
  for (const Mask mask : {Mask::kExperts, Mask::kAny, Mask::kEmpty, Mask::kOfTerms}) {
    for (const bool turned : {false, true}) {
      const auto add = [&](const std::string& stage, int64_t threads, Masked m) {
        m.mask = mask;
        m.turned = turned;
        programs.push_back(program(m, stage, threads));
      };
      add("contract(mma 64x64x32, stages 3)", 128, {});
      add("contract(mma 128x32x32, stages 2)", 128, {.rows = 256, .columns = 96, .segments = 7});
      add("contract(mma 64x64x32, stages 3)", 128, {.batch = 2});
      add("contract(wgmma 64x64x64, stages 3)", 128, {});
      add("contract(wgmma 128x128x64, stages 4)", 256, {.rows = 256, .columns = 128, .length = 128});
      add("contract(mma 3xtf32 64x32x16, stages 4)", 128, {.dtype = DType::kF32, .length = 48});
      add("contract(mma f64 32x64x16, stages 3)", 128, {.dtype = DType::kF64, .length = 48});
      add("contract(wgmma 3xtf32 64x64x32, stages 3, turned)", 128, {.dtype = DType::kF32, .length = 96});
      // Segments that are no whole k tiles, of copies of 16, 8 and 4 bytes and of single elements.
      add("contract(mma 64x64x32, stages 3)", 128, {.length = 40});
      add("contract(mma 64x64x32, stages 3)", 128, {.length = 100});
      add("contract(mma 64x32x32, stages 3)", 128, {.segments = 3, .length = 37});
      add("contract(wgmma 64x64x64, stages 3)", 128, {.length = 72});
      add("contract(mma 3xtf32 64x32x16, stages 4)", 128, {.dtype = DType::kF32, .length = 50});
      // Blocks that share a tile, and an element a thread, skip none.
      add("contract(mma 64x64x32, stages 3, split 2)", 128, {});
      add("contract", 256, {.rows = 40});
    }
  }
  return programs;
}

// Relative to the largest result: sums in another order, and roundings of narrow types.
double rounding(DType type) {
  return type == DType::kF32 ? 1e-5 : type == DType::kF64 ? 1e-14 : type == DType::kBF16 ? 0x1p-7 : 0;
}

// Experts of a real size are one kernel, whose blocks skip segments.
int check_plan() {
  const StageProgram experts = program({.rows = 4096, .columns = 2048, .segments = 8, .length = 1024});
  const std::string plan = plan_of(experts);
  const size_t stage = plan.find("stage contract(");
  if (stage != std::string::npos && plan.find(" masked ", stage) != std::string::npos) return 0;
  std::printf("FAIL %s: the mask is no part of the product\n%s", experts.name.c_str(), plan.c_str());
  return 1;
}

}  // namespace
}  // namespace sinter

int main() {
  using namespace sinter;
  return check_plan() + run_stage_programs(in_each_form(), rounding) > 0 ? 1 : 0;
}
