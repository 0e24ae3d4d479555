// ppo_update.hpp: ppo_update.h for C++17, inline over it.
// Arrays have their sizes in their types, and instances an owner. What goes wrong is thrown:
//
//   ppo_update::Instance model;  // throws ppo_update::Error
//   ppo_update::Inputs in;
//   in.params_policy_0_b = params_policy_0_b;  // and so on: pointers, arrays, containers
//   ppo_update::Outputs out;
//   out.params_policy_0_b = params_policy_0_b;
//   model.run(in, out, stream);
//
// or returned, also under -fno-exceptions:
//
//   ppo_update::Status status;
//   ppo_update::Instance model(status);
//   if (status.ok()) status = model.try_run(in, out, stream);
//   if (!status.ok()) std::puts(status.text());

#pragma once

#if __cplusplus < 201703L
#error "ppo_update.hpp needs C++17; ppo_update.h does not"
#endif

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "ppo_update/ppo_update.h"

#ifdef __cpp_exceptions
#include <stdexcept>
#endif

// A namespace an interface: parts of a program that were compiled with different versions of this
// file link, and those with another interface than the library's are refused.
namespace ppo_update {
inline namespace interface_ad5ba2f2711adf13 {

using Stream = CUstream_st*;  // a cudaStream_t

// What a call says: kPpoUpdateOk, or another status and a sentence, which holds until
// this thread's next call.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  explicit Status(PpoUpdateStatus code) noexcept : Status(code, ppo_update_last_error()) {}
  Status(PpoUpdateStatus code, const char* text) noexcept : code_(code), text_(text) {}

  bool ok() const noexcept { return code_ == kPpoUpdateOk; }
  PpoUpdateStatus code() const noexcept { return code_; }
  const char* text() const noexcept { return text_; }
  // What the code means, whichever call gives it. Holds for ever.
  const char* meaning() const noexcept { return ppo_update_status_text(code_); }

 private:
  PpoUpdateStatus code_ = kPpoUpdateOk;
  const char* text_ = "";
};

#ifdef __cpp_exceptions
class Error : public std::runtime_error {
 public:
  explicit Error(const Status& status) : std::runtime_error(status.text()), code_(status.code()) {}

  PpoUpdateStatus code() const noexcept { return code_; }
  const char* meaning() const noexcept { return ppo_update_status_text(code_); }

 private:
  PpoUpdateStatus code_;
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
  Span<const float, 16> params_policy_0_b;    // f32[16]
  Span<const float, 96> params_policy_0_w;    // f32[6,16]
  Span<const float, 16> params_policy_1_b;    // f32[16]
  Span<const float, 256> params_policy_1_w;   // f32[16,16]
  Span<const float, 3> params_policy_2_b;     // f32[3]
  Span<const float, 48> params_policy_2_w;    // f32[16,3]
  Span<const float, 16> params_value_0_b;     // f32[16]
  Span<const float, 96> params_value_0_w;     // f32[6,16]
  Span<const float, 16> params_value_1_b;     // f32[16]
  Span<const float, 256> params_value_1_w;    // f32[16,16]
  Span<const float, 1> params_value_2_b;      // f32[1]
  Span<const float, 16> params_value_2_w;     // f32[16,1]
  Span<const float, 16> state_m_policy_0_b;   // f32[16]
  Span<const float, 96> state_m_policy_0_w;   // f32[6,16]
  Span<const float, 16> state_m_policy_1_b;   // f32[16]
  Span<const float, 256> state_m_policy_1_w;  // f32[16,16]
  Span<const float, 3> state_m_policy_2_b;    // f32[3]
  Span<const float, 48> state_m_policy_2_w;   // f32[16,3]
  Span<const float, 16> state_m_value_0_b;    // f32[16]
  Span<const float, 96> state_m_value_0_w;    // f32[6,16]
  Span<const float, 16> state_m_value_1_b;    // f32[16]
  Span<const float, 256> state_m_value_1_w;   // f32[16,16]
  Span<const float, 1> state_m_value_2_b;     // f32[1]
  Span<const float, 16> state_m_value_2_w;    // f32[16,1]
  Span<const int, 1> state_step;              // s32[]
  Span<const float, 16> state_v_policy_0_b;   // f32[16]
  Span<const float, 96> state_v_policy_0_w;   // f32[6,16]
  Span<const float, 16> state_v_policy_1_b;   // f32[16]
  Span<const float, 256> state_v_policy_1_w;  // f32[16,16]
  Span<const float, 3> state_v_policy_2_b;    // f32[3]
  Span<const float, 48> state_v_policy_2_w;   // f32[16,3]
  Span<const float, 16> state_v_value_0_b;    // f32[16]
  Span<const float, 96> state_v_value_0_w;    // f32[6,16]
  Span<const float, 16> state_v_value_1_b;    // f32[16]
  Span<const float, 256> state_v_value_1_w;   // f32[16,16]
  Span<const float, 1> state_v_value_2_b;     // f32[1]
  Span<const float, 16> state_v_value_2_w;    // f32[16,1]
  Span<const float, 816> observations;        // f32[17,8,6]
  Span<const int, 128> taken;                 // s32[16,8]
  Span<const float, 128> log_probs;           // f32[16,8]
  Span<const float, 128> rewards;             // f32[16,8]
  Span<const float, 128> dones;               // f32[16,8]
  Span<const uint32_t, 2> key;                // u32[2]
};

struct Outputs {
  Span<float, 16> params_policy_0_b;    // f32[16]
  Span<float, 96> params_policy_0_w;    // f32[6,16]
  Span<float, 16> params_policy_1_b;    // f32[16]
  Span<float, 256> params_policy_1_w;   // f32[16,16]
  Span<float, 3> params_policy_2_b;     // f32[3]
  Span<float, 48> params_policy_2_w;    // f32[16,3]
  Span<float, 16> params_value_0_b;     // f32[16]
  Span<float, 96> params_value_0_w;     // f32[6,16]
  Span<float, 16> params_value_1_b;     // f32[16]
  Span<float, 256> params_value_1_w;    // f32[16,16]
  Span<float, 1> params_value_2_b;      // f32[1]
  Span<float, 16> params_value_2_w;     // f32[16,1]
  Span<float, 16> state_m_policy_0_b;   // f32[16]
  Span<float, 96> state_m_policy_0_w;   // f32[6,16]
  Span<float, 16> state_m_policy_1_b;   // f32[16]
  Span<float, 256> state_m_policy_1_w;  // f32[16,16]
  Span<float, 3> state_m_policy_2_b;    // f32[3]
  Span<float, 48> state_m_policy_2_w;   // f32[16,3]
  Span<float, 16> state_m_value_0_b;    // f32[16]
  Span<float, 96> state_m_value_0_w;    // f32[6,16]
  Span<float, 16> state_m_value_1_b;    // f32[16]
  Span<float, 256> state_m_value_1_w;   // f32[16,16]
  Span<float, 1> state_m_value_2_b;     // f32[1]
  Span<float, 16> state_m_value_2_w;    // f32[16,1]
  Span<int, 1> state_step;              // s32[]
  Span<float, 16> state_v_policy_0_b;   // f32[16]
  Span<float, 96> state_v_policy_0_w;   // f32[6,16]
  Span<float, 16> state_v_policy_1_b;   // f32[16]
  Span<float, 256> state_v_policy_1_w;  // f32[16,16]
  Span<float, 3> state_v_policy_2_b;    // f32[3]
  Span<float, 48> state_v_policy_2_w;   // f32[16,3]
  Span<float, 16> state_v_value_0_b;    // f32[16]
  Span<float, 96> state_v_value_0_w;    // f32[6,16]
  Span<float, 16> state_v_value_1_b;    // f32[16]
  Span<float, 256> state_v_value_1_w;   // f32[16,16]
  Span<float, 1> state_v_value_2_b;     // f32[1]
  Span<float, 16> state_v_value_2_w;    // f32[16,1]
  Span<float, 8> result;                // f32[2,4]
};

// How many elements an input or output has: count(&Inputs::NAME).
template <class Arrays, class T, std::size_t Count>
constexpr std::size_t count(Span<T, Count> Arrays::*) noexcept {
  return Count;
}

// Which array has another number of elements; null, if none.
inline const char* wrong_count(const Inputs& in, const Outputs& out) noexcept {
  if (!in.params_policy_0_b.fits())
    return "ppo_update: input params_policy_0_b must have 16 elements";
  if (!in.params_policy_0_w.fits())
    return "ppo_update: input params_policy_0_w must have 96 elements";
  if (!in.params_policy_1_b.fits())
    return "ppo_update: input params_policy_1_b must have 16 elements";
  if (!in.params_policy_1_w.fits())
    return "ppo_update: input params_policy_1_w must have 256 elements";
  if (!in.params_policy_2_b.fits())
    return "ppo_update: input params_policy_2_b must have 3 elements";
  if (!in.params_policy_2_w.fits())
    return "ppo_update: input params_policy_2_w must have 48 elements";
  if (!in.params_value_0_b.fits())
    return "ppo_update: input params_value_0_b must have 16 elements";
  if (!in.params_value_0_w.fits())
    return "ppo_update: input params_value_0_w must have 96 elements";
  if (!in.params_value_1_b.fits())
    return "ppo_update: input params_value_1_b must have 16 elements";
  if (!in.params_value_1_w.fits())
    return "ppo_update: input params_value_1_w must have 256 elements";
  if (!in.params_value_2_b.fits()) return "ppo_update: input params_value_2_b must have 1 elements";
  if (!in.params_value_2_w.fits())
    return "ppo_update: input params_value_2_w must have 16 elements";
  if (!in.state_m_policy_0_b.fits())
    return "ppo_update: input state_m_policy_0_b must have 16 elements";
  if (!in.state_m_policy_0_w.fits())
    return "ppo_update: input state_m_policy_0_w must have 96 elements";
  if (!in.state_m_policy_1_b.fits())
    return "ppo_update: input state_m_policy_1_b must have 16 elements";
  if (!in.state_m_policy_1_w.fits())
    return "ppo_update: input state_m_policy_1_w must have 256 elements";
  if (!in.state_m_policy_2_b.fits())
    return "ppo_update: input state_m_policy_2_b must have 3 elements";
  if (!in.state_m_policy_2_w.fits())
    return "ppo_update: input state_m_policy_2_w must have 48 elements";
  if (!in.state_m_value_0_b.fits())
    return "ppo_update: input state_m_value_0_b must have 16 elements";
  if (!in.state_m_value_0_w.fits())
    return "ppo_update: input state_m_value_0_w must have 96 elements";
  if (!in.state_m_value_1_b.fits())
    return "ppo_update: input state_m_value_1_b must have 16 elements";
  if (!in.state_m_value_1_w.fits())
    return "ppo_update: input state_m_value_1_w must have 256 elements";
  if (!in.state_m_value_2_b.fits())
    return "ppo_update: input state_m_value_2_b must have 1 elements";
  if (!in.state_m_value_2_w.fits())
    return "ppo_update: input state_m_value_2_w must have 16 elements";
  if (!in.state_step.fits()) return "ppo_update: input state_step must have 1 elements";
  if (!in.state_v_policy_0_b.fits())
    return "ppo_update: input state_v_policy_0_b must have 16 elements";
  if (!in.state_v_policy_0_w.fits())
    return "ppo_update: input state_v_policy_0_w must have 96 elements";
  if (!in.state_v_policy_1_b.fits())
    return "ppo_update: input state_v_policy_1_b must have 16 elements";
  if (!in.state_v_policy_1_w.fits())
    return "ppo_update: input state_v_policy_1_w must have 256 elements";
  if (!in.state_v_policy_2_b.fits())
    return "ppo_update: input state_v_policy_2_b must have 3 elements";
  if (!in.state_v_policy_2_w.fits())
    return "ppo_update: input state_v_policy_2_w must have 48 elements";
  if (!in.state_v_value_0_b.fits())
    return "ppo_update: input state_v_value_0_b must have 16 elements";
  if (!in.state_v_value_0_w.fits())
    return "ppo_update: input state_v_value_0_w must have 96 elements";
  if (!in.state_v_value_1_b.fits())
    return "ppo_update: input state_v_value_1_b must have 16 elements";
  if (!in.state_v_value_1_w.fits())
    return "ppo_update: input state_v_value_1_w must have 256 elements";
  if (!in.state_v_value_2_b.fits())
    return "ppo_update: input state_v_value_2_b must have 1 elements";
  if (!in.state_v_value_2_w.fits())
    return "ppo_update: input state_v_value_2_w must have 16 elements";
  if (!in.observations.fits()) return "ppo_update: input observations must have 816 elements";
  if (!in.taken.fits()) return "ppo_update: input taken must have 128 elements";
  if (!in.log_probs.fits()) return "ppo_update: input log_probs must have 128 elements";
  if (!in.rewards.fits()) return "ppo_update: input rewards must have 128 elements";
  if (!in.dones.fits()) return "ppo_update: input dones must have 128 elements";
  if (!in.key.fits()) return "ppo_update: input key must have 2 elements";
  if (!out.params_policy_0_b.fits())
    return "ppo_update: output params_policy_0_b must have 16 elements";
  if (!out.params_policy_0_w.fits())
    return "ppo_update: output params_policy_0_w must have 96 elements";
  if (!out.params_policy_1_b.fits())
    return "ppo_update: output params_policy_1_b must have 16 elements";
  if (!out.params_policy_1_w.fits())
    return "ppo_update: output params_policy_1_w must have 256 elements";
  if (!out.params_policy_2_b.fits())
    return "ppo_update: output params_policy_2_b must have 3 elements";
  if (!out.params_policy_2_w.fits())
    return "ppo_update: output params_policy_2_w must have 48 elements";
  if (!out.params_value_0_b.fits())
    return "ppo_update: output params_value_0_b must have 16 elements";
  if (!out.params_value_0_w.fits())
    return "ppo_update: output params_value_0_w must have 96 elements";
  if (!out.params_value_1_b.fits())
    return "ppo_update: output params_value_1_b must have 16 elements";
  if (!out.params_value_1_w.fits())
    return "ppo_update: output params_value_1_w must have 256 elements";
  if (!out.params_value_2_b.fits())
    return "ppo_update: output params_value_2_b must have 1 elements";
  if (!out.params_value_2_w.fits())
    return "ppo_update: output params_value_2_w must have 16 elements";
  if (!out.state_m_policy_0_b.fits())
    return "ppo_update: output state_m_policy_0_b must have 16 elements";
  if (!out.state_m_policy_0_w.fits())
    return "ppo_update: output state_m_policy_0_w must have 96 elements";
  if (!out.state_m_policy_1_b.fits())
    return "ppo_update: output state_m_policy_1_b must have 16 elements";
  if (!out.state_m_policy_1_w.fits())
    return "ppo_update: output state_m_policy_1_w must have 256 elements";
  if (!out.state_m_policy_2_b.fits())
    return "ppo_update: output state_m_policy_2_b must have 3 elements";
  if (!out.state_m_policy_2_w.fits())
    return "ppo_update: output state_m_policy_2_w must have 48 elements";
  if (!out.state_m_value_0_b.fits())
    return "ppo_update: output state_m_value_0_b must have 16 elements";
  if (!out.state_m_value_0_w.fits())
    return "ppo_update: output state_m_value_0_w must have 96 elements";
  if (!out.state_m_value_1_b.fits())
    return "ppo_update: output state_m_value_1_b must have 16 elements";
  if (!out.state_m_value_1_w.fits())
    return "ppo_update: output state_m_value_1_w must have 256 elements";
  if (!out.state_m_value_2_b.fits())
    return "ppo_update: output state_m_value_2_b must have 1 elements";
  if (!out.state_m_value_2_w.fits())
    return "ppo_update: output state_m_value_2_w must have 16 elements";
  if (!out.state_step.fits()) return "ppo_update: output state_step must have 1 elements";
  if (!out.state_v_policy_0_b.fits())
    return "ppo_update: output state_v_policy_0_b must have 16 elements";
  if (!out.state_v_policy_0_w.fits())
    return "ppo_update: output state_v_policy_0_w must have 96 elements";
  if (!out.state_v_policy_1_b.fits())
    return "ppo_update: output state_v_policy_1_b must have 16 elements";
  if (!out.state_v_policy_1_w.fits())
    return "ppo_update: output state_v_policy_1_w must have 256 elements";
  if (!out.state_v_policy_2_b.fits())
    return "ppo_update: output state_v_policy_2_b must have 3 elements";
  if (!out.state_v_policy_2_w.fits())
    return "ppo_update: output state_v_policy_2_w must have 48 elements";
  if (!out.state_v_value_0_b.fits())
    return "ppo_update: output state_v_value_0_b must have 16 elements";
  if (!out.state_v_value_0_w.fits())
    return "ppo_update: output state_v_value_0_w must have 96 elements";
  if (!out.state_v_value_1_b.fits())
    return "ppo_update: output state_v_value_1_b must have 16 elements";
  if (!out.state_v_value_1_w.fits())
    return "ppo_update: output state_v_value_1_w must have 256 elements";
  if (!out.state_v_value_2_b.fits())
    return "ppo_update: output state_v_value_2_b must have 1 elements";
  if (!out.state_v_value_2_w.fits())
    return "ppo_update: output state_v_value_2_w must have 16 elements";
  if (!out.result.fits()) return "ppo_update: output result must have 8 elements";
  return nullptr;
}

// As the C interface takes them.
inline PpoUpdateInputs pointers(const Inputs& in) noexcept {
  return {in.params_policy_0_b.data(), in.params_policy_0_w.data(), in.params_policy_1_b.data(),
          in.params_policy_1_w.data(), in.params_policy_2_b.data(), in.params_policy_2_w.data(),
          in.params_value_0_b.data(), in.params_value_0_w.data(), in.params_value_1_b.data(),
          in.params_value_1_w.data(), in.params_value_2_b.data(), in.params_value_2_w.data(),
          in.state_m_policy_0_b.data(), in.state_m_policy_0_w.data(), in.state_m_policy_1_b.data(),
          in.state_m_policy_1_w.data(), in.state_m_policy_2_b.data(), in.state_m_policy_2_w.data(),
          in.state_m_value_0_b.data(), in.state_m_value_0_w.data(), in.state_m_value_1_b.data(),
          in.state_m_value_1_w.data(), in.state_m_value_2_b.data(), in.state_m_value_2_w.data(),
          in.state_step.data(), in.state_v_policy_0_b.data(), in.state_v_policy_0_w.data(),
          in.state_v_policy_1_b.data(), in.state_v_policy_1_w.data(), in.state_v_policy_2_b.data(),
          in.state_v_policy_2_w.data(), in.state_v_value_0_b.data(), in.state_v_value_0_w.data(),
          in.state_v_value_1_b.data(), in.state_v_value_1_w.data(), in.state_v_value_2_b.data(),
          in.state_v_value_2_w.data(), in.observations.data(), in.taken.data(), in.log_probs.data(),
          in.rewards.data(), in.dones.data(), in.key.data()};
}
inline PpoUpdateOutputs pointers(const Outputs& out) noexcept {
  return {out.params_policy_0_b.data(), out.params_policy_0_w.data(), out.params_policy_1_b.data(),
          out.params_policy_1_w.data(), out.params_policy_2_b.data(), out.params_policy_2_w.data(),
          out.params_value_0_b.data(), out.params_value_0_w.data(), out.params_value_1_b.data(),
          out.params_value_1_w.data(), out.params_value_2_b.data(), out.params_value_2_w.data(),
          out.state_m_policy_0_b.data(), out.state_m_policy_0_w.data(),
          out.state_m_policy_1_b.data(), out.state_m_policy_1_w.data(),
          out.state_m_policy_2_b.data(), out.state_m_policy_2_w.data(),
          out.state_m_value_0_b.data(), out.state_m_value_0_w.data(), out.state_m_value_1_b.data(),
          out.state_m_value_1_w.data(), out.state_m_value_2_b.data(), out.state_m_value_2_w.data(),
          out.state_step.data(), out.state_v_policy_0_b.data(), out.state_v_policy_0_w.data(),
          out.state_v_policy_1_b.data(), out.state_v_policy_1_w.data(),
          out.state_v_policy_2_b.data(), out.state_v_policy_2_w.data(),
          out.state_v_value_0_b.data(), out.state_v_value_0_w.data(), out.state_v_value_1_b.data(),
          out.state_v_value_1_w.data(), out.state_v_value_2_b.data(), out.state_v_value_2_w.data(),
          out.result.data()};
}

// PpoUpdateOptions, with its defaults.
struct Options : PpoUpdateOptions {
  Options() noexcept : PpoUpdateOptions(PPO_UPDATE_OPTIONS) {}
};

inline const PpoUpdateInfo& info() noexcept { return *ppo_update_info(); }
inline std::int64_t workspace_bytes() noexcept { return ppo_update_workspace_bytes(); }

// Moved from or reset, it has none: runs are refused.
class Instance {
 public:
#ifdef __cpp_exceptions
  Instance() : Instance(Options()) {}
  explicit Instance(const Options& options) {
    check(Status(ppo_update_create_with(&instance_, &options)));
  }
#endif
  explicit Instance(Status& status) noexcept : Instance(Options(), status) {}
  Instance(const Options& options, Status& status) noexcept {
    status = Status(ppo_update_create_with(&instance_, &options));
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
      return {kPpoUpdateInvalidArgument, wrong};
    const PpoUpdateInputs inputs = pointers(in);
    const PpoUpdateOutputs outputs = pointers(out);
    return Status(ppo_update_run(instance_, &inputs, &outputs, stream));
  }

  void reset() noexcept { ppo_update_destroy(std::exchange(instance_, nullptr)); }
  explicit operator bool() const noexcept { return instance_ != nullptr; }
  // For the functions of ppo_update.h.
  PpoUpdateInstance* get() const noexcept { return instance_; }

 private:
  PpoUpdateInstance* instance_ = nullptr;
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
      return {kPpoUpdateInvalidArgument, wrong};
    const PpoUpdateInputs inputs = pointers(in);
    const PpoUpdateOutputs outputs = pointers(out);
    return Status(ppo_update_graph_update(graph_, &inputs, &outputs));
  }
  Status try_launch(Stream stream = nullptr) const noexcept {
    return Status(ppo_update_graph_launch(graph_, stream));
  }

  Graph(Graph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    Graph moved(std::move(other));
    std::swap(graph_, moved.graph_);
    return *this;
  }
  ~Graph() { ppo_update_graph_destroy(graph_); }

  explicit operator bool() const noexcept { return graph_ != nullptr; }
  // For the functions of ppo_update.h.
  PpoUpdateGraph* get() const noexcept { return graph_; }

 private:
  Status capture(const Instance& model, const Inputs& in, const Outputs& out) noexcept {
    if (const char* wrong = wrong_count(in, out))
      return {kPpoUpdateInvalidArgument, wrong};
    const PpoUpdateInputs inputs = pointers(in);
    const PpoUpdateOutputs outputs = pointers(out);
    return Status(ppo_update_capture(&graph_, model.get(), &inputs, &outputs));
  }

  PpoUpdateGraph* graph_ = nullptr;
};

}  // namespace interface_ad5ba2f2711adf13
}  // namespace ppo_update
