// Runs every conformance case and every sample, or the op tests (corpus.h), through the emitted code, built for the
// CPU, and prints for each operation how many results are right, how many programs are refused, how many results are
// wrong, and how many programs fail: by an internal error, by not building, or when they run. Refusals are listed by
// their reasons; an op test says whether it is to be refused. The environment may ask for a part of all
// (tests/test_part.h); the order in which threads take turns is SINTER_CPU_ORDER (runtime/cpu/settings.h).
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <map>
#include <span>

#include "driver/build/engine.h"
#include "driver/system/files.h"
#include "driver/system/parallel.h"
#include "frontend/hlo/parse_hlo.h"
#include "ir/verify/verify.h"
#include "tests/conformance/corpus.h"
#include "tests/test_part.h"

namespace sinter {
namespace {

using Status = RunResult::Status;

constexpr unsigned kSeconds = 300;  // one program, on a busy machine

struct Options {
  std::string op_tests;
  CorpusFilter filter;
  bool fma = true;
};

struct Row {
  int ok = 0, refused = 0, wrong = 0, failed = 0;
};

// A case on its way: `problem` is set where it cannot be run.
struct Item {
  const CorpusCase* one = nullptr;
  std::unique_ptr<Module> module;
  std::vector<Literal> inputs;
  std::string problem;
};

void prepare(Item& item) {
  try {
    Diagnostics diagnostics(item.one->source);
    item.module = parse_hlo(diagnostics);
    if (!item.module || !verify(*item.module, diagnostics)) {
      item.problem = diagnostics.render();
    } else if (!item.one->is_refused) {
      item.inputs = item.one->read_inputs();
    }
  } catch (const std::exception& problem) {
    item.problem = problem.what();
  }
}

// "E0301: sort: not compiled to CUDA" of the first error in rendered diagnostics, without the instruction's name.
std::string reason(const std::string& diagnostics) {
  const size_t begin = diagnostics.find("error[");
  if (begin == std::string::npos) return diagnostics.substr(0, diagnostics.find('\n'));
  std::string line = diagnostics.substr(begin + 6, diagnostics.find('\n', begin) - begin - 6);
  if (const size_t name = line.find(" ('"); name != std::string::npos) line.resize(name);
  if (const size_t bracket = line.find(']'); bracket != std::string::npos) line.erase(bracket, 1);
  return line;
}

std::string padded(const std::string& text, size_t width) {
  return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

class Table {
 public:
  void add(const CorpusCase& one, const RunResult& result) {
    Row& row = rows_[one.group];
    if (result.status == Status::kRefused) {
      ++row.refused;
      ++refusals_[reason(result.error)];
      if (one.is_refused || !one.is_op_test) return;
    }
    std::string text = result.error;
    if (result.status == Status::kOk) {
      text = one.is_refused ? "is not refused" : one.difference(result.outputs, one.read_expected());
      if (text.empty()) {
        ++row.ok;
        return;
      }
      ++row.wrong;
    } else {
      ++row.failed;
    }
    std::cout << (result.status == Status::kOk ? "WRONG " : "FAILED ") << one.group << "/" << one.name << ": " << text
              << "\n";
  }

  // True if nothing is wrong or failed.
  bool print() const {
    Row all;
    std::cout << padded("", 32) << "      ok refused   wrong  failed\n";
    const auto line = [](const std::string& name, const Row& row) {
      std::cout << padded(name, 32);
      for (const int count : {row.ok, row.refused, row.wrong, row.failed}) {
        const std::string number = std::to_string(count);
        std::cout << std::string(8 - number.size(), ' ') << number;
      }
      std::cout << "\n";
    };
    for (const auto& [group, row] : rows_) {
      line(group, row);
      all.ok += row.ok;
      all.refused += row.refused;
      all.wrong += row.wrong;
      all.failed += row.failed;
    }
    line("all", all);
    if (!refusals_.empty()) std::cout << "\nrefused:\n";
    std::vector<std::pair<int, std::string>> reasons;
    for (const auto& [text, count] : refusals_) reasons.emplace_back(-count, text);
    std::sort(reasons.begin(), reasons.end());
    for (const auto& [count, text] : reasons) std::cout << "  " << -count << "  " << text << "\n";
    return all.wrong == 0 && all.failed == 0;
  }

 private:
  std::map<std::string, Row> rows_;
  std::map<std::string, int> refusals_;
};

// Runs some of the cases and adds them to the table.
void run_cases(std::span<const CorpusCase> cases, const Options& options, Table& table) {
  std::vector<Item> items(cases.size());
  for_each_parallel(items.size(), [&](size_t i) {
    items[i].one = &cases[i];
    prepare(items[i]);
  });
  std::vector<RunRequest> requests;
  std::vector<const CorpusCase*> asked;
  for (const Item& item : items) {
    if (!item.problem.empty()) {
      table.add(*item.one, {Status::kFailed, {}, item.problem});
      continue;
    }
    requests.push_back({item.one->source, *item.module, item.inputs});
    asked.push_back(item.one);
  }
  EmittedOptions emitted;
  emitted.compile.graph.fma = options.fma;
  const std::vector<RunResult> results = run_emitted_batch(requests, emitted, kSeconds);
  for (size_t i = 0; i < asked.size(); ++i) table.add(*asked[i], results[i]);
}

int run_all(const Options& options) {
  const std::optional<std::vector<CorpusCase>> all =
      options.op_tests.empty() ? read_corpus(options.filter) : read_op_tests(options.op_tests, options.filter);
  if (!all) return 0;
  const std::vector<CorpusCase> cases = part_of(*all);
  Table table;
  // What is wrong is told as it is found, and not all inputs are in memory together.
  constexpr size_t kAtOnce = 256;
  for (size_t begin = 0; begin < cases.size(); begin += kAtOnce) {
    run_cases(std::span(cases).subspan(begin, std::min(kAtOnce, cases.size() - begin)), options, table);
    std::cout << std::flush;
  }
  return table.print() ? 0 : 1;
}

}  // namespace
}  // namespace sinter

int main(int argc, char** argv) {
  CLI::App app("conformance cases and samples through the emitted code, on the CPU");
  sinter::Options options;
  app.add_option("--op-tests", options.op_tests, "the op tests of this folder instead")->type_name("DIR");
  app.add_option("--filter", options.filter.filters, "only cases whose name contains this; may be repeated")
      ->type_name("TEXT");
  app.add_option("--only-op", options.filter.groups, "only cases of this operation, or `samples`; may be repeated")
      ->type_name("OP");
  app.add_flag("!--no-fma", options.fma, "compile without the choice of fmaf");
  CLI11_PARSE(app, argc, argv);
  try {
    return sinter::run_all(options);
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << "\n";
    return 1;
  }
}
