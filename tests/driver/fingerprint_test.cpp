// Which programs can have each other's weights: those that do the same with them.
#include "passes/lower/program/fingerprint.h"

#include <gtest/gtest.h>

#include "driver/compile/compile.h"

namespace sinter {
namespace {

// Its launch has parts one after the other.
const std::string kTwoLayers =
    "HloModule m\n\nENTRY main {\n"
    " x = f32[8,16] parameter(0)\n"
    " w = f32[16,4] parameter(1), frontend_attributes={sinter_weight=\"w\"}\n"
    " v = f32[4,2] parameter(2), frontend_attributes={sinter_weight=\"v\"}\n"
    " three = f32[] constant(3)\n threes = f32[8,4] broadcast(three), dimensions={}\n"
    " first = f32[8,4] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
    " scaled = f32[8,4] multiply(first, threes)\n"
    " ROOT second = f32[8,2] dot(scaled, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n";
// Its launch divides its blocks.
const std::string kBeside =
    "HloModule m\n\nadd {\n p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT s = f32[] add(p, q)\n}\n\n"
    "ENTRY main {\n"
    " x = f32[64,64] parameter(0)\n y = f32[32,4] parameter(1)\n"
    " three = f32[] constant(3)\n threes = f32[32,4] broadcast(three), dimensions={}\n"
    " scaled = f32[32,4] multiply(y, threes)\n"
    " zero = f32[] constant(0)\n"
    " sums = f32[64] reduce(x, zero), dimensions={1}, to_apply=add\n"
    " ROOT both = (f32[64], f32[32,4]) tuple(sums, scaled)\n}\n";
// A loop of the host, and what follows it.
const std::string kLoop =
    "HloModule m\n\nstep {\n"
    " s = (s32[], f32[256,256]) parameter(0)\n i = s32[] get-tuple-element(s), index=0\n"
    " one = s32[] constant(1)\n next = s32[] add(i, one)\n"
    " a = f32[256,256] get-tuple-element(s), index=1\n"
    " square = f32[256,256] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
    " ROOT t = (s32[], f32[256,256]) tuple(next, square)\n}\n\n"
    "goes_on {\n s = (s32[], f32[256,256]) parameter(0)\n i = s32[] get-tuple-element(s), index=0\n"
    " steps = s32[] constant(7)\n ROOT less = pred[] compare(i, steps), direction=LT\n}\n\n"
    "ENTRY main {\n x = f32[256,256] parameter(0)\n zero = s32[] constant(0)\n"
    " start = (s32[], f32[256,256]) tuple(zero, x)\n"
    " end = (s32[], f32[256,256]) while(start), condition=goes_on, body=step\n"
    " last = f32[256,256] get-tuple-element(end), index=1\n"
    " ROOT sum = f32[256,256] add(last, x)\n}\n";

std::string of(const std::string& text) {
  const Source source{"test.hlo", text};
  Diagnostics diagnostics(source);
  CompileOptions options;
  options.plan_only = true;
  const std::optional<Artifact> artifact = compile(options, diagnostics);
  EXPECT_TRUE(artifact.has_value()) << diagnostics.render();
  return artifact ? fingerprint(artifact->program) : "";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Fingerprint, OfANumberOrOperationInAnyPartOfALaunch) {
  for (const std::string& text : {kTwoLayers, kBeside}) {
    EXPECT_NE(of(text), of(with(text, "constant(3)", "constant(4)")));
    EXPECT_NE(of(text), of(with(text, "multiply(", "add(")));
  }
  EXPECT_NE(of(kTwoLayers), of(with(kTwoLayers, "dot(scaled, v)", "dot(first, v)")));
}

TEST(Fingerprint, OfStepsAndArrays) {
  EXPECT_NE(of(kLoop), of(with(kLoop, "constant(7)", "constant(8)")));
  EXPECT_NE(of(kLoop), of(with(kLoop, "dot(a, a), lhs_contracting_dims={1}", "dot(a, a), lhs_contracting_dims={0}")));
  EXPECT_NE(of(kLoop), of(with(kLoop, "add(last, x)", "add(last, last)")));
}

TEST(Fingerprint, NotOfNames) {
  EXPECT_EQ(of(kTwoLayers), of(with(with(kTwoLayers, "three = f32[]", "times = f32[]"), "(three)", "(times)")));
  EXPECT_EQ(of(kLoop), of(with(with(kLoop, " last = ", " end_value = "), "add(last, x)", "add(end_value, x)")));
}

}  // namespace
}  // namespace sinter
