// The moves that make few kernels of many. Each may be left out (`--without`): to see what it is worth, and to test
// that programs stay right without it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinter {

struct Moves {
#define MOVE(field, name, what) bool field = true;
#include "passes/schedule/tree/moves.def"
#undef MOVE
  bool operator==(const Moves&) const = default;
};

struct MoveName {
  std::string_view name;
  bool Moves::* move;
  std::string_view what;
};
inline constexpr MoveName kMoveNames[] = {
#define MOVE(field, name, what) {name, &Moves::field, what},
#include "passes/schedule/tree/moves.def"
#undef MOVE
};

// Leaves out the move of that name, or all of them: "all". False if there is no such move.
bool leave_out(std::string_view name, Moves& moves);

// The names of those that are left out.
std::vector<std::string> left_out(const Moves& moves);

}  // namespace sinter
