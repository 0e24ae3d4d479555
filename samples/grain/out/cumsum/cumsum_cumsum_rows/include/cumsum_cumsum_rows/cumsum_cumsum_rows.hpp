// cumsum_cumsum_rows.hpp: cumsum_cumsum_rows.h for C++17, inline over it.
// Arrays have their sizes in their types, and instances an owner. What goes wrong is thrown:
//
//   cumsum_cumsum_rows::Instance model;  // throws cumsum_cumsum_rows::Error
//   model.run({x, p}, {sums, products, peaks}, stream);
//
// or returned, also under -fno-exceptions:
//
//   cumsum_cumsum_rows::Status status;
//   cumsum_cumsum_rows::Instance model(status);
//   if (status.ok()) status = model.try_run({x, p}, {sums, products, peaks}, stream);
//   if (!status.ok()) std::puts(status.text());

#pragma once

#if __cplusplus < 201703L
#error "cumsum_cumsum_rows.hpp needs C++17; cumsum_cumsum_rows.h does not"
#endif

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "cumsum_cumsum_rows/cumsum_cumsum_rows.h"

#ifdef __cpp_exceptions
#include <stdexcept>
#endif

// A namespace an interface: parts of a program that were compiled with different versions of this
// file link, and those with another interface than the library's are refused.
namespace cumsum_cumsum_rows {
inline namespace interface_47b70d0027268566 {

using Stream = CUstream_st*;  // a cudaStream_t

// What a call says: kCumsumCumsumRowsOk, or another status and a sentence, which holds until
// this thread's next call.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  explicit Status(CumsumCumsumRowsStatus code) noexcept : Status(code, cumsum_cumsum_rows_last_error()) {}
  Status(CumsumCumsumRowsStatus code, const char* text) noexcept : code_(code), text_(text) {}

  bool ok() const noexcept { return code_ == kCumsumCumsumRowsOk; }
  CumsumCumsumRowsStatus code() const noexcept { return code_; }
  const char* text() const noexcept { return text_; }
  // What the code means, whichever call gives it. Holds for ever.
  const char* meaning() const noexcept { return cumsum_cumsum_rows_status_text(code_); }

 private:
  CumsumCumsumRowsStatus code_ = kCumsumCumsumRowsOk;
  const char* text_ = "";
};

#ifdef __cpp_exceptions
class Error : public std::runtime_error {
 public:
  explicit Error(const Status& status) : std::runtime_error(status.text()), code_(status.code()) {}

  CumsumCumsumRowsStatus code() const noexcept { return code_; }
  const char* meaning() const noexcept { return cumsum_cumsum_rows_status_text(code_); }

 private:
  CumsumCumsumRowsStatus code_;
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
  Span<const float, 2400> x;  // f32[8,300]
  Span<const float, 2400> p;  // f32[8,300]
};

struct Outputs {
  Span<float, 2400> sums;      // f32[8,300]
  Span<float, 2400> products;  // f32[8,300]
  Span<float, 2400> peaks;     // f32[8,300]
};

// How many elements an input or output has: count(&Inputs::NAME).
template <class Arrays, class T, std::size_t Count>
constexpr std::size_t count(Span<T, Count> Arrays::*) noexcept {
  return Count;
}

// Which array has another number of elements; null, if none.
inline const char* wrong_count(const Inputs& in, const Outputs& out) noexcept {
  if (!in.x.fits()) return "cumsum_cumsum_rows: input x must have 2400 elements";
  if (!in.p.fits()) return "cumsum_cumsum_rows: input p must have 2400 elements";
  if (!out.sums.fits()) return "cumsum_cumsum_rows: output sums must have 2400 elements";
  if (!out.products.fits()) return "cumsum_cumsum_rows: output products must have 2400 elements";
  if (!out.peaks.fits()) return "cumsum_cumsum_rows: output peaks must have 2400 elements";
  return nullptr;
}

// As the C interface takes them.
inline CumsumCumsumRowsInputs pointers(const Inputs& in) noexcept {
  return {in.x.data(), in.p.data()};
}
inline CumsumCumsumRowsOutputs pointers(const Outputs& out) noexcept {
  return {out.sums.data(), out.products.data(), out.peaks.data()};
}

// CumsumCumsumRowsOptions, with its defaults.
struct Options : CumsumCumsumRowsOptions {
  Options() noexcept : CumsumCumsumRowsOptions(CUMSUM_CUMSUM_ROWS_OPTIONS) {}
};

inline const CumsumCumsumRowsInfo& info() noexcept { return *cumsum_cumsum_rows_info(); }
inline std::int64_t workspace_bytes() noexcept { return cumsum_cumsum_rows_workspace_bytes(); }

// Moved from or reset, it has none: runs are refused.
class Instance {
 public:
#ifdef __cpp_exceptions
  Instance() : Instance(Options()) {}
  explicit Instance(const Options& options) {
    check(Status(cumsum_cumsum_rows_create_with(&instance_, &options)));
  }
#endif
  explicit Instance(Status& status) noexcept : Instance(Options(), status) {}
  Instance(const Options& options, Status& status) noexcept {
    status = Status(cumsum_cumsum_rows_create_with(&instance_, &options));
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
      return {kCumsumCumsumRowsInvalidArgument, wrong};
    const CumsumCumsumRowsInputs inputs = pointers(in);
    const CumsumCumsumRowsOutputs outputs = pointers(out);
    return Status(cumsum_cumsum_rows_run(instance_, &inputs, &outputs, stream));
  }

  void reset() noexcept { cumsum_cumsum_rows_destroy(std::exchange(instance_, nullptr)); }
  explicit operator bool() const noexcept { return instance_ != nullptr; }
  // For the functions of cumsum_cumsum_rows.h.
  CumsumCumsumRowsInstance* get() const noexcept { return instance_; }

 private:
  CumsumCumsumRowsInstance* instance_ = nullptr;
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
      return {kCumsumCumsumRowsInvalidArgument, wrong};
    const CumsumCumsumRowsInputs inputs = pointers(in);
    const CumsumCumsumRowsOutputs outputs = pointers(out);
    return Status(cumsum_cumsum_rows_graph_update(graph_, &inputs, &outputs));
  }
  Status try_launch(Stream stream = nullptr) const noexcept {
    return Status(cumsum_cumsum_rows_graph_launch(graph_, stream));
  }

  Graph(Graph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    Graph moved(std::move(other));
    std::swap(graph_, moved.graph_);
    return *this;
  }
  ~Graph() { cumsum_cumsum_rows_graph_destroy(graph_); }

  explicit operator bool() const noexcept { return graph_ != nullptr; }
  // For the functions of cumsum_cumsum_rows.h.
  CumsumCumsumRowsGraph* get() const noexcept { return graph_; }

 private:
  Status capture(const Instance& model, const Inputs& in, const Outputs& out) noexcept {
    if (const char* wrong = wrong_count(in, out))
      return {kCumsumCumsumRowsInvalidArgument, wrong};
    const CumsumCumsumRowsInputs inputs = pointers(in);
    const CumsumCumsumRowsOutputs outputs = pointers(out);
    return Status(cumsum_cumsum_rows_capture(&graph_, model.get(), &inputs, &outputs));
  }

  CumsumCumsumRowsGraph* graph_ = nullptr;
};

}  // namespace interface_47b70d0027268566
}  // namespace cumsum_cumsum_rows
