#include "passes/lower/program/refuse_part.h"

#include <algorithm>
#include <string_view>

#include "passes/lower/rewrite/mentions.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

// What threads do that leave a kernel: in a part, they would come to another barrier than those that stay. Whole warps
// may leave where threads wait for their warp alone.
struct Leaving {
  bool lanes_leave = false;            // not only whole warps do
  bool leaves = false, waits = false;  // so far; waits: of the block, or of a warp some of whose lanes may leave
  bool before_wait = false;            // a thread may leave before others wait
  bool counts_blocks = false;          // a text reads the number of the block

  void read(const Block& block) {
    for (const Statement& statement : block) {
      for (const Expr* expr : {statement.target, statement.begin, statement.value})
        see_wait(expr != nullptr && (waits_for_block(expr) || (lanes_leave && sinter::waits(expr))));
      leaves |= statement.kind == StatementKind::kReturn;
      if (statement.kind == StatementKind::kText) {
        const auto has = [&](const char* word) { return statement.text.find(word) != std::string::npos; };
        see_wait(has("__sync") || has("wait"));
        leaves |= some_leave(statement.text);
        counts_blocks |= has("blockIdx");
      }
      const bool loops = statement.kind == StatementKind::kFor || statement.kind == StatementKind::kWhile;
      const bool waited = waits;
      waits = false;
      read(statement.body);
      read(statement.other);
      before_wait |= loops && leaves && waits;
      waits |= waited;
    }
  }

  // Of a block that is not the last of those that share a tile, all threads leave.
  static bool some_leave(std::string_view text) {
    constexpr std::string_view kLeave = "return;", kAllLeave = "if (!is_last";
    for (size_t leave = text.find(kLeave); leave != text.npos; leave = text.find(kLeave, leave + 1)) {
      const size_t line = text.rfind('\n', leave) + 1;
      if (text.substr(line, leave - line).find(kAllLeave) == text.npos) return true;
    }
    return false;
  }

  static bool waits_for_block(const Expr* expr) {
    return expr->sync == Sync::kBlock || std::ranges::any_of(expr->operands, waits_for_block);
  }

  void see_wait(bool does) {
    waits |= does;
    before_wait |= does && leaves;
  }
};

}  // namespace

std::string refuse_part(const Kernel& kernel, int64_t threads) {
  if (!kernel.parts.empty()) return "has parts";
  if (!kernel.tile_maps.empty()) return "has blocks that copy tiles";
  if (kernel.launch.alone) return "needs a multiprocessor for each block";
  Leaving leaving;
  // Of rows that have some lanes of a warp each.
  leaving.lanes_leave =
      std::ranges::any_of(kernel.constants, [](const NamedConstant& constant) { return constant.name == "kLanes"; });
  leaving.read(kernel.body);
  if (leaving.counts_blocks) return "has blocks of its own order";
  if (leaving.waits && kernel.launch.block != threads)
    return "has a smaller block than others, whose threads wait for one another";
  return leaving.before_wait ? "has threads that leave before others wait for one another" : "";
}

}  // namespace sinter
