// conformance/index.json and samples/manifest.json, and the files of op tests.
#include "tests/conformance/corpus.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "frontend/hlo/parse_hlo.h"
#include "ir/evaluate/evaluate.h"
#include "ir/verify/verify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "tests/conformance/safetensors.h"
#include "tests/shared_folder.h"

namespace sinter {
namespace {

// Cases that are compared as `relaxed` instead, with this tolerance.
struct RelaxedCase {
  std::string_view name;
  double tolerance;
};
constexpr RelaxedCase kRelaxed[] = {
    // Expected sums were formed in f32, or from values rounded otherwise, and their terms cancel: the evaluator, which
    // sums in f64, is nearer to the exact result than the check is wide.
    {"cumsum_float32_8_9", 2e-6},
    {"dot_general_float32_4_3_complex64_3_6", 2e-6},
    {"dot_general_int16_4_3_complex64_3_6", 2e-6},
    {"dot_general_int32_4_3_float32_3_6", 2e-6},
    {"dot_general_int8_4_3_float32_3_6", 2e-6},
    {"dot_general_uint16_4_3_float32_3_6", 2e-6},
    {"scatter_add_float32_3_5_40_float32_3_5_2", 2e-6},
    {"sin_complex64_20_20", 2e-6},
    // A long chain in f64, in which emitted code contracts products and sums.
    {"random_gamma_float64_3_chlo", 1e-15},
};

ValueCheck read_check(const llvm::json::Object& result) {
  ValueCheck check;
  if (const auto relaxed = result.getNumber("relaxed")) check.relaxed = *relaxed;
  if (const auto ulp = result.getInteger("max_ulp")) check.max_ulp = *ulp;
  check.absolute = result.getNumber("abs").value_or(0);
  return check;
}

llvm::json::Value read_json(const std::string& path) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(read_text(path));
  if (!value) throw std::runtime_error("bad JSON in " + path);
  return std::move(*value);
}

Source read_source(const std::string& path) { return {path, read_text(path)}; }

void add_conformance(const std::string& folder, const CorpusFilter& filter, std::vector<CorpusCase>& cases) {
  const llvm::json::Value index = read_json(folder + "/index.json");
  for (const llvm::json::Value& entry : *index.getAsArray()) {
    const llvm::json::Object& item = *entry.getAsObject();
    CorpusCase one;
    one.name = item.getString("name")->str();
    one.group = item.getString("group")->str();
    if (!filter.chooses(one)) continue;
    const std::string base = folder + "/" + one.group + "/" + one.name;
    one.source = read_source(base + ".hlo");
    one.inputs = base + ".inputs.hlo";
    one.expected = base + ".expected.hlo";
    for (const llvm::json::Value& result : *item.getArray("results")) {
      one.checks.push_back(read_check(*result.getAsObject()));
      for (const RelaxedCase& relaxed : kRelaxed) {
        if (relaxed.name == one.name) one.checks.back().relaxed = relaxed.tolerance;
      }
    }
    cases.push_back(std::move(one));
  }
}

void add_samples(const std::string& folder, const CorpusFilter& filter, std::vector<CorpusCase>& cases) {
  const llvm::json::Value manifest = read_json(folder + "/manifest.json");
  std::vector<std::string> names;
  for (const auto& entry : *manifest.getAsObject()) names.push_back(entry.first.str());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    const llvm::json::Object& item = *manifest.getAsObject()->getObject(name);
    const std::string base = folder + "/" + name + "/" + name;
    CorpusCase one{.group = "samples",
                   .name = name,
                   .source = read_source(base + ".hlo"),
                   .inputs = base + ".inputs.safetensors",
                   .expected = base + ".expected.safetensors"};
    one.every.relative = item.getNumber("rtol").value_or(0);
    one.every.absolute = item.getNumber("atol").value_or(0);
    if (filter.chooses(one)) cases.push_back(std::move(one));
  }
}

// The value of `key` in the first line of a module: frontend_attributes={key="value"}.
std::string header_attribute(const std::string& text, const std::string& key) {
  const std::string line = text.substr(0, text.find('\n'));
  const size_t begin = line.find(key + "=\"");
  if (begin == std::string::npos) return "";
  const size_t value = begin + key.size() + 2;
  return line.substr(value, line.find('"', value) - value);
}

// A module of an op test's file: "HloModule add.f32_3x5, ..." is the case f32_3x5 of add.
CorpusCase op_test(const std::string& text) {
  const size_t name = text.find(' ') + 1;
  const std::string full = text.substr(name, text.find_first_of(",\n", name) - name);
  CorpusCase one{.group = full.substr(0, full.find('.')),
                 .name = full.substr(full.find('.') + 1),
                 .source = {full, text},
                 .inputs = "inputs",
                 .expected = "expected",
                 .is_op_test = true,
                 .is_refused = text.find("\nexpected {") == std::string::npos};
  if (const std::string ulp = header_attribute(text, "max_ulp"); !ulp.empty()) one.every.max_ulp = std::stoll(ulp);
  if (const std::string bound = header_attribute(text, "relaxed"); !bound.empty()) one.every.relaxed = std::stod(bound);
  return one;
}

// The result of a computation, or (no name) the entry, tuples flattened; throws with the diagnostics.
std::vector<Literal> evaluate_entry(const Source& source, const std::string& computation,
                                    const std::vector<Literal>& arguments) {
  Diagnostics diagnostics(source);
  const std::unique_ptr<Module> module = parse_hlo(diagnostics);
  if (!module) throw std::runtime_error(diagnostics.render());
  for (const auto& other : module->computations()) {
    if (other->name == computation) module->set_entry(other.get());
  }
  if (!verify(*module, diagnostics) || !check_evaluable(*module, diagnostics)) {
    throw std::runtime_error(diagnostics.render());
  }
  const std::optional<Literal> result = evaluate(*module, arguments, diagnostics);
  if (!result) throw std::runtime_error(diagnostics.render());
  std::vector<Literal> flat;
  std::vector<Literal> pending = {*result};
  while (!pending.empty()) {
    const Literal value = std::move(pending.back());
    pending.pop_back();
    if (value.shape().is_tuple()) {
      pending.insert(pending.end(), value.elements().rbegin(), value.elements().rend());
    } else {
      flat.push_back(value);
    }
  }
  return flat;
}

}  // namespace

std::string CorpusCase::difference(const std::vector<Literal>& got, const std::vector<Literal>& wanted) const {
  if (got.size() != wanted.size() || (!checks.empty() && got.size() != checks.size())) {
    return "another number of results";
  }
  for (size_t i = 0; i < got.size(); ++i) {
    const std::string text = sinter::difference(got[i], wanted[i], checks.empty() ? every : checks[i]);
    if (!text.empty()) return "result " + std::to_string(i) + ": " + text;
  }
  return "";
}

bool CorpusFilter::chooses(const CorpusCase& one) const {
  const auto matches = [&](const std::string& text) { return one.name.find(text) != std::string::npos; };
  if (!filters.empty() && std::none_of(filters.begin(), filters.end(), matches)) return false;
  return groups.empty() || std::find(groups.begin(), groups.end(), one.group) != groups.end();
}

std::optional<std::vector<CorpusCase>> read_corpus(const CorpusFilter& filter) {
  const std::optional<std::string> shared = shared_folder();
  if (!shared) {
    std::cout << "SKIPPED: SINTER_SHARED_DIR does not name the folder with conformance/ and samples/\n";
    return std::nullopt;
  }
  std::vector<CorpusCase> cases;
  add_conformance(*shared + "/conformance", filter, cases);
  add_samples(*shared + "/samples", filter, cases);
  return cases;
}

std::vector<CorpusCase> read_op_tests(const std::string& folder, const CorpusFilter& filter) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".hlo") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<CorpusCase> cases;
  for (const std::string& path : paths) {
    const std::string text = read_text(path);
    constexpr std::string_view kHeader = "HloModule ";
    size_t begin = text.find(kHeader);
    while (begin != std::string::npos) {
      const size_t next = text.find(std::string("\n").append(kHeader), begin);
      const size_t end = next == std::string::npos ? text.size() : next + 1;
      CorpusCase one = op_test(text.substr(begin, end - begin));
      if (filter.chooses(one)) cases.push_back(std::move(one));
      begin = next == std::string::npos ? next : end;
    }
  }
  return cases;
}

std::vector<Literal> CorpusCase::read_values(const std::string& where) const {
  if (is_op_test) return evaluate_entry(source, where, {});
  return where.ends_with(".hlo") ? evaluate_text(read_source(where), {}) : read_safetensors(where);
}

std::vector<Literal> evaluate_text(const Source& source, const std::vector<Literal>& arguments) {
  return evaluate_entry(source, "", arguments);
}

}  // namespace sinter
