// verify_cuda: what passes, and what is found.
#include "review/verify_emitted.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace sinter {
namespace {

constexpr const char* kScale = R"(
namespace {

__global__ void __launch_bounds__(256)
scale(const float* __restrict__ x, float* __restrict__ y, int count) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= count) return;
  float sum = expf(x[i]) + fmaf(x[i], 2.0f, 1.0f);
#pragma unroll
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(0xffffffff, sum, lane);
  y[i] = sum == INFINITY ? 0.0f : sum;
}

}  // namespace

cudaError_t launch_scale(const float* x, float* y, int count, cudaStream_t stream) {
  scale<<<(count + 255) / 256, 256, 0, stream>>>(x, y, count);
  return cudaGetLastError();
}
)";

// The report on one file; empty if it is good.
std::string report_on(const std::string& text) {
  std::string report;
  const bool good = verify_cuda({{"kernels/scale.cu", text}}, report);
  EXPECT_EQ(good, report.empty());
  return report;
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = kScale;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST(VerifyEmitted, GoodFile) { EXPECT_EQ(report_on(kScale), ""); }

TEST(VerifyEmitted, UnusedVariable) {
  const std::string report = report_on(with("float sum =", "const int row = blockIdx.y;\n  float sum ="));
  EXPECT_NE(report.find("kernels/scale.cu:8:13: error: unused variable 'row'"), std::string::npos) << report;
  EXPECT_EQ(report.find("sinter-"), std::string::npos) << report;
}

TEST(VerifyEmitted, UnusedFunction) {
  EXPECT_NE(report_on(with("__global__", "__device__ float unused(float x) { return x; }\n\n__global__"))
                .find("unused function 'unused'"),
            std::string::npos);
}

TEST(VerifyEmitted, MissingInclude) {
  EXPECT_NE(report_on("#include \"device/not_there.cuh\"\n").find("'device/not_there.cuh' file not found"),
            std::string::npos);
}

TEST(VerifyEmitted, WrongCall) {
  EXPECT_NE(report_on(with("expf(x[i])", "expf(x[i], 1)")).find("no matching function for call to 'expf'"),
            std::string::npos);
  EXPECT_NE(report_on(with("(x, y, count);", "(x, count, y);")).find("scale"), std::string::npos);
}

TEST(VerifyEmitted, HostFunctionCalledOnDevice) {
  const std::string report = report_on("float twice(float x);\n" + with("expf(x[i])", "twice(x[i])"));
  EXPECT_NE(report.find("call to __host__ function from __global__ function"), std::string::npos) << report;
}

TEST(VerifyEmitted, DeviceFunctionCalledOnHost) {
  const std::string report =
      report_on(with("return cudaGetLastError();", "__syncthreads();\n  return cudaGetLastError();"));
  EXPECT_NE(report.find("no matching function for call to '__syncthreads'"), std::string::npos) << report;
  EXPECT_NE(report.find("call to __device__ function from __host__ function"), std::string::npos) << report;
}

TEST(VerifyEmitted, IncludesOfTheFolder) {
  std::string report;
  const FileSet files = {
      {"device/twice.cuh", "#pragma once\n__host__ __device__ inline float twice(float x) { return x + x; }\n"},
      {"kernels/scale.cu", "#include \"device/twice.cuh\"\n\n" + with("expf(x[i])", "twice(x[i])")}};
  EXPECT_TRUE(verify_cuda(files, report)) << report;
}

TEST(VerifyEmitted, SaysSoWithoutResourceDirectory) {
  setenv("SINTER_CLANG_RESOURCE_DIR", "/no/such/directory", 1);
  std::string report;
  EXPECT_FALSE(verify_cuda({{"kernels/scale.cu", kScale}}, report));
  EXPECT_FALSE(report.empty());
  unsetenv("SINTER_CLANG_RESOURCE_DIR");
}

// Every device helper, as a file that includes it alone.
TEST(VerifyEmitted, DeviceHelpers) {
  const std::filesystem::path folder = std::filesystem::path(SINTER_SOURCE_DIR) / "templates/device";
  FileSet files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    std::ostringstream text;
    text << file.rdbuf();
    const std::string name = entry.path().filename().string();
    files["device/" + name] = text.str();
    files["kernels/" + entry.path().stem().string() + ".cu"] = "#include \"device/" + name + "\"\n";
  }
  std::string report;
  EXPECT_TRUE(verify_cuda(files, report)) << report;
}

}  // namespace
}  // namespace sinter
