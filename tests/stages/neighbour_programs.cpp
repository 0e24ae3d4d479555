// neighbour_programs: elements of rows taken from beside their own place - gathers along every axis, rolls, pads,
// windows, concatenations, updates - before a map and before a reduction over rows, at row lengths of 32 to 4,096: what
// several lanes read with one access, and what each of them reads at an index of its own; compared with the evaluator
// bit for bit.
#include "tests/stages/base/planned_programs.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

constexpr int64_t kRows = 8;

// The instructions that make `y` of `x`, both f32[kRows,n].
struct Neighbours {
  std::string name;
  std::string (*text)(int64_t n);
};

std::string row(int64_t n) { return shape_text(DType::kF32, {kRows, n}); }

std::string range(int64_t begin, int64_t end) { return "[" + std::to_string(begin) + ":" + std::to_string(end) + "]"; }

// Columns [begin, end) of x.
std::string columns(const std::string& name, int64_t begin, int64_t end) {
  return "  " + name + " = " + row(end - begin) + " slice(x), slice={[0:8], " + range(begin, end) + "}\n";
}

std::string rolled(const std::string& name, int64_t n, int64_t by) {
  return columns(name + "_a", n - by, n) + columns(name + "_b", 0, n - by) + "  " + name + " = " + row(n) +
         " concatenate(" + name + "_a, " + name + "_b), dimensions={1}\n";
}

std::string sum(const std::string& name, int64_t n, const std::string& a, const std::string& b) {
  return "  " + name + " = " + row(n) + " add(" + a + ", " + b + ")\n";
}

std::string rolls(int64_t n, int64_t left, int64_t right) {
  return rolled("p", n, left) + rolled("q", n, n - right) + sum("pq", n, "p", "q") + sum("y", n, "pq", "x");
}

std::string padded(int64_t n, int64_t low, int64_t high) {
  return "  zero = f32[] constant(0)\n  p = " + row(n) + " pad(x, zero), padding=0_0x" + std::to_string(low) + "_" +
         std::to_string(high) + "\n";
}

// A limit of what the drawn index may be: any number of an s32 is clamped.
std::string wrapped_index(const std::string& shape, int64_t extent) {
  return "  i = " + shape + " parameter(1)\n  extent = s32[] constant(" + std::to_string(extent) +
         ")\n  extents = " + shape + " broadcast(extent), dimensions={}\n  j = " + shape + " remainder(i, extents)\n";
}

std::string gathered_along(int64_t n, int axis) {
  const std::string shape = shape_text(DType::kS32, {kRows, n});
  const std::string across = std::to_string(axis), along = std::to_string(1 - axis);
  return wrapped_index(shape, axis == 0 ? kRows : n) + "  k = " + shape_text(DType::kS32, {kRows, n, 1}) +
         " reshape(j)\n  g = " + row(n) + " gather(x, k), offset_dims={}, collapsed_slice_dims={" + across +
         "}, start_index_map={" + across + "}, operand_batching_dims={" + along + "}, start_indices_batching_dims={" +
         along + "}, index_vector_dim=2, slice_sizes={1,1}\n" + sum("y", n, "g", "x");
}

const Neighbours kNeighbours[] = {
    {"along_rows", [](int64_t n) { return gathered_along(n, 1); }},
    {"across_rows", [](int64_t n) { return gathered_along(n, 0); }},
    {"whole_rows",
     [](int64_t n) {
       return wrapped_index("s32[8]", kRows) + "  k = s32[8,1] reshape(j)\n  g = " + row(n) +
              " gather(x, k), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
              "slice_sizes={1," +
              std::to_string(n) + "}\n" + sum("y", n, "g", "x");
     }},
    {"roll", [](int64_t n) { return rolls(n, 1, 1); }},
    {"roll_aligned", [](int64_t n) { return rolls(n, 4, 8); }},
    {"roll_unlike", [](int64_t n) { return rolls(n, 4, 3); }},
    // Four of the end are those of the beginning, behind the last whole vector.
    {"wraps_behind",
     [](int64_t n) {
       const std::string twice = std::to_string(2 * n), end = std::to_string(n + 2);
       return "  t = f32[8,2," + std::to_string(n) + "] broadcast(x), dimensions={0,2}\n  r = f32[8," + twice +
              "] reshape(t)\n  s = f32[8," + std::to_string(n - 2) + "] slice(r), slice={[0:8], [4:" + end +
              "]}\n  z = f32[] constant(0)\n  p = " + row(n) + " pad(s, z), padding=0_0x2_0\n" + sum("y", n, "p", "x");
     }},
    {"rows_rolled",
     [](int64_t n) {
       return "  a = " + shape_text(DType::kF32, {1, n}) + " slice(x), slice={[7:8], " + range(0, n) +
              "}\n  b = " + shape_text(DType::kF32, {7, n}) + " slice(x), slice={[0:7], " + range(0, n) +
              "}\n  c = " + row(n) + " concatenate(a, b), dimensions={0}\n" + sum("y", n, "c", "x");
     }},
    {"pad", [](int64_t n) { return padded(n, 1, -1) + sum("y", n, "p", "x"); }},
    {"pad_aligned", [](int64_t n) { return padded(n, -4, 4) + sum("y", n, "p", "x"); }},
    {"mirrored",
     [](int64_t n) {
       return columns("a", 0, 2) + columns("b", 0, n - 2) + "  r = " + row(2) +
              " reverse(a), dimensions={1}\n  c = " + row(n) + " concatenate(r, b), dimensions={1}\n" +
              sum("y", n, "c", "x");
     }},
    {"reversed", [](int64_t n) { return "  r = " + row(n) + " reverse(x), dimensions={1}\n" + sum("y", n, "r", "x"); }},
    {"window",
     [](int64_t n) {
       return "  zero = f32[] constant(0)\n  w = " + row(n) +
              " reduce-window(x, zero), window={size=1x3 pad=0_0x1_1}, to_apply=add_numbers\n" + sum("y", n, "w", "x");
     }},
    {"three_pieces",
     [](int64_t n) {
       return columns("a", 5, n) + columns("b", 0, 3) + columns("c", 1, 3) + "  d = " + row(n) +
              " concatenate(a, b, c), dimensions={1}\n" + sum("y", n, "d", "x");
     }},
    {"moved",
     [](int64_t n) {
       return wrapped_index("s32[]", 5) + "  none = s32[] constant(0)\n  twice = " + row(2 * n) +
              " concatenate(x, x), dimensions={1}\n  d = " + row(n) +
              " dynamic-slice(twice, none, j), dynamic_slice_sizes={8," + std::to_string(n) + "}\n" +
              sum("y", n, "d", "x");
     }},
    {"updated",
     [](int64_t n) {
       return wrapped_index("s32[]", 5) + "  a = " + shape_text(DType::kF32, {4, 16}) +
              " slice(x), slice={[4:8], [0:16]}\n  d = " + row(n) + " dynamic-update-slice(x, a, j, j)\n" +
              sum("y", n, "d", "x");
     }},
};

StageProgram neighbour_program(const Neighbours& neighbours, int64_t n, bool reduces) {
  const std::string name = neighbours.name + (reduces ? "_reduced_" : "_") + std::to_string(n);
  std::string text = "HloModule " + name + "\n";
  for (const char* combiner : {"add", "maximum"}) {
    text += std::string("\n") + combiner +
            "_numbers {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] " + combiner +
            "(a, b)\n}\n";
  }
  text += "\nENTRY main {\n  x = " + row(n) + " parameter(0)\n" + neighbours.text(n);
  if (reduces) {
    text += "  least = f32[] constant(-inf)\n  m = f32[8] reduce(y, least), dimensions={1}, to_apply=maximum_numbers\n";
    text += "  ms = " + row(n) + " broadcast(m), dimensions={0}\n  ROOT result = " + row(n) + " subtract(y, ms)\n";
  } else {
    text += "  ROOT result = " + row(n) + " multiply(y, y)\n";
  }
  return {name, text + "}\n", few_values(50, false)};
}

// So many pieces of different lengths, every third of them computed, along the last dimension of two.
StageProgram pieces_program(int64_t count) {
  const std::string name = "pieces_" + std::to_string(count);
  std::string text = "HloModule " + name + "\n\nENTRY main {\n  x = f32[2,64] parameter(0)\n", names;
  int64_t columns = 0;
  for (int64_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    const int64_t length = 1 + i % 4, begin = i * 7 % 60;
    const std::string shape = shape_text(DType::kF32, {2, length});
    text += "  s" + number + " = " + shape + " slice(x), slice={[0:2], " + range(begin, begin + length) + "}\n";
    if (i % 3 == 0) text += "  p" + number + " = " + shape + " multiply(s" + number + ", s" + number + ")\n";
    names += (i == 0 ? "" : ", ") + std::string(i % 3 == 0 ? "p" : "s") + number;
    columns += length;
  }
  text += "  ROOT r = " + shape_text(DType::kF32, {2, columns}) + " concatenate(" + names + "), dimensions={1}\n}\n";
  return {name, text, few_values(50, false)};
}

// The largest element along a short dimension of pieces that lie beside each other in another, one of them the same
// along the first.
StageProgram edges_program(int64_t n) {
  const std::string name = "edges_" + std::to_string(n);
  const std::string piece = shape_text(DType::kF32, {4, 6, n}), pieces = shape_text(DType::kF32, {4, 6, 2 * n});
  return {name,
          "HloModule " + name +
              "\n\nmaximum_numbers {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] maximum(a, "
              "b)\n}\n\nENTRY main {\n  x = " +
              piece + " parameter(0)\n  y = " + shape_text(DType::kF32, {4, n}) + " parameter(1)\n  ys = " + piece +
              " broadcast(y), dimensions={0,2}\n  edge = " + pieces + " concatenate(x, ys), dimensions={2}\n  half = " +
              "f32[] constant(-0.5)\n  halves = " + pieces + " broadcast(half), dimensions={}\n  z = " + pieces +
              " multiply(edge, halves)\n  least = f32[] constant(-inf)\n  ROOT m = " +
              shape_text(DType::kF32, {4, 2 * n}) + " reduce(z, least), dimensions={1}, to_apply=maximum_numbers\n}\n",
          few_values(50, false)};
}

// So many values stacked up along the last dimension, which one thread has: whole vectors, or none.
StageProgram stack_program(int64_t count, DType dtype) {
  const std::string name = "stack_" + std::to_string(count) + "_" + std::string(dtype_name(dtype));
  const std::string value = shape_text(dtype, {70, 90}), piece = shape_text(dtype, {70, 90, 1});
  std::string text = "HloModule " + name + "\n\nENTRY main {\n  x = " + value + " parameter(0)\n  y = " + value +
                     " parameter(1)\n  v0 = " + value + " add(x, y)\n",
              names;
  for (int64_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    if (i > 0)
      text += "  v" + number + " = " + value + (i % 2 == 0 ? " add(v" : " multiply(v") + std::to_string(i - 1) +
              (i % 3 == 0 ? ", x)\n" : ", y)\n");
    text += "  p" + number + " = " + piece + " reshape(v" + number + ")\n";
    names += (i == 0 ? "p" : ", p") + number;
  }
  text += "  ROOT r = " + shape_text(dtype, {70, 90, count}) + " concatenate(" + names + "), dimensions={2}\n}\n";
  StageProgram program = {name, text, few_values(3, false)};
  program.plan = plan_in_one_stage(program, "map over [70,90]", 128);
  return program;
}

std::vector<StageProgram> programs() {
  std::vector<StageProgram> result;
  for (const int64_t count : {2, 4, 6, 8, 16}) {
    for (const DType dtype : {DType::kF32, DType::kBF16, DType::kU8, DType::kF64})
      result.push_back(stack_program(count, dtype));
  }
  for (const int64_t count : {2, 16, 17, 63, 399, 1000}) result.push_back(pieces_program(count));
  for (const int64_t n : {5, 64, 512}) result.push_back(edges_program(n));
  for (const Neighbours& neighbours : kNeighbours) {
    for (const int64_t n : {32, 96, 512, 1024, 4096}) {
      for (const bool reduces : {false, true}) result.push_back(neighbour_program(neighbours, n, reduces));
    }
  }
  return result;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
