#include "review/modules/recorded_module.h"

#include <llvm/Support/JSON.h>

#include <functional>
#include <set>

#include "frontend/hlo/parse_hlo.h"
#include "ir/text/print.h"
#include "passes/schedule/tree/tree.h"
#include "review/modules/align_modules.h"
#include "review/modules/sha256.h"

namespace sinter {

namespace {

constexpr const char* kHash = "sha256";

// Arrays that the text leaves out.
bool is_left_out(const Instruction& instruction) {
  constexpr int64_t kMostShown = 10;
  return instruction.opcode == Opcode::kConstant && instruction.shape.is_array() &&
         instruction.literal.element_count() > kMostShown;
}

std::string bytes_of(const Literal& literal) {
  const auto bytes = literal.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string of_manifest(const FileSet& files, llvm::StringRef key) {
  const auto text = files.find("manifest.json");
  if (text == files.end()) return "";
  llvm::Expected<llvm::json::Value> manifest = llvm::json::parse(text->second);
  if (!manifest) {
    llvm::consumeError(manifest.takeError());
    return "";
  }
  const llvm::json::Object* fields = manifest->getAsObject();
  return fields == nullptr ? "" : fields->getString(key).value_or("").str();
}

void add_operands(const Instruction* instruction, const std::set<const Instruction*>& planned,
                  std::set<const Instruction*>* seen, std::vector<const Instruction*>* list) {
  for (const Instruction* operand : instruction->operands()) {
    if (operand->opcode == Opcode::kParameter || planned.contains(operand) || !seen->insert(operand).second) continue;
    list->push_back(operand);
    add_operands(operand, planned, seen, list);
  }
}

}  // namespace

std::string record_module(const Module& module) {
  const std::unique_ptr<Module> text = module.clone();
  auto original = module.computations().begin();
  for (const auto& computation : text->computations()) {
    auto source = (*original)->instructions().begin();
    for (Instruction& instruction : computation->instructions()) {
      Metadata metadata;
      const std::vector<PythonFrame> frames = module.python_frames(*source);
      if (!frames.empty()) {
        metadata.source_file = frames[0].file;
        metadata.source_line = frames[0].line;
      } else {
        metadata.source_file = source->metadata->source_file;
        metadata.source_line = source->metadata->source_line;
      }
      // Where the file is on the machine that traced it is of no account.
      metadata.source_file = metadata.source_file.substr(metadata.source_file.rfind('/') + 1);
      instruction.metadata.edit() = metadata;
      if (is_left_out(instruction)) {
        instruction.annotations.edit().frontend_attributes[kHash] = sha256(bytes_of(instruction.literal));
      }
      ++source;
    }
    ++original;
  }
  text->tables = {};
  return print(*text, {.large_constants = false});
}

std::optional<RecordedModule> read_recorded_module(const FileSet& files) {
  const auto text = files.find("module.hlo"), plan = files.find("plan.txt");
  if (text == files.end() || plan == files.end()) return std::nullopt;
  const Source source = {.name = "module.hlo", .text = text->second};
  Diagnostics diagnostics(source);
  RecordedModule recorded;
  recorded.module = parse_hlo(diagnostics);
  const Source plan_source = {.name = "plan.txt", .text = plan->second};
  Diagnostics of_plan(plan_source);
  const std::optional<Tree> tree = parse_tree(of_plan);
  if (!recorded.module || !tree) return std::nullopt;

  const InstructionsByName by_name = instructions_by_name(*recorded.module);
  std::set<const Instruction*> planned;
  const std::function<void(const std::vector<TreeNode>&, std::vector<const Instruction*>*)> walk =
      [&](const std::vector<TreeNode>& items, std::vector<const Instruction*>* list) {
        const auto add = [&](const std::string& name) {
          const auto found = by_name.find(name);
          if (found == by_name.end()) return;
          planned.insert(found->second);
          if (list != nullptr) list->push_back(found->second);
        };
        for (const TreeNode& item : items) {
          const bool is_kernel = item.kind == TreeNode::Kind::kKernel;
          std::vector<const Instruction*>* inner = is_kernel ? &recorded.kernels[item.name] : list;
          if (item.kind == TreeNode::Kind::kLoop || item.kind == TreeNode::Kind::kBranch) add(item.name);
          for (const TreeValue& value : item.values) add(value.name);
          for (const std::vector<TreeNode>& body : item.bodies) walk(body, inner);
        }
      };
  walk(tree->items, nullptr);
  for (auto& [name, list] : recorded.kernels) {
    std::set<const Instruction*> seen(list.begin(), list.end());
    const std::vector<const Instruction*> listed = list;
    for (const Instruction* instruction : listed) {
      add_operands(instruction, planned, &seen, &list);
      // A loop's condition, and of its steps what no plan lists.
      for (const Computation* body : bodies_of(*instruction)) {
        for (const Instruction& inner : body->instructions()) {
          const bool is_own = inner.opcode != Opcode::kParameter && !planned.contains(&inner);
          if (is_own && seen.insert(&inner).second) list.push_back(&inner);
        }
      }
    }
  }
  return recorded;
}

std::string program_of(const FileSet& files) { return of_manifest(files, "program"); }
std::string generator_of(const FileSet& files) { return of_manifest(files, "generator"); }

std::string python_line(const Instruction& instruction) {
  const Metadata& metadata = *instruction.metadata;
  if (metadata.source_file.empty() || metadata.source_line == 0) return "";
  return metadata.source_file + ":" + std::to_string(metadata.source_line);
}

}  // namespace sinter
