// Rows of the op table: ops with a schedule of their own. Included by op_table.cpp only.
#pragma once

#include "ir/op_attributes.h"
#include "ir/op_row.h"

namespace sinter {

// Reductions, windows, maps, scans and sorts: they call a computation on elements.
template <>
inline constexpr OpDef row<Opcode::kReduce> = {.arity = -1, .attributes = op_attributes::kReduce};
template <>
inline constexpr OpDef row<Opcode::kReduceWindow> = {.arity = -1, .attributes = op_attributes::kReduceWindow};
template <>
inline constexpr OpDef row<Opcode::kSelectAndScatter> = {.arity = 3, .attributes = op_attributes::kSelectAndScatter};
template <>
inline constexpr OpDef row<Opcode::kScatter> = {.arity = -1, .attributes = op_attributes::kScatter};
template <>
inline constexpr OpDef row<Opcode::kMap> = {.arity = -1, .attributes = op_attributes::kMap};
template <>
inline constexpr OpDef row<Opcode::kScan> = {.arity = -1, .attributes = op_attributes::kScan};
template <>
inline constexpr OpDef row<Opcode::kSort> = {.arity = -1, .attributes = op_attributes::kSort};
template <>
inline constexpr OpDef row<Opcode::kTopk> = {.arity = 1, .attributes = op_attributes::kTopk};

// Contractions; the text states the element type of the result.
template <>
inline constexpr OpDef row<Opcode::kDot> = {.arity = 2, .attributes = op_attributes::kDot};
template <>
inline constexpr OpDef row<Opcode::kRaggedDot> = {.arity = 3, .attributes = op_attributes::kRaggedDot};
template <>
inline constexpr OpDef row<Opcode::kScaledDot> = {.arity = 4, .attributes = op_attributes::kDot};
template <>
inline constexpr OpDef row<Opcode::kConvolution> = {.arity = 2, .attributes = op_attributes::kConvolution};

// Transforms, factorisations and normalisations of whole arrays.
template <>
inline constexpr OpDef row<Opcode::kFft> = {.arity = 1, .attributes = op_attributes::kFft};
template <>
inline constexpr OpDef row<Opcode::kCholesky> = {.arity = 1, .attributes = op_attributes::kCholesky};
template <>
inline constexpr OpDef row<Opcode::kTriangularSolve> = {.arity = 2, .attributes = op_attributes::kTriangularSolve};
template <>
inline constexpr OpDef row<Opcode::kBatchNormTraining> = {.arity = 3, .attributes = op_attributes::kBatchNorm};
template <>
inline constexpr OpDef row<Opcode::kBatchNormInference> = {.arity = 5, .attributes = op_attributes::kBatchNorm};
template <>
inline constexpr OpDef row<Opcode::kBatchNormGrad> = {.arity = 5, .attributes = op_attributes::kBatchNorm};

}  // namespace sinter
