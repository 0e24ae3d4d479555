// adamw_update.hpp: adamw_update.h for C++17, inline over it.
// Arrays have their sizes in their types, and instances an owner. What goes wrong is thrown:
//
//   adamw_update::Instance model;  // throws adamw_update::Error
//   adamw_update::Inputs in;
//   in.params_embedding = params_embedding;  // and so on: pointers, arrays, containers
//   adamw_update::Outputs out;
//   out.params_embedding = params_embedding;
//   model.run(in, out, stream);
//
// or returned, also under -fno-exceptions:
//
//   adamw_update::Status status;
//   adamw_update::Instance model(status);
//   if (status.ok()) status = model.try_run(in, out, stream);
//   if (!status.ok()) std::puts(status.text());

#pragma once

#if __cplusplus < 201703L
#error "adamw_update.hpp needs C++17; adamw_update.h does not"
#endif

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "adamw_update/adamw_update.h"

#ifdef __cpp_exceptions
#include <stdexcept>
#endif

// A namespace an interface: parts of a program that were compiled with different versions of this
// file link, and those with another interface than the library's are refused.
namespace adamw_update {
inline namespace interface_a4e456e387866116 {

using Stream = CUstream_st*;  // a cudaStream_t

// What a call says: kAdamwUpdateOk, or another status and a sentence, which holds until
// this thread's next call.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  explicit Status(AdamwUpdateStatus code) noexcept : Status(code, adamw_update_last_error()) {}
  Status(AdamwUpdateStatus code, const char* text) noexcept : code_(code), text_(text) {}

  bool ok() const noexcept { return code_ == kAdamwUpdateOk; }
  AdamwUpdateStatus code() const noexcept { return code_; }
  const char* text() const noexcept { return text_; }
  // What the code means, whichever call gives it. Holds for ever.
  const char* meaning() const noexcept { return adamw_update_status_text(code_); }

 private:
  AdamwUpdateStatus code_ = kAdamwUpdateOk;
  const char* text_ = "";
};

#ifdef __cpp_exceptions
class Error : public std::runtime_error {
 public:
  explicit Error(const Status& status) : std::runtime_error(status.text()), code_(status.code()) {}

  AdamwUpdateStatus code() const noexcept { return code_; }
  const char* meaning() const noexcept { return adamw_update_status_text(code_); }

 private:
  AdamwUpdateStatus code_;
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
  Span<const float, 1024> params_embedding;          // f32[64,16]
  Span<const float, 16> params_final_norm;           // f32[16]
  Span<const float, 1024> params_layer0_down;        // f32[64,16]
  Span<const float, 16> params_layer0_down_bias;     // f32[16]
  Span<const float, 256> params_layer0_k;            // f32[16,16]
  Span<const float, 16> params_layer0_norm1_bias;    // f32[16]
  Span<const float, 16> params_layer0_norm1_scale;   // f32[16]
  Span<const float, 16> params_layer0_norm2_bias;    // f32[16]
  Span<const float, 16> params_layer0_norm2_scale;   // f32[16]
  Span<const float, 256> params_layer0_out;          // f32[16,16]
  Span<const float, 16> params_layer0_out_bias;      // f32[16]
  Span<const float, 256> params_layer0_q;            // f32[16,16]
  Span<const float, 48> params_layer0_qkv_bias;      // f32[3,16]
  Span<const float, 1024> params_layer0_up;          // f32[16,64]
  Span<const float, 64> params_layer0_up_bias;       // f32[64]
  Span<const float, 256> params_layer0_v;            // f32[16,16]
  Span<const float, 1024> params_layer1_down;        // f32[64,16]
  Span<const float, 16> params_layer1_down_bias;     // f32[16]
  Span<const float, 256> params_layer1_k;            // f32[16,16]
  Span<const float, 16> params_layer1_norm1_bias;    // f32[16]
  Span<const float, 16> params_layer1_norm1_scale;   // f32[16]
  Span<const float, 16> params_layer1_norm2_bias;    // f32[16]
  Span<const float, 16> params_layer1_norm2_scale;   // f32[16]
  Span<const float, 256> params_layer1_out;          // f32[16,16]
  Span<const float, 16> params_layer1_out_bias;      // f32[16]
  Span<const float, 256> params_layer1_q;            // f32[16,16]
  Span<const float, 48> params_layer1_qkv_bias;      // f32[3,16]
  Span<const float, 1024> params_layer1_up;          // f32[16,64]
  Span<const float, 64> params_layer1_up_bias;       // f32[64]
  Span<const float, 256> params_layer1_v;            // f32[16,16]
  Span<const float, 256> params_position;            // f32[16,16]
  Span<const float, 1024> grads_embedding;           // f32[64,16]
  Span<const float, 16> grads_final_norm;            // f32[16]
  Span<const float, 1024> grads_layer0_down;         // f32[64,16]
  Span<const float, 16> grads_layer0_down_bias;      // f32[16]
  Span<const float, 256> grads_layer0_k;             // f32[16,16]
  Span<const float, 16> grads_layer0_norm1_bias;     // f32[16]
  Span<const float, 16> grads_layer0_norm1_scale;    // f32[16]
  Span<const float, 16> grads_layer0_norm2_bias;     // f32[16]
  Span<const float, 16> grads_layer0_norm2_scale;    // f32[16]
  Span<const float, 256> grads_layer0_out;           // f32[16,16]
  Span<const float, 16> grads_layer0_out_bias;       // f32[16]
  Span<const float, 256> grads_layer0_q;             // f32[16,16]
  Span<const float, 48> grads_layer0_qkv_bias;       // f32[3,16]
  Span<const float, 1024> grads_layer0_up;           // f32[16,64]
  Span<const float, 64> grads_layer0_up_bias;        // f32[64]
  Span<const float, 256> grads_layer0_v;             // f32[16,16]
  Span<const float, 1024> grads_layer1_down;         // f32[64,16]
  Span<const float, 16> grads_layer1_down_bias;      // f32[16]
  Span<const float, 256> grads_layer1_k;             // f32[16,16]
  Span<const float, 16> grads_layer1_norm1_bias;     // f32[16]
  Span<const float, 16> grads_layer1_norm1_scale;    // f32[16]
  Span<const float, 16> grads_layer1_norm2_bias;     // f32[16]
  Span<const float, 16> grads_layer1_norm2_scale;    // f32[16]
  Span<const float, 256> grads_layer1_out;           // f32[16,16]
  Span<const float, 16> grads_layer1_out_bias;       // f32[16]
  Span<const float, 256> grads_layer1_q;             // f32[16,16]
  Span<const float, 48> grads_layer1_qkv_bias;       // f32[3,16]
  Span<const float, 1024> grads_layer1_up;           // f32[16,64]
  Span<const float, 64> grads_layer1_up_bias;        // f32[64]
  Span<const float, 256> grads_layer1_v;             // f32[16,16]
  Span<const float, 256> grads_position;             // f32[16,16]
  Span<const float, 1024> state_m_embedding;         // f32[64,16]
  Span<const float, 16> state_m_final_norm;          // f32[16]
  Span<const float, 1024> state_m_layer0_down;       // f32[64,16]
  Span<const float, 16> state_m_layer0_down_bias;    // f32[16]
  Span<const float, 256> state_m_layer0_k;           // f32[16,16]
  Span<const float, 16> state_m_layer0_norm1_bias;   // f32[16]
  Span<const float, 16> state_m_layer0_norm1_scale;  // f32[16]
  Span<const float, 16> state_m_layer0_norm2_bias;   // f32[16]
  Span<const float, 16> state_m_layer0_norm2_scale;  // f32[16]
  Span<const float, 256> state_m_layer0_out;         // f32[16,16]
  Span<const float, 16> state_m_layer0_out_bias;     // f32[16]
  Span<const float, 256> state_m_layer0_q;           // f32[16,16]
  Span<const float, 48> state_m_layer0_qkv_bias;     // f32[3,16]
  Span<const float, 1024> state_m_layer0_up;         // f32[16,64]
  Span<const float, 64> state_m_layer0_up_bias;      // f32[64]
  Span<const float, 256> state_m_layer0_v;           // f32[16,16]
  Span<const float, 1024> state_m_layer1_down;       // f32[64,16]
  Span<const float, 16> state_m_layer1_down_bias;    // f32[16]
  Span<const float, 256> state_m_layer1_k;           // f32[16,16]
  Span<const float, 16> state_m_layer1_norm1_bias;   // f32[16]
  Span<const float, 16> state_m_layer1_norm1_scale;  // f32[16]
  Span<const float, 16> state_m_layer1_norm2_bias;   // f32[16]
  Span<const float, 16> state_m_layer1_norm2_scale;  // f32[16]
  Span<const float, 256> state_m_layer1_out;         // f32[16,16]
  Span<const float, 16> state_m_layer1_out_bias;     // f32[16]
  Span<const float, 256> state_m_layer1_q;           // f32[16,16]
  Span<const float, 48> state_m_layer1_qkv_bias;     // f32[3,16]
  Span<const float, 1024> state_m_layer1_up;         // f32[16,64]
  Span<const float, 64> state_m_layer1_up_bias;      // f32[64]
  Span<const float, 256> state_m_layer1_v;           // f32[16,16]
  Span<const float, 256> state_m_position;           // f32[16,16]
  Span<const int, 1> state_step;                     // s32[]
  Span<const float, 1024> state_v_embedding;         // f32[64,16]
  Span<const float, 16> state_v_final_norm;          // f32[16]
  Span<const float, 1024> state_v_layer0_down;       // f32[64,16]
  Span<const float, 16> state_v_layer0_down_bias;    // f32[16]
  Span<const float, 256> state_v_layer0_k;           // f32[16,16]
  Span<const float, 16> state_v_layer0_norm1_bias;   // f32[16]
  Span<const float, 16> state_v_layer0_norm1_scale;  // f32[16]
  Span<const float, 16> state_v_layer0_norm2_bias;   // f32[16]
  Span<const float, 16> state_v_layer0_norm2_scale;  // f32[16]
  Span<const float, 256> state_v_layer0_out;         // f32[16,16]
  Span<const float, 16> state_v_layer0_out_bias;     // f32[16]
  Span<const float, 256> state_v_layer0_q;           // f32[16,16]
  Span<const float, 48> state_v_layer0_qkv_bias;     // f32[3,16]
  Span<const float, 1024> state_v_layer0_up;         // f32[16,64]
  Span<const float, 64> state_v_layer0_up_bias;      // f32[64]
  Span<const float, 256> state_v_layer0_v;           // f32[16,16]
  Span<const float, 1024> state_v_layer1_down;       // f32[64,16]
  Span<const float, 16> state_v_layer1_down_bias;    // f32[16]
  Span<const float, 256> state_v_layer1_k;           // f32[16,16]
  Span<const float, 16> state_v_layer1_norm1_bias;   // f32[16]
  Span<const float, 16> state_v_layer1_norm1_scale;  // f32[16]
  Span<const float, 16> state_v_layer1_norm2_bias;   // f32[16]
  Span<const float, 16> state_v_layer1_norm2_scale;  // f32[16]
  Span<const float, 256> state_v_layer1_out;         // f32[16,16]
  Span<const float, 16> state_v_layer1_out_bias;     // f32[16]
  Span<const float, 256> state_v_layer1_q;           // f32[16,16]
  Span<const float, 48> state_v_layer1_qkv_bias;     // f32[3,16]
  Span<const float, 1024> state_v_layer1_up;         // f32[16,64]
  Span<const float, 64> state_v_layer1_up_bias;      // f32[64]
  Span<const float, 256> state_v_layer1_v;           // f32[16,16]
  Span<const float, 256> state_v_position;           // f32[16,16]
};

struct Outputs {
  Span<float, 1024> params_embedding;          // f32[64,16]
  Span<float, 16> params_final_norm;           // f32[16]
  Span<float, 1024> params_layer0_down;        // f32[64,16]
  Span<float, 16> params_layer0_down_bias;     // f32[16]
  Span<float, 256> params_layer0_k;            // f32[16,16]
  Span<float, 16> params_layer0_norm1_bias;    // f32[16]
  Span<float, 16> params_layer0_norm1_scale;   // f32[16]
  Span<float, 16> params_layer0_norm2_bias;    // f32[16]
  Span<float, 16> params_layer0_norm2_scale;   // f32[16]
  Span<float, 256> params_layer0_out;          // f32[16,16]
  Span<float, 16> params_layer0_out_bias;      // f32[16]
  Span<float, 256> params_layer0_q;            // f32[16,16]
  Span<float, 48> params_layer0_qkv_bias;      // f32[3,16]
  Span<float, 1024> params_layer0_up;          // f32[16,64]
  Span<float, 64> params_layer0_up_bias;       // f32[64]
  Span<float, 256> params_layer0_v;            // f32[16,16]
  Span<float, 1024> params_layer1_down;        // f32[64,16]
  Span<float, 16> params_layer1_down_bias;     // f32[16]
  Span<float, 256> params_layer1_k;            // f32[16,16]
  Span<float, 16> params_layer1_norm1_bias;    // f32[16]
  Span<float, 16> params_layer1_norm1_scale;   // f32[16]
  Span<float, 16> params_layer1_norm2_bias;    // f32[16]
  Span<float, 16> params_layer1_norm2_scale;   // f32[16]
  Span<float, 256> params_layer1_out;          // f32[16,16]
  Span<float, 16> params_layer1_out_bias;      // f32[16]
  Span<float, 256> params_layer1_q;            // f32[16,16]
  Span<float, 48> params_layer1_qkv_bias;      // f32[3,16]
  Span<float, 1024> params_layer1_up;          // f32[16,64]
  Span<float, 64> params_layer1_up_bias;       // f32[64]
  Span<float, 256> params_layer1_v;            // f32[16,16]
  Span<float, 256> params_position;            // f32[16,16]
  Span<float, 1024> state_m_embedding;         // f32[64,16]
  Span<float, 16> state_m_final_norm;          // f32[16]
  Span<float, 1024> state_m_layer0_down;       // f32[64,16]
  Span<float, 16> state_m_layer0_down_bias;    // f32[16]
  Span<float, 256> state_m_layer0_k;           // f32[16,16]
  Span<float, 16> state_m_layer0_norm1_bias;   // f32[16]
  Span<float, 16> state_m_layer0_norm1_scale;  // f32[16]
  Span<float, 16> state_m_layer0_norm2_bias;   // f32[16]
  Span<float, 16> state_m_layer0_norm2_scale;  // f32[16]
  Span<float, 256> state_m_layer0_out;         // f32[16,16]
  Span<float, 16> state_m_layer0_out_bias;     // f32[16]
  Span<float, 256> state_m_layer0_q;           // f32[16,16]
  Span<float, 48> state_m_layer0_qkv_bias;     // f32[3,16]
  Span<float, 1024> state_m_layer0_up;         // f32[16,64]
  Span<float, 64> state_m_layer0_up_bias;      // f32[64]
  Span<float, 256> state_m_layer0_v;           // f32[16,16]
  Span<float, 1024> state_m_layer1_down;       // f32[64,16]
  Span<float, 16> state_m_layer1_down_bias;    // f32[16]
  Span<float, 256> state_m_layer1_k;           // f32[16,16]
  Span<float, 16> state_m_layer1_norm1_bias;   // f32[16]
  Span<float, 16> state_m_layer1_norm1_scale;  // f32[16]
  Span<float, 16> state_m_layer1_norm2_bias;   // f32[16]
  Span<float, 16> state_m_layer1_norm2_scale;  // f32[16]
  Span<float, 256> state_m_layer1_out;         // f32[16,16]
  Span<float, 16> state_m_layer1_out_bias;     // f32[16]
  Span<float, 256> state_m_layer1_q;           // f32[16,16]
  Span<float, 48> state_m_layer1_qkv_bias;     // f32[3,16]
  Span<float, 1024> state_m_layer1_up;         // f32[16,64]
  Span<float, 64> state_m_layer1_up_bias;      // f32[64]
  Span<float, 256> state_m_layer1_v;           // f32[16,16]
  Span<float, 256> state_m_position;           // f32[16,16]
  Span<int, 1> state_step;                     // s32[]
  Span<float, 1024> state_v_embedding;         // f32[64,16]
  Span<float, 16> state_v_final_norm;          // f32[16]
  Span<float, 1024> state_v_layer0_down;       // f32[64,16]
  Span<float, 16> state_v_layer0_down_bias;    // f32[16]
  Span<float, 256> state_v_layer0_k;           // f32[16,16]
  Span<float, 16> state_v_layer0_norm1_bias;   // f32[16]
  Span<float, 16> state_v_layer0_norm1_scale;  // f32[16]
  Span<float, 16> state_v_layer0_norm2_bias;   // f32[16]
  Span<float, 16> state_v_layer0_norm2_scale;  // f32[16]
  Span<float, 256> state_v_layer0_out;         // f32[16,16]
  Span<float, 16> state_v_layer0_out_bias;     // f32[16]
  Span<float, 256> state_v_layer0_q;           // f32[16,16]
  Span<float, 48> state_v_layer0_qkv_bias;     // f32[3,16]
  Span<float, 1024> state_v_layer0_up;         // f32[16,64]
  Span<float, 64> state_v_layer0_up_bias;      // f32[64]
  Span<float, 256> state_v_layer0_v;           // f32[16,16]
  Span<float, 1024> state_v_layer1_down;       // f32[64,16]
  Span<float, 16> state_v_layer1_down_bias;    // f32[16]
  Span<float, 256> state_v_layer1_k;           // f32[16,16]
  Span<float, 16> state_v_layer1_norm1_bias;   // f32[16]
  Span<float, 16> state_v_layer1_norm1_scale;  // f32[16]
  Span<float, 16> state_v_layer1_norm2_bias;   // f32[16]
  Span<float, 16> state_v_layer1_norm2_scale;  // f32[16]
  Span<float, 256> state_v_layer1_out;         // f32[16,16]
  Span<float, 16> state_v_layer1_out_bias;     // f32[16]
  Span<float, 256> state_v_layer1_q;           // f32[16,16]
  Span<float, 48> state_v_layer1_qkv_bias;     // f32[3,16]
  Span<float, 1024> state_v_layer1_up;         // f32[16,64]
  Span<float, 64> state_v_layer1_up_bias;      // f32[64]
  Span<float, 256> state_v_layer1_v;           // f32[16,16]
  Span<float, 256> state_v_position;           // f32[16,16]
};

// How many elements an input or output has: count(&Inputs::NAME).
template <class Arrays, class T, std::size_t Count>
constexpr std::size_t count(Span<T, Count> Arrays::*) noexcept {
  return Count;
}

// Which array has another number of elements; null, if none.
inline const char* wrong_count(const Inputs& in, const Outputs& out) noexcept {
  if (!in.params_embedding.fits())
    return "adamw_update: input params_embedding must have 1024 elements";
  if (!in.params_final_norm.fits())
    return "adamw_update: input params_final_norm must have 16 elements";
  if (!in.params_layer0_down.fits())
    return "adamw_update: input params_layer0_down must have 1024 elements";
  if (!in.params_layer0_down_bias.fits())
    return "adamw_update: input params_layer0_down_bias must have 16 elements";
  if (!in.params_layer0_k.fits())
    return "adamw_update: input params_layer0_k must have 256 elements";
  if (!in.params_layer0_norm1_bias.fits())
    return "adamw_update: input params_layer0_norm1_bias must have 16 elements";
  if (!in.params_layer0_norm1_scale.fits())
    return "adamw_update: input params_layer0_norm1_scale must have 16 elements";
  if (!in.params_layer0_norm2_bias.fits())
    return "adamw_update: input params_layer0_norm2_bias must have 16 elements";
  if (!in.params_layer0_norm2_scale.fits())
    return "adamw_update: input params_layer0_norm2_scale must have 16 elements";
  if (!in.params_layer0_out.fits())
    return "adamw_update: input params_layer0_out must have 256 elements";
  if (!in.params_layer0_out_bias.fits())
    return "adamw_update: input params_layer0_out_bias must have 16 elements";
  if (!in.params_layer0_q.fits())
    return "adamw_update: input params_layer0_q must have 256 elements";
  if (!in.params_layer0_qkv_bias.fits())
    return "adamw_update: input params_layer0_qkv_bias must have 48 elements";
  if (!in.params_layer0_up.fits())
    return "adamw_update: input params_layer0_up must have 1024 elements";
  if (!in.params_layer0_up_bias.fits())
    return "adamw_update: input params_layer0_up_bias must have 64 elements";
  if (!in.params_layer0_v.fits())
    return "adamw_update: input params_layer0_v must have 256 elements";
  if (!in.params_layer1_down.fits())
    return "adamw_update: input params_layer1_down must have 1024 elements";
  if (!in.params_layer1_down_bias.fits())
    return "adamw_update: input params_layer1_down_bias must have 16 elements";
  if (!in.params_layer1_k.fits())
    return "adamw_update: input params_layer1_k must have 256 elements";
  if (!in.params_layer1_norm1_bias.fits())
    return "adamw_update: input params_layer1_norm1_bias must have 16 elements";
  if (!in.params_layer1_norm1_scale.fits())
    return "adamw_update: input params_layer1_norm1_scale must have 16 elements";
  if (!in.params_layer1_norm2_bias.fits())
    return "adamw_update: input params_layer1_norm2_bias must have 16 elements";
  if (!in.params_layer1_norm2_scale.fits())
    return "adamw_update: input params_layer1_norm2_scale must have 16 elements";
  if (!in.params_layer1_out.fits())
    return "adamw_update: input params_layer1_out must have 256 elements";
  if (!in.params_layer1_out_bias.fits())
    return "adamw_update: input params_layer1_out_bias must have 16 elements";
  if (!in.params_layer1_q.fits())
    return "adamw_update: input params_layer1_q must have 256 elements";
  if (!in.params_layer1_qkv_bias.fits())
    return "adamw_update: input params_layer1_qkv_bias must have 48 elements";
  if (!in.params_layer1_up.fits())
    return "adamw_update: input params_layer1_up must have 1024 elements";
  if (!in.params_layer1_up_bias.fits())
    return "adamw_update: input params_layer1_up_bias must have 64 elements";
  if (!in.params_layer1_v.fits())
    return "adamw_update: input params_layer1_v must have 256 elements";
  if (!in.params_position.fits())
    return "adamw_update: input params_position must have 256 elements";
  if (!in.grads_embedding.fits())
    return "adamw_update: input grads_embedding must have 1024 elements";
  if (!in.grads_final_norm.fits())
    return "adamw_update: input grads_final_norm must have 16 elements";
  if (!in.grads_layer0_down.fits())
    return "adamw_update: input grads_layer0_down must have 1024 elements";
  if (!in.grads_layer0_down_bias.fits())
    return "adamw_update: input grads_layer0_down_bias must have 16 elements";
  if (!in.grads_layer0_k.fits()) return "adamw_update: input grads_layer0_k must have 256 elements";
  if (!in.grads_layer0_norm1_bias.fits())
    return "adamw_update: input grads_layer0_norm1_bias must have 16 elements";
  if (!in.grads_layer0_norm1_scale.fits())
    return "adamw_update: input grads_layer0_norm1_scale must have 16 elements";
  if (!in.grads_layer0_norm2_bias.fits())
    return "adamw_update: input grads_layer0_norm2_bias must have 16 elements";
  if (!in.grads_layer0_norm2_scale.fits())
    return "adamw_update: input grads_layer0_norm2_scale must have 16 elements";
  if (!in.grads_layer0_out.fits())
    return "adamw_update: input grads_layer0_out must have 256 elements";
  if (!in.grads_layer0_out_bias.fits())
    return "adamw_update: input grads_layer0_out_bias must have 16 elements";
  if (!in.grads_layer0_q.fits()) return "adamw_update: input grads_layer0_q must have 256 elements";
  if (!in.grads_layer0_qkv_bias.fits())
    return "adamw_update: input grads_layer0_qkv_bias must have 48 elements";
  if (!in.grads_layer0_up.fits())
    return "adamw_update: input grads_layer0_up must have 1024 elements";
  if (!in.grads_layer0_up_bias.fits())
    return "adamw_update: input grads_layer0_up_bias must have 64 elements";
  if (!in.grads_layer0_v.fits()) return "adamw_update: input grads_layer0_v must have 256 elements";
  if (!in.grads_layer1_down.fits())
    return "adamw_update: input grads_layer1_down must have 1024 elements";
  if (!in.grads_layer1_down_bias.fits())
    return "adamw_update: input grads_layer1_down_bias must have 16 elements";
  if (!in.grads_layer1_k.fits()) return "adamw_update: input grads_layer1_k must have 256 elements";
  if (!in.grads_layer1_norm1_bias.fits())
    return "adamw_update: input grads_layer1_norm1_bias must have 16 elements";
  if (!in.grads_layer1_norm1_scale.fits())
    return "adamw_update: input grads_layer1_norm1_scale must have 16 elements";
  if (!in.grads_layer1_norm2_bias.fits())
    return "adamw_update: input grads_layer1_norm2_bias must have 16 elements";
  if (!in.grads_layer1_norm2_scale.fits())
    return "adamw_update: input grads_layer1_norm2_scale must have 16 elements";
  if (!in.grads_layer1_out.fits())
    return "adamw_update: input grads_layer1_out must have 256 elements";
  if (!in.grads_layer1_out_bias.fits())
    return "adamw_update: input grads_layer1_out_bias must have 16 elements";
  if (!in.grads_layer1_q.fits()) return "adamw_update: input grads_layer1_q must have 256 elements";
  if (!in.grads_layer1_qkv_bias.fits())
    return "adamw_update: input grads_layer1_qkv_bias must have 48 elements";
  if (!in.grads_layer1_up.fits())
    return "adamw_update: input grads_layer1_up must have 1024 elements";
  if (!in.grads_layer1_up_bias.fits())
    return "adamw_update: input grads_layer1_up_bias must have 64 elements";
  if (!in.grads_layer1_v.fits()) return "adamw_update: input grads_layer1_v must have 256 elements";
  if (!in.grads_position.fits()) return "adamw_update: input grads_position must have 256 elements";
  if (!in.state_m_embedding.fits())
    return "adamw_update: input state_m_embedding must have 1024 elements";
  if (!in.state_m_final_norm.fits())
    return "adamw_update: input state_m_final_norm must have 16 elements";
  if (!in.state_m_layer0_down.fits())
    return "adamw_update: input state_m_layer0_down must have 1024 elements";
  if (!in.state_m_layer0_down_bias.fits())
    return "adamw_update: input state_m_layer0_down_bias must have 16 elements";
  if (!in.state_m_layer0_k.fits())
    return "adamw_update: input state_m_layer0_k must have 256 elements";
  if (!in.state_m_layer0_norm1_bias.fits())
    return "adamw_update: input state_m_layer0_norm1_bias must have 16 elements";
  if (!in.state_m_layer0_norm1_scale.fits())
    return "adamw_update: input state_m_layer0_norm1_scale must have 16 elements";
  if (!in.state_m_layer0_norm2_bias.fits())
    return "adamw_update: input state_m_layer0_norm2_bias must have 16 elements";
  if (!in.state_m_layer0_norm2_scale.fits())
    return "adamw_update: input state_m_layer0_norm2_scale must have 16 elements";
  if (!in.state_m_layer0_out.fits())
    return "adamw_update: input state_m_layer0_out must have 256 elements";
  if (!in.state_m_layer0_out_bias.fits())
    return "adamw_update: input state_m_layer0_out_bias must have 16 elements";
  if (!in.state_m_layer0_q.fits())
    return "adamw_update: input state_m_layer0_q must have 256 elements";
  if (!in.state_m_layer0_qkv_bias.fits())
    return "adamw_update: input state_m_layer0_qkv_bias must have 48 elements";
  if (!in.state_m_layer0_up.fits())
    return "adamw_update: input state_m_layer0_up must have 1024 elements";
  if (!in.state_m_layer0_up_bias.fits())
    return "adamw_update: input state_m_layer0_up_bias must have 64 elements";
  if (!in.state_m_layer0_v.fits())
    return "adamw_update: input state_m_layer0_v must have 256 elements";
  if (!in.state_m_layer1_down.fits())
    return "adamw_update: input state_m_layer1_down must have 1024 elements";
  if (!in.state_m_layer1_down_bias.fits())
    return "adamw_update: input state_m_layer1_down_bias must have 16 elements";
  if (!in.state_m_layer1_k.fits())
    return "adamw_update: input state_m_layer1_k must have 256 elements";
  if (!in.state_m_layer1_norm1_bias.fits())
    return "adamw_update: input state_m_layer1_norm1_bias must have 16 elements";
  if (!in.state_m_layer1_norm1_scale.fits())
    return "adamw_update: input state_m_layer1_norm1_scale must have 16 elements";
  if (!in.state_m_layer1_norm2_bias.fits())
    return "adamw_update: input state_m_layer1_norm2_bias must have 16 elements";
  if (!in.state_m_layer1_norm2_scale.fits())
    return "adamw_update: input state_m_layer1_norm2_scale must have 16 elements";
  if (!in.state_m_layer1_out.fits())
    return "adamw_update: input state_m_layer1_out must have 256 elements";
  if (!in.state_m_layer1_out_bias.fits())
    return "adamw_update: input state_m_layer1_out_bias must have 16 elements";
  if (!in.state_m_layer1_q.fits())
    return "adamw_update: input state_m_layer1_q must have 256 elements";
  if (!in.state_m_layer1_qkv_bias.fits())
    return "adamw_update: input state_m_layer1_qkv_bias must have 48 elements";
  if (!in.state_m_layer1_up.fits())
    return "adamw_update: input state_m_layer1_up must have 1024 elements";
  if (!in.state_m_layer1_up_bias.fits())
    return "adamw_update: input state_m_layer1_up_bias must have 64 elements";
  if (!in.state_m_layer1_v.fits())
    return "adamw_update: input state_m_layer1_v must have 256 elements";
  if (!in.state_m_position.fits())
    return "adamw_update: input state_m_position must have 256 elements";
  if (!in.state_step.fits()) return "adamw_update: input state_step must have 1 elements";
  if (!in.state_v_embedding.fits())
    return "adamw_update: input state_v_embedding must have 1024 elements";
  if (!in.state_v_final_norm.fits())
    return "adamw_update: input state_v_final_norm must have 16 elements";
  if (!in.state_v_layer0_down.fits())
    return "adamw_update: input state_v_layer0_down must have 1024 elements";
  if (!in.state_v_layer0_down_bias.fits())
    return "adamw_update: input state_v_layer0_down_bias must have 16 elements";
  if (!in.state_v_layer0_k.fits())
    return "adamw_update: input state_v_layer0_k must have 256 elements";
  if (!in.state_v_layer0_norm1_bias.fits())
    return "adamw_update: input state_v_layer0_norm1_bias must have 16 elements";
  if (!in.state_v_layer0_norm1_scale.fits())
    return "adamw_update: input state_v_layer0_norm1_scale must have 16 elements";
  if (!in.state_v_layer0_norm2_bias.fits())
    return "adamw_update: input state_v_layer0_norm2_bias must have 16 elements";
  if (!in.state_v_layer0_norm2_scale.fits())
    return "adamw_update: input state_v_layer0_norm2_scale must have 16 elements";
  if (!in.state_v_layer0_out.fits())
    return "adamw_update: input state_v_layer0_out must have 256 elements";
  if (!in.state_v_layer0_out_bias.fits())
    return "adamw_update: input state_v_layer0_out_bias must have 16 elements";
  if (!in.state_v_layer0_q.fits())
    return "adamw_update: input state_v_layer0_q must have 256 elements";
  if (!in.state_v_layer0_qkv_bias.fits())
    return "adamw_update: input state_v_layer0_qkv_bias must have 48 elements";
  if (!in.state_v_layer0_up.fits())
    return "adamw_update: input state_v_layer0_up must have 1024 elements";
  if (!in.state_v_layer0_up_bias.fits())
    return "adamw_update: input state_v_layer0_up_bias must have 64 elements";
  if (!in.state_v_layer0_v.fits())
    return "adamw_update: input state_v_layer0_v must have 256 elements";
  if (!in.state_v_layer1_down.fits())
    return "adamw_update: input state_v_layer1_down must have 1024 elements";
  if (!in.state_v_layer1_down_bias.fits())
    return "adamw_update: input state_v_layer1_down_bias must have 16 elements";
  if (!in.state_v_layer1_k.fits())
    return "adamw_update: input state_v_layer1_k must have 256 elements";
  if (!in.state_v_layer1_norm1_bias.fits())
    return "adamw_update: input state_v_layer1_norm1_bias must have 16 elements";
  if (!in.state_v_layer1_norm1_scale.fits())
    return "adamw_update: input state_v_layer1_norm1_scale must have 16 elements";
  if (!in.state_v_layer1_norm2_bias.fits())
    return "adamw_update: input state_v_layer1_norm2_bias must have 16 elements";
  if (!in.state_v_layer1_norm2_scale.fits())
    return "adamw_update: input state_v_layer1_norm2_scale must have 16 elements";
  if (!in.state_v_layer1_out.fits())
    return "adamw_update: input state_v_layer1_out must have 256 elements";
  if (!in.state_v_layer1_out_bias.fits())
    return "adamw_update: input state_v_layer1_out_bias must have 16 elements";
  if (!in.state_v_layer1_q.fits())
    return "adamw_update: input state_v_layer1_q must have 256 elements";
  if (!in.state_v_layer1_qkv_bias.fits())
    return "adamw_update: input state_v_layer1_qkv_bias must have 48 elements";
  if (!in.state_v_layer1_up.fits())
    return "adamw_update: input state_v_layer1_up must have 1024 elements";
  if (!in.state_v_layer1_up_bias.fits())
    return "adamw_update: input state_v_layer1_up_bias must have 64 elements";
  if (!in.state_v_layer1_v.fits())
    return "adamw_update: input state_v_layer1_v must have 256 elements";
  if (!in.state_v_position.fits())
    return "adamw_update: input state_v_position must have 256 elements";
  if (!out.params_embedding.fits())
    return "adamw_update: output params_embedding must have 1024 elements";
  if (!out.params_final_norm.fits())
    return "adamw_update: output params_final_norm must have 16 elements";
  if (!out.params_layer0_down.fits())
    return "adamw_update: output params_layer0_down must have 1024 elements";
  if (!out.params_layer0_down_bias.fits())
    return "adamw_update: output params_layer0_down_bias must have 16 elements";
  if (!out.params_layer0_k.fits())
    return "adamw_update: output params_layer0_k must have 256 elements";
  if (!out.params_layer0_norm1_bias.fits())
    return "adamw_update: output params_layer0_norm1_bias must have 16 elements";
  if (!out.params_layer0_norm1_scale.fits())
    return "adamw_update: output params_layer0_norm1_scale must have 16 elements";
  if (!out.params_layer0_norm2_bias.fits())
    return "adamw_update: output params_layer0_norm2_bias must have 16 elements";
  if (!out.params_layer0_norm2_scale.fits())
    return "adamw_update: output params_layer0_norm2_scale must have 16 elements";
  if (!out.params_layer0_out.fits())
    return "adamw_update: output params_layer0_out must have 256 elements";
  if (!out.params_layer0_out_bias.fits())
    return "adamw_update: output params_layer0_out_bias must have 16 elements";
  if (!out.params_layer0_q.fits())
    return "adamw_update: output params_layer0_q must have 256 elements";
  if (!out.params_layer0_qkv_bias.fits())
    return "adamw_update: output params_layer0_qkv_bias must have 48 elements";
  if (!out.params_layer0_up.fits())
    return "adamw_update: output params_layer0_up must have 1024 elements";
  if (!out.params_layer0_up_bias.fits())
    return "adamw_update: output params_layer0_up_bias must have 64 elements";
  if (!out.params_layer0_v.fits())
    return "adamw_update: output params_layer0_v must have 256 elements";
  if (!out.params_layer1_down.fits())
    return "adamw_update: output params_layer1_down must have 1024 elements";
  if (!out.params_layer1_down_bias.fits())
    return "adamw_update: output params_layer1_down_bias must have 16 elements";
  if (!out.params_layer1_k.fits())
    return "adamw_update: output params_layer1_k must have 256 elements";
  if (!out.params_layer1_norm1_bias.fits())
    return "adamw_update: output params_layer1_norm1_bias must have 16 elements";
  if (!out.params_layer1_norm1_scale.fits())
    return "adamw_update: output params_layer1_norm1_scale must have 16 elements";
  if (!out.params_layer1_norm2_bias.fits())
    return "adamw_update: output params_layer1_norm2_bias must have 16 elements";
  if (!out.params_layer1_norm2_scale.fits())
    return "adamw_update: output params_layer1_norm2_scale must have 16 elements";
  if (!out.params_layer1_out.fits())
    return "adamw_update: output params_layer1_out must have 256 elements";
  if (!out.params_layer1_out_bias.fits())
    return "adamw_update: output params_layer1_out_bias must have 16 elements";
  if (!out.params_layer1_q.fits())
    return "adamw_update: output params_layer1_q must have 256 elements";
  if (!out.params_layer1_qkv_bias.fits())
    return "adamw_update: output params_layer1_qkv_bias must have 48 elements";
  if (!out.params_layer1_up.fits())
    return "adamw_update: output params_layer1_up must have 1024 elements";
  if (!out.params_layer1_up_bias.fits())
    return "adamw_update: output params_layer1_up_bias must have 64 elements";
  if (!out.params_layer1_v.fits())
    return "adamw_update: output params_layer1_v must have 256 elements";
  if (!out.params_position.fits())
    return "adamw_update: output params_position must have 256 elements";
  if (!out.state_m_embedding.fits())
    return "adamw_update: output state_m_embedding must have 1024 elements";
  if (!out.state_m_final_norm.fits())
    return "adamw_update: output state_m_final_norm must have 16 elements";
  if (!out.state_m_layer0_down.fits())
    return "adamw_update: output state_m_layer0_down must have 1024 elements";
  if (!out.state_m_layer0_down_bias.fits())
    return "adamw_update: output state_m_layer0_down_bias must have 16 elements";
  if (!out.state_m_layer0_k.fits())
    return "adamw_update: output state_m_layer0_k must have 256 elements";
  if (!out.state_m_layer0_norm1_bias.fits())
    return "adamw_update: output state_m_layer0_norm1_bias must have 16 elements";
  if (!out.state_m_layer0_norm1_scale.fits())
    return "adamw_update: output state_m_layer0_norm1_scale must have 16 elements";
  if (!out.state_m_layer0_norm2_bias.fits())
    return "adamw_update: output state_m_layer0_norm2_bias must have 16 elements";
  if (!out.state_m_layer0_norm2_scale.fits())
    return "adamw_update: output state_m_layer0_norm2_scale must have 16 elements";
  if (!out.state_m_layer0_out.fits())
    return "adamw_update: output state_m_layer0_out must have 256 elements";
  if (!out.state_m_layer0_out_bias.fits())
    return "adamw_update: output state_m_layer0_out_bias must have 16 elements";
  if (!out.state_m_layer0_q.fits())
    return "adamw_update: output state_m_layer0_q must have 256 elements";
  if (!out.state_m_layer0_qkv_bias.fits())
    return "adamw_update: output state_m_layer0_qkv_bias must have 48 elements";
  if (!out.state_m_layer0_up.fits())
    return "adamw_update: output state_m_layer0_up must have 1024 elements";
  if (!out.state_m_layer0_up_bias.fits())
    return "adamw_update: output state_m_layer0_up_bias must have 64 elements";
  if (!out.state_m_layer0_v.fits())
    return "adamw_update: output state_m_layer0_v must have 256 elements";
  if (!out.state_m_layer1_down.fits())
    return "adamw_update: output state_m_layer1_down must have 1024 elements";
  if (!out.state_m_layer1_down_bias.fits())
    return "adamw_update: output state_m_layer1_down_bias must have 16 elements";
  if (!out.state_m_layer1_k.fits())
    return "adamw_update: output state_m_layer1_k must have 256 elements";
  if (!out.state_m_layer1_norm1_bias.fits())
    return "adamw_update: output state_m_layer1_norm1_bias must have 16 elements";
  if (!out.state_m_layer1_norm1_scale.fits())
    return "adamw_update: output state_m_layer1_norm1_scale must have 16 elements";
  if (!out.state_m_layer1_norm2_bias.fits())
    return "adamw_update: output state_m_layer1_norm2_bias must have 16 elements";
  if (!out.state_m_layer1_norm2_scale.fits())
    return "adamw_update: output state_m_layer1_norm2_scale must have 16 elements";
  if (!out.state_m_layer1_out.fits())
    return "adamw_update: output state_m_layer1_out must have 256 elements";
  if (!out.state_m_layer1_out_bias.fits())
    return "adamw_update: output state_m_layer1_out_bias must have 16 elements";
  if (!out.state_m_layer1_q.fits())
    return "adamw_update: output state_m_layer1_q must have 256 elements";
  if (!out.state_m_layer1_qkv_bias.fits())
    return "adamw_update: output state_m_layer1_qkv_bias must have 48 elements";
  if (!out.state_m_layer1_up.fits())
    return "adamw_update: output state_m_layer1_up must have 1024 elements";
  if (!out.state_m_layer1_up_bias.fits())
    return "adamw_update: output state_m_layer1_up_bias must have 64 elements";
  if (!out.state_m_layer1_v.fits())
    return "adamw_update: output state_m_layer1_v must have 256 elements";
  if (!out.state_m_position.fits())
    return "adamw_update: output state_m_position must have 256 elements";
  if (!out.state_step.fits()) return "adamw_update: output state_step must have 1 elements";
  if (!out.state_v_embedding.fits())
    return "adamw_update: output state_v_embedding must have 1024 elements";
  if (!out.state_v_final_norm.fits())
    return "adamw_update: output state_v_final_norm must have 16 elements";
  if (!out.state_v_layer0_down.fits())
    return "adamw_update: output state_v_layer0_down must have 1024 elements";
  if (!out.state_v_layer0_down_bias.fits())
    return "adamw_update: output state_v_layer0_down_bias must have 16 elements";
  if (!out.state_v_layer0_k.fits())
    return "adamw_update: output state_v_layer0_k must have 256 elements";
  if (!out.state_v_layer0_norm1_bias.fits())
    return "adamw_update: output state_v_layer0_norm1_bias must have 16 elements";
  if (!out.state_v_layer0_norm1_scale.fits())
    return "adamw_update: output state_v_layer0_norm1_scale must have 16 elements";
  if (!out.state_v_layer0_norm2_bias.fits())
    return "adamw_update: output state_v_layer0_norm2_bias must have 16 elements";
  if (!out.state_v_layer0_norm2_scale.fits())
    return "adamw_update: output state_v_layer0_norm2_scale must have 16 elements";
  if (!out.state_v_layer0_out.fits())
    return "adamw_update: output state_v_layer0_out must have 256 elements";
  if (!out.state_v_layer0_out_bias.fits())
    return "adamw_update: output state_v_layer0_out_bias must have 16 elements";
  if (!out.state_v_layer0_q.fits())
    return "adamw_update: output state_v_layer0_q must have 256 elements";
  if (!out.state_v_layer0_qkv_bias.fits())
    return "adamw_update: output state_v_layer0_qkv_bias must have 48 elements";
  if (!out.state_v_layer0_up.fits())
    return "adamw_update: output state_v_layer0_up must have 1024 elements";
  if (!out.state_v_layer0_up_bias.fits())
    return "adamw_update: output state_v_layer0_up_bias must have 64 elements";
  if (!out.state_v_layer0_v.fits())
    return "adamw_update: output state_v_layer0_v must have 256 elements";
  if (!out.state_v_layer1_down.fits())
    return "adamw_update: output state_v_layer1_down must have 1024 elements";
  if (!out.state_v_layer1_down_bias.fits())
    return "adamw_update: output state_v_layer1_down_bias must have 16 elements";
  if (!out.state_v_layer1_k.fits())
    return "adamw_update: output state_v_layer1_k must have 256 elements";
  if (!out.state_v_layer1_norm1_bias.fits())
    return "adamw_update: output state_v_layer1_norm1_bias must have 16 elements";
  if (!out.state_v_layer1_norm1_scale.fits())
    return "adamw_update: output state_v_layer1_norm1_scale must have 16 elements";
  if (!out.state_v_layer1_norm2_bias.fits())
    return "adamw_update: output state_v_layer1_norm2_bias must have 16 elements";
  if (!out.state_v_layer1_norm2_scale.fits())
    return "adamw_update: output state_v_layer1_norm2_scale must have 16 elements";
  if (!out.state_v_layer1_out.fits())
    return "adamw_update: output state_v_layer1_out must have 256 elements";
  if (!out.state_v_layer1_out_bias.fits())
    return "adamw_update: output state_v_layer1_out_bias must have 16 elements";
  if (!out.state_v_layer1_q.fits())
    return "adamw_update: output state_v_layer1_q must have 256 elements";
  if (!out.state_v_layer1_qkv_bias.fits())
    return "adamw_update: output state_v_layer1_qkv_bias must have 48 elements";
  if (!out.state_v_layer1_up.fits())
    return "adamw_update: output state_v_layer1_up must have 1024 elements";
  if (!out.state_v_layer1_up_bias.fits())
    return "adamw_update: output state_v_layer1_up_bias must have 64 elements";
  if (!out.state_v_layer1_v.fits())
    return "adamw_update: output state_v_layer1_v must have 256 elements";
  if (!out.state_v_position.fits())
    return "adamw_update: output state_v_position must have 256 elements";
  return nullptr;
}

// As the C interface takes them.
inline AdamwUpdateInputs pointers(const Inputs& in) noexcept {
  return {in.params_embedding.data(), in.params_final_norm.data(), in.params_layer0_down.data(),
          in.params_layer0_down_bias.data(), in.params_layer0_k.data(),
          in.params_layer0_norm1_bias.data(), in.params_layer0_norm1_scale.data(),
          in.params_layer0_norm2_bias.data(), in.params_layer0_norm2_scale.data(),
          in.params_layer0_out.data(), in.params_layer0_out_bias.data(), in.params_layer0_q.data(),
          in.params_layer0_qkv_bias.data(), in.params_layer0_up.data(),
          in.params_layer0_up_bias.data(), in.params_layer0_v.data(), in.params_layer1_down.data(),
          in.params_layer1_down_bias.data(), in.params_layer1_k.data(),
          in.params_layer1_norm1_bias.data(), in.params_layer1_norm1_scale.data(),
          in.params_layer1_norm2_bias.data(), in.params_layer1_norm2_scale.data(),
          in.params_layer1_out.data(), in.params_layer1_out_bias.data(), in.params_layer1_q.data(),
          in.params_layer1_qkv_bias.data(), in.params_layer1_up.data(),
          in.params_layer1_up_bias.data(), in.params_layer1_v.data(), in.params_position.data(),
          in.grads_embedding.data(), in.grads_final_norm.data(), in.grads_layer0_down.data(),
          in.grads_layer0_down_bias.data(), in.grads_layer0_k.data(),
          in.grads_layer0_norm1_bias.data(), in.grads_layer0_norm1_scale.data(),
          in.grads_layer0_norm2_bias.data(), in.grads_layer0_norm2_scale.data(),
          in.grads_layer0_out.data(), in.grads_layer0_out_bias.data(), in.grads_layer0_q.data(),
          in.grads_layer0_qkv_bias.data(), in.grads_layer0_up.data(),
          in.grads_layer0_up_bias.data(), in.grads_layer0_v.data(), in.grads_layer1_down.data(),
          in.grads_layer1_down_bias.data(), in.grads_layer1_k.data(),
          in.grads_layer1_norm1_bias.data(), in.grads_layer1_norm1_scale.data(),
          in.grads_layer1_norm2_bias.data(), in.grads_layer1_norm2_scale.data(),
          in.grads_layer1_out.data(), in.grads_layer1_out_bias.data(), in.grads_layer1_q.data(),
          in.grads_layer1_qkv_bias.data(), in.grads_layer1_up.data(),
          in.grads_layer1_up_bias.data(), in.grads_layer1_v.data(), in.grads_position.data(),
          in.state_m_embedding.data(), in.state_m_final_norm.data(), in.state_m_layer0_down.data(),
          in.state_m_layer0_down_bias.data(), in.state_m_layer0_k.data(),
          in.state_m_layer0_norm1_bias.data(), in.state_m_layer0_norm1_scale.data(),
          in.state_m_layer0_norm2_bias.data(), in.state_m_layer0_norm2_scale.data(),
          in.state_m_layer0_out.data(), in.state_m_layer0_out_bias.data(),
          in.state_m_layer0_q.data(), in.state_m_layer0_qkv_bias.data(),
          in.state_m_layer0_up.data(), in.state_m_layer0_up_bias.data(), in.state_m_layer0_v.data(),
          in.state_m_layer1_down.data(), in.state_m_layer1_down_bias.data(),
          in.state_m_layer1_k.data(), in.state_m_layer1_norm1_bias.data(),
          in.state_m_layer1_norm1_scale.data(), in.state_m_layer1_norm2_bias.data(),
          in.state_m_layer1_norm2_scale.data(), in.state_m_layer1_out.data(),
          in.state_m_layer1_out_bias.data(), in.state_m_layer1_q.data(),
          in.state_m_layer1_qkv_bias.data(), in.state_m_layer1_up.data(),
          in.state_m_layer1_up_bias.data(), in.state_m_layer1_v.data(), in.state_m_position.data(),
          in.state_step.data(), in.state_v_embedding.data(), in.state_v_final_norm.data(),
          in.state_v_layer0_down.data(), in.state_v_layer0_down_bias.data(),
          in.state_v_layer0_k.data(), in.state_v_layer0_norm1_bias.data(),
          in.state_v_layer0_norm1_scale.data(), in.state_v_layer0_norm2_bias.data(),
          in.state_v_layer0_norm2_scale.data(), in.state_v_layer0_out.data(),
          in.state_v_layer0_out_bias.data(), in.state_v_layer0_q.data(),
          in.state_v_layer0_qkv_bias.data(), in.state_v_layer0_up.data(),
          in.state_v_layer0_up_bias.data(), in.state_v_layer0_v.data(),
          in.state_v_layer1_down.data(), in.state_v_layer1_down_bias.data(),
          in.state_v_layer1_k.data(), in.state_v_layer1_norm1_bias.data(),
          in.state_v_layer1_norm1_scale.data(), in.state_v_layer1_norm2_bias.data(),
          in.state_v_layer1_norm2_scale.data(), in.state_v_layer1_out.data(),
          in.state_v_layer1_out_bias.data(), in.state_v_layer1_q.data(),
          in.state_v_layer1_qkv_bias.data(), in.state_v_layer1_up.data(),
          in.state_v_layer1_up_bias.data(), in.state_v_layer1_v.data(), in.state_v_position.data()};
}
inline AdamwUpdateOutputs pointers(const Outputs& out) noexcept {
  return {out.params_embedding.data(), out.params_final_norm.data(), out.params_layer0_down.data(),
          out.params_layer0_down_bias.data(), out.params_layer0_k.data(),
          out.params_layer0_norm1_bias.data(), out.params_layer0_norm1_scale.data(),
          out.params_layer0_norm2_bias.data(), out.params_layer0_norm2_scale.data(),
          out.params_layer0_out.data(), out.params_layer0_out_bias.data(),
          out.params_layer0_q.data(), out.params_layer0_qkv_bias.data(),
          out.params_layer0_up.data(), out.params_layer0_up_bias.data(), out.params_layer0_v.data(),
          out.params_layer1_down.data(), out.params_layer1_down_bias.data(),
          out.params_layer1_k.data(), out.params_layer1_norm1_bias.data(),
          out.params_layer1_norm1_scale.data(), out.params_layer1_norm2_bias.data(),
          out.params_layer1_norm2_scale.data(), out.params_layer1_out.data(),
          out.params_layer1_out_bias.data(), out.params_layer1_q.data(),
          out.params_layer1_qkv_bias.data(), out.params_layer1_up.data(),
          out.params_layer1_up_bias.data(), out.params_layer1_v.data(), out.params_position.data(),
          out.state_m_embedding.data(), out.state_m_final_norm.data(),
          out.state_m_layer0_down.data(), out.state_m_layer0_down_bias.data(),
          out.state_m_layer0_k.data(), out.state_m_layer0_norm1_bias.data(),
          out.state_m_layer0_norm1_scale.data(), out.state_m_layer0_norm2_bias.data(),
          out.state_m_layer0_norm2_scale.data(), out.state_m_layer0_out.data(),
          out.state_m_layer0_out_bias.data(), out.state_m_layer0_q.data(),
          out.state_m_layer0_qkv_bias.data(), out.state_m_layer0_up.data(),
          out.state_m_layer0_up_bias.data(), out.state_m_layer0_v.data(),
          out.state_m_layer1_down.data(), out.state_m_layer1_down_bias.data(),
          out.state_m_layer1_k.data(), out.state_m_layer1_norm1_bias.data(),
          out.state_m_layer1_norm1_scale.data(), out.state_m_layer1_norm2_bias.data(),
          out.state_m_layer1_norm2_scale.data(), out.state_m_layer1_out.data(),
          out.state_m_layer1_out_bias.data(), out.state_m_layer1_q.data(),
          out.state_m_layer1_qkv_bias.data(), out.state_m_layer1_up.data(),
          out.state_m_layer1_up_bias.data(), out.state_m_layer1_v.data(),
          out.state_m_position.data(), out.state_step.data(), out.state_v_embedding.data(),
          out.state_v_final_norm.data(), out.state_v_layer0_down.data(),
          out.state_v_layer0_down_bias.data(), out.state_v_layer0_k.data(),
          out.state_v_layer0_norm1_bias.data(), out.state_v_layer0_norm1_scale.data(),
          out.state_v_layer0_norm2_bias.data(), out.state_v_layer0_norm2_scale.data(),
          out.state_v_layer0_out.data(), out.state_v_layer0_out_bias.data(),
          out.state_v_layer0_q.data(), out.state_v_layer0_qkv_bias.data(),
          out.state_v_layer0_up.data(), out.state_v_layer0_up_bias.data(),
          out.state_v_layer0_v.data(), out.state_v_layer1_down.data(),
          out.state_v_layer1_down_bias.data(), out.state_v_layer1_k.data(),
          out.state_v_layer1_norm1_bias.data(), out.state_v_layer1_norm1_scale.data(),
          out.state_v_layer1_norm2_bias.data(), out.state_v_layer1_norm2_scale.data(),
          out.state_v_layer1_out.data(), out.state_v_layer1_out_bias.data(),
          out.state_v_layer1_q.data(), out.state_v_layer1_qkv_bias.data(),
          out.state_v_layer1_up.data(), out.state_v_layer1_up_bias.data(),
          out.state_v_layer1_v.data(), out.state_v_position.data()};
}

// AdamwUpdateOptions, with its defaults.
struct Options : AdamwUpdateOptions {
  Options() noexcept : AdamwUpdateOptions(ADAMW_UPDATE_OPTIONS) {}
};

inline const AdamwUpdateInfo& info() noexcept { return *adamw_update_info(); }
inline std::int64_t workspace_bytes() noexcept { return adamw_update_workspace_bytes(); }

// Moved from or reset, it has none: runs are refused.
class Instance {
 public:
#ifdef __cpp_exceptions
  Instance() : Instance(Options()) {}
  explicit Instance(const Options& options) {
    check(Status(adamw_update_create_with(&instance_, &options)));
  }
#endif
  explicit Instance(Status& status) noexcept : Instance(Options(), status) {}
  Instance(const Options& options, Status& status) noexcept {
    status = Status(adamw_update_create_with(&instance_, &options));
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
      return {kAdamwUpdateInvalidArgument, wrong};
    const AdamwUpdateInputs inputs = pointers(in);
    const AdamwUpdateOutputs outputs = pointers(out);
    return Status(adamw_update_run(instance_, &inputs, &outputs, stream));
  }

  void reset() noexcept { adamw_update_destroy(std::exchange(instance_, nullptr)); }
  explicit operator bool() const noexcept { return instance_ != nullptr; }
  // For the functions of adamw_update.h.
  AdamwUpdateInstance* get() const noexcept { return instance_; }

 private:
  AdamwUpdateInstance* instance_ = nullptr;
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
      return {kAdamwUpdateInvalidArgument, wrong};
    const AdamwUpdateInputs inputs = pointers(in);
    const AdamwUpdateOutputs outputs = pointers(out);
    return Status(adamw_update_graph_update(graph_, &inputs, &outputs));
  }
  Status try_launch(Stream stream = nullptr) const noexcept {
    return Status(adamw_update_graph_launch(graph_, stream));
  }

  Graph(Graph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    Graph moved(std::move(other));
    std::swap(graph_, moved.graph_);
    return *this;
  }
  ~Graph() { adamw_update_graph_destroy(graph_); }

  explicit operator bool() const noexcept { return graph_ != nullptr; }
  // For the functions of adamw_update.h.
  AdamwUpdateGraph* get() const noexcept { return graph_; }

 private:
  Status capture(const Instance& model, const Inputs& in, const Outputs& out) noexcept {
    if (const char* wrong = wrong_count(in, out))
      return {kAdamwUpdateInvalidArgument, wrong};
    const AdamwUpdateInputs inputs = pointers(in);
    const AdamwUpdateOutputs outputs = pointers(out);
    return Status(adamw_update_capture(&graph_, model.get(), &inputs, &outputs));
  }

  AdamwUpdateGraph* graph_ = nullptr;
};

}  // namespace interface_a4e456e387866116
}  // namespace adamw_update
