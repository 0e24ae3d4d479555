// Rows of the op table: random numbers, other devices and the host. Included by op_table.cpp only.
#pragma once

#include "ir/op_attributes.h"
#include "ir/op_row.h"

namespace sinter {

// Random bits.
template <>
inline constexpr OpDef row<Opcode::kRng> = {.arity = 2, .attributes = op_attributes::kRng, .cost = 40};
template <>
inline constexpr OpDef row<Opcode::kRngBitGenerator> = {
    .arity = 1, .attributes = op_attributes::kRngBitGenerator, .cost = 40};
template <>
inline constexpr OpDef row<Opcode::kRngGetAndUpdateState> = {.arity = 0, .attributes = op_attributes::kRngState};

// Collectives.
template <>
inline constexpr OpDef row<Opcode::kAllReduce> = {.arity = -1, .attributes = op_attributes::kAllReduce};
template <>
inline constexpr OpDef row<Opcode::kAllReduceStart> = {.arity = -1, .attributes = op_attributes::kAllReduce};
template <>
inline constexpr OpDef row<Opcode::kAllReduceDone> = {.arity = 1};
template <>
inline constexpr OpDef row<Opcode::kAllGather> = {.arity = -1, .attributes = op_attributes::kAllGather};
template <>
inline constexpr OpDef row<Opcode::kAllGatherStart> = {.arity = -1, .attributes = op_attributes::kAllGather};
template <>
inline constexpr OpDef row<Opcode::kAllGatherDone> = {.arity = 1};
template <>
inline constexpr OpDef row<Opcode::kAllToAll> = {.arity = -1, .attributes = op_attributes::kAllToAll};
template <>
inline constexpr OpDef row<Opcode::kCollectiveBroadcast> = {.arity = -1,
                                                            .attributes = op_attributes::kCollectiveBroadcast};
template <>
inline constexpr OpDef row<Opcode::kCollectivePermute> = {.arity = -1, .attributes = op_attributes::kCollectivePermute};
template <>
inline constexpr OpDef row<Opcode::kCollectivePermuteStart> = {.arity = -1,
                                                               .attributes = op_attributes::kCollectivePermute};
template <>
inline constexpr OpDef row<Opcode::kCollectivePermuteDone> = {.arity = 1};
template <>
inline constexpr OpDef row<Opcode::kRaggedAllToAll> = {.arity = 6, .attributes = op_attributes::kRaggedAllToAll};
template <>
inline constexpr OpDef row<Opcode::kReduceScatter> = {.arity = -1, .attributes = op_attributes::kReduceScatter};
template <>
inline constexpr OpDef row<Opcode::kReplicaId> = {.arity = 0};
template <>
inline constexpr OpDef row<Opcode::kPartitionId> = {.arity = 0};

// The host and other programs.
template <>
inline constexpr OpDef row<Opcode::kSend> = {.arity = 2, .attributes = op_attributes::kTransfer};
template <>
inline constexpr OpDef row<Opcode::kSendDone> = {.arity = 1, .attributes = op_attributes::kTransfer};
template <>
inline constexpr OpDef row<Opcode::kRecv> = {.arity = 1, .attributes = op_attributes::kTransfer};
template <>
inline constexpr OpDef row<Opcode::kRecvDone> = {.arity = 1, .attributes = op_attributes::kTransfer};
template <>
inline constexpr OpDef row<Opcode::kInfeed> = {.arity = 1, .attributes = op_attributes::kInfeed};
template <>
inline constexpr OpDef row<Opcode::kOutfeed> = {.arity = 2, .attributes = op_attributes::kOutfeed};

}  // namespace sinter
