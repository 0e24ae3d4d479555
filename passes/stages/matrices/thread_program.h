// What a thread, or a warp, computes alone with small matrices: a computation as a list of units, each of which fills
// an array of the thread's own (registers, where all loops over it are unrolled), solves a system in such arrays, runs
// a loop over units, or stores. Of a batch each thread has one matrix: everywhere the same dimension, whichever place
// it has in a value.
//
// Where a thread's registers hold too little, a warp has each matrix, and its arrays are in shared memory: its lanes
// share the elements that a unit fills, and what is solved.
//
// Steps of a loop that hand nothing on are threads, too, where there is no batch: all of them at once.
//
// Values that are read once, or only move elements, are part of the unit that reads them. What a unit needs is a demand
// graph over its own elements, whose loads are of other units' arrays, or of memory.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "passes/analysis/loops/while_analysis.h"
#include "passes/demand/demand.h"
#include "passes/stages/own/solve_stage.h"

namespace sinter {

// An array of a thread's own.
struct OwnArray {
  const Instruction* value = nullptr;  // the value that it has what the thread needs of
  DType dtype = DType::kF32;
  std::vector<int64_t> dims;  // of the value
  int batch = -1;             // the dimension that counts threads; -1: none does
  bool is_settled = false;    // `batch` is known
  std::vector<int64_t> kept;  // the dimensions of the value that the array has, outermost first; of a number none
  const Instruction* copied = nullptr;    // what it is a copy of, made once: memory that no step changes
  const Instruction* constant = nullptr;  // or what it always is
  int64_t elements() const;
};

// By dimension that `array` has: which of those it is that `other`, of a value of the same dimensions, has. One may
// have rows and columns the other way round, or leave out dimensions of 1: -1.
std::vector<int> places_in(const OwnArray& array, const OwnArray& other);

// The elements of a value, one for each of its coordinates but the batch's.
struct OwnElements {
  std::unique_ptr<DemandContext> context;
  std::unique_ptr<DemandGraph> graph;  // one result
  int batch = 0;                       // coordinate
  std::vector<int> coordinates;        // by dimension of the value; -1: the batch's, or of one element
};

struct ThreadUnit {
  enum class Kind : uint8_t {
    kFill,   // elements[0] to `array`
    kStore,  // elements[0] to result `result`, at `offset` of the graph's coordinates
    kSolve,  // by array of the call: elements to it, if it has some; and then the call
    kLoop,
  };
  Kind kind = Kind::kFill;
  const Instruction* value = nullptr;  // what is computed, or the loop
  std::vector<OwnElements> elements;
  int array = -1;
  size_t result = 0;
  IndexExpr offset;

  SolveDemand solve;              // instruction, call, extents, arrays and info
  std::vector<int> solve_arrays;  // by its arrays
  static constexpr int kInPlace = -2;
  // By its arrays: position in `elements`; -1: there are none, or it is another unit's array, which is only read; -2:
  // it is what a unit before has filled.
  std::vector<int> elements_of;
  int info = -1;  // an array, where somebody reads it

  WhileInfo loop;
  std::vector<ThreadUnit> body;
  std::vector<std::pair<int, int>> hand_on;  // at the end of a step: from one array to another
  bool is_apart = false;                     // no step needs another one
};

struct ThreadProgram {
  int64_t batch = 1;
  bool by_warp = false;  // in place of each thread there is a warp
  std::vector<OwnArray> arrays;
  std::vector<ThreadUnit> units;
  // By instruction that is loaded in some graph: its array. What is not here is in memory.
  std::map<const Instruction*, int> array_of;
  std::map<const Instruction*, const Instruction*> memory_of;  // and which parameter that is
  std::vector<const Instruction*> results;                     // by result: the value
  int64_t words = 0;                                           // 4 bytes, of what a thread has at a time

  // The loop whose steps are threads; nullptr: there is none.
  const ThreadUnit* spread_loop() const;
  int64_t threads() const;
  // Of a warp: what it has in shared memory.
  int64_t shared_bytes() const;
};

// Those of an array in shared memory: its rows are odd in elements, so that a column lies in different banks.
std::vector<int64_t> extents_in_shared(const OwnArray& array);

inline constexpr int64_t kMostSharedOfWarp = int64_t{40} << 10;  // bytes: a block has one warp, or several

// Whether what a thread has fits its registers, or what a warp has its part of shared memory.
bool fits(const ThreadProgram& program);

// What the computation is as a program of `batch` threads, or warps; nullopt: it has no such form. Memory that no step
// changes is not copied where it does not fit.
std::optional<ThreadProgram> read_thread_program(const Computation& computation, int64_t batch, bool by_warp);

}  // namespace sinter
