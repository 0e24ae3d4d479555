// A file and its items: imports, dims, constants, records, weights, functions, entries.
#include "frontend/grain/text/parser.h"
#include "ir/support/nearest_word.h"

namespace sinter::grain {
namespace {

// `///` lines as one text.
std::string doc_text(std::string_view lines) {
  std::string out;
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    const size_t slashes = line.find("///");
    if (slashes == std::string_view::npos) continue;
    line.remove_prefix(slashes + 3);
    while (!line.empty() && (line.front() == ' ' || line.front() == '/')) line.remove_prefix(1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
    out += (out.empty() ? "" : " ") + std::string(line);
  }
  return out;
}

}  // namespace

std::unique_ptr<File> Parser::parse_file() {
  auto file = std::make_unique<File>();
  file->source = source_;
  file->number = number_;
  while (!at(TokenKind::kEnd)) {
    const size_t begin = at_;
    try {
      parse_item(*file);
      if (!at(TokenKind::kNewline) && !at(TokenKind::kEnd)) unexpected("the end of the line");
    } catch (const Abandoned&) {
      skip_from(begin);
      if (at("}")) take();
    }
    if (at(TokenKind::kNewline)) take();
  }
  return file;
}

void Parser::parse_item(File& file) {
  if (at("import")) return parse_import(file);
  if (at("dim")) return parse_dims(file);
  if (at("const")) return parse_constants(file);
  if (at("record")) return parse_record(file);
  if (at("weights")) return parse_weights(file);
  if (at("entry")) return parse_function(file, Function::Kind::kEntry);
  if (at("fn")) return parse_function(file, Function::Kind::kFunction);
  if (at("extern")) return parse_function(file, Function::Kind::kExtern);
  if (at("require")) {
    take();
    file.requirements.push_back({parse_expression()});
    return;
  }
  const std::string word(token().text);
  const std::string near = nearest_word(word, {"import", "dim", "const", "record", "weights", "entry", "fn", "extern"});
  fail(token().loc, "E0600",
       "a file is made of import, dim, const, require, record, weights, fn, extern fn and entry; '" + word +
           "' begins none of them",
       near.empty() ? "statements stand in the block of an entry or a function" : "did you mean '" + near + "'?");
}

void Parser::parse_import(File& file) {
  take();
  ImportDecl decl;
  do {
    const Token name = expect_name("the name of a function, record or constant");
    decl.names.emplace_back(name.text, name.loc);
  } while (accept(","));
  expect("from", "from \"FILE.grain\"");
  const Token path = expect_string("a file's name in quotes");
  decl.path = path.text;
  decl.path_loc = path.loc;
  file.imports.push_back(std::move(decl));
}

void Parser::parse_dims(File& file) {
  take();
  do {
    const Token name = expect_name("the name of a dim");
    DimDecl decl{std::string(name.text), name.loc, nullptr};
    if (accept("=")) decl.value = parse_arithmetic();
    file.dims.push_back(std::move(decl));
  } while (accept(","));
}

void Parser::parse_constants(File& file) {
  take();
  do {
    const Token name = expect_name("the name of a constant");
    ConstDecl decl;
    decl.name = name.text;
    decl.loc = name.loc;
    if (accept(":")) decl.type = parse_type();
    expect("=", "'=' and the constant's value");
    decl.value = parse_expression();
    file.constants.push_back(std::move(decl));
  } while (accept(","));
}

void Parser::parse_record(File& file) {
  take();
  auto record = std::make_unique<Record>();
  const Token name = expect_name("the record's name");
  record->name = name.text;
  record->loc = name.loc;
  if (accept("<")) {
    do {
      record->dims.emplace_back(expect_name("the name of a dimension").text);
    } while (accept(","));
    expect(">", "'>' behind the record's dimensions");
  }
  expect("{", "'{' and the record's fields");
  while (!at("}") && !at(TokenKind::kEnd)) {
    if (at(TokenKind::kNewline) || at(",")) {
      take();
      continue;
    }
    const std::string doc = doc_text(token().doc);
    const size_t first = record->fields.size();
    do {
      const Token field = expect_name("a field, name: type,");
      record->fields.push_back({std::string(field.text), field.loc, nullptr, "", {}, doc});
    } while (accept(","));
    expect(":", "':' and the field's type");
    const std::shared_ptr<TypeName> type = parse_type();
    for (size_t i = first; i < record->fields.size(); ++i) record->fields[i].type = type;
  }
  expect("}", "'}' behind the fields");
  file.records.push_back(std::move(record));
}

void Parser::parse_weights(File& file) {
  take();
  WeightsDecl decl;
  const Token name = expect_name("the name of the weights");
  decl.name = name.text;
  decl.loc = name.loc;
  expect(":", "':' and the weights' type");
  decl.type = parse_type();
  expect("from", "from \"FILE.safetensors\"");
  const Token path = expect_string("a file's name in quotes");
  decl.path = path.text;
  decl.path_loc = path.loc;
  file.weights.push_back(std::move(decl));
}

std::vector<Generic> Parser::parse_generics() {
  std::vector<Generic> generics;
  if (!accept("<")) return generics;
  do {
    const Token name = expect_name("the name of a type");
    expect(":", "':' and the kind of types: float, int, number or any");
    const Token kind = at("any") ? take() : expect_name("the kind of types: float, int, number or any");
    if (kind.text != "float" && kind.text != "int" && kind.text != "number" && kind.text != "any") {
      fail(kind.loc, "E0600", "'" + std::string(kind.text) + "' is no kind of types",
           "the kinds are float, int, number and any");
    }
    generics.push_back({std::string(name.text), std::string(kind.text), name.loc});
  } while (accept(","));
  expect(">", "'>' behind the types");
  return generics;
}

// `a, b: f32, c: s32`: names collect until the colon. Reads the closing sign, too.
std::vector<Slot> Parser::parse_slots(std::string_view closing, bool results) {
  std::vector<Slot> slots;
  while (!at(closing)) {
    const std::string doc = doc_text(token().doc);
    const size_t first = slots.size();
    do {
      const Token name = expect_name(results ? "a result, name: type," : "a parameter, name: type,");
      slots.push_back({std::string(name.text), name.loc, nullptr, "", {}, doc});
    } while (accept(","));
    expect(":", results ? "':' and the result's type" : "':' and the parameter's type");
    const std::shared_ptr<TypeName> type = parse_type();
    for (size_t i = first; i < slots.size(); ++i) slots[i].type = type;
    if (results && accept("into")) {
      const Token into = expect_name("the parameter whose memory is given up");
      for (size_t i = first; i < slots.size(); ++i) {
        slots[i].into = into.text;
        slots[i].into_loc = into.loc;
      }
    }
    if (!accept(",")) break;
  }
  expect(closing, results ? "',' or ')' behind the result" : "',' or ')' behind the parameter");
  return slots;
}

void Parser::parse_function(File& file, Function::Kind kind) {
  auto function = std::make_unique<Function>();
  function->doc = doc_text(token().doc);
  function->kind = kind;
  take();
  if (kind == Function::Kind::kExtern) expect("fn", "extern fn");
  const Token name = expect_name("the function's name");
  function->name = name.text;
  function->loc = name.loc;
  function->generics = parse_generics();
  expect("(", "'(' and the parameters");
  function->parameters = parse_slots(")", false);
  expect("->", "'->' and the results");
  if (accept("(")) {
    function->results = parse_slots(")", true);
  } else {
    const Loc loc = token().loc;
    function->results.push_back({"", loc, parse_type(), "", {}, ""});
  }
  if (kind == Function::Kind::kExtern) {
    expect("from", "from \"HEADER.cuh\"");
    function->header = expect_string("the header's name in quotes").text;
  }
  results_ = &function->results;
  if (accept("=")) {
    function->value = parse_value();
  } else if (kind != Function::Kind::kExtern) {
    if (!at("{")) unexpected(kind == Function::Kind::kEntry ? "'{' and the entry's block" : "'=' or '{'");
    function->block = parse_block();
  }
  results_ = nullptr;
  if (kind == Function::Kind::kEntry) {
    if (function->value)
      fail(function->loc, "E0600", "an entry has a block", "entry " + function->name + "(...) -> (y: ...) { y = ... }");
    if (function->results.empty() || function->results[0].name.empty()) {
      fail(function->results.empty() ? function->loc : function->results[0].loc, "E0600",
           "an entry's results have names: they name the outputs of the header",
           "-> (y: " +
               (function->results.empty() ? std::string("f32")
                                          : quote(function->results[0].loc.offset, function->results[0].type->end)) +
               ")");
    }
    file.entries.push_back(function.get());
  }
  if (function->kind == Function::Kind::kFunction && !function->value && function->results.size() == 1 &&
      function->results[0].name.empty()) {
    fail(function->results[0].loc, "E0600", "a function with a block defines its results by name",
         "-> (y: " + quote(function->results[0].loc.offset, function->results[0].type->end) + ") { y = ... }");
  }
  file.functions.push_back(std::move(function));
}

std::unique_ptr<TypeName> Parser::parse_type() {
  const Token name = expect_name("a type");
  auto type = std::make_unique<TypeName>();
  type->name = name.text;
  type->loc = name.loc;
  const auto list = [&](std::vector<ExprPtr>& dims) {
    do {
      dims.push_back(parse_arithmetic());
    } while (accept(","));
  };
  if (accept("<")) {
    list(type->arguments);
    expect(">", "'>' behind the record's dimensions");
  }
  if (accept("[")) {
    list(type->dims);
    expect("]", "',' or ']' behind the dimension");
  }
  type->end = last_end();
  return type;
}

}  // namespace sinter::grain
