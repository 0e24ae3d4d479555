// image_filters.hpp: image_filters.h for C++17, inline over it. What goes wrong is thrown:
//
//   image_filters::Instance model;  // throws image_filters::Error
//   model.box(in, out, stream);
//   model.bilateral(in, out, stream);
//
// or returned, also under -fno-exceptions, by members that are called try_...

#pragma once

#if __cplusplus < 201703L
#error "image_filters.hpp needs C++17; image_filters.h does not"
#endif

#include <cstdint>
#include <utility>

#include "image_filters/image_filters.h"
#include "image_filters_bilateral/image_filters_bilateral.hpp"
#include "image_filters_box/image_filters_box.hpp"

#ifdef __cpp_exceptions
#include <stdexcept>
#endif

// A namespace an interface: parts of a program that were compiled with different versions of this
// file link, and those with another interface than the library's are refused.
namespace image_filters {
inline namespace interface_63d8f89e79347b66 {

using Stream = CUstream_st*;  // a cudaStream_t

// What a call says: kImageFiltersOk, or another status and a sentence, which holds until
// this thread's next call.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  explicit Status(ImageFiltersStatus code) noexcept : Status(code, image_filters_last_error()) {}
  Status(ImageFiltersStatus code, const char* text) noexcept : code_(code), text_(text) {}

  bool ok() const noexcept { return code_ == kImageFiltersOk; }
  ImageFiltersStatus code() const noexcept { return code_; }
  const char* text() const noexcept { return text_; }
  // What the code means, whichever call gives it. Holds for ever.
  const char* meaning() const noexcept { return image_filters_status_text(code_); }

 private:
  ImageFiltersStatus code_ = kImageFiltersOk;
  const char* text_ = "";
};

#ifdef __cpp_exceptions
class Error : public std::runtime_error {
 public:
  explicit Error(const Status& status) : std::runtime_error(status.text()), code_(status.code()) {}

  ImageFiltersStatus code() const noexcept { return code_; }
  const char* meaning() const noexcept { return image_filters_status_text(code_); }

 private:
  ImageFiltersStatus code_;
};

inline void check(const Status& status) {
  if (!status.ok()) throw Error(status);
}
#endif

// ImageFiltersOptions, with its defaults.
struct Options : ImageFiltersOptions {
  Options() noexcept : ImageFiltersOptions(IMAGE_FILTERS_OPTIONS) {}
};

inline const ImageFiltersInfo& info() noexcept { return *image_filters_info(); }
inline std::int64_t workspace_bytes() noexcept { return image_filters_workspace_bytes(); }

// Moved from or reset, it has none: runs are refused.
class Instance {
 public:
#ifdef __cpp_exceptions
  Instance() : Instance(Options()) {}
  explicit Instance(const Options& options) {
    check(Status(image_filters_create_with(&instance_, &options)));
  }
#endif
  explicit Instance(Status& status) noexcept : Instance(Options(), status) {}
  Instance(const Options& options, Status& status) noexcept {
    status = Status(image_filters_create_with(&instance_, &options));
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
  void box(const image_filters_box::Inputs& in, const image_filters_box::Outputs& out,
           Stream stream = nullptr) {
    check(try_box(in, out, stream));
  }
  void bilateral(const image_filters_bilateral::Inputs& in,
                 const image_filters_bilateral::Outputs& out, Stream stream = nullptr) {
    check(try_bilateral(in, out, stream));
  }
#endif
  Status try_box(const image_filters_box::Inputs& in, const image_filters_box::Outputs& out,
                 Stream stream = nullptr) noexcept {
    if (const char* wrong = image_filters_box::wrong_count(in, out))
      return {kImageFiltersInvalidArgument, wrong};
    const ImageFiltersBoxInputs inputs = {in.image.data()};
    const ImageFiltersBoxOutputs outputs = {out.smooth.data()};
    ImageFiltersBoxInstance* program = instance_ == nullptr ? nullptr : instance_->box;
    const ImageFiltersBoxStatus code = image_filters_box_run(program, &inputs, &outputs, stream);
    return {static_cast<ImageFiltersStatus>(code), image_filters_box_last_error()};
  }
  Status try_bilateral(const image_filters_bilateral::Inputs& in,
                       const image_filters_bilateral::Outputs& out,
                       Stream stream = nullptr) noexcept {
    if (const char* wrong = image_filters_bilateral::wrong_count(in, out))
      return {kImageFiltersInvalidArgument, wrong};
    const ImageFiltersBilateralInputs inputs = {in.image.data()};
    const ImageFiltersBilateralOutputs outputs = {out.smooth.data()};
    ImageFiltersBilateralInstance* program = instance_ == nullptr ? nullptr : instance_->bilateral;
    const ImageFiltersBilateralStatus code = image_filters_bilateral_run(program, &inputs, &outputs, stream);
    return {static_cast<ImageFiltersStatus>(code), image_filters_bilateral_last_error()};
  }

  void reset() noexcept { image_filters_destroy(std::exchange(instance_, nullptr)); }
  explicit operator bool() const noexcept { return instance_ != nullptr; }
  // For the functions of image_filters.h, and of the programs' own headers.
  ImageFiltersInstance* get() const noexcept { return instance_; }

 private:
  ImageFiltersInstance* instance_ = nullptr;
};

}  // namespace interface_63d8f89e79347b66
}  // namespace image_filters
