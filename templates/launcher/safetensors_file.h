// safetensors_file.h: weights in a safetensors file, on disk or in memory. Any file may be given:
// every size and offset is checked before it is used (runner/safetensors.h).

#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "launcher/weights_file.h"
#include "runner/safetensors.h"

inline namespace sinter_helpers {

class SafetensorsFile : public WeightsFile {
 public:
  explicit SafetensorsFile(const char* path) : name_(path == nullptr ? "no path" : path) {
    if (path != nullptr) file_.reset(std::fopen(path, "rb"));
    if (file_ == nullptr) {
      fail("cannot be opened");
    } else if (const long end = length(); end < 0) {
      fail("cannot be read");
    } else {
      read_header(static_cast<uint64_t>(end));
    }
  }
  SafetensorsFile(const void* file, size_t bytes)
      : name_("the file in memory"), memory_(static_cast<const char*>(file)) {
    if (file == nullptr) {
      fail("is a null pointer");
    } else {
      read_header(bytes);
    }
  }

  const char* problem() const override { return problem_.c_str(); }

  const char* build() const override {
    const auto said = metadata_.find(tensor_file::kBuildKey);
    return said == metadata_.end() ? "" : said->second.c_str();
  }

  int64_t find(const char* name, const char* dtype, int rank, const int64_t* dims) override {
    const std::string type = tensor_file::type_of_hlo(dtype);
    const std::vector<int64_t> shape(dims, dims + rank);
    for (const tensor_file::Entry& entry : entries_) {
      if (entry.name != name) continue;
      if (entry.dtype == type && entry.shape == shape)
        return data_ + static_cast<int64_t>(entry.begin);
      fail("has " + entry.name + " as " + describe(entry.dtype, entry.shape) + ", not " +
           describe(type, shape));
      return -1;
    }
    fail(std::string("has no tensor ") + name);
    return -1;
  }

  const void* read(int64_t position, int64_t bytes) override {
    if (memory_ != nullptr) return memory_ + position;
    if (piece_ == nullptr) piece_.reset(new (std::nothrow) char[kPiece]);
    const auto count = static_cast<size_t>(bytes);
    if (piece_ != nullptr && std::fseek(file_.get(), static_cast<long>(position), SEEK_SET) == 0 &&
        std::fread(piece_.get(), 1, count, file_.get()) == count) {
      return piece_.get();
    }
    fail("cannot be read");
    return nullptr;
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  long length() { return std::fseek(file_.get(), 0, SEEK_END) == 0 ? std::ftell(file_.get()) : -1; }

  void fail(const std::string& what) {
    if (problem_.empty()) problem_ = name_ + " " + what;
  }

  static std::string describe(const std::string& dtype, const std::vector<int64_t>& shape) {
    return dtype + tensor_file::detail::spell(shape, "[", "]");
  }

  // The first bytes of the file. A header may be longer than a piece.
  bool copy(int64_t position, size_t bytes, char* to) {
    for (size_t done = 0; done < bytes;) {
      const size_t count = bytes - done < size_t{kPiece} ? bytes - done : size_t{kPiece};
      const void* piece = read(position + static_cast<int64_t>(done), static_cast<int64_t>(count));
      if (piece == nullptr) return false;
      std::memcpy(to + done, piece, count);
      done += count;
    }
    return true;
  }

  void read_header(uint64_t file_bytes) {
    char begin[sizeof(uint64_t)];
    uint64_t header_bytes = 0;
    std::string error;
    const size_t there = file_bytes < sizeof begin ? static_cast<size_t>(file_bytes) : sizeof begin;
    if (!copy(0, there, begin)) return;
    if (!tensor_file::parse_header_bytes({begin, there}, file_bytes, header_bytes, error))
      return fail("is wrong: " + error);
    std::string header(static_cast<size_t>(header_bytes), '\0');
    if (!copy(sizeof begin, header.size(), header.data())) return;
    data_ = static_cast<int64_t>(sizeof begin + header_bytes);
    if (!tensor_file::parse_header(header, file_bytes - sizeof begin - header_bytes, entries_,
                                   metadata_, error))
      fail("is wrong: " + error);
  }

  std::string name_;
  std::unique_ptr<std::FILE, Close> file_;
  std::unique_ptr<char[]> piece_;  // of the file on disk
  const char* memory_ = nullptr;
  int64_t data_ = 0;  // where it begins in the file
  std::vector<tensor_file::Entry> entries_;
  tensor_file::Metadata metadata_;
  std::string problem_;
};

}  // namespace sinter_helpers
