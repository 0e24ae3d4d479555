// What kernels written by hand share: a main that times them on the shapes of a program, or checks them beside plain
// loops.
//
//   softmax 'f32[4096,1024]' [--repeat 30]    the shape of each parameter: prints the median microseconds of a run
//   softmax --check                           at a small size: exit status 1 where a result is wrong
//
// The first line of each .cu says which programs of a bundle it is for, `// times t_*_softmax: ...`. With -DSINTER_CPU
// the files are C++ for the host compiler, which is how --check runs without a GPU.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "device/launch.cuh"
#include "runtime/profile.h"

namespace yardstick {

constexpr int kWrong = 1, kUsage = 2, kNotBuilt = 3;

inline void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(kWrong);
}

struct Shape {
  std::string type;  // as HLO has it: "f32"
  std::vector<int64_t> dims;
  int64_t count() const {
    int64_t count = 1;
    for (const int64_t dim : dims) count *= dim;
    return count;
  }
  static Shape read(const std::string& text) {
    Shape shape = {text.substr(0, text.find('[')), {}};
    for (size_t at = text.find('[') + 1; at < text.size() && text[at] != ']';) {
      const size_t end = text.find_first_of(",]", at);
      shape.dims.push_back(std::stoll(text.substr(at, end - at)));
      at = end + (text[end] == ',');
    }
    return shape;
  }
};

// An array of the device with numbers in [-scale, scale), of integers 0 and 1.
template <class T>
class Array {
 public:
  explicit Array(int64_t count, double scale = 1) : host_(static_cast<size_t>(count)) {
    static uint64_t state = 7;
    for (T& value : host_) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const double unit = static_cast<double>(state >> 33) * 0x1p-31;
      if constexpr (std::is_integral_v<T>)
        value = static_cast<T>(unit * 2);
      else
        value = static_cast<T>((2 * unit - 1) * scale);
    }
    must(cudaMalloc(&data_, bytes()), "device memory");
    must(cudaMemcpy(data_, host_.data(), bytes(), cudaMemcpyHostToDevice), "upload");
  }
  Array(const Array&) = delete;
  ~Array() { cudaFree(data_); }
  T* get() const { return static_cast<T*>(data_); }
  size_t bytes() const { return host_.size() * sizeof(T); }
  const std::vector<T>& host() const { return host_; }  // as it was at first
  std::vector<T> now() const {
    std::vector<T> values(host_.size());
    must(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost), "download");
    return values;
  }

 private:
  std::vector<T> host_;
  void* data_ = nullptr;
};

// What one is asked for.
struct Call {
  std::vector<Shape> shapes;
  bool check = false;
  long repeat = 30;
};

inline Call read_call(int argc, char** argv) {
  Call call;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--check") == 0)
      call.check = true;
    else if (std::strcmp(argv[i], "--repeat") == 0 && i + 1 < argc)
      call.repeat = std::atol(argv[++i]);
    else
      call.shapes.push_back(Shape::read(argv[i]));
  }
  return call;
}

// Exit status for a program that is not for these shapes.
inline int refuse(const char* why) { return std::fprintf(stderr, "%s\n", why), kUsage; }

inline int print_time(const std::function<cudaError_t()>& run, long repeat) {
  const profile::Target target = {.run = [&]() -> std::string {
                                    const cudaError_t error = run();
                                    return error == cudaSuccess ? "" : cudaGetErrorString(error);
                                  },
                                  .listen = [](StepListener) {}};
  const profile::Profile measured = profile::Profiler(target).measure(3, repeat, false);
  if (!measured.error.empty()) return std::fprintf(stderr, "%s\n", measured.error.c_str()), kWrong;
  return std::printf("%.3f\n", measured.run.median()), 0;
}

// 0 where all numbers are as near to what is expected as `bound` of the largest.
inline int compare(const std::vector<float>& got, const std::vector<double>& wanted, double bound) {
  double largest = 0;
  for (const double value : wanted) largest = std::max(largest, std::abs(value));
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (std::abs(got[i] - wanted[i]) <= bound * largest) continue;
    std::fprintf(stderr, "[%zu] is %.9g, expected %.9g\n", i, static_cast<double>(got[i]), wanted[i]);
    return kWrong;
  }
  return 0;
}

}  // namespace yardstick
