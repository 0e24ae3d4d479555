// The text of a row function: a block loads its row of each operand into shared memory, computed where it is read; all
// its threads call the function, and store what is computed of its result.
//
//   for (int column = threadIdx.x; column < kColumns; column += kThreads) {
//     shared.row[column] = x[row * kColumns + column] + 1.0f;
//   }
//   __syncthreads();
//   ::nn::softmax_row<kThreads>(shared.row, shared.result, /*columns=*/kColumns);
//   __syncthreads();
//   for (int column = threadIdx.x; ...) probability[row * kColumns + column] = shared.result[column];
#include <algorithm>

#include "ir/module/device_functions.h"
#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/own/own_lowerings.h"
#include "passes/lower/stages/own/store_epilogue.h"
#include "passes/stages/own/row_function_stage.h"

namespace sinter {

namespace {

class RowFunctionLowering {
 public:
  RowFunctionLowering(const StageInput& input, const RowFunctionDemand& demand)
      : input_(input),
        demand_(demand),
        function_(row_function(*demand.call)),
        writer_(input, "", index_type(demand)),
        kernel_(writer_.kernel) {}

  LoweredStage run() {
    kernel_.headers.insert(function_.name.header);
    if (demand_.rows > 1) writer_.constexpr_int("kRows", demand_.rows);
    writer_.constexpr_int("kColumns", demand_.columns);
    writer_.constexpr_int("kThreads", demand_.threads);
    const DemandGraph& all = *demand_.epilogue.all;
    writer_.add_values(all, input_.values.outputs);
    writer_.add_counter(all);
    for (size_t i = 0; i < demand_.call->operands().size(); ++i) add_shared(row_name(i), operand_type(i));
    add_shared("result", demand_.call->shape.dtype, demand_.reduces);
    finish_shared();

    StageBody body;
    body.set_tiles(demand_.threads, demand_.rows, demand_.rows == 1 ? "1" : "kRows");
    body.write = [this](const Tile& tile, Block* block) { write(tile.x, *block); };
    body.graph = &all;
    body.elements = demand_.rows * demand_.columns;
    body.spread =
        (demand_.rows > 1 ? "A row a block of " : "One block of ") + std::to_string(demand_.threads) + " threads.";
    LoweredStage stage;
    stage.steps.push_back(add_kernel(&writer_, body, &stage));
    return stage;
  }

 private:
  void write(const Expr* tile, Block& body) {
    shared_ = writer_.shared(&body);
    const Expr* row = kernel_.integer(0);
    if (demand_.rows > 1) row = kernel_.reference(writer_.let("row", writer_.index, writer_.wide(tile), &body));
    body.push_back({.kind = Statement::Kind::kBlank});
    Statement load = writer_.strided_loop("column", writer_.constant("kColumns"));
    const Expr* column = kernel_.reference(load.variable);
    Expressions expressions = writer_.expressions_of(*demand_.graph, {{demand_.row, row}, {demand_.column, column}});
    expressions.constants[demand_.columns] = "kColumns";
    const std::vector<const Expr*> values = writer_.results_of(*demand_.graph, expressions, &load.body);
    for (size_t i = 0; i < values.size(); ++i) {
      const CType type = CType::value(operand_type(i));
      load.body.push_back(
          writer_.assign(kernel_.subscript(member(row_name(i), operand_type(i)), column, type), values[i]));
    }
    body.push_back(std::move(load));
    body.push_back(writer_.barrier());
    body.push_back({.kind = Statement::Kind::kBlank});

    std::vector<const Expr*> arguments;
    for (size_t i = 0; i < values.size(); ++i) arguments.push_back(member(row_name(i), operand_type(i)));
    const DType dtype = demand_.call->shape.dtype;
    arguments.push_back(member("result", dtype));
    for (const std::string& number : function_.numbers) arguments.push_back(kernel_.name_expr(number));
    const std::string name = "::" + function_.name.function + (function_.is_template ? "<kThreads>" : "");
    body.push_back(writer_.call(name, std::move(arguments)));
    body.push_back(writer_.barrier());
    body.push_back({.kind = Statement::Kind::kBlank});

    Statement store;
    if (demand_.reduces) {
      column = kernel_.integer(0);
      store = {.kind = Statement::Kind::kIf,
               .value = kernel_.infix(kernel_.name_expr("threadIdx.x"), "==", column, CType::value(DType::kPred))};
    } else {
      store = writer_.strided_loop("column", writer_.constant("kColumns"));
      column = kernel_.reference(store.variable);
    }
    const Expr* value = kernel_.subscript(member("result", dtype), column, CType::value(dtype));
    store_epilogue(input_, writer_, demand_.epilogue,
                   {.source = demand_.call,
                    .coordinates = {{demand_.row, row}, {demand_.column, column}},
                    .constants = {{demand_.columns, "kColumns"}},
                    .name = "result_value",
                    .value = value},
                   &store.body);
    body.push_back(std::move(store));
  }

  static DType index_type(const RowFunctionDemand& demand) {
    return demand.rows * demand.columns > INT32_MAX ? DType::kS64 : index_type_of(*demand.epilogue.all);
  }
  DType operand_type(size_t i) const { return demand_.call->operand(i)->shape.dtype; }
  std::string row_name(size_t i) const {
    return demand_.call->operands().size() == 1 ? "row" : "row_" + std::to_string(i);
  }
  void add_shared(const std::string& name, DType dtype, bool one = false) {
    kernel_.shared.members.push_back({.name = name, .dtype = dtype, .dims = {one ? "1" : "kColumns"}});
    const int64_t size = dtype_bytes(dtype);
    widest_ = std::max(widest_, size);
    int64_t& bytes = kernel_.shared.bytes;
    bytes = ceil_div(bytes, size) * size + (one ? 1 : demand_.columns) * size;
  }
  // Until here bytes are where the last member ends; now they are sizeof(Shared). What a launch has unasked the
  // function shares, with arrays that are declared in it: rows that leave too little of that ask for more.
  void finish_shared() {
    int64_t& bytes = kernel_.shared.bytes;
    bytes = ceil_div(bytes, widest_) * widest_;
    if (bytes > kSharedBytesUnasked || bytes <= kSharedBytesUnasked - kFunctionBytes) return;
    const int64_t more = kSharedBytesUnasked + widest_ - bytes;
    kernel_.shared.members.push_back({.name = "unused", .dtype = DType::kU8, .dims = {std::to_string(more)}});
    bytes += more;
  }
  const Expr* member(const std::string& name, DType dtype) {
    return kernel_.member(kernel_.reference(shared_), name, CType::value(dtype));
  }

  const StageInput& input_;
  const RowFunctionDemand& demand_;
  const RowFunction function_;
  StageWriter writer_;
  Kernel& kernel_;
  const Variable* shared_ = nullptr;
  int64_t widest_ = 1;  // of the types in shared memory
};

}  // namespace

LoweredStage lower_row_function(const StageInput& input) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<RowFunctionDemand> demand = demand_row_function(input.values, &failure);
  check(demand.has_value(), "lower", input.node.name + ": the row function has no form");
  return RowFunctionLowering(input, *demand).run();
}

}  // namespace sinter
