// The schedule tree: which kernels there are, what each computes, and where every loop and value lives. It is the
// only place where grouping is decided, it is text (print_tree.cpp, parse_tree.cpp), and the text is the plan
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
#include <map>
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

// Who runs the steps of a loop: each thread, the threads of a block together; the threads are its steps (kMap); all
// blocks of a launch, which wait for one another; or the host.
enum class Scope : uint8_t { kThread, kBlock, kMap, kGrid, kHost };
// "thread", as the text has it.
std::string_view scope_name(Scope scope);

struct TreeValue {
  std::string name;       // of an instruction of the module after graph passes
  bool shared = false;    // in shared memory, computed by one thread of a block (block_numbers.h)
  bool in_place = false;  // an update of a donated parameter or a carry, which alone is stored (updates_in_place.h)
  bool layer = false;     // in an array of the thread's own, filled before a reduction reads it (layers.h)
  bool stored = false;    // others compute it too, and this kernel stores it (storing_items.h)
  Loc loc = {};           // in a plan file
};

// How the elements of a map, a row or a scan are spread over the threads of their kernel. A stage that says nothing has
// the default (stage_domain.h), which is the same whatever the scheduler would choose.
struct StageDomain {
  enum class Kind : uint8_t { kDefault, kSaid, kOpen };
  Kind kind = Kind::kDefault;    // kOpen: `auto`, what the scheduler would choose
  std::vector<int64_t> extents;  // kSaid: `over [4096,8]`, elements that are threads; `of [64,97]`, rows and columns
  size_t of_block = 0;           // kSaid: so many of the last dimensions, `in blocks of [8]`, are a block's
  int64_t width = 1;             // `by 4`: elements a thread takes, neighbours in memory
  // Of a scan, `in tiles of 4096`: elements of a row that a block takes; of a map elements along a side of a block's
  // tile. 0: all, and no tiles.
  int64_t tile = 0;
  Loc loc = {};  // in a plan file

  bool says_nothing() const { return kind == Kind::kDefault && width == 1 && tile == 0; }
  bool operator==(const StageDomain& other) const {
    return kind == other.kind && extents == other.extents && of_block == other.of_block && width == other.width &&
           tile == other.tile;
  }
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
  StageDomain domain;             // stage: its kernel's, said once; see domain_of
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

// Whether the steps of a loop are kernels: those of the host, and of a loop whose kernels are one launch.
inline bool holds_kernels(const TreeNode& loop) { return loop.scope == Scope::kHost || loop.scope == Scope::kGrid; }

// The split that a kernel consists of; nullptr: it is one computation.
inline const TreeNode* split_of(const TreeNode& kernel) {
  return kernel.body().empty() || kernel.body()[0].kind != TreeNode::Kind::kSplit ? nullptr : &kernel.body()[0];
}
// The bodies of a kernel's parts, or its own.
inline const std::vector<std::vector<TreeNode>>& part_bodies(const TreeNode& kernel) {
  const TreeNode* split = split_of(kernel);
  return split == nullptr ? kernel.bodies : split->bodies;
}
inline std::vector<std::vector<TreeNode>>& part_bodies(TreeNode& kernel) {
  return split_of(kernel) == nullptr ? kernel.bodies : kernel.body()[0].bodies;
}
// The tier of a kernel's row stage; nullopt if it has none.
std::optional<Tier> row_tier(const TreeNode& kernel);

// The domain of a kernel's stages, or of a part's: what the first of them says that says something. nullptr: none does.
const StageDomain* domain_of(const std::vector<TreeNode>& body);
// Makes it that of the body's first stage, and takes from the others what they said.
void set_domain(const StageDomain& domain, std::vector<TreeNode>* body);
// `over auto`, `of auto`: what has changed is to be looked at again.
void leave_domain_open(std::vector<TreeNode>* body);

std::string print(const Tree& tree);
// `over [4096,8] by 4`, as print has it: empty where that says nothing.
std::string print(const StageDomain& domain, std::string_view schedule);
// Reports what is wrong with a plan, at its place in the plan file.
void plan_error(const Tree& tree, Loc loc, const std::string& code, const std::string& message, const std::string& hint,
                Diagnostics& diagnostics);
// Reads what print writes. Names are not resolved here; syntax errors are reported with their place.
std::optional<Tree> parse_tree(Diagnostics& diagnostics);

}  // namespace sinter
