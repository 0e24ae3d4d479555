// Errors: their place, code, message and hint, and what is recovered from.

#include <set>

#include "parse_text.h"

namespace sinter {
namespace {

// "line:column code message" for each diagnostic, with hints as "note:" lines.
std::string errors_of(const std::string& text) {
  const Parsed parsed(text);
  EXPECT_EQ(parsed.module == nullptr, !parsed.diagnostics.ok());
  std::string result;
  for (const Diagnostic& diagnostic : parsed.diagnostics.all()) {
    if (diagnostic.loc.known()) {
      const LineColumn place = line_column(parsed.source, diagnostic.loc);
      result += std::to_string(place.line) + ":" + std::to_string(place.column) + " ";
    }
    result += (diagnostic.code.empty() ? "note" : diagnostic.code) + " " + diagnostic.message + "\n";
    if (!diagnostic.hint.empty()) result += "  " + diagnostic.hint + "\n";
    EXPECT_TRUE(diagnostic.code.empty() || !explain_code(diagnostic.code).empty()) << diagnostic.code;
  }
  return result;
}

// The errors of a body, whose first line is line 2.
std::string errors_in(const std::string& body) { return errors_of("ENTRY e {\n" + body + "\n}\n"); }

TEST(Errors, Names) {
  EXPECT_EQ(errors_in("x = f32[] parameter(0)\ny = f32[] add(x, z)\nz = f32[] negate(x)"),
            "3:18 E0107 z is used before its definition\n  operands stand above the instructions that use them\n");
  EXPECT_EQ(errors_in("input = f32[] parameter(0)\ny = f32[] negate(%inputs)"),
            "3:18 E0107 no instruction inputs in this computation\n  did you mean input?\n");
  EXPECT_EQ(errors_in("x = f32[] negate(x)"), "2:18 E0107 x is an operand of itself\n");
  EXPECT_EQ(errors_in("x = f32[] parameter(0)\nx = f32[] negate(x)"),
            "3:1 E0108 instruction x is defined twice in this computation\n2:1 note the first definition is here\n");
  EXPECT_EQ(errors_of("f { x = f32[] parameter(0) }\nf { y = f32[] parameter(0) }"),
            "2:1 E0108 computation f is defined twice\n1:1 note the first definition is here\n");
  EXPECT_EQ(errors_in("x = f32[] parameter(0)\ny = f32[] call(x), to_apply=main"),
            "3:29 E0109 no computation main stands above\n  callees stand above their callers\n");
  EXPECT_EQ(errors_in("x=f32[] parameter(0)"),
            "2:1 E0110 missing blank before '=' after the name x\n  `name=` reads as an attribute; write `x = ...`\n");
  EXPECT_EQ(errors_in("input = f32[] parameter(0)\ny = f32[] negate(input), control-predecessors={w}"),
            "3:48 E0107 no instruction w in this computation\n");
}

TEST(Errors, Opcodes) {
  EXPECT_EQ(errors_in("x = f32[] parameter(0)\ny = f32[] multipy(x, x)"),
            "3:11 E0105 unknown opcode 'multipy'\n  did you mean multiply?\n");
  EXPECT_EQ(errors_in("x = f32[] parameter(0)\ny = f32[] frobnicate-start(x)"),
            "3:11 E0105 unknown opcode 'frobnicate-start'\n");
  EXPECT_EQ(errors_in("x = f32[] parameter(0)\ny = f32[] negate(x, x)"), "3:21 E0118 negate takes 1 operand, not 2\n");
  EXPECT_EQ(errors_in("x = f32[] parameter(0)\ny = f32[] add(x)"), "3:11 E0118 add takes 2 operands, not 1\n");
  EXPECT_EQ(errors_in("x = f32[4] parameter(0)\ny = f32[4] slice-start(x)"),
            "3:12 E0129 slice-start must state a shape ((operand shapes), result shape, ...)\n");
}

TEST(Errors, Attributes) {
  EXPECT_EQ(errors_in("x = f32[] parameter(0)\ny = pred[] compare(x, x)"),
            "3:12 E0117 compare needs the attribute direction\n");
  EXPECT_EQ(errors_in("x = f32[] parameter(0)\ny = pred[] compare(x, x), direction=LT, direction=LT"),
            "3:41 E0115 two attributes direction\n");
  EXPECT_EQ(errors_in("x = f32[2] parameter(0)\ny = f32[2] transpose(x), dimensions=0"),
            "3:37 E0104 expected '{' and a list of integers, found '0'\n");
  EXPECT_EQ(errors_in("x = f32[2] parameter(0)\ny = f32[2] transpose(x), dimensions ={0}"),
            "3:26 E0104 expected an attribute `name=value`, found 'dimensions'\n"
            "  '=' follows an attribute's name directly\n");
  EXPECT_EQ(errors_in("x = f32[2] parameter(0)\ny = f32[2] transpose(x), dimensions={99999999999999999999}"),
            "3:38 E0103 '99999999999999999999' does not fit 64 bits\n");
  EXPECT_EQ(errors_in("x = f32[2] parameter(0)\ny = f32[1] slice(x), slice={[0-1]}"),
            "3:31 E0104 expected ':' and the limit, found '-1'\n");
  EXPECT_EQ(errors_in("x = f32[2] parameter(0)\nz = f32[] constant(0)\ny = f32[2] pad(x, z), padding=1"),
            "4:31 E0104 expected padding such as 0_1x2_2_1, found '1'\n");
  EXPECT_EQ(errors_in("x = f32[] parameter(0), origin={(}"), "2:34 E0104 expected ')' before '}'\n");
  EXPECT_EQ(errors_in("x = f32[] parameter(0), origin={{}"),
            "4:1 E0104 expected '}' to end computation e\n1:9 note it begins here\n");
  EXPECT_EQ(errors_of("f { x = f32[] parameter(0), origin={[1]"), "1:36 E0104 this bracket is not closed\n");
  EXPECT_EQ(errors_in("x = f32[] parameter(0), origin={\"a}"), "2:33 E0102 this string does not end on its line\n");
}

TEST(Errors, Windows) {
  const auto errors = [](const std::string& window) {
    return errors_in("x = f32[2,2] parameter(0)\nz = f32[] constant(0)\ny = f32[2,2] reduce-window(x, z), window=" +
                     window);
  };
  EXPECT_EQ(errors("{stride=1x1}"), "4:42 E0116 the window has no size=\n");
  EXPECT_EQ(errors("{size=1x1 pad=0_0}"), "4:42 E0116 pad= has 1 dimensions, size= has 2\n");
  EXPECT_EQ(errors("{size=1x1 sides=2}"),
            "4:52 E0116 a window has no item sides\n  the items are size, stride, pad, lhs_dilate, rhs_dilate and "
            "rhs_reversal\n");
  EXPECT_EQ(errors("{size=1x1 size=2}"), "4:52 E0115 two window items size\n");
}

TEST(Errors, Shapes) {
  EXPECT_EQ(errors_in("x = f33[2] parameter(0)"), "2:5 E0106 unknown element type 'f33'\n  did you mean f32?\n");
  EXPECT_EQ(errors_in("x = f32[-2] parameter(0)"), "2:9 E0103 a dimension cannot be negative\n");
  EXPECT_EQ(errors_in("x = f32[2,3]{0,0} parameter(0)"),
            "2:13 E0126 the layout does not list each dimension of f32[2,3] once\n");
  EXPECT_EQ(errors_in("x = f32[2,3]{0} parameter(0)"),
            "2:13 E0126 the layout does not list each dimension of f32[2,3] once\n");
  EXPECT_EQ(errors_in("x = f32[17592186044417] parameter(0)"),
            "2:5 E0120 f32[17592186044417] takes more than 2^46 bytes\n");
  EXPECT_EQ(errors_in("x = f32[0,9999999999,9999999999] parameter(0)"),
            "2:5 E0120 f32[0,9999999999,9999999999] takes more than 2^46 bytes\n");
  EXPECT_EQ(errors_in("x = (s8[70368744177664], s8[1]) parameter(0)"),
            "2:5 E0120 the elements of this tuple take more than 2^46 bytes\n");
  EXPECT_EQ(errors_in("x = f32[4] parameter(0)\ny = f32[4] negate(f32[3] x)"), "3:19 E0128 x is f32[4], not f32[3]\n");
  EXPECT_EQ(errors_in("x = f32[4] parameter(0)\ny = reshape(x)"),
            "3:5 E0113 the text must state the result shape of reshape\n  write `y = f32[2,3] reshape(...)`\n");
  EXPECT_EQ(errors_in("x = constant(1)"), "2:5 E0113 a constant must state its shape: f32[] constant(1)\n");
  EXPECT_EQ(errors_in("t = (f32[]) parameter(0)\nx = f32[] negate(t#1)"),
            "3:20 E0124 t is (f32[]): it has no element 1\n");
}

// The first line of the errors; what follows is the remedy.
std::string first_error_of(std::string_view text) {
  const std::string errors = errors_of(std::string(text));
  return errors.substr(0, errors.find('\n'));
}

// Those that are text have text tests (tests/text/parse_errors).
TEST(Errors, BinaryForms) {
  const std::string bytecode = "ML\xEFR?MLIR23.0.0git";
  const std::string module_proto = "\x0A\x05jit_f\x12\x06main.1";
  const std::string hlo_proto = "\x0A\x8F\x01" + module_proto + std::string(128, '\0');
  EXPECT_EQ(first_error_of(bytecode), "E0130 this is MLIR bytecode (StableHLO), not HLO text");
  EXPECT_EQ(first_error_of(module_proto), "E0130 this is a protocol buffer of HLO, not HLO text");
  EXPECT_EQ(first_error_of(hlo_proto), "E0130 this is a protocol buffer of HLO, not HLO text");
}

TEST(Errors, TextsThatOtherFormsResemble) {
  for (const std::string text :
       {"import { x = f32[] parameter(0) }", "from (x: f32[]) -> f32[] { x = f32[] parameter(0) }",
        "module { stable = f32[] parameter(0) }", "\nlambda { x = f32[] parameter(0) }",
        "\xEF\xBB\xBF"
        "def { x = f32[] parameter(0) }",
        "class { x = f32[] parameter(0) }"}) {
    EXPECT_EQ(errors_of(text), "") << text;
  }
}

TEST(Errors, Modules) {
  EXPECT_EQ(errors_of("f {\n x = f32[] parameter(0)\nENTRY e {\n y = f32[] parameter(0)\n}"),
            "3:1 E0104 expected '}' to end computation f\n1:3 note it begins here\n");
  EXPECT_EQ(errors_of("f {\n x = f32[] parameter(0)"),
            "2:24 E0104 expected '}' to end computation f\n1:3 note it begins here\n");
  EXPECT_EQ(errors_of("ENTRY a { x = f32[] parameter(0) }\nENTRY b { y = f32[] parameter(0) }"),
            "2:1 E0121 a second ENTRY computation\n1:7 note the first one is here\n");
  EXPECT_EQ(errors_in("ROOT x = f32[] parameter(0)\nROOT y = f32[] negate(x)"),
            "3:1 E0121 a second ROOT in this computation\n2:6 note the first one is here\n");
  EXPECT_EQ(errors_of("f { }"), "1:3 E0122 computation f has no instructions\n");
  EXPECT_EQ(errors_of("HloModule m\n").substr(0, 45), "2:1 E0122 the text holds no computation\n  JAX");
  EXPECT_EQ(errors_of("module @jit_f {\n stablehlo.add\n}").substr(0, 49),
            "1:1 E0130 this is MLIR (StableHLO), not HLO text\n");
  EXPECT_EQ(errors_of("f (x: f32[2]) -> f32[] { x = f32[] parameter(0) }"),
            "1:26 E0123 parameter 0 is f32[] here, but f32[2] in the signature\n");
  EXPECT_EQ(errors_of("f (x: f32[]) -> s32[] { x = f32[] parameter(0) }"),
            "1:25 E0123 the root is f32[], but the signature says s32[]\n");
  EXPECT_EQ(errors_in("x = f32[] parameter(1)"), "2:1 E0131 parameter(0) of e is missing\n");
  EXPECT_EQ(errors_in("x = f32[] parameter(0)\ny = f32[] parameter(0)"), "3:1 E0131 parameter(0) stands here twice\n");
  EXPECT_EQ(errors_of(std::string("HloModule m\0", 12)).substr(0, 29), "1:12 E0101 unexpected byte 0x");
  EXPECT_EQ(errors_of("f { x = f32[] parameter(0) /* never ends }"),
            "1:28 E0102 this comment does not end\n  close it with */\n");
}

TEST(Errors, ShortenedText) {
  EXPECT_EQ(errors_in("x = f32[] parameter(0)\ny = (f32[]) tuple(x, ...(+3))").substr(0, 63),
            "3:22 E0127 '...' stands for operands that were not printed\n  pr");
  EXPECT_EQ(errors_in("y = (f32[]) tuple(null )").substr(0, 56),
            "2:19 E0127 'null' stands for an operand that was deleted");
}

TEST(Errors, SourceTables) {
  const auto errors = [](const std::string& locations, const std::string& frames) {
    return errors_of("HloModule m\nFileNames\n1 \"a\"\nFunctionNames\n1 \"f\"\nFileLocations\n" + locations +
                     "\nStackFrames\n" + frames + "\nENTRY e { x = f32[] parameter(0), metadata={stack_frame_id=7} }");
  };
  const std::string location = "1 {file_name_id=1 function_name_id=1 line=1 end_line=1 column=1 end_column=1}";
  EXPECT_EQ(errors(location, "1 {file_location_id=1 parent_frame_id=1}"),
            "10:60 W0104 the StackFrames table has 1 rows\n");
  EXPECT_EQ(errors(location, "1 {file_location_id=2 parent_frame_id=1}"),
            "2:1 E0125 row 1 of StackFrames refers to a row that is not there\n");
  EXPECT_EQ(errors(location, "1 {file_location_id=1 parent_frame_id=2}"),
            "2:1 E0125 row 1 of StackFrames is among its own parents\n");
  EXPECT_EQ(errors("2 {file_name_id=1}", ""), "7:1 E0125 row 2 stands where row 1 is due\n");
}

// One error an instruction; uses of what is broken are not errors again.
TEST(Errors, Recovery) {
  EXPECT_EQ(errors_of(R"(HloModule m
f {
  a = f32[] parameter(0)
  b = f32[] ngate(a)
  ROOT c = f32[] add(b, b)
}
ENTRY e {
  x = f32[] parameter(0)
  k = f32[2] constant({1, 2, 3})
  s = f33[2] add(k, k)
  ROOT y = f32[] call(x), to_apply=f
  z = f32[2] add(k, s), metadata={op_name=3}
  w = f32[] tanh(q)
})"),
            "4:13 E0105 unknown opcode 'ngate'\n  did you mean negate?\n"
            "9:28 E0111 dimension 0 of f32[2] has 2 elements, the constant has more here\n"
            "10:7 E0106 unknown element type 'f33'\n  did you mean f32?\n"
            "12:43 E0104 expected a string in quotes, found '3'\n"
            "13:18 E0107 no instruction q in this computation\n");
}

TEST(Errors, OneLineText) {
  EXPECT_EQ(errors_of("f { a = f32[] parametr(0) } ENTRY e { b = f32[] parameter(0) ROOT c = f32[] ngate(b) }"),
            "1:15 E0105 unknown opcode 'parametr'\n  did you mean parameter?\n"
            "1:77 E0105 unknown opcode 'ngate'\n  did you mean negate?\n");
}

TEST(Errors, StopAfterTwenty) {
  std::string body;
  for (int i = 0; i < 50; ++i) body += "x" + std::to_string(i) + " = f32[] nothing(0)\n";
  const Parsed parsed("ENTRY e {\n" + body + "}");
  EXPECT_EQ(parsed.diagnostics.all().size(), 20u);
}

TEST(Errors, Rendering) {
  const Parsed parsed("ENTRY e {\n  x = f32[] parameter(0)\n\ty = f32[] multipy(x, x)\n}\n");
  EXPECT_EQ(parsed.diagnostics.render(),
            "test.hlo:3:12: error[E0105]: unknown opcode 'multipy'\n"
            "\ty = f32[] multipy(x, x)\n"
            "\t          ^\n"
            "note: did you mean multiply?\n");
}

TEST(Errors, RenderingShowsPartOfALongLine) {
  const Parsed parsed("ENTRY e { x = f32[1] constant({" + std::string(1000, ' ') + "\xC3\xA9\x1B[31m" +
                      std::string(1000, ' ') + "}) }");
  const std::string text = parsed.diagnostics.render();
  EXPECT_LT(text.size(), 700u);
  EXPECT_EQ(text.find('\x1B'), std::string::npos);
}

// Hostile nesting ends in an error, not in a stack overflow.
TEST(Errors, DeepNesting) {
  constexpr int kDepth = 100000;
  const auto repeat = [](const std::string& text) {
    std::string result;
    for (int i = 0; i < kDepth; ++i) result += text;
    return result;
  };
  const std::string too_deep = "E0119 nested more than 200 levels deep";
  const auto first_error = [](const std::string& text) {
    const Parsed parsed(text);
    return parsed.diagnostics.ok() ? "" : parsed.diagnostics.all()[0].code + " " + parsed.diagnostics.all()[0].message;
  };
  EXPECT_EQ(first_error("ENTRY e { x = " + repeat("(") + "f32[]" + repeat(")") + " parameter(0) }"), too_deep);
  EXPECT_EQ(first_error("ENTRY e { x = f32[] parameter(0) y = f32[] " + repeat("negate(") + "x" + repeat(")") + " }"),
            too_deep);
  EXPECT_EQ(first_error("ENTRY e { " + repeat("x = f32[] call(), to_apply={ ") + "y = f32[] constant(0)" + repeat("}") +
                        " }"),
            too_deep);
  EXPECT_EQ(first_error("ENTRY e { x = f32[" + repeat("1,") + "1] parameter(0) }"),
            "E0119 an array has at most 64 dimensions");
  EXPECT_EQ(first_error("ENTRY e { x = f32[1] constant(" + repeat("{") + repeat("}") + ") }"),
            "E0111 the braces nest deeper than the 1 dimensions of f32[1]");
  EXPECT_EQ(first_error("ENTRY e { x = f32[0] constant(" + repeat("{") + repeat("}") + ") }"), "");
  EXPECT_EQ(first_error("ENTRY e { x = f32[] parameter(0), sharding=" + repeat("{") + repeat("}") + " }"), "");
}

}  // namespace
}  // namespace sinter
