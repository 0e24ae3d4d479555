#include "emitter/text/include_lines.h"

#include <gtest/gtest.h>

#include "emitter/text/user_header.h"

namespace sinter {
namespace {

// "a.h" as it stands, <a> in brackets, "?" where it may be any.
std::string includes_of(const std::string& text) {
  std::string list;
  for (const auto& [name, quoted] : include_lines(text)) {
    list += list.empty() ? "" : " ";
    list += name.empty() ? "?" : quoted ? name : "<" + name + ">";
  }
  return list;
}

TEST(IncludeLines, HoweverTheyAreWritten) {
  EXPECT_EQ(includes_of("#include \"a.h\"\n  #  include <b>  // b\nint c;\n"), "a.h <b>");
  EXPECT_EQ(includes_of("/* x */ #include \"a.h\"\n# /* x */ include /* y */ \"b.h\"\n"), "a.h b.h");
  EXPECT_EQ(includes_of("#inclu\\\nde \\\r\n  \"a.h\"\n%:include <b>\n#import \"c.h\"\n#include_next <d.h>\n"),
            "a.h <b> c.h <d.h>");
  EXPECT_EQ(includes_of("#if __has_include(\"a.h\") && __has_include ( <b> )\n#endif\n#embed \"c.bin\"\n"),
            "a.h <b> c.bin");
  EXPECT_EQ(includes_of("#define A \"a.h\"\n#include A\n"), "? a.h");
  EXPECT_EQ(includes_of("#include FOR_THIS(x)\n"), "?");
  EXPECT_EQ(includes_of("#define include 1\n#include"), "?");
  EXPECT_EQ(includes_of("// includes \"a.h\"\nint include = 1;\n#pragma once\n#includes \"b.h\"\n"), "");
}

TEST(UserHeader, ByPath) {
  EXPECT_TRUE(is_user_header("kernels/my.cuh"));
  EXPECT_TRUE(is_user_header("mine/launcher/table.inc"));
  EXPECT_FALSE(is_user_header("kernels.h"));
  EXPECT_FALSE(is_user_header("device/launch.cuh"));
  EXPECT_FALSE(is_user_header("cmath"));
  EXPECT_TRUE(is_header("a.d/cmath"));
  EXPECT_TRUE(is_header("device/launch.cuh"));
  EXPECT_FALSE(is_header("kernels/k.cu"));
  EXPECT_TRUE(may_be_included("kernels/k.cu"));
  EXPECT_FALSE(may_be_included("weights.bin"));
}

}  // namespace
}  // namespace sinter
