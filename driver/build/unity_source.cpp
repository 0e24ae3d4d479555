// Headers that are the same in every folder are included once, by head.h. What else an emitted file includes is put in
// its place, inside the program's namespace; includes of the standard library stand at the top.
#include "driver/build/unity_source.h"

#include <set>
#include <sstream>

#include "emitter/text/emit_names.h"
#include "ir/support/diagnostics.h"
#include "templates/templates.h"

namespace sinter {
namespace {

// Copies to the device and back around a run; on the CPU the arrays are used as they are.
constexpr const char* kDeviceArrays = R"(
namespace {

// The host's arrays on the device, in order; nullptr for empty ones.
class DeviceArrays {
 public:
  DeviceArrays(void* const* arrays, const std::vector<size_t>& bytes)
      : arrays_(arrays), bytes_(bytes), devices_(bytes.size() + 1, nullptr) {
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] == 0) continue;
      ok = ok && cudaMalloc(&devices_[i], bytes[i]) == cudaSuccess &&
           cudaMemcpy(devices_[i], arrays[i], bytes[i], cudaMemcpyHostToDevice) == cudaSuccess;
    }
  }
  ~DeviceArrays() {
    for (void* device : devices_) cudaFree(device);
  }
  void* const* get() const { return devices_.data(); }
  bool read_back(size_t first) const {
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    for (size_t i = first; i < bytes_.size(); ++i) {
      if (bytes_[i] == 0) continue;
      good = good && cudaMemcpy(arrays_[i], devices_[i], bytes_[i], cudaMemcpyDeviceToHost) == cudaSuccess;
    }
    return good;
  }
  bool ok = true;

 private:
  void* const* arrays_;
  std::vector<size_t> bytes_;
  std::vector<void*> devices_;
};

}  // namespace
)";

// Emitted text is put together line by line.
class UnityWriter {
 public:
  explicit UnityWriter(bool cuda) : cuda_(cuda) {}

  void add(const LibraryProgram& program) {
    files_ = program.files;
    seen_.clear();
    const std::string& name = program.name;
    text_ += "namespace space_" + name + " {\n" + spliced(header_path(name));
    for (const auto& [path, content] : *files_) {
      if (path.starts_with("kernels/") && path.ends_with(".cu")) text_ += spliced(path);
    }
    text_ += spliced(name + ".cu") + "}\n\n";
    add_runner(name);
  }

  std::string finish() const {
    std::string head;
    for (const std::string& include : system_includes_) head += include + "\n";
    for (const std::string& include : library_includes_) head += include + "\n";
    return head + (cuda_ ? kDeviceArrays : "") + "\n" + text_;
  }

 private:
  // A file's text without lines that concern files.
  std::string spliced(const std::string& path) {
    if (!seen_.insert(path).second) return "";
    const auto file = files_->find(path);
    check(file != files_->end(), "unity_source", "the folder has no file " + path);
    std::istringstream lines(file->second);
    std::string text;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("#pragma once")) continue;
      // Types of the CUDA runtime are declared already, outside the namespace.
      if (line.starts_with("struct CUstream_st;")) continue;
      if (line.starts_with("#include <")) {
        system_includes_.insert(line);
      } else if (line.starts_with("#include \"")) {
        const std::string included = line.substr(10, line.rfind('"') - 10);
        const bool interface = included.find('/') != std::string::npos && files_->contains("include/" + included);
        const auto own = files_->find(interface ? "include/" + included : included);
        const bool shared = own == files_->end() || own->second == template_text(included);
        if (included.starts_with("library/")) library_includes_.insert(line);
        if (!shared) text += spliced(own->first);
      } else {
        text += line + "\n";
      }
    }
    return text;
  }

  void add_runner(const std::string& name) {
    const std::string type = upper_camel(name);
    const auto line = [&](const std::string& text) { text_ += "  " + text + "\n"; };
    text_ += "extern \"C\" int run_" + name + "(void* const* arrays, char* message, size_t size) {\n";
    line("using namespace space_" + name + ";");
    line(type + "Inputs in;");
    line(type + "Outputs out;");
    const std::string inputs = "k" + type + "InputCount", outputs = "k" + type + "OutputCount";
    if (cuda_) {
      line("std::vector<size_t> bytes;");
      line("for (int i = 0; i < " + inputs + "; ++i) bytes.push_back(k" + type + "InputTable[i].bytes);");
      line("for (int i = 0; i < " + outputs + "; ++i) bytes.push_back(k" + type + "OutputTable[i].bytes);");
      line("const DeviceArrays device(arrays, bytes);");
      line("if (!device.ok) return snprintf(message, size, \"no device memory\"), 1;");
      line("arrays = device.get();");
    }
    // C has no empty structs: one without members holds something else.
    line("memcpy(static_cast<void*>(&in), arrays, " + inputs + " * sizeof(void*));");
    line("memcpy(static_cast<void*>(&out), arrays + " + inputs + ", " + outputs + " * sizeof(void*));");
    line(type + "Instance* instance = nullptr;");
    line("bool ok = " + name + "_create(&instance) == k" + type + "Ok &&");
    line("          " + name + "_run(instance, &in, &out, nullptr) == k" + type + "Ok;");
    line("if (!ok) snprintf(message, size, \"%s\", " + name + "_last_error());");
    if (cuda_) {
      line("if (ok && !device.read_back(" + inputs + ")) ok = false, snprintf(message, size, \"the device failed\");");
    }
    line(name + "_destroy(instance);");
    line("return ok ? 0 : 1;");
    text_ += "}\n\n";
  }

  const bool cuda_;
  const FileSet* files_ = nullptr;
  std::set<std::string> seen_;
  std::set<std::string> library_includes_;
  std::set<std::string> system_includes_ = {"#include <cstdio>", "#include <cstring>", "#include <vector>"};
  std::string text_;
};

}  // namespace

FileSet unity_headers() {
  FileSet files;
  std::string head;
  for (const std::string_view name : template_names()) {
    const bool included = name.starts_with("device/") || name.starts_with("launcher/");
    if (!included && !name.starts_with("cpu/")) continue;
    files.emplace(name, template_text(name));
    if (included) head += "#include \"" + std::string(name) + "\"\n";
  }
  for (const char* name : {"algorithm", "cstddef", "cstdint", "cstdio", "cstring", "new"}) {
    head += "#include <" + std::string(name) + ">\n";
  }
  files["head.h"] = head;
  return files;
}

std::string unity_source(const std::vector<LibraryProgram>& programs, bool cuda) {
  UnityWriter writer(cuda);
  for (const LibraryProgram& program : programs) writer.add(program);
  return writer.finish();
}

FileSet unity_libraries(const std::vector<LibraryProgram>& programs) {
  FileSet files;
  for (const LibraryProgram& program : programs) {
    for (const auto& [path, content] : *program.files) {
      if (path.starts_with("library/")) files.emplace(path, content);
    }
  }
  return files;
}

FileSet unity_weights(const std::vector<LibraryProgram>& programs) {
  constexpr std::string_view kBin = "\"weights.bin\"";
  FileSet files;
  std::string text;
  for (const LibraryProgram& program : programs) {
    const auto source = program.files->find("weights.cpp");
    if (source == program.files->end()) continue;
    const std::string bin = program.name + "_weights.bin";
    std::string own = source->second;
    const size_t at = own.find(kBin);
    check(at != std::string::npos, program.name, "weights.cpp does not name weights.bin");
    own.replace(at, kBin.size(), "\"" + bin + "\"");
    text += own;
    files[bin] = program.files->at("weights.bin");
  }
  if (!text.empty()) files["weights.cpp"] = text;
  return files;
}

}  // namespace sinter
