// Each form is told by how it begins, which no HLO text does.
#include "frontend/hlo/other_forms.h"

#include <algorithm>
#include <array>

#include "frontend/hlo/characters.h"

namespace sinter {

namespace {

// Of a program of which nothing but the file is at hand.
constexpr std::string_view kConvert = "; of the file alone sinter.jax.convert makes it (docs/python.md)";

// The bytes of a protocol buffer's length at `at`, which is left behind them; nullopt if there is none.
std::optional<size_t> read_varint(std::string_view text, size_t& at) {
  size_t value = 0;
  for (int shift = 0; at < text.size() && shift < 63; shift += 7) {
    const auto byte = static_cast<unsigned char>(text[at++]);
    value |= static_cast<size_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

// HloModuleProto begins with fields 1 and 2, both strings: the module's name, and its entry's. HloProto begins with
// field 1, a HloModuleProto.
bool is_hlo_proto(std::string_view text) {
  constexpr char kField1 = '\x0A', kField2 = '\x12';
  size_t at = 0;
  for (int nesting = 0; nesting < 2; ++nesting) {
    if (at == text.size() || text[at] != kField1) return false;
    ++at;
    const std::optional<size_t> length = read_varint(text, at);
    if (!length) return false;
    if (*length < text.size() - at && text[at + *length] == kField2) return true;
  }
  return false;
}

// Without the blanks, comments and `#` lines that it begins with.
std::string_view program_of(std::string_view text) {
  size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  while (at < text.size()) {
    if (is_blank(text[at])) {
      ++at;
    } else if (text[at] == '#' || text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else {
      break;
    }
  }
  return text.substr(at);
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// The word that the text begins with, with its dots: "func.func".
std::string_view first_word(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && is_identifier_part(text[end])) ++end;
  return text.substr(0, end);
}

bool is_mlir(std::string_view program) {
  const std::string_view word = first_word(program);
  if (word == "func.func" || word == "builtin.module" || program.starts_with("\"builtin.module\"")) return true;
  return word == "module" && (contains(program, "func.func") || contains(program, "stablehlo"));
}

bool is_jaxpr(std::string_view program) {
  if (!program.starts_with('{')) return false;
  const size_t word = std::min(program.find_first_not_of(' ', 1), program.size());
  return first_word(program.substr(word)) == "lambda";
}

// A statement that Python files begin with. In HLO text a computation's name is followed by '(' or '{'.
bool is_python(std::string_view program) {
  if (program.starts_with('@') || program.starts_with("\"\"\"")) return true;
  constexpr std::array<std::string_view, 4> kStatements = {"import", "from", "def", "class"};
  const std::string_view word = first_word(program);
  if (std::find(kStatements.begin(), kStatements.end(), word) == kStatements.end()) return false;
  const std::string_view rest = program.substr(word.size());
  return rest.size() > 1 && rest[0] == ' ' && is_letter(rest[1]);
}

}  // namespace

std::optional<OtherForm> recognise_other_form(std::string_view text) {
  const std::string print_hlo(kPrintHlo);
  const std::string print_or_convert = print_hlo + std::string(kConvert);
  if (text.starts_with("ML\xEFR")) return OtherForm{"MLIR bytecode (StableHLO)", print_or_convert, Loc()};
  if (is_hlo_proto(text)) return OtherForm{"a protocol buffer of HLO", print_or_convert, Loc()};
  // Other bytes are no text of any kind.
  if (text.substr(0, 512).find('\0') != std::string_view::npos) return std::nullopt;
  const std::string_view program = program_of(text);
  const Loc loc = {static_cast<uint32_t>(text.size() - program.size())};
  if (is_mlir(program)) return OtherForm{"MLIR (StableHLO)", print_or_convert, loc};
  if (is_jaxpr(program)) return OtherForm{"a jaxpr", print_hlo, loc};
  if (is_python(program))
    return OtherForm{"Python", print_hlo + ", and so does sinter.jax.export (docs/python.md)", loc};
  return std::nullopt;
}

}  // namespace sinter
