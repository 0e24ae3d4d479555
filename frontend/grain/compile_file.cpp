// A file to the module of one entry: imports, the values of dims and constants, the entry's interface.
#include <algorithm>

#include "frontend/grain/compiler.h"
#include "frontend/grain/in_file.h"
#include "ir/module/variable.h"
#include "ir/support/is_word.h"
#include "ir/support/nearest_word.h"

namespace sinter {

std::unique_ptr<Module> parse_grain(Diagnostics& diagnostics, const GrainOptions& options) {
  return grain::Compiler(diagnostics, options).compile();
}

std::vector<GrainEntry> grain_entries(const Source& source) {
  Diagnostics unheard(source);
  const std::shared_ptr<const Source> shared(&source, [](const Source*) {});
  const auto file = grain::Parser(unheard, shared, 0).parse_file();
  std::vector<GrainEntry> entries;
  for (const grain::Function* entry : file->entries) entries.push_back({entry->name, entry->loc});
  return entries;
}

namespace grain {

File* Compiler::load_file(const std::string& path, Loc import_loc) {
  if (const auto known = files_by_path_.find(path); known != files_by_path_.end()) return known->second;
  if (std::find(loading_.begin(), loading_.end(), path) != loading_.end()) {
    fail(import_loc, "E0619",
         base_name(path) + (loading_.back() == path ? " imports itself" : " is imported in a circle"),
         "what two files need goes into a third");
  }
  std::string error = "files are not read here";
  const std::optional<std::string> text = options_.read_file ? options_.read_file(path, error) : std::nullopt;
  if (!text) fail(import_loc, "E0619", "'" + path + "' cannot be read: " + error);
  auto source = std::make_shared<Source>(Source{path, *text});
  Diagnostics inner(*source);
  auto file = Parser(inner, source, static_cast<int>(files_.size())).parse_file();
  for (const Diagnostic& diagnostic : inner.all()) {
    diagnostics_.error_in(source, diagnostic.loc, diagnostic.code, diagnostic.message, diagnostic.hint);
  }
  files_.push_back(std::move(file));
  File* loaded = files_.back().get();
  loading_.push_back(path);
  const InFile inside(call_, loaded, dim_values_);
  const bool good = read_names(*loaded);
  loading_.pop_back();
  files_by_path_[path] = loaded;
  if (!good) throw Abandoned();
  return loaded;
}

// The names of the file's items, after those that it imports.
bool Compiler::read_names(File& file) {
  const int errors = diagnostics_.error_count();
  FileNames& names = file_names_[&file];
  import_names(file);
  std::map<std::string, Loc> known;
  const auto add = [&](const std::string& name, Loc loc) {
    const auto [found, is_new] = known.emplace(name, loc);
    if (is_new) return true;
    report(loc, "E0613", "'" + name + "' is defined already, at " + where(found->second));
    return false;
  };
  for (const DimDecl& dim : file.dims) {
    if (!add(dim.name, dim.loc)) continue;
    names.dims[dim.name] = file.number == 0 ? dim.name : base_name(file.source->name) + ":" + dim.name;
    names.dim_decls[dim.name] = &dim;
  }
  for (ConstDecl& constant : file.constants) {
    if (add(constant.name, constant.loc)) names.constants[constant.name] = &constant;
  }
  for (const WeightsDecl& weights : file.weights) {
    if (add(weights.name, weights.loc)) names.weights[weights.name] = &weights;
  }
  for (const auto& record : file.records) {
    if (add(record->name, record->loc)) names.records[record->name] = record.get();
    const_cast<Record&>(*record).file = &file;
  }
  for (const auto& function : file.functions) {
    function->file = &file;
    if (add("fn " + function->name, function->loc)) names.functions[function->name] = function.get();
    if (known.count(function->name) != 0 && names.records.count(function->name) != 0) {
      report(function->loc, "E0613", "'" + function->name + "' is a record already");
    }
  }
  check_records(file);
  try {
    value_dims(file);
  } catch (const Abandoned&) {
  }
  type_weights(file);
  return diagnostics_.error_count() == errors;
}

// A record that holds itself would have no size, and one of very many fields is of no use.
void Compiler::check_records(File& file) {
  std::map<const Record*, int> leaves_of;
  std::vector<const Record*> around;
  const std::function<int(const Record&)> count = [&](const Record& record) {
    if (const auto known = leaves_of.find(&record); known != leaves_of.end()) return known->second;
    around.push_back(&record);
    int leaves = 0;
    for (const Slot& field : record.fields) {
      const auto& records = file_names_.at(record.file).records;
      const auto held = records.find(field.type->name);
      if (held == records.end()) {
        ++leaves;
        continue;
      }
      const auto circle = std::find(around.begin(), around.end(), held->second);
      if (circle != around.end()) {
        std::string list;
        for (auto at = circle; at != around.end(); ++at) list += (*at)->name + " -> ";
        report(field.type->loc, "E0618", "'" + held->first + "' holds itself: " + list + held->first,
               "fields are elements, arrays and other records");
      } else if (around.size() > kMaxRecords) {
        report(field.type->loc, "E0607", "records nest more than " + std::to_string(kMaxRecords) + " deep");
      } else {
        leaves += count(*held->second);
      }
      if (leaves > kMaxLeaves) {
        report(field.type->loc, "E0607",
               "'" + record.name + "' has more than " + std::to_string(kMaxLeaves) +
                   " fields, those of its records counted");
        leaves = 0;
      }
    }
    around.pop_back();
    return leaves_of[&record] = leaves;
  };
  for (const auto& record : file.records) count(*record);
}

void Compiler::import_names(File& file) {
  FileNames& names = file_names_[&file];
  for (const ImportDecl& import : file.imports) {
    try {
      const std::string path = folder_of(file.source->name) + import.path;
      File* other = load_file(path, import.path_loc);
      const FileNames& others = file_names_.at(other);
      for (const auto& [name, loc] : import.names) {
        if (const auto function = others.functions.find(name); function != others.functions.end()) {
          names.functions[name] = function->second;
        } else if (const auto record = others.records.find(name); record != others.records.end()) {
          names.records[name] = record->second;
        } else if (const auto constant = others.constants.find(name); constant != others.constants.end()) {
          names.constants[name] = constant->second;
        } else {
          std::vector<std::string_view> candidates;
          for (const auto& [known, decl] : others.functions) candidates.push_back(known);
          for (const auto& [known, decl] : others.records) candidates.push_back(known);
          const std::string near = nearest_word(name, candidates);
          report(loc, "E0619", import.path + " has no function, record or constant '" + name + "'",
                 near.empty() ? "" : "did you mean '" + near + "'?");
        }
      }
    } catch (const Abandoned&) {
    }
  }
}

// The numbers of dims and constants, in the order in which they stand.
void Compiler::value_dims(File& file) {
  FileNames& names = file_names_[&file];
  for (const DimDecl& dim : file.dims) {
    const std::string& atom = names.dims[dim.name];
    const auto given = file.number == 0 ? options_.dims.find(dim.name) : options_.dims.end();
    const bool is_formula = dim.value && dim.value->kind != Expr::Kind::kNumber;
    if (given != options_.dims.end()) {
      if (is_formula) {
        report(dim.loc, "E0642", "'" + dim.name + "' is a formula, which --dims does not change",
               "give --dims for the dims that it is made of");
        continue;
      }
      dim_values_[atom] = given->second;
    } else if (!dim.value) {
      report(dim.loc, "E0642", "the dim '" + dim.name + "' has no value",
             "give one here, dim " + dim.name + " = 64, or with --dims " + dim.name + "=64");
      dim_values_[atom] = 1;
    } else {
      call_->values = dim_values_;
      try {
        const Formula formula = dimension(*dim.value, true);
        dim_values_[atom] = value_of(formula, dim.loc);
        if (is_formula) equal_[atom] = formula;
      } catch (const Abandoned&) {
        dim_values_[atom] = 1;
      }
    }
    call_->values = dim_values_;
    mention_dim(dim.name, dim.loc);
    if (dim_values_[atom] < 0)
      report(dim.loc, "E0648", "the dim '" + dim.name + "' is negative: " + std::to_string(dim_values_[atom]));
  }
  if (file.number == 0) {
    for (const auto& [name, value] : options_.dims) {
      if (names.dims.count(name) != 0) continue;
      std::vector<std::string_view> candidates;
      for (const auto& [known, atom] : names.dims) candidates.push_back(known);
      const std::string near = nearest_word(name, candidates);
      report(Loc(), "E0641", "--dims: the file has no dim '" + name + "'",
             near.empty() ? "" : "did you mean '" + near + "'?");
    }
  }
  for (ConstDecl& constant : file.constants) {
    try {
      Expr& value = *constant.value;
      const Type type = check(value);
      if (!value.number) {
        if (value.kind == Expr::Kind::kCall) throw Abandoned();
        fail({value.begin}, "E0646", "the constant '" + constant.name + "' is not known when it is compiled",
             "constants are numbers, dims and + - * / ** sqrt min max div of them");
      }
      if (constant.type) {
        const Type wanted = type_of(*constant.type);
        if (type.element.is_open()) check_fits(value, *value.number, wanted.element, constant.name);
        if (wanted.element.is_float()) value.number = Number::of_real(value.number->real);
        value.type = wanted;
      }
    } catch (const Abandoned&) {
      constant.value->type = Type();
    }
  }
  check_requirements(file);
}

void Compiler::check_requirements(File& file) {
  for (const RequireDecl& require : file.requirements) {
    try {
      Expr& condition = *require.condition;
      const Type type = check(condition);
      if (!condition.number || !condition.number->is_pred) {
        fail({condition.begin}, "E0647",
             "a requirement is about dims and constants; '" + quote(condition) + "' is " + text(type));
      }
      if (condition.number->integer == 0) {
        std::string values;
        for (const auto& [name, atom] : names().dims) {
          const std::string words = " " + quote(condition) + " ";
          for (size_t at = words.find(name); at != std::string::npos; at = words.find(name, at + 1)) {
            if (is_word(words[at - 1]) || is_word(words[at + name.size()])) continue;
            values += (values.empty() ? ": " : ", ") + name + " is " + std::to_string(dim_values_[atom]);
            break;
          }
        }
        fail({condition.begin}, "E0647", quote(condition) + " does not hold" + values,
             "give other values, in the file or with --dims");
      }
      if (condition.kind == Expr::Kind::kBinary && condition.text == "==") {
        const std::optional<Formula> a = formula(*condition.children[0]), b = formula(*condition.children[1]);
        if (a && b && !(*a == *b)) {
          if (const auto name = b->lone_name()) {
            equal_[*name] = *a;
          } else if (const auto other = a->lone_name()) {
            equal_[*other] = *b;
          }
        }
      }
    } catch (const Abandoned&) {
    }
  }
}

// Functions that no call has reached are checked without numbers.
void Compiler::check_functions(File& file) {
  for (const auto& function : file.functions) {
    if (function->kind != Function::Kind::kExtern) continue;
    for (const std::vector<Slot>* slots : {&function->parameters, &function->results}) {
      for (const Slot& slot : *slots) {
        if (slot.type->dims.empty() && dtype_from_name(slot.type->name)) continue;
        report(slot.type->loc, "E0759", "an extern function takes and gives elements",
               function->name + "(x: f32) -> f32; given arrays, it is called for each element");
      }
    }
  }
  for (const auto& function : file.functions) {
    if (function->is_checked || function->kind == Function::Kind::kEntry) continue;
    if (function->kind == Function::Kind::kExtern && !function->value) continue;
    lowering_ = false;
    Call call;
    call.function = function.get();
    call.caller = nullptr;
    call.file = &file;
    call.dims = brought_dims(*function);
    call.values = dim_values_;
    // A number that most divide: quotients of it are whole.
    constexpr int64_t kStandIn = 5040;
    for (const std::string& dim : call.dims) call.values[dim] = kStandIn;
    for (const Generic& generic : function->generics) {
      call.generics[generic.name] = Element::of(generic.kind == "int" ? DType::kS32 : DType::kF32);
    }
    call.scopes.emplace_back();
    call_ = &call;
    try {
      enter(call, function->loc);
      for (const Slot& parameter : function->parameters) {
        Binding& binding = bind(parameter.name, parameter.loc, "a parameter");
        binding.value.type = type_of(*parameter.type);
        binding.quiet = true;
      }
      run_function(*function, call);
      leave_scope();
    } catch (const Abandoned&) {
    }
    call_ = nullptr;
    lowering_ = true;
    statement_indices_.clear();
    uses_.clear();
    reductions_.clear();
    subscript_depth_ = 0;
    expected_ = nullptr;
  }
}

void Compiler::compile_entry(const Function& entry) {
  Computation* computation = module_->add_computation(entry.name);
  module_->set_entry(computation);
  module_->name = entry.name;
  Call call;
  call.function = &entry;
  call.file = entry.file;
  call.values = dim_values_;
  call.scopes.emplace_back();
  call_ = &call;
  enter(call, entry.loc);
  builder_.begin(computation);
  try {
    for (const Slot& parameter : entry.parameters) {
      try {
        const Type type = type_of(*parameter.type);
        check_is_new(parameter.name, parameter.loc, false);
        Binding& binding = bind(parameter.name, parameter.loc, "a parameter");
        binding.value.type = type;
        builder_.place.loc = parameter.loc;
        for (const Leaf& leaf : leaves(type.element)) {
          std::vector<Formula> formulas = type.dims;
          formulas.insert(formulas.end(), leaf.dims.begin(), leaf.dims.end());
          std::string path = parameter.name + (leaf.path.empty() ? "" : "." + leaf.path);
          builder_.place.op_name = path;
          builder_.place.file = base_name(source().name);
          builder_.place.line = places_.at(source(), parameter.loc).line;
          builder_.place.frame = 0;
          std::replace(path.begin(), path.end(), '.', '_');
          Instruction* made = builder_.parameter(Shape::array(leaf.dtype, numbers(formulas)), path);
          binding.value.parts.push_back({made, {}, std::nullopt});
        }
      } catch (const Abandoned&) {
        bind(parameter.name, parameter.loc, "a parameter").quiet = true;
      }
    }
    read_weights();
    for (const Slot& result : entry.results) {
      if (result.into.empty()) continue;
      const Binding* parameter = find(result.into);
      if (parameter == nullptr || parameter->what != "a parameter")
        fail(result.into_loc, "E0755", "no parameter is called '" + result.into + "'");
      const Type type = type_of(*result.type);
      if (parameter->value.type.known() && !(type == parameter->value.type)) {
        fail({static_cast<uint32_t>(result.type->end + 1)}, "E0755",
             result.name + " is " + text(type) + ", the memory of " + result.into + " holds " +
                 text(parameter->value.type),
             "leave out 'into " + result.into + "', or give " + result.name + " the type of " + result.into);
      }
    }
    const std::vector<Value> results = run_function(entry, call);
    std::vector<Instruction*> elements;
    builder_.place = Place();
    for (size_t r = 0; r < results.size(); ++r) {
      const std::vector<Leaf> all = leaves(results[r].type.element);
      for (size_t leaf = 0; leaf < results[r].parts.size(); ++leaf) {
        Instruction* value = builder_.here(results[r].parts[leaf].value);
        std::string path = all[leaf].path;
        std::replace(path.begin(), path.end(), '.', '_');
        const std::string name = entry.results[r].name + (path.empty() ? "" : "_" + path);
        builder_.name(value, name);
        // Callers know results by these names, whatever the value is besides; a parameter is known by its own.
        if (value->opcode != Opcode::kParameter && variable_of(*value).empty()) set_variable(*value, name);
        elements.push_back(value);
      }
    }
    computation->set_root(elements.size() == 1 ? elements[0] : builder_.tuple(elements));
    set_aliases(entry, results);
    leave_scope();
  } catch (const Abandoned&) {
  }
  builder_.end();
  call_ = nullptr;
}

// `into`: results that are written into the memory of parameters.
void Compiler::set_aliases(const Function& entry, const std::vector<Value>& results) {
  int64_t output = 0;
  int64_t outputs = 0;
  for (const Value& result : results) outputs += static_cast<int64_t>(result.parts.size());
  for (size_t r = 0; r < results.size(); ++r) {
    const Slot& slot = entry.results[r];
    int64_t parameter = 0;
    for (const Slot& other : entry.parameters) {
      const size_t count = leaves(find(other.name)->value.type.element).size();
      if (!slot.into.empty() && other.name == slot.into) {
        for (size_t leaf = 0; leaf < count; ++leaf) {
          Alias alias;
          if (outputs > 1) alias.output_index = {output + static_cast<int64_t>(leaf)};
          alias.parameter = parameter + static_cast<int64_t>(leaf);
          alias.must_alias = true;
          module_->input_output_alias.push_back(alias);
        }
      }
      parameter += static_cast<int64_t>(count);
    }
    output += static_cast<int64_t>(results[r].parts.size());
  }
}

// Callees before callers, and nothing that the entry does not reach.
void Compiler::finish_module() {
  std::set<const Computation*> reached;
  std::vector<const Computation*> open = {module_->entry()};
  while (!open.empty()) {
    const Computation* computation = open.back();
    open.pop_back();
    if (!reached.insert(computation).second) continue;
    for (const Instruction& instruction : computation->instructions()) {
      for (const Computation* called : instruction.called_computations()) open.push_back(called);
    }
  }
  std::vector<Computation*> dead;
  for (const auto& computation : module_->computations()) {
    if (reached.count(computation.get()) == 0) dead.push_back(computation.get());
  }
  for (Computation* computation : dead) module_->remove_computation(computation);
  module_->sort_computations();
}

void Compiler::warn_unused() {
  std::stable_sort(warnings_.begin(), warnings_.end(),
                   [](const Warning& a, const Warning& b) { return a.loc.offset < b.loc.offset; });
  for (const Warning& warning : warnings_)
    diagnostics_.warning(warning.loc, warning.code, warning.message, warning.hint);
}

std::unique_ptr<Module> Compiler::compile() {
  const Source& source = diagnostics_.source();
  if (source.text.size() >= Loc::kNowhere) {
    diagnostics_.error(Loc(), "E0600", "the text is 4 GiB or longer");
    return nullptr;
  }
  // The file as diagnostics name it.
  const std::shared_ptr<const Source> shared(&source, [](const Source*) {});
  files_.push_back(Parser(diagnostics_, shared, 0).parse_file());
  File& file = *files_[0];
  if (!diagnostics_.ok()) return nullptr;
  files_by_path_[source.name] = nullptr;
  files_by_path_.erase(source.name);
  loading_.push_back(source.name);
  {
    const InFile inside(call_, &file, dim_values_);
    if (!read_names(file)) return nullptr;
  }
  if (file.entries.empty()) {
    diagnostics_.error({0}, "E0620", "the file has no entry: nothing is there to be called",
                       file.functions.empty()
                           ? "entry name(x: f32[n]) -> (y: f32[n]) { y = x }"
                           : "entry name(x: f32[n]) -> (y: f32[n]) { y = " + file.functions[0]->name + "(x) }");
    return nullptr;
  }
  Function* entry = file.entries[0];
  if (!options_.entry.empty()) {
    const auto found = std::find_if(file.entries.begin(), file.entries.end(),
                                    [&](const Function* f) { return f->name == options_.entry; });
    std::string list;
    for (const Function* other : file.entries) list += (list.empty() ? "" : ", ") + other->name;
    if (found == file.entries.end()) {
      diagnostics_.error(Loc(), "E0620", "--entry: the file has no entry '" + options_.entry + "'",
                         "its entries are " + list);
      return nullptr;
    }
    entry = *found;
  } else if (file.entries.size() > 1) {
    std::string list;
    for (const Function* other : file.entries) list += (list.empty() ? "" : ", ") + other->name;
    diagnostics_.error(file.entries[1]->loc, "E0620", "the file has several entries: " + list,
                       "--entry " + entry->name + " takes one");
    return nullptr;
  }
  compile_entry(*entry);
  drop_unused_weights();
  check_functions(file);
  if (options_.names != nullptr) mention_indices();
  if (!diagnostics_.ok()) return nullptr;
  warn_unused();
  finish_module();
  return std::move(module_);
}

}  // namespace grain
}  // namespace sinter
