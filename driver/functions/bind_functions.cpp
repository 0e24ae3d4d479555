#include "driver/functions/bind_functions.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "driver/functions/call_attributes.h"
#include "driver/functions/call_binder.h"
#include "driver/system/files.h"
#include "emitter/host/add_helpers.h"
#include "emitter/host/user_headers.h"
#include "emitter/text/user_header.h"
#include "ir/module/host_functions.h"
#include "ir/module/one_device.h"
#include "ir/module/solver_calls.h"
#include "ir/module/topk_calls.h"
#include "ir/support/nearest_word.h"
#include "review/modules/program_alone.h"
#include "review/read/device_header.h"

namespace sinter {

namespace {

std::string signature_text(const std::string& name, const HeaderFunction& function) {
  std::string text = function.result.text + " " + name + "(";
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    text += (i == 0 ? "" : ", ") + function.parameters[i].type.text;
    if (!function.parameters[i].name.empty()) text += " " + function.parameters[i].name;
  }
  return text + ")";
}

bool any_usable(const std::vector<HeaderFunction>& overloads) {
  return std::any_of(overloads.begin(), overloads.end(),
                     [](const HeaderFunction& function) { return function.unusable.empty(); });
}

// A header, and who calls its functions.
using HeaderSide = std::pair<std::string, CallSide>;

class ProgramBinder {
 public:
  ProgramBinder(Module& module, bool is_grain, std::vector<FunctionBinding> functions, HeaderFiles read,
                UserHeaders* headers, Diagnostics& diagnostics)
      : module_(module),
        is_grain_(is_grain),
        functions_(std::move(functions)),
        read_(std::move(read)),
        headers_(headers),
        diagnostics_(diagnostics) {}

  bool run() {
    for (const auto& computation : module_.computations()) {
      for (Instruction& instruction : computation->instructions()) {
        if (instruction.opcode != Opcode::kCustomCall) continue;
        if (calls_device_function(instruction)) read_mark(instruction);
        if (calls_row_function(instruction))
          instruction.annotations.edit().frontend_attributes.erase(kRowFunctionAttribute);
        if (calls_host_function(instruction))
          instruction.annotations.edit().frontend_attributes.erase(kHostFunctionAttribute);
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
    if (!is_grain_ || calls_.contains(target)) return;
    if (std::ranges::any_of(functions_, [&](const FunctionBinding& other) { return other.target == target; })) {
      diagnostics_.error(call.loc, "E0505", "'" + target + "' is bound twice",
                         "the program says which function it is; leave the option out");
      return;
    }
    functions_.push_back(binding_of(target, name.header, name.function, CallSide::kKernels));
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
    std::map<HeaderSide, std::vector<std::string>> wanted;  // functions
    for (const FunctionBinding& function : functions_) {
      const std::string& header = function.name.header;
      wanted[{header, function.side}].push_back(function.name.function);
      if (!is_user_header(header)) {
        diagnostics_.error({}, "E0502", header + " is no header of functions",
                           "it ends in .cuh, .h or .hpp, and is in no folder that emitted ones have, as device/");
        continue;
      }
      error.clear();
      add_user_header(header, read, &headers_->files);
      if (!headers_->files.contains(header)) diagnostics_.error({}, "E0502", "'" + function.target + "': " + error);
    }
    if (!diagnostics_.ok()) return;
    for (const auto& [path, source] : sources_) headers_->opened.push_back(source->name);
    FileSet files = headers_->files;
    add_helpers(files, headers_->files);
    for (const auto& [place, names] : wanted) {
      contents_[place] = read_device_header(files, place.first, names, place.second);
      check_header(place, contents_.at(place));
    }
  }

  // What clang does not take of a header may be what our stand-ins for CUDA's headers lack: it matters where it keeps
  // functions from being found.
  void check_header(const HeaderSide& place, const DeviceHeader& header) {
    const std::string& path = place.first;
    bool is_found = true;
    for (const auto& [name, overloads] : header.functions) is_found = is_found && any_usable(overloads);
    headers_->is_known = headers_->is_known && header.errors.empty();
    const bool is_explained = explain_unusable(place, header);
    for (const HeaderError& error : header.errors) {
      if (error.is_certain || !(is_found || is_explained)) {
        report(error.place, path, "E0502", error.message, "");
      } else if (&error == &header.errors.front()) {
        const HeaderPlace& at = error.place;
        const std::string line = file_name(at.line == 0 ? path : at.path) + ":" + std::to_string(at.line);
        diagnostics_.warning({}, "W0502", line + ": " + error.message,
                             "the header is taken as it is; what is emitted is not parsed");
      }
    }
  }

  // Reports why functions cannot be called. False where there is one of which that is not known: what clang does not
  // take may be why it did not see it, or not all of it.
  bool explain_unusable(const HeaderSide& place, const DeviceHeader& header) {
    bool is_known = true;
    for (const auto& [name, overloads] : header.functions) {
      const auto is_read = [](const HeaderFunction& function) { return function.is_read; };
      const bool knows = header.errors.empty() || (overloads.empty() ? !nearest_of(header, name).empty()
                                                                     : std::ranges::all_of(overloads, is_read));
      is_known = is_known && (knows || any_usable(overloads));
      if (!knows || any_usable(overloads)) continue;
      if (overloads.empty()) report_missing(place, header, name);
      for (const HeaderFunction& function : overloads)
        report(function.place, place.first, "E0504", name + " " + function.unusable, function.hint);
    }
    return is_known;
  }

  // The function that is perhaps meant; empty: none.
  static std::string nearest_of(const DeviceHeader& header, const std::string& name) {
    for (const std::string& other : header.others) {
      if (other.ends_with("::" + name)) return other;
    }
    return nearest_word(name, {header.others.begin(), header.others.end()});
  }

  void report_missing(const HeaderSide& place, const DeviceHeader& header, const std::string& name) {
    const std::string kind = place.second == CallSide::kKernels ? "__device__" : "host";
    const std::string nearest = nearest_of(header, name);
    std::string all;
    for (const std::string& other : header.others) {
      all += (all.empty() ? "its " + kind + " functions are " : ", ") + other;
    }
    const std::string hint = nearest.empty() ? all : "did you mean " + nearest + "?";
    diagnostics_.error_in(sources_.at(place.first), {}, "E0503", "there is no function " + name, hint);
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
    if (solver_call(call) || topk_call(call) || is_placement(bound.target))
      return refuse("is a call that sinter compiles itself", "");
    if (call.attributes->custom_call_has_side_effect.value_or(false))
      return refuse("is called for an effect", "a function computes its results, and nothing else");
    std::optional<std::vector<CallAttribute>> attributes = call_attributes(call.annotations->backend_config);
    if (!attributes)
      return refuse("has a backend_config that is no list of attributes", "jax.ffi.ffi_call(...)(x, alpha=...)");
    const bool of_elements = bound.side == CallSide::kKernels;
    const std::unique_ptr<CallBinder> binder = of_elements ? element_binder(call, bound, std::move(*attributes))
                                                           : array_binder(call, bound, std::move(*attributes));
    if (const CallBinder::Refusal refusal = binder->refusal(); !refusal.what.empty())
      return refuse(refusal.what, refusal.hint);
    const DeviceHeader& header = contents_.at({bound.name.header, bound.side});
    const std::vector<HeaderFunction>& overloads = header.functions.at(bound.name.function);
    std::vector<const HeaderFunction*> fitting;
    std::string why;
    for (const HeaderFunction& function : overloads) {
      if (!function.unusable.empty()) continue;
      const std::string reason = binder->why_not(function);
      if (reason.empty()) fitting.push_back(&function);
      if (!reason.empty()) why = reason;
    }
    if (fitting.size() == 1) return binder->bind(*fitting[0]);
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
  bool is_grain_;
  std::vector<FunctionBinding> functions_;
  HeaderFiles read_;
  UserHeaders* headers_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::vector<Instruction*>> calls_;  // by target
  std::map<std::string, std::shared_ptr<const Source>> sources_;
  std::map<HeaderSide, DeviceHeader> contents_;
};

}  // namespace

bool bind_functions(Module& module, bool is_grain, const std::vector<FunctionBinding>& functions,
                    const HeaderFiles& read, UserHeaders* headers, Diagnostics& diagnostics) {
  return ProgramBinder(module, is_grain, functions, read, headers, diagnostics).run();
}

FileSet with_outside_files(FileSet files, const std::string& folder, const HeaderFiles& read) {
  const auto find = [&](const std::string& path) -> std::optional<std::string> {
    std::string error;
    for (std::filesystem::path above = folder;; above = above.parent_path()) {
      if (std::optional<std::string> text = read((above / path).generic_string(), error)) return text;
      if (above.empty() || above == above.parent_path()) return std::nullopt;
    }
  };
  files = program_alone(std::move(files), [&](const std::string& path) {
    std::string error;
    return read((std::filesystem::path(folder) / ".." / path).lexically_normal().generic_string(), error);
  });
  files.merge(user_headers_of(files, find));
  return files;
}

FileSet with_outside_files(FileSet files, const std::string& folder) {
  std::error_code ignored;
  return with_outside_files(std::move(files), std::filesystem::absolute(folder, ignored).generic_string(), read_file);
}

}  // namespace sinter
