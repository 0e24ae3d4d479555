// embedding_lookup.hpp: embedding_lookup.h for C++17, inline over it. What goes wrong is thrown:
//
//   embedding_lookup::Instance model;  // throws embedding_lookup::Error
//   model.embedding_lookup(in, out, stream);
//   model.places(in, out, stream);
//
// or returned, also under -fno-exceptions, by members that are called try_...

#pragma once

#if __cplusplus < 201703L
#error "embedding_lookup.hpp needs C++17; embedding_lookup.h does not"
#endif

#include <cstdint>
#include <utility>

#include "embedding_lookup/embedding_lookup.h"
#include "embedding_lookup_embedding_lookup/embedding_lookup_embedding_lookup.hpp"
#include "embedding_lookup_places/embedding_lookup_places.hpp"

#ifdef __cpp_exceptions
#include <stdexcept>
#endif

// A namespace an interface: parts of a program that were compiled with different versions of this
// file link, and those with another interface than the library's are refused.
namespace embedding_lookup {
inline namespace interface_5611f989edc91117 {

using Stream = CUstream_st*;  // a cudaStream_t

// What a call says: kEmbeddingLookupOk, or another status and a sentence, which holds until
// this thread's next call.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  explicit Status(EmbeddingLookupStatus code) noexcept : Status(code, embedding_lookup_last_error()) {}
  Status(EmbeddingLookupStatus code, const char* text) noexcept : code_(code), text_(text) {}

  bool ok() const noexcept { return code_ == kEmbeddingLookupOk; }
  EmbeddingLookupStatus code() const noexcept { return code_; }
  const char* text() const noexcept { return text_; }
  // What the code means, whichever call gives it. Holds for ever.
  const char* meaning() const noexcept { return embedding_lookup_status_text(code_); }

 private:
  EmbeddingLookupStatus code_ = kEmbeddingLookupOk;
  const char* text_ = "";
};

#ifdef __cpp_exceptions
class Error : public std::runtime_error {
 public:
  explicit Error(const Status& status) : std::runtime_error(status.text()), code_(status.code()) {}

  EmbeddingLookupStatus code() const noexcept { return code_; }
  const char* meaning() const noexcept { return embedding_lookup_status_text(code_); }

 private:
  EmbeddingLookupStatus code_;
};

inline void check(const Status& status) {
  if (!status.ok()) throw Error(status);
}
#endif

// EmbeddingLookupOptions, with its defaults.
struct Options : EmbeddingLookupOptions {
  Options() noexcept : EmbeddingLookupOptions(EMBEDDING_LOOKUP_OPTIONS) {}
};

inline const EmbeddingLookupInfo& info() noexcept { return *embedding_lookup_info(); }
inline std::int64_t workspace_bytes() noexcept { return embedding_lookup_workspace_bytes(); }

// Moved from or reset, it has none: runs are refused.
class Instance {
 public:
#ifdef __cpp_exceptions
  Instance() : Instance(Options()) {}
  explicit Instance(const Options& options) {
    check(Status(embedding_lookup_create_with(&instance_, &options)));
  }
#endif
  explicit Instance(Status& status) noexcept : Instance(Options(), status) {}
  Instance(const Options& options, Status& status) noexcept {
    status = Status(embedding_lookup_create_with(&instance_, &options));
  }
  Instance(Instance&& other) noexcept : instance_(std::exchange(other.instance_, nullptr)) {}
  Instance& operator=(Instance&& other) noexcept {
    Instance moved(std::move(other));
    std::swap(instance_, moved.instance_);
    return *this;
  }
  ~Instance() { reset(); }

  // A program by its name.
#ifdef __cpp_exceptions
  void embedding_lookup(const embedding_lookup_embedding_lookup::Inputs& in,
                        const embedding_lookup_embedding_lookup::Outputs& out,
                        Stream stream = nullptr) {
    check(try_embedding_lookup(in, out, stream));
  }
  void places(const embedding_lookup_places::Inputs& in,
              const embedding_lookup_places::Outputs& out, Stream stream = nullptr) {
    check(try_places(in, out, stream));
  }
#endif
  Status try_embedding_lookup(const embedding_lookup_embedding_lookup::Inputs& in,
                              const embedding_lookup_embedding_lookup::Outputs& out,
                              Stream stream = nullptr) noexcept {
    if (const char* wrong = embedding_lookup_embedding_lookup::wrong_count(in, out))
      return {kEmbeddingLookupInvalidArgument, wrong};
    const EmbeddingLookupEmbeddingLookupInputs inputs = {in.table.data(), in.positions.data(),
                                                         in.segments.data(), in.tokens.data(),
                                                         in.segment.data()};
    const EmbeddingLookupEmbeddingLookupOutputs outputs = {out.x.data(), out.bag.data()};
    EmbeddingLookupEmbeddingLookupInstance* program = instance_ == nullptr ? nullptr : instance_->embedding_lookup;
    const EmbeddingLookupEmbeddingLookupStatus code = embedding_lookup_embedding_lookup_run(program, &inputs, &outputs, stream);
    return {static_cast<EmbeddingLookupStatus>(code), embedding_lookup_embedding_lookup_last_error()};
  }
  Status try_places(const embedding_lookup_places::Inputs& in,
                    const embedding_lookup_places::Outputs& out,
                    Stream stream = nullptr) noexcept {
    if (const char* wrong = embedding_lookup_places::wrong_count(in, out))
      return {kEmbeddingLookupInvalidArgument, wrong};
    const EmbeddingLookupPlacesInputs inputs = {in.tokens.data()};
    const EmbeddingLookupPlacesOutputs outputs = {out.place.data()};
    EmbeddingLookupPlacesInstance* program = instance_ == nullptr ? nullptr : instance_->places;
    const EmbeddingLookupPlacesStatus code = embedding_lookup_places_run(program, &inputs, &outputs, stream);
    return {static_cast<EmbeddingLookupStatus>(code), embedding_lookup_places_last_error()};
  }

  void reset() noexcept { embedding_lookup_destroy(std::exchange(instance_, nullptr)); }
  explicit operator bool() const noexcept { return instance_ != nullptr; }
  // For the functions of embedding_lookup.h, and of the programs' own headers.
  EmbeddingLookupInstance* get() const noexcept { return instance_; }

 private:
  EmbeddingLookupInstance* instance_ = nullptr;
};

}  // namespace interface_5611f989edc91117
}  // namespace embedding_lookup
