// Rows of the op table: values, calls, ordering. Included by op_table.cpp only.
#pragma once

#include "ir/op_attributes.h"
#include "ir/op_row.h"

namespace sinter {

// Values and tuples.
template <>
inline constexpr OpDef row<Opcode::kParameter> = {.arity = 0, .cost = 0};
template <>
inline constexpr OpDef row<Opcode::kConstant> = {.arity = 0, .cost = 0};
template <>
inline constexpr OpDef row<Opcode::kTuple> = {.arity = -1, .cost = 0};
template <>
inline constexpr OpDef row<Opcode::kGetTupleElement> = {
    .arity = 1, .attributes = op_attributes::kTupleElement, .cost = 0};

// Calls, loops and branches.
template <>
inline constexpr OpDef row<Opcode::kCall> = {.arity = -1, .attributes = op_attributes::kCall};
template <>
inline constexpr OpDef row<Opcode::kFusion> = {.arity = -1, .attributes = op_attributes::kFusion};
template <>
inline constexpr OpDef row<Opcode::kWhile> = {.arity = 1, .attributes = op_attributes::kWhile};
template <>
inline constexpr OpDef row<Opcode::kConditional> = {.arity = -1, .attributes = op_attributes::kConditional};
template <>
inline constexpr OpDef row<Opcode::kCustomCall> = {.arity = -1, .attributes = op_attributes::kCustomCall};

// Ordering.
template <>
inline constexpr OpDef row<Opcode::kOptBarrier> = {.arity = 1, .cost = 0};
template <>
inline constexpr OpDef row<Opcode::kAddDependency> = {.arity = 2, .cost = 0};
template <>
inline constexpr OpDef row<Opcode::kAfterAll> = {.arity = -1, .cost = 0};
template <>
inline constexpr OpDef row<Opcode::kDomain> = {.arity = 1, .attributes = op_attributes::kDomain, .cost = 0};

// Asynchronous forms.
template <>
inline constexpr OpDef row<Opcode::kAsyncStart> = {.arity = -1, .attributes = op_attributes::kAsyncStart};
template <>
inline constexpr OpDef row<Opcode::kAsyncUpdate> = {.arity = 1, .attributes = op_attributes::kAsyncDone};
template <>
inline constexpr OpDef row<Opcode::kAsyncDone> = {.arity = 1, .attributes = op_attributes::kAsyncDone};
template <>
inline constexpr OpDef row<Opcode::kCopyStart> = {.arity = 1, .attributes = op_attributes::kCopyStart};
template <>
inline constexpr OpDef row<Opcode::kCopyDone> = {.arity = 1};

// Run-time sizes of bounded dimensions.
template <>
inline constexpr OpDef row<Opcode::kGetDimensionSize> = {.arity = 1, .attributes = op_attributes::kDimensions};
template <>
inline constexpr OpDef row<Opcode::kSetDimensionSize> = {.arity = 2, .attributes = op_attributes::kDimensions};

}  // namespace sinter
