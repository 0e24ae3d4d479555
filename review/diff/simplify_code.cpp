#include "review/diff/simplify_code.h"

#include <functional>

namespace sinter {

namespace {

using Kind = CodeNode::Kind;

void for_each_node(CodeNode* node, const std::function<void(CodeNode*)>& visit) {
  for (CodeNode& part : node->parts) for_each_node(&part, visit);
  visit(node);
}

bool is_let(const CodeNode& node) { return node.kind == Kind::kWord && node.text == "let"; }

bool is_minus(const CodeNode& node) {
  return node.kind == Kind::kWord && node.text.starts_with("-:") && node.parts.size() == 1;
}

// fmaf(a, b, c) as a * b + c, fmaf(-a, b, c) as c - a * b, fmaf(a, b, -c) as a * b - c.
void expand_contraction(CodeNode* node) {
  if (node->kind != Kind::kWord || node->text != "call" || node->parts.size() != 3) return;
  const std::string& callee = node->parts[0].text;
  if (callee != "function fmaf" && callee != "function fma") return;
  const std::string type = callee == "function fmaf" ? "float" : "double";
  CodeNode product = std::move(node->parts[1]), other = std::move(node->parts[2]);
  product.text = "*:" + type;
  bool negative = false;
  for (CodeNode& factor : product.parts) {
    if (!is_minus(factor)) continue;
    CodeNode positive = std::move(factor.parts[0]);
    factor = std::move(positive);
    negative = !negative;
  }
  CodeNode result;
  if (negative) {
    result.text = "-:" + type;
    result.parts = {std::move(other), std::move(product)};
  } else if (is_minus(other)) {
    result.text = "-:" + type;
    CodeNode positive = std::move(other.parts[0]);
    result.parts = {std::move(product), std::move(positive)};
  } else {
    result.kind = product.kind;
    result.text = "+:" + type;
    result.parts = {std::move(product), std::move(other)};
  }
  result.line = node->line;
  *node = std::move(result);
}

class Simplifier {
 public:
  explicit Simplifier(Code* code) : code_(*code) {}

  void run() {
    // Each round may leave more that nothing reads.
    constexpr int kRounds = 8;
    for (int round = 0; round < kRounds; ++round) {
      count_mentions();
      changed_ = false;
      for (Entity& entity : code_.entities) {
        for_each_node(&entity.definition, [&](CodeNode* node) {
          if (node->kind == Kind::kStatements) statements(&node->parts);
        });
      }
      if (!changed_) return;
    }
  }

 private:
  void count_mentions() {
    mentions_.assign(code_.entities.size(), 0);
    for (Entity& entity : code_.entities) {
      for_each_node(&entity.definition, [&](CodeNode* node) {
        if (node->kind == Kind::kName) ++mentions_[node->entity];
      });
    }
  }

  // "int", "float": no pointer, no reference, no array, no type with parts.
  bool is_number(const Entity& entity) const {
    if (entity.definition.parts.empty()) return false;
    const CodeNode& type = entity.definition.parts[0];
    return type.kind == Kind::kWord && type.parts.empty() && type.text.find(' ') == std::string::npos;
  }

  bool is_dropped(const CodeNode& node) const {
    if (is_let(node)) {
      if (mentions_[node.parts[0].entity] > 1) return false;
      return node.parts.size() == 1 || is_pure(code_, effects_of(node.parts[1]));
    }
    const bool is_statement = node.kind == Kind::kWord && (node.text == "for" || node.text == "while");
    return !is_statement && is_pure(code_, effects_of(node));
  }

  // Where the variable is read in a tree; nullptr if it is not.
  static CodeNode* find_name(CodeNode* node, int entity) {
    if (node->kind == Kind::kName && node->entity == entity) return node;
    for (CodeNode& part : node->parts) {
      if (CodeNode* found = find_name(&part, entity)) return found;
    }
    return nullptr;
  }

  bool writes_what_is_read(const Effects& writer, const Effects& reader) const {
    for (const Access& write : writer.accesses) {
      if (!write.write) continue;
      for (const Access& read : reader.accesses) {
        if (may_overlap(code_, write.place, read.place)) return true;
      }
    }
    return false;
  }

  // True if what `let` (number `at` of the list) is made from now stands where its variable was read.
  bool moved_to_its_use(std::vector<CodeNode>* list, size_t at) {
    const CodeNode& let = (*list)[at];
    if (!is_let(let) || let.parts.size() != 2) return false;
    const int entity = let.parts[0].entity;
    const Entity& variable = code_.entities[entity];
    if (mentions_[entity] != 2 || variable.reassigned || variable.escapes || !variable.local) return false;
    if (!is_number(variable) && !variable.alias) return false;
    const Effects effects = effects_of(let.parts[1]);
    if (!is_pure(code_, effects)) return false;
    // As far as one looks for the use: what is made and read far apart is not worth the time.
    constexpr size_t kReach = 200;
    for (size_t i = at + 1; i < list->size() && i < at + kReach; ++i) {
      if (writes_what_is_read(effects_of((*list)[i]), effects)) return false;
      if (CodeNode* use = find_name(&(*list)[i], entity)) {
        CodeNode value = let.parts[1];
        *use = std::move(value);
        return true;
      }
    }
    return false;
  }

  void statements(std::vector<CodeNode>* list) {
    for (size_t i = 0; i < list->size(); ++i) {
      if (!is_dropped((*list)[i]) && !moved_to_its_use(list, i)) continue;
      list->erase(list->begin() + static_cast<int64_t>(i));
      changed_ = true;
      --i;
    }
  }

  Code& code_;
  std::vector<int> mentions_;
  bool changed_ = false;
};

}  // namespace

void simplify(Code* code, const SimplifyOptions& options) {
  for (Entity& entity : code->entities) {
    for_each_node(&entity.definition, [&](CodeNode* node) {
      if (!options.contractions) expand_contraction(node);
      if (options.hints) return;
      std::erase_if(node->parts,
                    [](const CodeNode& part) { return part.kind == Kind::kWord && part.text.starts_with("hint"); });
    });
  }
  Simplifier(code).run();
}

}  // namespace sinter
