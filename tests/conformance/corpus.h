// Programs with inputs and what is expected of them: the project's own op tests (tests/ops), and the conformance cases
// and samples of the folder that SINTER_SHARED_DIR names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/support/source.h"
#include "ir/values/literal.h"
#include "tests/conformance/compare_values.h"

namespace sinter {

struct CorpusCase {
  std::string group;  // the operation, or "samples"
  std::string name;
  Source source;  // its HLO text
  // Paths of constant modules (.hlo) or safetensors; or, in an op test, computations of the text without parameters.
  std::string inputs, expected;
  bool is_op_test = false;
  bool is_refused = false;  // an op test without an expected result
  std::vector<ValueCheck> checks;
  ValueCheck every;  // of each result, where `checks` is empty

  // Throw std::runtime_error if a file is not as it should be.
  std::vector<Literal> read_inputs() const { return read_values(inputs); }
  std::vector<Literal> read_expected() const { return read_values(expected); }

  // Empty if the results agree, else the first difference.
  std::string difference(const std::vector<Literal>& got, const std::vector<Literal>& wanted) const;

 private:
  std::vector<Literal> read_values(const std::string& where) const;
};

// Which cases: those whose name contains one of `filters`, of one of `groups`; empty lists choose all.
struct CorpusFilter {
  std::vector<std::string> filters, groups;
  bool chooses(const CorpusCase& one) const;
};

// The conformance cases in the order of the index, then the samples by name; nullopt, having said so, where
// there is no shared folder. Throws std::runtime_error if a file is not as it should be.
std::optional<std::vector<CorpusCase>> read_corpus(const CorpusFilter& filter);

// The modules of FOLDER/*.hlo, files by name; tests/ops/README.md says what a module holds. Throws likewise.
std::vector<CorpusCase> read_op_tests(const std::string& folder, const CorpusFilter& filter);

// The result of a module, tuples flattened; throws with the diagnostics.
std::vector<Literal> evaluate_text(const Source& source, const std::vector<Literal>& arguments);

}  // namespace sinter
