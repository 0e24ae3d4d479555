// What was computed of sums. Kernels ask the same of the same sums again and again, and atoms are made once and kept,
// so that a sum of the very same atoms has the very same answer, whoever asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "ir/index/index_algebra.h"

namespace sinter {

class IndexMemo {
 public:
  // What `compute` says of a sum, and a number.
  template <class Compute>
  IndexExpr of(const IndexExpr& sum, int64_t number, const Compute& compute) {
    const auto known = answers_.find(Question{sum, number});
    if (known != answers_.end()) return known->second;
    IndexExpr answer = compute();
    if (answers_.size() >= kMostKnown) answers_.clear();
    answers_.emplace(Asked{sum, number}, answer);
    return answer;
  }

 private:
  static constexpr size_t kMostKnown = size_t{1} << 15;

  struct Asked {
    IndexExpr sum;
    int64_t number = 0;
  };
  struct Question {
    const IndexExpr& sum;
    int64_t number = 0;
  };
  struct Hash {
    using is_transparent = void;
    template <class Either>
    size_t operator()(const Either& asked) const {
      constexpr uint64_t kOdd = 0x9e3779b97f4a7c15u;
      constexpr int kHalf = 32;
      uint64_t hash = static_cast<uint64_t>(asked.sum.constant()) * kOdd + static_cast<uint64_t>(asked.number);
      for (const Term& term : asked.sum.terms()) {
        hash = (hash ^ (hash >> kHalf)) * kOdd + static_cast<uint64_t>(term.coefficient);
        hash = (hash ^ (hash >> kHalf)) * kOdd + reinterpret_cast<uintptr_t>(term.atom);
      }
      hash = (hash ^ (hash >> kHalf)) * kOdd;
      return static_cast<size_t>(hash ^ (hash >> kHalf));
    }
  };
  struct IsSame {
    using is_transparent = void;
    template <class One, class Other>
    bool operator()(const One& a, const Other& b) const {
      return a.number == b.number && is_identical(a.sum, b.sum);
    }
  };
  std::unordered_map<Asked, IndexExpr, Hash, IsSame> answers_;
};

}  // namespace sinter
