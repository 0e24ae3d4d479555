#include "driver/lsp/server.h"

#include <poll.h>

#include <exception>
#include <map>
#include <memory>
#include <ostream>

#include "driver/lsp/document.h"
#include "driver/lsp/plan_job.h"
#include "driver/lsp/transport.h"
#include "driver/lsp/uri.h"
#include "driver/system/files.h"
#include "emitter/text/json_text.h"
#include "emitter/text/version.h"
#include "frontend/grain/text/format.h"
#include "ir/support/is_word.h"

namespace sinter {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

struct Document {
  Source source;
  DocumentFacts facts;
  // Lenses that were asked for: once the plan is made, or those who wait for it.
  std::optional<std::vector<PlanLine>> plan;
  std::unique_ptr<PlanJob> job;
  std::vector<Value> waiting;  // by the numbers of their requests
};

class Server {
 public:
  explicit Server(std::ostream& out) : out_(out) {}

  // False after `exit`.
  bool handle(const Value& message);
  bool was_shut_down() const { return was_shut_down_; }

  // Waits until `in` or a plan has something to read, and answers with plans that are made; whether `in` has.
  bool wait(int in);

 private:
  void answer(const Value& id, Value result);
  void refuse(const Value& id, int code, const std::string& why);
  Value respond(llvm::StringRef method, const Object& parameters);
  void open(const std::string& uri, std::string text);
  void publish(const std::string& uri);
  Value hover(const Document& document, size_t offset) const;
  Value definition(const Document& document, size_t offset) const;
  FileReader editor_files() const;
  void ask_for_lenses(Document& document, const Value& id);
  void end_plan(Document& document, int code, const std::string& why);
  void finish_plan(Document& document);
  void cancel(const Value& id);
  static Value lenses(const std::vector<PlanLine>& plan);
  Value formatting(const Document& document) const;

  std::ostream& out_;
  std::map<std::string, Document> documents_;  // by URI
  bool was_shut_down_ = false;
};

constexpr int kMethodNotFound = -32601, kInternal = -32603, kContentModified = -32801, kRequestCancelled = -32800;

Object position(const Source& source, LineColumn place) {
  return Object{{"line", place.line - 1}, {"character", utf16_column(source.text, place)}};
}

Object range(const Source& source, size_t begin, size_t length) {
  const auto at = [&](size_t offset) { return position(source, line_column(source, {static_cast<uint32_t>(offset)})); };
  return Object{{"start", at(begin)}, {"end", at(std::min(begin + length, source.text.size()))}};
}

// A name, number or sign that begins there: what an editor underlines.
size_t token_length(const std::string& text, size_t offset) {
  size_t end = offset;
  while (end < text.size() && is_word(text[end])) ++end;
  return std::max<size_t>(end - offset, 1);
}

std::string text_of(const Object* parameters, llvm::StringRef object, llvm::StringRef field) {
  const Object* found = parameters != nullptr ? parameters->getObject(object) : nullptr;
  return found != nullptr ? found->getString(field).value_or("").str() : "";
}

void Server::answer(const Value& id, Value result) {
  write_message(out_, Object{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Server::refuse(const Value& id, int code, const std::string& why) {
  write_message(out_,
                Object{{"jsonrpc", "2.0"}, {"id", id}, {"error", Object{{"code", code}, {"message", json_text(why)}}}});
}

bool Server::handle(const Value& message) {
  const Object* request = message.getAsObject();
  if (request == nullptr) {
    refuse(nullptr, -32700, "a message is a JSON object");
    return true;
  }
  const llvm::StringRef method = request->getString("method").value_or("");
  if (method == "exit") return false;
  const Value* id = request->get("id");
  const Object none;
  const Object* parameters = request->getObject("params");
  try {
    if (method == "textDocument/codeLens" && id != nullptr) {
      const auto document = documents_.find(text_of(parameters, "textDocument", "uri"));
      if (document != documents_.end()) {
        ask_for_lenses(document->second, *id);
        return true;
      }
    }
    Value result = respond(method, parameters != nullptr ? *parameters : none);
    if (id == nullptr) return true;
    if (const Object* error = result.getAsObject(); error != nullptr && error->get("unknown method") != nullptr) {
      refuse(*id, kMethodNotFound, "no method is called " + method.str());
    } else {
      answer(*id, std::move(result));
    }
  } catch (const std::exception& bug) {  // the server outlives it: the text will be another in a moment
    if (id != nullptr) refuse(*id, kInternal, std::string("internal error: ") + bug.what());
  }
  return true;
}

Value Server::respond(llvm::StringRef method, const Object& parameters) {
  if (method == "initialize") {
    return Object{{"capabilities", Object{{"textDocumentSync", 1},
                                          {"hoverProvider", true},
                                          {"definitionProvider", true},
                                          {"documentFormattingProvider", true},
                                          {"codeLensProvider", Object{{"resolveProvider", false}}}}},
                  {"serverInfo", Object{{"name", "sinter"}, {"version", std::string(kCompilerVersion)}}}};
  }
  if (method == "shutdown") {
    was_shut_down_ = true;
    for (auto& [uri, document] : documents_) end_plan(document, kRequestCancelled, "the server was shut down");
    return nullptr;
  }
  if (method == "$/cancelRequest") {
    if (const Value* id = parameters.get("id")) cancel(*id);
    return nullptr;
  }
  if (method == "initialized" || method.starts_with("$/") || method == "textDocument/didSave") return nullptr;
  const std::string uri = text_of(&parameters, "textDocument", "uri");
  if (method == "textDocument/didOpen") {
    open(uri, text_of(&parameters, "textDocument", "text"));
    return nullptr;
  }
  if (method == "textDocument/didChange") {
    const Array* changes = parameters.getArray("contentChanges");
    const Object* last = changes != nullptr && !changes->empty() ? changes->back().getAsObject() : nullptr;
    if (last != nullptr) open(uri, last->getString("text").value_or("").str());
    return nullptr;
  }
  const auto found = documents_.find(uri);
  if (method == "textDocument/didClose") {
    if (found == documents_.end()) return nullptr;
    end_plan(found->second, kContentModified, "the text was closed");
    documents_.erase(found);
    write_message(out_, Object{{"jsonrpc", "2.0"},
                               {"method", "textDocument/publishDiagnostics"},
                               {"params", Object{{"uri", uri}, {"diagnostics", Array()}}}});
    return nullptr;
  }
  const bool is_known = method == "textDocument/hover" || method == "textDocument/definition" ||
                        method == "textDocument/codeLens" || method == "textDocument/formatting";
  if (!is_known) return Object{{"unknown method", true}};
  if (found == documents_.end()) return nullptr;
  Document& document = found->second;
  if (method == "textDocument/formatting") return formatting(document);
  const Object* place = parameters.getObject("position");
  if (place == nullptr) return nullptr;
  const size_t offset = offset_of(document.source.text, place->getInteger("line").value_or(0),
                                  place->getInteger("character").value_or(0));
  return method == "textDocument/hover" ? hover(document, offset) : definition(document, offset);
}

// Imported files are read as the editor has them.
FileReader Server::editor_files() const {
  return [this](const std::string& path, std::string& error) -> std::optional<std::string> {
    for (const auto& [other, known] : documents_) {
      if (known.source.name == path) return known.source.text;
    }
    return read_file(path, error);
  };
}

void Server::open(const std::string& uri, std::string text) {
  Document& document = documents_[uri];
  end_plan(document, kContentModified, "the text is another now");
  document.source = {path_of(uri), std::move(text)};
  document.plan.reset();
  document.facts = read_document(document.source, editor_files());
  publish(uri);
}

// Plans take seconds where diagnostics take none: nothing waits for them.
void Server::ask_for_lenses(Document& document, const Value& id) {
  if (document.plan) return answer(id, lenses(*document.plan));
  document.waiting.push_back(id);
  if (document.job) return;
  document.job = std::make_unique<PlanJob>(document.source, editor_files());
  if (document.job->descriptor() < 0) end_plan(document, kInternal, "no process can be started");
}

void Server::end_plan(Document& document, int code, const std::string& why) {
  for (const Value& id : document.waiting) refuse(id, code, why);
  document.waiting.clear();
  document.job.reset();
}

void Server::finish_plan(Document& document) {
  document.plan = document.job->result();
  if (!document.plan) return end_plan(document, kInternal, "the plan could not be made");
  for (const Value& id : document.waiting) answer(id, lenses(*document.plan));
  document.waiting.clear();
  document.job.reset();
}

void Server::cancel(const Value& id) {
  for (auto& [uri, document] : documents_) {
    if (std::erase(document.waiting, id) == 0) continue;
    refuse(id, kRequestCancelled, "cancelled");
    if (document.waiting.empty()) document.job.reset();
  }
}

bool Server::wait(int in) {
  std::vector<pollfd> readable = {{.fd = in, .events = POLLIN, .revents = 0}};
  std::vector<Document*> planned = {nullptr};
  for (auto& [uri, document] : documents_) {
    if (!document.job) continue;
    readable.push_back({.fd = document.job->descriptor(), .events = POLLIN, .revents = 0});
    planned.push_back(&document);
  }
  if (poll(readable.data(), readable.size(), -1) < 0) return false;
  for (size_t i = 1; i < readable.size(); ++i) {
    if (readable[i].revents != 0 && planned[i]->job->read()) finish_plan(*planned[i]);
  }
  return readable[0].revents != 0;
}

void Server::publish(const std::string& uri) {
  const Document& document = documents_.at(uri);
  Array all;
  for (const Diagnostic& diagnostic : document.facts.diagnostics) {
    const size_t at = diagnostic.loc.known() ? std::min<size_t>(diagnostic.loc.offset, document.source.text.size()) : 0;
    std::string text = diagnostic.message;
    if (!diagnostic.hint.empty()) text += "\nnote: " + diagnostic.hint;
    all.push_back(Object{{"range", range(document.source, at, token_length(document.source.text, at))},
                         {"severity", diagnostic.severity == Severity::kError ? 1 : 2},
                         {"code", diagnostic.code},
                         {"source", "sinter"},
                         {"message", json_text(text)}});
  }
  write_message(out_, Object{{"jsonrpc", "2.0"},
                             {"method", "textDocument/publishDiagnostics"},
                             {"params", Object{{"uri", uri}, {"diagnostics", std::move(all)}}}});
}

Value Server::hover(const Document& document, size_t offset) const {
  const GrainName* name = name_at(document.facts, offset);
  if (name == nullptr) return nullptr;
  return Object{{"contents", Object{{"kind", "plaintext"}, {"value", json_text(name->text)}}},
                {"range", range(document.source, name->loc.offset, name->length)}};
}

Value Server::definition(const Document& document, size_t offset) const {
  const GrainName* name = name_at(document.facts, offset);
  if (name == nullptr) return nullptr;
  Source other;
  const Source* source = &document.source;
  if (name->file != document.source.name) {
    std::string error;
    other = {name->file, read_file(name->file, error).value_or("")};
    source = &other;
  }
  const auto start = [&] { return position(*source, name->definition); };
  return Object{{"uri", uri_of(name->file)}, {"range", Object{{"start", start()}, {"end", start()}}}};
}

Value Server::lenses(const std::vector<PlanLine>& plan) {
  Array all;
  for (const PlanLine& line : plan) {
    const auto start = [&] { return Object{{"line", line.line - 1}, {"character", 0}}; };
    all.push_back(Object{{"range", Object{{"start", start()}, {"end", start()}}},
                         {"command", Object{{"title", line.text}, {"command", ""}}}});
  }
  return all;
}

Value Server::formatting(const Document& document) const {
  Diagnostics diagnostics(document.source);
  const std::optional<std::string> text = format_grain(diagnostics);
  if (!text || *text == document.source.text) return Array();
  return Array{
      Object{{"range", range(document.source, 0, document.source.text.size())}, {"newText", json_text(*text)}}};
}

}  // namespace

bool serve(int in, std::ostream& out) {
  Server server(out);
  MessageReader reader(in);
  while (true) {
    while (const std::optional<Value> message = reader.next()) {
      if (!server.handle(*message)) return server.was_shut_down();
    }
    if (reader.is_broken()) return server.was_shut_down();
    if (server.wait(in) && !reader.read()) return server.was_shut_down();
  }
}

}  // namespace sinter
