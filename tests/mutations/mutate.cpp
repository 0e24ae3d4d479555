#include "tests/mutations/mutate.h"
#include "ir/support/is_word.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <vector>

namespace sinter {

namespace {

enum class Kind : uint8_t { kName, kNumber, kOperator };

struct Token {
  Kind kind = Kind::kOperator;
  size_t begin = 0, end = 0;
};

constexpr std::array kOperators = {"<<=", ">>=", "->", "++", "--", "<=", ">=", "==", "!=", "&&",
                                   "||",  "<<",  ">>", "+=", "-=", "*=", "/=", "|=", "&=", "::"};

// Of one group any may stand in the place of another.
const std::vector<std::vector<std::string>>& groups() {
  static const std::vector<std::vector<std::string>> groups = {{"+", "-", "*", "/", "%"},
                                                               {"<", "<=", ">", ">=", "==", "!="},
                                                               {"&&", "||"},
                                                               {"&", "|", "^"},
                                                               {"<<", ">>"},
                                                               {"=", "+=", "-=", "*="},
                                                               {"++", "--"},
                                                               {"int", "float", "unsigned", "int64_t", "bool"},
                                                               {"true", "false"},
                                                               {"x", "y", "z"},
                                                               {"break", "continue"},
                                                               {"__syncthreads", "__syncwarp"}};
  return groups;
}

// Behind the directive or comment that begins at `at`; `at` where none does.
size_t skipped(const std::string& text, size_t at) {
  const auto end_of_line = [&] { return std::min(text.find('\n', at), text.size()); };
  if (text.compare(at, 2, "//") == 0) return end_of_line();
  const bool first = text.find_last_not_of(' ', at == 0 ? 0 : at - 1) == std::string::npos || at == 0 ||
                     text[text.find_last_not_of(' ', at - 1)] == '\n';
  if (text[at] == '#' && first) return end_of_line();
  if (text[at] == '"') return std::min(text.find('"', at + 1), text.size() - 1) + 1;
  return at;
}

std::vector<Token> tokens_of(const std::string& text) {
  std::vector<Token> tokens;
  for (size_t i = 0; i < text.size();) {
    if (const size_t end = skipped(text, i); end != i) {
      i = end;
      continue;
    }
    if (isspace(static_cast<unsigned char>(text[i])) != 0) {
      ++i;
      continue;
    }
    Token token = {.begin = i, .end = i + 1};
    if (is_word(text[i])) {
      const bool number = isdigit(static_cast<unsigned char>(text[i])) != 0;
      token.kind = number ? Kind::kNumber : Kind::kName;
      const auto goes_on = [&](size_t at) {
        const bool sign = (text[at] == '+' || text[at] == '-') && (text[at - 1] == 'e' || text[at - 1] == 'p');
        return is_word(text[at]) || (number && (text[at] == '.' || sign));
      };
      while (token.end < text.size() && goes_on(token.end)) ++token.end;
    } else {
      for (const std::string_view op : kOperators) {
        if (text.compare(i, op.size(), op) != 0) continue;
        token.end = i + op.size();
        break;
      }
    }
    tokens.push_back(token);
    i = token.end;
  }
  return tokens;
}

std::string other_number(const std::string& number, Random& random) {
  const size_t digits = number.find_first_not_of("0123456789");
  if (number.find_first_of(".ep") != std::string::npos) {
    static const std::vector<std::string> others = {"0.0f", "1.0f", "2.0f", "0.5f"};
    return random.chance(50) ? random.pick(others) : "9" + number;
  }
  if (number.size() > 18 || digits == 1) return "1" + number;  // hexadecimal, or too long
  const int64_t value = std::stoll(number.substr(0, digits));
  const std::vector<int64_t> others = {value + 1, value > 0 ? value - 1 : 2, 0, 1, 2 * value};
  return std::to_string(random.pick(others)) + (digits == std::string::npos ? "" : number.substr(digits));
}

// What may stand in the token's place; the token itself where nothing may.
std::string other_token(const std::string& text, const std::vector<Token>& tokens, const Token& token, Random& random) {
  const std::string word = text.substr(token.begin, token.end - token.begin);
  if (token.kind == Kind::kNumber) return other_number(word, random);
  for (const std::vector<std::string>& group : groups()) {
    if (std::find(group.begin(), group.end(), word) != group.end()) return random.pick(group);
  }
  if (token.kind == Kind::kOperator) return word;
  // A name of the neighbourhood, where what is meant is of the same kind more often than not.
  constexpr std::ptrdiff_t kNear = 60;
  const std::ptrdiff_t at = &token - tokens.data();
  const std::ptrdiff_t first = std::max<std::ptrdiff_t>(0, at - kNear);
  const std::ptrdiff_t last = std::min(std::ssize(tokens), at + kNear);
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (std::ptrdiff_t i = first; i < last; ++i) {
    std::string name = text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin);
    if (tokens[i].kind == Kind::kName && seen.insert(name).second) names.push_back(std::move(name));
  }
  return random.pick(names);
}

}  // namespace

std::optional<Mutation> mutate(const std::string& text, Random& random) {
  const std::vector<Token> tokens = tokens_of(text);
  if (tokens.size() < 2) return std::nullopt;
  const auto at = static_cast<size_t>(random.below(std::ssize(tokens) - 1));
  const Token &token = tokens[at], &next = tokens[at + 1];
  const auto spelled = [&](const Token& of) { return text.substr(of.begin, of.end - of.begin); };
  const std::string word = spelled(token);
  Mutation mutation;
  mutation.line =
      static_cast<int>(std::count(text.begin(), text.begin() + static_cast<int64_t>(token.begin), '\n')) + 1;
  std::string into;
  size_t end = token.end;
  const int64_t kind = random.below(10);
  if (kind == 0) {
    mutation.what = word + " left out";
  } else if (kind == 1) {
    into = spelled(next) + " " + word;
    end = next.end;
    mutation.what = word + " and " + spelled(next) + " change places";
  } else {
    into = other_token(text, tokens, token, random);
    mutation.what = word + " -> " + into;
  }
  if (into == text.substr(token.begin, end - token.begin)) return std::nullopt;
  mutation.text = text.substr(0, token.begin) + into + text.substr(end);
  return mutation;
}

}  // namespace sinter
