// interleaved_programs: maps whose neighbours read elements of one vector in another order than they have, each with
// what it does of its own: pairs that are turned (interleaved halves), repeated and reversed elements, pairs of pairs.
// Each is compared with the evaluator.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

// Pairs (a, b) of x become (a c - b s, a s + b c), of `angles` cosines and sines, or of what these are computed of.
StageProgram turned_pairs(const std::string& name, DType dtype, const std::string& dims, int64_t pairs, bool computes) {
  const std::string type = shape_text(dtype, {}), element = type.substr(0, type.find('['));
  const std::string half = std::to_string(pairs), whole = std::to_string(2 * pairs);
  const std::string f32 = "f32[" + dims + "," + half + "]", one = "f32[" + dims + "," + half + ",1]";
  std::string text = "HloModule " + name + "\n\nENTRY main {\n  x = " + element + "[" + dims + "," + whole +
                     "] parameter(0)\n  x_pairs = " + element + "[" + dims + "," + half + ",2] reshape(x)\n";
  int64_t rank = 1;
  for (const char c : dims) rank += c == ',' ? 1 : 0;
  const auto part = [&](const std::string& value, int64_t which) {
    std::string slice;
    size_t begin = 0;
    for (int64_t d = 0; d < rank; ++d) {
      const size_t end = std::min(dims.find(',', begin), dims.size());
      slice += "[0:" + dims.substr(begin, end - begin) + "], ";
      begin = end + 1;
    }
    slice += "[0:" + half + "], [" + std::to_string(which) + ":" + std::to_string(which + 1) + "]";
    return "  " + value + "_1 = " + element + "[" + dims + "," + half + ",1] slice(x_pairs), slice={" + slice +
           "}\n  " + value + "_0 = " + element + "[" + dims + "," + half + "] reshape(" + value + "_1)\n  " + value +
           " = " + f32 + " convert(" + value + "_0)\n";
  };
  text += part("a", 0) + part("b", 1);
  const std::string of_last = "dimensions={" + std::to_string(rank) + "}";
  if (computes) {
    text += "  angle = f32[" + half + "] parameter(1)\n  c_0 = f32[" + half + "] cosine(angle)\n  s_0 = f32[" + half +
            "] sine(angle)\n";
  } else {
    text += "  c_0 = f32[" + half + "] parameter(1)\n  s_0 = f32[" + half + "] parameter(2)\n";
  }
  text += "  c = " + f32 + " broadcast(c_0), " + of_last + "\n  s = " + f32 + " broadcast(s_0), " + of_last + "\n";
  const auto line = [&](const std::string& value, const std::string& what) {
    text += "  " + value + " = " + f32 + " " + what + "\n";
  };
  line("ac", "multiply(a, c)");
  line("bs", "multiply(b, s)");
  line("left", "subtract(ac, bs)");
  line("as", "multiply(a, s)");
  line("bc", "multiply(b, c)");
  line("right", "add(as, bc)");
  text += "  left_1 = " + one + " reshape(left)\n  right_1 = " + one + " reshape(right)\n  pairs = f32[" + dims + "," +
          half + ",2] concatenate(left_1, right_1), dimensions={" + std::to_string(rank + 1) + "}\n  turned = f32[" +
          dims + "," + whole + "] reshape(pairs)\n  ROOT y = " + element + "[" + dims + "," + whole +
          "] convert(turned)\n}\n";
  return {name, text, few_values(10, false)};
}

StageProgram text_program(const std::string& name, const std::string& lines) {
  return {name, "HloModule " + name + "\n\nENTRY main {\n" + lines + "}\n", few_values(10)};
}

std::vector<StageProgram> programs() {
  return {
      turned_pairs("halves", DType::kBF16, "3,70", 32, false),
      turned_pairs("floats", DType::kF32, "5,33", 24, false),
      turned_pairs("narrow", DType::kF16, "130", 2, false),
      turned_pairs("odd_pairs", DType::kF32, "40", 13, false),
      turned_pairs("computed", DType::kBF16, "70", 64, true),
      text_program(
          "repeated",
          "  x = f32[70,24] parameter(0)\n  y = f32[70,24,2] broadcast(x), dimensions={0,1}\n"
          "  flat = f32[70,48] reshape(y)\n  z = f32[70,48] parameter(1)\n  ROOT sum = f32[70,48] add(flat, z)\n"),
      text_program("reversed_pairs",
                   "  x = f32[65,40] parameter(0)\n  pairs = f32[65,20,2] reshape(x)\n"
                   "  turned = f32[65,20,2] reverse(pairs), dimensions={2}\n  flat = f32[65,40] reshape(turned)\n"
                   "  ROOT sum = f32[65,40] subtract(x, flat)\n"),
      text_program("pairs_of_pairs",
                   "  x = bf16[33,64] parameter(0)\n  pairs = bf16[33,16,2,2] reshape(x)\n"
                   "  turned = bf16[33,16,2,2] transpose(pairs), dimensions={0,1,3,2}\n"
                   "  flat = bf16[33,64] reshape(turned)\n  ROOT most = bf16[33,64] maximum(x, flat)\n"),
      text_program("every_fourth",
                   "  x = f32[50,64] parameter(0)\n  first = f32[50,16] slice(x), slice={[0:50], [1:64:4]}\n"
                   "  spread = f32[50,16,4] broadcast(first), dimensions={0,1}\n  flat = f32[50,64] reshape(spread)\n"
                   "  ROOT less = f32[50,64] subtract(x, flat)\n"),
      text_program("shared_of_bytes",
                   "  x = s8[30,96] parameter(0)\n  halves = s8[30,48,2] reshape(x)\n"
                   "  odd_1 = s8[30,48,1] slice(halves), slice={[0:30], [0:48], [1:2]}\n"
                   "  even_1 = s8[30,48,1] slice(halves), slice={[0:30], [0:48], [0:1]}\n"
                   "  both = s8[30,48,1] xor(odd_1, even_1)\n"
                   "  pairs = s8[30,48,2] concatenate(both, odd_1), dimensions={2}\n"
                   "  ROOT flat = s8[30,96] reshape(pairs)\n"),
  };
}

}  // namespace
}  // namespace sinter

int main() {
  return sinter::run_stage_programs(sinter::programs(), [](sinter::DType dtype) {
    using sinter::DType;
    return dtype == DType::kS8 ? 0.0 : dtype == DType::kBF16 ? 0.01 : dtype == DType::kF16 ? 0.002 : 1e-6;
  });
}
