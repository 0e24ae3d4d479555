// sinter opt: graph passes alone, HLO text in and out; and the lists of passes and ops.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <sstream>

#include "driver/commands/command.h"
#include "driver/commands/line/choices.h"
#include "driver/commands/line/help_format.h"
#include "driver/commands/pass_log.h"
#include "driver/compile/demand_text.h"
#include "driver/compile/read_module.h"
#include "driver/system/files.h"
#include "driver/tensors/dynamic_sizes.h"
#include "frontend/hlo/parse_hlo.h"
#include "ir/ops/op_table.h"
#include "ir/support/nearest_word.h"
#include "ir/text/print.h"
#include "ir/verify/verify.h"

namespace sinter {
namespace {

struct OptCommand {
  std::string file;
  std::string output = "-";
  std::string passes = "all";
  bool no_metadata = false;
  std::string demand;  // a file with a stage
  GraphPassOptions graph;
  GrainFlags grain;
  bool list_passes = false;
  bool list_ops = false;
  PassLogOptions log;
};

void list_passes() {
  size_t width = 0;
  for (const GraphPass& pass : graph_passes()) width = std::max(width, pass.name.size());
  for (const GraphPass& pass : graph_passes())
    std::cout << pass.name << std::string(width + 2 - pass.name.size(), ' ') << pass.help << "\n";
}

std::string_view family_name(Family family) {
  switch (family) {
    case Family::kElementwise:
      return "elementwise";
    case Family::kIndexMap:
      return "index map";
    case Family::kStructured:
      return "structured";
    case Family::kControl:
      return "control";
    case Family::kRandom:
      return "random";
    case Family::kDevice:
      return "device";
  }
  return "?";
}

void list_ops() {
  for (int i = 0; i < kOpcodeCount; ++i) {
    const Opcode opcode = static_cast<Opcode>(i);
    const std::string name(opcode_name(opcode));
    const std::string family(family_name(opcode_family(opcode)));
    std::cout << name << std::string(name.size() < 32 ? 32 - name.size() : 1, ' ') << family
              << std::string(16 - family.size(), ' ') << (op_def(opcode).evaluate ? "evaluated" : "-") << "\n";
  }
}

// The passes named in "a,b,c"; false, having said why, for a name that is none.
bool find_passes(const std::string& names, std::vector<const GraphPass*>& passes) {
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) {
    const GraphPass* pass = find_graph_pass(name);
    if (!pass) {
      std::vector<std::string_view> known;
      for (const GraphPass& one : graph_passes()) known.push_back(one.name);
      const std::string nearest = nearest_word(name, known);
      fail("no pass is called " + name + "; " + (nearest.empty() ? "" : "did you mean " + nearest + "? ") +
           "`sinter opt --list-passes` lists them");
      return false;
    }
    passes.push_back(pass);
  }
  return true;
}

int run(const OptCommand& options) {
  if (options.list_passes) list_passes();
  if (options.list_ops) list_ops();
  if (options.list_passes || options.list_ops) return kOk;
  if (options.file.empty()) return fail("opt needs a file (- is standard input)");
  GrainChoice choice;
  if (!to_choice(options.grain, choice)) return kCallWrong;
  const bool all = options.passes == "all", none = options.passes == "none";
  std::vector<const GraphPass*> passes;
  Source source;
  if (!all && !none && !find_passes(options.passes, passes)) return kCallWrong;
  if (!read_source(options.file, source)) return kCallWrong;
  Diagnostics diagnostics(source);
  PassLog log(options.log);
  const CompileObserver observer = log.observer();
  StageClock clock(observer.stage);
  const std::unique_ptr<Module> module = read_module(diagnostics, choice);
  clock.end("parse");
  // The same pass, with what it refuses.
  const bool bounds = all || (!passes.empty() && passes[0]->name == "bound_dimensions");
  const bool good = module && (bounds ? verify_sizes(*module, diagnostics) : verify(*module, diagnostics));
  clock.end("verify");
  print_diagnostics(diagnostics);
  if (!good) return kInputWrong;

  if (all) {
    run_graph_passes(*module, options.graph, observer.passes);
  } else {
    run_graph_passes(*module, passes, options.graph, observer.passes);
  }
  clock.skip();
  std::string text;
  if (options.demand.empty()) {
    text = print(*module, {.metadata = !options.no_metadata});
  } else {
    Source stage;
    if (!read_source(options.demand, stage)) return kCallWrong;
    const std::optional<std::string> demand = demand_text(*module, stage.text, diagnostics);
    print_diagnostics(diagnostics);
    if (!demand) return kInputWrong;
    text = *demand;
  }
  clock.end("print");
  if (!log.finish()) return kCallWrong;
  std::string error;
  return write_file(options.output, text, error) ? kOk : fail(error);
}

}  // namespace

void add_opt_command(CLI::App& app, int& status) {
  auto options = std::make_shared<OptCommand>();
  CLI::App* command = app.add_subcommand("opt", "run graph passes on HLO text and print the result");
  command->add_option("FILE", options->file, "HLO text; - is standard input");
  command->add_option("-o,--output", options->output, "file to write")->type_name("FILE")->capture_default_str();
  std::vector<std::string> passes = {"all", "none"};
  for (const GraphPass& pass : graph_passes()) passes.emplace_back(pass.name);
  offers(command->add_option("--passes", options->passes, "all, none, or just these, in this order: a,b"), passes)
      ->type_name("LIST")
      ->capture_default_str();
  command->add_flag("--no-metadata", options->no_metadata, "leave metadata and source tables out");
  command
      ->add_option("--demand", options->demand,
                   "in place of the text: what each thread computes if all of it is the stage that this file has, "
                   "`stage map over [64]`")
      ->type_name("FILE");
  add_grain_flags(*command, options->grain);
  add_graph_flags(*command, options->graph);
  add_pass_log_flags(*command, options->log);
  command->add_flag("--list-passes", options->list_passes, "list the graph passes in the order of the pipeline");
  command->add_flag("--list-ops", options->list_ops, "list the opcodes and what is known of each");
  add_example(*command, "sinter opt softmax.hlo --passes=simplify --no-metadata");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace sinter
