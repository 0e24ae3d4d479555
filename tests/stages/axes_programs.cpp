// axes_programs: reductions over every set of dimensions, side by side or apart, of arrays and transposed ones, with
// every combiner and type in turn, and by functions of their own; compared with the evaluator bit for bit: sums are
// exact.
#include <array>

#include "tests/stages/axes_text.h"

namespace sinter {
namespace {

std::vector<StageProgram> fold_programs() {
  const std::vector<std::vector<int64_t>> arrays = {{4099}, {130, 35}, {9, 2, 67}};
  std::vector<StageProgram> result;
  for (const Fold& fold : kFolds) {
    for (const std::vector<int64_t>& dims : arrays) {
      for (uint64_t axes = 1; axes < uint64_t{1} << dims.size(); ++axes) {
        const std::string name = fold.name + ("_" + std::to_string(dims.size())) + "_axes_" + std::to_string(axes);
        result.push_back(fold_program(name, fold, dims, axes));
      }
    }
  }
  return result;
}

std::vector<StageProgram> programs() {
  constexpr std::array kPlaces = {Place::kAlone, Place::kAfter, Place::kBefore, Place::kTransposed, Place::kAlone};
  const std::vector<std::vector<int64_t>> arrays = {{41, 37}, {40, 3, 35}, {5, 66, 2, 33}, {4, 3, 5, 2, 19}};
  std::vector<StageProgram> result;
  for (const std::vector<int64_t>& dims : arrays) {
    for (uint64_t axes = 1; axes < uint64_t{1} << dims.size(); ++axes) {
      // Steps without a divisor in common: every combiner meets every place.
      const size_t number = result.size();
      const std::string name = "rank_" + std::to_string(dims.size()) + "_axes_" + std::to_string(axes);
      result.push_back(
          axes_program(name, kCombiners[number % kCombiners.size()], dims, axes, kPlaces[number % kPlaces.size()]));
    }
  }
  // So many elements that what is left of the first reduction is split.
  result.push_back(axes_program("channels", kCombiners[0], {32, 3, 8192}, 0b101, Place::kAfter));
  result.push_back(axes_program("halves", kCombiners[3], {9000, 2, 40}, 0b101, Place::kBefore));
  for (StageProgram& program : fold_programs()) result.push_back(std::move(program));
  return result;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
