// Solving stages: a factorisation or a triangular system of each matrix of a batch, in shared memory. A matrix of up to
// kThreadExtent rows and columns is solved by one thread, in registers, one of up to 32 by a warp, a larger one by a
// block; the right sides of a triangular system are cut into tiles, each with a copy of the triangle.
//
// A stage holds a few arrays, loaded from operands and stored to results as the call says: an upper triangle is the
// lower one of the adjoint, a system from the right is one of transposed sides.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/module/solver_calls.h"
#include "passes/stages/own/own_stage.h"

namespace sinter {

struct SolveExtent {
  std::string name;  // "kRows"
  int64_t value = 0;
};

struct SolveArray {
  std::string name;  // C identifier
  DType dtype = DType::kF32;
  SolveExtent rows;
  SolveExtent columns;  // of a vector: none
  int operand = -1;     // it is loaded from, -1: from none
  int result = -1;      // it is stored to
  // How the array differs from its operand and its result.
  bool transposed = false, conjugated = false;
  bool lower_only = false;  // the result has zeros right of the array's diagonal
  bool in_tiles = false;    // the array's columns are those of a tile
  bool is_vector() const { return columns.name.empty(); }
};

struct SolveForm {
  enum class Kind : uint8_t { kThread, kWarp, kBlock };
  Kind kind = Kind::kThread;
  int64_t threads = 32;  // of a block
  int64_t teams = 1;     // matrices that a block solves
  int64_t tile = 0;      // right sides a team solves; 0: they are not cut
  int64_t tiles = 1;
};

// The elements of an operand, at a place in a matrix.
struct SolveOperand {
  std::unique_ptr<DemandGraph> graph;  // one result
  int batch = 0, row = 0, column = 0;  // coordinates; of a vector no column
};

struct SolveDemand {
  const Instruction* instruction = nullptr;
  SolverCall call;
  int64_t batch = 1;
  SolveForm form;
  std::vector<SolveExtent> extents;
  std::vector<SolveArray> arrays;
  int info = -1;                       // the result that says what failed
  std::vector<SolveOperand> operands;  // as the instruction has
  std::unique_ptr<DemandGraph> graph;  // all of them, for what they load
};

// Fills in extents, arrays and info, by the instruction and its call.
void describe_solve(SolveDemand* demand);

std::optional<SolveDemand> demand_solve(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure);

// Elements from one row of an array in shared memory to the next: odd, so that a column lies in different banks.
inline int64_t solve_pitch(int64_t columns) { return columns | 1; }

}  // namespace sinter
