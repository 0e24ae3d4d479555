// What a machine lacks is said before anything is built.
#include "driver/build/device_tools.h"

#include <gtest/gtest.h>

namespace sinter {
namespace {

TEST(DeviceTools, NoCompiler) {
  EXPECT_EQ(missing_for(Device::kCuda, "no-such-nvcc"),
            "--device cuda needs nvcc: no-such-nvcc is not on PATH; install the CUDA Toolkit, or set CUDACXX to its "
            "nvcc; without --device cuda the same kernels run on the CPU");
  EXPECT_EQ(missing_for(Device::kCpu, "/no/such/c++"),
            "a C++ compiler is needed: /no/such/c++ cannot be run; install one, or set CXX to it");
}

TEST(DeviceTools, NoGpu) {
  EXPECT_EQ(missing_for(Device::kCuda, "sh", "libno-such-driver.so.1"),
            "--device cuda needs an NVIDIA GPU and its driver (libno-such-driver.so.1); without --device cuda the same "
            "kernels run on the CPU");
}

TEST(DeviceTools, NothingIsMissing) {
  EXPECT_EQ(missing_for(Device::kCpu, "sh"), "");
  EXPECT_EQ(missing_for(Device::kCuda, "sh", "libc.so.6"), "");
}

}  // namespace
}  // namespace sinter
