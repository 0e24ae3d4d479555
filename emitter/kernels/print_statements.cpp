// Blocks are printed with a stack of our own: how deep loops of the input nest does not matter. Blank lines at the
// beginning or end of a block, and second ones in a row, are left out, as clang-format would.
#include "emitter/kernels/print_statements.h"

#include <algorithm>
#include <vector>

#include "emitter/text/emit_names.h"
#include "ir/support/diagnostics.h"

namespace sinter {
namespace {

constexpr int kIndent = 2;

bool is_one(const Expr& expr) {
  if (expr.kind == Expr::Kind::kInteger) return expr.integer == 1;
  return expr.kind == Expr::Kind::kLiteral && is_integer(expr.type.dtype) && expr.literal.integer_at(0) == 1;
}

bool is_integer_value(const CType& type) { return type.kind == CType::Kind::kValue && is_integer(type.dtype); }

// What a line is made of: `opening` expression `closing`.
struct Line {
  std::string opening;
  const Expr* value = nullptr;
  std::string closing;
  bool initializer = false;
};

class BlockPrinter {
 public:
  explicit BlockPrinter(ExprPrinter& printer) : printer_(printer) {}

  std::string print(const Block& block, int indent) {
    frames_.push_back({&block, 0, indent, "", ""});
    while (!frames_.empty()) step();
    return std::move(text_);
  }

 private:
  // A block being printed: `opening` (with its newline) before its first statement, `closing` after its last.
  struct Frame {
    const Block* block;
    size_t next;
    int indent;
    std::string opening;
    std::string closing;
  };

  void step() {
    Frame& frame = frames_.back();
    if (frame.next == 0) text_ += frame.opening;
    while (frame.next < frame.block->size() && (*frame.block)[frame.next].kind == Statement::Kind::kBlank &&
           skips_blank(frame)) {
      ++frame.next;
    }
    if (frame.next >= frame.block->size()) {
      text_ += frame.closing;
      frames_.pop_back();
      return;
    }
    const size_t position = frame.next++;
    const int indent = frame.indent;
    // Frames may move from here on.
    statement(*frame.block, position, indent);
  }

  static bool skips_blank(const Frame& frame) {
    const Block& block = *frame.block;
    if (frame.next == 0 || block[frame.next - 1].kind == Statement::Kind::kBlank) return true;
    for (size_t i = frame.next; i < block.size(); ++i) {
      if (block[i].kind != Statement::Kind::kBlank) return false;
    }
    return true;
  }

  void statement(const Block& block, size_t position, int indent) {
    const Statement& current = block[position];
    switch (current.kind) {
      case Statement::Kind::kBlank:
        // The first of several that are not at an end of the block.
        if (position == 0 || block[position - 1].kind != Statement::Kind::kBlank) text_ += "\n";
        return;
      case Statement::Kind::kComment:
      case Statement::Kind::kNote:
        text_ += print_comment(current.text, indent);
        return;
      case Statement::Kind::kText:
        print_text(current.text, indent);
        return;
      case Statement::Kind::kScope: {
        const std::string blanks(indent, ' ');
        const bool plain = current.text.empty();
        frames_.push_back({&current.body, 0, indent + kIndent, blanks + current.text + (plain ? "{\n" : " {\n"),
                           blanks + (plain ? "}\n" : "};\n")});
        return;
      }
      case Statement::Kind::kDeclare:
        if (current.value == nullptr) {
          declare_together(block, position, indent);
          return;
        }
        break;
      case Statement::Kind::kFor:
        for_loop(current, indent);
        return;
      case Statement::Kind::kWhile:
        push_body("while (", *current.value, current.body, indent, "}\n");
        return;
      case Statement::Kind::kIf:
        conditional(current, indent);
        return;
      default:
        break;
    }
    text_ += std::string(indent, ' ') + laid_out(simple_line(current), indent) + "\n";
  }

  // Its lines; directives for the compiler stand at the margin.
  void print_text(const std::string& text, int indent) {
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      const std::string line = text.substr(begin, end - begin);
      text_ += (line.empty() || line[0] == '#' ? "" : std::string(indent, ' ')) + line + "\n";
      begin = end + 1;
    }
  }

  // `float sine, cosine;`
  void declare_together(const Block& block, size_t position, int indent) {
    const CType& type = block[position].variable->type;
    std::string line = std::string(indent, ' ') + print_declaration(*block[position].variable);
    size_t next = position + 1;
    if (type.kind == CType::Kind::kValue) {
      while (next < block.size() && block[next].kind == Statement::Kind::kDeclare && block[next].value == nullptr &&
             block[next].variable->type == type &&
             line.size() + block[next].variable->name.size() + 3 <= static_cast<size_t>(kLineWidth)) {
        line += ", " + block[next].variable->name;
        ++next;
      }
    }
    frames_.back().next = next;
    text_ += line + ";\n";
  }

  // ---- statements that are one line ----

  Line simple_line(const Statement& statement) {
    switch (statement.kind) {
      case Statement::Kind::kLet:
      case Statement::Kind::kDeclare: {
        const CType::Kind kind = statement.variable->type.kind;
        // A pointer to const is what `const` on a pointer would not say.
        const bool pointer = kind == CType::Kind::kPointer || kind == CType::Kind::kConstPointer;
        const bool constant = statement.kind == Statement::Kind::kLet && !pointer;
        const std::string declaration = (constant ? "const " : "") + print_declaration(*statement.variable);
        if (statement.value == nullptr) return {declaration, nullptr, ";"};
        return {declaration + " = ", statement.value, ";", true};
      }
      case Statement::Kind::kAssign: {
        const std::string target = printer_.flat(*statement.target);
        const bool steps = statement.text == "+=" || statement.text == "-=";
        if (steps && is_one(*statement.value) && is_integer_value(statement.target->type)) {
          return {(statement.text == "+=" ? "++" : "--") + target, nullptr, ";"};
        }
        return {target + " " + statement.text + " ", statement.value, ";", true};
      }
      case Statement::Kind::kExpression:
        return {"", statement.value, ";"};
      case Statement::Kind::kReturn:
        if (statement.value == nullptr) return {"return", nullptr, ";"};
        return {"return ", statement.value, ";", true};
      case Statement::Kind::kBreak:
        return {"break", nullptr, ";"};
      case Statement::Kind::kContinue:
        return {"continue", nullptr, ";"};
      default:
        throw InternalError("print_kernel", "not a statement of one line");
    }
  }

  std::string flat(const Line& line) {
    if (line.value == nullptr) return line.opening + line.closing;
    return line.opening + (line.initializer ? printer_.flat_initializer(*line.value) : printer_.flat(*line.value)) +
           line.closing;
  }

  std::string laid_out(const Line& line, int indent) {
    std::string text = flat(line);
    if (line.value == nullptr || indent + text.size() <= kLineWidth) return text;
    const auto lay = [&](int column) {
      const int trailing = static_cast<int>(line.closing.size());
      return line.initializer ? printer_.layout_initializer(*line.value, column, trailing)
                              : printer_.layout(*line.value, column, trailing);
    };
    text = line.opening + lay(indent + static_cast<int>(line.opening.size())) + line.closing;
    // Broken behind the `=` where only that keeps the lines within the width, or the value on one line.
    if (!line.opening.ends_with("= ") || line.value->kind == Expr::Kind::kBraces) return text;
    const std::string opening = line.opening.substr(0, line.opening.size() - 1);
    const std::string behind = opening + "\n" + std::string(indent + 4, ' ') + lay(indent + 4) + line.closing;
    const bool one_line = behind.find('\n') == behind.rfind('\n');
    return one_line || longest_line(behind) < longest_line(text, indent) ? behind : text;
  }

  // The longest line's length, not less than kLineWidth; the first line begins at `indent`.
  static int longest_line(const std::string& text, int indent = 0) {
    int longest = kLineWidth;
    int current = indent;
    for (const char c : text) {
      current = c == '\n' ? 0 : current + 1;
      longest = std::max(longest, current);
    }
    return longest;
  }

  // A body that may stand on its head's line: one statement without blocks of its own, and no declaration.
  static const Statement* only_statement(const Block& body) {
    if (body.size() != 1) return nullptr;
    switch (body[0].kind) {
      case Statement::Kind::kAssign:
      case Statement::Kind::kExpression:
      case Statement::Kind::kReturn:
      case Statement::Kind::kBreak:
      case Statement::Kind::kContinue:
        return body.data();
      default:
        return nullptr;
    }
  }

  // `head statement` on one line, if that is possible.
  bool print_on_one_line(const std::string& head, const Block& body, int indent) {
    const Statement* only = only_statement(body);
    if (only == nullptr) return false;
    const std::string line = std::string(indent, ' ') + head + " " + flat(simple_line(*only));
    if (line.size() > kLineWidth) return false;
    text_ += line + "\n";
    return true;
  }

  // ---- statements that hold blocks ----

  void for_loop(const Statement& loop, int indent) {
    check(loop.step > 0, "print_kernel", "a for loop counts upward");
    if (loop.unroll == Statement::kUnrollFully) text_ += "#pragma unroll\n";
    if (loop.unroll > 1) text_ += "#pragma unroll " + std::to_string(loop.unroll) + "\n";
    const std::string& name = loop.variable->name;
    const std::string step = loop.step == 1 && loop.text.empty()
                                 ? "++" + name
                                 : name + " += " + (loop.text.empty() ? std::to_string(loop.step) : loop.text);
    const std::string begin =
        "for (" + print_type(loop.variable->type) + " " + name + " = " + printer_.flat(*loop.begin) + ";";
    const std::string end = name + " < " + bound(*loop.value) + ";";
    const std::string head = begin + " " + end + " " + step + ")";
    if (print_on_one_line(head, loop.body, indent)) return;
    std::string opening = std::string(indent, ' ') + head + " {\n";
    if (opening.size() > kLineWidth + 1) {
      const std::string aligned = "\n" + std::string(indent + 5, ' ');
      opening = std::string(indent, ' ') + begin + aligned + end + aligned + step + ") {\n";
    }
    frames_.push_back({&loop.body, 0, indent + kIndent, std::move(opening), std::string(indent, ' ') + "}\n"});
  }

  // What stands right of `<`.
  std::string bound(const Expr& expr) {
    const std::string text = printer_.flat(expr);
    const bool loose = expr.kind == Expr::Kind::kConditional ||
                       (expr.kind == Expr::Kind::kInfix && (expr.text.find_first_of("<>=&|^!") != std::string::npos));
    return loose ? "(" + text + ")" : text;
  }

  void push_body(const std::string& head, const Expr& condition, const Block& body, int indent,
                 const std::string& closing) {
    const std::string blanks(indent, ' ');
    const int column = indent + static_cast<int>(head.size());
    std::string opening = blanks + head + printer_.layout(condition, column, 3) + ") {\n";
    frames_.push_back({&body, 0, indent + kIndent, std::move(opening), blanks + closing});
  }

  void conditional(const Statement& first, int indent) {
    if (first.other.empty() && print_on_one_line("if (" + printer_.flat(*first.value) + ")", first.body, indent)) {
      return;
    }
    // if, else if, ..., else: all arms of the chain in order, pushed last to first.
    std::vector<const Statement*> arms = {&first};
    while (arms.back()->other.size() == 1 && arms.back()->other[0].kind == Statement::Kind::kIf) {
      arms.push_back(arms.back()->other.data());
    }
    const std::string blanks(indent, ' ');
    const Block& last = arms.back()->other;
    if (!last.empty()) frames_.push_back({&last, 0, indent + kIndent, blanks + "} else {\n", blanks + "}\n"});
    for (size_t i = arms.size(); i-- > 0;) {
      const bool closes = i + 1 == arms.size() && last.empty();
      push_body(i == 0 ? "if (" : "} else if (", *arms[i]->value, arms[i]->body, indent, closes ? "}\n" : "");
      if (!closes) frames_.back().closing.clear();
    }
  }

  ExprPrinter& printer_;
  std::string text_;
  std::vector<Frame> frames_;
};

}  // namespace

std::string print_block(const Block& block, int indent, ExprPrinter& printer) {
  return BlockPrinter(printer).print(block, indent);
}

std::string print_trailing_comment(const std::string& text) { return "// " + comment_text(text); }

std::string print_comment(const std::string& text, int indent) {
  const std::string words = comment_text(text);
  const std::string blanks(indent, ' ');
  if (words.empty()) return blanks + "//\n";
  const size_t margin = words.find_first_not_of(' ');
  const std::string opening = blanks + "// " + words.substr(0, margin);
  const size_t room = opening.size() + 20 < kLineWidth ? kLineWidth - opening.size() : 20;
  std::string result;
  size_t position = margin;
  while (position < words.size()) {
    size_t end = words.size();
    if (end - position > room) {
      // The last blank within the room, else the first one after it.
      const size_t within = words.rfind(' ', position + room);
      const size_t beyond = words.find(' ', position + room);
      end = within != std::string::npos && within > position ? within : std::min(beyond, words.size());
    }
    std::string line = opening + words.substr(position, end - position);
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
    position = words.find_first_not_of(' ', end);
    if (position == std::string::npos) break;
  }
  return result;
}

}  // namespace sinter
