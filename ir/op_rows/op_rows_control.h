// Rows of the op table: values, calls, ordering. Included by op_table_rows.cpp only.
#pragma once

#include "ir/infer/infer_control.h"
#include "ir/op_rows/op_attributes.h"
#include "ir/op_rows/op_row.h"

namespace sinter {

// Values and tuples.
template <>
inline constexpr OpDef row<Opcode::kParameter> = {.arity = 0, .verify = verify_parameter, .cost = 0};
template <>
inline constexpr OpDef row<Opcode::kConstant> = {.arity = 0, .verify = verify_constant, .cost = 0};
template <>
inline constexpr OpDef row<Opcode::kTuple> = {.arity = -1, .infer = infer_tuple, .cost = 0};
template <>
inline constexpr OpDef row<Opcode::kGetTupleElement> = {
    .arity = 1, .attributes = op_attributes::kTupleElement, .infer = infer_get_tuple_element, .cost = 0};

// Calls, loops and branches.
template <>
inline constexpr OpDef row<Opcode::kCall> = {.arity = -1,
                                             .attributes = op_attributes::kCall,
                                             .infer = infer_call,
                                             .verify = verify_call,
                                             .lightness = Lightness::kReduction};
template <>
inline constexpr OpDef row<Opcode::kFusion> = {
    .arity = -1, .attributes = op_attributes::kFusion, .infer = infer_fusion, .verify = verify_fusion};
template <>
inline constexpr OpDef row<Opcode::kWhile> = {.arity = 1,
                                              .attributes = op_attributes::kWhile,
                                              .infer = infer_while,
                                              .verify = verify_while,
                                              .lightness = Lightness::kReduction};
template <>
inline constexpr OpDef row<Opcode::kConditional> = {.arity = -1,
                                                    .attributes = op_attributes::kConditional,
                                                    .infer = infer_conditional,
                                                    .verify = verify_conditional,
                                                    .lightness = Lightness::kReduction};
template <>
inline constexpr OpDef row<Opcode::kCustomCall> = {.arity = -1,
                                                   .attributes = op_attributes::kCustomCall,
                                                   .verify = verify_custom_call,
                                                   .lightness = Lightness::kAlgorithm,
                                                   .cost = 20};  // of a device function, whose cost nobody knows

// Ordering.
template <>
inline constexpr OpDef row<Opcode::kOptBarrier> = {.arity = 1, .infer = infer_same_as_operand, .cost = 0};
template <>
inline constexpr OpDef row<Opcode::kAddDependency> = {.arity = 2, .infer = infer_add_dependency, .cost = 0};
template <>
inline constexpr OpDef row<Opcode::kAfterAll> = {.arity = -1, .infer = infer_after_all, .cost = 0};
template <>
inline constexpr OpDef row<Opcode::kDomain> = {
    .arity = 1, .attributes = op_attributes::kDomain, .infer = infer_same_as_operand, .cost = 0};

// Asynchronous forms.
template <>
inline constexpr OpDef row<Opcode::kAsyncStart> = {
    .arity = -1, .attributes = op_attributes::kAsyncStart, .verify = verify_async_start};
template <>
inline constexpr OpDef row<Opcode::kAsyncUpdate> = {
    .arity = 1, .attributes = op_attributes::kAsyncDone, .infer = infer_same_as_operand};
template <>
inline constexpr OpDef row<Opcode::kAsyncDone> = {
    .arity = 1, .attributes = op_attributes::kAsyncDone, .infer = infer_second_of_start};
template <>
inline constexpr OpDef row<Opcode::kCopyStart> = {
    .arity = 1, .attributes = op_attributes::kCopyStart, .verify = verify_copy_start};
template <>
inline constexpr OpDef row<Opcode::kCopyDone> = {.arity = 1, .infer = infer_copy_done};

// Run-time sizes of bounded dimensions.
template <>
inline constexpr OpDef row<Opcode::kGetDimensionSize> = {
    .arity = 1, .attributes = op_attributes::kDimensions, .infer = infer_get_dimension_size};
template <>
inline constexpr OpDef row<Opcode::kSetDimensionSize> = {
    .arity = 2, .attributes = op_attributes::kDimensions, .infer = infer_set_dimension_size};

}  // namespace sinter
