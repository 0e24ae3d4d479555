// plane_programs: what is reduced over a few planes and read by them again, each in one thread, and filters of one
// channel, which are written out; at sizes that vectors divide and that they do not, compared with the evaluator bit
// for bit.
#include "tests/stages/base/planned_programs.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

std::string combiner(const std::string& name, DType dtype) {
  const std::string scalar = shape_text(dtype, {});
  return "\n" + name + " {\n  a = " + scalar + " parameter(0)\n  b = " + scalar +
         " parameter(1)\n  ROOT c = " + scalar + " " + name + "(a, b)\n}\n";
}

struct Planes {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<int64_t> dims;
  int64_t along = 0;  // the dimension that counts planes
  std::string operation = "add";
};

// x[q] op sum, and the largest of what comes of it; the sum of the planes is a result, too, where sizes allow it.
StageProgram reduced(const Planes& planes) {
  const auto& [name, dtype, dims, along, operation] = planes;
  std::vector<int64_t> one = dims;
  one.erase(one.begin() + along);
  std::string others;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (static_cast<int64_t>(d) != along) others += (others.empty() ? "" : ",") + std::to_string(d);
  }
  const std::string all = shape_text(dtype, dims), plane = shape_text(dtype, one);
  const std::string reduce = " reduce(", behind = "), dimensions={" + std::to_string(along) + "}, to_apply=";
  const std::string begin = operation == "maximum" ? is_float(dtype) ? "-inf" : "-2147483648" : "0";
  return {name,
          "HloModule " + name + "\n" + combiner(operation, dtype) + "\nENTRY main {\n  x = " + all +
              " parameter(0)\n  y = " + plane + " parameter(1)\n  begin = " + shape_text(dtype, {}) + " constant(" +
              begin + ")\n  r = " + plane + reduce + "x, begin" + behind + operation + "\n  s = " + plane +
              " subtract(r, y)\n  ss = " + all + " broadcast(s), dimensions={" + others + "}\n  t = " + all +
              " multiply(x, ss)\n  back = " + all + " reverse(t), dimensions={" + std::to_string(along) +
              "}\n  ROOT u = " + all + " subtract(back, x)\n}\n",
          few_values(9, false)};
}

// Planes that are moved along rows and columns, each by another distance, as a lattice's populations are; their sum and
// moments by a matrix, and what comes of these for each.
StageProgram lattice(const std::string& name, int64_t rows, int64_t columns) {
  const std::string plane = shape_text(DType::kF32, {rows, columns}), one = shape_text(DType::kF32, {1, rows, columns});
  const std::string all = shape_text(DType::kF32, {5, rows, columns}),
                    two = shape_text(DType::kF32, {2, rows, columns});
  const std::string r = std::to_string(rows), c = std::to_string(columns);
  std::string text = "HloModule " + name + "\n" + combiner("add", DType::kF32) + "\nENTRY main {\n  f = " + all +
                     " parameter(0)\n  wall = " + shape_text(DType::kPred, {rows, columns}) + " parameter(1)\n",
              names;
  struct Move {
    int64_t row = 0, column = 0;
  };
  const Move moves[] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  for (int64_t q = 0; q < 5; ++q) {
    const std::string n = std::to_string(q);
    text += "  p" + n + " = " + one + " slice(f), slice={[" + n + ":" + std::to_string(q + 1) + "], [0:" + r +
            "], [0:" + c + "]}\n";
    const auto [row, column] = moves[q];
    const bool is_row = row != 0;
    const int64_t extent = is_row ? rows : columns, by = (row + column + extent) % extent;
    std::string moved = "p" + n;
    if (by != 0) {
      const auto piece = [&](const std::string& piece_name, int64_t from, int64_t to) {
        const std::string range = "[" + std::to_string(from) + ":" + std::to_string(to) + "]";
        const std::vector<int64_t> dims = {1, is_row ? to - from : rows, is_row ? columns : to - from};
        text += "  " + piece_name + n + " = " + shape_text(DType::kF32, dims) + " slice(p" + n + "), slice={[0:1], " +
                (is_row ? range : "[0:" + r + "]") + ", " + (is_row ? "[0:" + c + "]" : range) + "}\n";
      };
      piece("a", extent - by, extent);
      piece("b", 0, extent - by);
      moved = "m" + n;
      text += "  " + moved + " = " + one + " concatenate(a" + n + ", b" + n + "), dimensions={" + (is_row ? "1" : "2") +
              "}\n";
    }
    names += (q == 0 ? "" : ", ") + moved;
  }
  text += "  g = " + all + " concatenate(" + names + "), dimensions={0}\n  zero = f32[] constant(0)\n  rho = " + plane +
          " reduce(g, zero), dimensions={0}, to_apply=add\n  rhos = " + all +
          " broadcast(rho), dimensions={1,2}\n  e = f32[5,2] constant({ {0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1} })\n"
          "  u = " +
          two + " dot(e, g), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n  eu = " + all +
          " dot(e, u), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n  uu = " + two +
          " multiply(u, u)\n  u2 = " + plane + " reduce(uu, zero), dimensions={0}, to_apply=add\n  u2s = " + all +
          " broadcast(u2), dimensions={1,2}\n  w = f32[5] constant({4, 1, 1, 1, 2})\n  ws = " + all +
          " broadcast(w), dimensions={0}\n  wr = " + all + " multiply(ws, rhos)\n  v = " + all +
          " add(eu, u2s)\n  h = " + all + " add(wr, v)\n  o = " + all +
          " reverse(g), dimensions={0}\n  walls = " + shape_text(DType::kPred, {5, rows, columns}) +
          " broadcast(wall), dimensions={1,2}\n  ROOT n = " + all + " select(walls, o, h)\n}\n";
  return {name, text, few_values(5, false)};
}

struct Filter {
  std::string name;
  std::vector<int64_t> array, kernel;  // rows, columns
  std::string window;
  std::vector<int64_t> result;
  bool is_constant = false;
  DType dtype = DType::kF32;
};

StageProgram filter(const Filter& filter) {
  const auto& [name, array, kernel, window, result, is_constant, dtype] = filter;
  const auto image = [&](const std::vector<int64_t>& dims) { return shape_text(dtype, {2, 1, dims[0], dims[1]}); };
  const std::string taps = shape_text(dtype, {kernel[0], kernel[1], 1, 1});
  std::string text = "HloModule " + name + "\n\nENTRY main {\n  x = " + image(array) + " parameter(0)\n  k = " + taps;
  if (is_constant) {
    text += " constant({";
    for (int64_t i = 0; i < kernel[0] * kernel[1]; ++i) {
      if (i % kernel[1] == 0) text += i == 0 ? " {" : " }, {";
      text += (i % kernel[1] == 0 ? " { {" : ", { {") + std::to_string(i % 5 - 1) + "} }";
    }
    text += " } })\n";
  } else {
    text += " parameter(1)\n";
  }
  text += "  y = " + image(result) + " convolution(x, k), window={" + window + "}, dim_labels=bf01_01io->bf01\n" +
          "  ROOT z = " + image(result) + " multiply(y, y)\n}\n";
  return {name, text, few_values(7, false)};
}

std::vector<StageProgram> planes() {
  std::vector<StageProgram> all;
  for (const Planes& each :
       {Planes{"three", DType::kF32, {3, 256, 256}}, Planes{"seven_odd", DType::kF32, {7, 257, 259}},
        Planes{"inside", DType::kF32, {2, 5, 130, 260}, 1}, Planes{"between", DType::kF32, {256, 4, 300}, 1},
        Planes{"most", DType::kF32, {32, 256, 258}}, Planes{"largest", DType::kF32, {6, 255, 260}, 0, "maximum"},
        Planes{"integers", DType::kS32, {2, 9, 201, 202}, 1}, Planes{"doubles", DType::kF64, {4, 260, 256}},
        Planes{"halves", DType::kBF16, {4, 256, 264}, 0, "maximum"}})
    all.push_back(reduced(each));
  all.push_back(lattice("lattice", 256, 260));
  all.push_back(lattice("lattice_odd", 259, 257));
  return all;
}

std::vector<StageProgram> filters() {
  std::vector<StageProgram> all;
  for (const Filter& each :
       {Filter{"same_3", {256, 260}, {3, 3}, "size=3x3 pad=1_1x1_1", {256, 260}, true},
        Filter{"same_5", {201, 264}, {5, 5}, "size=5x5 pad=2_2x2_2", {201, 264}, true},
        Filter{"same_5_read", {201, 264}, {5, 5}, "size=5x5 pad=2_2x2_2", {201, 264}},
        Filter{"same_7", {200, 256}, {7, 7}, "size=7x7 pad=3_3x3_3", {200, 256}, true},
        Filter{"odd_5", {203, 257}, {5, 5}, "size=5x5 pad=2_2x2_2", {203, 257}, true},
        Filter{"valid", {204, 268}, {5, 5}, "size=5x5", {200, 264}, true},
        Filter{"one_side", {200, 260}, {1, 4}, "size=1x4 pad=0_0x0_3", {200, 260}, true},
        Filter{"dilated", {200, 260}, {3, 3}, "size=3x3 pad=2_2x2_2 rhs_dilate=2x2", {200, 260}, true},
        Filter{"cut", {208, 268}, {3, 3}, "size=3x3 pad=-2_-4x-2_-4", {200, 260}, true},
        Filter{"wide", {200, 256}, {2, 2}, "size=2x2 pad=8_9x4_5", {216, 264}},
        Filter{"integers_3", {256, 260}, {3, 3}, "size=3x3 pad=1_1x1_1", {256, 260}, true, DType::kS32},
        Filter{"doubles_3", {256, 258}, {3, 3}, "size=3x3 pad=1_1x1_1", {256, 258}, false, DType::kF64}})
    all.push_back(filter(each));
  return all;
}

}  // namespace
}  // namespace sinter

int main() {
  std::vector<sinter::StageProgram> programs = sinter::planes();
  for (sinter::StageProgram& program : sinter::filters()) programs.push_back(std::move(program));
  return sinter::run_stage_programs(programs, nullptr, {}, {"separate_planes", "write_out_convolutions"});
}
