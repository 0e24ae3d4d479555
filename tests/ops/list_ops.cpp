// Writes docs/ops.md: what is done with each opcode, from the op table and the op tests, each of which is compiled (not
// built). An opcode without a case, or one that is neither compiled nor refused on purpose, is an error.
//
//   list_ops tests/ops > docs/ops.md
#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <set>
#include <stdexcept>

#include "driver/compile/compile.h"
#include "driver/compile/plan_report.h"
#include "driver/system/parallel.h"
#include "frontend/hlo/parse_hlo.h"
#include "ir/ops/op_table.h"
#include "ir/verify/verify.h"
#include "tests/conformance/corpus.h"

namespace sinter {
namespace {

constexpr std::array kDTypes = {
#define DTYPE(enumerator, hlo_name, dtype_class, bits, cuda) DType::enumerator,
#include "ir/values/dtype.def"
#undef DTYPE
};

// What one case shows of its opcode.
struct Finding {
  std::set<DType> dtypes;           // of operands and results
  std::set<std::string> schedules;  // of the kernels, where the opcode reaches the schedule
  std::string replaced_by;          // the pass after which the opcode is gone
  std::string refusal;              // the reason, where the case is refused
};

struct Row {
  int cases = 0, refused = 0;
  std::set<DType> dtypes;
  std::set<std::string> schedules, passes, refusals;
};

void add_dtypes(const Shape& shape, std::set<DType>& dtypes) {
  if (shape.is_array()) dtypes.insert(shape.dtype);
  for (const Shape& element : shape.elements) add_dtypes(element, dtypes);
}

// How many instructions of the opcode the entry runs, directly or through what it calls.
int64_t count_reached(const Module& module, Opcode opcode, std::set<DType>* dtypes = nullptr) {
  int64_t count = 0;
  std::set<const Computation*> seen{module.entry()};
  std::vector<const Computation*> open{module.entry()};
  while (!open.empty()) {
    const Computation* computation = open.back();
    open.pop_back();
    for (const Instruction& instruction : computation->instructions()) {
      for (const Computation* called : instruction.called_computations()) {
        if (seen.insert(called).second) open.push_back(called);
      }
      if (instruction.opcode != opcode) continue;
      ++count;
      if (dtypes == nullptr) continue;
      add_dtypes(instruction.shape, *dtypes);
      for (const Instruction* operand : instruction.operands()) add_dtypes(operand->shape, *dtypes);
    }
  }
  return count;
}

Finding find(const CorpusCase& one, Opcode opcode) {
  Finding finding;
  Diagnostics parsing(one.source);
  const std::unique_ptr<Module> module = parse_hlo(parsing);
  if (!module || !verify(*module, parsing)) throw std::runtime_error(parsing.render());
  if (count_reached(*module, opcode, &finding.dtypes) == 0) {
    throw std::runtime_error("does not hold its opcode");
  }
  Diagnostics diagnostics(one.source);
  CompileObserver observer;
  observer.passes.after = [&](std::string_view pass, bool changed, double, const Module& after) {
    if (!changed || count_reached(after, opcode) > 0) return;
    if (finding.replaced_by.empty()) finding.replaced_by = pass;
  };
  const std::optional<Artifact> artifact = compile({}, diagnostics, observer);
  if (!artifact.has_value() != one.is_refused) {
    throw std::runtime_error(one.group + "." + one.name +
                             (artifact ? " is not refused" : ":\n" + diagnostics.render()));
  }
  if (!artifact) {
    finding.refusal = diagnostics.all().front().message;
    // Without the instruction's name.
    if (const size_t name = finding.refusal.find(" ('"); name != std::string::npos) finding.refusal.resize(name);
    return finding;
  }
  if (!finding.replaced_by.empty()) return finding;
  for (const PlanReport::KernelReport& kernel : report_plan(*artifact).kernels) {
    finding.schedules.insert(kernel.schedules.begin(), kernel.schedules.end());
  }
  return finding;
}

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// The types, a whole family of them under one name. Those of one bit are in no case.
std::string dtype_text(const std::set<DType>& dtypes) {
  struct Group {
    std::string_view name;
    bool (*has)(DType);
  };
  constexpr std::array kGroups = {
      Group{"signed", is_signed_integer},
      Group{"unsigned", [](DType dtype) { return is_integer(dtype) && !is_signed_integer(dtype); }},
      Group{"floats", [](DType dtype) { return is_float(dtype) && dtype_bits(dtype) >= 16; }},
      Group{"small floats", [](DType dtype) { return is_float(dtype) && dtype_bits(dtype) < 16; }},
      Group{"complex", is_complex},
  };
  std::string text;
  const auto add = [&](std::string_view name) { text.append(text.empty() ? "" : ", ").append(name); };
  if (dtypes.contains(DType::kPred)) add("pred");
  for (const Group& group : kGroups) {
    std::vector<DType> present;
    bool all = true;
    for (const DType dtype : kDTypes) {
      if (!group.has(dtype) || dtype_bits(dtype) == 1) continue;
      all = all && dtypes.contains(dtype);
      if (dtypes.contains(dtype)) present.push_back(dtype);
    }
    if (all) {
      add(group.name);
    } else {
      for (const DType dtype : present) add(dtype_name(dtype));
    }
  }
  return text;
}

std::vector<Row> collect(const std::vector<CorpusCase>& cases) {
  std::map<std::string, Opcode, std::less<>> opcodes;
  for (int i = 0; i < kOpcodeCount; ++i) {
    opcodes.emplace(opcode_name(static_cast<Opcode>(i)), static_cast<Opcode>(i));
  }
  std::vector<Finding> findings(cases.size());
  std::vector<std::string> problems(cases.size());
  for_each_parallel(cases.size(), [&](size_t i) {
    try {
      const auto opcode = opcodes.find(cases[i].group);
      if (opcode == opcodes.end()) throw std::runtime_error(cases[i].group + " is no opcode");
      findings[i] = find(cases[i], opcode->second);
    } catch (const std::exception& problem) {
      problems[i] = cases[i].group + "." + cases[i].name + ": " + problem.what();
    }
  });
  std::string all;
  for (const std::string& problem : problems) all += problem.empty() ? "" : problem + "\n";
  if (!all.empty()) throw std::runtime_error(all);
  std::vector<Row> rows(kOpcodeCount);
  for (size_t i = 0; i < cases.size(); ++i) {
    Row& row = rows[static_cast<size_t>(opcodes.find(cases[i].group)->second)];
    const Finding& finding = findings[i];
    if (cases[i].is_refused) {
      ++row.refused;
      row.refusals.insert(finding.refusal);
      continue;
    }
    ++row.cases;
    row.dtypes.insert(finding.dtypes.begin(), finding.dtypes.end());
    row.schedules.insert(finding.schedules.begin(), finding.schedules.end());
    if (!finding.replaced_by.empty()) row.passes.insert("`" + finding.replaced_by + "`");
  }
  return rows;
}

void write_table(const std::vector<Row>& rows) {
  int cases = 0, refused = 0, compiled = 0;
  for (const Row& row : rows) {
    cases += row.cases;
    refused += row.refused;
    compiled += row.cases > 0;
  }
  std::cout << "# Ops\n\nWritten by `./dev bless` from the op table and the op tests (tests/ops/README.md).\n\n"
            << "All " << kOpcodeCount << " opcodes are parsed, printed and verified. " << compiled
            << " are evaluated and compiled to CUDA C++, in " << cases
            << " cases that are compared with\nXLA:CPU in the evaluator and in the emitted code; "
            << kOpcodeCount - compiled << " are refused, since one device alone does not know what they mean. "
            << refused << " cases are\nrefusals.\n\n"
            << "*Becomes*: the graph passes after which the op is gone, in some cases or all; *schedules*: those of "
               "the kernels in "
               "which it is\nwhere it stays. *Element types*: those that cases have.\n\n"
            << "| op | cases | becomes | schedules | element types |\n|---|---|---|---|---|\n";
  for (int i = 0; i < kOpcodeCount; ++i) {
    const Row& row = rows[static_cast<size_t>(i)];
    if (row.cases == 0) continue;
    std::cout << "| " << opcode_name(static_cast<Opcode>(i)) << " | " << row.cases << " | " << joined(row.passes)
              << " | " << joined(row.schedules) << " | " << dtype_text(row.dtypes) << " |\n";
  }
  std::cout << "\n## Refused\n\n| op | what is said |\n|---|---|\n";
  for (int i = 0; i < kOpcodeCount; ++i) {
    const Row& row = rows[static_cast<size_t>(i)];
    if (row.cases + row.refused == 0)
      throw std::runtime_error(std::string(opcode_name(static_cast<Opcode>(i))) + " has no case");
    if (row.cases > 0 && op_def(static_cast<Opcode>(i)).evaluate == nullptr &&
        static_cast<Opcode>(i) != Opcode::kParameter) {
      throw std::runtime_error(std::string(opcode_name(static_cast<Opcode>(i))) + " is compiled but not evaluated");
    }
    for (const std::string& refusal : row.refusals) {
      std::cout << "| " << opcode_name(static_cast<Opcode>(i)) << " | " << refusal << " |\n";
    }
  }
}

}  // namespace
}  // namespace sinter

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: list_ops FOLDER-OF-OP-TESTS\n";
    return 2;
  }
  try {
    sinter::write_table(sinter::collect(sinter::read_op_tests(argv[1], {})));
    return 0;
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << "\n";
    return 1;
  }
}
