// The text of the schedule tree: what is printed reads back the same, and errors are located.
#include <gtest/gtest.h>

#include "passes/schedule/tree/tree.h"

namespace sinter {
namespace {

std::optional<Tree> parse_plan(const std::string& text, std::string* errors = nullptr) {
  const Source source = {"plan.txt", text};
  Diagnostics diagnostics(source);
  std::optional<Tree> tree = parse_tree(diagnostics);
  if (errors != nullptr) *errors = diagnostics.render();
  return tree;
}

// The place and code of each error: "2:10 E0402".
std::string errors_of(const std::string& text) {
  const Source source = {"plan.txt", text};
  Diagnostics diagnostics(source);
  EXPECT_FALSE(parse_tree(diagnostics).has_value());
  std::string result;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity != Severity::kError) continue;
    const LineColumn place = line_column(source, diagnostic.loc);
    result += std::to_string(place.line) + ":" + std::to_string(place.column) + " " + diagnostic.code + "\n";
  }
  return result;
}

const char kWhole[] = R"(program cartpole {
  kernel rollout grid 64 block 32 {
    loop while.31 trip 10000 unroll 10 scope thread {
      stage map {add.5 cosine.6:layer select.41}
    }
    loop while.40 while scope map {
      stage map {exp.1 sum.2:shared}
    }
  }
  branch conditional.7 scope block {
    stage whole {a}
  } {
  } {
    stage map {b}
  }
  kernel optimiser grid 16x2 block 32x4x2 {
    split blocks 0..8 first {
      stage map {"odd name" "quote\"back\\slash"}
    } blocks 8..16 {
    } last sum {
      stage row(block) {total}
    } last {
    }
  }
  kernel rows grid auto block 128 {
    stage row(warp) of [64,128] by 4 {total.1}
    stage row(block) by 2 {total.2}
    stage scan in tiles of 4096 {sums}
  }
}
)";

TEST(TreeText, PrintsWhatItReads) {
  std::string errors;
  const std::optional<Tree> tree = parse_plan(kWhole, &errors);
  ASSERT_TRUE(tree.has_value()) << errors;
  EXPECT_EQ(print(*tree), kWhole);
  EXPECT_EQ(tree->name, "cartpole");
  const TreeNode& kernel = tree->items[0];
  EXPECT_EQ(kernel.kind, TreeNode::Kind::kKernel);
  EXPECT_EQ(kernel.grid[0], 64);
  const TreeNode& loop = kernel.body()[0];
  EXPECT_EQ(loop.trip, 10000);
  EXPECT_EQ(loop.unroll, 10);
  EXPECT_EQ(loop.body()[0].values.size(), 3u);
  EXPECT_FALSE(kernel.body()[1].trip.has_value());
  EXPECT_EQ(kernel.body()[1].body()[0].schedule, "map");
  EXPECT_EQ(tree->items[1].bodies.size(), 3u);
  EXPECT_EQ(tree->items[2].block[2], 2);
  EXPECT_EQ(tree->items[2].body()[0].ranges[1], (std::pair<int64_t, int64_t>(8, 16)));
}

TEST(TreeText, CommentsAndBlanksDoNotMatter) {
  const std::optional<Tree> tree = parse_plan("// by hand\nprogram p{kernel k grid 1 block 32{stage map{a//b\nb c}}}");
  ASSERT_TRUE(tree.has_value());
  EXPECT_EQ(print(*tree), "program p {\n  kernel k grid 1 block 32 {\n    stage map {a b c}\n  }\n}\n");
}

TEST(TreeText, LongStagesAreWrapped) {
  Tree tree;
  tree.name = "p";
  TreeNode stage;
  stage.schedule = "map";
  for (int i = 0; i < 60; ++i) stage.values.push_back({"multiply." + std::to_string(i)});
  tree.items.push_back(stage);
  const std::string text = print(tree);
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = text.find('\n', begin);
    EXPECT_LE(end - begin, 100u);
    begin = end + 1;
  }
  EXPECT_TRUE(text.starts_with("program p {\n  stage map {\n    multiply.0 multiply.1 ")) << text;
  const std::optional<Tree> again = parse_plan(text);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->items[0].values.size(), stage.values.size());
  EXPECT_EQ(print(*again), text);
}

TEST(TreeText, ErrorsAreLocated) {
  EXPECT_EQ(errors_of(""), "1:1 E0401\n");
  EXPECT_EQ(errors_of("kernel k grid 1 block 32 {}"), "1:1 E0401\n");
  EXPECT_EQ(errors_of("program p {\n  kernel k grid 0 block 32 {}\n}"), "2:17 E0402\n");
  EXPECT_EQ(errors_of("program p {\n  kernel k grid 1x2x3x4 block 32 {}\n}"), "2:17 E0402\n");
  EXPECT_EQ(errors_of("program p {\n  loop w trip x scope thread {}\n}"), "2:15 E0402\n");
  EXPECT_EQ(errors_of("program p {\n  loop w while scope wrap {}\n}"), "2:22 E0403\n");
  EXPECT_EQ(errors_of("program p {\n  split blocks 4..2 {}\n}"), "2:16 E0402\n");
  EXPECT_EQ(errors_of("program p {\n  stage map {a:warp}\n}"), "2:16 E0403\n");
  EXPECT_EQ(errors_of("program p {\n  stage map {a, b}\n}"), "2:15 E0401\n");
  EXPECT_EQ(errors_of("program p {\n  stage row {a}\n}"), "2:13 E0401\n");
  EXPECT_EQ(errors_of("program p {\n  stage row(thread) {a}\n}"), "2:13 E0403\n");
  EXPECT_EQ(errors_of("program p {\n  stage map {a"), "2:15 E0401\n");
  EXPECT_EQ(errors_of("program p {} }"), "1:14 E0401\n");
  EXPECT_EQ(errors_of("program \"p {}"), "1:9 E0401\n");
  EXPECT_EQ(errors_of("program p {\n  kernl k grid 1 block 32 {}\n  branch b scope wrap\n}"),
            "2:3 E0403\n3:18 E0403\n");
  EXPECT_EQ(errors_of("program p { loop w trip 99999999999999999999 scope thread {} }"), "1:25 E0402\n");
}

TEST(TreeText, AnErrorSaysWhatToWrite) {
  std::string errors;
  parse_plan("program p {\n  branch b scope wrap\n}", &errors);
  EXPECT_NE(errors.find("expected a scope, found 'wrap'"), std::string::npos) << errors;
  EXPECT_NE(errors.find("one of thread, block, map, grid, host"), std::string::npos) << errors;
}

TEST(TreeText, NestingIsLimited) {
  std::string text = "program p {";
  for (int i = 0; i < 100000; ++i) text += "loop w while scope thread {";
  EXPECT_FALSE(parse_plan(text).has_value());
}

TEST(TreeText, AnyBytesAreReadToTheEnd) {
  for (int seed = 0; seed < 300; ++seed) {
    std::string text = kWhole;
    for (int i = 0; i < 3; ++i) {
      const size_t place = static_cast<size_t>(seed * 7919 + i * 104729) % text.size();
      text[place] = static_cast<char>(seed * 31 + i * 77);
    }
    std::string errors;
    const std::optional<Tree> tree = parse_plan(text, &errors);
    EXPECT_EQ(tree.has_value(), errors.empty());
  }
}

}  // namespace
}  // namespace sinter
