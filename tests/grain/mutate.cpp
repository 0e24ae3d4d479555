#include "tests/grain/mutate.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "frontend/grain/text/parser.h"

namespace sinter::grain_test {

namespace fs = std::filesystem;

namespace {

std::string read_text(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line + "\n");
  return lines;
}

}  // namespace

std::optional<std::string> read_import(const std::string& path, std::string& error) {
  if (fs::exists(path)) return read_text(path);
  error = "no such file";
  return std::nullopt;
}

std::vector<Program> read_folder(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& file : fs::directory_iterator(folder)) {
    if (file.path().extension() == ".grain") paths.push_back(file.path().string());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Program> programs;
  for (const std::string& path : paths) {
    Program program{path, read_text(path), "", {}};
    const Source source{path, program.text};
    Diagnostics diagnostics(source);
    const std::shared_ptr<const Source> shared(&source, [](const Source*) {});
    const auto file = grain::Parser(diagnostics, shared, 0).parse_file();
    for (const auto& dim : file->dims) {
      if (!dim.value || dim.value->kind != grain::Expr::Kind::kNumber) continue;
      std::string digits = dim.value->text;
      std::erase(digits, '_');
      const int64_t number = std::stoll(digits);
      if (number > 8) program.dims[dim.name] = number >= 100 ? 8 : 6;
    }
    for (const grain::Function* entry : file->entries) {
      program.entry = entry->name;
      programs.push_back(program);
    }
  }
  return programs;
}

std::string mutate_token(const std::string& text, std::mt19937_64& random) {
  const Source source{"mutated.grain", text};
  Diagnostics diagnostics(source);
  std::vector<grain::Token> tokens = grain::read_lines(diagnostics).tokens;
  std::erase_if(tokens, [](const grain::Token& token) {
    return token.kind == grain::TokenKind::kNewline || token.kind == grain::TokenKind::kEnd;
  });
  if (tokens.empty()) return text;
  const grain::Token& token = tokens[random() % tokens.size()];
  const std::string before = text.substr(0, token.loc.offset), behind = text.substr(token.end);
  const std::string own = text.substr(token.loc.offset, token.end - token.loc.offset);
  const auto kind = random() % 8;
  if (kind == 0) return before + behind;
  if (kind == 1) return before + own + " " + own + behind;
  std::vector<const grain::Token*> others;
  for (const grain::Token& other : tokens) {
    if (kind < 3 || other.kind == token.kind) others.push_back(&other);
  }
  const grain::Token& other = *others[random() % others.size()];
  return before + text.substr(other.loc.offset, other.end - other.loc.offset) + behind;
}

std::string mutate_much(const std::string& text, const std::string& other, std::mt19937_64& random) {
  std::string result = text;
  for (auto changes = 1 + random() % 6; changes > 0; --changes) {
    const auto kind = random() % 10;
    if (kind < 6) {
      result = mutate_token(result, random);
    } else if (kind < 8 && !result.empty()) {
      // A byte: any, or a sign of the language.
      constexpr char kSigns[] = "()[]{}<>=+-*/%.,:;'\"\n 0189_xeE&|^~";
      char& byte = result[random() % result.size()];
      byte = kind == 6 ? static_cast<char>(random()) : kSigns[random() % (sizeof kSigns - 1)];
    } else {
      std::vector<std::string> lines = lines_of(result);
      const std::vector<std::string> from = lines_of(kind == 8 ? other : result);
      if (lines.empty() || from.empty()) continue;
      const auto first = random() % from.size(), count = 1 + random() % std::min<size_t>(from.size() - first, 8);
      lines.insert(lines.begin() + static_cast<int64_t>(random() % lines.size()),
                   from.begin() + static_cast<int64_t>(first), from.begin() + static_cast<int64_t>(first + count));
      result.clear();
      for (const std::string& line : lines) result += line;
    }
  }
  return result;
}

}  // namespace sinter::grain_test
