// verify_cuda: what passes, and what is found.
#include "review/verify/verify_emitted.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "review/verify/headers.h"

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

TEST(VerifyEmitted, ErrorsAlone) {
  std::string report;
  const FileSet warns = {{"kernels/scale.cu", with("float sum =", "const int row = blockIdx.y;\n  float sum =")}};
  EXPECT_TRUE(verify_cuda(warns, report, nullptr, Complaints::kErrors)) << report;
  const FileSet fails = {{"kernels/scale.cu", with("float sum =", "const int row = column;\n  float sum =")}};
  EXPECT_FALSE(verify_cuda(fails, report, nullptr, Complaints::kErrors));
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

// The files of templates/<folder>.
FileSet templates_of(const std::string& folder) {
  FileSet files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(SINTER_SOURCE_DIR) / "templates" / folder)) {
    std::ifstream file(entry.path());
    std::ostringstream text;
    text << file.rdbuf();
    files[folder + "/" + entry.path().filename().string()] = text.str();
  }
  return files;
}

FileSet device_helpers() { return templates_of("device"); }

// Each device helper includes what it needs.
TEST(VerifyEmitted, DeviceHelpersAlone) {
  FileSet files = device_helpers();
  for (const auto& [path, text] : device_helpers()) {
    files["kernels/" + std::filesystem::path(path).stem().string() + ".cu"] = "#include \"" + path + "\"\n";
  }
  std::string report;
  EXPECT_TRUE(verify_cuda(files, report)) << report;
}

// Every header that a file for nvcc may include has a stand-in: where one is included for the first time, it is written
// (review/headers), with what is used of it.
TEST(VerifyEmitted, HeadersOfTemplatesHaveStandIns) {
  std::set<std::string> known;
  for (const auto& [name, text] : stand_in_headers()) known.insert(std::string(name));
  for (const char* folder : {"device", "host", "launcher", "library"}) {
    for (const auto& [path, text] : templates_of(folder)) {
      // C++ for the host's compiler, which includes them in C++.
      if (path.ends_with(".cpp.mustache") || path.ends_with(".hpp.mustache") || path == "launcher/safetensors_file.h")
        continue;
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("#include <")) continue;
        const std::string name = line.substr(10, line.find('>') - 10);
        if (name == "nvtx3/nvToolsExt.h") continue;  // with an option of the build alone
        EXPECT_TRUE(known.contains(name)) << path << " includes <" << name << ">, which review/headers has not";
      }
    }
  }
}

// Functions that no file names are not declared: a name that only a comment or an included file has is declared.
TEST(VerifyEmitted, NamesInIncludedFiles) {
  std::string report;
  const FileSet files = {{"device/power.h", "#define POWER cbrtf\n"},
                         {"kernels/scale.cu", "#include \"device/power.h\"\n" + with("expf(x[i])", "POWER(x[i])")}};
  EXPECT_TRUE(verify_cuda(files, report)) << report;
}

// Each report in the order of the files, whichever is parsed first.
TEST(VerifyEmitted, ReportsInOrder) {
  FileSet files;
  for (const char* name : {"a", "b", "c", "d", "e", "f"})
    files["kernels/" + std::string(name) + ".cu"] = with("y[i]", "z");
  std::string forwards, backwards;
  EXPECT_FALSE(verify_cuda(files, forwards));
  EXPECT_FALSE(verify_cuda(files, backwards, [](size_t count, const std::function<void(size_t)>& work) {
    while (count > 0) work(--count);
  }));
  EXPECT_EQ(forwards, backwards);
  EXPECT_LT(forwards.find("kernels/a.cu"), forwards.find("kernels/f.cu"));
}

// Templates are checked only where they are used.
TEST(VerifyEmitted, DeviceHelpersInUse) {
  std::string text;
  for (const char* name :
       {"bit_cast", "block_reduce", "combine", "integer_divide", "integer_power", "maximum", "multiply_high",
        "reduce_precision", "saturate_cast", "shifts", "sign", "total_order", "vector_access", "warp_reduce"}) {
    text += "#include \"device/" + std::string(name) + ".cuh\"\n";
  }
  text += R"(
__global__ void __launch_bounds__(256)
use(const float* __restrict__ x, const int* __restrict__ n, float* __restrict__ y, int* __restrict__ m) {
  const int i = threadIdx.x;
  const float sum = block_reduce<256>(x[i], Add()) + warp_reduce(x[i], Maximum());
  const Vector<float, 4> v = load_vector<4>(x + 4 * i);
  store_vector(y + 4 * i, v);
  m[i] = integer_divide(n[i], 3) + integer_remainder(n[i], 3) + integer_power(n[i], 2) + shift_left(n[i], 4) +
         multiply_high(n[i], n[i]) + bit_cast<int>(sum) + saturate_cast<int>(sum) + sign(n[i]);
  y[i] = maximum(reduce_precision<5, 10>(sum), minimum(v[1], static_cast<float>(total_order_key(sum))));
}

cudaError_t launch_use(const float* x, const int* n, float* y, int* m, cudaStream_t stream) {
  return launch(use, {.grid = 4, .block = 256}, stream, x, n, y, m);
}
)";
  FileSet files = device_helpers();
  files["kernels/use.cu"] = text;
  std::string report;
  EXPECT_TRUE(verify_cuda(files, report)) << report;
}

// Calls of cuSOLVER, cuBLAS and cuSPARSE in every type, against the stand-ins for their headers.
TEST(VerifyEmitted, LibraryFilesInUse) {
  FileSet files = device_helpers();
  std::string text, uses;
  for (const std::string name : {"geqrf", "gesdd", "getrf", "gtsv", "orgqr", "potrf", "syevd", "trsm"}) {
    text += "#include \"library/" + name + ".cuh\"\n";
    uses += "  (void)&library::" + name + "<T>, (void)&library::" + name + "_workspace<T>;\n";
  }
  text += "template <class T>\nvoid use() {\n" + uses + "}\n";
  for (const char* type : {"float", "double", "Complex<float>", "Complex<double>"}) {
    text += "template void use<" + std::string(type) + ">();\n";
  }
  files.merge(templates_of("library"));
  files.merge(templates_of("launcher"));
  files["use.cu"] = text;
  std::string report;
  EXPECT_TRUE(verify_cuda(files, report)) << report;
}

}  // namespace
}  // namespace sinter
