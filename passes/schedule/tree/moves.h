// The moves that make few kernels of many. Each may be left out (`--without`): to see what it is worth, and to test
// that programs stay right without it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

struct Moves {
  bool absorb = true, attach = true, join_readers = true, join_neighbours = true, join_siblings = true;
  bool loop_kernels = true, ahead = true, share_numbers = true, share_launches = true, last_block = true,
       dissolve = true, recompute = true, update_in_place = true, cut = true, tensor_cores = true;
  bool operator==(const Moves&) const = default;
};

struct MoveName {
  std::string_view name;
  bool Moves::* move;
  std::string_view what;
};
inline constexpr std::array<MoveName, 15> kMoveNames = {{
    {"absorb", &Moves::absorb, "a value is computed in the kernels of all that read it"},
    {"attach", &Moves::attach, "a stored value is one more output of a reader's or sibling's kernel"},
    {"join-readers", &Moves::join_readers, "kernels that need a dear value become one that computes it"},
    {"join-neighbours", &Moves::join_neighbours,
     "kernels over the same rows or elements become one where one reads the other"},
    {"join-siblings", &Moves::join_siblings, "kernels over one domain that read the same arrays become one"},
    {"loop-kernels", &Moves::loop_kernels, "a loop or a conditional runs inside a kernel"},
    {"ahead", &Moves::ahead, "what is the same for all threads in a loop's steps is computed ahead, a step a lane"},
    {"share-numbers", &Moves::share_numbers, "what is dear and the same for all threads, one of a block computes"},
    {"share-launches", &Moves::share_launches, "kernels that need nothing of each other share a launch"},
    {"last-block", &Moves::last_block, "a kernel of one block is computed by the last block of the one it waits for"},
    {"dissolve", &Moves::dissolve,
     "what a kernel of few threads stores is computed by all that read it, where that takes less time"},
    {"recompute", &Moves::recompute, "what is large is computed again by all that read it, where that takes less time"},
    {"update-in-place", &Moves::update_in_place, "a small update of a large donated parameter is all that is written"},
    {"cut", &Moves::cut,
     "a kernel that takes much longer than its launch and bytes becomes two, where these are faster"},
    {"tensor-cores", &Moves::tensor_cores, "matrix products are made on tensor cores, where that takes less time"},
}};

// Leaves out the move of that name, or all of them: "all". False if there is no such move.
bool leave_out(std::string_view name, Moves& moves);

// The names of those that are left out.
std::vector<std::string> left_out(const Moves& moves);

}  // namespace sinter
