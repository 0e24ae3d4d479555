// stencil_programs: sums of shifted slices of one array, around it, as far as it goes, mirrored or zero at its borders,
// whose threads have several neighbouring elements; compared with the evaluator bit for bit.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

enum class Border { kAround, kEdge, kMirrored, kZero, kInside };

struct StencilSpec {
  std::string name;
  DType dtype = DType::kF32;
  int64_t rows = 0, columns = 0;  // of the result
  Border border = Border::kAround;
  int64_t reach = 1;  // how far taps are, in both directions
};

class Writer {
 public:
  explicit Writer(const StencilSpec& spec) : spec_(spec) {}

  StageProgram run() {
    const int64_t reach = spec_.reach, all = 2 * reach + 1;
    const bool inside = spec_.border == Border::kInside;
    const int64_t rows = spec_.rows + (inside ? 2 * reach : 0), columns = spec_.columns + (inside ? 2 * reach : 0);
    std::string wide = add(rows, columns, "parameter(0)");
    const std::string zero = add_scalar("0");
    if (spec_.border == Border::kZero) {
      const std::string side = std::to_string(reach) + "_" + std::to_string(reach);
      wide =
          add(rows + 2 * reach, columns + 2 * reach, "pad(" + wide + ", " + zero + "), padding=" + side + "x" + side);
    } else if (!inside) {
      wide = bordered(wide, rows, columns, 0);
      wide = bordered(wide, rows + 2 * reach, columns, 1);
    }
    // Each tap counts otherwise.
    std::string sum;
    for (int64_t tap = 0; tap < all * all; ++tap) {
      std::string value = slice(wide, tap / all, tap / all + spec_.rows, tap % all, tap % all + spec_.columns);
      const std::string weight = add_scalar(std::to_string(tap % 5 + 1));
      value = whole("multiply(" + value + ", " + whole("broadcast(" + weight + "), dimensions={}") + ")");
      sum = sum.empty() ? value : whole("add(" + sum + ", " + value + ")");
    }
    text_ += "  ROOT result = " + shape_text(spec_.dtype, {spec_.rows, spec_.columns}) + " copy(" + sum + ")\n";
    return {spec_.name, "HloModule " + spec_.name + "\n\nENTRY main {\n" + text_ + "}\n", few_values(6, false)};
  }

 private:
  std::string add(int64_t rows, int64_t columns, const std::string& operation) {
    const std::string name = "n" + std::to_string(++count_);
    text_ += "  " + name + " = " + shape_text(spec_.dtype, {rows, columns}) + " " + operation + "\n";
    return name;
  }
  std::string whole(const std::string& operation) { return add(spec_.rows, spec_.columns, operation); }
  std::string add_scalar(const std::string& value) {
    const std::string name = "n" + std::to_string(++count_);
    text_ += "  " + name + " = " + shape_text(spec_.dtype, {}) + " constant(" + value + ")\n";
    return name;
  }
  std::string slice(const std::string& array, int64_t top, int64_t bottom, int64_t left, int64_t right) {
    const auto range = [](int64_t begin, int64_t end) {
      return "[" + std::to_string(begin) + ":" + std::to_string(end) + "]";
    };
    return add(bottom - top, right - left,
               "slice(" + array + "), slice={" + range(top, bottom) + ", " + range(left, right) + "}");
  }

  // With `reach` more on both sides along one dimension.
  std::string bordered(const std::string& array, int64_t rows, int64_t columns, int dimension) {
    const int64_t extent = dimension == 0 ? rows : columns, reach = spec_.reach;
    const auto piece = [&](int64_t begin, int64_t end) {
      return dimension == 0 ? slice(array, begin, end, 0, columns) : slice(array, 0, rows, begin, end);
    };
    const auto mirrored = [&](int64_t begin, int64_t end) {
      const std::string own = piece(begin, end);
      const int64_t size = end - begin;
      return add(dimension == 0 ? size : rows, dimension == 0 ? columns : size,
                 "reverse(" + own + "), dimensions={" + std::to_string(dimension) + "}");
    };
    std::string before, after;
    const auto put = [](std::string* list, const std::string& name) { *list += (list->empty() ? "" : ", ") + name; };
    switch (spec_.border) {
      case Border::kAround:
        before = piece(extent - reach, extent);
        after = piece(0, reach);
        break;
      case Border::kMirrored:
        before = mirrored(1, reach + 1);
        after = mirrored(extent - reach - 1, extent - 1);
        break;
      default:
        for (int64_t i = 0; i < reach; ++i) {
          put(&before, piece(0, 1));
          put(&after, piece(extent - 1, extent));
        }
    }
    return add(
        rows + (dimension == 0 ? 2 * reach : 0), columns + (dimension == 1 ? 2 * reach : 0),
        "concatenate(" + before + ", " + array + ", " + after + "), dimensions={" + std::to_string(dimension) + "}");
  }

  const StencilSpec& spec_;
  std::string text_;
  int count_ = 0;
};

std::vector<StageProgram> programs() {
  constexpr DType u8 = DType::kU8, s8 = DType::kS8, bf16 = DType::kBF16, s32 = DType::kS32;
  const std::vector<StencilSpec> specs = {
      {.name = "around", .rows = 20, .columns = 256},
      {.name = "around_bytes", .dtype = u8, .rows = 64, .columns = 96},
      {.name = "around_few_bytes", .dtype = s8, .rows = 50, .columns = 100, .reach = 2},
      {.name = "around_short_rows", .rows = 1100, .columns = 4, .reach = 1},
      {.name = "edge", .rows = 40, .columns = 128, .border = Border::kEdge, .reach = 3},
      {.name = "edge_bytes", .dtype = u8, .rows = 64, .columns = 80, .border = Border::kEdge, .reach = 2},
      {.name = "edge_halves", .dtype = bf16, .rows = 40, .columns = 128, .border = Border::kEdge},
      {.name = "mirrored", .rows = 40, .columns = 128, .border = Border::kMirrored, .reach = 2},
      {.name = "mirrored_bytes", .dtype = u8, .rows = 64, .columns = 96, .border = Border::kMirrored, .reach = 3},
      {.name = "zero", .dtype = s32, .rows = 40, .columns = 128, .border = Border::kZero},
      {.name = "zero_bytes", .dtype = u8, .rows = 64, .columns = 96, .border = Border::kZero},
      {.name = "inside", .rows = 41, .columns = 126, .border = Border::kInside},
      {.name = "inside_aligned", .rows = 41, .columns = 124, .border = Border::kInside, .reach = 2},
      {.name = "odd_rows", .rows = 70, .columns = 67, .border = Border::kEdge},
  };
  std::vector<StageProgram> result;
  for (const StencilSpec& spec : specs) result.push_back(Writer(spec).run());
  return result;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
