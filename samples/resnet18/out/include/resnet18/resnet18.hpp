// resnet18.hpp: resnet18.h for C++17, inline over it.
// Arrays have their sizes in their types, and instances an owner. What goes wrong is thrown:
//
//   resnet18::Instance model;  // throws resnet18::Error
//   resnet18::Inputs in;
//   in.params_blocks_0_conv1 = params_blocks_0_conv1;  // and so on: pointers, arrays, containers
//   resnet18::Outputs out;
//   out.sum = sum;
//   model.run(in, out, stream);
//
// or returned, also under -fno-exceptions:
//
//   resnet18::Status status;
//   resnet18::Instance model(status);
//   if (status.ok()) status = model.try_run(in, out, stream);
//   if (!status.ok()) std::puts(status.text());

#pragma once

#if __cplusplus < 201703L
#error "resnet18.hpp needs C++17; resnet18.h does not"
#endif

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "resnet18/resnet18.h"

#ifdef __cpp_exceptions
#include <stdexcept>
#endif

// A namespace an interface: parts of a program that were compiled with different versions of this
// file link, and those with another interface than the library's are refused.
namespace resnet18 {
inline namespace interface_b9d52356785d1737 {

using Stream = CUstream_st*;  // a cudaStream_t

// What a call says: kResnet18Ok, or another status and a sentence, which holds until
// this thread's next call.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  explicit Status(Resnet18Status code) noexcept : Status(code, resnet18_last_error()) {}
  Status(Resnet18Status code, const char* text) noexcept : code_(code), text_(text) {}

  bool ok() const noexcept { return code_ == kResnet18Ok; }
  Resnet18Status code() const noexcept { return code_; }
  const char* text() const noexcept { return text_; }
  // What the code means, whichever call gives it. Holds for ever.
  const char* meaning() const noexcept { return resnet18_status_text(code_); }

 private:
  Resnet18Status code_ = kResnet18Ok;
  const char* text_ = "";
};

#ifdef __cpp_exceptions
class Error : public std::runtime_error {
 public:
  explicit Error(const Status& status) : std::runtime_error(status.text()), code_(status.code()) {}

  Resnet18Status code() const noexcept { return code_; }
  const char* meaning() const noexcept { return resnet18_status_text(code_); }

 private:
  Resnet18Status code_;
};

inline void check(const Status& status) {
  if (!status.ok()) throw Error(status);
}
#endif

// How many elements a type of arrays says that it has: T[N], std::array, std::span<T, N>.
constexpr std::size_t kAnyCount = static_cast<std::size_t>(-1);
template <class Array, class = void>
struct CountOf : std::integral_constant<std::size_t, kAnyCount> {};
template <class T, std::size_t N>
struct CountOf<T[N], void> : std::integral_constant<std::size_t, N> {};
template <class Array>
struct CountOf<Array, decltype(void(std::tuple_size<Array>::value))>
    : std::integral_constant<std::size_t, std::tuple_size<Array>::value> {};
template <class Array>
struct CountOf<Array, decltype(void(Array::extent))>
    : std::integral_constant<std::size_t, Array::extent> {};

// `Count` elements in device memory (host memory in a CPU build), 16-byte aligned. A pointer is taken
// at its word. Of an array or container, what has data() and size(), the number of elements is
// checked: here if its type says it, else by run.
template <class T, std::size_t Count>
class Span {
 public:
  static constexpr std::size_t extent = Count;

  constexpr Span() noexcept = default;
  template <class Pointer, std::enable_if_t<std::is_pointer_v<Pointer> &&
                                                std::is_convertible_v<Pointer, T*>,
                                            int> = 0>
  constexpr Span(const Pointer& data) noexcept : data_(data) {}
  template <class Array, std::enable_if_t<std::is_convertible_v<
                                              decltype(std::data(std::declval<Array&>())), T*>,
                                          int> = 0>
  constexpr Span(Array&& array) noexcept
      : data_(std::data(array)), fits_(static_cast<std::size_t>(std::size(array)) == Count) {
    constexpr std::size_t known = CountOf<std::remove_cv_t<std::remove_reference_t<Array>>>::value;
    static_assert(known == Count || known == kAnyCount, "an array of another number of elements");
  }

  constexpr T* data() const noexcept { return data_; }
  static constexpr std::size_t size() noexcept { return Count; }
  constexpr bool fits() const noexcept { return fits_; }

 private:
  T* data_ = nullptr;
  bool fits_ = true;
};

struct Inputs {
  Span<const float, 576> params_blocks_0_conv1;          // f32[3,3,8,8]
  Span<const float, 576> params_blocks_0_conv2;          // f32[3,3,8,8]
  Span<const float, 8> params_blocks_0_norm1_bias;       // f32[8]
  Span<const float, 8> params_blocks_0_norm1_mean;       // f32[8]
  Span<const float, 8> params_blocks_0_norm1_scale;      // f32[8]
  Span<const float, 8> params_blocks_0_norm1_variance;   // f32[8]
  Span<const float, 8> params_blocks_0_norm2_bias;       // f32[8]
  Span<const float, 8> params_blocks_0_norm2_mean;       // f32[8]
  Span<const float, 8> params_blocks_0_norm2_scale;      // f32[8]
  Span<const float, 8> params_blocks_0_norm2_variance;   // f32[8]
  Span<const float, 576> params_blocks_1_conv1;          // f32[3,3,8,8]
  Span<const float, 576> params_blocks_1_conv2;          // f32[3,3,8,8]
  Span<const float, 8> params_blocks_1_norm1_bias;       // f32[8]
  Span<const float, 8> params_blocks_1_norm1_mean;       // f32[8]
  Span<const float, 8> params_blocks_1_norm1_scale;      // f32[8]
  Span<const float, 8> params_blocks_1_norm1_variance;   // f32[8]
  Span<const float, 8> params_blocks_1_norm2_bias;       // f32[8]
  Span<const float, 8> params_blocks_1_norm2_mean;       // f32[8]
  Span<const float, 8> params_blocks_1_norm2_scale;      // f32[8]
  Span<const float, 8> params_blocks_1_norm2_variance;   // f32[8]
  Span<const float, 1152> params_blocks_2_conv1;         // f32[3,3,8,16]
  Span<const float, 2304> params_blocks_2_conv2;         // f32[3,3,16,16]
  Span<const float, 16> params_blocks_2_norm1_bias;      // f32[16]
  Span<const float, 16> params_blocks_2_norm1_mean;      // f32[16]
  Span<const float, 16> params_blocks_2_norm1_scale;     // f32[16]
  Span<const float, 16> params_blocks_2_norm1_variance;  // f32[16]
  Span<const float, 16> params_blocks_2_norm2_bias;      // f32[16]
  Span<const float, 16> params_blocks_2_norm2_mean;      // f32[16]
  Span<const float, 16> params_blocks_2_norm2_scale;     // f32[16]
  Span<const float, 16> params_blocks_2_norm2_variance;  // f32[16]
  Span<const float, 16> params_blocks_2_norm3_bias;      // f32[16]
  Span<const float, 16> params_blocks_2_norm3_mean;      // f32[16]
  Span<const float, 16> params_blocks_2_norm3_scale;     // f32[16]
  Span<const float, 16> params_blocks_2_norm3_variance;  // f32[16]
  Span<const float, 128> params_blocks_2_project;        // f32[1,1,8,16]
  Span<const float, 2304> params_blocks_3_conv1;         // f32[3,3,16,16]
  Span<const float, 2304> params_blocks_3_conv2;         // f32[3,3,16,16]
  Span<const float, 16> params_blocks_3_norm1_bias;      // f32[16]
  Span<const float, 16> params_blocks_3_norm1_mean;      // f32[16]
  Span<const float, 16> params_blocks_3_norm1_scale;     // f32[16]
  Span<const float, 16> params_blocks_3_norm1_variance;  // f32[16]
  Span<const float, 16> params_blocks_3_norm2_bias;      // f32[16]
  Span<const float, 16> params_blocks_3_norm2_mean;      // f32[16]
  Span<const float, 16> params_blocks_3_norm2_scale;     // f32[16]
  Span<const float, 16> params_blocks_3_norm2_variance;  // f32[16]
  Span<const float, 4608> params_blocks_4_conv1;         // f32[3,3,16,32]
  Span<const float, 9216> params_blocks_4_conv2;         // f32[3,3,32,32]
  Span<const float, 32> params_blocks_4_norm1_bias;      // f32[32]
  Span<const float, 32> params_blocks_4_norm1_mean;      // f32[32]
  Span<const float, 32> params_blocks_4_norm1_scale;     // f32[32]
  Span<const float, 32> params_blocks_4_norm1_variance;  // f32[32]
  Span<const float, 32> params_blocks_4_norm2_bias;      // f32[32]
  Span<const float, 32> params_blocks_4_norm2_mean;      // f32[32]
  Span<const float, 32> params_blocks_4_norm2_scale;     // f32[32]
  Span<const float, 32> params_blocks_4_norm2_variance;  // f32[32]
  Span<const float, 32> params_blocks_4_norm3_bias;      // f32[32]
  Span<const float, 32> params_blocks_4_norm3_mean;      // f32[32]
  Span<const float, 32> params_blocks_4_norm3_scale;     // f32[32]
  Span<const float, 32> params_blocks_4_norm3_variance;  // f32[32]
  Span<const float, 512> params_blocks_4_project;        // f32[1,1,16,32]
  Span<const float, 9216> params_blocks_5_conv1;         // f32[3,3,32,32]
  Span<const float, 9216> params_blocks_5_conv2;         // f32[3,3,32,32]
  Span<const float, 32> params_blocks_5_norm1_bias;      // f32[32]
  Span<const float, 32> params_blocks_5_norm1_mean;      // f32[32]
  Span<const float, 32> params_blocks_5_norm1_scale;     // f32[32]
  Span<const float, 32> params_blocks_5_norm1_variance;  // f32[32]
  Span<const float, 32> params_blocks_5_norm2_bias;      // f32[32]
  Span<const float, 32> params_blocks_5_norm2_mean;      // f32[32]
  Span<const float, 32> params_blocks_5_norm2_scale;     // f32[32]
  Span<const float, 32> params_blocks_5_norm2_variance;  // f32[32]
  Span<const float, 18432> params_blocks_6_conv1;        // f32[3,3,32,64]
  Span<const float, 36864> params_blocks_6_conv2;        // f32[3,3,64,64]
  Span<const float, 64> params_blocks_6_norm1_bias;      // f32[64]
  Span<const float, 64> params_blocks_6_norm1_mean;      // f32[64]
  Span<const float, 64> params_blocks_6_norm1_scale;     // f32[64]
  Span<const float, 64> params_blocks_6_norm1_variance;  // f32[64]
  Span<const float, 64> params_blocks_6_norm2_bias;      // f32[64]
  Span<const float, 64> params_blocks_6_norm2_mean;      // f32[64]
  Span<const float, 64> params_blocks_6_norm2_scale;     // f32[64]
  Span<const float, 64> params_blocks_6_norm2_variance;  // f32[64]
  Span<const float, 64> params_blocks_6_norm3_bias;      // f32[64]
  Span<const float, 64> params_blocks_6_norm3_mean;      // f32[64]
  Span<const float, 64> params_blocks_6_norm3_scale;     // f32[64]
  Span<const float, 64> params_blocks_6_norm3_variance;  // f32[64]
  Span<const float, 2048> params_blocks_6_project;       // f32[1,1,32,64]
  Span<const float, 36864> params_blocks_7_conv1;        // f32[3,3,64,64]
  Span<const float, 36864> params_blocks_7_conv2;        // f32[3,3,64,64]
  Span<const float, 64> params_blocks_7_norm1_bias;      // f32[64]
  Span<const float, 64> params_blocks_7_norm1_mean;      // f32[64]
  Span<const float, 64> params_blocks_7_norm1_scale;     // f32[64]
  Span<const float, 64> params_blocks_7_norm1_variance;  // f32[64]
  Span<const float, 64> params_blocks_7_norm2_bias;      // f32[64]
  Span<const float, 64> params_blocks_7_norm2_mean;      // f32[64]
  Span<const float, 64> params_blocks_7_norm2_scale;     // f32[64]
  Span<const float, 64> params_blocks_7_norm2_variance;  // f32[64]
  Span<const float, 10> params_head_b;                   // f32[10]
  Span<const float, 640> params_head_w;                  // f32[64,10]
  Span<const float, 8> params_norm_bias;                 // f32[8]
  Span<const float, 8> params_norm_mean;                 // f32[8]
  Span<const float, 8> params_norm_scale;                // f32[8]
  Span<const float, 8> params_norm_variance;             // f32[8]
  Span<const float, 1176> params_stem;                   // f32[7,7,3,8]
  Span<const float, 6144> images;                        // f32[2,32,32,3]
};

struct Outputs {
  Span<float, 20> sum;  // f32[2,10]
};

// How many elements an input or output has: count(&Inputs::NAME).
template <class Arrays, class T, std::size_t Count>
constexpr std::size_t count(Span<T, Count> Arrays::*) noexcept {
  return Count;
}

// Which array has another number of elements; null, if none.
inline const char* wrong_count(const Inputs& in, const Outputs& out) noexcept {
  if (!in.params_blocks_0_conv1.fits())
    return "resnet18: input params_blocks_0_conv1 must have 576 elements";
  if (!in.params_blocks_0_conv2.fits())
    return "resnet18: input params_blocks_0_conv2 must have 576 elements";
  if (!in.params_blocks_0_norm1_bias.fits())
    return "resnet18: input params_blocks_0_norm1_bias must have 8 elements";
  if (!in.params_blocks_0_norm1_mean.fits())
    return "resnet18: input params_blocks_0_norm1_mean must have 8 elements";
  if (!in.params_blocks_0_norm1_scale.fits())
    return "resnet18: input params_blocks_0_norm1_scale must have 8 elements";
  if (!in.params_blocks_0_norm1_variance.fits())
    return "resnet18: input params_blocks_0_norm1_variance must have 8 elements";
  if (!in.params_blocks_0_norm2_bias.fits())
    return "resnet18: input params_blocks_0_norm2_bias must have 8 elements";
  if (!in.params_blocks_0_norm2_mean.fits())
    return "resnet18: input params_blocks_0_norm2_mean must have 8 elements";
  if (!in.params_blocks_0_norm2_scale.fits())
    return "resnet18: input params_blocks_0_norm2_scale must have 8 elements";
  if (!in.params_blocks_0_norm2_variance.fits())
    return "resnet18: input params_blocks_0_norm2_variance must have 8 elements";
  if (!in.params_blocks_1_conv1.fits())
    return "resnet18: input params_blocks_1_conv1 must have 576 elements";
  if (!in.params_blocks_1_conv2.fits())
    return "resnet18: input params_blocks_1_conv2 must have 576 elements";
  if (!in.params_blocks_1_norm1_bias.fits())
    return "resnet18: input params_blocks_1_norm1_bias must have 8 elements";
  if (!in.params_blocks_1_norm1_mean.fits())
    return "resnet18: input params_blocks_1_norm1_mean must have 8 elements";
  if (!in.params_blocks_1_norm1_scale.fits())
    return "resnet18: input params_blocks_1_norm1_scale must have 8 elements";
  if (!in.params_blocks_1_norm1_variance.fits())
    return "resnet18: input params_blocks_1_norm1_variance must have 8 elements";
  if (!in.params_blocks_1_norm2_bias.fits())
    return "resnet18: input params_blocks_1_norm2_bias must have 8 elements";
  if (!in.params_blocks_1_norm2_mean.fits())
    return "resnet18: input params_blocks_1_norm2_mean must have 8 elements";
  if (!in.params_blocks_1_norm2_scale.fits())
    return "resnet18: input params_blocks_1_norm2_scale must have 8 elements";
  if (!in.params_blocks_1_norm2_variance.fits())
    return "resnet18: input params_blocks_1_norm2_variance must have 8 elements";
  if (!in.params_blocks_2_conv1.fits())
    return "resnet18: input params_blocks_2_conv1 must have 1152 elements";
  if (!in.params_blocks_2_conv2.fits())
    return "resnet18: input params_blocks_2_conv2 must have 2304 elements";
  if (!in.params_blocks_2_norm1_bias.fits())
    return "resnet18: input params_blocks_2_norm1_bias must have 16 elements";
  if (!in.params_blocks_2_norm1_mean.fits())
    return "resnet18: input params_blocks_2_norm1_mean must have 16 elements";
  if (!in.params_blocks_2_norm1_scale.fits())
    return "resnet18: input params_blocks_2_norm1_scale must have 16 elements";
  if (!in.params_blocks_2_norm1_variance.fits())
    return "resnet18: input params_blocks_2_norm1_variance must have 16 elements";
  if (!in.params_blocks_2_norm2_bias.fits())
    return "resnet18: input params_blocks_2_norm2_bias must have 16 elements";
  if (!in.params_blocks_2_norm2_mean.fits())
    return "resnet18: input params_blocks_2_norm2_mean must have 16 elements";
  if (!in.params_blocks_2_norm2_scale.fits())
    return "resnet18: input params_blocks_2_norm2_scale must have 16 elements";
  if (!in.params_blocks_2_norm2_variance.fits())
    return "resnet18: input params_blocks_2_norm2_variance must have 16 elements";
  if (!in.params_blocks_2_norm3_bias.fits())
    return "resnet18: input params_blocks_2_norm3_bias must have 16 elements";
  if (!in.params_blocks_2_norm3_mean.fits())
    return "resnet18: input params_blocks_2_norm3_mean must have 16 elements";
  if (!in.params_blocks_2_norm3_scale.fits())
    return "resnet18: input params_blocks_2_norm3_scale must have 16 elements";
  if (!in.params_blocks_2_norm3_variance.fits())
    return "resnet18: input params_blocks_2_norm3_variance must have 16 elements";
  if (!in.params_blocks_2_project.fits())
    return "resnet18: input params_blocks_2_project must have 128 elements";
  if (!in.params_blocks_3_conv1.fits())
    return "resnet18: input params_blocks_3_conv1 must have 2304 elements";
  if (!in.params_blocks_3_conv2.fits())
    return "resnet18: input params_blocks_3_conv2 must have 2304 elements";
  if (!in.params_blocks_3_norm1_bias.fits())
    return "resnet18: input params_blocks_3_norm1_bias must have 16 elements";
  if (!in.params_blocks_3_norm1_mean.fits())
    return "resnet18: input params_blocks_3_norm1_mean must have 16 elements";
  if (!in.params_blocks_3_norm1_scale.fits())
    return "resnet18: input params_blocks_3_norm1_scale must have 16 elements";
  if (!in.params_blocks_3_norm1_variance.fits())
    return "resnet18: input params_blocks_3_norm1_variance must have 16 elements";
  if (!in.params_blocks_3_norm2_bias.fits())
    return "resnet18: input params_blocks_3_norm2_bias must have 16 elements";
  if (!in.params_blocks_3_norm2_mean.fits())
    return "resnet18: input params_blocks_3_norm2_mean must have 16 elements";
  if (!in.params_blocks_3_norm2_scale.fits())
    return "resnet18: input params_blocks_3_norm2_scale must have 16 elements";
  if (!in.params_blocks_3_norm2_variance.fits())
    return "resnet18: input params_blocks_3_norm2_variance must have 16 elements";
  if (!in.params_blocks_4_conv1.fits())
    return "resnet18: input params_blocks_4_conv1 must have 4608 elements";
  if (!in.params_blocks_4_conv2.fits())
    return "resnet18: input params_blocks_4_conv2 must have 9216 elements";
  if (!in.params_blocks_4_norm1_bias.fits())
    return "resnet18: input params_blocks_4_norm1_bias must have 32 elements";
  if (!in.params_blocks_4_norm1_mean.fits())
    return "resnet18: input params_blocks_4_norm1_mean must have 32 elements";
  if (!in.params_blocks_4_norm1_scale.fits())
    return "resnet18: input params_blocks_4_norm1_scale must have 32 elements";
  if (!in.params_blocks_4_norm1_variance.fits())
    return "resnet18: input params_blocks_4_norm1_variance must have 32 elements";
  if (!in.params_blocks_4_norm2_bias.fits())
    return "resnet18: input params_blocks_4_norm2_bias must have 32 elements";
  if (!in.params_blocks_4_norm2_mean.fits())
    return "resnet18: input params_blocks_4_norm2_mean must have 32 elements";
  if (!in.params_blocks_4_norm2_scale.fits())
    return "resnet18: input params_blocks_4_norm2_scale must have 32 elements";
  if (!in.params_blocks_4_norm2_variance.fits())
    return "resnet18: input params_blocks_4_norm2_variance must have 32 elements";
  if (!in.params_blocks_4_norm3_bias.fits())
    return "resnet18: input params_blocks_4_norm3_bias must have 32 elements";
  if (!in.params_blocks_4_norm3_mean.fits())
    return "resnet18: input params_blocks_4_norm3_mean must have 32 elements";
  if (!in.params_blocks_4_norm3_scale.fits())
    return "resnet18: input params_blocks_4_norm3_scale must have 32 elements";
  if (!in.params_blocks_4_norm3_variance.fits())
    return "resnet18: input params_blocks_4_norm3_variance must have 32 elements";
  if (!in.params_blocks_4_project.fits())
    return "resnet18: input params_blocks_4_project must have 512 elements";
  if (!in.params_blocks_5_conv1.fits())
    return "resnet18: input params_blocks_5_conv1 must have 9216 elements";
  if (!in.params_blocks_5_conv2.fits())
    return "resnet18: input params_blocks_5_conv2 must have 9216 elements";
  if (!in.params_blocks_5_norm1_bias.fits())
    return "resnet18: input params_blocks_5_norm1_bias must have 32 elements";
  if (!in.params_blocks_5_norm1_mean.fits())
    return "resnet18: input params_blocks_5_norm1_mean must have 32 elements";
  if (!in.params_blocks_5_norm1_scale.fits())
    return "resnet18: input params_blocks_5_norm1_scale must have 32 elements";
  if (!in.params_blocks_5_norm1_variance.fits())
    return "resnet18: input params_blocks_5_norm1_variance must have 32 elements";
  if (!in.params_blocks_5_norm2_bias.fits())
    return "resnet18: input params_blocks_5_norm2_bias must have 32 elements";
  if (!in.params_blocks_5_norm2_mean.fits())
    return "resnet18: input params_blocks_5_norm2_mean must have 32 elements";
  if (!in.params_blocks_5_norm2_scale.fits())
    return "resnet18: input params_blocks_5_norm2_scale must have 32 elements";
  if (!in.params_blocks_5_norm2_variance.fits())
    return "resnet18: input params_blocks_5_norm2_variance must have 32 elements";
  if (!in.params_blocks_6_conv1.fits())
    return "resnet18: input params_blocks_6_conv1 must have 18432 elements";
  if (!in.params_blocks_6_conv2.fits())
    return "resnet18: input params_blocks_6_conv2 must have 36864 elements";
  if (!in.params_blocks_6_norm1_bias.fits())
    return "resnet18: input params_blocks_6_norm1_bias must have 64 elements";
  if (!in.params_blocks_6_norm1_mean.fits())
    return "resnet18: input params_blocks_6_norm1_mean must have 64 elements";
  if (!in.params_blocks_6_norm1_scale.fits())
    return "resnet18: input params_blocks_6_norm1_scale must have 64 elements";
  if (!in.params_blocks_6_norm1_variance.fits())
    return "resnet18: input params_blocks_6_norm1_variance must have 64 elements";
  if (!in.params_blocks_6_norm2_bias.fits())
    return "resnet18: input params_blocks_6_norm2_bias must have 64 elements";
  if (!in.params_blocks_6_norm2_mean.fits())
    return "resnet18: input params_blocks_6_norm2_mean must have 64 elements";
  if (!in.params_blocks_6_norm2_scale.fits())
    return "resnet18: input params_blocks_6_norm2_scale must have 64 elements";
  if (!in.params_blocks_6_norm2_variance.fits())
    return "resnet18: input params_blocks_6_norm2_variance must have 64 elements";
  if (!in.params_blocks_6_norm3_bias.fits())
    return "resnet18: input params_blocks_6_norm3_bias must have 64 elements";
  if (!in.params_blocks_6_norm3_mean.fits())
    return "resnet18: input params_blocks_6_norm3_mean must have 64 elements";
  if (!in.params_blocks_6_norm3_scale.fits())
    return "resnet18: input params_blocks_6_norm3_scale must have 64 elements";
  if (!in.params_blocks_6_norm3_variance.fits())
    return "resnet18: input params_blocks_6_norm3_variance must have 64 elements";
  if (!in.params_blocks_6_project.fits())
    return "resnet18: input params_blocks_6_project must have 2048 elements";
  if (!in.params_blocks_7_conv1.fits())
    return "resnet18: input params_blocks_7_conv1 must have 36864 elements";
  if (!in.params_blocks_7_conv2.fits())
    return "resnet18: input params_blocks_7_conv2 must have 36864 elements";
  if (!in.params_blocks_7_norm1_bias.fits())
    return "resnet18: input params_blocks_7_norm1_bias must have 64 elements";
  if (!in.params_blocks_7_norm1_mean.fits())
    return "resnet18: input params_blocks_7_norm1_mean must have 64 elements";
  if (!in.params_blocks_7_norm1_scale.fits())
    return "resnet18: input params_blocks_7_norm1_scale must have 64 elements";
  if (!in.params_blocks_7_norm1_variance.fits())
    return "resnet18: input params_blocks_7_norm1_variance must have 64 elements";
  if (!in.params_blocks_7_norm2_bias.fits())
    return "resnet18: input params_blocks_7_norm2_bias must have 64 elements";
  if (!in.params_blocks_7_norm2_mean.fits())
    return "resnet18: input params_blocks_7_norm2_mean must have 64 elements";
  if (!in.params_blocks_7_norm2_scale.fits())
    return "resnet18: input params_blocks_7_norm2_scale must have 64 elements";
  if (!in.params_blocks_7_norm2_variance.fits())
    return "resnet18: input params_blocks_7_norm2_variance must have 64 elements";
  if (!in.params_head_b.fits()) return "resnet18: input params_head_b must have 10 elements";
  if (!in.params_head_w.fits()) return "resnet18: input params_head_w must have 640 elements";
  if (!in.params_norm_bias.fits()) return "resnet18: input params_norm_bias must have 8 elements";
  if (!in.params_norm_mean.fits()) return "resnet18: input params_norm_mean must have 8 elements";
  if (!in.params_norm_scale.fits()) return "resnet18: input params_norm_scale must have 8 elements";
  if (!in.params_norm_variance.fits())
    return "resnet18: input params_norm_variance must have 8 elements";
  if (!in.params_stem.fits()) return "resnet18: input params_stem must have 1176 elements";
  if (!in.images.fits()) return "resnet18: input images must have 6144 elements";
  if (!out.sum.fits()) return "resnet18: output sum must have 20 elements";
  return nullptr;
}

// As the C interface takes them.
inline Resnet18Inputs pointers(const Inputs& in) noexcept {
  return {in.params_blocks_0_conv1.data(), in.params_blocks_0_conv2.data(),
          in.params_blocks_0_norm1_bias.data(), in.params_blocks_0_norm1_mean.data(),
          in.params_blocks_0_norm1_scale.data(), in.params_blocks_0_norm1_variance.data(),
          in.params_blocks_0_norm2_bias.data(), in.params_blocks_0_norm2_mean.data(),
          in.params_blocks_0_norm2_scale.data(), in.params_blocks_0_norm2_variance.data(),
          in.params_blocks_1_conv1.data(), in.params_blocks_1_conv2.data(),
          in.params_blocks_1_norm1_bias.data(), in.params_blocks_1_norm1_mean.data(),
          in.params_blocks_1_norm1_scale.data(), in.params_blocks_1_norm1_variance.data(),
          in.params_blocks_1_norm2_bias.data(), in.params_blocks_1_norm2_mean.data(),
          in.params_blocks_1_norm2_scale.data(), in.params_blocks_1_norm2_variance.data(),
          in.params_blocks_2_conv1.data(), in.params_blocks_2_conv2.data(),
          in.params_blocks_2_norm1_bias.data(), in.params_blocks_2_norm1_mean.data(),
          in.params_blocks_2_norm1_scale.data(), in.params_blocks_2_norm1_variance.data(),
          in.params_blocks_2_norm2_bias.data(), in.params_blocks_2_norm2_mean.data(),
          in.params_blocks_2_norm2_scale.data(), in.params_blocks_2_norm2_variance.data(),
          in.params_blocks_2_norm3_bias.data(), in.params_blocks_2_norm3_mean.data(),
          in.params_blocks_2_norm3_scale.data(), in.params_blocks_2_norm3_variance.data(),
          in.params_blocks_2_project.data(), in.params_blocks_3_conv1.data(),
          in.params_blocks_3_conv2.data(), in.params_blocks_3_norm1_bias.data(),
          in.params_blocks_3_norm1_mean.data(), in.params_blocks_3_norm1_scale.data(),
          in.params_blocks_3_norm1_variance.data(), in.params_blocks_3_norm2_bias.data(),
          in.params_blocks_3_norm2_mean.data(), in.params_blocks_3_norm2_scale.data(),
          in.params_blocks_3_norm2_variance.data(), in.params_blocks_4_conv1.data(),
          in.params_blocks_4_conv2.data(), in.params_blocks_4_norm1_bias.data(),
          in.params_blocks_4_norm1_mean.data(), in.params_blocks_4_norm1_scale.data(),
          in.params_blocks_4_norm1_variance.data(), in.params_blocks_4_norm2_bias.data(),
          in.params_blocks_4_norm2_mean.data(), in.params_blocks_4_norm2_scale.data(),
          in.params_blocks_4_norm2_variance.data(), in.params_blocks_4_norm3_bias.data(),
          in.params_blocks_4_norm3_mean.data(), in.params_blocks_4_norm3_scale.data(),
          in.params_blocks_4_norm3_variance.data(), in.params_blocks_4_project.data(),
          in.params_blocks_5_conv1.data(), in.params_blocks_5_conv2.data(),
          in.params_blocks_5_norm1_bias.data(), in.params_blocks_5_norm1_mean.data(),
          in.params_blocks_5_norm1_scale.data(), in.params_blocks_5_norm1_variance.data(),
          in.params_blocks_5_norm2_bias.data(), in.params_blocks_5_norm2_mean.data(),
          in.params_blocks_5_norm2_scale.data(), in.params_blocks_5_norm2_variance.data(),
          in.params_blocks_6_conv1.data(), in.params_blocks_6_conv2.data(),
          in.params_blocks_6_norm1_bias.data(), in.params_blocks_6_norm1_mean.data(),
          in.params_blocks_6_norm1_scale.data(), in.params_blocks_6_norm1_variance.data(),
          in.params_blocks_6_norm2_bias.data(), in.params_blocks_6_norm2_mean.data(),
          in.params_blocks_6_norm2_scale.data(), in.params_blocks_6_norm2_variance.data(),
          in.params_blocks_6_norm3_bias.data(), in.params_blocks_6_norm3_mean.data(),
          in.params_blocks_6_norm3_scale.data(), in.params_blocks_6_norm3_variance.data(),
          in.params_blocks_6_project.data(), in.params_blocks_7_conv1.data(),
          in.params_blocks_7_conv2.data(), in.params_blocks_7_norm1_bias.data(),
          in.params_blocks_7_norm1_mean.data(), in.params_blocks_7_norm1_scale.data(),
          in.params_blocks_7_norm1_variance.data(), in.params_blocks_7_norm2_bias.data(),
          in.params_blocks_7_norm2_mean.data(), in.params_blocks_7_norm2_scale.data(),
          in.params_blocks_7_norm2_variance.data(), in.params_head_b.data(),
          in.params_head_w.data(), in.params_norm_bias.data(), in.params_norm_mean.data(),
          in.params_norm_scale.data(), in.params_norm_variance.data(), in.params_stem.data(),
          in.images.data()};
}
inline Resnet18Outputs pointers(const Outputs& out) noexcept {
  return {out.sum.data()};
}

// Resnet18Options, with its defaults.
struct Options : Resnet18Options {
  Options() noexcept : Resnet18Options(RESNET18_OPTIONS) {}
};

inline const Resnet18Info& info() noexcept { return *resnet18_info(); }
inline std::int64_t workspace_bytes() noexcept { return resnet18_workspace_bytes(); }

// Moved from or reset, it has none: runs are refused.
class Instance {
 public:
#ifdef __cpp_exceptions
  Instance() : Instance(Options()) {}
  explicit Instance(const Options& options) {
    check(Status(resnet18_create_with(&instance_, &options)));
  }
#endif
  explicit Instance(Status& status) noexcept : Instance(Options(), status) {}
  Instance(const Options& options, Status& status) noexcept {
    status = Status(resnet18_create_with(&instance_, &options));
  }
  Instance(Instance&& other) noexcept : instance_(std::exchange(other.instance_, nullptr)) {}
  Instance& operator=(Instance&& other) noexcept {
    Instance moved(std::move(other));
    std::swap(instance_, moved.instance_);
    return *this;
  }
  ~Instance() { reset(); }

#ifdef __cpp_exceptions
  void run(const Inputs& in, const Outputs& out, Stream stream = nullptr) {
    check(try_run(in, out, stream));
  }
#endif
  Status try_run(const Inputs& in, const Outputs& out, Stream stream = nullptr) noexcept {
    if (const char* wrong = wrong_count(in, out))
      return {kResnet18InvalidArgument, wrong};
    const Resnet18Inputs inputs = pointers(in);
    const Resnet18Outputs outputs = pointers(out);
    return Status(resnet18_run(instance_, &inputs, &outputs, stream));
  }

  void reset() noexcept { resnet18_destroy(std::exchange(instance_, nullptr)); }
  explicit operator bool() const noexcept { return instance_ != nullptr; }
  // For the functions of resnet18.h.
  Resnet18Instance* get() const noexcept { return instance_; }

 private:
  Resnet18Instance* instance_ = nullptr;
};

// A run of an instance, which must live longer, on arrays that stay: as a CUDA graph, which one call
// launches. An instance serves one run at a time, launches among them. Moved from, it has none:
// launches are refused.
class Graph {
 public:
#ifdef __cpp_exceptions
  explicit Graph(const Instance& model, const Inputs& in, const Outputs& out) {
    check(capture(model, in, out));
  }
  // Its launches must be finished.
  void update(const Inputs& in, const Outputs& out) { check(try_update(in, out)); }
  void launch(Stream stream = nullptr) const { check(try_launch(stream)); }
#endif
  Graph(const Instance& model, const Inputs& in, const Outputs& out, Status& status) noexcept {
    status = capture(model, in, out);
  }
  Status try_update(const Inputs& in, const Outputs& out) noexcept {
    if (const char* wrong = wrong_count(in, out))
      return {kResnet18InvalidArgument, wrong};
    const Resnet18Inputs inputs = pointers(in);
    const Resnet18Outputs outputs = pointers(out);
    return Status(resnet18_graph_update(graph_, &inputs, &outputs));
  }
  Status try_launch(Stream stream = nullptr) const noexcept {
    return Status(resnet18_graph_launch(graph_, stream));
  }

  Graph(Graph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    Graph moved(std::move(other));
    std::swap(graph_, moved.graph_);
    return *this;
  }
  ~Graph() { resnet18_graph_destroy(graph_); }

  explicit operator bool() const noexcept { return graph_ != nullptr; }
  // For the functions of resnet18.h.
  Resnet18Graph* get() const noexcept { return graph_; }

 private:
  Status capture(const Instance& model, const Inputs& in, const Outputs& out) noexcept {
    if (const char* wrong = wrong_count(in, out))
      return {kResnet18InvalidArgument, wrong};
    const Resnet18Inputs inputs = pointers(in);
    const Resnet18Outputs outputs = pointers(out);
    return Status(resnet18_capture(&graph_, model.get(), &inputs, &outputs));
  }

  Resnet18Graph* graph_ = nullptr;
};

}  // namespace interface_b9d52356785d1737
}  // namespace resnet18
