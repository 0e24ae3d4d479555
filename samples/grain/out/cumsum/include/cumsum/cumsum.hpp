// cumsum.hpp: cumsum.h for C++17, inline over it. What goes wrong is thrown:
//
//   cumsum::Instance model;  // throws cumsum::Error
//   model.cumsum_rows(in, out, stream);
//   model.recurrence(in, out, stream);
//
// or returned, also under -fno-exceptions, by members that are called try_...

#pragma once

#if __cplusplus < 201703L
#error "cumsum.hpp needs C++17; cumsum.h does not"
#endif

#include <cstdint>
#include <utility>

#include "cumsum/cumsum.h"
#include "cumsum_cumsum_rows/cumsum_cumsum_rows.hpp"
#include "cumsum_recurrence/cumsum_recurrence.hpp"

#ifdef __cpp_exceptions
#include <stdexcept>
#endif

// A namespace an interface: parts of a program that were compiled with different versions of this
// file link, and those with another interface than the library's are refused.
namespace cumsum {
inline namespace interface_c7f8cb7e105fc4f6 {

using Stream = CUstream_st*;  // a cudaStream_t

// What a call says: kCumsumOk, or another status and a sentence, which holds until
// this thread's next call.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  explicit Status(CumsumStatus code) noexcept : Status(code, cumsum_last_error()) {}
  Status(CumsumStatus code, const char* text) noexcept : code_(code), text_(text) {}

  bool ok() const noexcept { return code_ == kCumsumOk; }
  CumsumStatus code() const noexcept { return code_; }
  const char* text() const noexcept { return text_; }
  // What the code means, whichever call gives it. Holds for ever.
  const char* meaning() const noexcept { return cumsum_status_text(code_); }

 private:
  CumsumStatus code_ = kCumsumOk;
  const char* text_ = "";
};

#ifdef __cpp_exceptions
class Error : public std::runtime_error {
 public:
  explicit Error(const Status& status) : std::runtime_error(status.text()), code_(status.code()) {}

  CumsumStatus code() const noexcept { return code_; }
  const char* meaning() const noexcept { return cumsum_status_text(code_); }

 private:
  CumsumStatus code_;
};

inline void check(const Status& status) {
  if (!status.ok()) throw Error(status);
}
#endif

// CumsumOptions, with its defaults.
struct Options : CumsumOptions {
  Options() noexcept : CumsumOptions(CUMSUM_OPTIONS) {}
};

inline const CumsumInfo& info() noexcept { return *cumsum_info(); }
inline std::int64_t workspace_bytes() noexcept { return cumsum_workspace_bytes(); }

// Moved from or reset, it has none: runs are refused.
class Instance {
 public:
#ifdef __cpp_exceptions
  Instance() : Instance(Options()) {}
  explicit Instance(const Options& options) {
    check(Status(cumsum_create_with(&instance_, &options)));
  }
#endif
  explicit Instance(Status& status) noexcept : Instance(Options(), status) {}
  Instance(const Options& options, Status& status) noexcept {
    status = Status(cumsum_create_with(&instance_, &options));
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
  void cumsum_rows(const cumsum_cumsum_rows::Inputs& in, const cumsum_cumsum_rows::Outputs& out,
                   Stream stream = nullptr) {
    check(try_cumsum_rows(in, out, stream));
  }
  void recurrence(const cumsum_recurrence::Inputs& in, const cumsum_recurrence::Outputs& out,
                  Stream stream = nullptr) {
    check(try_recurrence(in, out, stream));
  }
#endif
  Status try_cumsum_rows(const cumsum_cumsum_rows::Inputs& in,
                         const cumsum_cumsum_rows::Outputs& out,
                         Stream stream = nullptr) noexcept {
    if (const char* wrong = cumsum_cumsum_rows::wrong_count(in, out))
      return {kCumsumInvalidArgument, wrong};
    const CumsumCumsumRowsInputs inputs = {in.x.data(), in.p.data()};
    const CumsumCumsumRowsOutputs outputs = {out.sums.data(), out.products.data(),
                                             out.peaks.data()};
    CumsumCumsumRowsInstance* program = instance_ == nullptr ? nullptr : instance_->cumsum_rows;
    const CumsumCumsumRowsStatus code = cumsum_cumsum_rows_run(program, &inputs, &outputs, stream);
    return {static_cast<CumsumStatus>(code), cumsum_cumsum_rows_last_error()};
  }
  Status try_recurrence(const cumsum_recurrence::Inputs& in, const cumsum_recurrence::Outputs& out,
                        Stream stream = nullptr) noexcept {
    if (const char* wrong = cumsum_recurrence::wrong_count(in, out))
      return {kCumsumInvalidArgument, wrong};
    const CumsumRecurrenceInputs inputs = {in.a.data(), in.b.data()};
    const CumsumRecurrenceOutputs outputs = {out.h.data()};
    CumsumRecurrenceInstance* program = instance_ == nullptr ? nullptr : instance_->recurrence;
    const CumsumRecurrenceStatus code = cumsum_recurrence_run(program, &inputs, &outputs, stream);
    return {static_cast<CumsumStatus>(code), cumsum_recurrence_last_error()};
  }

  void reset() noexcept { cumsum_destroy(std::exchange(instance_, nullptr)); }
  explicit operator bool() const noexcept { return instance_ != nullptr; }
  // For the functions of cumsum.h, and of the programs' own headers.
  CumsumInstance* get() const noexcept { return instance_; }

 private:
  CumsumInstance* instance_ = nullptr;
};

}  // namespace interface_c7f8cb7e105fc4f6
}  // namespace cumsum
