// Reading safetensors: 8 bytes of header length, a JSON header, the data.
#include "tests/conformance/safetensors.h"

#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "llvm/Support/JSON.h"

namespace sinter {
namespace {

DType dtype_of(const std::string& name) {
  static const std::map<std::string, DType> kNames = {
      {"BOOL", DType::kPred}, {"I8", DType::kS8},   {"I16", DType::kS16}, {"I32", DType::kS32}, {"I64", DType::kS64},
      {"U8", DType::kU8},     {"U16", DType::kU16}, {"U32", DType::kU32}, {"U64", DType::kU64}, {"F16", DType::kF16},
      {"BF16", DType::kBF16}, {"F32", DType::kF32}, {"F64", DType::kF64}, {"C64", DType::kC64}};
  return kNames.at(name);
}

}  // namespace

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<Literal> read_safetensors(const std::string& path) {
  const std::string file = read_text(path);
  uint64_t header_size = 0;
  std::memcpy(&header_size, file.data(), 8);
  llvm::Expected<llvm::json::Value> header = llvm::json::parse(file.substr(8, header_size));
  if (!header) throw std::runtime_error("bad header in " + path);
  const char* data = file.data() + 8 + header_size;
  std::vector<Literal> tensors;
  while (const llvm::json::Object* entry = header->getAsObject()->getObject(std::to_string(tensors.size()))) {
    std::vector<int64_t> dims;
    for (const llvm::json::Value& size : *entry->getArray("shape")) dims.push_back(*size.getAsInteger());
    Literal tensor(Shape::array(dtype_of(entry->getString("dtype")->str()), dims));
    const int64_t start = *(*entry->getArray("data_offsets"))[0].getAsInteger();
    std::memcpy(tensor.mutable_bytes().data(), data + start, tensor.bytes().size());
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

}  // namespace sinter
