// A transform's text: a block loads its rows into shared memory, computed where they are read, transforms them there,
// and stores what is computed of them.
//
//   for (int i = threadIdx.x; i < kElements; i += kThreads) {
//     const int slot = i / kLength;
//     const int column = i % kLength;
//     shared.samples[slot * kStride + column] = x[(first_row + slot) * kLength + column];
//   }
//   const Complex<float>* spectrum = block_fft<...>(shared.samples, shared.spare, shared.roots);
//   ...
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/own/own_lowerings.h"

#include <algorithm>
#include <iterator>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/own/store_epilogue.h"
#include "passes/stages/own/fft_stage.h"

namespace sinter {

namespace {

class FftLowering {
 public:
  FftLowering(const StageInput& input, const FftDemand& demand)
      : input_(input),
        demand_(demand),
        several_(demand.rows_per_block > 1),
        writer_(input, "", index_type(demand)),
        kernel_(writer_.kernel) {}

  LoweredStage run() {
    const DType dtype = demand_.fft->shape.dtype;
    kernel_.headers.insert("device/block_fft.cuh");
    if (demand_.rows > 1) writer_.constexpr_int("kRows", demand_.rows);
    writer_.constexpr_int("kLength", demand_.length, "", "of a row");
    if (several_) {
      const int64_t elements = demand_.rows_per_block * demand_.length;
      writer_.constexpr_int("kRowsPerBlock", demand_.rows_per_block);
      writer_.constexpr_int("kElements", elements, "kRowsPerBlock * kLength", std::to_string(elements) + ", a block");
    }
    const int64_t room = fft_room(demand_.length, demand_.gap);
    if (demand_.gap > 0) {
      writer_.constexpr_int("kGap", demand_.gap, "", "numbers between two places that are left free");
      writer_.constexpr_int("kRoom", room, "fft_room(kLength, kGap)", std::to_string(room) + ", of a row");
    }
    if (several_) {
      writer_.constexpr_int("kStride", room + 1, this->room() + " + 1",
                            std::to_string(room + 1) + ": rows begin in different banks");
    }
    writer_.constexpr_int("kThreads", demand_.threads);
    if (several_ && exact()) kernel_.assertions.push_back({"kRows % kRowsPerBlock == 0", "every block is full"});
    const DemandGraph& all = *demand_.epilogue.all;
    writer_.add_values(all, input_.values.outputs);
    writer_.add_counter(all);
    const std::string samples = several_ ? "kRowsPerBlock * kStride" : this->room();
    const int64_t count = several_ ? demand_.rows_per_block * (room + 1) : room;
    for (const char* name : {"samples", "spare"}) add_shared(name, dtype, samples, count);
    add_shared("roots", dtype, this->room(), room);

    const std::string how = several_           ? std::to_string(demand_.rows_per_block) + " rows a block of "
                            : demand_.rows > 1 ? "A row a block of "
                                               : "One block of ";
    StageBody body;
    body.set_tiles(demand_.threads, ceil_div(demand_.rows, demand_.rows_per_block),
                   demand_.rows == 1 ? "1"
                   : !several_       ? "kRows"
                   : exact()         ? "kRows / kRowsPerBlock"
                                     : "(kRows + kRowsPerBlock - 1) / kRowsPerBlock");
    body.write = [this](const Tile& tile, Block* block) { write(tile.x, *block); };
    body.graph = &all;
    body.elements = demand_.rows * demand_.length;
    body.spread = how + std::to_string(demand_.threads) + " threads.";
    LoweredStage stage;
    stage.steps.push_back(add_kernel(&writer_, body, &stage));
    return stage;
  }

 private:
  void write(const Expr* tile, Block& body) {
    const DType dtype = demand_.fft->shape.dtype;
    shared_ = writer_.shared(&body);
    const Expr* first = writer_.wide(tile);
    if (several_) first = writer_.infix(first, "*", writer_.constant("kRowsPerBlock"));
    if (demand_.rows > 1) {
      first_row_ = kernel_.reference(writer_.let(several_ ? "first_row" : "row", writer_.index, first, &body));
    }
    body.push_back({.kind = Statement::Kind::kBlank});
    const CType element = CType::value(dtype);
    body.push_back(over_elements([&](const Expr* row, const Expr* column, const Expr* place, Block* block) {
      Expressions expressions = writer_.expressions_of(*demand_.graph, {{demand_.row, row}, {demand_.column, column}});
      expressions.constants[demand_.length] = "kLength";
      const Expr* value = writer_.results_of(*demand_.graph, expressions, block)[0];
      block->push_back(writer_.assign(kernel_.subscript(member("samples"), place, element), value));
    }));
    body.push_back({.kind = Statement::Kind::kBlank});

    const std::string rows = several_ ? "kRowsPerBlock" : "1";
    const std::string function = "block_fft<kThreads, " + rows + ", kLength, " + (demand_.gap > 0 ? "kGap" : "0") +
                                 ", " + (demand_.inverse ? "true" : "false") + ">";
    const CType pointer = {.kind = CType::Kind::kConstPointer, .dtype = dtype, .is_restrict = false};
    Variable* spectrum = kernel_.variable(demand_.inverse ? "signal" : "spectrum", pointer);
    body.push_back({.kind = Statement::Kind::kDeclare,
                    .variable = spectrum,
                    .value = kernel_.call(function, {member("samples"), member("spare"), member("roots")}, pointer)});
    body.push_back(over_elements(
        [&](const Expr* row, const Expr* column, const Expr* place, Block* block) {
          const Expr* value = kernel_.subscript(kernel_.reference(spectrum), place, element);
          if (demand_.inverse) {
            const DType part = dtype == DType::kC128 ? DType::kF64 : DType::kF32;
            const Expr* length = kernel_.literal(real_literal(part, static_cast<double>(demand_.length)));
            value = kernel_.infix(value, "/", length, element);
          }
          store(row, column, value, block);
        },
        false));
  }

  static DType index_type(const FftDemand& demand) {
    return demand.fft->shape.element_count() > INT32_MAX ? DType::kS64 : index_type_of(*demand.epilogue.all);
  }
  std::string room() const { return demand_.gap > 0 ? "kRoom" : "kLength"; }  // of a row
  bool exact() const { return demand_.rows % demand_.rows_per_block == 0; }

  void add_shared(const std::string& name, DType dtype, const std::string& extent, int64_t count) {
    kernel_.shared.members.push_back({.name = name, .dtype = dtype, .dims = {extent}});
    kernel_.shared.bytes += count * dtype_bytes(dtype);
  }
  const Expr* member(const std::string& name) {
    return kernel_.member(kernel_.reference(shared_), name, CType::value(demand_.fft->shape.dtype));
  }

  // Threads over the block's elements, neighbours in memory (of what is loaded, or else stored) by neighbouring
  // threads: `write` gets the row, the column, and the place in shared memory.
  template <class Write>
  Statement over_elements(const Write& write, bool loads = true) {
    Statement loop =
        writer_.strided_loop(several_ ? "i" : "column", writer_.constant(several_ ? "kElements" : "kLength"));
    const Expr* i = kernel_.reference(loop.variable);
    if (!several_) {
      write(first_row_ == nullptr ? kernel_.integer(0) : first_row_, i, i, &loop.body);
      return loop;
    }
    const bool across = loads ? demand_.reads_across : demand_.writes_across;
    const auto part = [&](const char* name, const char* op, const char* extent) {
      const Expr* value = kernel_.infix(i, op, kernel_.name_expr(extent), kInteger);
      return kernel_.reference(writer_.let(name, kInteger, value, &loop.body));
    };
    const Expr* slot = across ? part("slot", "%", "kRowsPerBlock") : part("slot", "/", "kLength");
    const Expr* column = across ? part("column", "/", "kRowsPerBlock") : part("column", "%", "kLength");
    Block declaration, rest;
    const Variable* variable = writer_.let("row", writer_.index, writer_.infix(first_row_, "+", slot), &declaration);
    const Expr* row = kernel_.reference(variable);
    if (!exact()) {
      Statement skip = {.kind = Statement::Kind::kIf,
                        .value = kernel_.infix(row, ">=", writer_.constant("kRows"), CType::value(DType::kPred))};
      skip.body.push_back({.kind = Statement::Kind::kContinue});
      rest.push_back(std::move(skip));
    }
    const Expr* place =
        kernel_.infix(kernel_.infix(slot, "*", kernel_.name_expr("kStride"), kInteger), "+", column, kInteger);
    write(row, column, place, &rest);
    // Elements may be the same in every row.
    if (mentions(rest, variable)) loop.body.push_back(std::move(declaration[0]));
    std::move(rest.begin(), rest.end(), std::back_inserter(loop.body));
    return loop;
  }

  // What is made of the result's element at (row, column), where it is stored.
  void store(const Expr* row, const Expr* column, const Expr* value, Block* block) {
    store_epilogue(input_, writer_, demand_.epilogue,
                   {.source = demand_.fft,
                    .coordinates = {{demand_.row, row}, {demand_.column, column}},
                    .constants = {{demand_.length, "kLength"}},
                    .name = demand_.inverse ? "sample" : "bin",
                    .value = value},
                   block);
  }

  const StageInput& input_;
  const FftDemand& demand_;
  const bool several_;
  StageWriter writer_;
  Kernel& kernel_;
  const Variable* shared_ = nullptr;
  const Expr* first_row_ = nullptr;  // the block's first or only row; nullptr where there is one
};

}  // namespace

LoweredStage lower_fft(const StageInput& input) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<FftDemand> demand = demand_fft(input.values, &failure);
  check(demand.has_value(), "lower", input.node.name + ": the transform has no form");
  return FftLowering(input, *demand).run();
}

}  // namespace sinter
