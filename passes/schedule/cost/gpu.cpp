#include "passes/schedule/cost/gpu.h"

#include <llvm/Support/JSON.h>

namespace sinter {

namespace {

// Reads the members of a data file, of which none may be missing.
class Reader {
 public:
  Reader(const llvm::json::Object& object, std::string& error) : object_(object), error_(error) {}

  void read(const char* key, std::string& text) {
    if (const std::optional<llvm::StringRef> found = object_.getString(key)) {
      text = found->str();
    } else {
      complain(key, "text");
    }
  }
  void read(const char* key, double& number) {
    const std::optional<double> found = object_.getNumber(key);
    if (!found || *found <= 0) return complain(key, "positive number");
    number = *found;
  }
  void read(const char* key, int64_t& number) {
    const std::optional<int64_t> found = object_.getInteger(key);
    if (!found || *found <= 0) return complain(key, "positive whole number");
    number = *found;
  }
  void read(const char* key, std::vector<std::string>& texts) {
    const llvm::json::Array* found = object_.getArray(key);
    if (found == nullptr) return complain(key, "list of texts");
    for (const llvm::json::Value& value : *found) {
      const std::optional<llvm::StringRef> text = value.getAsString();
      if (!text) return complain(key, "list of texts");
      texts.push_back(text->str());
    }
  }

 private:
  void complain(const std::string& key, const std::string& wanted) {
    if (error_.empty()) error_ = "'" + key + "' is missing or no " + wanted;
  }

  const llvm::json::Object& object_;
  std::string& error_;
};

}  // namespace

std::optional<Gpu> parse_gpu(std::string_view text, std::string& error) {
  error.clear();
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(llvm::StringRef(text.data(), text.size()));
  if (!value) {
    error = llvm::toString(value.takeError());
    return std::nullopt;
  }
  const llvm::json::Object* object = value->getAsObject();
  if (object == nullptr) {
    error = "not a JSON object";
    return std::nullopt;
  }
  Gpu gpu;
  Reader reader(*object, error);
  reader.read("name", gpu.name);
  reader.read("title", gpu.title);
  reader.read("default_for", gpu.default_for);
  reader.read("multiprocessors", gpu.multiprocessors);
  reader.read("clock_ghz", gpu.clock_ghz);
  reader.read("threads_per_multiprocessor", gpu.threads);
  reader.read("blocks_per_multiprocessor", gpu.blocks);
  reader.read("registers_per_multiprocessor", gpu.registers);
  reader.read("shared_bytes_per_multiprocessor", gpu.shared_bytes);
  reader.read("f32_lanes", gpu.f32_lanes);
  reader.read("f64_lanes", gpu.f64_lanes);
  reader.read("integer_lanes", gpu.integer_lanes);
  reader.read("special_lanes", gpu.special_lanes);
  if (object->get("tensor_fma") != nullptr) reader.read("tensor_fma", gpu.tensor_fma);
  if (object->get("tensor_f64_fma") != nullptr) reader.read("tensor_f64_fma", gpu.tensor_f64_fma);
  if (object->get("memory_bytes") != nullptr) reader.read("memory_bytes", gpu.memory_bytes);
  reader.read("memory_gb_per_s", gpu.memory_gb_per_s);
  reader.read("l2_bytes", gpu.l2_bytes);
  reader.read("l2_gb_per_s", gpu.l2_gb_per_s);
  reader.read("launch_us", gpu.launch_us);
  if (!error.empty()) return std::nullopt;
  return gpu;
}

}  // namespace sinter
