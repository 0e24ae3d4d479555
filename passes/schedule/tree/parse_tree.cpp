// The schedule tree from its text. The grammar:
//
//   program      := "program" name "{" item* "}"
//   item         := "kernel" name "grid" (extents | "auto") "block" extents "{" item* "}"
//                 | "loop" name ("trip" number | "while") ["unroll" number] ["ahead" number] "scope" scope
//                   "{" item* "}"
//                 | "branch" name "scope" scope ("{" item* "}")+
//                 | "split" ("blocks" number ".." number [name] "{" item* "}")+ ("last" [name] "{" item* "}")*
//                 | "stage" schedule [domain] "{" (name [":" ("shared" | "in_place" | "layer" | "stored")])* "}"
//                 | "call" name
//   schedule     := word | "row" "(" ("lanes" | "warp" | "block" | "across") ")"
//   domain       := ["over" (list ["in" "blocks" "of" list] | "auto")] ["by" number]   of a map
//                 | ["of" (list ["by" number] | "auto") | "by" number]                 of a row
//                 | ["over" list] "in" "tiles" "of" number                             of a map; of a scan without
//                 `over`
//   list         := "[" [number ("," number)*] "]"
//   scope        := "thread" | "block" | "map" | "grid" | "host"
//   extents      := number | number "x" number | number "x" number "x" number
//
// Names are words of letters, digits and "_.-", or quoted; blanks and line breaks separate words, and `//` begins a
// comment.
#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "ir/support/nearest_word.h"
#include "passes/schedule/tree/tree.h"
#include "passes/schedule/tree/tree_words.h"
#include "passes/stages/products/gemv_form.h"
#include "passes/stages/products/simt_form.h"
#include "passes/stages/products/tensor_core_form.h"
#include "passes/stages/stage_kind.h"

namespace sinter {

namespace {

constexpr std::array<std::string_view, 6> kItems = {"kernel", "loop", "branch", "split", "stage", "call"};

struct Token {
  enum class Kind : uint8_t { kWord, kName, kSign, kEnd };  // a kName is quoted
  Kind kind = Kind::kEnd;
  std::string text;
  Loc loc;
};

std::string described(const Token& token) {
  return token.kind == Token::Kind::kEnd ? "the end of the file" : "'" + token.text + "'";
}

class TreeParser {
 public:
  explicit TreeParser(Diagnostics& diagnostics) : diagnostics_(diagnostics), text_(diagnostics.source().text) {
    advance();
  }

  std::optional<Tree> parse() {
    Tree tree;
    if (!expect("program", "a plan begins with `program name {`; `sinter explain --tree` prints one"))
      return std::nullopt;
    tree.loc = token_.loc;
    if (!name(tree.name, "the program's name") || !items(tree.items, 0)) return std::nullopt;
    if (!diagnostics_.ok()) return std::nullopt;
    if (token_.kind != Token::Kind::kEnd) {
      fail("expected the end of the file", "a plan is one program, as `sinter explain --tree` prints it");
      return std::nullopt;
    }
    return tree;
  }

 private:
  // Deeper nesting is refused: no schedule has it.
  static constexpr int kMaxDepth = 200;

  // ---- words ----

  void advance() {
    if (at("{")) ++braces_;
    if (at("}")) --braces_;
    skip_blanks();
    token_ = Token();
    token_.loc.offset = static_cast<uint32_t>(position_);
    if (position_ >= text_.size()) return;
    const char c = text_[position_];
    if (is_word_character(c)) {
      const size_t begin = position_;
      while (position_ < text_.size() && is_word_character(text_[position_])) ++position_;
      token_.kind = Token::Kind::kWord;
      token_.text = text_.substr(begin, position_ - begin);
    } else if (c == '"') {
      quoted();
    } else {
      token_.kind = Token::Kind::kSign;
      token_.text = c >= ' ' && c <= '~' ? std::string(1, c) : "?";
      ++position_;
    }
  }

  void skip_blanks() {
    while (position_ < text_.size()) {
      const char c = text_[position_];
      if (c == '/' && position_ + 1 < text_.size() && text_[position_ + 1] == '/') {
        position_ = std::min(text_.find('\n', position_), text_.size());
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++position_;
      } else {
        return;
      }
    }
  }

  // A name without its closing quote ends with the file and is reported where a name is read.
  void quoted() {
    token_.kind = Token::Kind::kName;
    ++position_;
    while (position_ < text_.size() && text_[position_] != '"') {
      if (text_[position_] == '\\' && position_ + 1 < text_.size()) ++position_;
      token_.text += text_[position_++];
    }
    if (position_ < text_.size()) {
      ++position_;
    } else {
      token_.kind = Token::Kind::kSign;
      token_.text = "\"";
    }
  }

  bool fail(const std::string& expectation, const std::string& hint = "", std::string_view code = "E0401") {
    diagnostics_.error(token_.loc, code, expectation + ", found " + described(token_), hint);
    return false;
  }

  bool at(std::string_view text) const {
    return (token_.kind == Token::Kind::kWord || token_.kind == Token::Kind::kSign) && token_.text == text;
  }

  bool accept(std::string_view text) {
    if (!at(text)) return false;
    advance();
    return true;
  }

  bool expect(std::string_view text, const std::string& hint = "") {
    return accept(text) || fail("expected '" + std::string(text) + "'", hint);
  }

  bool name(std::string& result, const std::string& what) {
    if (token_.kind != Token::Kind::kWord && token_.kind != Token::Kind::kName) return fail("expected " + what);
    result = token_.text;
    advance();
    return true;
  }

  bool parse_number(std::string_view text, int64_t& result) const {
    const std::from_chars_result end = std::from_chars(text.data(), text.data() + text.size(), result);
    return end.ec == std::errc() && end.ptr == text.data() + text.size();
  }

  bool number(int64_t& result, int64_t lowest, const std::string& what) {
    if (token_.kind != Token::Kind::kWord || !parse_number(token_.text, result) || result < lowest) {
      return fail("expected " + what, "a number from " + std::to_string(lowest) + " up", "E0402");
    }
    advance();
    return true;
  }

  template <size_t count>
  bool choice(const std::array<std::string_view, count>& words, size_t& result, const std::string& what) {
    const auto found = std::find(words.begin(), words.end(), token_.text);
    if (token_.kind != Token::Kind::kWord || found == words.end()) {
      const std::string nearest = nearest_word(token_.text, {words.begin(), words.end()});
      std::string hint = nearest.empty() ? "one of" : "did you mean " + nearest + "? One of";
      for (const std::string_view word : words) hint += (word == words.front() ? " " : ", ") + std::string(word);
      return fail("expected " + what, hint, "E0403");
    }
    result = static_cast<size_t>(found - words.begin());
    advance();
    return true;
  }

  // ---- items ----

  bool scope(Scope& result) {
    size_t index = 0;
    if (!choice(kScopeWords, index, "a scope")) return false;
    result = static_cast<Scope>(index);
    return true;
  }

  // "64", "64x2", "64x2x1"
  bool extents(int64_t (&result)[3], const std::string& what) {
    const std::string_view text = token_.text;
    bool good = token_.kind == Token::Kind::kWord;
    size_t begin = 0;
    for (int i = 0; good && i < 3 && begin <= text.size(); ++i) {
      const size_t end = std::min(text.find('x', begin), text.size());
      good = parse_number(text.substr(begin, end - begin), result[i]) && result[i] >= 1;
      begin = end + 1;
    }
    if (!good || begin <= text.size()) {
      return fail("expected " + what, "one to three numbers from 1 up: 64 or 64x2", "E0402");
    }
    advance();
    return true;
  }

  bool grid(int64_t (&result)[3]) {
    if (!accept("auto")) return extents(result, "the grid's extents, or auto");
    result[0] = 0;
    return true;
  }

  // "0..16"
  bool block_range(std::pair<int64_t, int64_t>& result) {
    const std::string_view text = token_.text;
    const size_t dots = text.find("..");
    if (token_.kind != Token::Kind::kWord || dots == std::string_view::npos ||
        !parse_number(text.substr(0, dots), result.first) || !parse_number(text.substr(dots + 2), result.second) ||
        result.first < 0 || result.second <= result.first) {
      return fail("expected a range of blocks", "first and one past the last: 0..16", "E0402");
    }
    advance();
    return true;
  }

  bool value(TreeValue& result) {
    result.loc = token_.loc;
    if (at(",") || at("%")) return fail("expected the name of a value", "names are written without '%' or commas");
    if (!name(result.name, "the name of a value")) return false;
    if (!accept(":")) return true;
    result.shared = accept("shared");
    result.in_place = !result.shared && accept("in_place");
    result.layer = !result.shared && !result.in_place && accept("layer");
    if (result.shared || result.in_place || result.layer) return true;
    result.stored = accept("stored");
    if (result.stored) return true;
    return fail(
        "a value is written as its name alone, or with ':shared', ':in_place', ':layer' or ':stored'",
        "otherwise a plan does not say where a value lives: it is in its kernel's registers, and in device memory "
        "where another kernel reads it",
        "E0403");
  }

  bool items(std::vector<TreeNode>& result, int depth) {
    if (depth > kMaxDepth) return fail("items are nested too deeply", "at most 200 levels", "E0404");
    if (!expect("{")) return false;
    const int inside = braces_;
    while (!at("}")) {
      if (token_.kind == Token::Kind::kEnd) return fail("expected '}'");
      const size_t before = position_;
      TreeNode node;
      if (item(node, depth)) {
        result.push_back(std::move(node));
      } else if (!recover(before, inside)) {
        return false;
      }
    }
    advance();
    return true;
  }

  // After a broken item: goes on at the next one of the same braces, or at their end, so that several errors are found
  // in one run.
  bool recover(size_t before, int inside) {
    if (position_ == before) advance();
    while (token_.kind != Token::Kind::kEnd) {
      const bool item =
          token_.kind == Token::Kind::kWord && std::find(kItems.begin(), kItems.end(), token_.text) != kItems.end();
      if (braces_ <= inside && (item || at("}"))) return true;
      advance();
    }
    return false;
  }

  bool item(TreeNode& node, int depth) {
    node.loc = token_.loc;
    size_t kind = 0;
    if (!choice(kItems, kind, "an item")) return false;
    switch (kind) {
      case 0:
        node.kind = TreeNode::Kind::kKernel;
        return name(node.name, "the kernel's name") && expect("grid") && grid(node.grid) && expect("block") &&
               extents(node.block, "the block's extents") && body(node, depth);
      case 1:
        return loop(node, depth);
      case 2:
        node.kind = TreeNode::Kind::kBranch;
        if (!name(node.name, "the branch's name") || !expect("scope") || !scope(node.scope)) return false;
        do {
          if (!body(node, depth)) return false;
        } while (at("{"));
        return true;
      case 3:
        node.kind = TreeNode::Kind::kSplit;
        do {
          if (!expect("blocks") || !block_range(node.ranges.emplace_back()) || !part(node, depth)) return false;
        } while (at("blocks"));
        while (accept("last")) {
          if (!part(node, depth)) return false;
        }
        return true;
      case 4:
        return stage(node);
      default:
        node.kind = TreeNode::Kind::kCall;
        return name(node.name, "the name of a library's call");
    }
  }

  // The name, if any, and the body of a part of a split.
  bool part(TreeNode& split, int depth) {
    std::string& part = split.parts.emplace_back();
    return (at("{") || name(part, "the name of a part")) && body(split, depth);
  }

  bool body(TreeNode& node, int depth) { return items(node.bodies.emplace_back(), depth + 1); }

  bool loop(TreeNode& node, int depth) {
    node.kind = TreeNode::Kind::kLoop;
    if (!name(node.name, "the loop's name")) return false;
    if (accept("trip")) {
      int64_t trip = 0;
      if (!number(trip, 0, "a trip count")) return false;
      node.trip = trip;
    } else if (!accept("while")) {
      return fail("expected 'trip' or 'while'", "`trip 100` where the count is known, else `while`");
    }
    if (accept("unroll") && !number(node.unroll, 1, "how often to unroll")) return false;
    if (accept("ahead") && !number(node.ahead, 1, "how many steps to compute ahead")) return false;
    return expect("scope") && scope(node.scope) && body(node, depth);
  }

  // `contract(mma 3xtf32 128x128x16, stages 4)`, `contract(gemv 32x256, stages 8)`
  bool contraction(TreeNode& node) {
    std::string words;
    while (!at(")") && token_.kind != Token::Kind::kEnd && !at("{")) {
      if (!words.empty() && !at(",")) words += " ";
      words += token_.text;
      advance();
    }
    if (const std::optional<GemvForm> form = parse_gemv_form(words)) {
      node.schedule = schedule_text(*form);
      return expect(")");
    }
    if (const std::optional<SimtForm> form = parse_simt_form(words)) {
      node.schedule = schedule_text(*form);
      return expect(")");
    }
    const std::optional<TensorCoreForm> form = parse_tensor_core_form(words);
    if (!form) {
      return fail("no contraction has the form '" + words + "'",
                  "`mma MxNxK, stages S[, split P]`: M and N 32, 64, 128 or 256, K 32; of f32 `mma 3xtf32 ...` or `mma "
                  "tf32 ...`, K 16; of 16-bit floats `wgmma MxNxK, ...`: 64, 128 or 256, K 64; `wgmma 3xtf32 "
                  "MxNxK, stages S[, split P][, turned]` and `wgmma tf32 ...`, K 32, `wgmma int8 ...`, K 128; "
                  "`gemv NxK, stages S`: powers of two; `simt MxNxK`: M and N 32 to 256, K 8, 16 or 32",
                  "E0403");
    }
    node.schedule = schedule_text(*form);
    return expect(")");
  }

  // "[64,97]"
  bool list(std::vector<int64_t>& numbers) {
    constexpr int64_t kMostElements = int64_t{1} << 48;
    if (!expect("[", "extents are written as a list: [64,97], and [] of one element")) return false;
    int64_t elements = 1;
    while (!at("]")) {
      if (!numbers.empty() && !expect(",")) return false;
      if (token_.kind == Token::Kind::kWord && parse_number(token_.text, numbers.emplace_back()) &&
          numbers.back() >= 1 && numbers.back() <= kMostElements / elements) {
        elements *= numbers.back();
        advance();
        continue;
      }
      return fail("expected an extent", "numbers from 1 up, of 2^48 elements at most", "E0402");
    }
    return expect("]");
  }

  // What follows `over` or `of`: a list, or `auto`.
  bool extents_of(StageDomain& domain) {
    domain.kind = StageDomain::Kind::kOpen;
    if (accept("auto")) return true;
    domain.kind = StageDomain::Kind::kSaid;
    return list(domain.extents);
  }

  // "[64,97]" or "[8,64,97]", or `auto`
  bool rows(StageDomain& domain) {
    const Loc at_list = token_.loc;
    if (!extents_of(domain)) return false;
    const size_t rank = domain.extents.size();
    if (domain.kind == StageDomain::Kind::kOpen || rank == 2 || rank == 3) return true;
    diagnostics_.error(at_list, "E0402", "a row stage has rows and columns",
                       "[64,97], or [8,64,97] where columns are the dimension in the middle");
    return false;
  }

  bool domain(TreeNode& node) {
    StageDomain& domain = node.domain;
    domain.loc = token_.loc;
    const bool is_map = node.schedule == kMap, is_row = node.schedule.starts_with(kRow);
    const bool is_said_of_it = at("over") ? is_map
                               : at("of") ? is_row
                               : at("by") ? is_map || is_row
                                          : !at("in") || is_map || node.schedule == kScan;
    if (!is_said_of_it) {
      return fail("expected the values of the stage",
                  "`over` is said of maps, `of` of rows, `by` of both, `in tiles of` of scans and maps", "E0403");
    }
    if (accept("in")) return tiles(domain);
    if (accept("over")) {
      if (!extents_of(domain)) return false;
      if (domain.kind == StageDomain::Kind::kSaid && accept("in")) {
        if (at("tiles")) return tiles(domain);
        if (!blocks(domain)) return false;
      }
    } else if (accept("of") && !rows(domain)) {
      return false;
    }
    if (domain.kind == StageDomain::Kind::kOpen) return true;
    return !accept("by") || number(domain.width, 1, "how many elements a thread takes");
  }

  // "tiles of 64": of a scan elements of a row, of a map those along a side.
  bool tiles(StageDomain& domain) {
    return expect("tiles") && expect("of") && number(domain.tile, 1, "how many elements a tile has");
  }

  // "blocks of [8]": the last dimensions of the domain.
  bool blocks(StageDomain& domain) {
    if (!expect("blocks") || !expect("of")) return false;
    const Loc at_list = token_.loc;
    std::vector<int64_t> block;
    if (!list(block)) return false;
    if (!block.empty() && block.size() <= domain.extents.size() &&
        std::equal(block.rbegin(), block.rend(), domain.extents.rbegin())) {
      domain.of_block = block.size();
      return true;
    }
    diagnostics_.error(at_list, "E0402", "these are not the last dimensions of the domain",
                       "of `over [4,32]` a block has [32], or [4,32]");
    return false;
  }

  bool stage(TreeNode& node) {
    node.kind = TreeNode::Kind::kStage;
    if (!name(node.schedule, "the stage's schedule")) return false;
    if (node.schedule == kRow) {
      size_t tier = 0;
      if (!expect("(", "row(lanes), row(warp), row(block) or row(across)")) return false;
      if (!choice(kTierWords, tier, "who shares a row") || !expect(")")) return false;
      node.schedule = row_schedule(static_cast<Tier>(tier));
    }
    if (node.schedule == kContract && accept("(") && !contraction(node)) return false;
    if (!domain(node)) return false;
    if (!expect("{", "the values of the stage; of all schedules only a row has a tier in parentheses")) return false;
    while (!accept("}")) {
      if (token_.kind == Token::Kind::kEnd) return fail("expected '}'");
      if (!value(node.values.emplace_back())) return false;
    }
    return true;
  }

  Diagnostics& diagnostics_;
  const std::string& text_;
  size_t position_ = 0;
  int braces_ = 0;  // open before token_
  Token token_;
};

}  // namespace

std::optional<Tree> parse_tree(Diagnostics& diagnostics) { return TreeParser(diagnostics).parse(); }

}  // namespace sinter
