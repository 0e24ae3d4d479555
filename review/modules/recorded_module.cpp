#include "review/modules/recorded_module.h"

#include <llvm/Support/JSON.h>

#include <functional>
#include <map>
#include <set>

#include "frontend/hlo/parse_hlo.h"
#include "ir/support/sha256.h"
#include "ir/text/print.h"
#include "passes/schedule/tree/tree.h"
#include "review/modules/align_modules.h"

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
  std::vector<const Instruction*> open = {instruction};
  while (!open.empty()) {
    const Instruction* user = open.back();
    open.pop_back();
    for (const Instruction* operand : user->operands()) {
      if (operand->opcode == Opcode::kParameter || planned.contains(operand) || !seen->insert(operand).second) continue;
      list->push_back(operand);
      open.push_back(operand);
    }
  }
}

// The innermost Python line of an instruction: its file, without where that is on the machine that traced it, and line.
Metadata line_of(const Module& module, const Instruction& instruction) {
  Metadata metadata;
  const std::vector<PythonFrame> frames = module.python_frames(instruction);
  const std::string& path = frames.empty() ? instruction.metadata->source_file : frames[0].file;
  metadata.source_file = path.substr(path.rfind('/') + 1);
  metadata.source_line = frames.empty() ? instruction.metadata->source_line : frames[0].line;
  return metadata;
}

}  // namespace

std::string record_module(const Module& module) {
  const std::unique_ptr<Module> text = module.clone();
  std::map<int64_t, Metadata> lines;  // by stack frame, which many instructions have alike
  auto original = module.computations().begin();
  for (const auto& computation : text->computations()) {
    auto source = (*original)->instructions().begin();
    for (Instruction& instruction : computation->instructions()) {
      const int64_t frame = source->metadata->stack_frame_id;
      const bool has_frame = frame > 0 && frame <= std::ssize(module.tables.frames);
      const auto known = has_frame ? lines.find(frame) : lines.end();
      instruction.metadata.edit() = known != lines.end() ? known->second : line_of(module, *source);
      if (has_frame && known == lines.end()) lines.emplace(frame, *instruction.metadata);
      if (is_left_out(instruction)) {
        instruction.annotations.edit().frontend_attributes[kHash] = sha256_hex(bytes_of(instruction.literal));
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
  int grid_loops = 0;
  const std::function<void(const std::vector<TreeNode>&, std::vector<const Instruction*>*)> walk =
      [&](const std::vector<TreeNode>& items, std::vector<const Instruction*>* list) {
        const auto add = [&](const std::string& name) {
          const auto found = by_name.find(name);
          if (found == by_name.end()) return;
          planned.insert(found->second);
          if (list != nullptr) list->push_back(found->second);
        };
        for (const TreeNode& item : items) {
          // A loop whose steps are one launch is a kernel, which goes by that; what is inside it is a part.
          const bool is_grid = item.kind == TreeNode::Kind::kLoop && item.scope == Scope::kGrid;
          std::vector<const Instruction*>* inner = list;
          if (list == nullptr && item.kind == TreeNode::Kind::kKernel) inner = &recorded.kernels[item.name];
          if (list == nullptr && is_grid)
            inner = &recorded.kernels[++grid_loops == 1 ? "steps" : "steps_" + std::to_string(grid_loops)];
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
