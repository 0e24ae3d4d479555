#include "passes/stages/matrices/live_words.h"

#include <algorithm>
#include <vector>

#include "passes/stages/matrices/join_arrays.h"
#include "passes/stages/matrices/thread_program.h"

namespace sinter {
namespace {

// From where to where each array is used, in the order of the units.
class Lives {
 public:
  explicit Lives(const ThreadProgram& program) : program_(program), lives_(program.arrays.size()) {
    for (size_t a = 0; a < lives_.size(); ++a) {
      if (program.arrays[a].copied != nullptr) use(static_cast<int>(a));
    }
    visit(program.units);
  }

  int64_t most() const {
    std::vector<int64_t> change(static_cast<size_t>(place_) + 2, 0);
    for (size_t a = 0; a < lives_.size(); ++a) {
      const OwnArray& array = program_.arrays[a];
      if (lives_[a].last < 0 || array.constant != nullptr) continue;
      const int64_t words = (array.elements() * dtype_bytes(array.dtype) + 3) / 4;
      change[static_cast<size_t>(lives_[a].first)] += words;
      change[static_cast<size_t>(lives_[a].last) + 1] -= words;
    }
    int64_t live = 0, most = 0;
    for (const int64_t words : change) most = std::max(most, live += words);
    return most;
  }

 private:
  struct Life {
    int64_t first = -1, last = -1;
  };

  void use(int array) {
    if (array < 0) return;
    Life& life = lives_[static_cast<size_t>(array)];
    if (life.first < 0) life.first = place_;
    life.last = place_;
  }

  void visit(const std::vector<ThreadUnit>& units) {
    for (const ThreadUnit& unit : units) {
      ++place_;
      if (unit.kind != ThreadUnit::Kind::kLoop) {
        for (const int array : arrays_read(program_, unit)) use(array);
      }
      use(unit.array);
      for (const int array : unit.solve_arrays) use(array);
      use(unit.info);
      if (unit.kind != ThreadUnit::Kind::kLoop) continue;
      const int64_t begin = place_;
      for (const auto& [from, to] : unit.hand_on) use(to);
      visit(unit.body);
      ++place_;
      for (const auto& [from, to] : unit.hand_on) {
        use(from);
        use(to);
      }
      // What was there before and is read in a step is read in the next one too.
      for (Life& life : lives_) {
        if (life.first >= 0 && life.first <= begin && life.last > begin) life.last = place_;
      }
    }
  }

  const ThreadProgram& program_;
  std::vector<Life> lives_;
  int64_t place_ = 0;
};

}  // namespace

int64_t live_words(const ThreadProgram& program) { return Lives(program).most(); }

}  // namespace sinter
