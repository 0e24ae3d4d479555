// What each step of a run writes, kept on one device and compared with the same run on another: the first step whose
// arrays differ is the one that gives a wrong number. Both run one plan, so that their steps and places are the same.
//
// A trace is a tensor file; its tensor "7/softmax/0" has what step 7, a launch of `softmax`, wrote of its array 0
// (written_arrays.h), and "7/softmax/-" says that there was this step.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/gpu/compare.h"
#include "runtime/program_entry.h"
#include "runtime/tensor_file.h"

struct WrittenArray {
  bool of_arena = false;
  size_t place = 0, bytes = 0;
  std::string dtype, name;
};

// By the name of a step: "KERNEL=a256:f32:1024:sum,o0:f32:64:y;KERNEL=..." (a: of the arena, o: a result).
struct Writes : std::map<std::string, std::vector<WrittenArray>> {
  static Writes read(const std::string& text) {
    Writes writes;
    for (const std::string& step : split(text == "-" ? "" : text, ';')) {
      const size_t end = step.find('=');
      std::vector<WrittenArray>& arrays = writes[step.substr(0, end)];
      for (const std::string& array : split(step.substr(end + 1), ',')) {
        const std::vector<std::string> words = split(array, ':');
        arrays.push_back(
            {words[0][0] == 'a', std::stoull(words[0].substr(1)), std::stoull(words[2]), words[1], words[3]});
      }
    }
    return writes;
  }

 private:
  static std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> words;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find(separator, at), text.size());
      words.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return words;
  }
};

// The arena of a program, as far as its steps write it, then its results.
class Memory {
 public:
  Memory(const ProgramEntry& entry, void* arena, void* const* outputs, const Writes& writes) {
    size_t arena_bytes = 0;
    for (const auto& [step, arrays] : writes) {
      for (const WrittenArray& array : arrays) {
        if (array.of_arena) arena_bytes = std::max(arena_bytes, array.place + array.bytes);
      }
    }
    if (arena == nullptr) arena_bytes = 0;
    pieces_.push_back({static_cast<std::byte*>(arena), arena_bytes, 0});
    for (int i = 0; i < entry.output_count; ++i) {
      const size_t at = pieces_.back().at + pieces_.back().bytes;
      pieces_.push_back({static_cast<std::byte*>(outputs[i]), static_cast<size_t>(entry.outputs[i].bytes), at});
    }
  }
  size_t bytes() const { return pieces_.back().at + pieces_.back().bytes; }
  cudaError_t clear() {
    for (const Piece& piece : pieces_) {
      const cudaError_t error = piece.bytes == 0 ? cudaSuccess : cudaMemset(piece.data, 0, piece.bytes);
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  }
  cudaError_t read(std::vector<std::byte>& all) const {
    all.resize(bytes());
    for (const Piece& piece : pieces_) {
      if (piece.bytes == 0) continue;
      const cudaError_t error = cudaMemcpy(&all[piece.at], piece.data, piece.bytes, cudaMemcpyDeviceToHost);
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  }
  // Where an array is in what read() gives; nothing where the program has no such memory.
  std::optional<size_t> at(const WrittenArray& array) const {
    const Piece* piece = array.of_arena                     ? &pieces_[0]
                         : array.place + 1 < pieces_.size() ? &pieces_[array.place + 1]
                                                            : nullptr;
    const size_t within = array.of_arena ? array.place : 0;
    if (piece == nullptr || within + array.bytes > piece->bytes) return std::nullopt;
    return piece->at + within;
  }
  // Changes the highest bits but the sign of an array's first element.
  cudaError_t corrupt(const WrittenArray& array, size_t width) {
    std::byte value{};
    if (!at(array)) return cudaSuccess;
    std::byte* byte =
        pieces_[array.of_arena ? 0 : array.place + 1].data + (array.of_arena ? array.place : 0) + width - 1;
    cudaError_t error = cudaMemcpy(&value, byte, 1, cudaMemcpyDeviceToHost);
    value ^= std::byte{0x40};
    if (error == cudaSuccess) error = cudaMemcpy(byte, &value, 1, cudaMemcpyHostToDevice);
    return error;
  }

 private:
  struct Piece {
    std::byte* data;
    size_t bytes, at;
  };
  std::vector<Piece> pieces_;
};

// Keeps what the steps of a run write.
class TraceWriter {
 public:
  TraceWriter(const Memory& memory, const Writes& writes) : memory_(memory), writes_(writes), before_(memory.bytes()) {}

  cudaError_t step(const std::string& name) {
    if (kept_ > kMostBytes || number_ == kMostSteps) return cudaSuccess;
    std::vector<std::byte> after;
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) error = memory_.read(after);
    if (error != cudaSuccess) return error;
    const std::string prefix = std::to_string(number_++) + "/" + name + "/";
    tensors_.push_back({prefix + "-", "U8", {0}, {}});
    const auto found = writes_.find(name);
    for (size_t i = 0; found != writes_.end() && i < found->second.size(); ++i) {
      const WrittenArray& array = found->second[i];
      const std::optional<size_t> at = memory_.at(array);
      if (!at || std::equal(&after[*at], &after[*at] + array.bytes, &before_[*at])) continue;
      tensors_.push_back({prefix + std::to_string(i),
                          "U8",
                          {static_cast<int64_t>(array.bytes)},
                          {&after[*at], &after[*at] + array.bytes}});
      kept_ += array.bytes;
    }
    before_ = std::move(after);
    return cudaSuccess;
  }
  bool save(const std::string& path, std::string& error) const {
    return tensor_file::write_tensors(path, tensors_, error);
  }

 private:
  static constexpr size_t kMostBytes = size_t{256} << 20, kMostSteps = 4096;
  const Memory& memory_;
  const Writes& writes_;
  std::vector<std::byte> before_;
  std::vector<tensor_file::Tensor> tensors_;
  size_t number_ = 0, kept_ = 0;
};

// How far arrays are apart, as a share of the largest element; elements that are no floats: the same or not.
struct Distance {
  double share = 0;
  size_t count = 0, first = 0;  // elements that are further apart than `bound`

  static Distance between(const Elements& elements, const std::byte* got, const std::byte* wanted, size_t bytes,
                          double bound) {
    const size_t width = elements.width(), number = bytes / width;
    double largest = 0;
    for (size_t i = 0; i < number && elements.is_float(); ++i) {
      const double value = std::abs(elements.value(wanted + i * width));
      if (std::isfinite(value)) largest = std::max(largest, value);
    }
    Distance distance;
    for (size_t i = 0; i < number; ++i) {
      const double apart = share_apart(elements, got + i * width, wanted + i * width, largest);
      distance.share = std::max(distance.share, apart);
      if (apart > bound && distance.count++ == 0) distance.first = i;
    }
    return distance;
  }

 private:
  static double share_apart(const Elements& elements, const std::byte* got, const std::byte* wanted, double largest) {
    if (elements.bits(got) == elements.bits(wanted)) return 0;
    if (!elements.is_float()) return INFINITY;
    const double one = elements.value(got), other = elements.value(wanted);
    if (one == other || (std::isnan(one) && std::isnan(other))) return 0;
    if (!std::isfinite(one) || !std::isfinite(other) || largest == 0) return INFINITY;
    return std::abs(one - other) / largest;
  }
};

// Runs beside a trace: `elements(dtype)` reads numbers, `exact` asks for the same bits.
template <class ReadElements>
class TraceReader {
 public:
  TraceReader(const Memory& memory, const Writes& writes, const std::vector<tensor_file::Tensor>& trace, bool exact,
              ReadElements elements)
      : memory_(memory), writes_(writes), exact_(exact), elements_(elements), before_(memory.bytes()), other_(before_) {
    for (const tensor_file::Tensor& tensor : trace) trace_[tensor.name] = &tensor.bytes;
  }

  cudaError_t step(const std::string& name) {
    if (!kernel.empty() || ended_) return cudaSuccess;
    std::vector<std::byte> after;
    if (const cudaError_t error = memory_.read(after); error != cudaSuccess) return error;
    const std::string prefix = std::to_string(number_++) + "/" + name + "/";
    if (!trace_.contains(prefix + "-")) {
      // The trace has an end; or a step before has let the host go another way.
      ended_ = true;
      return cudaSuccess;
    }
    const auto found = writes_.find(name);
    for (size_t i = 0; found != writes_.end() && i < found->second.size(); ++i) {
      const std::optional<size_t> at = memory_.at(found->second[i]);
      if (at) compare(name, found->second[i], trace_.find(prefix + std::to_string(i)), *at, after);
    }
    before_ = std::move(after);
    return cudaSuccess;
  }

  std::string kernel;  // the first that differs; empty: none does
  std::string detail() const {
    if (!kernel.empty()) return detail_;
    char text[200];
    std::snprintf(text, sizeof text, "none of %zu launches differs by much; the most, %.3g of its largest element, %s",
                  number_, most_, most_name_.empty() ? "none" : most_name_.c_str());
    return text;
  }

 private:
  using Found = std::map<std::string, const std::vector<std::byte>*>::const_iterator;

  // A step may write several arrays, or one of several: those are looked at that are others than before it.
  void compare(const std::string& name, const WrittenArray& array, Found written, size_t at,
               const std::vector<std::byte>& after) {
    if (written != trace_.end() && written->second->size() == array.bytes) {
      std::copy(written->second->begin(), written->second->end(), &other_[at]);
    } else if (std::equal(&after[at], &after[at] + array.bytes, &before_[at])) {
      return;
    }
    const Elements elements = elements_(array.dtype);
    const double bound = exact_ ? 0 : bound_of(array.dtype, elements);
    const Distance distance = Distance::between(elements, &other_[at], &after[at], array.bytes, bound);
    if (std::isfinite(distance.share) && distance.share > most_) most_ = distance.share, most_name_ = name;
    if (distance.count == 0 || !kernel.empty()) return;
    const size_t place = distance.first * elements.width();
    char text[240];
    std::snprintf(
        text, sizeof text,
        "step %zu of the run is the first that differs from the CPU build's: of %s %zu of %zu elements; [%zu] is "
        "%.9g, there %.9g",
        number_, array.name.c_str(), distance.count, array.bytes / elements.width(), distance.first,
        elements.value(&other_[at + place]), elements.value(&after[at + place]));
    kernel = name, detail_ = text;
  }

  // Sums in another order and functions of another library differ so far.
  static double bound_of(const std::string& dtype, const Elements& elements) {
    if (dtype == "f64" || dtype == "c128") return 1e-9;
    if (dtype == "f32" || dtype == "c64") return 1e-4;
    return elements.width() == 2 ? 0x1p-6 : 0.25;
  }

  const Memory& memory_;
  const Writes& writes_;
  bool exact_, ended_ = false;
  ReadElements elements_;
  std::map<std::string, const std::vector<std::byte>*> trace_;
  std::vector<std::byte> before_, other_;  // here; what the trace's device had in the same places
  size_t number_ = 0;
  double most_ = 0;
  std::string most_name_, detail_;
};
