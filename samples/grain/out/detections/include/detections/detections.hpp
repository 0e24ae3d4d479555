// detections.hpp: detections.h for C++17, inline over it.
// Arrays have their sizes in their types, and instances an owner. What goes wrong is thrown:
//
//   detections::Instance model;  // throws detections::Error
//   detections::Inputs in;
//   in.logits = logits;  // and so on: pointers, arrays, containers
//   detections::Outputs out;
//   out.box_left = box_left;
//   model.run(in, out, stream);
//
// or returned, also under -fno-exceptions:
//
//   detections::Status status;
//   detections::Instance model(status);
//   if (status.ok()) status = model.try_run(in, out, stream);
//   if (!status.ok()) std::puts(status.text());

#pragma once

#if __cplusplus < 201703L
#error "detections.hpp needs C++17; detections.h does not"
#endif

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "detections/detections.h"

#ifdef __cpp_exceptions
#include <stdexcept>
#endif

// A namespace an interface: parts of a program that were compiled with different versions of this
// file link, and those with another interface than the library's are refused.
namespace detections {
inline namespace interface_3994d0d7cf687e52 {

using Stream = CUstream_st*;  // a cudaStream_t

// What a call says: kDetectionsOk, or another status and a sentence, which holds until
// this thread's next call.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  explicit Status(DetectionsStatus code) noexcept : Status(code, detections_last_error()) {}
  Status(DetectionsStatus code, const char* text) noexcept : code_(code), text_(text) {}

  bool ok() const noexcept { return code_ == kDetectionsOk; }
  DetectionsStatus code() const noexcept { return code_; }
  const char* text() const noexcept { return text_; }
  // What the code means, whichever call gives it. Holds for ever.
  const char* meaning() const noexcept { return detections_status_text(code_); }

 private:
  DetectionsStatus code_ = kDetectionsOk;
  const char* text_ = "";
};

#ifdef __cpp_exceptions
class Error : public std::runtime_error {
 public:
  explicit Error(const Status& status) : std::runtime_error(status.text()), code_(status.code()) {}

  DetectionsStatus code() const noexcept { return code_; }
  const char* meaning() const noexcept { return detections_status_text(code_); }

 private:
  DetectionsStatus code_;
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
  Span<const float, 1500> logits;       // f32[300,5]
  Span<const float, 300> boxes_left;    // f32[300]
  Span<const float, 300> boxes_top;     // f32[300]
  Span<const float, 300> boxes_right;   // f32[300]
  Span<const float, 300> boxes_bottom;  // f32[300]
};

struct Outputs {
  Span<float, 32> box_left;    // f32[32]
  Span<float, 32> box_top;     // f32[32]
  Span<float, 32> box_right;   // f32[32]
  Span<float, 32> box_bottom;  // f32[32]
  Span<float, 32> score;       // f32[32]
  Span<int, 32> class_;        // s32[32]
  Span<bool, 32> kept;         // pred[32]
};

// How many elements an input or output has: count(&Inputs::NAME).
template <class Arrays, class T, std::size_t Count>
constexpr std::size_t count(Span<T, Count> Arrays::*) noexcept {
  return Count;
}

// Which array has another number of elements; null, if none.
inline const char* wrong_count(const Inputs& in, const Outputs& out) noexcept {
  if (!in.logits.fits()) return "detections: input logits must have 1500 elements";
  if (!in.boxes_left.fits()) return "detections: input boxes_left must have 300 elements";
  if (!in.boxes_top.fits()) return "detections: input boxes_top must have 300 elements";
  if (!in.boxes_right.fits()) return "detections: input boxes_right must have 300 elements";
  if (!in.boxes_bottom.fits()) return "detections: input boxes_bottom must have 300 elements";
  if (!out.box_left.fits()) return "detections: output box_left must have 32 elements";
  if (!out.box_top.fits()) return "detections: output box_top must have 32 elements";
  if (!out.box_right.fits()) return "detections: output box_right must have 32 elements";
  if (!out.box_bottom.fits()) return "detections: output box_bottom must have 32 elements";
  if (!out.score.fits()) return "detections: output score must have 32 elements";
  if (!out.class_.fits()) return "detections: output class_ must have 32 elements";
  if (!out.kept.fits()) return "detections: output kept must have 32 elements";
  return nullptr;
}

// As the C interface takes them.
inline DetectionsInputs pointers(const Inputs& in) noexcept {
  return {in.logits.data(), in.boxes_left.data(), in.boxes_top.data(), in.boxes_right.data(),
          in.boxes_bottom.data()};
}
inline DetectionsOutputs pointers(const Outputs& out) noexcept {
  return {out.box_left.data(), out.box_top.data(), out.box_right.data(), out.box_bottom.data(),
          out.score.data(), out.class_.data(), out.kept.data()};
}

// DetectionsOptions, with its defaults.
struct Options : DetectionsOptions {
  Options() noexcept : DetectionsOptions(DETECTIONS_OPTIONS) {}
};

inline const DetectionsInfo& info() noexcept { return *detections_info(); }
inline std::int64_t workspace_bytes() noexcept { return detections_workspace_bytes(); }

// Moved from or reset, it has none: runs are refused.
class Instance {
 public:
#ifdef __cpp_exceptions
  Instance() : Instance(Options()) {}
  explicit Instance(const Options& options) {
    check(Status(detections_create_with(&instance_, &options)));
  }
#endif
  explicit Instance(Status& status) noexcept : Instance(Options(), status) {}
  Instance(const Options& options, Status& status) noexcept {
    status = Status(detections_create_with(&instance_, &options));
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
      return {kDetectionsInvalidArgument, wrong};
    const DetectionsInputs inputs = pointers(in);
    const DetectionsOutputs outputs = pointers(out);
    return Status(detections_run(instance_, &inputs, &outputs, stream));
  }

  void reset() noexcept { detections_destroy(std::exchange(instance_, nullptr)); }
  explicit operator bool() const noexcept { return instance_ != nullptr; }
  // For the functions of detections.h.
  DetectionsInstance* get() const noexcept { return instance_; }

 private:
  DetectionsInstance* instance_ = nullptr;
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
      return {kDetectionsInvalidArgument, wrong};
    const DetectionsInputs inputs = pointers(in);
    const DetectionsOutputs outputs = pointers(out);
    return Status(detections_graph_update(graph_, &inputs, &outputs));
  }
  Status try_launch(Stream stream = nullptr) const noexcept {
    return Status(detections_graph_launch(graph_, stream));
  }

  Graph(Graph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    Graph moved(std::move(other));
    std::swap(graph_, moved.graph_);
    return *this;
  }
  ~Graph() { detections_graph_destroy(graph_); }

  explicit operator bool() const noexcept { return graph_ != nullptr; }
  // For the functions of detections.h.
  DetectionsGraph* get() const noexcept { return graph_; }

 private:
  Status capture(const Instance& model, const Inputs& in, const Outputs& out) noexcept {
    if (const char* wrong = wrong_count(in, out))
      return {kDetectionsInvalidArgument, wrong};
    const DetectionsInputs inputs = pointers(in);
    const DetectionsOutputs outputs = pointers(out);
    return Status(detections_capture(&graph_, model.get(), &inputs, &outputs));
  }

  DetectionsGraph* graph_ = nullptr;
};

}  // namespace interface_3994d0d7cf687e52
}  // namespace detections
