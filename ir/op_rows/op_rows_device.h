// Rows of the op table: random numbers, other devices and the host. Included by op_table_rows.cpp only.
#pragma once

#include "ir/infer/infer_control.h"
#include "ir/infer/infer_device.h"
#include "ir/op_rows/op_attributes.h"
#include "ir/op_rows/op_row.h"

namespace sinter {

// Random bits.
template <>
inline constexpr OpDef row<Opcode::kRng> = {
    .arity = 2, .attributes = op_attributes::kRng, .verify = verify_rng, .cost = 40};
template <>
inline constexpr OpDef row<Opcode::kRngBitGenerator> = {
    .arity = 1, .attributes = op_attributes::kRngBitGenerator, .verify = verify_rng_bit_generator, .cost = 40};
template <>
inline constexpr OpDef row<Opcode::kRngGetAndUpdateState> = {
    .arity = 0, .attributes = op_attributes::kRngState, .verify = verify_rng_state};

// Collectives.
template <>
inline constexpr OpDef row<Opcode::kAllReduce> = {
    .arity = -1, .attributes = op_attributes::kAllReduce, .infer = infer_same_as_operands};
template <>
inline constexpr OpDef row<Opcode::kAllReduceStart> = {
    .arity = -1, .attributes = op_attributes::kAllReduce, .infer = infer_same_as_operands};
template <>
inline constexpr OpDef row<Opcode::kAllReduceDone> = {.arity = 1, .infer = infer_same_as_operand};
template <>
inline constexpr OpDef row<Opcode::kAllGather> = {
    .arity = -1, .attributes = op_attributes::kAllGather, .verify = verify_all_gather};
template <>
inline constexpr OpDef row<Opcode::kAllGatherStart> = {
    .arity = -1, .attributes = op_attributes::kAllGather, .verify = verify_all_gather_start};
template <>
inline constexpr OpDef row<Opcode::kAllGatherDone> = {.arity = 1, .infer = infer_second_of_start};
template <>
inline constexpr OpDef row<Opcode::kAllToAll> = {
    .arity = -1, .attributes = op_attributes::kAllToAll, .verify = verify_all_to_all};
template <>
inline constexpr OpDef row<Opcode::kCollectiveBroadcast> = {
    .arity = -1, .attributes = op_attributes::kCollectiveBroadcast, .infer = infer_collective_broadcast};
template <>
inline constexpr OpDef row<Opcode::kCollectivePermute> = {
    .arity = -1, .attributes = op_attributes::kCollectivePermute, .verify = verify_collective_permute};
template <>
inline constexpr OpDef row<Opcode::kCollectivePermuteStart> = {
    .arity = -1, .attributes = op_attributes::kCollectivePermute, .verify = verify_collective_permute_start};
template <>
inline constexpr OpDef row<Opcode::kCollectivePermuteDone> = {.arity = 1, .infer = infer_second_of_start};
template <>
inline constexpr OpDef row<Opcode::kRaggedAllToAll> = {
    .arity = 6, .attributes = op_attributes::kRaggedAllToAll, .infer = infer_ragged_all_to_all};
template <>
inline constexpr OpDef row<Opcode::kReduceScatter> = {
    .arity = -1, .attributes = op_attributes::kReduceScatter, .verify = verify_all_gather};
template <>
inline constexpr OpDef row<Opcode::kReplicaId> = {.arity = 0, .infer = infer_device_id};
template <>
inline constexpr OpDef row<Opcode::kPartitionId> = {.arity = 0, .infer = infer_device_id};

// The host and other programs.
template <>
inline constexpr OpDef row<Opcode::kSend> = {.arity = 2, .attributes = op_attributes::kTransfer, .infer = infer_send};
template <>
inline constexpr OpDef row<Opcode::kSendDone> = {
    .arity = 1, .attributes = op_attributes::kTransfer, .infer = infer_token};
template <>
inline constexpr OpDef row<Opcode::kRecv> = {.arity = 1, .attributes = op_attributes::kTransfer, .verify = verify_recv};
template <>
inline constexpr OpDef row<Opcode::kRecvDone> = {
    .arity = 1, .attributes = op_attributes::kTransfer, .infer = infer_recv_done};
template <>
inline constexpr OpDef row<Opcode::kInfeed> = {
    .arity = 1, .attributes = op_attributes::kInfeed, .verify = verify_infeed};
template <>
inline constexpr OpDef row<Opcode::kOutfeed> = {
    .arity = 2, .attributes = op_attributes::kOutfeed, .infer = infer_token};

}  // namespace sinter
