// Rows of the op table: ops that move elements. Included by op_table.cpp only.
#pragma once

#include "ir/op_attributes.h"
#include "ir/op_row.h"

namespace sinter {

// Each element of the result is one element of operand 0 (or follows from its index alone).
template <>
inline constexpr OpDef row<Opcode::kBroadcast> = {.arity = 1, .attributes = op_attributes::kOptionalDimensions};
template <>
inline constexpr OpDef row<Opcode::kReshape> = {.arity = 1, .attributes = op_attributes::kReshape};
template <>
inline constexpr OpDef row<Opcode::kTranspose> = {.arity = 1, .attributes = op_attributes::kDimensions};
template <>
inline constexpr OpDef row<Opcode::kReverse> = {.arity = 1, .attributes = op_attributes::kDimensions};
template <>
inline constexpr OpDef row<Opcode::kSlice> = {.arity = 1, .attributes = op_attributes::kSlice};
template <>
inline constexpr OpDef row<Opcode::kIota> = {.arity = 0, .attributes = op_attributes::kIota};

// Sources chosen by guards, by indices that are data, or by layouts.
template <>
inline constexpr OpDef row<Opcode::kPad> = {.arity = 2, .attributes = op_attributes::kPad};
template <>
inline constexpr OpDef row<Opcode::kConcatenate> = {.arity = -1, .attributes = op_attributes::kDimensions};
template <>
inline constexpr OpDef row<Opcode::kDynamicSlice> = {.arity = -1, .attributes = op_attributes::kDynamicSlice};
template <>
inline constexpr OpDef row<Opcode::kDynamicUpdateSlice> = {.arity = -1};
template <>
inline constexpr OpDef row<Opcode::kGather> = {.arity = 2, .attributes = op_attributes::kGather};
template <>
inline constexpr OpDef row<Opcode::kBitcast> = {.arity = 1};
template <>
inline constexpr OpDef row<Opcode::kBitcastConvert> = {.arity = 1};
template <>
inline constexpr OpDef row<Opcode::kDynamicReshape> = {.arity = -1};

}  // namespace sinter
