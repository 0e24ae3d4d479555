// The conformance cases and samples of the folder that SINTER_SHARED_DIR names, and what is expected of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/literal.h"
#include "tests/conformance/compare_values.h"

namespace sinter {

struct CorpusCase {
  std::string group;  // the operation, or "samples"
  std::string name;
  std::string program;           // path of its HLO text
  std::string inputs, expected;  // paths: constant modules (.hlo), or safetensors
  std::vector<ValueCheck> checks;
  ValueCheck every;  // of each result, where `checks` is empty

  // Empty if the results agree, else the first difference.
  std::string difference(const std::vector<Literal>& got, const std::vector<Literal>& wanted) const;
};

// Which cases: those whose name contains one of `filters`, of one of `groups`; empty lists choose all.
struct CorpusFilter {
  std::vector<std::string> filters, groups;
  bool chooses(const CorpusCase& one) const;
};

// The cases in the order of the index, then the samples by name; nullopt, having said so, where SINTER_SHARED_DIR is
// not set. Throws std::runtime_error if a file is not as it should be.
std::optional<std::vector<CorpusCase>> read_corpus(const CorpusFilter& filter);

// The tensors of a file of a case.
std::vector<Literal> read_values(const std::string& path);

// The result of a module, tuples flattened; throws with the diagnostics.
std::vector<Literal> evaluate_file(const std::string& path, const std::vector<Literal>& arguments);

}  // namespace sinter
