// turned_programs: maps in tiles (MapTiles): transpositions of two to five dimensions and of all sizes of elements, of
// extents that tiles do not divide and that are shorter than a tile, alone and with what stands before and after them;
// compared with the evaluator bit for bit.
#include "tests/stages/base/planned_programs.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct Turned {
  std::vector<int64_t> dims;         // of the result
  std::vector<int64_t> permutation;  // of the operand's dimensions
};

const Turned kTurned[] = {
    {{70, 131}, {1, 0}},
    {{64, 128}, {1, 0}},
    {{3, 500}, {1, 0}},
    {{500, 3}, {1, 0}},
    {{2, 3, 20, 25}, {0, 3, 1, 2}},
    {{2, 20, 25, 3}, {0, 2, 3, 1}},
    {{33, 9, 5, 70}, {2, 3, 0, 1}},
    {{9, 5, 7, 3, 33}, {4, 2, 1, 0, 3}},
};

constexpr DType kTypes[] = {DType::kPred, DType::kS8, DType::kBF16, DType::kF32, DType::kF64, DType::kC64};

std::string list_text(const std::vector<int64_t>& numbers) {
  std::string text;
  for (const int64_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return "{" + text + "}";
}

// The operand's dimensions.
std::vector<int64_t> before(const Turned& turned) {
  std::vector<int64_t> dims(turned.dims.size());
  for (size_t d = 0; d < dims.size(); ++d) dims[turned.permutation[d]] = turned.dims[d];
  return dims;
}

// A transposition; with `around`, of what is computed, added to another and to an array that lies as the result does.
StageProgram turned_program(const Turned& turned, DType dtype, bool around, int64_t side) {
  const std::string result = shape_text(dtype, turned.dims), operand = shape_text(dtype, before(turned));
  const std::string by = ", dimensions=" + list_text(turned.permutation);
  std::string name = "turned";
  for (const int64_t extent : turned.dims) name += "_" + std::to_string(extent);
  name += "_" + std::string(dtype_name(dtype)) + (around ? "_sum_" : "_") + std::to_string(side);
  std::string text = "HloModule " + name + "\n\nENTRY main {\n  x = " + operand + " parameter(0)\n";
  if (around) {
    text += "  y = " + operand + " parameter(1)\n  z = " + result + " parameter(2)\n  s = " + operand +
            " multiply(x, x)\n  a = " + result + " transpose(s)" + by + "\n  b = " + result + " transpose(y)" + by +
            "\n  c = " + result + " add(a, b)\n  d = " + result + " multiply(b, z)\n  ROOT both = (" + result + ", " +
            result + ") tuple(c, d)\n}\n";
  } else {
    text += "  ROOT a = " + result + " transpose(x)" + by + "\n}\n";
  }
  StageProgram program = {name, text, few_values(9, false)};
  program.plan = plan_in_one_stage(program, "map in tiles of " + std::to_string(side), 256);
  return program;
}

std::vector<StageProgram> programs() {
  std::vector<StageProgram> result;
  for (const Turned& turned : kTurned) {
    for (const DType dtype : kTypes) {
      const bool around = dtype != DType::kPred && dtype != DType::kC64;
      result.push_back(turned_program(turned, dtype, false, result.size() % 2 == 0 ? 64 : 32));
      if (around) result.push_back(turned_program(turned, dtype, true, 32));
    }
  }
  return result;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
