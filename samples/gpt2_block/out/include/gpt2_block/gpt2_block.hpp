// gpt2_block.hpp: gpt2_block.h for C++17, inline over it.
// Arrays have their sizes in their types, and instances an owner. What goes wrong is thrown:
//
//   gpt2_block::Instance model;  // throws gpt2_block::Error
//   gpt2_block::Inputs in;
//   in.params_attention_out_b = params_attention_out_b;  // and so on: pointers, arrays, containers
//   gpt2_block::Outputs out;
//   out.sum = sum;
//   model.run(in, out, stream);
//
// or returned, also under -fno-exceptions:
//
//   gpt2_block::Status status;
//   gpt2_block::Instance model(status);
//   if (status.ok()) status = model.try_run(in, out, stream);
//   if (!status.ok()) std::puts(status.text());

#pragma once

#if __cplusplus < 201703L
#error "gpt2_block.hpp needs C++17; gpt2_block.h does not"
#endif

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "gpt2_block/gpt2_block.h"

#ifdef __cpp_exceptions
#include <stdexcept>
#endif

// A namespace an interface: parts of a program that were compiled with different versions of this
// file link, and those with another interface than the library's are refused.
namespace gpt2_block {
inline namespace interface_880f6f9240cd2a2f {

using Stream = CUstream_st*;  // a cudaStream_t

// What a call says: kGpt2BlockOk, or another status and a sentence, which holds until
// this thread's next call.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  explicit Status(Gpt2BlockStatus code) noexcept : Status(code, gpt2_block_last_error()) {}
  Status(Gpt2BlockStatus code, const char* text) noexcept : code_(code), text_(text) {}

  bool ok() const noexcept { return code_ == kGpt2BlockOk; }
  Gpt2BlockStatus code() const noexcept { return code_; }
  const char* text() const noexcept { return text_; }
  // What the code means, whichever call gives it. Holds for ever.
  const char* meaning() const noexcept { return gpt2_block_status_text(code_); }

 private:
  Gpt2BlockStatus code_ = kGpt2BlockOk;
  const char* text_ = "";
};

#ifdef __cpp_exceptions
class Error : public std::runtime_error {
 public:
  explicit Error(const Status& status) : std::runtime_error(status.text()), code_(status.code()) {}

  Gpt2BlockStatus code() const noexcept { return code_; }
  const char* meaning() const noexcept { return gpt2_block_status_text(code_); }

 private:
  Gpt2BlockStatus code_;
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
  Span<const float, 48> params_attention_out_b;    // f32[48]
  Span<const float, 2304> params_attention_out_w;  // f32[48,48]
  Span<const float, 144> params_attention_qkv_b;   // f32[144]
  Span<const float, 6912> params_attention_qkv_w;  // f32[48,144]
  Span<const float, 48> params_down_b;             // f32[48]
  Span<const float, 9216> params_down_w;           // f32[192,48]
  Span<const float, 48> params_norm1_bias;         // f32[48]
  Span<const float, 48> params_norm1_scale;        // f32[48]
  Span<const float, 48> params_norm2_bias;         // f32[48]
  Span<const float, 48> params_norm2_scale;        // f32[48]
  Span<const float, 192> params_up_b;              // f32[192]
  Span<const float, 9216> params_up_w;             // f32[48,192]
  Span<const float, 1536> x;                       // f32[2,16,48]
};

struct Outputs {
  Span<float, 1536> sum;  // f32[2,16,48]
};

// How many elements an input or output has: count(&Inputs::NAME).
template <class Arrays, class T, std::size_t Count>
constexpr std::size_t count(Span<T, Count> Arrays::*) noexcept {
  return Count;
}

// Which array has another number of elements; null, if none.
inline const char* wrong_count(const Inputs& in, const Outputs& out) noexcept {
  if (!in.params_attention_out_b.fits())
    return "gpt2_block: input params_attention_out_b must have 48 elements";
  if (!in.params_attention_out_w.fits())
    return "gpt2_block: input params_attention_out_w must have 2304 elements";
  if (!in.params_attention_qkv_b.fits())
    return "gpt2_block: input params_attention_qkv_b must have 144 elements";
  if (!in.params_attention_qkv_w.fits())
    return "gpt2_block: input params_attention_qkv_w must have 6912 elements";
  if (!in.params_down_b.fits()) return "gpt2_block: input params_down_b must have 48 elements";
  if (!in.params_down_w.fits()) return "gpt2_block: input params_down_w must have 9216 elements";
  if (!in.params_norm1_bias.fits())
    return "gpt2_block: input params_norm1_bias must have 48 elements";
  if (!in.params_norm1_scale.fits())
    return "gpt2_block: input params_norm1_scale must have 48 elements";
  if (!in.params_norm2_bias.fits())
    return "gpt2_block: input params_norm2_bias must have 48 elements";
  if (!in.params_norm2_scale.fits())
    return "gpt2_block: input params_norm2_scale must have 48 elements";
  if (!in.params_up_b.fits()) return "gpt2_block: input params_up_b must have 192 elements";
  if (!in.params_up_w.fits()) return "gpt2_block: input params_up_w must have 9216 elements";
  if (!in.x.fits()) return "gpt2_block: input x must have 1536 elements";
  if (!out.sum.fits()) return "gpt2_block: output sum must have 1536 elements";
  return nullptr;
}

// As the C interface takes them.
inline Gpt2BlockInputs pointers(const Inputs& in) noexcept {
  return {in.params_attention_out_b.data(), in.params_attention_out_w.data(),
          in.params_attention_qkv_b.data(), in.params_attention_qkv_w.data(),
          in.params_down_b.data(), in.params_down_w.data(), in.params_norm1_bias.data(),
          in.params_norm1_scale.data(), in.params_norm2_bias.data(), in.params_norm2_scale.data(),
          in.params_up_b.data(), in.params_up_w.data(), in.x.data()};
}
inline Gpt2BlockOutputs pointers(const Outputs& out) noexcept {
  return {out.sum.data()};
}

// Gpt2BlockOptions, with its defaults.
struct Options : Gpt2BlockOptions {
  Options() noexcept : Gpt2BlockOptions(GPT2_BLOCK_OPTIONS) {}
};

inline const Gpt2BlockInfo& info() noexcept { return *gpt2_block_info(); }
inline std::int64_t workspace_bytes() noexcept { return gpt2_block_workspace_bytes(); }

// Moved from or reset, it has none: runs are refused.
class Instance {
 public:
#ifdef __cpp_exceptions
  Instance() : Instance(Options()) {}
  explicit Instance(const Options& options) {
    check(Status(gpt2_block_create_with(&instance_, &options)));
  }
#endif
  explicit Instance(Status& status) noexcept : Instance(Options(), status) {}
  Instance(const Options& options, Status& status) noexcept {
    status = Status(gpt2_block_create_with(&instance_, &options));
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
      return {kGpt2BlockInvalidArgument, wrong};
    const Gpt2BlockInputs inputs = pointers(in);
    const Gpt2BlockOutputs outputs = pointers(out);
    return Status(gpt2_block_run(instance_, &inputs, &outputs, stream));
  }

  void reset() noexcept { gpt2_block_destroy(std::exchange(instance_, nullptr)); }
  explicit operator bool() const noexcept { return instance_ != nullptr; }
  // For the functions of gpt2_block.h.
  Gpt2BlockInstance* get() const noexcept { return instance_; }

 private:
  Gpt2BlockInstance* instance_ = nullptr;
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
      return {kGpt2BlockInvalidArgument, wrong};
    const Gpt2BlockInputs inputs = pointers(in);
    const Gpt2BlockOutputs outputs = pointers(out);
    return Status(gpt2_block_graph_update(graph_, &inputs, &outputs));
  }
  Status try_launch(Stream stream = nullptr) const noexcept {
    return Status(gpt2_block_graph_launch(graph_, stream));
  }

  Graph(Graph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    Graph moved(std::move(other));
    std::swap(graph_, moved.graph_);
    return *this;
  }
  ~Graph() { gpt2_block_graph_destroy(graph_); }

  explicit operator bool() const noexcept { return graph_ != nullptr; }
  // For the functions of gpt2_block.h.
  Gpt2BlockGraph* get() const noexcept { return graph_; }

 private:
  Status capture(const Instance& model, const Inputs& in, const Outputs& out) noexcept {
    if (const char* wrong = wrong_count(in, out))
      return {kGpt2BlockInvalidArgument, wrong};
    const Gpt2BlockInputs inputs = pointers(in);
    const Gpt2BlockOutputs outputs = pointers(out);
    return Status(gpt2_block_capture(&graph_, model.get(), &inputs, &outputs));
  }

  Gpt2BlockGraph* graph_ = nullptr;
};

}  // namespace interface_880f6f9240cd2a2f
}  // namespace gpt2_block
