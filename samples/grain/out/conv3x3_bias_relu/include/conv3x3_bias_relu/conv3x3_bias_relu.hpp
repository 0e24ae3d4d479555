// conv3x3_bias_relu.hpp: conv3x3_bias_relu.h for C++17, inline over it. What goes wrong is thrown:
//
//   conv3x3_bias_relu::Instance model;  // throws conv3x3_bias_relu::Error
//   model.conv3x3_bias_relu(in, out, stream);
//   model.conv_pool(in, out, stream);
//
// or returned, also under -fno-exceptions, by members that are called try_...

#pragma once

#if __cplusplus < 201703L
#error "conv3x3_bias_relu.hpp needs C++17; conv3x3_bias_relu.h does not"
#endif

#include <cstdint>
#include <utility>

#include "conv3x3_bias_relu/conv3x3_bias_relu.h"
#include "conv3x3_bias_relu_conv3x3_bias_relu/conv3x3_bias_relu_conv3x3_bias_relu.hpp"
#include "conv3x3_bias_relu_conv_pool/conv3x3_bias_relu_conv_pool.hpp"

#ifdef __cpp_exceptions
#include <stdexcept>
#endif

// A namespace an interface: parts of a program that were compiled with different versions of this
// file link, and those with another interface than the library's are refused.
namespace conv3x3_bias_relu {
inline namespace interface_ee3327bdc539bd3c {

using Stream = CUstream_st*;  // a cudaStream_t

// What a call says: kConv3x3BiasReluOk, or another status and a sentence, which holds until
// this thread's next call.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  explicit Status(Conv3x3BiasReluStatus code) noexcept : Status(code, conv3x3_bias_relu_last_error()) {}
  Status(Conv3x3BiasReluStatus code, const char* text) noexcept : code_(code), text_(text) {}

  bool ok() const noexcept { return code_ == kConv3x3BiasReluOk; }
  Conv3x3BiasReluStatus code() const noexcept { return code_; }
  const char* text() const noexcept { return text_; }
  // What the code means, whichever call gives it. Holds for ever.
  const char* meaning() const noexcept { return conv3x3_bias_relu_status_text(code_); }

 private:
  Conv3x3BiasReluStatus code_ = kConv3x3BiasReluOk;
  const char* text_ = "";
};

#ifdef __cpp_exceptions
class Error : public std::runtime_error {
 public:
  explicit Error(const Status& status) : std::runtime_error(status.text()), code_(status.code()) {}

  Conv3x3BiasReluStatus code() const noexcept { return code_; }
  const char* meaning() const noexcept { return conv3x3_bias_relu_status_text(code_); }

 private:
  Conv3x3BiasReluStatus code_;
};

inline void check(const Status& status) {
  if (!status.ok()) throw Error(status);
}
#endif

// Conv3x3BiasReluOptions, with its defaults.
struct Options : Conv3x3BiasReluOptions {
  Options() noexcept : Conv3x3BiasReluOptions(CONV3X3_BIAS_RELU_OPTIONS) {}
};

inline const Conv3x3BiasReluInfo& info() noexcept { return *conv3x3_bias_relu_info(); }
inline std::int64_t workspace_bytes() noexcept { return conv3x3_bias_relu_workspace_bytes(); }

// Moved from or reset, it has none: runs are refused.
class Instance {
 public:
#ifdef __cpp_exceptions
  Instance() : Instance(Options()) {}
  explicit Instance(const Options& options) {
    check(Status(conv3x3_bias_relu_create_with(&instance_, &options)));
  }
#endif
  explicit Instance(Status& status) noexcept : Instance(Options(), status) {}
  Instance(const Options& options, Status& status) noexcept {
    status = Status(conv3x3_bias_relu_create_with(&instance_, &options));
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
  void conv3x3_bias_relu(const conv3x3_bias_relu_conv3x3_bias_relu::Inputs& in,
                         const conv3x3_bias_relu_conv3x3_bias_relu::Outputs& out,
                         Stream stream = nullptr) {
    check(try_conv3x3_bias_relu(in, out, stream));
  }
  void conv_pool(const conv3x3_bias_relu_conv_pool::Inputs& in,
                 const conv3x3_bias_relu_conv_pool::Outputs& out, Stream stream = nullptr) {
    check(try_conv_pool(in, out, stream));
  }
#endif
  Status try_conv3x3_bias_relu(const conv3x3_bias_relu_conv3x3_bias_relu::Inputs& in,
                               const conv3x3_bias_relu_conv3x3_bias_relu::Outputs& out,
                               Stream stream = nullptr) noexcept {
    if (const char* wrong = conv3x3_bias_relu_conv3x3_bias_relu::wrong_count(in, out))
      return {kConv3x3BiasReluInvalidArgument, wrong};
    const Conv3x3BiasReluConv3x3BiasReluInputs inputs = {in.x.data(), in.w.data(), in.bias.data()};
    const Conv3x3BiasReluConv3x3BiasReluOutputs outputs = {out.y.data()};
    Conv3x3BiasReluConv3x3BiasReluInstance* program = instance_ == nullptr ? nullptr : instance_->conv3x3_bias_relu;
    const Conv3x3BiasReluConv3x3BiasReluStatus code = conv3x3_bias_relu_conv3x3_bias_relu_run(program, &inputs, &outputs, stream);
    return {static_cast<Conv3x3BiasReluStatus>(code), conv3x3_bias_relu_conv3x3_bias_relu_last_error()};
  }
  Status try_conv_pool(const conv3x3_bias_relu_conv_pool::Inputs& in,
                       const conv3x3_bias_relu_conv_pool::Outputs& out,
                       Stream stream = nullptr) noexcept {
    if (const char* wrong = conv3x3_bias_relu_conv_pool::wrong_count(in, out))
      return {kConv3x3BiasReluInvalidArgument, wrong};
    const Conv3x3BiasReluConvPoolInputs inputs = {in.x.data(), in.w.data()};
    const Conv3x3BiasReluConvPoolOutputs outputs = {out.y.data()};
    Conv3x3BiasReluConvPoolInstance* program = instance_ == nullptr ? nullptr : instance_->conv_pool;
    const Conv3x3BiasReluConvPoolStatus code = conv3x3_bias_relu_conv_pool_run(program, &inputs, &outputs, stream);
    return {static_cast<Conv3x3BiasReluStatus>(code), conv3x3_bias_relu_conv_pool_last_error()};
  }

  void reset() noexcept { conv3x3_bias_relu_destroy(std::exchange(instance_, nullptr)); }
  explicit operator bool() const noexcept { return instance_ != nullptr; }
  // For the functions of conv3x3_bias_relu.h, and of the programs' own headers.
  Conv3x3BiasReluInstance* get() const noexcept { return instance_; }

 private:
  Conv3x3BiasReluInstance* instance_ = nullptr;
};

}  // namespace interface_ee3327bdc539bd3c
}  // namespace conv3x3_bias_relu
