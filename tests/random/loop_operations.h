// Operations in the body of a random loop. The dimensions are those of the threads (kFirst, kSecond), which operations
// follow point by point, and small ones, which every thread holds whole and operations may cut, turn and reduce.
#pragma once

#include <optional>
#include <vector>

#include "tests/random/operations/scribe.h"

namespace sinter {

struct LoopBody {
  std::vector<Value> pool;  // what operations choose from
  std::vector<Value> tables;
  Value counter;
  int depth = 0;
};

class LoopOperations {
 public:
  explicit LoopOperations(Scribe& scribe) : scribe_(scribe), random_(scribe.random) {}

  // A value of the type where there is one.
  Value pick(const std::vector<Value>& pool, DType dtype);
  // Shape changes of small dimensions.
  Value index_map(const Value& value);
  // Row `index` of a table, where the index is the counter, the counter modulo the table's rows, or an integer of the
  // program (clamped by dynamic-slice).
  Value table_row(LoopBody& body);
  // Elements of a table of numbers at the integers of an array, by gather.
  std::optional<Value> lookup(LoopBody& body);
  Value reduced(const Value& value);
  // One slot of a small dimension replaced, at a constant place or one that the counter says.
  Value updated(LoopBody& body, const Value& value);
  // `value` with exactly these dimensions: surplus small ones are cut off or reduced, missing ones broadcast. None
  // where it has a dimension of the threads that `dims` lacks.
  std::optional<Value> fit_dims(Value value, const Dims& dims);
  std::optional<Value> fit(const Value& value, DType dtype, const Dims& dims);
  // Some value of the pool in the carry's type; the carry itself where none fits.
  Value fit_any(const LoopBody& body, const Value& carry);

 private:
  Scribe& scribe_;
  Random& random_;
};

}  // namespace sinter
