// Names: one meaning each where they are visible, and what is said of those that have none.
#include <algorithm>

#include "frontend/grain/compiler.h"
#include "ir/support/nearest_word.h"

namespace sinter::grain {

std::string ordinal(size_t number) {
  constexpr const char* kWords[] = {"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"};
  return number < 8 ? kWords[number] : std::to_string(number + 1) + "th";
}

const Expr& plain(const Expr& expr) {
  const Expr* inner = &expr;
  while (inner->kind == Expr::Kind::kParens) inner = inner->children[0].get();
  return *inner;
}

Expr& plain(Expr& expr) { return const_cast<Expr&>(plain(static_cast<const Expr&>(expr))); }

const Source& Compiler::source() const {
  return call_ != nullptr && call_->file != nullptr ? *call_->file->source : diagnostics_.source();
}

// A function is compiled for every call: what is wrong in it is said once.
void Compiler::report(Loc loc, std::string_view code, std::string message, std::string hint) {
  const Source& in = source();
  if (!reported_.insert(in.name + ":" + std::to_string(loc.offset)).second) return;
  if (&in == &diagnostics_.source() || call_->file->number == 0) {
    diagnostics_.error(loc, code, std::move(message), std::move(hint));
  } else {
    diagnostics_.error_in(call_->file->source, loc, code, std::move(message), std::move(hint));
  }
}

void Compiler::fail(Loc loc, std::string_view code, std::string message, std::string hint) {
  report(loc, code, std::move(message), std::move(hint));
  throw Abandoned();
}

// Warnings are given where there is no error; those of imported files, never.
void Compiler::warn(Loc loc, std::string_view code, std::string message, std::string hint) {
  if (call_ != nullptr && call_->file->number != 0) return;
  if (!reported_.insert("warning:" + std::string(code) + std::to_string(loc.offset)).second) return;
  warnings_.push_back({loc, std::string(code), std::move(message), std::move(hint)});
}

void Compiler::count_work(Loc loc) {
  if (++work_ <= kMaxWork) return;
  if (work_ > kMaxWork + 1) throw Abandoned();  // said already
  fail(loc, "E0607", "the program comes to more than " + std::to_string(kMaxWork) + " statements",
       "functions count as often as they are called, also by each other");
}

std::string Compiler::where(Loc loc) {
  const LineColumn place = places_.at(source(), loc);
  return std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string Compiler::quote(uint32_t begin, uint32_t end) const {
  constexpr size_t kLongest = 70;  // characters: more than that does not help in a message
  const std::string text = one_line(std::string_view(source().text).substr(begin, end - begin));
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

std::string Compiler::quote(const Expr& expr) const { return quote(expr.begin, expr.end); }

Binding* Compiler::find(const std::string& name) {
  for (size_t i = call_->scopes.size(); i-- > 0;) {
    const auto found = call_->scopes[i].find(name);
    if (found != call_->scopes[i].end()) return &found->second;
  }
  return nullptr;
}

Binding& Compiler::bind(const std::string& name, Loc loc, std::string what) {
  Binding& binding = call_->scopes.back()[name];
  binding = Binding();
  binding.name = name;
  binding.loc = loc;
  binding.what = std::move(what);
  return binding;
}

// Every name has one meaning where it is visible.
void Compiler::check_is_new(const std::string& name, Loc loc, bool is_index) {
  const std::string_view code = is_index ? "E0612" : "E0613";
  const std::string too = is_index ? " and cannot be an index, too" : ": names keep their value";
  if (const Binding* known = find(name)) {
    if (is_index && known->index != nullptr) {
      const std::string other = name == "k" ? "m" : "k";
      fail(loc, code, "'" + name + "' is an index already, bound at " + where(known->loc),
           "a reduction brings its own: [" + other + "](...)");
    }
    if (is_index) {
      fail(loc, code, "'" + name + "' is " + known->what + " (" + where(known->loc) + ")" + too,
           "take another name, such as " + std::string(name == "j" ? "k" : "j"));
    }
    if (known->what == "a parameter" || known->what == "a counter") {
      fail(loc, code, "'" + name + "' is " + known->what + too, "give the new value another name");
    }
    if (known->what == "a carry") {
      reported_.insert(said_of_carry(name));
      fail(loc, "E0614", "'" + name + "' is carried: its value after the step is " + name + "'",
           name + "'" +
               quote(static_cast<uint32_t>(loc.offset + name.size()),
                     static_cast<uint32_t>(std::min(source().text.find('\n', loc.offset), source().text.size()))));
    }
    fail(loc, code, "'" + name + "' is defined already, at " + where(known->loc) + ": names keep their value",
         "give the first another name; to change some places: " + name + "2 = " + name + " with [...] = ...");
  }
  const FileNames& file = names();
  std::string what;
  Loc there;
  if (const auto dim = file.dim_decls.find(name); dim != file.dim_decls.end()) {
    what = "a dim";
    there = dim->second->loc;
  } else if (const auto constant = file.constants.find(name); constant != file.constants.end()) {
    what = "a constant";
    there = constant->second->loc;
  } else if (const auto weights = file.weights.find(name); weights != file.weights.end()) {
    what = "weights of the file";
    there = weights->second->loc;
  } else if (call_->dims.count(name) != 0) {
    what = "a dimension of the parameters";
    there = call_->function->loc;
  } else {
    return;
  }
  fail(loc, code, "'" + name + "' is " + what + " (" + where(there) + ")" + too,
       is_index ? "take another name, such as " + std::string(name == "j" ? "i" : "j") : "take another name");
}

void Compiler::unknown_name(const Expr& expr) {
  const std::string& name = expr.text;
  // A name that is unknown twice in a statement is said once.
  const uint32_t statement = statement_ != nullptr ? statement_->loc.offset : expr.loc.offset;
  if (!reported_.insert("unknown " + name + " in " + source().name + ":" + std::to_string(statement)).second) {
    throw Abandoned();
  }
  for (const Block* block : call_->blocks) {
    for (const auto& later : *block) {
      for (const Target& target : later->targets) {
        if (target.name != name || target.primed || target.loc.offset < expr.loc.offset) continue;
        fail(expr.loc, "E0616", "'" + name + "' is defined below, at " + where(target.loc),
             "move its line up: definitions stand before their uses");
      }
    }
  }
  std::vector<std::string_view> candidates;
  std::vector<std::string> indices;
  for (const Scope& scope : call_->scopes) {
    for (const auto& [known, binding] : scope) {
      candidates.push_back(known);
    }
  }
  for (const Index* index : statement_indices_) {
    const Binding* bound = find(index->name);
    if (bound != nullptr && bound->index == index) indices.push_back(index->name);
  }
  const FileNames& file = names();
  for (const auto& [known, decl] : file.dim_decls) candidates.push_back(known);
  for (const auto& [known, decl] : file.constants) candidates.push_back(known);
  if (const auto local = call_->loop_locals.find(name); local != call_->loop_locals.end()) {
    fail(expr.loc, "E0603", "'" + name + "' is local to a step of the loop at " + where(local->second.second),
         "carry it, or stack it: " + name + "s[t] = ...");
  }
  if (find_function(name) != nullptr || is_library(name)) {
    fail(expr.loc, "E0603", "'" + name + "' is a function: its arguments are missing", name + "(...)");
  }
  const std::string near = nearest_word(name, candidates);
  if (subscript_depth_ > 0 && (near.empty() || name.size() == 1)) {
    std::string list;
    for (size_t i = 0; i < indices.size(); ++i) {
      list += (i == 0 ? "" : i + 1 == indices.size() ? " and " : ", ") + indices[i];
    }
    std::string hint = "indices stand on the left of '=', or in a reduction's brackets";
    if (!reductions_.empty()) {
      const Expr& reduction = *reductions_.back();
      std::string inside;
      for (const Binder& binder : reduction.binders) inside += binder.name + ", ";
      hint =
          "the indices are " + list + ". Sums list their indices, " + reduction.text + "[" + inside + name + "](...)";
    } else if (statement_ != nullptr && statement_->value && !statement_->targets.empty()) {
      const uint32_t begin = statement_->targets.front().loc.offset;
      std::string left = quote(begin, statement_->value->begin);
      hint = "Grain never sums by itself: " + left + " sum[" + name + "](" + quote(*statement_->value) + ")";
    }
    fail(expr.loc, "E0701", "nothing is called '" + name + "', and no index here either", hint);
  }
  std::string hint = "definitions stand before their uses";
  if (!near.empty()) {
    const Binding* bound = find(near);
    hint = "did you mean '" + near + "'" +
           (bound != nullptr ? ", " + bound->what + " at " + where(bound->loc) + "?" : "?");
  }
  fail(expr.loc, "E0603", "nothing is called '" + name + "'", hint);
}

const Record* Compiler::find_record(const std::string& name) {
  const auto found = names().records.find(name);
  return found == names().records.end() ? nullptr : found->second;
}

Function* Compiler::find_function(const std::string& name) {
  const auto found = names().functions.find(name);
  return found == names().functions.end() ? nullptr : found->second;
}

Index* Compiler::new_index(const std::string& name, Loc loc) {
  all_indices_.push_back(std::make_unique<Index>());
  Index* index = all_indices_.back().get();
  index->name = name;
  index->loc = loc;
  index->serial = ++serial_;
  return index;
}

// In the innermost scope, with the range that is written.
Index* Compiler::bind_index(Binder& binder) {
  check_is_new(binder.name, binder.loc, true);
  Index* index = new_index(binder.name, binder.loc);
  binder.index = index;
  if (binder.low) {
    index->low = dimension(*binder.low, false);
    index->high = dimension(*binder.high, false);
    index->range = Index::Range::kWritten;
    index->range_from = where(binder.loc);
  }
  Binding& binding = bind(binder.name, binder.loc, "an index");
  binding.index = index;
  binding.quiet = true;
  mention(binding, binder.loc);
  statement_indices_.push_back(index);
  return index;
}

}  // namespace sinter::grain
