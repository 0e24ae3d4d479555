// Rows of the op table: ops with a schedule of their own. Included by op_table_rows.cpp only.
#pragma once

#include "ir/infer/infer_contraction.h"
#include "ir/infer/infer_indexed.h"
#include "ir/infer/infer_linear_algebra.h"
#include "ir/infer/infer_reduce.h"
#include "ir/infer/infer_window.h"
#include "ir/op_rows/op_attributes.h"
#include "ir/op_rows/op_row.h"

namespace sinter {

// Reductions, windows, maps, scans and sorts: they call a computation on elements.
template <>
inline constexpr OpDef row<Opcode::kReduce> = {.arity = -1,
                                               .attributes = op_attributes::kReduce,
                                               .infer = infer_reduce,
                                               .verify = verify_reduce,
                                               .lightness = Lightness::kReduction};
template <>
inline constexpr OpDef row<Opcode::kReduceWindow> = {.arity = -1,
                                                     .attributes = op_attributes::kReduceWindow,
                                                     .infer = infer_reduce_window,
                                                     .verify = verify_reduce_window,
                                                     .lightness = Lightness::kReduction};
template <>
inline constexpr OpDef row<Opcode::kSelectAndScatter> = {.arity = 3,
                                                         .attributes = op_attributes::kSelectAndScatter,
                                                         .infer = infer_select_and_scatter,
                                                         .verify = verify_select_and_scatter,
                                                         .lightness = Lightness::kReduction};
template <>
inline constexpr OpDef row<Opcode::kScatter> = {.arity = -1,
                                                .attributes = op_attributes::kScatter,
                                                .infer = infer_scatter,
                                                .verify = verify_scatter,
                                                .lightness = Lightness::kReduction};
template <>
inline constexpr OpDef row<Opcode::kMap> = {
    .arity = -1, .attributes = op_attributes::kMap, .infer = infer_map, .verify = verify_map};
template <>
inline constexpr OpDef row<Opcode::kScan> = {
    .arity = -1, .attributes = op_attributes::kScan, .infer = infer_scan, .verify = verify_scan};
template <>
inline constexpr OpDef row<Opcode::kSort> = {.arity = -1,
                                             .attributes = op_attributes::kSort,
                                             .infer = infer_sort,
                                             .verify = verify_sort,
                                             .lightness = Lightness::kAlgorithm};
template <>
inline constexpr OpDef row<Opcode::kTopk> = {
    .arity = 1, .attributes = op_attributes::kTopk, .infer = infer_topk, .lightness = Lightness::kAlgorithm};

// Contractions; the text states the element type of the result.
template <>
inline constexpr OpDef row<Opcode::kDot> = {.arity = 2,
                                            .attributes = op_attributes::kDot,
                                            .infer = infer_dot,
                                            .states_type = true,
                                            .lightness = Lightness::kAlgorithm};
template <>
inline constexpr OpDef row<Opcode::kRaggedDot> = {.arity = 3,
                                                  .attributes = op_attributes::kRaggedDot,
                                                  .infer = infer_ragged_dot,
                                                  .states_type = true,
                                                  .lightness = Lightness::kAlgorithm};
template <>
inline constexpr OpDef row<Opcode::kScaledDot> = {.arity = 4,
                                                  .attributes = op_attributes::kDot,
                                                  .infer = infer_scaled_dot,
                                                  .states_type = true,
                                                  .lightness = Lightness::kAlgorithm};
template <>
inline constexpr OpDef row<Opcode::kConvolution> = {.arity = 2,
                                                    .attributes = op_attributes::kConvolution,
                                                    .infer = infer_convolution,
                                                    .states_type = true,
                                                    .lightness = Lightness::kAlgorithm};

// Transforms, factorisations and normalisations of whole arrays.
template <>
inline constexpr OpDef row<Opcode::kFft> = {
    .arity = 1, .attributes = op_attributes::kFft, .infer = infer_fft, .lightness = Lightness::kAlgorithm};
template <>
inline constexpr OpDef row<Opcode::kCholesky> = {
    .arity = 1, .attributes = op_attributes::kCholesky, .infer = infer_cholesky, .lightness = Lightness::kAlgorithm};
template <>
inline constexpr OpDef row<Opcode::kTriangularSolve> = {.arity = 2,
                                                        .attributes = op_attributes::kTriangularSolve,
                                                        .infer = infer_triangular_solve,
                                                        .lightness = Lightness::kAlgorithm};
template <>
inline constexpr OpDef row<Opcode::kBatchNormTraining> = {
    .arity = 3, .attributes = op_attributes::kBatchNorm, .infer = infer_batch_norm_training};
template <>
inline constexpr OpDef row<Opcode::kBatchNormInference> = {
    .arity = 5, .attributes = op_attributes::kBatchNorm, .infer = infer_batch_norm_inference};
template <>
inline constexpr OpDef row<Opcode::kBatchNormGrad> = {
    .arity = 5, .attributes = op_attributes::kBatchNorm, .infer = infer_batch_norm_grad};

}  // namespace sinter
