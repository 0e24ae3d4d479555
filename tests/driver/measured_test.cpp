// What `sinter bench` says of a runner's times beside the folder's predictions.
#include "driver/build/measured.h"

#include <gtest/gtest.h>

#include "driver/build/device_tools.h"
#include "tests/driver/h200.h"

namespace sinter {
namespace {

constexpr std::string_view kFusion = R"({
 "program": "p", "gpu": "h200", "predicted_us": 12.0,
 "kernels": [
  {"name": "fast", "bytes_read": 4800000, "bytes_written": 4800000, "flops": 1000, "predicted_us": 4.0, "bound": "memory"},
  {"name": "slow", "bytes_read": 100, "bytes_written": 0, "flops": 1000, "predicted_us": 2.0, "bound": "launch"}]
})";

constexpr std::string_view kRun = R"({"program": "p", "device": "NVIDIA H200",
 "run_us": {"median": 30, "low": 29, "high": 31, "min": 28, "count": 3}, "event_us": 0.5, "host_waits": false,
 "steps": [{"name": "fast", "count": 2, "us": {"median": 4.0, "low": 3.9, "high": 4.1, "min": 3.8, "count": 6}},
           {"name": "copy", "count": 1, "us": {"median": 1, "low": 1, "high": 1, "min": 1, "count": 3}},
           {"name": "slow", "count": 1, "us": {"median": 9.0, "low": 8, "high": 10, "min": 8, "count": 3}}]})";

TEST(Measured, KernelsStandBesideTheirPredictions) {
  std::string error;
  const std::optional<Measured> measured = read_measured(kRun, kFusion, h200(), error);
  ASSERT_TRUE(measured) << error;
  ASSERT_EQ(measured->steps.size(), 3);
  EXPECT_EQ(measured->steps[0].count, 2);
  EXPECT_DOUBLE_EQ(measured->steps[0].least_us, 9600 / 4770.0);  // 9.6 MB at 4.77 TB/s
  EXPECT_FALSE(measured->steps[1].predicted_us);                 // a copy is no kernel
  const std::string text = measured_text(*measured);
  EXPECT_EQ(text.find("No GPU"), std::string::npos);
  EXPECT_NE(text.find("slow takes 9.00 us where 2.00 us were predicted (bound by launch)"), std::string::npos) << text;
  EXPECT_EQ(text.find("fast takes"), std::string::npos) << text;
  EXPECT_NE(text.find("50.3 %"), std::string::npos) << text;
}

TEST(Measured, WhatIsTooFastIsOffToo) {
  std::string error;
  std::string run(kRun);
  run.replace(run.find("9.0"), 3, "0.9");
  const std::optional<Measured> measured = read_measured(run, kFusion, h200(), error);
  ASSERT_TRUE(measured) << error;
  EXPECT_NE(measured_text(*measured).find("slow takes 0.90 us"), std::string::npos);
  EXPECT_NE(measured_json(*measured).find("\"off\": true"), std::string::npos);
}

TEST(Measured, TimesOfTheCpuAreMarkedAndJudgeNoPrediction) {
  std::string error;
  std::string run(kRun);
  run.replace(run.find("NVIDIA H200"), 11, "CPU");
  const std::optional<Measured> measured = read_measured(run, kFusion, h200(), error);
  ASSERT_TRUE(measured) << error;
  const std::string text = measured_text(*measured);
  EXPECT_NE(text.find("No GPU: the CPU build stands in its place"), std::string::npos) << text;
  EXPECT_EQ(text.find("Off by"), std::string::npos) << text;
}

TEST(Measured, WhatIsNoJsonIsSaid) {
  std::string error;
  EXPECT_FALSE(read_measured("Segmentation fault", kFusion, h200(), error));
  EXPECT_NE(error.find("what the runner printed"), std::string::npos) << error;
}

TEST(Measured, GpusAreKnownByTheNamesThatDriversGiveThem) {
  EXPECT_EQ(gpu_of_device("NVIDIA H100 80GB HBM3"), "h100");
  EXPECT_EQ(gpu_of_device("NVIDIA H200"), "h200");
  EXPECT_EQ(gpu_of_device("NVIDIA GeForce RTX 4090"), "rtx4090");
  EXPECT_EQ(gpu_of_device("NVIDIA L40S"), "");
}

}  // namespace
}  // namespace sinter
