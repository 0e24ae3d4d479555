// Random index expressions: every operation keeps the value at random points, and ranges hold it.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "ir/index/index_expr.h"

namespace sinter {
namespace {

using Point = std::vector<int64_t>;

int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

// The value of an expression as its terms say, each atom once.
int64_t evaluate(const IndexExpr& expr, const Point& point, std::map<const IndexExpr::Atom*, int64_t>& known) {
  int64_t sum = expr.constant();
  for (const IndexExpr::Term& term : expr.terms()) {
    const IndexExpr::Atom& atom = *term.atom;
    auto found = known.find(&atom);
    if (found == known.end()) {
      int64_t value = 0;
      if (atom.kind == IndexExpr::AtomKind::kCoordinate || atom.kind == IndexExpr::AtomKind::kValue) {
        value = point[atom.id];
      } else {
        const int64_t operand = evaluate(atom.operand, point, known);
        EXPECT_GE(operand, 0) << atom.operand.to_string();
        const int64_t quotient = floor_divide(operand, atom.divisor);
        value = atom.kind == IndexExpr::AtomKind::kFloorDiv ? quotient : operand - quotient * atom.divisor;
      }
      EXPECT_GE(value, atom.range.low);
      EXPECT_LE(value, atom.range.high);
      found = known.emplace(&atom, value).first;
    }
    sum += term.coefficient * found->second;
  }
  return sum;
}

int64_t evaluate(const IndexExpr& expr, const Point& point) {
  std::map<const IndexExpr::Atom*, int64_t> known;
  return evaluate(expr, point, known);
}

// An expression beside what it is worth at the sample points.
struct Sample {
  IndexExpr expr;
  std::vector<int64_t> values;
};

class IndexProperties : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    random_.seed(GetParam());
    sizes_.resize(4);
    for (int64_t& size : sizes_) size = pick({1, 2, 3, 4, 6, 7, 8, 12, 24, 100, 1000});
    points_.resize(12);
    for (Point& point : points_) {
      for (const int64_t size : sizes_) point.push_back(draw(0, size - 1));
    }
    for (size_t id = 0; id < sizes_.size(); ++id) {
      Sample leaf;
      const IndexRange range = {0, sizes_[id] - 1};
      leaf.expr = id == 3 ? IndexExpr::value(3, range) : IndexExpr::coordinate(static_cast<int>(id), range);
      for (const Point& point : points_) leaf.values.push_back(point[id]);
      pool_.push_back(leaf);
    }
  }

  int64_t draw(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random_() % static_cast<uint64_t>(high - low + 1));
  }
  int64_t pick(const std::vector<int64_t>& from) { return from[draw(0, static_cast<int64_t>(from.size()) - 1)]; }

  void check(const Sample& sample) {
    const IndexRange range = sample.expr.range();
    for (size_t i = 0; i < points_.size(); ++i) {
      ASSERT_EQ(evaluate(sample.expr, points_[i]), sample.values[i]) << sample.expr.to_string();
      ASSERT_LE(range.low, sample.values[i]);
      ASSERT_GE(range.high, sample.values[i]);
    }
  }

  Sample grow() {
    const Sample& a = pool_[draw(0, static_cast<int64_t>(pool_.size()) - 1)];
    const Sample& b = pool_[draw(0, static_cast<int64_t>(pool_.size()) - 1)];
    const int64_t number = pick({2, 3, 4, 5, 6, 8, 12, 16, 24, 48, 100});
    Sample result;
    const int64_t operation = draw(0, 6);
    const int64_t shift = draw(-20, 20);
    switch (operation) {
      case 0:
        result.expr = a.expr + b.expr;
        break;
      case 1:
        result.expr = a.expr - b.expr;
        break;
      case 2:
        result.expr = a.expr * shift;
        break;
      case 3:
        result.expr = a.expr + shift;
        break;
      case 4:
        result.expr = a.expr * number + b.expr;
        break;
      case 5:
        result.expr = a.expr.floor_div(number);
        break;
      default:
        result.expr = a.expr.floor_mod(number);
        break;
    }
    for (size_t i = 0; i < points_.size(); ++i) {
      const int64_t x = a.values[i], y = b.values[i];
      const int64_t choices[] = {x + y,
                                 x - y,
                                 x * shift,
                                 x + shift,
                                 x * number + y,
                                 floor_divide(x, number),
                                 x - floor_divide(x, number) * number};
      result.values.push_back(choices[operation]);
    }
    return result;
  }

  std::mt19937_64 random_;
  std::vector<int64_t> sizes_;
  std::vector<Point> points_;
  std::vector<Sample> pool_;
};

TEST_P(IndexProperties, OperationsKeepTheValue) {
  for (int step = 0; step < 40; ++step) {
    const Sample sample = grow();
    check(sample);
    if (HasFatalFailure()) return;
    const IndexRange range = sample.expr.range();
    if (range.high < 1000000 && range.low > -1000000) pool_.push_back(sample);
  }
}

TEST_P(IndexProperties, IdentitiesHold) {
  for (int step = 0; step < 30; ++step) {
    const Sample sample = grow();
    const IndexExpr& e = sample.expr;
    const int64_t d = pick({2, 3, 4, 6, 12, 24});
    ASSERT_EQ(e.floor_div(d) * d + e.floor_mod(d), e) << e.to_string() << " by " << d;
    ASSERT_EQ(e - e, IndexExpr(0));
    ASSERT_EQ((e + 1) - 1, e);
    ASSERT_EQ((e * 3 - e) - e, e);
    ASSERT_EQ((e * d).floor_div(d), e) << e.to_string() << " by " << d;
    ASSERT_EQ((e + d).floor_div(d), e.floor_div(d) + 1) << e.to_string() << " by " << d;
    ASSERT_EQ((e + d).floor_mod(d), e.floor_mod(d)) << e.to_string() << " by " << d;
    ASSERT_EQ(e.substitute([](const IndexExpr::Atom&) { return std::nullopt; }), e) << e.to_string();
    const IndexRange range = sample.expr.range();
    if (range.high < 1000000 && range.low > -1000000) pool_.push_back(sample);
  }
}

TEST_P(IndexProperties, SubstitutionKeepsTheValue) {
  for (int step = 0; step < 20; ++step) {
    const Sample sample = grow();
    // Coordinate 0 becomes a sum of two new ones.
    std::vector<Sample> parts;
    const int64_t inner = pick({2, 3, 4, 6});
    const IndexExpr outer = IndexExpr::coordinate(4, {0, sizes_[0] / inner});
    const IndexExpr sum = outer * inner + IndexExpr::coordinate(5, {0, inner - 1});
    const IndexExpr replaced = sample.expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
      if (atom.kind != IndexExpr::AtomKind::kCoordinate || atom.id != 0) return std::nullopt;
      return sum;
    });
    for (size_t i = 0; i < points_.size(); ++i) {
      Point point = points_[i];
      point.push_back(point[0] / inner);
      point.push_back(point[0] % inner);
      ASSERT_EQ(evaluate(replaced, point), sample.values[i])
          << sample.expr.to_string() << " to " << replaced.to_string();
    }
    const IndexRange range = sample.expr.range();
    if (range.high < 1000000 && range.low > -1000000) pool_.push_back(sample);
  }
}

// Reshapes through random factorisations of one size, with size-1 dimensions, end where they began.
TEST_P(IndexProperties, ReshapesEndWhereTheyBegan) {
  const int64_t primes[] = {2, 2, 2, 3, 3, 5, 7};
  const auto factorise = [&] {
    std::vector<int64_t> factors(std::begin(primes), std::end(primes));
    std::shuffle(factors.begin(), factors.end(), random_);
    std::vector<int64_t> dims = {1};
    for (const int64_t factor : factors) {
      if (draw(0, 1) == 0) dims.push_back(1);
      dims.back() *= factor;
    }
    if (draw(0, 3) == 0) dims.push_back(1);
    return dims;
  };
  for (int step = 0; step < 30; ++step) {
    const std::vector<int64_t> first = factorise();
    std::vector<IndexExpr> index;
    for (size_t i = 0; i < first.size(); ++i) {
      index.push_back(IndexExpr::coordinate(static_cast<int>(i), {0, first[i] - 1}));
    }
    std::vector<IndexExpr> moved = index;
    std::vector<int64_t> dims = first;
    for (int hop = 0; hop < 3; ++hop) {
      const std::vector<int64_t> next = factorise();
      moved = delinearize(linearize(moved, dims), next);
      dims = next;
    }
    const std::vector<IndexExpr> back = delinearize(linearize(moved, dims), first);
    ASSERT_EQ(linearize(moved, dims), linearize(index, first)) << linearize(moved, dims).to_string();
    ASSERT_EQ(back, index);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, IndexProperties, testing::Range(0, 300));

}  // namespace
}  // namespace sinter
