#include "driver/build/measured.h"

#include <llvm/Support/Format.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cmath>

#include "passes/schedule/cost/roofs.h"

namespace sinter {
namespace {

std::optional<llvm::json::Value> parse(std::string_view text, const std::string& what, std::string& error) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(llvm::StringRef(text.data(), text.size()));
  if (value && value->getAsObject() != nullptr) return std::move(*value);
  error = what + " is no JSON object" + (value ? "" : ": " + llvm::toString(value.takeError()));
  return std::nullopt;
}

Spread read_spread(const llvm::json::Object* object) {
  if (object == nullptr) return {};
  const auto number = [&](const char* key) { return object->getNumber(key).value_or(0); };
  return {number("median"), number("low"), number("high"), number("min")};
}

std::string text_of(const llvm::json::Object& object, const char* key) {
  return object.getString(key).value_or("").str();
}

// Microseconds that the device takes at the least.
double least_us(const MeasuredStep& step, const Gpu& gpu) {
  Bound bound = Bound::kF32;
  for (const Bound other : {Bound::kF64, Bound::kTensor}) {
    if (step.bound == bound_name(other)) bound = other;
  }
  return std::max(step.bytes / (gpu.memory_gb_per_s * 1e3), step.flops / most_flops_a_us(bound, gpu));
}

const llvm::json::Object* kernel_called(const llvm::json::Object& fusion, const std::string& name) {
  const llvm::json::Array* kernels = fusion.getArray("kernels");
  if (kernels == nullptr) return nullptr;
  for (const llvm::json::Value& value : *kernels) {
    const llvm::json::Object* kernel = value.getAsObject();
    if (kernel != nullptr && text_of(*kernel, "name") == name) return kernel;
  }
  return nullptr;
}

std::string number(double value, int digits = 1) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*f", digits, value);
  return text;
}

double ratio(const MeasuredStep& step) {
  return step.predicted_us.value_or(0) > 0 ? step.us.median / *step.predicted_us : 0;
}
bool is_off(const MeasuredStep& step) { return ratio(step) > kOff || (ratio(step) > 0 && ratio(step) < 1 / kOff); }

void write_spread(llvm::json::OStream& json, const char* key, const Spread& spread) {
  json.attributeObject(key, [&] {
    json.attribute("median", spread.median);
    json.attribute("low", spread.low);
    json.attribute("high", spread.high);
    json.attribute("min", spread.min);
  });
}

}  // namespace

std::optional<Measured> read_measured(std::string_view runner, std::string_view fusion, const Gpu& gpu,
                                      std::string& error) {
  const std::optional<llvm::json::Value> ran = parse(runner, "what the runner printed", error);
  if (!ran) return std::nullopt;
  const std::optional<llvm::json::Value> planned = parse(fusion, "fusion.json", error);
  if (!planned) return std::nullopt;
  const llvm::json::Object &run = *ran->getAsObject(), &plan = *planned->getAsObject();
  Measured measured = {.program = text_of(run, "program"),
                       .device = text_of(run, "device"),
                       .gpu = text_of(plan, "gpu"),
                       .run_us = read_spread(run.getObject("run_us")),
                       .event_us = run.getNumber("event_us").value_or(0),
                       .host_waits = run.getBoolean("host_waits").value_or(false),
                       .predicted_us = std::nullopt,
                       .steps = {}};
  if (const std::optional<double> predicted = plan.getNumber("predicted_us")) measured.predicted_us = *predicted;
  const llvm::json::Array* steps = run.getArray("steps");
  if (steps == nullptr) {
    error = "the runner printed no steps";
    return std::nullopt;
  }
  for (const llvm::json::Value& value : *steps) {
    const llvm::json::Object* told = value.getAsObject();
    if (told == nullptr) continue;
    MeasuredStep step = {.name = text_of(*told, "name"),
                         .count = told->getInteger("count").value_or(0),
                         .us = read_spread(told->getObject("us")),
                         .predicted_us = std::nullopt,
                         .bound = ""};
    if (const llvm::json::Object* kernel = kernel_called(plan, step.name)) {
      step.predicted_us = kernel->getNumber("predicted_us").value_or(0);
      step.bound = text_of(*kernel, "bound");
      step.bytes = kernel->getNumber("bytes_read").value_or(0) + kernel->getNumber("bytes_written").value_or(0);
      step.flops = kernel->getNumber("flops").value_or(0);
      step.least_us = least_us(step, gpu);
    }
    measured.steps.push_back(std::move(step));
  }
  return measured;
}

std::string measured_text(const Measured& measured) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << measured.program << " on " << measured.device << ", predicted for " << measured.gpu << "\n";
  if (measured.is_cpu()) out << "No GPU: the CPU build stands in its place, and times are the CPU's.\n";
  out << "\nkernel                       launches          us       "
         " 10 % to 90 %     GB/s   GFLOP/s roofline  predicted   ratio\n";
  std::string off;
  for (const MeasuredStep& step : measured.steps) {
    const std::string spread = number(step.us.low) + " to " + number(step.us.high);
    out << llvm::format("%-28s %8lld %11.2f %19s", step.name.c_str(), static_cast<long long>(step.count),
                        step.us.median, spread.c_str());
    if (step.predicted_us && step.us.median > 0) {
      out << llvm::format(" %8.1f %9.1f %6.1f %% %10.2f %7.2f", step.bytes / step.us.median / 1e3,
                          step.flops / step.us.median / 1e3, 100 * step.least_us / step.us.median, *step.predicted_us,
                          ratio(step));
      if (is_off(step)) {
        off += "  " + step.name + " takes " + number(step.us.median, 2) + " us where " + number(*step.predicted_us, 2) +
               " us were predicted (bound by " + step.bound + ")\n";
      }
    }
    out << "\n";
  }
  out << "\na run: " << number(measured.run_us.median, 2) << " us, " << number(measured.run_us.low, 2) << " to "
      << number(measured.run_us.high, 2);
  if (measured.predicted_us) out << "; predicted: " << number(*measured.predicted_us, 2) << " us";
  out << "\nA kernel's time has an event in it, which alone takes " << number(measured.event_us, 2) << " us.\n";
  if (measured.host_waits) out << "The host waits for the device within a run.\n";
  // Predictions are a GPU's.
  if (!off.empty() && !measured.is_cpu()) out << "Off by more than a factor of " << number(kOff, 0) << ":\n" << off;
  return text;
}

std::string measured_json(const Measured& measured) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::json::OStream json(out, 1);
  json.object([&] {
    json.attribute("program", measured.program);
    json.attribute("device", measured.device);
    json.attribute("is_cpu", measured.is_cpu());
    json.attribute("gpu", measured.gpu);
    write_spread(json, "run_us", measured.run_us);
    if (measured.predicted_us) json.attribute("predicted_us", *measured.predicted_us);
    json.attribute("event_us", measured.event_us);
    json.attribute("host_waits", measured.host_waits);
    json.attributeArray("steps", [&] {
      for (const MeasuredStep& step : measured.steps) {
        json.object([&] {
          json.attribute("name", step.name);
          json.attribute("count", step.count);
          write_spread(json, "us", step.us);
          if (!step.predicted_us) return;
          json.attribute("predicted_us", *step.predicted_us);
          json.attribute("ratio", ratio(step));
          json.attribute("off", is_off(step));
          json.attribute("bound", step.bound);
          json.attribute("bytes", step.bytes);
          json.attribute("flops", step.flops);
          json.attribute("roofline_us", step.least_us);
        });
      }
    });
  });
  out << "\n";
  return text;
}

}  // namespace sinter
