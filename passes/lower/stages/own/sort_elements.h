// The elements that a sorting kernel moves, and the comparison of two of them: a struct with a member for each operand
// of the sort, or the operand's own type where there is one only, and a function object Before.
#pragma once

#include <string>
#include <vector>

#include "passes/lower/stages/base/stage_writer.h"

namespace sinter {

class SortElements {
 public:
  struct Field {
    std::string name;  // C identifier
    DType dtype = DType::kF32;
    const Instruction* before_left = nullptr;  // the comparator's parameters
    const Instruction* before_right = nullptr;
  };

  // Adds struct Element, if there are several fields, to the kernel.
  SortElements(StageWriter& writer, std::vector<Field> fields);

  // struct Before { bool operator()(a, b) } of a comparator computation.
  void add_before(const Computation& comparator);

  // The same of elements {value, position}: by value, floats in total order; by position where values are equal and
  // `by_position` is set.
  void add_order(bool largest, bool by_position);

  // struct Source { one pointer a field; Element operator()(int i) }: elements of a row, for device helpers.
  void add_source();

  CType type() const { return type_; }
  const std::vector<Field>& fields() const { return fields_; }
  // A field of an element, and an element made of its fields.
  const Expr* field(const Expr* element, size_t number) const;
  const Expr* make(std::vector<const Expr*> values) const;
  // `Element name[extent]` in shared memory.
  void add_shared(const std::string& name, const std::string& extent, int64_t count);
  int64_t bytes() const;

 private:
  CType argument_type() const;

  StageWriter& writer_;
  std::vector<Field> fields_;
  CType type_;
};

}  // namespace sinter
