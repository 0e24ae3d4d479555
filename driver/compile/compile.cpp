// The main line: HLO text -> Module -> graph passes -> schedule tree -> kernels and host plan -> files.
#include "driver/compile/compile.h"

#include <llvm/Support/JSON.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "driver/compile/known_plans.h"
#include "driver/compile/plan_report.h"
#include "driver/compile/tried_trees.h"
#include "driver/system/files.h"
#include "driver/tensors/dynamic_sizes.h"
#include "frontend/hlo/parse_hlo.h"
#include "frontend/python/name_values.h"
#include "ir/support/sha256.h"
#include "passes/analysis/functions/attention.h"
#include "passes/analysis/functions/network.h"
#include "passes/analysis/functions/pairs.h"
#include "passes/analysis/functions/small_matrices.h"
#include "passes/analysis/functions/stencil_levels.h"
#include "passes/analysis/functions/stencil_steps.h"
#include "passes/analysis/loops/repeats.h"
#include "passes/analysis/shapes/dot_precision.h"
#include "passes/analysis/values/fixed_module.h"
#include "passes/lower/lower.h"
#include "passes/lower/program/fingerprint.h"
#include "passes/schedule/tree/tree.h"
#include "passes/stages/products/asked_forms.h"
#include "passes/stages/products/result_rows.h"
#include "passes/stages/products/tensor_core_form.h"
#include "review/modules/recorded_module.h"
#include "templates/templates.h"

namespace sinter {
namespace {

// Asks for forms of products that --forms names, or that a run on a GPU has shown to be right: templates/verified.json
// has a list of such runs for each, `{"device": "NVIDIA H200", "date": "2026-12-01", "commit": "0123abcd", "programs":
// 50}`. Others are chosen only where the program asks for them (asked_forms.h), and made where a plan has them.
class AskedForms {
 public:
  explicit AskedForms(std::string_view forms) : forms_(forms) {
    llvm::Expected<llvm::json::Value> verified = llvm::json::parse(template_text("verified.json"));
    check(static_cast<bool>(verified), "verified", "verified.json is no JSON");
    verified_ = std::move(*verified);
  }

  bool has_chains() const { return !forms_.empty() || is_verified(kWgmmaChain); }

  void ask(Module& module) const {
    for (const std::string_view form : {kTma, kWgmma}) {
      for (const TensorCoreForm::Product product : kAskedProducts) {
        if (forms_ == form || is_verified(form_of_products(form, product))) ask_for_form(module, form, product);
      }
    }
    if (has_chains()) ask_for_chains(module);
  }

 private:
  bool is_verified(std::string_view form) const {
    const llvm::json::Array* runs = verified_.getAsObject()->getArray(form);
    return runs != nullptr && !runs->empty();
  }

  std::string_view forms_;
  llvm::json::Value verified_ = nullptr;
};

constexpr std::string_view kRollRepeats = "roll_repeats", kProductRows = "split_product_rows", kNorms = "split_norms";

// Passes that make another form of a program's loops, or of its products. What they change is planned without them,
// too, and what takes less predicted time is kept. `stage`: that every plan has of a program that such a pass has
// changed.
struct Form {
  std::string_view pass, stage;
};
constexpr std::array kForms = {Form{"keep_matrices", kMatrices},
                               Form{"tile_loops", kStencil},
                               Form{"tile_levels", kStencilLevels},
                               Form{"split_loops", ""},
                               Form{"carry_sums", ""},
                               Form{"defer_updates", ""},
                               Form{"hoist_sums", ""},
                               Form{"sink_invariants", ""},
                               Form{"network", kNetwork},
                               Form{"slice_first", ""},
                               Form{"chain", kChain},
                               Form{"pairs", kPairs},
                               Form{kProductRows, ""},
                               Form{kNorms, ""},
                               Form{"split_steps", ""},
                               Form{"split_columns", ""},
                               Form{"find_part", ""},
                               Form{"record_terms", ""},
                               Form{"shift_rings", ""},
                               Form{"pad_carries", ""},
                               Form{"fuse_loops", ""},
                               Form{"update_stacks", ""},
                               Form{"roll_windows", ""},
                               Form{"separate_planes", ""},
                               Form{"channels_last", ""},
                               Form{"write_out_convolutions", ""},
                               Form{"group_places", ""},
                               Form{"band_products", ""},
                               Form{"turn_rows", ""},
                               Form{"pad_terms", ""},
                               Form{"distribute_loops", ""}};

// Those that values were named after.
std::vector<Source> name_after_sources(Module& module, const FindSources& find, Diagnostics& diagnostics) {
  if (!find || module.tables.files.empty()) return {};
  return name_values(module, find(module.tables.files), diagnostics);
}

// Passes of kForms.
using FormNames = std::set<std::string, std::less<>>;

// A program after graph passes.
struct Optimised {
  std::unique_ptr<Module> module;
  std::string elided_note;
  std::vector<Source> sources;  // that values were named after
  std::vector<Source> imports;
  UserHeaders headers;
  std::vector<FunctionBinding> functions;  // without those of files that nothing calls
  size_t instructions_read = 0;            // before graph passes
  std::vector<std::string> loops;          // that roll_repeats made
  FormNames forms;                         // passes of kForms that have changed it
  std::vector<WeightValue> weights;
};

// Without those of files that the program does not call.
std::vector<FunctionBinding> called_of(std::vector<FunctionBinding> functions, const Module& module) {
  std::set<std::string> targets;
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      if (instruction.opcode == Opcode::kCustomCall)
        targets.insert(instruction.attributes->custom_call_target.value_or(""));
    }
  }
  std::erase_if(functions, [&](const FunctionBinding& function) {
    return function.of_file && !targets.contains(function.target);
  });
  return functions;
}

std::vector<Source> sources_of(const FileSet& files) {
  std::vector<Source> sources;
  for (const auto& [path, text] : files) sources.push_back({.name = path, .text = text});
  return sources;
}

void begin(const CompileObserver& observer, std::string_view stage) {
  if (observer.begins) observer.begins(stage);
}

// Loops that are marked as roll_repeats marks them.
template <class Visit>
void for_rolled(Module& module, const Visit& visit) {
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      if (instruction.annotations->frontend_attributes.contains(kRolledAttribute)) visit(instruction);
    }
  }
}

// Programs of more instructions, as they are read, are not planned twice to see what is faster: it takes too long.
constexpr size_t kMostCompared = 2048;

std::optional<Optimised> optimise(const CompileOptions& options, Diagnostics& diagnostics,
                                  const CompileObserver& observer, StageClock* clock) {
  begin(observer, "parse");
  Optimised result;
  result.module = read_module(diagnostics, options.grain, &result.imports);
  clock->end("parse");
  if (!result.module || !verify_sizes(*result.module, diagnostics)) return std::nullopt;
  const bool is_grain = language_of(diagnostics.source(), options.grain) == Language::kGrain;
  const FileReader read = options.grain.read_file ? options.grain.read_file : read_file;
  result.functions = called_of(options.functions, *result.module);
  if (!bind_functions(*result.module, is_grain, result.functions, read, &result.headers, diagnostics))
    return std::nullopt;
  if (!check_dot_algorithms(*result.module, diagnostics)) return std::nullopt;
  std::optional<std::vector<WeightValue>> weights = mark_weights(*result.module, options.weights, diagnostics);
  if (!weights) return std::nullopt;
  result.weights = std::move(*weights);
  if (!settle_elided(*result.module, options.elided, diagnostics, result.elided_note)) return std::nullopt;
  result.sources = name_after_sources(*result.module, options.sources, diagnostics);
  for (const auto& computation : result.module->computations())
    result.instructions_read += computation->instructions().size();
  // A mark in the text is none of ours.
  for_rolled(*result.module,
             [](Instruction& loop) { loop.annotations.edit().frontend_attributes.erase(kRolledAttribute); });
  clock->end("verify");
  begin(observer, "passes");
  GraphPassOptions pass_options = options.graph;
  pass_options.dot_precision = options.dot_precision;
  // Norms in parts that no product takes are slower than whole ones.
  if (result.instructions_read > kMostCompared && !is_pinned(pass_options, kNorms))
    pass_options.without.emplace_back(kNorms);
  PassObserver passes = observer.passes;
  passes.after = [&](std::string_view pass, bool changed, double seconds, const Module& module) {
    const bool makes_form = std::ranges::any_of(kForms, [&](const Form& form) { return form.pass == pass; });
    if (changed && makes_form) result.forms.emplace(pass);
    if (observer.passes.after) observer.passes.after(pass, changed, seconds, module);
  };
  const AskedForms asked(options.forms);
  const bool has_wgmma = options.architectures == "90a";
  pass_options.warpgroup_chains = has_wgmma && asked.has_chains();
  run_graph_passes(*result.module, pass_options, passes);
  if (!all_weights_are_separate(*result.module, diagnostics)) return std::nullopt;
  has_wgmma ? asked.ask(*result.module) : ask_for_no_form(*result.module);
  for_rolled(*result.module, [&](const Instruction& loop) { result.loops.push_back(loop.name); });
  clock->skip();
  return result;
}

// What is compiled, before it is text.
struct Planned {
  Optimised optimised;
  Schedule schedule;
  std::optional<Program> program;  // nullopt: to be lowered once it is chosen
  Weight weight = {};
  std::unique_ptr<KeptStages> stages = {};  // of trees that were tried
  FormNames left_out = {};                  // that were compared, and are slower
};

// The GPU that moves are made for.
Gpu gpu_of_moves(const CompileOptions& options) { return options.schedule.gpu.value_or(default_gpu("90a")); }

// False, and reported, if a kernel is made of what one of the architectures lacks, as a plan may have it.
bool can_run_on(const std::string& architectures, const Program& program, Diagnostics& diagnostics) {
  for (const Kernel& kernel : program.kernels) {
    if (architectures == "90a" || kernel.headers.count("device/wgmma.cuh") == 0) continue;
    diagnostics.error(
        {}, "E0407",
        "kernel '" + kernel.name + "' is made of wgmma, which sm_90a alone has; --arch says " + architectures,
        "`--arch 90a`, or `contract(mma ...)` in the plan");
  }
  return diagnostics.ok();
}

// Beyond this point grouping is fixed; the program says every statement, name, buffer and launch. Domains that a plan
// leaves open are filled in. False, and reported, if it cannot be lowered.
bool lower_planned(const CompileOptions& options, Diagnostics& diagnostics, const CompileObserver& observer,
                   StageClock* clock, Planned* planned) {
  begin(observer, "lower");
  if (!planned->program) {
    const FixedModule fixed(*planned->optimised.module);
    Tree* tree = &planned->schedule.tree;
    planned->program = lower(*planned->optimised.module, tree, tree->name, diagnostics, planned->stages.get());
  }
  clock->end("lower");
  return planned->program && diagnostics.ok() && can_run_on(options.architectures, *planned->program, diagnostics);
}

// `known_plans`: plans of other forms of the program, to which this one comes.
std::optional<Planned> plan(Optimised optimised, const CompileOptions& options, Diagnostics& diagnostics,
                            const CompileObserver& observer, StageClock* clock, KnownPlans* known_plans) {
  const Module& module = *optimised.module;
  const std::string name = options.name.empty() ? program_name(module.name) : options.name;
  begin(observer, "schedule");
  // Only what has other forms is planned again.
  const bool has_forms = !optimised.forms.empty() || !optimised.loops.empty() || !known_plans->empty();
  const bool may_be_known = has_forms && !options.schedule.plan && optimised.instructions_read <= kMostCompared;
  const std::string key = may_be_known ? plan_key(module) : "";
  if (const auto found = known_plans->find(key); may_be_known && found != known_plans->end()) {
    Planned planned{std::move(optimised), found->second.schedule, {}};
    planned.weight = found->second.weight;
    clock->end("schedule");
    return planned;
  }

  // Beyond this point the graph is fixed; where values and loops live is decided in the tree.
  const FixedModule fixed(module);
  ScheduleOptions schedule_options = options.schedule;
  const Gpu gpu = gpu_of_moves(options);
  schedule_options.gpu = gpu;
  TriedTrees tried;
  schedule_options.predicted_us = [&](Tree* tree) { return try_tree(module, tree, gpu, &tried); };
  std::optional<Schedule> schedule = choose_homes(module, name, schedule_options, diagnostics);
  clock->end("schedule");
  if (!schedule) return std::nullopt;

  // The tree that was chosen is lowered already if it was tried, and what a run of it takes is known if that of the
  // same kernels by other names was. A plan file's errors are said here.
  Planned planned{std::move(optimised), std::move(*schedule), {}};
  const auto weight = tried.weights.find(text_without_names(planned.schedule.tree));
  const bool is_known = weight != tried.weights.end() && !options.schedule.plan && options.architectures == "90a";
  if (auto program = tried.programs.extract(print(planned.schedule.tree)))
    planned.program = std::move(program.mapped());
  planned.stages = std::make_unique<KeptStages>(std::move(tried.stages));
  if (is_known) {
    planned.weight = weight->second;
  } else {
    if (!lower_planned(options, diagnostics, observer, clock, &planned)) return std::nullopt;
    planned.weight = weight_of(*planned.program, gpu);
  }
  if (may_be_known) known_plans->emplace(key, KnownPlan{planned.schedule, planned.weight});
  return planned;
}

// Whether the host runs one of these loops.
bool runs_on_host(const std::vector<TreeNode>& items, const std::vector<std::string>& loops) {
  for (const TreeNode& item : items) {
    const bool is_one = item.kind == TreeNode::Kind::kLoop && item.scope == Scope::kHost;
    if (is_one && std::find(loops.begin(), loops.end(), item.name) != loops.end()) return true;
    for (const std::vector<TreeNode>& body : item.bodies) {
      if (runs_on_host(body, loops)) return true;
    }
  }
  return false;
}

// Takes the names of what contractions compute from `names`.
void take_computed(const std::vector<TreeNode>& items, std::set<std::string>* names) {
  for (const TreeNode& item : items) {
    if (item.kind == TreeNode::Kind::kStage && is_contract_schedule(item.schedule)) {
      for (const TreeValue& value : item.values) names->erase(value.name);
    }
    for (const std::vector<TreeNode>& body : item.bodies) take_computed(body, names);
  }
}

// Whether products reduce all pieces of rows: in other kernels a whole row is better reduced at once.
bool reduces_pieces(const Planned& planned) {
  std::set<std::string> names;
  for (const auto& computation : planned.optimised.module->computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      if (instruction.annotations->frontend_attributes.count(kPieceAttribute) > 0) names.insert(instruction.name);
    }
  }
  take_computed(planned.schedule.tree.items, &names);
  return names.empty();
}

// Options that leave a pass out.
CompileOptions without(const CompileOptions& options, std::string_view pass) {
  CompileOptions result = options;
  result.graph.without.emplace_back(pass);
  return result;
}

// An observer of the program without a pass, whose passes have names of their own: `without_roll_repeats_simplify`.
CompileObserver observer_without(const CompileObserver& observer, std::string_view pass) {
  CompileObserver result = observer;
  if (!observer.passes.after) return result;
  result.passes.after = [&observer, pass](std::string_view of, bool changed, double seconds, const Module& module) {
    observer.passes.after("without_" + std::string(pass) + "_" + std::string(of), changed, seconds, module);
  };
  return result;
}

// The same program with its steps as they are written. It has been read before: nothing is reported again.
Optimised written_out(const CompileOptions& options, const Diagnostics& diagnostics, const CompileObserver& observer,
                      StageClock* clock) {
  Diagnostics unheard(diagnostics.source());
  std::optional<Optimised> result =
      optimise(without(options, kRollRepeats), unheard, observer_without(observer, kRollRepeats), clock);
  check(result.has_value(), "compile", "a program is read once, and not again");
  return std::move(*result);
}

// What takes more than half of the GPU's memory, beside what it is called with, is no plan, however fast.
Planned faster_of(Planned first, Planned second, const Gpu& gpu) {
  const auto has_room = [&](const Planned& planned) {
    return gpu.memory_bytes == 0 || planned.weight.arena_bytes <= gpu.memory_bytes / 2;
  };
  if (has_room(first) != has_room(second)) return has_room(first) ? std::move(first) : std::move(second);
  return second.weight.us < first.weight.us ? std::move(second) : std::move(first);
}

// Steps that the text writes out, and graph passes made a loop of, are planned as they are written too. Loops of a long
// program stay where kernels run them. A plan file is of the form whose loops it names.
std::optional<Planned> plan_steps(const CompileOptions& options, Diagnostics& diagnostics,
                                  const CompileObserver& observer, StageClock* clock, KnownPlans* known_plans) {
  std::optional<Optimised> optimised = optimise(options, diagnostics, observer, clock);
  if (!optimised) return std::nullopt;
  const std::vector<std::string> loops = optimised->loops;
  const bool compared = optimised->instructions_read <= kMostCompared;
  if (loops.empty()) return plan(std::move(*optimised), options, diagnostics, observer, clock, known_plans);
  if (options.schedule.plan) {
    const std::string_view text = options.schedule.plan->text;
    const auto is_named = [&](const std::string& loop) { return text.find("loop " + loop + " ") != text.npos; };
    if (std::none_of(loops.begin(), loops.end(), is_named))
      optimised = written_out(options, diagnostics, observer, clock);
    return plan(std::move(*optimised), options, diagnostics, observer, clock, known_plans);
  }
  Diagnostics of_rolled(diagnostics.source());
  std::optional<Planned> rolled = plan(std::move(*optimised), options, of_rolled, observer, clock, known_plans);
  if (rolled && !compared && !runs_on_host(rolled->schedule.tree.items, loops)) return rolled;
  Diagnostics of_written(diagnostics.source());
  std::optional<Planned> written = plan(written_out(options, diagnostics, observer, clock), options,
                                        rolled ? of_written : diagnostics, observer, clock, known_plans);
  if (!written) return rolled;
  // What a pass makes of the loops is compared with what there is without it, whichever is faster here.
  if (rolled) written->optimised.forms.insert(rolled->optimised.forms.begin(), rolled->optimised.forms.end());
  if (!rolled || !compared) return written;
  return faster_of(std::move(*rolled), std::move(*written), gpu_of_moves(options));
}

// Whether a pass of kForms changes the program, with its steps rolled up or as they are written.
bool changes_program(std::string_view pass, const CompileOptions& options, const Diagnostics& diagnostics,
                     StageClock* clock) {
  const CompileObserver nobody;
  Diagnostics unheard(diagnostics.source());
  const std::optional<Optimised> optimised = optimise(options, unheard, nobody, clock);
  if (!optimised) return false;
  if (optimised->forms.contains(pass)) return true;
  return !optimised->loops.empty() && written_out(options, diagnostics, nobody, clock).forms.contains(pass);
}

// Passes behind number `first` of kForms that have changed a program, or were found to be better left out of it.
FormNames known_behind(size_t first, const Planned& planned) {
  FormNames known = planned.left_out;
  for (const Form& form : std::span(kForms).subspan(first + 1)) {
    if (planned.optimised.forms.contains(form.pass)) known.emplace(form.pass);
  }
  return known;
}

// All combinations of so many forms are tried, and of one less.
constexpr size_t kFewForms = 2;

// Whether a plan was refused since it names what the program, in the form that was tried, does not have.
bool lacks_names(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics.all(), [](const Diagnostic& said) { return said.code == "E0405"; });
}

// The best of the forms that the passes from number `first` of kForms on make, or do not, but for those that are
// settled. A plan file is of one of them: of the first that it goes with.
std::optional<Planned> plan_forms(size_t first, const CompileOptions& options, const FormNames& settled,
                                  Diagnostics& diagnostics, const CompileObserver& observer, StageClock* clock,
                                  KnownPlans* known_plans) {
  if (first == kForms.size()) return plan_steps(options, diagnostics, observer, clock, known_plans);
  const Form& form = kForms[first];
  const bool has_stage = options.schedule.plan != nullptr && !form.stage.empty() &&
                         options.schedule.plan->text.find("stage " + std::string(form.stage)) != std::string::npos;
  const CompileOptions options_without = without(options, form.pass);
  const CompileObserver of_other = observer_without(observer, form.pass);
  const bool has_plan = options.schedule.plan != nullptr;
  if (has_plan && !form.stage.empty() && !has_stage)
    return plan_forms(first + 1, options_without, settled, diagnostics, observer, clock, known_plans);
  Diagnostics unheard = diagnostics;
  std::optional<Planned> planned = plan_forms(first + 1, options, settled, diagnostics, observer, clock, known_plans);
  if (has_plan) {
    if (planned) return planned;
    if (has_stage && !is_pinned(options.graph, form.pass)) {
      // What the pass made when the plan was written it may leave now: it makes what it can.
      CompileOptions pinned = options;
      pinned.graph.pinned.emplace_back(form.pass);
      Diagnostics of_pinned = unheard;
      if (std::optional<Planned> made =
              plan_forms(first + 1, pinned, settled, of_pinned, observer, clock, known_plans)) {
        diagnostics = of_pinned;
        return made;
      }
    }
    if (!changes_program(form.pass, options, unheard, clock)) return std::nullopt;
    std::optional<Planned> other =
        plan_forms(first + 1, options_without, settled, unheard, of_other, clock, known_plans);
    // What is wrong with a plan is said of the form that has its values.
    if (other || (lacks_names(diagnostics) && !lacks_names(unheard))) diagnostics = unheard;
    return other;
  }
  const bool compared = planned && !is_pinned(options.graph, form.pass) && !settled.contains(form.pass) &&
                        planned->optimised.forms.contains(form.pass) &&
                        planned->optimised.instructions_read <= kMostCompared;
  if (!compared) return planned;
  // Of several forms behind this one not all combinations are tried again without it: those that are best with it, and
  // none of them. Forms that it kept from changing the program are compared in both.
  const FormNames known = known_behind(first, *planned);
  const bool all = known.size() < kFewForms;
  FormNames settled_here = settled;
  if (!all) settled_here.insert(known.begin(), known.end());
  const auto plan_other = [&](const FormNames& left_out) {
    CompileOptions of = options_without;
    of.graph.without.insert(of.graph.without.end(), left_out.begin(), left_out.end());
    std::optional<Planned> other = plan_forms(first + 1, of, settled_here, unheard, of_other, clock, known_plans);
    if (!other) return other;
    other->left_out.insert(left_out.begin(), left_out.end());
    other->left_out.emplace(form.pass);
    return other;
  };
  std::optional<Planned> other = plan_other(all ? FormNames() : planned->left_out);
  if (!all && other && planned->left_out != known) {
    std::optional<Planned> none = plan_other(known);
    if (none) other = faster_of(std::move(*other), std::move(*none), gpu_of_moves(options));
  }
  if (!other) return planned;
  const bool of_pieces = form.pass == kProductRows || form.pass == kNorms;
  if (of_pieces && !reduces_pieces(*planned)) return other;
  return faster_of(std::move(*planned), std::move(*other), gpu_of_moves(options));
}

std::vector<PredictedKernel> predicted_kernels(const PlanReport& report) {
  std::vector<PredictedKernel> predicted;
  for (const PlanReport::KernelReport& kernel : report.kernels) {
    predicted.push_back({.name = kernel.name,
                         .bytes = kernel.bytes_read + kernel.bytes_written,
                         .flops = kernel.flops,
                         .us = kernel.predicted_us});
  }
  return predicted;
}

}  // namespace

std::optional<Artifact> compile(const CompileOptions& options, Diagnostics& diagnostics,
                                const CompileObserver& observer) {
  StageClock clock(observer.stage);
  KnownPlans known_plans;
  std::optional<Planned> planned = plan_forms(0, options, {}, diagnostics, observer, &clock, &known_plans);
  if (!planned || !lower_planned(options, diagnostics, observer, &clock, &*planned)) return std::nullopt;
  planned->stages.reset();
  Artifact artifact;
  artifact.gpu = options.gpu;
  artifact.module = std::move(planned->optimised.module);
  artifact.schedule = std::move(planned->schedule);
  artifact.program = std::move(*planned->program);
  // A graph of a run may have steps side by side.
  const Gpu gpu = gpu_of_moves(options);
  fork_steps([&](const HostStep& step) { return load_of_step(step, artifact.program, gpu); }, &artifact.program);
  artifact.imports = std::move(planned->optimised.imports);
  artifact.headers = std::move(planned->optimised.headers);
  artifact.elided_note = planned->optimised.elided_note;
  artifact.functions = std::move(planned->optimised.functions);
  artifact.sources = std::move(planned->optimised.sources);
  artifact.weights = std::move(planned->optimised.weights);
  if (options.plan_only) return artifact;

  // Beyond this point only text is made.
  begin(observer, "emit");
  emit(options, diagnostics.source(), artifact);
  clock.end("emit");
  return artifact;
}

void emit(const CompileOptions& options, const Source& source, Artifact& artifact, const Share* share) {
  CompileOptions recorded = options;
  recorded.functions = artifact.functions;
  const WeightsHome home = share != nullptr ? WeightsHome::kCaller : options.weights.home.value_or(WeightsHome::kFile);
  const bool has_weights = !artifact.program.weights.empty(), has_file = has_weights && home != WeightsHome::kCaller;
  std::string build;
  if (has_weights) build = share != nullptr ? share->build : fingerprint(artifact.program);
  const PlanReport report = report_plan(artifact);
  const EmitOptions emit_options = {
      .architectures = options.architectures,
      .input_hash = sha256_hex(source.text),
      .option_text = option_text(recorded) + source_text("--sources", artifact.sources) +
                     source_text("--import", artifact.imports) +
                     source_text("--header", sources_of(artifact.headers.files)),
      .note = artifact.elided_note,
      .license = options.license,
      .headers = artifact.headers.files,
      .weights = home,
      .build = build,
      .weights_file = has_file ? weights_file(artifact.program, artifact.weights, build) : "",
      .kept_at = share != nullptr ? share->kept_at : 0,
      .shared = share != nullptr ? share->shared : SharedKernels(),
      .predicted = predicted_kernels(report),
      .gpu = report.gpu};
  const FileSet reports = {{"plan.txt", print(artifact.schedule.tree)},
                           {"fusion.json", plan_report_json(report)},
                           {"module.hlo", record_module(*artifact.module)}};
  artifact.files = emit_project(artifact.program, emit_options, reports);
}

CompileOptions to_be_tried(CompileOptions options) {
  if (options.weights.home) options.weights.home = WeightsHome::kEmbedded;
  options.weights.inputs_stay = true;
  return options;
}

FileSet files_and_headers(const Artifact& artifact) {
  FileSet files = artifact.files;
  files.insert(artifact.headers.files.begin(), artifact.headers.files.end());
  return files;
}

}  // namespace sinter
