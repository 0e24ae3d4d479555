// llama_decode.hpp: llama_decode.h for C++17, inline over it.
// Arrays have their sizes in their types, and instances an owner. What goes wrong is thrown:
//
//   llama_decode::Instance model;  // throws llama_decode::Error
//   llama_decode::Inputs in;
//   in.params_embedding = params_embedding;  // and so on: pointers, arrays, containers
//   llama_decode::Outputs out;
//   out.argmax = argmax;
//   model.run(in, out, stream);
//
// or returned, also under -fno-exceptions:
//
//   llama_decode::Status status;
//   llama_decode::Instance model(status);
//   if (status.ok()) status = model.try_run(in, out, stream);
//   if (!status.ok()) std::puts(status.text());

#pragma once

#if __cplusplus < 201703L
#error "llama_decode.hpp needs C++17; llama_decode.h does not"
#endif

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "llama_decode/llama_decode.h"

#ifdef __cpp_exceptions
#include <stdexcept>
#endif

// A namespace an interface: parts of a program that were compiled with different versions of this
// file link, and those with another interface than the library's are refused.
namespace llama_decode {
inline namespace interface_b604f5f326ca2484 {

using Stream = CUstream_st*;  // a cudaStream_t

// What a call says: kLlamaDecodeOk, or another status and a sentence, which holds until
// this thread's next call.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  explicit Status(LlamaDecodeStatus code) noexcept : Status(code, llama_decode_last_error()) {}
  Status(LlamaDecodeStatus code, const char* text) noexcept : code_(code), text_(text) {}

  bool ok() const noexcept { return code_ == kLlamaDecodeOk; }
  LlamaDecodeStatus code() const noexcept { return code_; }
  const char* text() const noexcept { return text_; }
  // What the code means, whichever call gives it. Holds for ever.
  const char* meaning() const noexcept { return llama_decode_status_text(code_); }

 private:
  LlamaDecodeStatus code_ = kLlamaDecodeOk;
  const char* text_ = "";
};

#ifdef __cpp_exceptions
class Error : public std::runtime_error {
 public:
  explicit Error(const Status& status) : std::runtime_error(status.text()), code_(status.code()) {}

  LlamaDecodeStatus code() const noexcept { return code_; }
  const char* meaning() const noexcept { return llama_decode_status_text(code_); }

 private:
  LlamaDecodeStatus code_;
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
  Span<const uint16_t, 8192> params_embedding;      // bf16[128,64]
  Span<const uint16_t, 6144> params_layers_0_down;  // bf16[96,64]
  Span<const uint16_t, 6144> params_layers_0_gate;  // bf16[64,96]
  Span<const uint16_t, 2048> params_layers_0_k;     // bf16[64,32]
  Span<const uint16_t, 64> params_layers_0_norm1;   // bf16[64]
  Span<const uint16_t, 64> params_layers_0_norm2;   // bf16[64]
  Span<const uint16_t, 4096> params_layers_0_out;   // bf16[64,64]
  Span<const uint16_t, 4096> params_layers_0_q;     // bf16[64,64]
  Span<const uint16_t, 6144> params_layers_0_up;    // bf16[64,96]
  Span<const uint16_t, 2048> params_layers_0_v;     // bf16[64,32]
  Span<const uint16_t, 6144> params_layers_1_down;  // bf16[96,64]
  Span<const uint16_t, 6144> params_layers_1_gate;  // bf16[64,96]
  Span<const uint16_t, 2048> params_layers_1_k;     // bf16[64,32]
  Span<const uint16_t, 64> params_layers_1_norm1;   // bf16[64]
  Span<const uint16_t, 64> params_layers_1_norm2;   // bf16[64]
  Span<const uint16_t, 4096> params_layers_1_out;   // bf16[64,64]
  Span<const uint16_t, 4096> params_layers_1_q;     // bf16[64,64]
  Span<const uint16_t, 6144> params_layers_1_up;    // bf16[64,96]
  Span<const uint16_t, 2048> params_layers_1_v;     // bf16[64,32]
  Span<const uint16_t, 64> params_norm;             // bf16[64]
  Span<const uint16_t, 2048> cache_0_k;             // bf16[2,32,2,16]
  Span<const uint16_t, 2048> cache_0_v;             // bf16[2,32,2,16]
  Span<const uint16_t, 2048> cache_1_k;             // bf16[2,32,2,16]
  Span<const uint16_t, 2048> cache_1_v;             // bf16[2,32,2,16]
  Span<const int, 2> tokens;                        // s32[2]
  Span<const int, 1> position;                      // s32[]
};

struct Outputs {
  Span<int, 2> argmax;             // s32[2]
  Span<float, 256> logits;         // f32[2,128]
  Span<uint16_t, 2048> cache_0_k;  // bf16[2,32,2,16]
  Span<uint16_t, 2048> cache_0_v;  // bf16[2,32,2,16]
  Span<uint16_t, 2048> cache_1_k;  // bf16[2,32,2,16]
  Span<uint16_t, 2048> cache_1_v;  // bf16[2,32,2,16]
};

// How many elements an input or output has: count(&Inputs::NAME).
template <class Arrays, class T, std::size_t Count>
constexpr std::size_t count(Span<T, Count> Arrays::*) noexcept {
  return Count;
}

// Which array has another number of elements; null, if none.
inline const char* wrong_count(const Inputs& in, const Outputs& out) noexcept {
  if (!in.params_embedding.fits())
    return "llama_decode: input params_embedding must have 8192 elements";
  if (!in.params_layers_0_down.fits())
    return "llama_decode: input params_layers_0_down must have 6144 elements";
  if (!in.params_layers_0_gate.fits())
    return "llama_decode: input params_layers_0_gate must have 6144 elements";
  if (!in.params_layers_0_k.fits())
    return "llama_decode: input params_layers_0_k must have 2048 elements";
  if (!in.params_layers_0_norm1.fits())
    return "llama_decode: input params_layers_0_norm1 must have 64 elements";
  if (!in.params_layers_0_norm2.fits())
    return "llama_decode: input params_layers_0_norm2 must have 64 elements";
  if (!in.params_layers_0_out.fits())
    return "llama_decode: input params_layers_0_out must have 4096 elements";
  if (!in.params_layers_0_q.fits())
    return "llama_decode: input params_layers_0_q must have 4096 elements";
  if (!in.params_layers_0_up.fits())
    return "llama_decode: input params_layers_0_up must have 6144 elements";
  if (!in.params_layers_0_v.fits())
    return "llama_decode: input params_layers_0_v must have 2048 elements";
  if (!in.params_layers_1_down.fits())
    return "llama_decode: input params_layers_1_down must have 6144 elements";
  if (!in.params_layers_1_gate.fits())
    return "llama_decode: input params_layers_1_gate must have 6144 elements";
  if (!in.params_layers_1_k.fits())
    return "llama_decode: input params_layers_1_k must have 2048 elements";
  if (!in.params_layers_1_norm1.fits())
    return "llama_decode: input params_layers_1_norm1 must have 64 elements";
  if (!in.params_layers_1_norm2.fits())
    return "llama_decode: input params_layers_1_norm2 must have 64 elements";
  if (!in.params_layers_1_out.fits())
    return "llama_decode: input params_layers_1_out must have 4096 elements";
  if (!in.params_layers_1_q.fits())
    return "llama_decode: input params_layers_1_q must have 4096 elements";
  if (!in.params_layers_1_up.fits())
    return "llama_decode: input params_layers_1_up must have 6144 elements";
  if (!in.params_layers_1_v.fits())
    return "llama_decode: input params_layers_1_v must have 2048 elements";
  if (!in.params_norm.fits()) return "llama_decode: input params_norm must have 64 elements";
  if (!in.cache_0_k.fits()) return "llama_decode: input cache_0_k must have 2048 elements";
  if (!in.cache_0_v.fits()) return "llama_decode: input cache_0_v must have 2048 elements";
  if (!in.cache_1_k.fits()) return "llama_decode: input cache_1_k must have 2048 elements";
  if (!in.cache_1_v.fits()) return "llama_decode: input cache_1_v must have 2048 elements";
  if (!in.tokens.fits()) return "llama_decode: input tokens must have 2 elements";
  if (!in.position.fits()) return "llama_decode: input position must have 1 elements";
  if (!out.argmax.fits()) return "llama_decode: output argmax must have 2 elements";
  if (!out.logits.fits()) return "llama_decode: output logits must have 256 elements";
  if (!out.cache_0_k.fits()) return "llama_decode: output cache_0_k must have 2048 elements";
  if (!out.cache_0_v.fits()) return "llama_decode: output cache_0_v must have 2048 elements";
  if (!out.cache_1_k.fits()) return "llama_decode: output cache_1_k must have 2048 elements";
  if (!out.cache_1_v.fits()) return "llama_decode: output cache_1_v must have 2048 elements";
  return nullptr;
}

// As the C interface takes them.
inline LlamaDecodeInputs pointers(const Inputs& in) noexcept {
  return {in.params_embedding.data(), in.params_layers_0_down.data(),
          in.params_layers_0_gate.data(), in.params_layers_0_k.data(),
          in.params_layers_0_norm1.data(), in.params_layers_0_norm2.data(),
          in.params_layers_0_out.data(), in.params_layers_0_q.data(), in.params_layers_0_up.data(),
          in.params_layers_0_v.data(), in.params_layers_1_down.data(),
          in.params_layers_1_gate.data(), in.params_layers_1_k.data(),
          in.params_layers_1_norm1.data(), in.params_layers_1_norm2.data(),
          in.params_layers_1_out.data(), in.params_layers_1_q.data(), in.params_layers_1_up.data(),
          in.params_layers_1_v.data(), in.params_norm.data(), in.cache_0_k.data(),
          in.cache_0_v.data(), in.cache_1_k.data(), in.cache_1_v.data(), in.tokens.data(),
          in.position.data()};
}
inline LlamaDecodeOutputs pointers(const Outputs& out) noexcept {
  return {out.argmax.data(), out.logits.data(), out.cache_0_k.data(), out.cache_0_v.data(),
          out.cache_1_k.data(), out.cache_1_v.data()};
}

// LlamaDecodeOptions, with its defaults.
struct Options : LlamaDecodeOptions {
  Options() noexcept : LlamaDecodeOptions(LLAMA_DECODE_OPTIONS) {}
};

inline const LlamaDecodeInfo& info() noexcept { return *llama_decode_info(); }
inline std::int64_t workspace_bytes() noexcept { return llama_decode_workspace_bytes(); }

// Moved from or reset, it has none: runs are refused.
class Instance {
 public:
#ifdef __cpp_exceptions
  Instance() : Instance(Options()) {}
  explicit Instance(const Options& options) {
    check(Status(llama_decode_create_with(&instance_, &options)));
  }
#endif
  explicit Instance(Status& status) noexcept : Instance(Options(), status) {}
  Instance(const Options& options, Status& status) noexcept {
    status = Status(llama_decode_create_with(&instance_, &options));
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
      return {kLlamaDecodeInvalidArgument, wrong};
    const LlamaDecodeInputs inputs = pointers(in);
    const LlamaDecodeOutputs outputs = pointers(out);
    return Status(llama_decode_run(instance_, &inputs, &outputs, stream));
  }

  void reset() noexcept { llama_decode_destroy(std::exchange(instance_, nullptr)); }
  explicit operator bool() const noexcept { return instance_ != nullptr; }
  // For the functions of llama_decode.h.
  LlamaDecodeInstance* get() const noexcept { return instance_; }

 private:
  LlamaDecodeInstance* instance_ = nullptr;
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
      return {kLlamaDecodeInvalidArgument, wrong};
    const LlamaDecodeInputs inputs = pointers(in);
    const LlamaDecodeOutputs outputs = pointers(out);
    return Status(llama_decode_graph_update(graph_, &inputs, &outputs));
  }
  Status try_launch(Stream stream = nullptr) const noexcept {
    return Status(llama_decode_graph_launch(graph_, stream));
  }

  Graph(Graph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    Graph moved(std::move(other));
    std::swap(graph_, moved.graph_);
    return *this;
  }
  ~Graph() { llama_decode_graph_destroy(graph_); }

  explicit operator bool() const noexcept { return graph_ != nullptr; }
  // For the functions of llama_decode.h.
  LlamaDecodeGraph* get() const noexcept { return graph_; }

 private:
  Status capture(const Instance& model, const Inputs& in, const Outputs& out) noexcept {
    if (const char* wrong = wrong_count(in, out))
      return {kLlamaDecodeInvalidArgument, wrong};
    const LlamaDecodeInputs inputs = pointers(in);
    const LlamaDecodeOutputs outputs = pointers(out);
    return Status(llama_decode_capture(&graph_, model.get(), &inputs, &outputs));
  }

  LlamaDecodeGraph* graph_ = nullptr;
};

}  // namespace interface_b604f5f326ca2484
}  // namespace llama_decode
