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
// All loops but those of long loops of the program are unrolled: the arrays are registers.
#include <algorithm>
#include <cmath>
#include <complex>
#include <set>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/own/own_lowerings.h"
#include "passes/lower/text/index_types.h"
#include "passes/names/value_names.h"
#include "passes/stages/matrices/matrices_stage.h"

namespace sinter {
namespace {

using StatementKind = Statement::Kind;
using UnitKind = ThreadUnit::Kind;

// Steps up to which a loop of the program is unrolled too, as its arrays may be indexed by them.
constexpr int64_t kMostUnrolled = 8;

void unroll_all(Block* block) {
  for (Statement& statement : *block) {
    if (statement.kind == StatementKind::kFor) statement.unroll = Statement::kUnrollFully;
    unroll_all(&statement.body);
    unroll_all(&statement.other);
  }
}

class MatricesLowering {
 public:
  MatricesLowering(const StageInput& input, const MatricesDemand& demand)
      : input_(input),
        demand_(demand),
        program_(demand.program),
        writer_(input, "", index_type(demand)),
        kernel_(writer_.kernel) {}

  LoweredStage run() {
    threads_ = matrices_block(program_.batch);
    add_pointers();
    add_constants();
    kernel_.description = description();
    StageBody body;
    const std::string blocks = program_.batch <= threads_       ? "1"
                               : program_.batch % threads_ == 0 ? "kBatch / kThreads"
                                                                : "(kBatch + kThreads - 1) / kThreads";
    body.set_tiles(threads_, ceil_div(program_.batch, threads_), blocks);
    body.write = [this](const Tile& tile, Block* block) { write(tile.x, block); };
    LoweredStage stage;
    stage.steps.push_back(add_kernel(&writer_, body, &stage));
    return stage;
  }

 private:
  static DType index_type(const MatricesDemand& demand) {
    if (counter_type(demand.program.batch) == DType::kS64) return DType::kS64;
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
    std::set<std::string> given;
    for (const Instruction* output : demand_.outputs) {
      if (output != nullptr) given.insert(input_.names.at(output));
    }
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
      writer_.constexpr_int("kBatch", program_.batch, "", "threads, each with matrices of its own");
    name_steps(program_.units);
    writer_.constexpr_int("kThreads", threads_);
  }

  void name_steps(const std::vector<ThreadUnit>& units) {
    for (const ThreadUnit& unit : units) {
      if (unit.kind != UnitKind::kLoop) continue;
      if (*unit.loop.trip_count > kMostUnrolled) {
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
            ", which a thread has in its registers.",
        ""};
    writer_.describe_arrays(&lines);
    lines.push_back(program_.batch == 1 ? "One thread does everything."
                                        : "A thread for each of a batch of " + std::to_string(program_.batch) + ", " +
                                              std::to_string(threads_) + " threads a block.");
    return lines;
  }

  // ---- the body ----

  const Expr* reference(int array) { return kernel_.reference(variable(array)); }

  Variable* variable(int array) {
    Variable*& found = variables_[array];
    if (found != nullptr) return found;
    const OwnArray& own = program_.arrays[static_cast<size_t>(array)];
    CType type = CType::value(own.dtype);
    if (!own.kept.empty()) {
      type = {.kind = CType::Kind::kNamed, .length = 1};
      type.name = cuda(own.dtype);
      std::string extents;
      for (const int64_t d : own.kept) extents += (extents.empty() ? "" : "][") + std::to_string(own.dims[d]);
      type.extent = extents;
    }
    const auto named = names_.find(array);
    return found = kernel_.variable(named != names_.end() ? named->second : name_of(own), type, own.value);
  }

  std::string name_of(const OwnArray& array) const {
    if (array.copied != nullptr)
      return input_.names.at(demand_.fusion->operand(static_cast<size_t>(array.copied->parameter_number)));
    if (array.constant != nullptr) return constant_name(*array.constant);
    const Instruction& value = *array.value;
    if (value.opcode == Opcode::kParameter && value.parent() == &**demand_.fusion->attributes->calls)
      return input_.names.at(demand_.fusion->operand(static_cast<size_t>(value.parameter_number)));
    return value_name(value);
  }

  void declare(int array, Block* block) {
    if (array < 0 || !declared_.insert(array).second) return;
    block->push_back({.kind = StatementKind::kDeclare, .variable = variable(array)});
  }

  void write(const Expr* tile, Block* block) {
    if (program_.batch > 1) {
      const Expr* number = writer_.infix(writer_.wide(tile), "*", writer_.constant("kThreads"));
      number = writer_.infix(number, "+", kernel_.name_expr("threadIdx.x"));
      batch_ = kernel_.reference(writer_.let("batch", writer_.index, number, block));
      if (program_.batch % threads_ != 0) block->push_back(writer_.leave(batch_, ">=", writer_.constant("kBatch")));
    } else {
      batch_ = kernel_.integer(0);
    }
    for (size_t a = 0; a < program_.arrays.size(); ++a) {
      const OwnArray& array = program_.arrays[a];
      if (array.constant != nullptr && is_read(static_cast<int>(a))) declare_constant(static_cast<int>(a), block);
      if (array.copied != nullptr) copy(static_cast<int>(a), block);
    }
    write_units(program_.units, block);
  }

  bool is_read(int array) const {
    return std::ranges::any_of(program_.array_of, [&](const auto& entry) { return entry.second == array; });
  }

  const Expr* braces(const OwnArray& array, size_t depth, int64_t first, int64_t count) {
    const CType type = CType::value(array.dtype);
    if (depth == array.kept.size()) {
      Literal element(Shape::scalar(array.dtype));
      const auto size = static_cast<size_t>(dtype_bytes(array.dtype));
      const std::span<const std::byte> from =
          array.constant->literal.bytes().subspan(static_cast<size_t>(first) * size, size);
      std::ranges::copy(from, element.mutable_bytes().begin());
      return kernel_.literal(std::move(element));
    }
    const int64_t extent = array.dims[static_cast<size_t>(array.kept[depth])];
    std::vector<const Expr*> parts;
    for (int64_t i = 0; i < extent; ++i)
      parts.push_back(braces(array, depth + 1, first + i * (count / extent), count / extent));
    return kernel_.braces(std::move(parts), type);
  }

  void declare_constant(int array, Block* block) {
    const OwnArray& own = program_.arrays[static_cast<size_t>(array)];
    declared_.insert(array);
    block->push_back(
        {.kind = StatementKind::kLet, .variable = variable(array), .value = braces(own, 0, 0, own.elements())});
  }

  // for (int row = 0; row < 4; ++row) for (int column = 0; ...): by extent; the innermost body is written by `inner`.
  template <class Inner>
  void nest(const std::vector<int64_t>& extents, Block* block, const Inner& inner) {
    std::vector<const Expr*> place;
    std::vector<Statement> loops;
    for (size_t k = 0; k < extents.size(); ++k) {
      const std::string name = k == 0 ? "row" : k == 1 ? "column" : "place";
      loops.push_back(writer_.counted_loop(name, "", std::to_string(extents[k])));
      loops.back().value = kernel_.integer(extents[k]);
      place.push_back(kernel_.reference(loops.back().variable));
    }
    Block body;
    inner(place, &body);
    for (size_t k = loops.size(); k-- > 0;) {
      loops[k].body = std::move(body);
      body = {};
      body.push_back(std::move(loops[k]));
    }
    unroll_all(&body);
    block->insert(block->end(), body.begin(), body.end());
  }

  const Expr* element_of(int array, const std::vector<const Expr*>& place) {
    const Expr* element = reference(array);
    for (const Expr* index : place)
      element = kernel_.subscript(element, index, CType::value(program_.arrays[static_cast<size_t>(array)].dtype));
    return element;
  }

  std::vector<int64_t> extents(int array) const {
    const OwnArray& own = program_.arrays[static_cast<size_t>(array)];
    std::vector<int64_t> result;
    for (const int64_t d : own.kept) result.push_back(own.dims[static_cast<size_t>(d)]);
    return result;
  }

  // Memory that no step changes.
  void copy(int array, Block* block) {
    const OwnArray& own = program_.arrays[static_cast<size_t>(array)];
    declare(array, block);
    nest(extents(array), block, [&](const std::vector<const Expr*>& place, Block* inner) {
      const Expr* offset = nullptr;
      size_t next = 0;
      for (size_t d = 0; d < own.dims.size(); ++d) {
        const bool kept = next < own.kept.size() && own.kept[next] == static_cast<int64_t>(d);
        const Expr* index = static_cast<int>(d) == own.batch ? batch_ : kept ? place[next++] : nullptr;
        if (offset != nullptr && own.dims[d] != 1) offset = writer_.infix(offset, "*", kernel_.integer(own.dims[d]));
        if (index != nullptr) offset = offset == nullptr ? index : writer_.infix(offset, "+", index);
      }
      if (offset == nullptr) offset = kernel_.integer(0);
      const Expr* value = kernel_.subscript(kernel_.reference(memory_.at(own.copied)), offset, CType::value(own.dtype));
      inner->push_back(writer_.assign(element_of(array, place), value));
    });
  }

  Expressions expressions_of(const OwnElements& elements, const std::vector<const Expr*>& place) {
    const DemandGraph& graph = *elements.graph;
    std::map<int, const Expr*> coordinates = {{elements.batch, batch_}};
    size_t next = 0;
    for (const int id : elements.coordinates) {
      if (id >= 0) coordinates[id] = place[next++];
    }
    Expressions expressions = writer_.expressions_of(graph, coordinates);
    for (size_t id = 0; id < graph.coordinates.size(); ++id) {
      if (graph.coordinates[id].role != CoordinateRole::kHostStep) continue;
      expressions.coordinates[static_cast<int>(id)] = kernel_.reference(counters_.back().variable);
      if (!counters_.back().unrolled) expressions.run_time_coordinates.insert(static_cast<int>(id));
    }
    for (const Instruction* name : loaded_values(graph)) {
      const auto array = program_.array_of.find(name);
      if (array == program_.array_of.end()) {
        expressions.buffers[name] = memory_.at(program_.memory_of.at(name));
        continue;
      }
      const OwnArray& own = program_.arrays[static_cast<size_t>(array->second)];
      Variable* held = variable(array->second);
      expressions.buffers[name] = held;
      expressions.own_arrays[held] = {own.dims, own.kept};
    }
    return expressions;
  }

  std::vector<int64_t> extents(const OwnElements& elements) const {
    std::vector<int64_t> result;
    for (const int id : elements.coordinates) {
      if (id >= 0) result.push_back(elements.graph->coordinates[id].extent);
    }
    return result;
  }

  // The value of an element; a sum in a loop of its own is called so, as its array has its name.
  const Expr* value_of(const OwnElements& elements, Expressions expressions, Block* block) {
    const Expr* value = writer_.results_of(*elements.graph, expressions, block)[0];
    for (const Statement& statement : *block) {
      const bool is_sum = statement.kind == StatementKind::kDeclare && statement.variable->origin != nullptr &&
                          statement.variable->origin->opcode == Opcode::kDot;
      if (is_sum) statement.variable->name = "total";
    }
    return value;
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
          write_loop(unit, block);
          break;
      }
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
    nest(extents(elements), block, [&](const std::vector<const Expr*>& place, Block* inner) {
      Expressions expressions = expressions_of(elements, place);
      const Expr* value = value_of(elements, expressions, inner);
      const Expr* target = kernel_.subscript(kernel_.reference(out), expressions.index(unit.offset), value->type);
      inner->push_back(writer_.assign(target, value));
    });
  }

  static std::string name_of_array(const SolveDemand& solve, const SolveArray& array) {
    if (array.name != "matrix") return array.name;
    switch (solve.call.kind) {
      case SolverCall::Kind::kCholesky:
        return "factor";
      case SolverCall::Kind::kLu:
        return "lu";
      case SolverCall::Kind::kTriangularSolve:
        return "triangle";
      default:
        return "reflectors";
    }
  }

  void solve(const ThreadUnit& unit, Block* block) {
    const SolveDemand& solve = unit.solve;
    kernel_.headers.insert("device/small_matrices.cuh");
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
    const bool fills_with_nan = solve.call.kind == SolverCall::Kind::kCholesky && solve.call.is_opcode;
    const bool keeps_failed = gives_failed && (fills_with_nan || (unit.info >= 0 && is_read(unit.info)));
    const Expr* call = kernel_.call(function, std::move(arguments), kInteger);
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
        value = kernel_.conditional(fails, kernel_.literal(not_a_number(dtype)), value);
      }
      inner->push_back(writer_.assign(element_of(id, place), value));
    });
  }

  static Literal not_a_number(DType dtype) {
    Literal literal(Shape::scalar(dtype));
    if (dtype == DType::kC64) {
      literal.mutable_values<std::complex<float>>()[0] = std::nanf("");
    } else if (dtype == DType::kC128) {
      literal.mutable_values<std::complex<double>>()[0] = std::nan("");
    } else {
      literal.set_real(0, std::nan(""));
    }
    return literal;
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
    }
    counters_.pop_back();
    // The first statement is no paragraph of its own.
    if (!loop.body.empty() && loop.body.front().kind == StatementKind::kBlank) loop.body.erase(loop.body.begin());
    block->push_back(std::move(loop));
  }

  struct Counter {
    Variable* variable = nullptr;
    bool unrolled = false;
  };

  const StageInput& input_;
  const MatricesDemand& demand_;
  const ThreadProgram& program_;
  StageWriter writer_;
  Kernel& kernel_;
  int64_t threads_ = 1;
  const Expr* batch_ = nullptr;
  std::map<const Instruction*, Variable*> memory_;  // by parameter
  std::vector<Variable*> outputs_;                  // by result
  std::map<int, Variable*> variables_;              // by array
  std::map<int, std::string> names_;                // of arrays that calls give
  std::set<int> declared_;
  std::vector<Counter> counters_;  // of the loops around
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
