// Runs the evaluator over every conformance case and every sample, or over the op tests (corpus.h), and prints how many
// of each operation agree.
#include <CLI/CLI.hpp>
#include <chrono>
#include <exception>
#include <iostream>
#include <map>

#include "frontend/hlo/parse_hlo.h"
#include "ir/evaluate/evaluate.h"
#include "ir/verify/verify.h"
#include "tests/conformance/corpus.h"

namespace sinter {
namespace {

struct Score {
  int passed = 0;
  int total = 0;
};

struct Options {
  std::string op_tests;
  CorpusFilter filter;
};

bool is_evaluable(const Source& source) {
  Diagnostics diagnostics(source);
  const std::unique_ptr<Module> module = parse_hlo(diagnostics);
  if (!module || !verify(*module, diagnostics)) throw std::runtime_error(diagnostics.render());
  return check_evaluable(*module, diagnostics);
}

// What differs; empty if nothing does.
std::string run_case(const CorpusCase& one) {
  try {
    if (one.is_refused) return is_evaluable(one.source) ? "is evaluated" : "";
    return one.difference(evaluate_text(one.source, one.read_inputs()), one.read_expected());
  } catch (const std::exception& problem) {
    return problem.what();
  }
}

int run_all(const Options& options) {
  const std::optional<std::vector<CorpusCase>> cases =
      options.op_tests.empty() ? read_corpus(options.filter) : read_op_tests(options.op_tests, options.filter);
  if (!cases) return 0;
  std::map<std::string, Score> scores;
  for (const CorpusCase& one : *cases) {
    const auto start = std::chrono::steady_clock::now();
    const std::string text = run_case(one);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (seconds.count() > 1) std::cout << one.group << "/" << one.name << ": " << seconds.count() << " s\n";
    if (!text.empty()) std::cout << "FAILED " << one.group << "/" << one.name << ": " << text << "\n";
    for (Score* score : {&scores[one.group], &scores["all"]}) {
      ++score->total;
      score->passed += text.empty();
    }
  }
  const Score all = scores["all"];
  scores.erase("all");
  for (const auto& [group, score] : scores) std::cout << group << " " << score.passed << "/" << score.total << "\n";
  std::cout << "all " << all.passed << "/" << all.total << "\n";
  return all.passed == all.total ? 0 : 1;
}

}  // namespace
}  // namespace sinter

int main(int argc, char** argv) {
  CLI::App app("conformance cases and samples in the evaluator");
  sinter::Options options;
  app.add_option("--op-tests", options.op_tests, "the op tests of this folder instead")->type_name("DIR");
  app.add_option("FILTER", options.filter.filters, "only cases whose name contains one of these");
  app.add_option("--only-op", options.filter.groups, "only cases of this operation, or `samples`; may be repeated")
      ->type_name("OP");
  CLI11_PARSE(app, argc, argv);
  try {
    return sinter::run_all(options);
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << "\n";
    return 1;
  }
}
