#include "driver/page/roofline.h"

#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "driver/page/draw_graph.h"
#include "driver/page/svg.h"
#include "passes/schedule/cost/roofs.h"

namespace sinter {
namespace {

// "0.01", "3.2", "4770": three digits, or all before the point.
std::string digits(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(number < 100 ? "%.3g" : "%.0f", number);
  return text;
}

// Powers of ten in which all numbers are.
class LogScale {
 public:
  // `from`, `to`: where the ends are drawn.
  LogScale(double least, double most, double from, double to)
      : first_(static_cast<int>(std::floor(std::log10(least)))),
        last_(std::max(first_ + 1, static_cast<int>(std::ceil(std::log10(most))))),
        from_(from),
        to_(to) {}

  double at(double number) const { return from_ + (to_ - from_) * (std::log10(number) - first_) / (last_ - first_); }
  double least() const { return std::pow(10.0, first_); }
  double most() const { return std::pow(10.0, last_); }
  int first() const { return first_; }
  int last() const { return last_; }

 private:
  int first_, last_;
  double from_, to_;
};

class RooflineDrawing {
 public:
  RooflineDrawing(const PlanReport& report, const Gpu& gpu)
      : report_(report), points_(roofline_points(report)), roofs_(roofs(report, gpu)), x_(x_scale()), y_(y_scale()) {}

  std::string draw() const {
    if (points_.empty()) return "";
    std::string content = axes();
    for (const Roof& roof : roofs_) content += draw_roof(roof);
    for (const RooflinePoint& point : points_) content += draw_point(point);
    return drawing(kLeft + kWidth + kRight, kTop + kHeight + kBottom, "roofline of " + report_.gpu, content + labels());
  }

 private:
  static constexpr double kLeft = 90, kTop = 16, kWidth = 900, kHeight = 440, kRight = 24, kBottom = 44;

  double fastest() const {
    double rate = 0;
    for (const Roof& roof : roofs_) rate = std::max(rate, roof.is_flat ? roof.rate : 0);
    return rate;
  }
  double bandwidth(bool least) const {
    double rate = 0;
    for (const Roof& roof : roofs_) {
      if (!roof.is_flat) rate = rate == 0 ? roof.rate : least ? std::min(rate, roof.rate) : std::max(rate, roof.rate);
    }
    return rate;
  }

  // The corner of the highest roofs is in the picture.
  LogScale x_scale() const {
    double least = 1, most = fastest() / bandwidth(true);
    for (const RooflinePoint& point : points_) {
      least = std::min(least, point.flops_a_byte);
      most = std::max(most, point.flops_a_byte);
    }
    return {least, most, kLeft, kLeft + kWidth};
  }
  LogScale y_scale() const {
    double least = fastest() / 100;
    for (const RooflinePoint& point : points_) least = std::min(least, point.gflops_a_second);
    return {least, fastest() * 1.2, kTop + kHeight, kTop};
  }

  std::string axes() const {
    std::string text = ground(kLeft, kTop, kWidth, kHeight);
    std::string grid;
    for (int power = x_.first(); power <= x_.last(); ++power) {
      const double number = std::pow(10.0, power);
      grid += "M" + pixels(x_.at(number)) + "," + pixels(kTop) + "v" + pixels(kHeight);
      text += text_at(x_.at(number), kTop + kHeight + 16, digits(number), "small", "middle");
    }
    for (int power = y_.first(); power <= y_.last(); ++power) {
      const double number = std::pow(10.0, power);
      grid += "M" + pixels(kLeft) + "," + pixels(y_.at(number)) + "h" + pixels(kWidth);
      text += text_at(kLeft - 6, y_.at(number) + 4, rate_text(number), "small", "end");
    }
    text += element("path", {{"class", "grid"}, {"d", grid}});
    return text + text_at(kLeft + kWidth / 2, kTop + kHeight + 36, "operations on floats, a byte of device memory",
                          "label", "middle");
  }

  // A memory's roof ends where it meets the highest of the units.
  std::string draw_roof(const Roof& roof) const {
    double from = x_.least(), to = x_.most();
    if (!roof.is_flat) {
      from = std::max(from, y_.least() / roof.rate);
      to = std::min(to, fastest() / roof.rate);
    } else {
      from = std::max(from, roof.rate / bandwidth(false));
    }
    if (from >= to) return "";
    const auto height = [&](double x) { return y_.at(roof.is_flat ? roof.rate : roof.rate * x); };
    const std::string line =
        "M" + pixels(x_.at(from)) + "," + pixels(height(from)) + "L" + pixels(x_.at(to)) + "," + pixels(height(to));
    return element("path", {{"class", "roof"}, {"d", line}});
  }

  std::string labels() const {
    std::string text;
    for (const Roof& roof : roofs_) text += roof_label(roof);
    // The longest kernels have their numbers beside them, the others where there is room.
    std::vector<std::pair<double, double>> taken;
    for (const RooflinePoint& point : points_) text += point_label(point, &taken);
    return text;
  }

  // Beside a memory's roof: the lowest has its name below it.
  std::string roof_label(const Roof& roof) const {
    if (roof.is_flat) return text_at(kLeft + kWidth - 6, y_.at(roof.rate) - 5, roof.name, "label halo", "end");
    const double from = std::max(x_.least(), y_.least() / roof.rate), to = fastest() / roof.rate;
    const double x = std::sqrt(from * to);
    const bool below = roof.rate == bandwidth(true);
    return text_at(x_.at(x) + (below ? 8 : -6), y_.at(roof.rate * x) + (below ? 12 : -5), roof.name, "label halo",
                   below ? "start" : "end");
  }

  // To the right of the point, to the left, above or below.
  std::string point_label(const RooflinePoint& point, std::vector<std::pair<double, double>>* taken) const {
    constexpr double kCharacter = 6.5, kLine = 11;
    const std::string number = kernel_number(point.kernel);
    const double width = static_cast<double>(number.size()) * kCharacter, away = radius(point) + 3 + width / 2;
    const std::pair<double, double> places[] = {
        {away, 4}, {-away, 4}, {0, -radius(point) - 3}, {0, radius(point) + 11}};
    for (const auto& [right, down] : places) {
      const double x = x_.at(point.flops_a_byte) + right, y = y_.at(point.gflops_a_second) + down;
      const bool is_free = std::none_of(taken->begin(), taken->end(), [&](const auto& other) {
        return std::abs(other.first - x) < width + 4 && std::abs(other.second - y) < kLine;
      });
      if (!is_free) continue;
      taken->emplace_back(x, y);
      return text_at(x, y, number, "small halo", "middle");
    }
    return "";
  }

  static double radius(const RooflinePoint& point) { return 4 + 14 * std::sqrt(point.share); }

  std::string draw_point(const RooflinePoint& point) const {
    const PlanReport::KernelReport& kernel = report_.kernels[point.kernel];
    const std::string text = kernel_number(point.kernel) + " " + kernel.name + ": " + digits(point.flops_a_byte) +
                             " operations a byte, " + rate_text(point.gflops_a_second) + ", bound by " + kernel.bound +
                             ", " + digits(100 * point.share) + "% of the time";
    return element("a",
                   {{"class", "point " + colour_class(point.kernel)},
                    {"href", "#" + kernel_id(point.kernel)},
                    {"data-kernel", kernel_id(point.kernel)}},
                   tooltip(text) + element("circle", {{"cx", pixels(x_.at(point.flops_a_byte))},
                                                      {"cy", pixels(y_.at(point.gflops_a_second))},
                                                      {"r", pixels(radius(point))}}));
  }

  const PlanReport& report_;
  const std::vector<RooflinePoint> points_;
  const std::vector<Roof> roofs_;
  const LogScale x_, y_;
};

}  // namespace

double gflops_a_second(const PlanReport::KernelReport& kernel) {
  return kernel.predicted_us > 0 ? static_cast<double>(kernel.flops) / kernel.predicted_us / 1e3 : 0;
}

std::vector<RooflinePoint> roofline_points(const PlanReport& report) {
  double sum = 0;
  const auto time = [](const PlanReport::KernelReport& kernel) {
    return kernel.predicted_us * static_cast<double>(kernel.count.value_or(1));
  };
  for (const PlanReport::KernelReport& kernel : report.kernels) sum += time(kernel);
  std::vector<RooflinePoint> points;
  for (size_t i = 0; i < report.kernels.size(); ++i) {
    const PlanReport::KernelReport& kernel = report.kernels[i];
    const auto bytes = static_cast<double>(kernel.bytes_read + kernel.bytes_written);
    const auto flops = static_cast<double>(kernel.flops);
    if (bytes <= 0 || flops <= 0 || kernel.predicted_us <= 0) continue;
    points.push_back({i, flops / bytes, gflops_a_second(kernel), sum > 0 ? time(kernel) / sum : 0});
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const RooflinePoint& a, const RooflinePoint& b) { return a.share > b.share; });
  return points;
}

std::vector<Roof> roofs(const PlanReport& report, const Gpu& gpu) {
  std::vector<Roof> result = {{"memory " + digits(gpu.memory_gb_per_s) + " GB/s", false, gpu.memory_gb_per_s}};
  if (gpu.l2_gb_per_s > gpu.memory_gb_per_s) {
    result.push_back({"L2 cache " + digits(gpu.l2_gb_per_s) + " GB/s", false, gpu.l2_gb_per_s});
  }
  const auto add = [&](Bound bound, const std::string& name) {
    const double rate = most_flops_a_us(bound, gpu) / 1e3;
    result.push_back({name + " " + rate_text(rate), true, rate});
  };
  const bool doubles = std::any_of(report.kernels.begin(), report.kernels.end(),
                                   [](const auto& kernel) { return kernel.bound == bound_name(Bound::kF64); });
  if (doubles) add(Bound::kF64, gpu.tensor_f64_fma > gpu.f64_lanes ? "tensor cores, doubles" : "f64 units");
  add(Bound::kF32, "f32 units");
  if (gpu.tensor_fma > 0) add(Bound::kTensor, "tensor cores, 16-bit floats");
  return result;
}

std::string draw_roofline(const PlanReport& report, const Gpu& gpu) { return RooflineDrawing(report, gpu).draw(); }

std::string rate_text(double gflops_a_second) {
  constexpr std::array kUnits = {"FLOP/s", "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s"};
  double rate = gflops_a_second * 1e9;
  size_t unit = 0;
  for (; rate >= 999.5 && unit + 1 < kUnits.size(); rate /= 1e3) ++unit;
  return digits(rate) + " " + kUnits[unit];
}

}  // namespace sinter
