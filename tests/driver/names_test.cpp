// Program names from module names, and which names are taken as they are.
#include <gtest/gtest.h>

#include "driver/compile/compile.h"

namespace sinter {
namespace {

TEST(Names, ProgramName) {
  EXPECT_EQ(program_name("jit_softmax"), "softmax");
  EXPECT_EQ(program_name("jit__lambda_"), "lambda");
  EXPECT_EQ(program_name("jit_f.12"), "f_12");
  EXPECT_EQ(program_name("a-b"), "a_b");
  EXPECT_EQ(program_name(""), "model");
  EXPECT_EQ(program_name("jit_"), "model");
  EXPECT_EQ(program_name("main"), "main_model");
  EXPECT_EQ(program_name("jit_int"), "int_model");
  EXPECT_EQ(program_name("timer"), "timer_model");  // <time.h> has timer_create
  EXPECT_EQ(program_name("time"), "time");
  EXPECT_EQ(program_name("M_PI"), "value_M_PI");
  EXPECT_EQ(program_name("\"; system(\"x\") //"), "system_x");
}

TEST(Names, EveryProgramNameIsOneThatNameTakes) {
  for (const char* name : {"jit_softmax", "", "9", "__", "jit_jit_f", "\xc3\xa9", "while", "int", "cpu"}) {
    EXPECT_TRUE(is_program_name(program_name(name))) << name;
  }
  for (const char* name : {"int", "_x", "a b", "", "kernels", "x;y"}) EXPECT_FALSE(is_program_name(name)) << name;
}

}  // namespace
}  // namespace sinter
