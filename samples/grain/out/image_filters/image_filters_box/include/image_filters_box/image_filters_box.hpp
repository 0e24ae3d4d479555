// image_filters_box.hpp: image_filters_box.h for C++17, inline over it.
// Arrays have their sizes in their types, and instances an owner. What goes wrong is thrown:
//
//   image_filters_box::Instance model;  // throws image_filters_box::Error
//   model.run({image}, {smooth}, stream);
//
// or returned, also under -fno-exceptions:
//
//   image_filters_box::Status status;
//   image_filters_box::Instance model(status);
//   if (status.ok()) status = model.try_run({image}, {smooth}, stream);
//   if (!status.ok()) std::puts(status.text());

#pragma once

#if __cplusplus < 201703L
#error "image_filters_box.hpp needs C++17; image_filters_box.h does not"
#endif

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "image_filters_box/image_filters_box.h"

#ifdef __cpp_exceptions
#include <stdexcept>
#endif

// A namespace an interface: parts of a program that were compiled with different versions of this
// file link, and those with another interface than the library's are refused.
namespace image_filters_box {
inline namespace interface_a339d2a52a8293bd {

using Stream = CUstream_st*;  // a cudaStream_t

// What a call says: kImageFiltersBoxOk, or another status and a sentence, which holds until
// this thread's next call.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  explicit Status(ImageFiltersBoxStatus code) noexcept : Status(code, image_filters_box_last_error()) {}
  Status(ImageFiltersBoxStatus code, const char* text) noexcept : code_(code), text_(text) {}

  bool ok() const noexcept { return code_ == kImageFiltersBoxOk; }
  ImageFiltersBoxStatus code() const noexcept { return code_; }
  const char* text() const noexcept { return text_; }
  // What the code means, whichever call gives it. Holds for ever.
  const char* meaning() const noexcept { return image_filters_box_status_text(code_); }

 private:
  ImageFiltersBoxStatus code_ = kImageFiltersBoxOk;
  const char* text_ = "";
};

#ifdef __cpp_exceptions
class Error : public std::runtime_error {
 public:
  explicit Error(const Status& status) : std::runtime_error(status.text()), code_(status.code()) {}

  ImageFiltersBoxStatus code() const noexcept { return code_; }
  const char* meaning() const noexcept { return image_filters_box_status_text(code_); }

 private:
  ImageFiltersBoxStatus code_;
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
  Span<const float, 3072> image;  // f32[48,64]
};

struct Outputs {
  Span<float, 3072> smooth;  // f32[48,64]
};

// How many elements an input or output has: count(&Inputs::NAME).
template <class Arrays, class T, std::size_t Count>
constexpr std::size_t count(Span<T, Count> Arrays::*) noexcept {
  return Count;
}

// Which array has another number of elements; null, if none.
inline const char* wrong_count(const Inputs& in, const Outputs& out) noexcept {
  if (!in.image.fits()) return "image_filters_box: input image must have 3072 elements";
  if (!out.smooth.fits()) return "image_filters_box: output smooth must have 3072 elements";
  return nullptr;
}

// As the C interface takes them.
inline ImageFiltersBoxInputs pointers(const Inputs& in) noexcept {
  return {in.image.data()};
}
inline ImageFiltersBoxOutputs pointers(const Outputs& out) noexcept {
  return {out.smooth.data()};
}

// ImageFiltersBoxOptions, with its defaults.
struct Options : ImageFiltersBoxOptions {
  Options() noexcept : ImageFiltersBoxOptions(IMAGE_FILTERS_BOX_OPTIONS) {}
};

inline const ImageFiltersBoxInfo& info() noexcept { return *image_filters_box_info(); }
inline std::int64_t workspace_bytes() noexcept { return image_filters_box_workspace_bytes(); }

// Moved from or reset, it has none: runs are refused.
class Instance {
 public:
#ifdef __cpp_exceptions
  Instance() : Instance(Options()) {}
  explicit Instance(const Options& options) {
    check(Status(image_filters_box_create_with(&instance_, &options)));
  }
#endif
  explicit Instance(Status& status) noexcept : Instance(Options(), status) {}
  Instance(const Options& options, Status& status) noexcept {
    status = Status(image_filters_box_create_with(&instance_, &options));
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
      return {kImageFiltersBoxInvalidArgument, wrong};
    const ImageFiltersBoxInputs inputs = pointers(in);
    const ImageFiltersBoxOutputs outputs = pointers(out);
    return Status(image_filters_box_run(instance_, &inputs, &outputs, stream));
  }

  void reset() noexcept { image_filters_box_destroy(std::exchange(instance_, nullptr)); }
  explicit operator bool() const noexcept { return instance_ != nullptr; }
  // For the functions of image_filters_box.h.
  ImageFiltersBoxInstance* get() const noexcept { return instance_; }

 private:
  ImageFiltersBoxInstance* instance_ = nullptr;
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
      return {kImageFiltersBoxInvalidArgument, wrong};
    const ImageFiltersBoxInputs inputs = pointers(in);
    const ImageFiltersBoxOutputs outputs = pointers(out);
    return Status(image_filters_box_graph_update(graph_, &inputs, &outputs));
  }
  Status try_launch(Stream stream = nullptr) const noexcept {
    return Status(image_filters_box_graph_launch(graph_, stream));
  }

  Graph(Graph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    Graph moved(std::move(other));
    std::swap(graph_, moved.graph_);
    return *this;
  }
  ~Graph() { image_filters_box_graph_destroy(graph_); }

  explicit operator bool() const noexcept { return graph_ != nullptr; }
  // For the functions of image_filters_box.h.
  ImageFiltersBoxGraph* get() const noexcept { return graph_; }

 private:
  Status capture(const Instance& model, const Inputs& in, const Outputs& out) noexcept {
    if (const char* wrong = wrong_count(in, out))
      return {kImageFiltersBoxInvalidArgument, wrong};
    const ImageFiltersBoxInputs inputs = pointers(in);
    const ImageFiltersBoxOutputs outputs = pointers(out);
    return Status(image_filters_box_capture(&graph_, model.get(), &inputs, &outputs));
  }

  ImageFiltersBoxGraph* graph_ = nullptr;
};

}  // namespace interface_a339d2a52a8293bd
}  // namespace image_filters_box
