// Calls in which threads wait for one another: all threads of a warp, or of a block of several warps, make them. Which
// calls these are is known by name (collectives.def); each call of the kernel IR says it (Expr::sync), and passes ask
// that. Calls in lines of text (StatementKind::kText: tensor_core_text.h, gemv_text.h) are not seen.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sinter {

enum class Sync : uint8_t { kNone, kWarp, kBlock };

// That of a call as the kernel IR spells it: "block_reduce<kThreads>", "turns.advance". `given`: what the call says, as
// it must for helpers of a team (templates/device/team.cuh), and may for no other.
Sync sync_of(std::string_view call, std::optional<Sync> given);

}  // namespace sinter
