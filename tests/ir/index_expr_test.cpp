// Index expressions: the identities that let equal indices meet, and the forms they are written in.
#include "ir/index/index_expr.h"

#include <gtest/gtest.h>

#include "ir/support/diagnostics.h"

namespace sinter {
namespace {

IndexExpr c(int id, int64_t size) { return IndexExpr::coordinate(id, {0, size - 1}); }
IndexExpr v(int id, int64_t low, int64_t high) { return IndexExpr::value(id, {low, high}); }

TEST(IndexExpr, ConstantsFold) {
  EXPECT_EQ(IndexExpr(7) + 5, IndexExpr(12));
  EXPECT_EQ(IndexExpr(-7).floor_div(2), IndexExpr(-4));
  EXPECT_EQ(IndexExpr(-7).floor_mod(2), IndexExpr(1));
  EXPECT_EQ(IndexExpr().to_string(), "0");
  EXPECT_EQ(c(0, 1), IndexExpr(0));
}

TEST(IndexExpr, SumsAreCanonical) {
  const IndexExpr i = c(0, 4), j = c(1, 6);
  EXPECT_EQ(i + j, j + i);
  EXPECT_EQ(i * 3 - i * 3, IndexExpr(0));
  EXPECT_EQ((i * 2 + j + 5 - i).to_string(), "c0 + c1 + 5");
  EXPECT_EQ((IndexExpr(3) - i * 2).to_string(), "-2*c0 + 3");
  EXPECT_EQ((i + j).hash(), (j + i).hash());
}

TEST(IndexExpr, DivisionDistributesOverMultiples) {
  const IndexExpr i = c(0, 100), j = c(1, 6);
  EXPECT_EQ((i * 6 + j).floor_div(6), i);
  EXPECT_EQ((i * 6 + j).floor_mod(6), j);
  EXPECT_EQ((i * 12 + j).floor_div(6), i * 2);
  EXPECT_EQ((i * 6 + j + 6).floor_div(6), i + 1);
  EXPECT_EQ((i * 12 + j).floor_div(24), i.floor_div(2));
  EXPECT_EQ((i * 12 + j + 6).floor_mod(24), i.floor_mod(2) * 12 + j + 6);
}

TEST(IndexExpr, DivisionAndModuloRecombine) {
  const IndexExpr e = c(0, 1000);
  EXPECT_EQ(e.floor_div(12) * 12 + e.floor_mod(12), e);
  EXPECT_EQ(e.floor_div(12) * 36 + e.floor_mod(12) * 3, e * 3);
  EXPECT_EQ(e.floor_div(4).floor_mod(5) * 4 + e.floor_mod(4), e.floor_mod(20));
  EXPECT_EQ(e - e.floor_mod(12), e.floor_div(12) * 12);
}

TEST(IndexExpr, NestedDivisionsCollapse) {
  const IndexExpr e = c(0, 100000);
  EXPECT_EQ(e.floor_div(4).floor_div(5), e.floor_div(20));
  EXPECT_EQ(e.floor_mod(20).floor_mod(5), e.floor_mod(5));
  EXPECT_EQ(e.floor_mod(20).floor_div(5), e.floor_div(5).floor_mod(4));
  EXPECT_EQ((c(1, 50) * 3 + c(2, 12).floor_div(4)).floor_div(6), c(1, 50).floor_div(2));
  EXPECT_EQ(e.floor_div(1), e);
  EXPECT_EQ(e.floor_mod(1), IndexExpr(0));
}

// Coordinates of two kernels may be equal but for how far they go: what is known of one is not of the other.
TEST(IndexExpr, QuotientsAreOfTheRangeToo) {
  for (int times = 0; times < 2; ++times) {
    EXPECT_EQ(c(0, 6).floor_div(6), IndexExpr(0));
    EXPECT_EQ(c(0, 12).floor_div(6).range(), (IndexRange{0, 1}));
    EXPECT_EQ((c(0, 6) + v(1, 0, 3) * 6).floor_mod(6), c(0, 6));
    EXPECT_EQ((c(0, 12) + v(1, 0, 3) * 6).floor_mod(6), c(0, 12).floor_mod(6));
    EXPECT_EQ((c(0, 12).floor_div(4) * 4 + c(0, 12).floor_mod(4)).range(), (IndexRange{0, 11}));
    EXPECT_EQ((c(0, 8).floor_div(4) * 4 + c(0, 8).floor_mod(4)).range(), (IndexRange{0, 7}));
  }
}

TEST(IndexExpr, RangesNarrow) {
  const IndexExpr e = c(0, 1000);
  EXPECT_EQ(e.floor_div(1000), IndexExpr(0));
  EXPECT_EQ((e + 2000).floor_div(1000), IndexExpr(2));
  EXPECT_EQ(e.floor_mod(12).range(), (IndexRange{0, 11}));
  EXPECT_EQ((e.floor_mod(12) * 5 + e.floor_div(12)).range(), (IndexRange{0, 55 + 83}));
  EXPECT_EQ(v(0, INT64_MIN, INT64_MAX).range(), (IndexRange{INT64_MIN, INT64_MAX}));
  EXPECT_EQ((v(0, INT64_MIN, INT64_MAX) * 3 + 1).range(), (IndexRange{INT64_MIN, INT64_MAX}));
  EXPECT_EQ(v(0, INT64_MIN, INT64_MAX).floor_mod(7).range(), (IndexRange{0, 6}));
}

TEST(IndexExpr, OperandsOfDivisionsAreNotNegative) {
  const IndexExpr e = c(0, 1000);
  EXPECT_EQ((e - 1).floor_div(6).to_string(), "(c0 + 5) / 6 - 1");
  EXPECT_EQ((e - 1).floor_mod(6).to_string(), "(c0 + 5) % 6");
  EXPECT_EQ((IndexExpr(999) - e).floor_div(6).to_string(), "(-c0 + 999) / 6");
}

TEST(IndexExpr, ModulosStayWhereTheyAreCheaper) {
  const IndexExpr e = c(0, 1000);
  EXPECT_EQ((e.floor_mod(10) + 1).floor_div(5).range(), (IndexRange{0, 2}));
  EXPECT_EQ(e.floor_mod(10).floor_mod(4).to_string(), "(c0 % 10) % 4");
  EXPECT_EQ((e.floor_div(4).floor_mod(3) * 5 + e.floor_mod(4)).to_string(), "5*((c0 / 4) % 3) + c0 % 4");
  EXPECT_EQ((e.floor_mod(6) + e.floor_mod(4)).to_string(), "c0 % 4 + c0 % 6");
  EXPECT_EQ((e * 12 + e.floor_mod(12)).range(), (IndexRange{0, 11999}));
}

TEST(IndexExpr, SubstitutionSimplifiesAgain) {
  const IndexExpr e = c(0, 24);
  const IndexExpr index = e.floor_div(6) * 100 + e.floor_mod(6);
  const auto split = [](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
    if (atom.id != 0) return std::nullopt;
    return c(1, 4) * 6 + c(2, 6);
  };
  EXPECT_EQ(index.substitute(split), c(1, 4) * 100 + c(2, 6));
  EXPECT_EQ((index + c(5, 9)).substitute(split), c(1, 4) * 100 + c(2, 6) + c(5, 9));
}

TEST(IndexExpr, LeavesAreVisited) {
  std::string seen;
  ((c(0, 24) + v(3, 0, 5)).floor_div(7) * 2 + c(1, 3)).visit_leaves([&](const IndexExpr::Atom& atom) {
    seen += (atom.kind == IndexExpr::AtomKind::kValue ? "v" : "c") + std::to_string(atom.id) + " ";
  });
  EXPECT_EQ(seen, "c1 c0 v3 ");
  EXPECT_EQ((c(0, 24) * 5 + c(1, 3)).coefficient_of_coordinate(0), 5);
  EXPECT_EQ((c(0, 24) * 5 + c(1, 3)).coefficient_of_coordinate(7), 0);
}

TEST(IndexExpr, ReshapesRoundTrip) {
  const std::vector<IndexExpr> index = {c(0, 4), c(1, 6)};
  EXPECT_EQ(delinearize(linearize(index, {4, 6}), {4, 6}), index);
  const IndexExpr linear = linearize(index, {4, 6});
  const std::vector<IndexExpr> other = delinearize(linear, {2, 12});
  EXPECT_EQ(linearize(other, {2, 12}), linear);
  EXPECT_EQ(delinearize(linearize(other, {2, 12}), {4, 6}), index);
  EXPECT_EQ(other[0].to_string(), "c0 / 2");
  EXPECT_EQ(other[1].to_string(), "c1 + 6*(c0 % 2)");
  const std::vector<IndexExpr> sparse = delinearize(linear, {1, 4, 1, 6, 1});
  EXPECT_EQ(sparse, (std::vector<IndexExpr>{0, index[0], 0, index[1], 0}));
  EXPECT_TRUE(delinearize(0, {}).empty());
  EXPECT_EQ(linearize({}, {}), IndexExpr(0));
}

TEST(IndexExpr, FactorisationsMeet) {
  const IndexExpr e = c(0, 5040);
  const std::vector<std::vector<int64_t>> shapes = {{5040},    {72, 70},      {7, 8, 9, 10},
                                                    {2, 2520}, {10, 9, 8, 7}, {63, 80}};
  for (const std::vector<int64_t>& first : shapes) {
    for (const std::vector<int64_t>& second : shapes) {
      const IndexExpr back = linearize(delinearize(linearize(delinearize(e, first), first), second), second);
      EXPECT_EQ(back, e) << back.to_string();
    }
  }
}

TEST(IndexExpr, DeepChainsNeedNoStack) {
  IndexExpr e = c(0, int64_t{1} << 40);
  for (int i = 0; i < 20000; ++i) e = i % 2 == 0 ? (e * 3 + 1).floor_div(2) : (e * 2 + 1).floor_div(3);
  EXPECT_FALSE(e.is_constant());
  const IndexExpr moved = e.substitute([](const IndexExpr::Atom&) { return std::optional<IndexExpr>(5); });
  EXPECT_TRUE(moved.is_constant());
  EXPECT_LE(e.to_string().size(), 1000000u);
}

TEST(IndexExpr, WrongUseIsOurBug) {
  EXPECT_THROW(c(0, 4).floor_div(0), InternalError);
  EXPECT_THROW(c(0, 4) * INT64_MAX * 2, InternalError);
}

}  // namespace
}  // namespace sinter
