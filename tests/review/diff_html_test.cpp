// The page of `sinter diff --html`: what others wrote stands in it as text, tags are closed, and of a line that changed
// the tokens that did are marked.
#include "review/report/diff_html.h"

#include <gtest/gtest.h>

#include "review/report/side_by_side.h"
#include "tests/page_checks.h"

namespace sinter {
namespace {

void each_of(size_t count, const std::function<void(size_t)>& run) {
  for (size_t i = 0; i < count; ++i) run(i);
}

std::string page_of(const FileSet& before, const FileSet& after) {
  return diff_html(diff_programs(before, after, each_of));
}

std::string kernel(const std::string& number, const std::string& comment) {
  return "// " + comment + "\n__global__ void scale(float* x) {\n  x[threadIdx.x] *= " + number + ";\n}\n";
}

std::string manifest(const std::string& program) { return R"({"program": ")" + program + R"(", "files": {}})"; }

TEST(DiffHtml, MarksTheTokensThatChanged) {
  const std::string page = page_of({{"manifest.json", manifest("p")}, {"kernels/k.cu", kernel("2.0f", "one")}},
                                   {{"manifest.json", manifest("p")}, {"kernels/k.cu", kernel("3.5f", "one")}});
  EXPECT_TRUE(has(page, "x[threadIdx.x] *= <del>2.0f</del>;")) << page;
  EXPECT_TRUE(has(page, "x[threadIdx.x] *= <ins>3.5f</ins>;"));
  EXPECT_TRUE(has(page, "2.0f -&gt; 3.5f")) << "what the verdict rests on";
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_EQ(needed_besides(page), "");
}

TEST(DiffHtml, WhatOthersWroteIsText) {
  const std::string hostile = R"x(</script><img src=x onerror="alert('1')">&amp;{{title}})x";
  const std::string name = "kernels/" + std::string("a'\"&<b>") + ".cu";
  const std::string program = R"(<i>&\"')";
  const FileSet before = {{"manifest.json", manifest(program)},
                          {name, kernel("2.0f", hostile)},
                          {"include/x/<u>.h", "one"},
                          {"kernels/gone<s>.cu", kernel("1.0f", "\xe2\x80\xaeturned \xff\x01")}};
  const FileSet after = {
      {"manifest.json", manifest(program)}, {name, kernel("3.0f", hostile + hostile)}, {"include/x/<u>.h", "two"}};
  const std::string page = page_of(before, after);
  for (const char* tag : {"</script", "<img", "<b>", "<i>", "<u>", "<s>"}) EXPECT_FALSE(has(page, tag)) << tag;
  EXPECT_TRUE(has(page, "&lt;/script&gt;&lt;img src=x onerror=&quot;alert(&apos;1&apos;)&quot;&gt;&amp;amp;{{title}}"));
  EXPECT_TRUE(has(page, "\\u202eturned \xef\xbf\xbd\xef\xbf\xbd"));
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_EQ(page, page_of(before, after));
}

// "2 x = <a>;|2 x = <b>;" for each row; rows that are not near a change are left out, and "..3" says how many.
std::string rows_of(const std::string& before, const std::string& after) {
  std::string text;
  const auto line = [](const CodeLine& line) {
    if (line.number == 0) return std::string();
    std::string shown = std::to_string(line.number) + " ";
    for (const CodeToken& token : line.tokens) shown += token.changed ? "<" + token.text + ">" : token.text;
    return shown;
  };
  for (const CodeRow& row : side_by_side(before, after)) {
    if (row.gap > 0) text += ".." + std::to_string(row.gap) + "\n";
    if (row.gap == 0 && row.near) text += line(row.before) + "|" + line(row.after) + "\n";
  }
  return text;
}

TEST(SideBySide, LinesAndTokens) {
  EXPECT_EQ(rows_of("a\nx = 0.5f * y;\nb\n", "a\nx = 0.25f * y;\nb\n"),
            "1 a|1 a\n2 x = <0.5f> * y;|2 x = <0.25f> * y;\n3 b|3 b\n");
  EXPECT_EQ(rows_of("a\nb\n", "a\nb\n"), "..2\n");
  EXPECT_EQ(rows_of("", "a\n"), "|1 a\n");
  EXPECT_EQ(rows_of("1\n2\n3\n4\n5\n6\nx\n", "1\n2\n3\n4\n5\n6\ny\n"), "..3\n4 4|4 4\n5 5|5 5\n6 6|6 6\n7 x|\n|7 y\n");
  // Of several lines that changed, those that are alike stand beside each other.
  EXPECT_EQ(rows_of("int i = 0;\nsum += weight;\n", "if (k) return;\nint i = 1;\nsum -= weight;\n"),
            "|1 if (k) return;\n1 int i = <0>;|2 int i = <1>;\n2 sum <+>= weight;|3 sum <->= weight;\n");
}

}  // namespace
}  // namespace sinter
