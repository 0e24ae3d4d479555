// Products of one operand with several matrices, whose results are made of one sum of each: the two products of a gated
// unit, say, silu(x W) * (x V). They are one product whose row has a part for each matrix (column_parts.h).
#pragma once

#include <optional>
#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

// Whether dots of one kernel differ in one operand alone, the left (0) or right (1) one: each has a matrix of its own.
bool have_a_matrix_each(const std::vector<const Instruction*>& dots, size_t side);

// What stands in the place of an array that a part is computed from: one of each part, the first part's first.
using ArraysOfParts = std::vector<std::vector<const Instruction*>>;
// By what graphs that are alike, node by node, differ: the arrays that they load. nullopt where they differ in more.
std::optional<ArraysOfParts> arrays_of_parts(const std::vector<const DemandGraph*>& graphs);

// Whether the kernel computes `value` from the product.
bool is_made_of(const Instruction& value, const Instruction& dot, const DemandContext& context);

// Of each output with the products' elements the one product that it is made of; empty where one is made of several, or
// a product is read by none.
std::vector<const Instruction*> products_apart(const DemandContext& context,
                                               const std::vector<const Instruction*>& outputs,
                                               const std::vector<const Instruction*>& dots);

}  // namespace sinter
