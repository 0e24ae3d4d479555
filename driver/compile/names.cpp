// Small facts about a compile: the program's name, its options as text, the hash of its input.

#include <algorithm>

#include "driver/compile/compile.h"
#include "emitter/text/emit_names.h"
#include "ir/support/sha256.h"

namespace sinter {

namespace {

// Where a file is on the machine of who compiled is not said.
Source without_folder(const Source& file) { return {file.name.substr(file.name.rfind('/') + 1), file.text}; }

}  // namespace

bool is_program_name(const std::string& text) { return !text.empty() && safe_project_name(text) == text; }

std::string program_name(const std::string& module_name) {
  std::string name = module_name.rfind("jit_", 0) == 0 ? module_name.substr(4) : module_name;
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  while (!name.empty() && !is_word(name.back())) name.pop_back();
  return name.empty() ? "model" : safe_project_name(name);
}

// Blanks of an expression as the underscores that none has otherwise: an option is a word.
std::string license_word(std::string license) {
  std::ranges::replace(license, ' ', '_');
  return license;
}

std::string license_of_word(std::string word) {
  std::ranges::replace(word, '_', ' ');
  return word;
}

std::string option_text(const CompileOptions& options) {
  std::string text = "--arch=" + options.architectures;
  if (!options.name.empty()) text += " --name=" + options.name;
  text += choice_text(options.grain);
  if (!options.license.empty()) text += " --license=" + license_word(options.license);
  const bool names_gpu = !options.gpu_file && options.gpu.name != default_gpu(options.architectures).name;
  if (names_gpu) text += " --gpu=" + options.gpu.name;
  if (!options.graph.fma) text += " --no-fma";
  if (options.graph.reassociate) text += " --allow-reassociation";
  if (options.graph.keep_fusions) text += " --keep-fusions";
  text += binding_text(options.functions);
  text += source_text("--functions", options.function_files);
  if (!options.dot_precision.empty()) text += " --dot-precision=" + options.dot_precision;
  if (!options.forms.empty()) text += " --forms=" + options.forms;
  if (options.elided != Elided::kRefuse) text += " --elided=" + elided_name(options.elided);
  text += weights_text(options.weights);
  if (options.weights.inputs) text += source_text("--weights-of", {without_folder(*options.weights.inputs)});
  for (const std::string& move : left_out(options.schedule.moves)) text += " --without=" + move;
  for (const std::string& pass : options.graph.without) text += " --without=" + pass;
  if (options.schedule.unroll != 0) text += " --unroll=" + std::to_string(options.schedule.unroll);
  if (options.gpu_file) text += source_text("--gpu", {without_folder(*options.gpu_file)});
  if (options.schedule.plan) text += source_text("--plan", {without_folder(*options.schedule.plan)});
  return text;
}

std::string source_text(const std::string& option, const std::vector<Source>& sources) {
  std::string text;
  for (const Source& source : sources) text += " " + option + "=" + source.name + ":sha256:" + sha256_hex(source.text);
  return text;
}

}  // namespace sinter
