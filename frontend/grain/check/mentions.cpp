// What the names of the text stand for, for an editor (GrainOptions::names).
#include "frontend/grain/compiler.h"

namespace sinter::grain {
namespace {

std::string numbers_text(const std::vector<Formula>& dims, const DimValues& values) {
  std::string list;
  for (const Formula& dim : dims) {
    const std::optional<int64_t> value = dim.value(values);
    list += (list.empty() ? "" : ", ") + (value ? std::to_string(*value) : "?");
  }
  return "[" + list + "]";
}

std::string interval_text(const Value& value) {
  if (value.parts.size() != 1 || !value.parts[0].interval) return "";
  const Interval& all = *value.parts[0].interval;
  return "\nfrom " + std::to_string(all.low) + " to " + std::to_string(all.high);
}

// "i runs over rows (64), by x, 2:36".
std::string index_text(const Index& index, const DimValues& values) {
  if (index.range == Index::Range::kNone) return index.name + ", an index";
  const std::optional<int64_t> low = index.low.value(values), high = index.high.value(values);
  std::string text = index.name + " in " + index.low.text() + ".." + index.high.text();
  if (low && high) text += "\nfrom " + std::to_string(*low) + " to " + std::to_string(*high - 1);
  return text + "\nby " + index.range_from;
}

}  // namespace

void Compiler::mention(Loc loc, size_t length, std::string text, const Source& file, Loc definition) {
  if (options_.names == nullptr || call_ == nullptr || call_->file->number != 0) return;
  options_.names->push_back({loc, length, std::move(text), file.name, line_column(file, definition)});
}

// A function is compiled once for each of its calls: what a name is in the first stands.
void Compiler::mention(const Binding& binding, Loc loc) {
  if (options_.names == nullptr) return;
  std::string text;
  if (binding.index != nullptr) {
    mentioned_indices_.push_back({binding.index, call_->file, call_->values, loc});
    return;
  }
  const Type& type = binding.value.type;
  text = binding.name + ": " + grain::text(type);
  if (!type.dims.empty()) text += "\n" + grain::text(type.element) + numbers_text(type.dims, call_->values);
  text += interval_text(binding.value) + "\n" + binding.what;
  mention(loc, binding.name.size(), std::move(text), source(), binding.loc);
}

// Ranges of indices are known when their statement is through.
void Compiler::mention_indices() {
  for (const MentionedIndex& at : mentioned_indices_) {
    if (at.file->number != 0) continue;
    const Source& file = *at.file->source;
    options_.names->push_back(
        {at.loc, at.index->name.size(), index_text(*at.index, at.values), file.name, line_column(file, at.index->loc)});
  }
}

// "dim width = 4 * columns" and its number.
void Compiler::mention_dim(const std::string& name, Loc loc) {
  if (options_.names == nullptr) return;
  const auto decl = names().dim_decls.find(name);
  if (decl == names().dim_decls.end()) return;
  std::string text = "dim " + name;
  const Expr* value = decl->second->value.get();
  if (value != nullptr && value->kind != Expr::Kind::kNumber) text += " = " + quote(*value);
  const auto number = dim_values_.find(names().dims.at(name));
  if (number != dim_values_.end()) text += " = " + std::to_string(number->second);
  mention(loc, name.size(), text, source(), decl->second->loc);
}

// "fn relu(x: f32) -> f32", as it is written, up to its block or value.
void Compiler::mention_function(const Function& function, Loc loc) {
  if (options_.names == nullptr) return;
  const std::string& all = function.file->source->text;
  const size_t line = all.rfind('\n', function.loc.offset) + 1;
  const size_t end = std::min(all.find_first_of("={", all.find("->", line)), all.size());
  std::string text = one_line(std::string_view(all).substr(line, end - line));
  while (text.ends_with(' ')) text.pop_back();
  if (!function.doc.empty()) text += "\n" + function.doc;
  mention(loc, function.name.size(), std::move(text), *function.file->source, function.loc);
}

}  // namespace sinter::grain
