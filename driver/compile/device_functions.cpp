#include "driver/compile/device_functions.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "driver/compile/call_attributes.h"
#include "driver/system/files.h"
#include "emitter/host/user_headers.h"
#include "emitter/text/user_header.h"
#include "ir/module/one_device.h"
#include "ir/module/solver_calls.h"
#include "ir/module/topk_calls.h"
#include "ir/support/nearest_word.h"
#include "passes/graph/base/graph_builder.h"
#include "review/read/device_header.h"

namespace sinter {

namespace {

bool is_identifier(const std::string& text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && !is_digit(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

// "ns::my_gelu".
bool is_qualified_name(const std::string& text) {
  for (size_t begin = 0;;) {
    const size_t end = std::min(text.find("::", begin), text.size());
    if (!is_identifier(text.substr(begin, end - begin))) return false;
    if (end == text.size()) return true;
    begin = end + 2;
  }
}

// An operand with the result's dimensions. Its own are the first of them, or 1 in their place: so a scalar is for all
// elements, and what jax.vmap makes of one for those of its lane.
bool can_spread(const Shape& operand, const Shape& result) {
  if (!operand.is_array() || operand.rank() > result.rank()) return false;
  for (size_t d = 0; d < operand.dims.size(); ++d) {
    if (operand.dims[d] != result.dims[d] && operand.dims[d] != 1) return false;
  }
  return true;
}

Instruction* spread(GraphBuilder& at, Instruction* operand, const Shape& result) {
  if (operand->shape.dims == result.dims) return operand;
  std::vector<int64_t> kept, where;
  for (size_t d = 0; d < operand->shape.dims.size(); ++d) {
    if (operand->shape.dims[d] == 1) continue;
    kept.push_back(operand->shape.dims[d]);
    where.push_back(static_cast<int64_t>(d));
  }
  if (kept != operand->shape.dims) operand = at.reshape(operand, kept);
  return at.broadcast(operand, result.dims, where);
}

std::string signature_text(const std::string& name, const HeaderFunction& function) {
  std::string text = function.result.text + " " + name + "(";
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    text += (i == 0 ? "" : ", ") + function.parameters[i].type.text;
    if (!function.parameters[i].name.empty()) text += " " + function.parameters[i].name;
  }
  return text + ")";
}

// Of a header at a path as the user has it.
FunctionBinding binding_of(std::string target, const std::string& header, std::string function) {
  const std::string path = std::filesystem::path(header).lexically_normal().generic_string();
  const bool leaves = path.starts_with("/") || path.starts_with("../");
  const size_t file = leaves ? path.rfind('/') + 1 : 0;
  return {.target = std::move(target),
          .name = {.header = path.substr(file), .function = std::move(function)},
          .folder = path.substr(0, file)};
}

bool any_usable(const std::vector<HeaderFunction>& overloads) {
  return std::any_of(overloads.begin(), overloads.end(),
                     [](const HeaderFunction& function) { return function.unusable.empty(); });
}

// One call, and the function that it may call.
class CallBinder {
 public:
  CallBinder(Instruction& call, const FunctionBinding& bound, std::vector<CallAttribute> attributes)
      : call_(call), bound_(bound), attributes_(std::move(attributes)) {}

  // Why the call's operands and attributes are not what the function takes; empty where they are.
  std::string why_not(const HeaderFunction& function) const {
    const size_t operands = call_.operands().size();
    if (function.parameters.size() < operands) {
      return "takes " + std::to_string(function.parameters.size()) + " elements, the call has " +
             std::to_string(operands) + " operands";
    }
    for (size_t i = 0; i < operands; ++i) {
      const HeaderFunction::Parameter& parameter = function.parameters[i];
      const DType given = call_.operand(i)->shape.dtype;
      if (parameter.type.element != given) {
        return "takes " + parameter.type.text + " as its parameter " + std::to_string(i) + ", operand %" +
               call_.operand(i)->name + " is " + type_text(given);
      }
    }
    std::set<std::string> used;
    for (size_t i = operands; i < function.parameters.size(); ++i) {
      const HeaderFunction::Parameter& parameter = function.parameters[i];
      const CallAttribute* attribute = find(parameter.name);
      if (attribute == nullptr)
        return "takes '" + parameter.name + "', which is neither an operand nor an attribute of the call";
      if (!attribute->value || attribute->value->shape().dtype != parameter.type.element)
        return "takes " + parameter.type.text + " " + parameter.name + ", the attribute is " + attribute->text;
      used.insert(parameter.name);
    }
    for (const CallAttribute& attribute : attributes_) {
      if (!used.contains(attribute.name))
        return "has no parameter '" + attribute.name + "' behind the operands, for the attribute of that name";
    }
    if (function.result.element != result().dtype)
      return "gives " + function.result.text + ", the call's result is " + type_text(result().dtype);
    return "";
  }

  void bind(const HeaderFunction& function) {
    GraphBuilder at(call_);
    const Shape result = this->result();
    std::vector<Instruction*> operands;
    for (Instruction* operand : call_.operands()) operands.push_back(spread(at, operand, result));
    for (size_t i = operands.size(); i < function.parameters.size(); ++i) {
      operands.push_back(spread(at, at.constant(*find(function.parameters[i].name)->value), result));
    }
    Attributes attributes;
    attributes.custom_call_target = call_.attributes->custom_call_target;
    Annotations annotations;
    annotations.frontend_attributes[kDeviceFunctionAttribute] = to_string(bound_.name);
    Instruction* call = &call_;
    if (call_.shape.is_tuple()) {
      call = call_.parent()->insert_before(&call_, Opcode::kCustomCall, result, operands, call_.name);
      call->metadata = call_.metadata;
      call->loc = call_.loc;
      call_.opcode = Opcode::kTuple;
      call_.set_operands({call});
      call_.attributes = {};
      call_.annotations = {};
    } else {
      call_.set_operands(operands);
    }
    call->attributes = std::move(attributes);
    call->annotations = std::move(annotations);
  }

  const Shape& result() const { return call_.shape.is_tuple() ? call_.shape.elements[0] : call_.shape; }

 private:
  static std::string type_text(DType dtype) {
    return std::string(dtype_name(dtype)) + " (" + std::string(dtype_cuda_name(dtype)) + ")";
  }

  const CallAttribute* find(const std::string& name) const {
    const auto found = std::find_if(attributes_.begin(), attributes_.end(),
                                    [&](const CallAttribute& attribute) { return attribute.name == name; });
    return found == attributes_.end() ? nullptr : &*found;
  }

  Instruction& call_;
  const FunctionBinding& bound_;
  std::vector<CallAttribute> attributes_;
};

class ProgramBinder {
 public:
  ProgramBinder(Module& module, Language language, std::vector<FunctionBinding> functions, FileReader read,
                UserHeaders* headers, Diagnostics& diagnostics)
      : module_(module),
        language_(language),
        functions_(std::move(functions)),
        read_(std::move(read)),
        headers_(headers),
        diagnostics_(diagnostics) {}

  bool run() {
    for (const auto& computation : module_.computations()) {
      for (Instruction& instruction : computation->instructions()) {
        if (instruction.opcode != Opcode::kCustomCall) continue;
        if (calls_device_function(instruction)) read_mark(instruction);
        calls_[instruction.attributes->custom_call_target.value_or("")].push_back(&instruction);
      }
    }
    if (functions_.empty()) return true;
    read_headers();
    if (!diagnostics_.ok()) return false;
    for (const FunctionBinding& function : functions_) bind_calls(function);
    return diagnostics_.ok();
  }

 private:
  // A mark in HLO text is none of ours; in a program in Grain it stands for an extern function.
  void read_mark(Instruction& call) {
    const DeviceFunctionName name = device_function(call);
    call.annotations.edit().frontend_attributes.erase(kDeviceFunctionAttribute);
    const std::string target = call.attributes->custom_call_target.value_or("");
    if (language_ != Language::kGrain || calls_.contains(target)) return;
    functions_.push_back(binding_of(target, name.header, name.function));
  }

  void read_headers() {
    std::string error;
    const auto read = [&](const std::string& path) -> std::optional<std::string> {
      for (const FunctionBinding& function : functions_) {
        std::optional<std::string> text = read_(function.folder + path, error);
        if (!text) continue;
        sources_[path] = std::make_shared<const Source>(Source{.name = function.folder + path, .text = *text});
        return text;
      }
      return std::nullopt;
    };
    std::map<std::string, std::vector<std::string>> wanted;  // functions, by header
    for (const FunctionBinding& function : functions_) {
      const std::string& header = function.name.header;
      wanted[header].push_back(function.name.function);
      if (!is_user_header(header)) {
        diagnostics_.error({}, "E0502", header + " is no header of device functions",
                           "it ends in .cuh, .h or .hpp, and is in no folder that emitted ones have, as device/");
        continue;
      }
      error.clear();
      add_user_header(header, read, &headers_->files);
      if (!headers_->files.contains(header)) diagnostics_.error({}, "E0502", "'" + function.target + "': " + error);
    }
    if (!diagnostics_.ok()) return;
    for (const auto& [header, names] : wanted) {
      contents_[header] = read_device_header(headers_->files, header, names);
      check_header(header, contents_.at(header));
    }
  }

  // What clang does not take of a header may be what our stand-ins for CUDA's headers lack: it matters where it keeps
  // functions from being found.
  void check_header(const std::string& path, const DeviceHeader& header) {
    bool is_found = true;
    for (const auto& [name, overloads] : header.functions) {
      is_found = is_found && any_usable(overloads);
    }
    headers_->is_known = headers_->is_known && header.errors.empty();
    for (const HeaderError& error : header.errors) {
      if (!is_found) {
        report(error.place, path, "E0502", error.message, "");
      } else if (&error == &header.errors.front()) {
        const HeaderPlace& at = error.place;
        const std::string place = file_name(at.line == 0 ? path : at.path) + ":" + std::to_string(at.line);
        diagnostics_.warning({}, "W0502", place + ": " + error.message,
                             "the header is taken as it is; what is emitted is not parsed");
      }
    }
    if (!is_found && !header.errors.empty()) return;
    for (const auto& [name, overloads] : header.functions) {
      if (overloads.empty()) report_missing(path, header, name);
      if (any_usable(overloads)) continue;
      for (const HeaderFunction& function : overloads)
        report(function.place, path, "E0504", name + " " + function.unusable, function.hint);
    }
  }

  void report_missing(const std::string& path, const DeviceHeader& header, const std::string& name) {
    std::string nearest = nearest_word(name, {header.others.begin(), header.others.end()});
    std::string all;
    for (const std::string& other : header.others) {
      if (other.ends_with("::" + name)) nearest = other;
      all += (all.empty() ? "its __device__ functions are " : ", ") + other;
    }
    const std::string hint = nearest.empty() ? all : "did you mean " + nearest + "?";
    diagnostics_.error_in(sources_.at(path), {}, "E0503", "there is no function " + name, hint);
  }

  void report(const HeaderPlace& place, const std::string& header, std::string_view code, const std::string& message,
              const std::string& hint) {
    const auto source = sources_.find(place.path);
    if (source == sources_.end()) return diagnostics_.error_in(sources_.at(header), {}, code, message, hint);
    size_t offset = 0;
    for (unsigned line = 1; line < place.line; ++line) offset = source->second->text.find('\n', offset) + 1;
    const Loc loc = {.offset = static_cast<uint32_t>(offset + place.column - 1)};
    diagnostics_.error_in(source->second, loc, code, message, hint);
  }

  // As the user has it.
  std::string file_name(const std::string& header) const {
    const auto source = sources_.find(header);
    return source == sources_.end() ? header : source->second->name;
  }

  void bind_calls(const FunctionBinding& function) {
    const auto calls = calls_.find(function.target);
    if (calls == calls_.end()) {
      std::vector<std::string_view> targets;
      for (const auto& [target, list] : calls_) targets.push_back(target);
      const std::string nearest = nearest_word(function.target, targets);
      diagnostics_.warning({}, "W0501", "no custom call of the program is of '" + function.target + "'",
                           nearest.empty() ? "" : "did you mean " + nearest + "?");
      return;
    }
    for (Instruction* call : calls->second) bind_call(*call, function);
  }

  void bind_call(Instruction& call, const FunctionBinding& bound) {
    const auto refuse = [&](const std::string& what, const std::string& hint) {
      diagnostics_.error(call.loc, "E0505", "'" + bound.target + "' " + what, hint);
    };
    const bool is_one = call.shape.is_tuple() && call.shape.elements.size() == 1;
    const Shape& result = is_one ? call.shape.elements[0] : call.shape;
    if (solver_call(call) || topk_call(call) || is_placement(bound.target))
      return refuse("is a call that sinter compiles itself", "");
    if (call.attributes->custom_call_has_side_effect.value_or(false))
      return refuse("is called for an effect", "a device function computes elements, and nothing else");
    if (!result.is_array())
      return refuse("gives several arrays", "a device function gives one element: a call for each");
    if (call.operands().empty()) return refuse("has no operands", "a device function takes an element at least");
    for (const Instruction* operand : call.operands()) {
      if (can_spread(operand->shape, result)) continue;
      return refuse("has an operand %" + operand->name + " of " + to_string(operand->shape, false) +
                        " for a result of " + to_string(result, false),
                    "operands have the dimensions of the result, or the first of them; 1 stands for any");
    }
    std::optional<std::vector<CallAttribute>> attributes = call_attributes(call.annotations->backend_config);
    if (!attributes)
      return refuse("has a backend_config that is no list of attributes", "jax.ffi.ffi_call(...)(x, alpha=...)");
    CallBinder binder(call, bound, std::move(*attributes));
    const std::vector<HeaderFunction>& overloads = contents_.at(bound.name.header).functions.at(bound.name.function);
    std::vector<const HeaderFunction*> fitting;
    std::string why;
    for (const HeaderFunction& function : overloads) {
      if (!function.unusable.empty()) continue;
      const std::string reason = binder.why_not(function);
      if (reason.empty()) fitting.push_back(&function);
      if (!reason.empty()) why = reason;
    }
    if (fitting.size() == 1) return binder.bind(*fitting[0]);
    std::string all;
    for (const HeaderFunction& function : overloads) {
      all += (all.empty() ? "" : "; ") + file_name(function.place.path) + ":" + std::to_string(function.place.line) +
             " has " + signature_text(bound.name.function, function);
    }
    const bool several = overloads.size() > 1;
    if (!fitting.empty()) return refuse("fits several functions " + bound.name.function, all);
    refuse(several ? "fits none of the functions " + bound.name.function
                   : "does not fit: " + bound.name.function + " " + why,
           all);
  }

  Module& module_;
  Language language_;
  std::vector<FunctionBinding> functions_;
  FileReader read_;
  UserHeaders* headers_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::vector<Instruction*>> calls_;  // by target
  std::map<std::string, std::shared_ptr<const Source>> sources_;
  std::map<std::string, DeviceHeader> contents_;
};

}  // namespace

std::optional<FunctionBinding> parse_device_function(const std::string& text) {
  const size_t equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || colon == std::string::npos || equals == 0) return std::nullopt;
  const std::string header = text.substr(equals + 1, colon - equals - 1), function = text.substr(colon + 1);
  if (header.empty() || !is_qualified_name(function)) return std::nullopt;
  return binding_of(text.substr(0, equals), header, function);
}

std::string device_function_text(const std::vector<FunctionBinding>& functions) {
  std::string text;
  for (const FunctionBinding& function : functions)
    text += " --device-function=" + function.target + "=" + to_string(function.name);
  return text;
}

bool bind_device_functions(Module& module, const GrainChoice& choice, const std::vector<FunctionBinding>& functions,
                           UserHeaders* headers, Diagnostics& diagnostics) {
  const Language language = language_of(diagnostics.source(), choice);
  const FileReader read = choice.read_file ? choice.read_file : read_file;
  return ProgramBinder(module, language, functions, read, headers, diagnostics).run();
}

FileSet with_user_headers(FileSet files, const std::string& folder, const FileReader& read) {
  const auto find = [&](const std::string& path) -> std::optional<std::string> {
    std::string error;
    for (std::filesystem::path above = folder;; above = above.parent_path()) {
      if (std::optional<std::string> text = read((above / path).generic_string(), error)) return text;
      if (above.empty() || above == above.parent_path()) return std::nullopt;
    }
  };
  files.merge(user_headers_of(files, find));
  return files;
}

FileSet with_user_headers(FileSet files, const std::string& folder) {
  std::error_code ignored;
  return with_user_headers(std::move(files), std::filesystem::absolute(folder, ignored).generic_string(), read_file);
}

}  // namespace sinter
