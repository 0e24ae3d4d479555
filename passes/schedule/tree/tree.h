// The schedule tree: which kernels there are, what each computes, and where every loop and value lives. It is the
// only place where grouping is decided, it is text (tree_text.cpp prints and parses it), and the text is the plan
// file of --plan. docs/schedule.md explains it by example.
//
//   program cartpole {
//     kernel step grid 64 block 32 {
//       loop while.31 trip 10000 unroll 10 scope thread {
//         stage map {add.5 cosine.6 select.41}
//       }
//     }
//   }
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"
#include "passes/stages/domain/tier.h"

namespace sinter {

enum class Scope : uint8_t { kThread, kBlock, kGrid, kHost };
// "thread", as the text has it.
std::string_view scope_name(Scope scope);

struct TreeValue {
  std::string name;       // of an instruction of the module after graph passes
  bool shared = false;    // in shared memory, computed by one thread of a block (block_numbers.h)
  bool in_place = false;  // an update of a donated parameter, which alone is stored (updates_in_place.h)
  Loc loc = {};           // in a plan file
};

struct TreeNode {
  enum class Kind : uint8_t { kKernel, kLoop, kBranch, kSplit, kStage, kCall };
  Kind kind = Kind::kStage;

  std::string name;               // kernel, loop, branch, call (of a library: the instruction)
  int64_t grid[3] = {1, 1, 1};    // kernel; grid[0] == 0: as many blocks as there is work for
  int64_t block[3] = {1, 1, 1};   // kernel
  std::optional<int64_t> trip;    // loop; nullopt: `while`
  int64_t unroll = 1;             // loop
  int64_t ahead = 1;              // loop: steps whose common part a warp's lanes compute, one each (steps_ahead.h)
  Scope scope = Scope::kThread;   // loop, branch
  std::string schedule;           // stage: "map", "row(warp)", "contract", "scan", "sort", ...
  std::vector<TreeValue> values;  // stage
  // Items inside: kernel and loop use bodies[0]; a branch has one per arm; a split one per block range.
  std::vector<std::vector<TreeNode>> bodies;
  // Of a split: each body's blocks, [first, last); bodies beyond are the last block's, one after the other, when all
  // blocks have finished theirs. What the function of each is called.
  std::vector<std::pair<int64_t, int64_t>> ranges;
  std::vector<std::string> parts;
  Loc loc;  // in a plan file

  std::vector<TreeNode>& body() { return bodies.front(); }
  const std::vector<TreeNode>& body() const { return bodies.front(); }
};

struct Tree {
  std::string name;  // of the program
  std::vector<TreeNode> items;
  std::shared_ptr<const Source> source;  // the plan file it was read from; nullptr: chosen
  Loc loc;                               // of the name, in that file
};

// The split that a kernel consists of; nullptr: it is one computation.
inline const TreeNode* split_of(const TreeNode& kernel) {
  return kernel.body().empty() || kernel.body()[0].kind != TreeNode::Kind::kSplit ? nullptr : &kernel.body()[0];
}
// The tier of a kernel's row stage; nullopt if it has none.
std::optional<Tier> row_tier(const TreeNode& kernel);

std::string print(const Tree& tree);
// Reports what is wrong with a plan, at its place in the plan file.
void plan_error(const Tree& tree, Loc loc, const std::string& code, const std::string& message, const std::string& hint,
                Diagnostics& diagnostics);
// Reads what print writes. Names are not resolved here; syntax errors are reported with their place.
std::optional<Tree> parse_tree(Diagnostics& diagnostics);

}  // namespace sinter
