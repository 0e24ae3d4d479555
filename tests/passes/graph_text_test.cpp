// Graph passes, as text: every file of tests/passes/graph names its passes in the first line, holds a module, and
// ends with what the passes make of it.
//
//   // passes: fold_constants, simplify        (or: pipeline)
//   HloModule ...
//   // ==== expected
//   HloModule ...
//
// The module after the passes must also print as it is read back, keep the evaluator's results bit for bit (tuples
// count as their arrays, left to right), and not change when the passes run again. SINTER_BLESS=1 in the environment
// writes what came out into the files.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "ir/evaluate/evaluate.h"
#include "ir/module/weights.h"
#include "ir/text/print.h"
#include "passes/graph/pipeline.h"
#include "tests/passes/parse_module.h"

namespace sinter {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMarker = "// ==== expected\n";
constexpr const char* kPasses = "// passes: ";

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<fs::path> cases() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(SINTER_SOURCE_DIR) / "tests/passes/graph")) {
    if (entry.path().extension() == ".hlo") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

void run_named(Module& module, const std::string& list) {
  std::vector<const GraphPass*> passes;
  std::stringstream names(list);
  for (std::string name; std::getline(names >> std::ws, name, ',');) {
    if (name == "pipeline") return run_graph_passes(module, GraphPassOptions());
    const GraphPass* pass = find_graph_pass(name);
    ASSERT_NE(pass, nullptr) << name;
    passes.push_back(pass);
  }
  run_graph_passes(module, passes, GraphPassOptions());
}

// Small whole numbers of both signs: sums of them are exact, and integers serve as indices.
Literal input(const Shape& shape, int64_t seed) {
  Literal literal(shape);
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    const int64_t value = (i * 7 + seed * 5) % 11 - 3;
    if (is_float(shape.dtype)) {
      literal.set_real(i, static_cast<double>(value) / 2);
    } else if (shape.dtype == DType::kC64) {
      literal.mutable_values<std::complex<float>>()[i] = {static_cast<float>(value) / 2, static_cast<float>(value % 3)};
    } else if (shape.dtype == DType::kC128) {
      literal.mutable_values<std::complex<double>>()[i] = {static_cast<double>(value) / 2,
                                                           static_cast<double>(value % 3)};
    } else {
      literal.set_integer(i, shape.dtype == DType::kPred ? value & 1 : value);
    }
  }
  return literal;
}

// Arguments for a parameter of this shape; `next` is the number of its first array.
Literal argument(const Shape& shape, int64_t& next) {
  if (!shape.is_tuple()) return input(shape, next++);
  std::vector<Literal> elements;
  for (const Shape& element : shape.elements) elements.push_back(argument(element, next));
  return Literal::tuple(std::move(elements));
}

// Weights by their names: constants that a pass may make parameters of.
std::map<std::string, Literal> weights_of(const Module& module) {
  std::map<std::string, Literal> weights;
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      if (!weight_name(instruction).empty()) weights[weight_name(instruction)] = instruction.literal;
    }
  }
  return weights;
}

std::optional<std::vector<Literal>> value_of(const Module& module, const std::map<std::string, Literal>& weights) {
  const Source source;
  Diagnostics diagnostics(source);
  if (!check_evaluable(module, diagnostics)) return {};
  std::vector<Literal> arguments;
  int64_t next = 0;
  for (const Instruction* parameter : module.entry()->parameters()) {
    const std::string weight = weight_name(*parameter);
    arguments.push_back(weight.empty() ? argument(parameter->shape, next) : weights.at(weight));
  }
  const std::optional<Literal> value = evaluate(module, arguments, diagnostics);
  if (!value) return {};
  std::vector<Literal> arrays, open = {*value};
  while (!open.empty()) {
    const Literal literal = std::move(open.back());
    open.pop_back();
    if (literal.shape().is_tuple()) {
      open.insert(open.end(), literal.elements().rbegin(), literal.elements().rend());
    } else {
      arrays.push_back(literal);
    }
  }
  return arrays;
}

class GraphText : public testing::TestWithParam<fs::path> {};

TEST_P(GraphText, MatchesExpected) {
  const std::string content = read_file(GetParam());
  ASSERT_EQ(content.rfind(kPasses, 0), 0u) << "the first line names the passes";
  const size_t line_end = content.find('\n');
  const std::string passes = content.substr(std::string(kPasses).size(), line_end - std::string(kPasses).size());
  const size_t marker = content.find(kMarker);
  const std::string text = content.substr(line_end + 1, marker == std::string::npos ? marker : marker - line_end - 1);

  const std::unique_ptr<Module> before = parse_module(text);
  ASSERT_NE(before, nullptr);
  const std::map<std::string, Literal> weights = weights_of(*before);
  const std::unique_ptr<Module> after = before->clone();
  run_named(*after, passes);
  const std::string printed = print(*after);

  EXPECT_EQ(print(*parse_module(printed)), printed);
  if (const std::optional<std::vector<Literal>> expected = value_of(*before, weights)) {
    const std::optional<std::vector<Literal>> value = value_of(*after, weights);
    ASSERT_TRUE(value.has_value());
    ASSERT_EQ(value->size(), expected->size());
    for (size_t i = 0; i < value->size(); ++i) EXPECT_TRUE((*value)[i].same_value((*expected)[i])) << "array " << i;
  }
  run_named(*after, passes);
  EXPECT_EQ(print(*after), printed) << "a second run changes something";

  if (std::getenv("SINTER_BLESS") != nullptr) {
    std::ofstream(GetParam(), std::ios::binary) << content.substr(0, marker) << kMarker << printed;
  } else {
    ASSERT_NE(marker, std::string::npos) << "no expected text";
    EXPECT_EQ(printed, content.substr(marker + std::string(kMarker).size()));
  }
}

INSTANTIATE_TEST_SUITE_P(Passes, GraphText, testing::ValuesIn(cases()), [](const auto& info) {
  std::string name = info.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace sinter
