// Runs the evaluator over every conformance case and every sample (corpus.h), and prints how many of each operation
// agree. Arguments, if any, choose the cases whose name contains one of them.
#include <chrono>
#include <exception>
#include <iostream>
#include <map>

#include "tests/conformance/corpus.h"

namespace sinter {
namespace {

struct Score {
  int passed = 0;
  int total = 0;
};

// What differs; empty if nothing does.
std::string run_case(const CorpusCase& one) {
  try {
    return one.difference(evaluate_file(one.program, read_values(one.inputs)), read_values(one.expected));
  } catch (const std::exception& problem) {
    return problem.what();
  }
}

int run_all(std::vector<std::string> filters) {
  const std::optional<std::vector<CorpusCase>> cases = read_corpus({.filters = std::move(filters), .groups = {}});
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
  try {
    return sinter::run_all({argv + 1, argv + argc});
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << "\n";
    return 1;
  }
}
