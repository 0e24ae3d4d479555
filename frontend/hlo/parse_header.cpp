// The module header and the source tables that may follow it.
//
//   header := "HloModule" name [":"] {"," key "=" value}
//   tables := "FileNames" {row string} "FunctionNames" {row string}
//             "FileLocations" {row "{file_name_id=1 function_name_id=1 line=3 ...}"}
//             "StackFrames" {row "{file_location_id=1 parent_frame_id=1}"}

#include <algorithm>

#include "frontend/hlo/parser.h"

namespace sinter {

namespace {

// Fields that XLA prints and Sinter has no use for; they are kept and printed again.
constexpr std::string_view kKeptFields[] = {
    "alias_passthrough_params",
    "allow_spmd_sharding_propagation_to_output",
    "allow_spmd_sharding_propagation_to_parameters",
    "debug_attributes",
    "frontend_attributes",
    "origin_recovery_table",
};

}  // namespace

bool Parser::parse_header() {
  advance();
  // XLA reads a colon behind the name, which it wrote once.
  if (!at_name() && !at(TokenKind::kNameColon)) return expected("the module's name");
  module_->name = token_.text;
  advance();
  accept(TokenKind::kColon);
  std::set<std::string_view> seen;
  while (at(TokenKind::kComma)) {
    advance();
    const Token field = token_;
    if (!at(TokenKind::kAttributeName)) return expected("a header field `key=value`");
    if (!seen.insert(field.text).second) {
      return fail(field.loc, "E0115", "the header has two fields " + std::string(field.text));
    }
    advance();
    if (!parse_header_field(field)) return false;
  }
  return true;
}

bool Parser::parse_header_field(const Token& field) {
  if (field.text == "entry_computation_layout") return parse_entry_layout();
  if (field.text == "input_output_alias") return parse_alias_list(module_->input_output_alias, true);
  if (field.text == "buffer_donor") return parse_alias_list(module_->buffer_donor, false);
  if (field.text == "is_scheduled") return parse_bool(module_->is_scheduled);
  if (field.text == "replica_count") return parse_integer(module_->replica_count, "an integer");
  if (field.text == "num_partitions") return parse_integer(module_->num_partitions, "an integer");
  std::string value;
  if (!parse_raw(value)) return false;
  if (std::find(std::begin(kKeptFields), std::end(kKeptFields), field.text) == std::end(kKeptFields)) {
    diagnostics_.warning(field.loc, "W0102", "unknown header field " + std::string(field.text));
  }
  module_->other_header_fields.emplace_back(field.text, std::move(value));
  return true;
}

// { {1}: (0, {}, may-alias), {2}: (1, {0}, must-alias) }, or { (0, {}), (1, {0}) } for buffer donors.
bool Parser::parse_alias_list(std::vector<Alias>& aliases, bool with_output) {
  if (!expect(TokenKind::kLeftBrace, "'{' and a list of aliases")) return false;
  while (!at(TokenKind::kRightBrace)) {
    if (!aliases.empty() && !expect(TokenKind::kComma, "',' or '}'")) return false;
    Alias& alias = aliases.emplace_back();
    if (with_output) {
      if (!parse_integer_list(alias.output_index, "an output index such as {} or {1}")) return false;
      if (!expect(TokenKind::kColon, "':' and (parameter, {index}, kind)")) return false;
    }
    const Loc loc = token_.loc;
    if (!expect(TokenKind::kLeftParen, "'(' and a parameter number")) return false;
    if (!parse_integer(alias.parameter, "a parameter number")) return false;
    if (alias.parameter < 0) return fail(loc, "E0103", "a parameter number cannot be negative");
    if (accept(TokenKind::kComma)) {
      if (!parse_integer_list(alias.parameter_index, "a parameter index such as {}")) return false;
    }
    if (with_output && accept(TokenKind::kComma)) {
      if (!at_word("may-alias") && !at_word("must-alias")) return expected("may-alias or must-alias");
      alias.must_alias = token_.text == "must-alias";
      advance();
    }
    if (!expect(TokenKind::kRightParen, "')'")) return false;
  }
  advance();
  return true;
}

// {(f32[4]{0}, s32[])->f32[4]{0}}
bool Parser::parse_entry_layout() {
  if (!expect(TokenKind::kLeftBrace, "'{' and (parameter shapes)->result shape")) return false;
  if (!expect(TokenKind::kLeftParen, "'(' and the parameter shapes")) return false;
  std::vector<Shape>& parameters = module_->entry_parameter_layouts;
  while (!at(TokenKind::kRightParen)) {
    if (!parameters.empty() && !expect(TokenKind::kComma, "',' or ')'")) return false;
    if (!parse_shape(parameters.emplace_back())) return false;
  }
  advance();
  return expect(TokenKind::kArrow, "'->' and the result shape") &&
         parse_shape(module_->entry_result_layout.emplace()) && expect(TokenKind::kRightBrace, "'}'");
}

bool Parser::parse_source_tables() {
  SourceTables& tables = module_->tables;
  const Loc loc = token_.loc;
  if (!tables.empty()) return fail(loc, "E0125", "a second FileNames table");
  advance();
  if (!parse_table_strings(tables.files)) return false;
  if (!at_word("FunctionNames")) return expected("FunctionNames after the rows of FileNames");
  advance();
  if (!parse_table_strings(tables.functions)) return false;
  if (!at_word("FileLocations")) return expected("FileLocations after the rows of FunctionNames");
  advance();
  while (at(TokenKind::kInteger)) {
    SourceTables::Location& row = tables.locations.emplace_back();
    if (!parse_table_row(tables.locations.size(), {{"file_name_id", &row.file},
                                                   {"function_name_id", &row.function},
                                                   {"line", &row.line},
                                                   {"end_line", &row.end_line},
                                                   {"column", &row.column},
                                                   {"end_column", &row.end_column}})) {
      return false;
    }
  }
  if (!at_word("StackFrames")) return expected("StackFrames after the rows of FileLocations");
  advance();
  while (at(TokenKind::kInteger)) {
    SourceTables::Frame& row = tables.frames.emplace_back();
    if (!parse_table_row(tables.frames.size(),
                         {{"file_location_id", &row.location}, {"parent_frame_id", &row.parent}})) {
      return false;
    }
  }
  return check_source_tables(loc);
}

bool Parser::parse_table_strings(std::vector<std::string>& rows) {
  while (at(TokenKind::kInteger)) {
    if (!parse_table_row(rows.size() + 1, {})) return false;
    if (!parse_string(rows.emplace_back())) return false;
  }
  return true;
}

// The row's number, and `{field=integer ...}` if the table has fields.
bool Parser::parse_table_row(size_t expected_row, std::initializer_list<std::pair<std::string_view, int64_t*>> fields) {
  const Loc loc = token_.loc;
  int64_t row = 0;
  if (!parse_integer(row, "a row number")) return false;
  if (row != static_cast<int64_t>(expected_row)) {
    return fail(loc, "E0125",
                "row " + std::to_string(row) + " stands where row " + std::to_string(expected_row) + " is due");
  }
  if (fields.size() == 0) return true;
  if (!expect(TokenKind::kLeftBrace, "'{'")) return false;
  while (!at(TokenKind::kRightBrace)) {
    const Token name = token_;
    const auto* field = std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.first == name.text; });
    if (!at(TokenKind::kAttributeName) || field == fields.end()) return expected("a field of the row or '}'");
    advance();
    if (!parse_integer(*field->second, "an integer")) return false;
    accept(TokenKind::kComma);
  }
  advance();
  return true;
}

// Every row that is referred to exists (0 is none), and following parents ends.
bool Parser::check_source_tables(Loc loc) {
  const SourceTables& tables = module_->tables;
  const auto is_row = [](int64_t row, size_t rows) { return row >= 0 && row <= static_cast<int64_t>(rows); };
  for (size_t i = 0; i < tables.locations.size(); ++i) {
    const SourceTables::Location& row = tables.locations[i];
    if (!is_row(row.file, tables.files.size()) || !is_row(row.function, tables.functions.size())) {
      return fail(loc, "E0125",
                  "row " + std::to_string(i + 1) + " of FileLocations refers to a name that is not there");
    }
  }
  // A frame's parent is printed as its row plus one; 1 and 0 mean none.
  const auto parent_row = [&](size_t row) {
    return static_cast<size_t>(std::max<int64_t>(tables.frames[row - 1].parent - 1, 0));
  };
  for (size_t row = 1; row <= tables.frames.size(); ++row) {
    const SourceTables::Frame& frame = tables.frames[row - 1];
    if (!is_row(frame.location, tables.locations.size()) || frame.parent < 0 ||
        parent_row(row) > tables.frames.size()) {
      return fail(loc, "E0125", "row " + std::to_string(row) + " of StackFrames refers to a row that is not there");
    }
  }
  // A frame is settled once its parents are known to end; row 0 is none.
  enum class Mark : uint8_t { kNew, kOnPath, kSettled };
  std::vector<Mark> marks(tables.frames.size() + 1, Mark::kNew);
  marks[0] = Mark::kSettled;
  for (size_t start = 1; start < marks.size(); ++start) {
    std::vector<size_t> path;
    size_t row = start;
    for (; marks[row] == Mark::kNew; row = parent_row(row)) {
      marks[row] = Mark::kOnPath;
      path.push_back(row);
    }
    if (marks[row] == Mark::kOnPath) {
      return fail(loc, "E0125", "row " + std::to_string(row) + " of StackFrames is among its own parents");
    }
    for (const size_t settled : path) marks[settled] = Mark::kSettled;
  }
  return true;
}

}  // namespace sinter
