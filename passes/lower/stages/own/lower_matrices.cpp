// The text of what a thread makes of small matrices: arrays of its own, a loop nest for each value that fills one, and
// calls for what is solved.
//
//   float gain[4][2];
//   #pragma unroll
//   for (int row = 0; row < 4; ++row) {
//   #pragma unroll
//     for (int column = 0; column < 2; ++column) {
//       gain[row][column] = fmaf(p[row][1], inverse[1][column], p[row][0] * inverse[0][column]);
//     }
//   }
//
// All loops but those of long loops of the program are unrolled: the arrays are registers. Where a warp has a matrix,
// arrays are its part of shared memory, and lanes have an element each:
//
//   for (int place = lane; place < 64; place += kWarp) {
//     const int row = place / 8;
//     const int column = place % 8;
//     ...
//   }
//   __syncwarp();
#include <algorithm>
#include <cmath>
#include <set>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/analysis/values/hardware.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/own/matrices_arrays.h"
#include "passes/lower/stages/own/own_lowerings.h"
#include "passes/lower/text/index_types.h"
#include "passes/names/value_names.h"
#include "passes/stages/matrices/join_arrays.h"
#include "passes/stages/matrices/matrices_stage.h"

namespace sinter {
namespace {

using StatementKind = Statement::Kind;
using UnitKind = ThreadUnit::Kind;

// Steps up to which a loop of the program is unrolled too, as its arrays may be indexed by them.
constexpr int64_t kMostUnrolled = 8;

class MatricesLowering : MatricesArrays {
 public:
  MatricesLowering(const StageInput& input, const MatricesDemand& demand)
      : MatricesArrays(input, demand, index_type(demand)) {}

  LoweredStage run() {
    const int64_t threads = program_.threads();
    const MatricesLaunch launch = matrices_launch(program_);
    threads_ = launch.threads;
    teams_ = launch.teams;
    add_pointers();
    add_constants();
    kernel_.description = description();
    StageBody body;
    const std::string all = spread_ == nullptr ? "kBatch" : steps_.at(spread_);
    const std::string each = teams_constant();
    const std::string blocks = threads <= teams_       ? "1"
                               : threads % teams_ == 0 ? all + " / " + each
                                                       : "(" + all + " + " + each + " - 1) / " + each;
    body.set_tiles(threads_, ceil_div(threads, teams_), blocks);
    body.write = [this](const Tile& tile, Block* block) { write(tile.x, block); };
    LoweredStage stage;
    stage.steps.push_back(add_kernel(&writer_, body, &stage));
    return stage;
  }

 private:
  static DType index_type(const MatricesDemand& demand) {
    if (counter_type(demand.program.threads()) == DType::kS64) return DType::kS64;
    const auto is_large = [](const OwnArray& array) {
      return array.copied != nullptr && counter_type(array.copied->shape.element_count()) == DType::kS64;
    };
    if (std::ranges::any_of(demand.program.arrays, is_large)) return DType::kS64;
    return needs_wide(demand.program.units) ? DType::kS64 : DType::kS32;
  }
  static bool needs_wide(const std::vector<ThreadUnit>& units) {
    return std::ranges::any_of(units, [](const ThreadUnit& unit) {
      const auto wide = [](const OwnElements& elements) { return index_type_of(*elements.graph) == DType::kS64; };
      return needs_wide_sum(unit.offset) || std::ranges::any_of(unit.elements, wide) || needs_wide(unit.body);
    });
  }

  // ---- around the body ----

  void visit_reads(const std::vector<ThreadUnit>& units, std::set<const Instruction*>* read) const {
    for (const ThreadUnit& unit : units) {
      for (const OwnElements& elements : unit.elements) {
        for (const Instruction* name : loaded_values(*elements.graph)) {
          const auto memory = program_.memory_of.find(name);
          if (memory != program_.memory_of.end()) read->insert(memory->second);
        }
      }
      visit_reads(unit.body, read);
    }
  }

  void add_pointers() {
    std::set<const Instruction*> read;
    visit_reads(program_.units, &read);
    for (const OwnArray& array : program_.arrays) {
      if (array.copied != nullptr) read.insert(array.copied);
    }
    const Computation& computation = **demand_.fusion->attributes->calls;
    for (const Instruction* parameter : computation.parameters()) {
      if (read.count(parameter) == 0) continue;
      const Instruction* operand = demand_.fusion->operand(static_cast<size_t>(parameter->parameter_number));
      memory_[parameter] =
          writer_.add_pointer(input_.names.at(operand) + "_in", operand->shape, false, StageArgument::of(operand));
    }
    for (const Instruction* output : demand_.outputs) {
      outputs_.push_back(output == nullptr ? nullptr
                                           : writer_.add_pointer(input_.names.at(output) + "_out", output->shape, true,
                                                                 StageArgument::of(output)));
    }
  }

  void add_constants() {
    if (program_.batch > 1)
      writer_.constexpr_int("kBatch", program_.batch, "",
                            std::string(program_.by_warp ? "warps" : "threads") + ", each with matrices of its own");
    name_steps(program_.units);
    writer_.constexpr_int("kThreads", threads_);
    if (!program_.by_warp) return;
    writer_.constexpr_int("kWarp", kWarp, "", "lanes");
    if (program_.threads() > 1) writer_.constexpr_int("kWarps", teams_, "kThreads / kWarp", std::to_string(teams_));
  }

  // How many matrices a block has.
  const char* teams_constant() const { return program_.by_warp ? "kWarps" : "kThreads"; }

  void name_steps(const std::vector<ThreadUnit>& units) {
    for (const ThreadUnit& unit : units) {
      if (unit.kind != UnitKind::kLoop) continue;
      if (*unit.loop.trip_count > kMostUnrolled || &unit == spread_ || program_.by_warp) {
        std::string name = "kSteps";
        if (!steps_.empty()) name += std::to_string(steps_.size() + 1);
        steps_[&unit] = name;
        writer_.constexpr_int(name, *unit.loop.trip_count);
      }
      name_steps(unit.body);
    }
  }

  std::vector<std::string> description() const {
    const auto is_loop = [](const ThreadUnit& unit) { return unit.kind == UnitKind::kLoop; };
    const auto loop = std::ranges::find_if(program_.units, is_loop);
    const bool is_of_one_loop = std::ranges::count_if(program_.units, is_loop) == 1;
    std::vector<std::string> lines = {
        kernel_.name + ": " +
            (is_of_one_loop ? "the " + std::to_string(*loop->loop.trip_count) + " steps of a loop over small matrices"
                            : "small matrices") +
            (program_.by_warp ? ", which a warp has in shared memory." : ", which a thread has in its registers."),
        ""};
    writer_.describe_arrays(&lines);
    if (program_.threads() == 1) {
      lines.emplace_back(program_.by_warp ? "One warp does everything." : "One thread does everything.");
    } else {
      lines.push_back(std::string(program_.by_warp ? "A warp" : "A thread") + " for each of " +
                      (spread_ == nullptr ? "a batch of " : std::string()) + std::to_string(program_.threads()) +
                      (spread_ == nullptr ? ", " : " steps, ") + std::to_string(threads_) + " threads a block.");
    }
    const auto is_padded = [](const OwnArray& array) {
      return array.constant == nullptr && array.kept.size() > 1 &&
             extents_in_shared(array).back() > array.dims[static_cast<size_t>(array.kept.back())];
    };
    if (program_.by_warp && std::ranges::any_of(program_.arrays, is_padded))
      lines.emplace_back("Rows of an even number of elements have one more: those of a column lie in other banks.");
    return lines;
  }

  // ---- the body ----

  void write(const Expr* tile, Block* block) {
    const int64_t threads = program_.threads();
    batch_ = kernel_.integer(0);
    const Expr* own = kernel_.name_expr("threadIdx.x");
    if (program_.by_warp) {
      const Expr* warp = writer_.constant("kWarp");
      if (teams_ > 1)
        warp_ = kernel_.reference(writer_.let("warp", kInteger, kernel_.infix(own, "/", warp, kInteger), block));
      lane_ = kernel_.reference(writer_.let("lane", kInteger, kernel_.infix(own, "%", warp, kInteger), block));
      own = warp_;
    }
    if (threads > 1) {
      const Expr* number = writer_.wide(tile);
      if (teams_ > 1) number = writer_.infix(number, "*", writer_.constant(teams_constant()));
      if (own != nullptr && teams_ > 1) number = writer_.infix(number, "+", own);
      Variable* thread = writer_.let(spread_ == nullptr ? "batch" : "t", writer_.index, number, block);
      const std::string all = spread_ == nullptr ? "kBatch" : steps_.at(spread_);
      if (threads % teams_ != 0)
        block->push_back(writer_.leave(kernel_.reference(thread), ">=", writer_.constant(all)));
      if (spread_ == nullptr) {
        batch_ = kernel_.reference(thread);
      } else {
        counters_.push_back({thread, false});
      }
    }
    if (program_.by_warp) place_arrays(block);
    bool any_copied = false;
    for (size_t a = 0; a < program_.arrays.size(); ++a) {
      const OwnArray& array = program_.arrays[a];
      if (array.constant != nullptr && is_read(static_cast<int>(a))) declare_constant(static_cast<int>(a), block);
      if (array.copied != nullptr) copy(static_cast<int>(a), block);
      any_copied |= array.copied != nullptr;
    }
    if (any_copied) sync(block);
    write_units(program_.units, block);
    counters_.clear();
  }

  void write_units(const std::vector<ThreadUnit>& units, Block* block) {
    bool follows_number = false;
    for (const ThreadUnit& unit : units) {
      // Numbers that follow one another are a paragraph.
      const bool is_number = unit.kind == UnitKind::kFill && extents(unit.array).empty();
      if (!is_number || !follows_number) block->push_back({.kind = StatementKind::kBlank});
      follows_number = is_number;
      switch (unit.kind) {
        case UnitKind::kFill:
          fill(unit, block);
          break;
        case UnitKind::kStore:
          store(unit, block);
          break;
        case UnitKind::kSolve:
          solve(unit, block);
          break;
        case UnitKind::kLoop:
          &unit == spread_ ? write_units(unit.body, block) : write_loop(unit, block);
          break;
      }
      if (unit.kind != UnitKind::kLoop) sync_after(unit, block);
    }
  }

  void fill(const ThreadUnit& unit, Block* block) {
    const OwnElements& elements = unit.elements[0];
    if (extents(unit.array).empty()) {
      Expressions expressions = expressions_of(elements, {});
      Block statements;
      const Expr* value = value_of(elements, expressions, &statements);
      unroll_all(&statements);
      block->insert(block->end(), statements.begin(), statements.end());
      if (declared_.insert(unit.array).second) {
        const StatementKind kind =
            is_changed(unit.array, program_.units) ? StatementKind::kDeclare : StatementKind::kLet;
        block->push_back({.kind = kind, .variable = variable(unit.array), .value = value});
      } else {
        block->push_back(writer_.assign(reference(unit.array), value));
      }
      return;
    }
    declare(unit.array, block);
    nest(extents(unit.array), block, [&](const std::vector<const Expr*>& place, Block* inner) {
      Expressions expressions = expressions_of(elements, place);
      const Expr* value = value_of(elements, expressions, inner);
      inner->push_back(writer_.assign(element_of(unit.array, place), value));
    });
  }

  // Whether more than one unit, or the end of a step, gives the array a value.
  static bool is_changed(int array, const std::vector<ThreadUnit>& units) { return count_changes(array, units) > 1; }
  static int count_changes(int array, const std::vector<ThreadUnit>& units) {
    int count = 0;
    for (const ThreadUnit& unit : units) {
      count += unit.array == array ? 1 : 0;
      for (const auto& [from, to] : unit.hand_on) count += to == array ? 1 : 0;
      count += count_changes(array, unit.body);
    }
    return count;
  }

  void store(const ThreadUnit& unit, Block* block) {
    const Variable* out = outputs_[unit.result];
    if (out == nullptr) return;
    const OwnElements& elements = unit.elements[0];
    // A number is one lane's to store.
    Statement first = {.kind = StatementKind::kIf};
    const bool is_lanes_number = program_.by_warp && extents(elements).empty();
    if (is_lanes_number) first.value = kernel_.infix(lane_, "==", kernel_.integer(0), kPred);
    nest(extents(elements), is_lanes_number ? &first.body : block,
         [&](const std::vector<const Expr*>& place, Block* inner) {
           Expressions expressions = expressions_of(elements, place);
           const Expr* value = value_of(elements, expressions, inner);
           const Expr* target = kernel_.subscript(kernel_.reference(out), expressions.index(unit.offset), value->type);
           inner->push_back(writer_.assign(target, value));
         });
    if (is_lanes_number) block->push_back(std::move(first));
  }

  void solve(const ThreadUnit& unit, Block* block) {
    const SolveDemand& solve = unit.solve;
    if (!program_.by_warp) kernel_.headers.insert("device/small_matrices.cuh");
    for (size_t a = 0; a < solve.arrays.size(); ++a) {
      const SolveArray& array = solve.arrays[a];
      const int id = unit.solve_arrays[a];
      const bool is_given = array.operand >= 0 && unit.elements_of[a] == -1;
      if (!is_given) {
        names_.emplace(id, name_of_array(solve, array));
        declare(id, block);
      }
      if (unit.elements_of[a] < 0) continue;
      const OwnElements& elements = unit.elements[static_cast<size_t>(unit.elements_of[a])];
      // Loops follow the array; the value may have rows and columns the other way round, and leave out dimensions of 1.
      const OwnArray& own = program_.arrays[static_cast<size_t>(id)];
      nest(extents(id), block, [&](const std::vector<const Expr*>& place, Block* inner) {
        std::vector<const Expr*> of_value;
        for (size_t d = 0; d < elements.coordinates.size(); ++d) {
          if (elements.coordinates[d] < 0) continue;
          const auto at = std::ranges::find(own.kept, static_cast<int64_t>(d));
          of_value.push_back(place[static_cast<size_t>(at - own.kept.begin())]);
        }
        Expressions expressions = expressions_of(elements, of_value);
        const Expr* value = value_of(elements, expressions, inner);
        if (array.conjugated && is_complex(array.dtype)) value = kernel_.call("conjugate", {value}, value->type);
        inner->push_back(writer_.assign(element_of(id, place), value));
      });
    }
    std::vector<const Expr*> arguments;
    for (const int id : unit.solve_arrays) arguments.push_back(reference(id));
    if (program_.by_warp) {
      const bool is_filled = std::ranges::any_of(unit.elements_of, [](int elements) { return elements >= 0; });
      if (is_filled) sync(block);
      if (solve.call.kind == SolverCall::Kind::kTriangularSolve)
        arguments.push_back(kernel_.integer(solve.arrays[1].columns.value));
    }
    std::string function;
    bool gives_failed = false;
    switch (solve.call.kind) {
      case SolverCall::Kind::kCholesky:
        function = "factor_small_cholesky";
        gives_failed = true;
        break;
      case SolverCall::Kind::kLu:
        function = "factor_small_lu";
        gives_failed = true;
        break;
      case SolverCall::Kind::kTriangularSolve: {
        const bool lower = solve.call.lower != solve.arrays[0].transposed;
        function = std::string("solve_small_triangle</*lower=*/") + (lower ? "true" : "false") +
                   ", /*unit_diagonal=*/" + (solve.call.unit_diagonal ? "true" : "false") + ">";
        break;
      }
      case SolverCall::Kind::kQr:
        function = "factor_small_qr";
        break;
      case SolverCall::Kind::kHouseholder:
        function = "multiply_small_reflectors";
        break;
      default:
        function = "permute_small";
        break;
    }
    if (program_.by_warp) function = function_of_warp(solve);
    const bool fills_with_nan = solve.call.kind == SolverCall::Kind::kCholesky && solve.call.is_opcode;
    const bool keeps_failed = gives_failed && (fills_with_nan || (unit.info >= 0 && is_read(unit.info)));
    const Expr* call = kernel_.call(function, std::move(arguments), kInteger,
                                    program_.by_warp ? std::optional(Sync::kWarp) : std::nullopt);
    Variable* failed = nullptr;
    if (keeps_failed) {
      if (unit.info >= 0) {
        names_.emplace(unit.info, "failed");
        declared_.insert(unit.info);
        failed = variable(unit.info);
      } else {
        failed = kernel_.variable("failed", kInteger);
      }
      block->push_back({.kind = StatementKind::kLet, .variable = failed, .value = call});
    } else {
      block->push_back({.kind = StatementKind::kExpression, .value = call});
    }
    if (solve.arrays[0].lower_only) clear_upper(unit, fills_with_nan ? failed : nullptr, block);
  }

  // What a warp calls in place of a thread's function.
  std::string function_of_warp(const SolveDemand& solve) {
    const std::string columns = std::to_string(solve.arrays[0].is_vector() ? 1 : solve.arrays[0].columns.value);
    kernel_.headers.insert("device/team.cuh");
    const auto function = [&](const std::string& name, const std::string& header, const std::string& arguments) {
      kernel_.headers.insert("device/" + header + ".cuh");
      return name + "<WarpTeam" + arguments + ">";
    };
    switch (solve.call.kind) {
      case SolverCall::Kind::kCholesky:
        return function("factor_cholesky", "cholesky", "");
      case SolverCall::Kind::kLu:
        return function("factor_lu", "lu", ", " + columns);
      case SolverCall::Kind::kTriangularSolve: {
        const bool lower = solve.call.lower != solve.arrays[0].transposed;
        return function("solve_triangular", "triangular_solve",
                        std::string(", /*lower=*/") + (lower ? "true" : "false") + ", /*unit_diagonal=*/" +
                            (solve.call.unit_diagonal ? "true" : "false"));
      }
      case SolverCall::Kind::kQr:
        return function("factor_qr", "qr", ", " + columns);
      case SolverCall::Kind::kHouseholder:
        return function("multiply_reflectors", "qr", ", " + columns);
      default:
        return function("permute_by_pivots", "lu", "");
    }
  }

  // Zeros right of the diagonal of a factor; where there is none, and it is an operation, nothing but NaN.
  void clear_upper(const ThreadUnit& unit, const Variable* failed, Block* block) {
    const int id = unit.solve_arrays[0];
    const DType dtype = program_.arrays[static_cast<size_t>(id)].dtype;
    nest(extents(id), block, [&](const std::vector<const Expr*>& place, Block* inner) {
      const Expr* zero = kernel_.literal(Literal(Shape::scalar(dtype)));
      const Expr* value =
          kernel_.conditional(kernel_.infix(place[1], "<=", place[0], kPred), element_of(id, place), zero);
      if (failed != nullptr) {
        const Expr* fails = kernel_.infix(kernel_.reference(failed), "!=", kernel_.integer(0), kPred);
        value = kernel_.conditional(fails, kernel_.literal(real_literal(dtype, std::nan(""))), value);
      }
      inner->push_back(writer_.assign(element_of(id, place), value));
    });
  }

  void write_loop(const ThreadUnit& unit, Block* block) {
    const auto named = steps_.find(&unit);
    const bool unrolled = named == steps_.end();
    Statement loop = writer_.counted_loop(counters_.empty() ? "t" : "step", "", unrolled ? "" : named->second);
    if (unrolled) {
      loop.value = kernel_.integer(*unit.loop.trip_count);
      loop.unroll = Statement::kUnrollFully;
    }
    counters_.push_back({loop.variable, unrolled});
    write_units(unit.body, &loop.body);
    if (!unit.hand_on.empty()) loop.body.push_back({.kind = StatementKind::kBlank});
    for (const auto& [from, to] : unit.hand_on) {
      const auto& arrays = program_.arrays;
      const std::vector<int> order = places_in(arrays[static_cast<size_t>(from)], arrays[static_cast<size_t>(to)]);
      nest(extents(to), &loop.body,
           [&, source = from, target = to](const std::vector<const Expr*>& place, Block* inner) {
             std::vector<const Expr*> there;
             for (const int k : order) there.push_back(k < 0 ? kernel_.integer(0) : place[static_cast<size_t>(k)]);
             inner->push_back(writer_.assign(element_of(target, place), element_of(source, there)));
           });
      if (is_shared(to) || is_shared(from)) sync(&loop.body);
    }
    counters_.pop_back();
    // The first statement is no paragraph of its own.
    if (!loop.body.empty() && loop.body.front().kind == StatementKind::kBlank) loop.body.erase(loop.body.begin());
    block->push_back(std::move(loop));
  }

  std::map<const ThreadUnit*, std::string> steps_;
};

}  // namespace

LoweredStage lower_matrices(const StageInput& input) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<MatricesDemand> demand = demand_matrices(input.values, &failure);
  check(demand.has_value(), "lower", input.node.name + ": small matrices have no form");
  return MatricesLowering(input, *demand).run();
}

}  // namespace sinter
