// moved_programs: products whose results are stored in another order of dimensions, alone or subtracted from an array
// in whose place they are stored, in tiles of each form, of whole tiles and others. Each is compared with the
// evaluator.
#include <cctype>

#include "tests/stages/base/planned_programs.h"

namespace sinter {
namespace {

enum class Order : uint8_t {
  kAsItIs,
  kBatches,  // {1,0,2,3}: of batches and rows' outer part
  kHeads,    // columns in runs of `run`: {0,2,1,3}
};

struct Moved {
  Order order = Order::kBatches;
  DType dtype = DType::kBF16;
  int64_t batch = 3, outer = 2, rows = 40, columns = 96, terms = 64;
  int64_t run = 32;
  bool updates = true;  // a donated array
};

std::string program_text(const Moved& m, const std::string& name) {
  const bool heads = m.order == Order::kHeads;
  using Dims = std::vector<int64_t>;
  const Dims result = heads ? Dims{m.outer * m.rows, m.columns} : Dims{m.batch, m.outer, m.rows, m.columns};
  const Dims apart = heads ? Dims{m.outer, m.rows, m.columns / m.run, m.run} : result;
  Dims stored = apart;
  if (heads) std::swap(stored[1], stored[2]);
  if (m.order == Order::kBatches) std::swap(stored[0], stored[1]);
  std::string text = "HloModule " + name;
  if (m.updates) text += ", input_output_alias={ {}: (2, {}, may-alias) }";
  text += "\n\nENTRY main {\n";
  const auto line = [&](const std::string& value, const Dims& dims, const std::string& what) {
    text += "  " + value + " = " + shape_text(m.dtype, dims) + " " + what + "\n";
  };
  if (heads) {
    line("left", {m.outer * m.rows, m.terms}, "parameter(0)");
    line("right", {m.terms, m.columns}, "parameter(1)");
    line("product", result, "dot(left, right), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
    line("apart", apart, "reshape(product)");
    line("moved", stored, "transpose(apart), dimensions={0,2,1,3}");
  } else {
    line("left", {m.batch, m.outer, m.rows, m.terms}, "parameter(0)");
    line("right", {m.batch, m.terms, m.columns}, "parameter(1)");
    line("product", result,
         "dot(left, right), lhs_batch_dims={0}, lhs_contracting_dims={3}, rhs_batch_dims={0}, "
         "rhs_contracting_dims={1}");
    line("moved", stored,
         std::string("transpose(product), dimensions=") + (m.order == Order::kBatches ? "{1,0,2,3}" : "{0,1,2,3}"));
  }
  if (m.updates) line("weights", stored, "parameter(2)");
  line("ROOT stored", stored, m.updates ? "subtract(weights, moved)" : "negate(moved)");
  return text + "}\n";
}

StageProgram program(const Moved& m, const std::string& stage, int64_t threads) {
  constexpr const char* kOrders[] = {"as_it_is", "batches", "heads"};
  std::string name = std::string(kOrders[static_cast<int>(m.order)]) + (m.updates ? "_update" : "");
  for (const int64_t number : {m.batch, m.outer, m.rows, m.columns, m.terms, m.run})
    name += "_" + std::to_string(number);
  for (const char letter : "_" + stage) name += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  StageProgram result = {.name = name, .text = program_text(m, name), .input = few_values(10, false)};
  result.plan = plan_in_one_stage(result, stage, threads);
  return result;
}

std::vector<StageProgram> in_each_form() {
  std::vector<StageProgram> programs;
  for (const Order order : {Order::kAsItIs, Order::kBatches, Order::kHeads}) {
    for (const bool updates : {true, false}) {
      const auto add = [&](const std::string& stage, int64_t threads, Moved m) {
        m.order = order;
        m.updates = updates;
        programs.push_back(program(m, stage, threads));
      };
      add("contract(mma 64x64x32, stages 3)", 128, {});
      add("contract(mma 64x64x32, stages 3)", 128, {.rows = 37, .columns = 112, .run = 16});
      add("contract(mma 64x64x32, stages 3, split 2)", 128, {.terms = 256});
      add("contract(wgmma 64x64x64, stages 3)", 128, {.rows = 64, .columns = 128, .terms = 128});
      add("contract(wgmma 64x64x64, stages 4, tma)", 256, {.rows = 64, .columns = 128, .terms = 128});
      add("contract(mma 3xtf32 64x32x16, stages 4)", 128, {.dtype = DType::kF32, .terms = 80});
      add("contract(mma f64 32x64x16, stages 3)", 128, {.dtype = DType::kF64, .terms = 72});
      add("contract(simt 64x64x8)", 64, {.dtype = DType::kF32, .terms = 40});
      add("contract(simt 64x64x8)", 64, {.dtype = DType::kF32, .rows = 23, .columns = 48, .terms = 41, .run = 16});
      add("contract", 256, {.rows = 19, .columns = 33, .terms = 40, .run = 33});
      add("contract(gemv 16x128, stages 4)", 256, {.outer = 1, .rows = 4, .columns = 160, .terms = 512});
    }
  }
  return programs;
}

// Relative to the largest result: sums in another order, and roundings of narrow types.
double rounding(DType type) { return type == DType::kF32 ? 1e-5 : type == DType::kF64 ? 1e-14 : 0x1p-7; }

}  // namespace
}  // namespace sinter

int main() {
  using namespace sinter;
  return run_stage_programs(in_each_form(), rounding) > 0 ? 1 : 0;
}
