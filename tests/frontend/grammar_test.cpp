// The grammar in all its styles: what each construct becomes.

#include "parse_text.h"

namespace sinter {
namespace {

// The awkward spots of HLO text in one module.
constexpr const char* kDemo = R"(
HloModule demo, input_output_alias={ {1}: (0, {}, may-alias) }, entry_computation_layout={(f32[4]{0}, s32[])->(s32[], f32[4]{0})}

// reducer without signature, percent signs or ROOT
add_f32 {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  s = f32[] add(a, b)
}

%body.1 (t: (s32[], f32[4])) -> (s32[], f32[4]) {
  %t = (s32[], f32[4]{0}) parameter(0)
  %one = s32[] constant(1)
  %i = s32[] add(%t#0, %one), metadata={op_name="jit(f)/while" stack_frame_id=3}
  %v = f32[4]{0} multiply(%t#1, %t#1)
  ROOT %r = (s32[], f32[4]{0}) tuple(%i, %v)
}

%cond.2 (t: (s32[], f32[4])) -> pred[] {
  %t.1 = (s32[], f32[4]{0}) parameter(0)
  %n = s32[] constant(3)
  ROOT %lt = pred[] compare(%t.1#0, %n), direction=LT
}

ENTRY %main.9 (x: f32[4], k: s32[]) -> (s32[], f32[4]) {
  %x = f32[4]{0} parameter(0)
  %k = s32[] parameter(1)
  %odd = f32[2,2]{1,0} constant({ { 1, -inf }, { nan, 1e-3 } })
  %zero = s32[] constant(0)
  %init = (s32[], f32[4]{0}) tuple(%zero, /* any comment */ %x), control-predecessors={%odd}
  ROOT %w = (s32[], f32[4]{0}) while(%init), condition=%cond.2, body=%body.1,
      backend_config={"known_trip_count":{"n":"3"}}
}
)";

std::string warnings(const Parsed& parsed) {
  std::string text;
  for (const Diagnostic& diagnostic : parsed.diagnostics.all())
    text += diagnostic.code + ": " + diagnostic.message + "\n";
  return text;
}

TEST(Grammar, Demo) {
  const Parsed parsed(kDemo);
  ASSERT_NE(parsed.module, nullptr) << parsed.diagnostics.render();
  EXPECT_EQ(warnings(parsed), "");
  const Module& module = *parsed.module;
  EXPECT_EQ(module.name, "demo");
  EXPECT_EQ(module.input_output_alias, (std::vector<Alias>{{{1}, 0, {}, false}}));
  EXPECT_EQ(module.entry_parameter_layouts.size(), 2u);
  EXPECT_EQ(module.entry()->name, "main.9");
  ASSERT_EQ(module.computations().size(), 4u);
  EXPECT_EQ(module.computations()[0]->root()->name, "s");
  EXPECT_FALSE(module.computations()[0]->signature_in_text);
  EXPECT_TRUE(module.computations()[1]->signature_in_text);
  // %t#1 is one instruction, read twice.
  const Instruction& v = parsed.at("v");
  EXPECT_EQ(v.operand(0), v.operand(1));
  EXPECT_EQ(v.operand(0)->opcode, Opcode::kGetTupleElement);
  EXPECT_EQ(v.operand(0)->attributes->tuple_index, 1);
  EXPECT_EQ(parsed.at("i").metadata->op_name, "jit(f)/while");
  EXPECT_EQ(parsed.at("i").metadata->stack_frame_id, 3);
  ASSERT_EQ(parsed.at("init").control_predecessors.size(), 1u);
  EXPECT_EQ(parsed.at("init").control_predecessors[0]->name, "odd");
  EXPECT_EQ(parsed.at("w").attributes->body.value()->name, "body.1");
  EXPECT_EQ(parsed.at("w").annotations->backend_config, R"({"known_trip_count":{"n":"3"}})");
  expect_round_trip(kDemo);
}

TEST(Grammar, ShortestForms) {
  // No header, no ENTRY, no ROOT, no %, no shapes where they follow.
  const Parsed parsed("f { x = f32[4] parameter(0) y = add(x, x) }\ng { a = f32[] parameter(0) ENTRY = negate(a) }");
  ASSERT_NE(parsed.module, nullptr) << parsed.diagnostics.render();
  EXPECT_EQ(parsed.module->name, "module_g");
  EXPECT_EQ(parsed.module->entry()->name, "g");
  EXPECT_EQ(to_string(parsed.at("y").shape), "f32[4]");
  EXPECT_EQ(parsed.module->entry()->root()->name, "ENTRY");
}

TEST(Grammar, HeaderFields) {
  const char* text = R"(HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {1,0}, must-alias), {2}: (1, {}) },
    buffer_donor={ (1, {}), (2, {0}) }, alias_passthrough_params=true, replica_count=2, num_partitions=4,
    allow_spmd_sharding_propagation_to_output={true,false}, frontend_attributes={xla.sdy.meshes={"a"="}"},k="\"{"},
    debug_attributes={
      {1, 2} x }

ENTRY e { ROOT x = f32[] parameter(0) }, execution_thread="host")";
  const Parsed parsed(text);
  ASSERT_NE(parsed.module, nullptr) << parsed.diagnostics.render();
  EXPECT_EQ(warnings(parsed), "");
  const Module& module = *parsed.module;
  EXPECT_TRUE(module.is_scheduled);
  EXPECT_EQ(module.input_output_alias, (std::vector<Alias>{{{}, 0, {1, 0}, true}, {{2}, 1, {}, false}}));
  EXPECT_EQ(module.buffer_donor, (std::vector<Alias>{{{}, 1, {}, false}, {{}, 2, {0}, false}}));
  EXPECT_EQ(module.replica_count, 2);
  EXPECT_EQ(module.num_partitions, 4);
  ASSERT_EQ(module.other_header_fields.size(), 4u);
  EXPECT_EQ(module.other_header_fields[2].second, R"({xla.sdy.meshes={"a"="}"},k="\"{"})");
  EXPECT_EQ(module.entry()->execution_thread, "host");
  expect_round_trip(text);
}

TEST(Grammar, UnknownFieldsAndAttributesWarnOnce) {
  const char* text = R"(HloModule m, flavour=[1,2]<=[2]T(1,0), other=word
ENTRY e {
  x = f32[2] parameter(0), flavour={a, "}"}, dimensions={0}
  y = f32[2] add(x, x), flavor=mesh["x"=2] {"x"}, metadata={op_name="y"}
  ROOT z = f32[2] add(y, x), flavor=2, origin={({"name" {0}})}
})";
  const Parsed parsed(text);
  ASSERT_NE(parsed.module, nullptr) << parsed.diagnostics.render();
  EXPECT_EQ(warnings(parsed),
            "W0102: unknown header field flavour\nW0102: unknown header field other\n"
            "W0101: parameter has no attribute flavour; it is ignored\n"
            "W0101: parameter has no attribute dimensions; it is ignored\n"
            "W0101: add has no attribute flavor; it is ignored\n");
  using Ignored = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(parsed.at("x").annotations->ignored_attributes,
            (Ignored{{"flavour", R"({a, "}"})"}, {"dimensions", "{0}"}}));
  EXPECT_EQ(parsed.at("y").annotations->ignored_attributes, (Ignored{{"flavor", R"(mesh["x"=2] {"x"})"}}));
  EXPECT_EQ(parsed.at("y").metadata->op_name, "y");
  expect_round_trip(text);
}

TEST(Grammar, SourceTables) {
  const char* text = R"(HloModule m

FileNames
1 "a \"quoted\" \\ name.py"

FunctionNames
1 "f"
2 "f.<locals>.g"

FileLocations
1 {file_name_id=1 function_name_id=1 line=3 end_line=3 column=4 end_column=9}
2 {file_name_id=1 function_name_id=2 line=5 end_line=6 column=0 end_column=1}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=2}

ENTRY e {
  ROOT x = f32[] parameter(0), metadata={op_type="add" op_name="x" source_file="a.py" source_line=3 source_end_line=4 deduplicated_name="d \"q\"" profile_type={1}, stack_frame_id=2}
})";
  const Parsed parsed(text);
  ASSERT_NE(parsed.module, nullptr) << parsed.diagnostics.render();
  const std::vector<PythonFrame> frames = parsed.module->python_frames(parsed.at("x"));
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].function, "f.<locals>.g");
  EXPECT_EQ(frames[1].file, "a \"quoted\" \\ name.py");
  EXPECT_EQ(parsed.at("x").metadata->rest, R"(source_end_line=4 deduplicated_name="d \"q\"" profile_type={1})");
  expect_round_trip(text);
}

TEST(Grammar, Shapes) {
  const char* shapes[] = {
      "f32[]",
      "pred[3]{0}",
      "bf16[2,3]{0,1}",
      "f8e4m3b11fnuz[1]{0}",
      "s4[8]{0:E(4)}",
      "f32[]{:S(5)}",
      "f32[<=4,3]{1,0}",
      "f32[?,2]{1,0}",
      "token[]",
      "opaque[]",
      "()",
      "(f32[], (s32[2]{0}, ()))",
      "b(f32[4]{0})",
      "f32[0,3]{1,0}",
      "f32[8,4]{1,0:T(8,128)(2,1)S(1)}",
      "f32[2,2]{1,0:D(D,S~)L(4)#(u32)*(u32)SC(0:1,2)P(f32[4]{0})M(8)}",
  };
  for (const std::string shape : shapes) {
    const std::string text = "ENTRY e { ROOT x = " + shape + " parameter(0) }";
    const Parsed parsed(text);
    ASSERT_NE(parsed.module, nullptr) << parsed.diagnostics.render();
    EXPECT_EQ(to_string(parsed.at("x").shape), shape);
    expect_round_trip(text);
  }
  const Parsed unbounded("ENTRY e { ROOT x = f32[?,<=2,3] parameter(0) }");
  EXPECT_EQ(unbounded.at("x").shape.dims, (std::vector<int64_t>{Shape::kUnbounded, 2, 3}));
  EXPECT_EQ(unbounded.at("x").shape.dynamic, (std::vector<bool>{true, true, false}));
  // Braces after a shape may be a body.
  const Parsed body("f (x: f32[]) -> f32[] { x = f32[] parameter(0) }");
  EXPECT_NE(body.module, nullptr) << body.diagnostics.render();
}

TEST(Grammar, EveryDtype) {
#define DTYPE(enumerator, hlo_name, dtype_class, bits, cuda) \
  expect_round_trip("ENTRY e { ROOT x = " hlo_name "[2]{0} parameter(0) }");
#include "ir/values/dtype.def"
#undef DTYPE
}

TEST(Grammar, AttributeForms) {
  const char* text = R"(HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
ge { a = f32[] parameter(0) b = f32[] parameter(1) ROOT d = pred[] compare(a, b), direction=GE, type=TOTALORDER }
ENTRY e {
  x = f32[2,8,8,4] parameter(0)
  w = f32[3,3,4,4] parameter(1)
  v = f32[] parameter(2)
  conv = f32[2,4,9,4] convolution(x, w), dim_labels=b01f_01io->b01f, window={size=3x3 stride=2x1 pad=1_0x2_1 rhs_dilate=1x1 rhs_reversal=0x1}, feature_group_count=1, operand_precision={highest,default}
  slice = f32[1,4,8,2] slice(x), slice={[0:1], [0:8:2], [0:8], [2:4]}
  pad = f32[2,8,6,7] pad(x, v), padding=0_0x0_0x-1_-1x0_0_1
  spad = f32[] pad(v, v), padding=
  reduced = f32[2,8] reduce(x, v), dimensions={2,3}, to_apply=add
  windowed = f32[2,8,8,4] reduce-window(x, v), window={size=1x3x3x1 pad=0_0x1_1x1_1x0_0 lhs_dilate=1x1x1x1}, to_apply=add
  custom = f32[2] custom-call(v, v), custom_call_target="a\"b", api_version=API_VERSION_TYPED_FFI, backend_config={axis = 0 : i64, s = "}"}, operand_layout_constraints={f32[], f32[]}, output_to_operand_aliasing={{}: (0, {})}
  quoted = f32[2] custom-call(v), custom_call_target="q", backend_config="plain \"text\"\n", sharding={replicated}
  tagged = f32[] negate(v), frontend_attributes={_xla.a="b",c={"d":"}"},e="x\ty"}, sharding={devices=[2,2]<=[4] last_tile_dims={manual}}
  branch = s32[] parameter(3)
  ROOT out = f32[] conditional(branch, v, v), branch_computations={%neg, %neg}
})";
  std::string with_neg(text);
  with_neg.insert(with_neg.find("ENTRY"), "neg { a = f32[] parameter(0) ROOT n = f32[] negate(a) }\n");
  const Parsed parsed(with_neg);
  ASSERT_NE(parsed.module, nullptr) << parsed.diagnostics.render();
  EXPECT_EQ(warnings(parsed), "");
  const Attributes& conv = parsed.at("conv").attributes;
  EXPECT_EQ(conv.window->at(0), (WindowDimension{.size = 3, .stride = 2, .pad_low = 1}));
  EXPECT_EQ(conv.window->at(1), (WindowDimension{.size = 3, .pad_low = 2, .pad_high = 1, .reversal = true}));
  EXPECT_EQ(conv.dim_labels->lhs_spatial, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(conv.dim_labels->rhs_output_feature, 3);
  EXPECT_EQ(conv.operand_precision, (std::vector<std::string>{"highest", "default"}));
  EXPECT_EQ(parsed.at("slice").attributes->slice->at(1), (SliceBounds{0, 8, 2}));
  EXPECT_EQ(parsed.at("pad").attributes->padding->at(2), (PadBounds{-1, -1, 0}));
  EXPECT_EQ(parsed.at("pad").attributes->padding->at(3), (PadBounds{0, 0, 1}));
  EXPECT_TRUE(parsed.at("spad").attributes->padding->empty());
  EXPECT_EQ(parsed.at("custom").attributes->custom_call_target, "a\"b");
  EXPECT_EQ(parsed.at("custom").annotations->backend_config, R"({axis = 0 : i64, s = "}"})");
  EXPECT_EQ(parsed.at("quoted").annotations->backend_config, "plain \"text\"\n");
  EXPECT_EQ(parsed.at("tagged").annotations->frontend_attributes,
            (std::map<std::string, std::string>{{"_xla.a", "b"}, {"c", R"({"d":"}"})"}, {"e", "x\ty"}}));
  EXPECT_EQ(parsed.at("tagged").annotations->sharding, "{devices=[2,2]<=[4] last_tile_dims={manual}}");
  EXPECT_EQ(parsed.at("out").attributes->branch_computations->size(), 2u);
  expect_round_trip(with_neg);
}

TEST(Grammar, CompactTupleElements) {
  const char* text = R"(ENTRY e {
  p = ((f32[], s32[]), f32[2]) parameter(0)
  a = f32[] negate(p#0#0)
  ROOT t = (f32[], s32[], f32[2], f32[2]) tuple(%p#0#0, s32[] p#0#1, %p#1, p#1)
})";
  const Parsed parsed(text);
  ASSERT_NE(parsed.module, nullptr) << parsed.diagnostics.render();
  EXPECT_EQ(parsed.at("t").operand(0), parsed.at("a").operand(0));
  EXPECT_EQ(parsed.at("t").operand(2), parsed.at("t").operand(3));
  EXPECT_EQ(parsed.module->entry()->instructions().size(), 7u);  // p, p#0, p#0#0, a, p#0#1, p#1, t
  expect_round_trip(text);
}

TEST(Grammar, NestedOperandsAndInlineComputations) {
  const char* text = R"(ENTRY e {
  x = f32[4] parameter(0)
  y = f32[4] add(multiply(x, negate(x)), f32[4] subtract(f32[4] x, x))
  ROOT r = f32[] reduce(y, f32[] constant(0)), dimensions={0}, to_apply={
    a = f32[] parameter(0)
    b = f32[] parameter(1)
    ROOT c = f32[] add(a, b)
  }
})";
  const Parsed parsed(text);
  ASSERT_NE(parsed.module, nullptr) << parsed.diagnostics.render();
  const Instruction& y = parsed.at("y");
  EXPECT_EQ(y.operand(0)->opcode, Opcode::kMultiply);
  EXPECT_EQ(y.operand(0)->operand(1)->opcode, Opcode::kNegate);
  EXPECT_EQ(y.operand(1)->opcode, Opcode::kSubtract);
  EXPECT_EQ(parsed.at("r").operand(1)->opcode, Opcode::kConstant);
  // Callees come first.
  EXPECT_EQ(parsed.module->computations()[0]->name, "r.to_apply");
  EXPECT_EQ(parsed.module->entry()->name, "e");
  expect_round_trip(text);
}

TEST(Grammar, AsynchronousSugar) {
  const char* text = R"(ENTRY e {
  x = f32[8] parameter(0)
  s = ((f32[8]), f32[4], u32[]) slice-start(x), slice={[0:4]}, async_execution_thread="copies", metadata={op_name="s"}
  u = ((f32[8]), f32[4], u32[]) slice-update(s)
  ROOT d = f32[4] slice-done(u)
})";
  const Parsed parsed(text);
  ASSERT_NE(parsed.module, nullptr) << parsed.diagnostics.render();
  const Instruction& start = parsed.at("s");
  EXPECT_EQ(start.opcode, Opcode::kAsyncStart);
  EXPECT_EQ(start.attributes->async_execution_thread, "copies");
  EXPECT_EQ(start.metadata->op_name, "s");
  const Instruction* slice = start.attributes->calls.value()->root();
  EXPECT_EQ(slice->opcode, Opcode::kSlice);
  EXPECT_EQ(to_string(slice->shape), "f32[4]");
  EXPECT_EQ(slice->attributes->slice->size(), 1u);
  EXPECT_EQ(parsed.at("u").opcode, Opcode::kAsyncUpdate);
  EXPECT_EQ(parsed.at("d").opcode, Opcode::kAsyncDone);
  expect_round_trip(text);

  // all-reduce has asynchronous opcodes of its own.
  const Parsed native(R"(
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
ENTRY e {
  x = f32[8] parameter(0)
  s = f32[8] all-reduce-start(x), replica_groups=[1,1]<=[1], to_apply=add
  ROOT d = f32[8] all-reduce-done(s)
})");
  ASSERT_NE(native.module, nullptr) << native.diagnostics.render();
  EXPECT_EQ(native.at("s").opcode, Opcode::kAllReduceStart);
  EXPECT_EQ(native.at("s").attributes->replica_groups, "[1,1]<=[1]");
}

TEST(Grammar, NamesAndComments) {
  const char* text = R"(HloModule jit_f.1
/* a comment */ %_f-1.2_x (p.0: f32[]) -> f32[] { // another
  %p.0 = f32[] parameter(0) /* between */ ROOT %add = f32[] add(/*index=0*/%p.0, /* x */ %p.0)
} // _f-1.2_x
ENTRY main { f32 = f32[] parameter(0) ROOT call = f32[] call(f32), to_apply=_f-1.2_x })";
  const Parsed parsed(text);
  ASSERT_NE(parsed.module, nullptr) << parsed.diagnostics.render();
  EXPECT_EQ(parsed.at("call").attributes->to_apply.value()->name, "_f-1.2_x");
  EXPECT_EQ(parsed.at("call").operand(0)->name, "f32");
}

TEST(Grammar, SameNameInTwoComputations) {
  const Parsed parsed(R"(
f { a = f32[] parameter(0) ROOT b = f32[] negate(a) }
ENTRY e { a = f32[] parameter(0) ROOT b = f32[] call(a), to_apply=f })");
  ASSERT_NE(parsed.module, nullptr) << parsed.diagnostics.render();
  EXPECT_EQ(parsed.module->entry()->root()->name, "b.1");
  EXPECT_EQ(parsed.module->entry()->root()->operand(0)->name, "a.1");
}

}  // namespace
}  // namespace sinter
