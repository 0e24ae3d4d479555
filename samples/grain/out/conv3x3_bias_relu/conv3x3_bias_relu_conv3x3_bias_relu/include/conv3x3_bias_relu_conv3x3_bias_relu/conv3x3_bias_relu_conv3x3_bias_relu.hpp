// conv3x3_bias_relu_conv3x3_bias_relu.hpp: conv3x3_bias_relu_conv3x3_bias_relu.h for C++17, inline over it.
// Arrays have their sizes in their types, and instances an owner. What goes wrong is thrown:
//
//   conv3x3_bias_relu_conv3x3_bias_relu::Instance model;  // throws conv3x3_bias_relu_conv3x3_bias_relu::Error
//   model.run({x, w, bias}, {y}, stream);
//
// or returned, also under -fno-exceptions:
//
//   conv3x3_bias_relu_conv3x3_bias_relu::Status status;
//   conv3x3_bias_relu_conv3x3_bias_relu::Instance model(status);
//   if (status.ok()) status = model.try_run({x, w, bias}, {y}, stream);
//   if (!status.ok()) std::puts(status.text());

#pragma once

#if __cplusplus < 201703L
#error "conv3x3_bias_relu_conv3x3_bias_relu.hpp needs C++17; conv3x3_bias_relu_conv3x3_bias_relu.h does not"
#endif

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "conv3x3_bias_relu_conv3x3_bias_relu/conv3x3_bias_relu_conv3x3_bias_relu.h"

#ifdef __cpp_exceptions
#include <stdexcept>
#endif

// A namespace an interface: parts of a program that were compiled with different versions of this
// file link, and those with another interface than the library's are refused.
namespace conv3x3_bias_relu_conv3x3_bias_relu {
inline namespace interface_adab054a5497a1f7 {

using Stream = CUstream_st*;  // a cudaStream_t

// What a call says: kConv3x3BiasReluConv3x3BiasReluOk, or another status and a sentence, which holds until
// this thread's next call.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  explicit Status(Conv3x3BiasReluConv3x3BiasReluStatus code) noexcept : Status(code, conv3x3_bias_relu_conv3x3_bias_relu_last_error()) {}
  Status(Conv3x3BiasReluConv3x3BiasReluStatus code, const char* text) noexcept : code_(code), text_(text) {}

  bool ok() const noexcept { return code_ == kConv3x3BiasReluConv3x3BiasReluOk; }
  Conv3x3BiasReluConv3x3BiasReluStatus code() const noexcept { return code_; }
  const char* text() const noexcept { return text_; }
  // What the code means, whichever call gives it. Holds for ever.
  const char* meaning() const noexcept { return conv3x3_bias_relu_conv3x3_bias_relu_status_text(code_); }

 private:
  Conv3x3BiasReluConv3x3BiasReluStatus code_ = kConv3x3BiasReluConv3x3BiasReluOk;
  const char* text_ = "";
};

#ifdef __cpp_exceptions
class Error : public std::runtime_error {
 public:
  explicit Error(const Status& status) : std::runtime_error(status.text()), code_(status.code()) {}

  Conv3x3BiasReluConv3x3BiasReluStatus code() const noexcept { return code_; }
  const char* meaning() const noexcept { return conv3x3_bias_relu_conv3x3_bias_relu_status_text(code_); }

 private:
  Conv3x3BiasReluConv3x3BiasReluStatus code_;
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
  Span<const float, 1536> x;  // f32[2,16,16,3]
  Span<const float, 216> w;   // f32[3,3,3,8]
  Span<const float, 8> bias;  // f32[8]
};

struct Outputs {
  Span<float, 4096> y;  // f32[2,16,16,8]
};

// How many elements an input or output has: count(&Inputs::NAME).
template <class Arrays, class T, std::size_t Count>
constexpr std::size_t count(Span<T, Count> Arrays::*) noexcept {
  return Count;
}

// Which array has another number of elements; null, if none.
inline const char* wrong_count(const Inputs& in, const Outputs& out) noexcept {
  if (!in.x.fits()) return "conv3x3_bias_relu_conv3x3_bias_relu: input x must have 1536 elements";
  if (!in.w.fits()) return "conv3x3_bias_relu_conv3x3_bias_relu: input w must have 216 elements";
  if (!in.bias.fits())
    return "conv3x3_bias_relu_conv3x3_bias_relu: input bias must have 8 elements";
  if (!out.y.fits()) return "conv3x3_bias_relu_conv3x3_bias_relu: output y must have 4096 elements";
  return nullptr;
}

// As the C interface takes them.
inline Conv3x3BiasReluConv3x3BiasReluInputs pointers(const Inputs& in) noexcept {
  return {in.x.data(), in.w.data(), in.bias.data()};
}
inline Conv3x3BiasReluConv3x3BiasReluOutputs pointers(const Outputs& out) noexcept {
  return {out.y.data()};
}

// Conv3x3BiasReluConv3x3BiasReluOptions, with its defaults.
struct Options : Conv3x3BiasReluConv3x3BiasReluOptions {
  Options() noexcept : Conv3x3BiasReluConv3x3BiasReluOptions(CONV3X3_BIAS_RELU_CONV3X3_BIAS_RELU_OPTIONS) {}
};

inline const Conv3x3BiasReluConv3x3BiasReluInfo& info() noexcept { return *conv3x3_bias_relu_conv3x3_bias_relu_info(); }
inline std::int64_t workspace_bytes() noexcept { return conv3x3_bias_relu_conv3x3_bias_relu_workspace_bytes(); }

// Moved from or reset, it has none: runs are refused.
class Instance {
 public:
#ifdef __cpp_exceptions
  Instance() : Instance(Options()) {}
  explicit Instance(const Options& options) {
    check(Status(conv3x3_bias_relu_conv3x3_bias_relu_create_with(&instance_, &options)));
  }
#endif
  explicit Instance(Status& status) noexcept : Instance(Options(), status) {}
  Instance(const Options& options, Status& status) noexcept {
    status = Status(conv3x3_bias_relu_conv3x3_bias_relu_create_with(&instance_, &options));
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
      return {kConv3x3BiasReluConv3x3BiasReluInvalidArgument, wrong};
    const Conv3x3BiasReluConv3x3BiasReluInputs inputs = pointers(in);
    const Conv3x3BiasReluConv3x3BiasReluOutputs outputs = pointers(out);
    return Status(conv3x3_bias_relu_conv3x3_bias_relu_run(instance_, &inputs, &outputs, stream));
  }

  void reset() noexcept { conv3x3_bias_relu_conv3x3_bias_relu_destroy(std::exchange(instance_, nullptr)); }
  explicit operator bool() const noexcept { return instance_ != nullptr; }
  // For the functions of conv3x3_bias_relu_conv3x3_bias_relu.h.
  Conv3x3BiasReluConv3x3BiasReluInstance* get() const noexcept { return instance_; }

 private:
  Conv3x3BiasReluConv3x3BiasReluInstance* instance_ = nullptr;
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
      return {kConv3x3BiasReluConv3x3BiasReluInvalidArgument, wrong};
    const Conv3x3BiasReluConv3x3BiasReluInputs inputs = pointers(in);
    const Conv3x3BiasReluConv3x3BiasReluOutputs outputs = pointers(out);
    return Status(conv3x3_bias_relu_conv3x3_bias_relu_graph_update(graph_, &inputs, &outputs));
  }
  Status try_launch(Stream stream = nullptr) const noexcept {
    return Status(conv3x3_bias_relu_conv3x3_bias_relu_graph_launch(graph_, stream));
  }

  Graph(Graph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    Graph moved(std::move(other));
    std::swap(graph_, moved.graph_);
    return *this;
  }
  ~Graph() { conv3x3_bias_relu_conv3x3_bias_relu_graph_destroy(graph_); }

  explicit operator bool() const noexcept { return graph_ != nullptr; }
  // For the functions of conv3x3_bias_relu_conv3x3_bias_relu.h.
  Conv3x3BiasReluConv3x3BiasReluGraph* get() const noexcept { return graph_; }

 private:
  Status capture(const Instance& model, const Inputs& in, const Outputs& out) noexcept {
    if (const char* wrong = wrong_count(in, out))
      return {kConv3x3BiasReluConv3x3BiasReluInvalidArgument, wrong};
    const Conv3x3BiasReluConv3x3BiasReluInputs inputs = pointers(in);
    const Conv3x3BiasReluConv3x3BiasReluOutputs outputs = pointers(out);
    return Status(conv3x3_bias_relu_conv3x3_bias_relu_capture(&graph_, model.get(), &inputs,
                                                              &outputs));
  }

  Conv3x3BiasReluConv3x3BiasReluGraph* graph_ = nullptr;
};

}  // namespace interface_adab054a5497a1f7
}  // namespace conv3x3_bias_relu_conv3x3_bias_relu
