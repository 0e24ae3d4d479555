#include "review/modules/program_alone.h"

#include <llvm/Support/JSON.h>

#include "emitter/kernels/print_kernel.h"
#include "emitter/text/emit_names.h"
#include "review/modules/recorded_module.h"

namespace sinter {

namespace {

void replace_all(const std::string& old, const std::string& now, std::string* text) {
  for (size_t at = text->find(old); at != std::string::npos; at = text->find(old, at + now.size()))
    text->replace(at, old.size(), now);
}

// Where a namespace is opened or closed it is another program's.
void move_namespace(const std::string& program, const std::string& other, std::string* text) {
  for (const std::string end : {"::", " {", "\n"})
    replace_all("namespace " + kernel_namespace(program) + end, "namespace " + kernel_namespace(other) + end, text);
}

}  // namespace

std::map<std::string, TakenKernel> taken_kernels(const std::string& manifest) {
  std::map<std::string, TakenKernel> taken;
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(manifest);
  if (!value) {
    llvm::consumeError(value.takeError());
    return taken;
  }
  const llvm::json::Object* fields = value->getAsObject();
  const llvm::json::Object* kernels = fields == nullptr ? nullptr : fields->getObject("taken_kernels");
  if (kernels == nullptr) return taken;
  for (const auto& [kernel, description] : *kernels) {
    const llvm::json::Object* said = description.getAsObject();
    if (said == nullptr) continue;
    const std::string program = said->getString("program").value_or("").str();
    const bool are_names = safe_project_name(program) == program && safe_identifier(kernel.str()) == kernel.str();
    if (are_names) taken[kernel.str()] = {program, said->getString("code_sha256").value_or("").str()};
  }
  return taken;
}

FileSet program_alone(FileSet files, const std::function<std::optional<std::string>(const std::string&)>& read) {
  const auto manifest = files.find("manifest.json");
  const std::map<std::string, TakenKernel> taken =
      manifest == files.end() ? std::map<std::string, TakenKernel>() : taken_kernels(manifest->second);
  if (taken.empty()) return files;
  const std::string name = program_of(files);
  std::string& declared = files["kernels.h"];
  for (const auto& [kernel, from] : taken) {
    std::optional<std::string> text = read(path_of_taken(from.program, kernel));
    if (!text) continue;
    replace_all(alias_of_taken(from.program, kernel) + "\n", "", &declared);
    move_namespace(from.program, name, &*text);
    files["kernels/" + kernel + ".cu"] = std::move(*text);
  }
  for (const auto& [kernel, from] : taken) move_namespace(from.program, name, &declared);
  return files;
}

}  // namespace sinter
