// Rows of the op table: ops that move elements. Included by op_table_rows.cpp only.
#pragma once

#include "ir/infer/infer_index_map.h"
#include "ir/infer/infer_indexed.h"
#include "ir/op_rows/op_attributes.h"
#include "ir/op_rows/op_row.h"
#include "ir/ops/source_index.h"

namespace sinter {

// Each element of the result is one element of operand 0 (or follows from its index alone).
template <>
inline constexpr OpDef row<Opcode::kBroadcast> = {.arity = 1,
                                                  .attributes = op_attributes::kOptionalDimensions,
                                                  .verify = verify_broadcast,
                                                  .source_index = broadcast_source_index};
template <>
inline constexpr OpDef row<Opcode::kReshape> = {
    .arity = 1, .attributes = op_attributes::kReshape, .verify = verify_reshape, .source_index = reshape_source_index};
template <>
inline constexpr OpDef row<Opcode::kTranspose> = {.arity = 1,
                                                  .attributes = op_attributes::kDimensions,
                                                  .infer = infer_transpose,
                                                  .source_index = transpose_source_index};
template <>
inline constexpr OpDef row<Opcode::kReverse> = {
    .arity = 1, .attributes = op_attributes::kDimensions, .infer = infer_reverse, .source_index = reverse_source_index};
template <>
inline constexpr OpDef row<Opcode::kSlice> = {
    .arity = 1, .attributes = op_attributes::kSlice, .infer = infer_slice, .source_index = slice_source_index};
template <>
inline constexpr OpDef row<Opcode::kIota> = {.arity = 0, .attributes = op_attributes::kIota, .verify = verify_iota};

// Sources chosen by guards, by indices that are data, or by layouts.
template <>
inline constexpr OpDef row<Opcode::kPad> = {.arity = 2, .attributes = op_attributes::kPad, .infer = infer_pad};
template <>
inline constexpr OpDef row<Opcode::kConcatenate> = {
    .arity = -1, .attributes = op_attributes::kDimensions, .infer = infer_concatenate};
template <>
inline constexpr OpDef row<Opcode::kDynamicSlice> = {
    .arity = -1, .attributes = op_attributes::kDynamicSlice, .infer = infer_dynamic_slice};
template <>
inline constexpr OpDef row<Opcode::kDynamicUpdateSlice> = {
    .arity = -1, .infer = infer_dynamic_update_slice, .lightness = Lightness::kPlacement};
template <>
inline constexpr OpDef row<Opcode::kGather> = {
    .arity = 2, .attributes = op_attributes::kGather, .infer = infer_gather, .lightness = Lightness::kPlacement};
template <>
inline constexpr OpDef row<Opcode::kBitcast> = {.arity = 1, .verify = verify_bitcast};
template <>
inline constexpr OpDef row<Opcode::kBitcastConvert> = {
    .arity = 1, .verify = verify_bitcast_convert, .lightness = Lightness::kPlain};
template <>
inline constexpr OpDef row<Opcode::kDynamicReshape> = {.arity = -1, .verify = verify_dynamic_reshape};

}  // namespace sinter
