// Escaping of names and comments.
#include "emitter/text/emit_names.h"

#include <gtest/gtest.h>

#include "emitter/text/string_literal.h"

namespace sinter {
namespace {

TEST(EmitNames, Literals) {
  EXPECT_EQ(string_literal("layer.w"), "\"layer.w\"");
  EXPECT_EQ(string_literal("a\"b\\c?\n\xc3\xa9"
                           "1"),
            R"("a\"b\\c\?\012\303\2511")");
  EXPECT_EQ(string_literal(std::string_view("\0", 1)), R"("\000")");
}

TEST(EmitNames, Identifiers) {
  EXPECT_EQ(safe_identifier("state_0"), "state_0");
  EXPECT_EQ(safe_identifier("jit(f)/while body.12"), "jit_f_while_body_12");
  EXPECT_EQ(safe_identifier("__x__y"), "x_y");
  EXPECT_EQ(safe_identifier("3d"), "value_3d");
  EXPECT_EQ(safe_identifier(""), "value");
  EXPECT_EQ(safe_identifier("*/ system(\"x\");"), "system_x_");
  EXPECT_EQ(safe_identifier("int"), "int_");
  EXPECT_EQ(safe_identifier("threadIdx"), "threadIdx_");
  EXPECT_EQ(safe_identifier("xor_eq"), "xor_eq_");
  EXPECT_EQ(safe_identifier("EIO"), "EIO_");
  EXPECT_EQ(safe_identifier("M_PI_2"), "value_M_PI_2");
  EXPECT_EQ(safe_identifier("INT_MAX"), "value_INT_MAX");
  for (const char* text : {"W_1", "MAX", "E", "SIGMA", "x_max", "k", "stream"}) EXPECT_EQ(safe_identifier(text), text);
  EXPECT_EQ(safe_identifier(std::string(1000, 'a')).size(), 100u);
  for (const char* text : {"a b", "int", "9", "", "\xc3\xa9t\xc3\xa9"}) {
    EXPECT_EQ(safe_identifier(safe_identifier(text)), safe_identifier(text));
  }
}

TEST(EmitNames, Projects) {
  EXPECT_EQ(safe_project_name("softmax"), "softmax");
  EXPECT_EQ(safe_project_name("test"), "test_model");
  EXPECT_EQ(safe_project_name("kernels"), "kernels_model");
}

TEST(EmitNames, Cases) {
  EXPECT_EQ(upper_camel("cartpole_soa"), "CartpoleSoa");
  EXPECT_EQ(upper_camel("x_1_2"), "X1_2");
  EXPECT_NE(upper_camel("x_1_2"), upper_camel("x_12"));
  EXPECT_EQ(upper_snake("cartpole_soa"), "CARTPOLE_SOA");
}

TEST(EmitNames, Comments) {
  EXPECT_EQ(comment_text("add.3 (model.py:7)"), "add.3 (model.py:7)");
  EXPECT_EQ(comment_text("x\nint y;\r\n"), "x int y;");
  EXPECT_EQ(comment_text("C:\\model\\"), "C:/model/");
  EXPECT_EQ(comment_text("what?"
                         "?/"),
            "what?? /");
  EXPECT_EQ(comment_text("/* x */"), "/ * x */");
  EXPECT_EQ(comment_text("\xe2\x80\xae"
                         "evil"),
            "???evil");
  EXPECT_EQ(comment_text(std::string("a\0b", 3)), "a?b");
}

TEST(EmitNames, Scope) {
  NameScope scope({"in"});
  EXPECT_EQ(scope.unique("x"), "x");
  EXPECT_EQ(scope.unique("x"), "x_2");
  EXPECT_EQ(scope.unique("x_2"), "x_2_2");
  EXPECT_EQ(scope.unique("in"), "in_2");
  scope.release("x");
  EXPECT_EQ(scope.unique("x"), "x");
}

}  // namespace
}  // namespace sinter
