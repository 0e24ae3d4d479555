// terms_programs: products of batches whose operands are one array with zeros but for some terms of each batch, as
// gradients of experts' matrices have: in tiles of each form, of whole k tiles and others, with a mask that is an
// interval or any, in which terms are in several batches, in one, or in none; of one operand or both; and masks that
// blocks cannot skip by. Each is compared with the evaluator.
#include <cctype>
#include <cstdio>

#include "tests/stages/base/planned_programs.h"

namespace sinter {
namespace {

enum class Mask : uint8_t {
  kExperts,  // terms that are neighbours, by sizes that are data
  kAny,      // an element for each batch and term
  kEmpty,    // no term counts for any batch
  kOfRows,   // differs among rows or columns: blocks skip none
};
enum class Sides : uint8_t { kBoth, kLeft, kRight };

struct Masked {
  Mask mask = Mask::kExperts;
  Sides sides = Sides::kBoth;
  DType dtype = DType::kBF16;
  int64_t batch = 5, terms = 200, rows = 72, columns = 104;
  bool turned = false;   // neighbours in memory are along k: blocks skip none
  bool grouped = false;  // each batch twice, of arrays of their own: blocks skip none
};

std::string program_text(const Masked& m, const std::string& name) {
  std::string text = "HloModule " + name + "\n\nENTRY main {\n";
  const auto line = [&](const std::string& value, DType dtype, const std::vector<int64_t>& dims,
                        const std::string& what) {
    text += "  " + value + " = " + shape_text(dtype, dims) + " " + what + "\n";
  };
  const std::string of_batch = m.grouped ? "1" : "0", of_term = m.grouped ? "2" : "1", of_outer = m.grouped ? "3" : "2";
  const auto with_groups = [&](std::vector<int64_t> dims) {
    if (m.grouped) dims.insert(dims.begin(), 2);
    return dims;
  };
  line("zero", m.dtype, {}, "constant(0)");
  // Of each batch the first term and the one behind its last: they may overlap, or hold no term.
  line("first", DType::kS32, {m.batch}, "parameter(2)");
  line("size", DType::kS32, {m.batch}, "parameter(3)");
  line("last", DType::kS32, {m.batch}, "add(first, size)");
  line("numbers", DType::kS32, {m.batch, m.terms}, "parameter(4)");
  line("none", DType::kS32, {m.batch, m.terms}, "broadcast(of_none), dimensions={}");
  text.insert(text.rfind("  none ="), "  of_none = s32[] constant(0)\n");
  line("is_any", DType::kPred, {m.batch, m.terms}, "compare(numbers, none), direction=GT");
  for (const size_t side : {0, 1}) {
    const std::string operand = side == 0 ? "left" : "right", number = std::to_string(side);
    const int64_t outer = side == 0 ? m.rows : m.columns;
    const std::vector<int64_t> full = with_groups({m.batch, m.terms, outer});
    if (m.sides == (side == 0 ? Sides::kRight : Sides::kLeft)) {
      line(operand, m.dtype, full, "parameter(" + number + ")");
      continue;
    }
    const std::vector<int64_t> array = m.turned ? std::vector{outer, m.terms} : std::vector{m.terms, outer};
    line(operand + "_array", m.dtype, with_groups(array), "parameter(" + number + ")");
    const std::string kept = m.turned ? of_outer + "," + of_term : of_term + "," + of_outer;
    line(operand + "_value", m.dtype, full,
         "broadcast(" + operand + "_array), dimensions={" + (m.grouped ? "0," : "") + kept + "}");
    line(operand + "_zeros", m.dtype, full, "broadcast(zero), dimensions={}");
    if (m.mask == Mask::kAny) {
      line(operand + "_mask", DType::kPred, full, "broadcast(is_any), dimensions={" + of_batch + "," + of_term + "}");
    } else {
      const std::string counted = m.mask == Mask::kOfRows ? of_outer : of_term;
      line(operand + "_firsts", DType::kS32, full, "broadcast(first), dimensions={" + of_batch + "}");
      line(operand + "_lasts", DType::kS32, full, "broadcast(last), dimensions={" + of_batch + "}");
      line(operand + "_number", DType::kS32, full, "iota(), iota_dimension=" + counted);
      line(operand + "_from", DType::kPred, full,
           "compare(" + operand + "_firsts, " + operand + "_number), direction=LE");
      line(operand + "_below", DType::kPred, full,
           "compare(" + operand + "_number, " + operand + "_lasts), direction=LT");
      line(operand + "_mask", DType::kPred, full, "and(" + operand + "_from, " + operand + "_below)");
    }
    line(operand, m.dtype, full, "select(" + operand + "_mask, " + operand + "_value, " + operand + "_zeros)");
  }
  const std::string batches = m.grouped ? "{0,1}" : "{0}";
  const std::vector<int64_t> result = with_groups({m.batch, m.rows, m.columns});
  line("dot", m.dtype, result,
       "dot(left, right), lhs_batch_dims=" + batches + ", rhs_batch_dims=" + batches + ", lhs_contracting_dims={" +
           of_term + "}, rhs_contracting_dims={" + of_term + "}");
  line("ROOT result", m.dtype, result, "negate(dot)");
  return text + "}\n";
}

// First terms and sizes among the terms; everything else of few values.
DrawInput input_of(const Masked& m) {
  return [draw = few_values(10, false), m](const Shape& shape, size_t number) {
    Literal value = draw(shape, number);
    if (number != 2 && number != 3) return value;
    const int64_t each = std::max<int64_t>(m.terms / m.batch, 1);
    for (int64_t i = 0; i < shape.element_count(); ++i) {
      if (number == 3 && m.mask == Mask::kEmpty) {
        value.set_integer(i, 0);
        continue;
      }
      // Some terms are in no batch, some in two, and a batch has none.
      value.set_integer(i, number == 2 ? i * each : i == 1 ? 0 : i == 2 ? each + 3 : each - 1);
    }
    return value;
  };
}

StageProgram program(const Masked& m, const std::string& stage = "", int64_t threads = 0) {
  constexpr const char* kMasks[] = {"experts", "any", "empty", "of_rows"};
  constexpr const char* kSides[] = {"both", "left", "right"};
  std::string name = std::string(kMasks[static_cast<int>(m.mask)]) + "_" + kSides[static_cast<int>(m.sides)] + "_" +
                     std::string(dtype_name(m.dtype));
  for (const int64_t number : {m.batch, m.terms, m.rows, m.columns}) name += "_" + std::to_string(number);
  name += std::string(m.turned ? "_t" : "") + (m.grouped ? "_g" : "");
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
  for (const Mask mask : {Mask::kExperts, Mask::kAny, Mask::kEmpty, Mask::kOfRows}) {
    for (const Sides sides : {Sides::kBoth, Sides::kLeft, Sides::kRight}) {
      const auto add = [&](const std::string& stage, int64_t threads, Masked m) {
        m.mask = mask;
        m.sides = sides;
        programs.push_back(program(m, stage, threads));
      };
      add("contract(mma 64x64x32, stages 3)", 128, {});
      add("contract(mma 128x32x32, stages 2)", 128, {.batch = 7, .terms = 256, .rows = 256, .columns = 96});
      add("contract(mma 64x64x32, stages 3)", 128, {.terms = 1001});
      add("contract(wgmma 64x64x64, stages 3)", 128, {.terms = 224});
      add("contract(wgmma 128x128x64, stages 4)", 256, {.terms = 512, .rows = 256, .columns = 128});
      add("contract(mma 3xtf32 64x32x16, stages 4)", 128, {.dtype = DType::kF32, .terms = 210});
      if (mask != Mask::kOfRows)  // which is computed on the way, across k
        add("contract(wgmma 3xtf32 64x64x32, stages 3)", 128, {.dtype = DType::kF32, .terms = 210});
      add("contract(mma 32x64x32, stages 4)", 64, {.dtype = DType::kF16, .terms = 160});
      add("contract(mma f64 32x64x16, stages 3)", 128, {.dtype = DType::kF64, .terms = 72});
      // What has one element at a time for a copy, and what skips none.
      add("contract(mma 64x64x32, stages 3)", 128, {.rows = 71, .columns = 33});
      add("contract(mma 64x64x32, stages 3)", 128, {.turned = true});
      add("contract(mma 64x64x32, stages 3)", 128, {.grouped = true});
      add("contract(mma 64x64x32, stages 3, split 2)", 128, {});
      add("contract", 256, {.terms = 40});
    }
  }
  return programs;
}

// Relative to the largest result: sums in another order, and roundings of narrow types.
double rounding(DType type) {
  return type == DType::kF32 ? 1e-5 : type == DType::kF64 ? 1e-14 : type == DType::kBF16 ? 0x1p-7 : 0x1p-10;
}

// Gradients of a real size are one kernel, whose blocks skip what is not theirs.
int check_plan() {
  const StageProgram experts = program({.batch = 8, .terms = 4096, .rows = 1024, .columns = 2048});
  const std::string plan = plan_of(experts);
  const size_t stage = plan.find("stage contract("), end = plan.find('}', stage);
  const std::string values = stage == std::string::npos ? "" : plan.substr(stage, end - stage);
  if (values.find(" left ") != std::string::npos && values.find(" right ") != std::string::npos) return 0;
  std::printf("FAIL %s: the masks are no part of the product\n%s", experts.name.c_str(), plan.c_str());
  return 1;
}

}  // namespace
}  // namespace sinter

int main() {
  using namespace sinter;
  return check_plan() + run_stage_programs(in_each_form(), rounding) > 0 ? 1 : 0;
}
