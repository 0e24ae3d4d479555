// The attributes that each opcode takes: the lists that rows of the op table point at (op_rows_*.h).
// A list that several opcodes share is named after what they have in common.
#pragma once

#include "ir/ops/op_table.h"

namespace sinter::op_attributes {

constexpr AttributeSpec required(AttributeId id) { return {.id = id, .required = true}; }
constexpr AttributeSpec optional(AttributeId id) { return {.id = id, .required = false}; }

// Elementwise.
inline constexpr AttributeSpec kAccuracy[] = {optional(AttributeId::k_result_accuracy)};
inline constexpr AttributeSpec kCompare[] = {required(AttributeId::k_direction),
                                             optional(AttributeId::k_comparison_type)};
inline constexpr AttributeSpec kReducePrecision[] = {required(AttributeId::k_exponent_bits),
                                                     required(AttributeId::k_mantissa_bits)};

// Index maps.
inline constexpr AttributeSpec kDimensions[] = {required(AttributeId::k_dimensions)};
inline constexpr AttributeSpec kOptionalDimensions[] = {optional(AttributeId::k_dimensions)};
inline constexpr AttributeSpec kReshape[] = {optional(AttributeId::k_inferred_dimension)};
inline constexpr AttributeSpec kIota[] = {required(AttributeId::k_iota_dimension)};
inline constexpr AttributeSpec kSlice[] = {required(AttributeId::k_slice)};
inline constexpr AttributeSpec kPad[] = {required(AttributeId::k_padding)};
inline constexpr AttributeSpec kDynamicSlice[] = {required(AttributeId::k_dynamic_slice_sizes)};
inline constexpr AttributeSpec kGather[] = {
    required(AttributeId::k_offset_dims),
    required(AttributeId::k_collapsed_slice_dims),
    required(AttributeId::k_start_index_map),
    optional(AttributeId::k_operand_batching_dims),
    optional(AttributeId::k_start_indices_batching_dims),
    required(AttributeId::k_index_vector_dim),
    required(AttributeId::k_slice_sizes),
    optional(AttributeId::k_indices_are_sorted),
};

// Structured.
inline constexpr AttributeSpec kScatter[] = {
    required(AttributeId::k_update_window_dims),
    required(AttributeId::k_inserted_window_dims),
    required(AttributeId::k_scatter_dims_to_operand_dims),
    optional(AttributeId::k_input_batching_dims),
    optional(AttributeId::k_scatter_indices_batching_dims),
    required(AttributeId::k_index_vector_dim),
    optional(AttributeId::k_indices_are_sorted),
    optional(AttributeId::k_unique_indices),
    required(AttributeId::k_to_apply),
};
inline constexpr AttributeSpec kReduce[] = {required(AttributeId::k_dimensions), required(AttributeId::k_to_apply)};
inline constexpr AttributeSpec kMap[] = {optional(AttributeId::k_dimensions), required(AttributeId::k_to_apply)};
// A window of no dimensions is not printed, so it cannot be required.
inline constexpr AttributeSpec kReduceWindow[] = {optional(AttributeId::k_window), required(AttributeId::k_to_apply)};
inline constexpr AttributeSpec kSelectAndScatter[] = {optional(AttributeId::k_window), required(AttributeId::k_select),
                                                      required(AttributeId::k_scatter)};
inline constexpr AttributeSpec kSort[] = {required(AttributeId::k_dimensions), optional(AttributeId::k_is_stable),
                                          required(AttributeId::k_to_apply)};
inline constexpr AttributeSpec kTopk[] = {required(AttributeId::k_k), optional(AttributeId::k_largest),
                                          optional(AttributeId::k_is_stable)};
inline constexpr AttributeSpec kScan[] = {
    required(AttributeId::k_dimensions),     required(AttributeId::k_num_carries), optional(AttributeId::k_is_reverse),
    optional(AttributeId::k_is_associative), required(AttributeId::k_to_apply),
};
inline constexpr AttributeSpec kDot[] = {
    optional(AttributeId::k_lhs_contracting_dims), optional(AttributeId::k_rhs_contracting_dims),
    optional(AttributeId::k_lhs_batch_dims),       optional(AttributeId::k_rhs_batch_dims),
    optional(AttributeId::k_operand_precision),    optional(AttributeId::k_algorithm),
};
inline constexpr AttributeSpec kRaggedDot[] = {
    optional(AttributeId::k_lhs_contracting_dims), optional(AttributeId::k_rhs_contracting_dims),
    optional(AttributeId::k_lhs_batch_dims),       optional(AttributeId::k_rhs_batch_dims),
    required(AttributeId::k_lhs_ragged_dims),      optional(AttributeId::k_rhs_group_dims),
    optional(AttributeId::k_operand_precision),    optional(AttributeId::k_algorithm),
};
inline constexpr AttributeSpec kConvolution[] = {
    optional(AttributeId::k_window),
    required(AttributeId::k_dim_labels),
    optional(AttributeId::k_feature_group_count),
    optional(AttributeId::k_batch_group_count),
    optional(AttributeId::k_operand_precision),
    optional(AttributeId::k_algorithm),
    optional(AttributeId::k_convolution_kind),
    optional(AttributeId::k_sparsity_config),
};
inline constexpr AttributeSpec kFft[] = {required(AttributeId::k_fft_type), required(AttributeId::k_fft_length)};
inline constexpr AttributeSpec kCholesky[] = {optional(AttributeId::k_lower)};
inline constexpr AttributeSpec kTriangularSolve[] = {optional(AttributeId::k_left_side), optional(AttributeId::k_lower),
                                                     optional(AttributeId::k_unit_diagonal),
                                                     optional(AttributeId::k_transpose_a)};
inline constexpr AttributeSpec kBatchNorm[] = {required(AttributeId::k_epsilon),
                                               required(AttributeId::k_feature_index)};

// Random.
inline constexpr AttributeSpec kRng[] = {required(AttributeId::k_distribution)};
inline constexpr AttributeSpec kRngBitGenerator[] = {required(AttributeId::k_algorithm)};
inline constexpr AttributeSpec kRngState[] = {required(AttributeId::k_delta)};

// Control.
inline constexpr AttributeSpec kTupleElement[] = {required(AttributeId::k_tuple_index)};
inline constexpr AttributeSpec kCall[] = {required(AttributeId::k_to_apply), optional(AttributeId::k_is_composite),
                                          optional(AttributeId::k_output_to_operand_aliasing)};
inline constexpr AttributeSpec kFusion[] = {required(AttributeId::k_fusion_kind), required(AttributeId::k_calls),
                                            optional(AttributeId::k_output_to_operand_aliasing)};
inline constexpr AttributeSpec kWhile[] = {required(AttributeId::k_condition), required(AttributeId::k_body)};
// One of the two forms; which one is present is checked with the selector's type.
inline constexpr AttributeSpec kConditional[] = {optional(AttributeId::k_true_computation),
                                                 optional(AttributeId::k_false_computation),
                                                 optional(AttributeId::k_branch_computations)};
inline constexpr AttributeSpec kCustomCall[] = {
    required(AttributeId::k_custom_call_target),
    optional(AttributeId::k_window),
    optional(AttributeId::k_dim_labels),
    optional(AttributeId::k_feature_group_count),
    optional(AttributeId::k_batch_group_count),
    optional(AttributeId::k_operand_precision),
    optional(AttributeId::k_to_apply),
    optional(AttributeId::k_called_computations),
    optional(AttributeId::k_api_version),
    optional(AttributeId::k_custom_call_schedule),
    optional(AttributeId::k_custom_call_has_side_effect),
    optional(AttributeId::k_operand_layout_constraints),
    optional(AttributeId::k_output_to_operand_aliasing),
    optional(AttributeId::k_custom_call_literal),
    optional(AttributeId::k_padding_type),
};
inline constexpr AttributeSpec kAsyncStart[] = {required(AttributeId::k_calls),
                                                optional(AttributeId::k_async_execution_thread),
                                                optional(AttributeId::k_output_to_operand_aliasing)};
// Older texts repeat the start's attributes on update and done.
inline constexpr AttributeSpec kAsyncDone[] = {optional(AttributeId::k_calls),
                                               optional(AttributeId::k_async_execution_thread)};
inline constexpr AttributeSpec kCopyStart[] = {optional(AttributeId::k_cross_program_prefetch_index)};
inline constexpr AttributeSpec kDomain[] = {required(AttributeId::k_domain)};

// Device.
inline constexpr AttributeSpec kAllReduce[] = {
    optional(AttributeId::k_channel_id),       optional(AttributeId::k_replica_groups),
    optional(AttributeId::k_constrain_layout), optional(AttributeId::k_use_global_device_ids),
    required(AttributeId::k_to_apply),
};
inline constexpr AttributeSpec kAllGather[] = {
    optional(AttributeId::k_channel_id),       optional(AttributeId::k_replica_groups),
    optional(AttributeId::k_constrain_layout), optional(AttributeId::k_use_global_device_ids),
    required(AttributeId::k_dimensions),
};
inline constexpr AttributeSpec kReduceScatter[] = {
    optional(AttributeId::k_channel_id),       optional(AttributeId::k_replica_groups),
    optional(AttributeId::k_constrain_layout), optional(AttributeId::k_use_global_device_ids),
    required(AttributeId::k_dimensions),       required(AttributeId::k_to_apply),
};
inline constexpr AttributeSpec kAllToAll[] = {
    optional(AttributeId::k_channel_id),
    optional(AttributeId::k_replica_groups),
    optional(AttributeId::k_constrain_layout),
    optional(AttributeId::k_dimensions),
};
inline constexpr AttributeSpec kRaggedAllToAll[] = {optional(AttributeId::k_channel_id),
                                                    optional(AttributeId::k_replica_groups)};
inline constexpr AttributeSpec kCollectiveBroadcast[] = {optional(AttributeId::k_channel_id),
                                                         optional(AttributeId::k_replica_groups),
                                                         optional(AttributeId::k_has_dynamic_root)};
inline constexpr AttributeSpec kCollectivePermute[] = {optional(AttributeId::k_channel_id),
                                                       required(AttributeId::k_source_target_pairs),
                                                       optional(AttributeId::k_slice_sizes)};
inline constexpr AttributeSpec kTransfer[] = {optional(AttributeId::k_channel_id),
                                              optional(AttributeId::k_is_host_transfer)};
inline constexpr AttributeSpec kInfeed[] = {optional(AttributeId::k_infeed_config)};
inline constexpr AttributeSpec kOutfeed[] = {optional(AttributeId::k_outfeed_config),
                                             optional(AttributeId::k_outfeed_shape)};

}  // namespace sinter::op_attributes
