// Comparison of modules field by field.

#include "parse_text.h"

#include <type_traits>

namespace sinter {

namespace {

std::string name_of(const Computation* computation) { return computation == nullptr ? "" : computation->name; }

// Attributes of two modules: computations are compared by name.
template <class T>
bool same_attribute(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, AttributeValue<attribute_kind::Computation>>) {
    return a.has_value() == b.has_value() && (!a || name_of(*a) == name_of(*b));
  } else if constexpr (std::is_same_v<T, AttributeValue<attribute_kind::ComputationList>>) {
    if (a.has_value() != b.has_value()) return false;
    if (!a) return true;
    if (a->size() != b->size()) return false;
    for (size_t i = 0; i < a->size(); ++i) {
      if (name_of((*a)[i]) != name_of((*b)[i])) return false;
    }
    return true;
  } else {
    return a == b;
  }
}

std::vector<std::string> names_of(const std::vector<Instruction*>& instructions) {
  std::vector<std::string> names;
  for (const Instruction* instruction : instructions) names.push_back(instruction->name);
  return names;
}

bool same_literal(const Literal& a, const Literal& b) {
  return a.is_elided() == b.is_elided() && (a.is_elided() || a.same_value(b));
}

std::string difference(const Instruction& a, const Instruction& b) {
  const std::string where = "instruction " + a.name + ": ";
  if (a.name != b.name) return where + "name " + b.name;
  if (a.opcode != b.opcode) return where + "opcode";
  if (!(a.shape == b.shape)) return where + "shape " + to_string(a.shape) + " / " + to_string(b.shape);
  if (names_of(a.operands()) != names_of(b.operands())) return where + "operands";
  if (names_of(a.control_predecessors) != names_of(b.control_predecessors)) return where + "control predecessors";
  if (a.parameter_number != b.parameter_number) return where + "parameter number";
  if (!same_literal(a.literal, b.literal)) return where + "literal";
  if (!(a.metadata == b.metadata)) return where + "metadata";
  if (a.annotations->frontend_attributes != b.annotations->frontend_attributes) return where + "frontend attributes";
  if (a.annotations->backend_config != b.annotations->backend_config) return where + "backend_config";
  if (a.annotations->sharding != b.annotations->sharding) return where + "sharding";
  if (a.annotations->ignored_attributes != b.annotations->ignored_attributes) return where + "ignored attributes";
#define ATTRIBUTE(hlo_name, member, kind) \
  if (!same_attribute(a.attributes->member, b.attributes->member)) return where + hlo_name;
#include "ir/module/attributes.def"
#undef ATTRIBUTE
  return "";
}

std::string difference(const Computation& a, const Computation& b) {
  if (a.name != b.name) return "computation " + a.name + " / " + b.name;
  const std::string where = "computation " + a.name + ": ";
  if (a.execution_thread != b.execution_thread) return where + "execution thread";
  if (a.instructions().size() != b.instructions().size()) return where + "number of instructions";
  if (a.root()->name != b.root()->name) return where + "root";
  for (auto left = a.instructions().begin(), right = b.instructions().begin(); left != a.instructions().end();
       ++left, ++right) {
    if (std::string text = difference(*left, *right); !text.empty()) return where + text;
  }
  return "";
}

}  // namespace

std::string difference(const Module& a, const Module& b) {
  if (a.name != b.name) return "module name";
  if (a.entry_parameter_layouts != b.entry_parameter_layouts) return "entry parameter layouts";
  if (a.entry_result_layout != b.entry_result_layout) return "entry result layout";
  if (a.input_output_alias != b.input_output_alias) return "input_output_alias";
  if (a.buffer_donor != b.buffer_donor) return "buffer_donor";
  if (a.is_scheduled != b.is_scheduled) return "is_scheduled";
  if (a.replica_count != b.replica_count || a.num_partitions != b.num_partitions) return "replicas or partitions";
  if (a.other_header_fields != b.other_header_fields) return "other header fields";
  if (a.tables.files != b.tables.files || a.tables.functions != b.tables.functions ||
      a.tables.locations != b.tables.locations || a.tables.frames != b.tables.frames) {
    return "source tables";
  }
  if (a.computations().size() != b.computations().size()) return "number of computations";
  if (name_of(a.entry()) != name_of(b.entry())) return "entry";
  for (size_t i = 0; i < a.computations().size(); ++i) {
    if (std::string text = difference(*a.computations()[i], *b.computations()[i]); !text.empty()) return text;
  }
  return "";
}

void expect_round_trip(const std::string& text) {
  const Parsed first(text);
  ASSERT_NE(first.module, nullptr) << first.diagnostics.render();
  const std::string printed = print(*first.module);
  const Parsed second(printed);
  ASSERT_NE(second.module, nullptr) << second.diagnostics.render() << "\nof\n" << printed;
  EXPECT_EQ(difference(*first.module, *second.module), "");
  EXPECT_EQ(print(*second.module), printed);
}

}  // namespace sinter
