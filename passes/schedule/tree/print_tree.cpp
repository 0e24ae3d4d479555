// The schedule tree as text; the grammar is in parse_tree.cpp.
#include <algorithm>

#include "passes/schedule/tree/tree.h"
#include "passes/schedule/tree/tree_words.h"

namespace sinter {

namespace {

constexpr size_t kLineWidth = 100;

std::string print_name(const std::string& name) {
  if (!name.empty() && std::all_of(name.begin(), name.end(), is_word_character)) return name;
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

std::string print_extents(const int64_t (&extents)[3]) {
  std::string text = std::to_string(extents[0]);
  if (extents[1] != 1 || extents[2] != 1) text += "x" + std::to_string(extents[1]);
  if (extents[2] != 1) text += "x" + std::to_string(extents[2]);
  return text;
}

std::string print_value(const TreeValue& value) {
  return print_name(value.name) + (value.shared     ? ":shared"
                                   : value.in_place ? ":in_place"
                                   : value.layer    ? ":layer"
                                   : value.stored   ? ":stored"
                                                    : "");
}

// `stage map {a b c}`; what does not fit a line is a paragraph of its own inside the braces.
std::string print_stage(const TreeNode& stage, const std::string& blanks) {
  const std::string domain = print(stage.domain, stage.schedule);
  const std::string opening = blanks + "stage " + stage.schedule + (domain.empty() ? "" : " " + domain) + " {";
  std::string line = opening;
  for (size_t i = 0; i < stage.values.size(); ++i) line += (i == 0 ? "" : " ") + print_value(stage.values[i]);
  line += "}";
  if (line.size() <= kLineWidth) return line + "\n";
  std::string text = opening + "\n";
  line = blanks + " ";
  for (const TreeValue& value : stage.values) {
    const std::string word = print_value(value);
    if (line.size() > blanks.size() + 1 && line.size() + 1 + word.size() > kLineWidth) {
      text += line + "\n";
      line = blanks + " ";
    }
    line += " " + word;
  }
  return text + line + "\n" + blanks + "}\n";
}

// What stands before the first brace of an item.
std::string print_head(const TreeNode& node) {
  const std::string scope = "scope " + std::string(scope_name(node.scope));
  switch (node.kind) {
    case TreeNode::Kind::kKernel:
      return "kernel " + print_name(node.name) + " grid " + (node.grid[0] == 0 ? "auto" : print_extents(node.grid)) +
             " block " + print_extents(node.block);
    case TreeNode::Kind::kLoop:
      return "loop " + print_name(node.name) + (node.trip ? " trip " + std::to_string(*node.trip) : " while") +
             (node.unroll != 1 ? " unroll " + std::to_string(node.unroll) : "") +
             (node.ahead != 1 ? " ahead " + std::to_string(node.ahead) : "") + " " + scope;
    case TreeNode::Kind::kBranch:
      return "branch " + print_name(node.name) + " " + scope;
    case TreeNode::Kind::kSplit:
      return "split";
    case TreeNode::Kind::kCall:
      return "call " + print_name(node.name);
    case TreeNode::Kind::kStage:
      break;
  }
  return "";
}

std::string print_part(const TreeNode& split, size_t body) {
  const std::string name = split.parts[body].empty() ? "" : " " + print_name(split.parts[body]);
  if (body >= split.ranges.size()) return "last" + name;
  const auto& [first, last] = split.ranges[body];
  return "blocks " + std::to_string(first) + ".." + std::to_string(last) + name;
}

// Items are printed with a stack of our own, so that nesting needs no stack of the machine.
class TreePrinter {
 public:
  std::string print(const Tree& tree) {
    text_ = "program " + print_name(tree.name) + " {\n";
    open_.push_back({nullptr, 0, &tree.items, 0});
    while (!open_.empty()) step();
    return std::move(text_);
  }

 private:
  // A body being printed; `node` is nullptr for the program.
  struct Open {
    const TreeNode* node;
    size_t body;
    const std::vector<TreeNode>* items;
    size_t next;
  };

  void step() {
    Open& open = open_.back();
    const std::string outer((open_.size() - 1) * 2, ' ');
    if (open.next == open.items->size()) {
      const TreeNode* node = open.node;
      const size_t following = open.body + 1;
      open_.pop_back();
      if (node == nullptr || following == node->bodies.size()) {
        text_ += outer + "}\n";
        return;
      }
      text_ += outer + "} " + (node->kind == TreeNode::Kind::kSplit ? print_part(*node, following) + " " : "") + "{\n";
      open_.push_back({node, following, &node->bodies[following], 0});
      return;
    }
    const TreeNode& node = (*open.items)[open.next++];
    const std::string blanks = outer + "  ";
    switch (node.kind) {
      case TreeNode::Kind::kStage:
        text_ += print_stage(node, blanks);
        return;
      case TreeNode::Kind::kCall:
        text_ += blanks + print_head(node) + "\n";
        return;
      default:
        break;
    }
    text_ += blanks + print_head(node) + " ";
    if (node.bodies.empty()) {
      text_ += "{\n" + blanks + "}\n";
      return;
    }
    text_ += (node.kind == TreeNode::Kind::kSplit ? print_part(node, 0) + " " : "") + "{\n";
    open_.push_back({&node, 0, &node.bodies[0], 0});
  }

  std::string text_;
  std::vector<Open> open_;
};

}  // namespace

std::string print(const Tree& tree) { return TreePrinter().print(tree); }

}  // namespace sinter
