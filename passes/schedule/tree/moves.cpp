#include "passes/schedule/tree/moves.h"

namespace sinter {

bool leave_out(std::string_view name, Moves& moves) {
  bool known = false;
  for (const MoveName& entry : kMoveNames) {
    if (name != entry.name && name != "all") continue;
    moves.*entry.move = false;
    known = true;
  }
  return known;
}

std::vector<std::string> left_out(const Moves& moves) {
  std::vector<std::string> names;
  for (const MoveName& entry : kMoveNames) {
    if (!(moves.*entry.move)) names.emplace_back(entry.name);
  }
  return names;
}

}  // namespace sinter
