// A plan report as JSON with stable names, and as text for people.
#include <llvm/Support/Format.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cmath>

#include "driver/compile/plan_report.h"
#include "emitter/host/emit_host.h"
#include "emitter/text/json_text.h"

namespace sinter {
namespace {

llvm::json::Value json_count(std::optional<int64_t> count) {
  return count ? llvm::json::Value(*count) : llvm::json::Value(nullptr);
}

std::string count_text(std::optional<int64_t> count) {
  return count ? std::to_string(*count) : "unknown (it depends on data)";
}

std::string launches_text(int64_t count) { return std::to_string(count) + (count == 1 ? " launch" : " launches"); }

// A prediction has few digits that mean something.
std::string number_text(double number, int digits) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*f", digits, number);
  return text;
}
void json_number(llvm::json::OStream& json, const char* key, std::optional<double> number, int digits) {
  json.attributeBegin(key);
  json.rawValue(number ? number_text(*number, digits) : "null");
  json.attributeEnd();
}

// Two digits that mean something, however small the number.
int digits_of_small(double number) {
  const double magnitude = number > 0 ? std::floor(std::log10(number)) : 0;
  return std::clamp(1 - static_cast<int>(magnitude), 1, 9);
}

std::string predicted_text(std::optional<double> us) { return us ? time_text(*us) : "unknown"; }
std::string run_text(std::optional<double> us, double once_us) {
  return time_text(us.value_or(once_us)) + (us ? "" : " so counted");
}

std::string total_text(std::optional<int64_t> bytes) { return bytes ? bytes_text(*bytes) : "unknown"; }

std::string dims_text(const int64_t (&dims)[3]) {
  std::string text = std::to_string(dims[0]);
  if (dims[1] != 1 || dims[2] != 1) text += "x" + std::to_string(dims[1]);
  if (dims[2] != 1) text += "x" + std::to_string(dims[2]);
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// Where a loop runs, and how long.
std::string loop_text(const PlanReport::Loop& loop) {
  std::string text = "loop " + loop.name + ": ";
  text += loop.trip ? std::to_string(*loop.trip) + (*loop.trip == 1 ? " iteration" : " iterations")
                    : "until its condition fails";
  text += ", scope " + std::string(scope_name(loop.scope)) + ", ";
  return text +
         (loop.scope == Scope::kHost ? launches_text(loop.launches_per_iteration) + " an iteration"
                                     : std::string("inside a kernel")) +
         "\n";
}

// Neighbours that are equal once.
std::string schedules_text(std::vector<std::string> schedules) {
  schedules.erase(std::unique(schedules.begin(), schedules.end()), schedules.end());
  return joined(schedules);
}

// Launches of a run that are no kernel's, where they can be counted.
int64_t other_launches(const PlanReport& report) {
  int64_t others = report.launches.value_or(0);
  for (const PlanReport::KernelReport& kernel : report.kernels) others -= kernel.count.value_or(0);
  return report.launches ? others : 0;
}

std::string alternative_text(const PlanReport::Alternative& other, std::optional<double> chosen_us) {
  if (other.kernels.empty()) return "    no plan has it computed where it is read\n";
  const std::string text = "    computed again by " + joined(other.kernels) + ": ";
  if (!other.refusal.empty()) return text + "refused, " + other.refusal + "\n";
  std::string difference;
  if (other.predicted_us && chosen_us) {
    const double more = *other.predicted_us - *chosen_us;
    difference =
        std::fabs(more) < 0.05 ? ", no difference" : ", " + time_text(std::fabs(more)) + (more < 0 ? " less" : " more");
  }
  return text + predicted_text(other.predicted_us) + difference + "\n";
}

}  // namespace

std::string plan_report_json(const PlanReport& report) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::json::OStream json(out, 1);
  json.object([&] {
    json.attribute("program", report.program);
    if (!report.elided_note.empty()) json.attribute("elided", report.elided_note);
    json.attribute("launches", json_count(report.launches));
    json.attribute("launches_outside_loops", report.launches_outside_loops);
    json.attribute("grid_barriers", report.grid_barriers);
    json.attribute("host_waits", json_count(report.host_waits));
    json.attributeObject("graph", [&] {
      json.attribute("refusal", json_text(report.graph.refusal));
      json.attribute("conditional_nodes", report.graph.conditional_nodes);
      json.attribute("forks", report.graph.forks);
      json_number(json, "predicted_once_us", report.graph.predicted_once_us, 1);
    });
    json.attribute("bytes_read", json_count(report.bytes_read));
    json.attribute("bytes_written", json_count(report.bytes_written));
    json.attribute("gpu", report.gpu);
    json_number(json, "predicted_us", report.predicted_us, 1);
    json_number(json, "predicted_once_us", report.predicted_once_us, 1);
    json.attribute("arena_bytes", report.arena_bytes);
    json.attribute("live_bytes", report.live_bytes);
    json.attribute("weights_bytes", report.weights_bytes);
    if (report.unfused) {
      json.attributeObject("unfused", [&] {
        json.attribute("launches", json_count(report.unfused->launches));
        json.attribute("bytes_read", json_count(report.unfused->bytes_read));
        json.attribute("bytes_written", json_count(report.unfused->bytes_written));
        json_number(json, "predicted_us", report.unfused->predicted_us, 1);
        json_number(json, "predicted_once_us", report.unfused->predicted_once_us, 1);
      });
    }
    json.attributeArray("loops", [&] {
      for (const PlanReport::Loop& loop : report.loops) {
        json.object([&] {
          json.attribute("name", json_text(loop.name));
          json.attribute("trip", json_count(loop.trip));
          json.attribute("scope", std::string(scope_name(loop.scope)));
          json.attribute("launches_per_iteration", loop.launches_per_iteration);
        });
      }
    });
    json.attributeArray("kernels", [&] {
      for (const PlanReport::KernelReport& kernel : report.kernels) {
        json.object([&] {
          json.attribute("name", kernel.name);
          json.attribute("file", kernel.file);
          json.attribute("count", json_count(kernel.count));
          json.attribute("schedules", llvm::json::Array(kernel.schedules));
          json.attribute("grid", llvm::json::Array({kernel.grid[0], kernel.grid[1], kernel.grid[2]}));
          if (kernel.of_run) json.attribute("of_run", true);
          json.attribute("block", kernel.block);
          if (kernel.resident) json.attribute("resident", true);
          json.attribute("shared_bytes", kernel.shared_bytes);
          json.attribute("bytes_read", kernel.bytes_read);
          json.attribute("bytes_written", kernel.bytes_written);
          json.attribute("flops", kernel.flops);
          json.attribute("registers", kernel.registers);
          json_number(json, "occupancy", kernel.occupancy, 2);
          json_number(json, "predicted_us", kernel.predicted_us, 1);
          json.attribute("bound", kernel.bound);
          if (kernel.slow) {
            json.attributeObject("slow", [&] {
              json_number(json, "least_us", kernel.slow->least_us, digits_of_small(kernel.slow->least_us));
              json.attribute("value", json_text(kernel.slow->value));
              json.attribute("reason", kernel.slow->reason);
            });
          }
        });
      }
    });
    json.attributeArray("boundaries", [&] {
      for (const PlanReport::Boundary& boundary : report.boundaries) {
        json.object([&] {
          json.attribute("value", json_text(boundary.value));
          json.attribute("bytes", boundary.bytes);
          json.attribute("reason", boundary.reason);
          json.attribute("blocked_by", json_text(boundary.blocked_by));
          json.attribute("source", json_text(boundary.source));
          json_number(json, "predicted_us", boundary.predicted_us, digits_of_small(boundary.predicted_us));
          if (boundary.alternative) {
            json.attributeObject("alternative", [&] {
              json.attribute("kernels", llvm::json::Array(boundary.alternative->kernels));
              json.attribute("refusal", json_text(boundary.alternative->refusal));
              json_number(json, "predicted_us", boundary.alternative->predicted_us, 1);
            });
          }
        });
      }
    });
  });
  return text + "\n";
}

std::string time_text(double us) {
  if (us < 0.05) return "< 0.1 us";
  if (us >= 1e6) return number_text(us / 1e6, 2) + " s";
  if (us >= 1e3) return number_text(us / 1e3, 2) + " ms";
  return number_text(us, 1) + " us";
}

// "2 conditional nodes (CUDA 12.4), without which the host waits for what decides; a fork into branches, side by side
// 22.0 us"
static std::string graph_text(const PlanReport::Graph& graph) {
  if (!graph.refusal.empty()) return "none: " + graph.refusal;
  const auto count = [](int64_t number, const std::string& what) {
    return number == 1 ? "a " + what : std::to_string(number) + " " + what + "s";
  };
  std::string text;
  if (graph.conditional_nodes > 0)
    text = count(graph.conditional_nodes, "conditional node") +
           " (CUDA 12.4), without which the host waits for what decides";
  if (graph.forks == 0) return text;
  return text + (text.empty() ? "" : "; ") + count(graph.forks, "fork") + " into branches, side by side " +
         time_text(graph.predicted_once_us);
}

std::string plan_report_text(const PlanReport& report) {
  std::string text = "launches per run     " + count_text(report.launches) + "\n";
  if (report.launches != report.launches_outside_loops) {
    text += "  outside loops      " + std::to_string(report.launches_outside_loops) + "\n";
  }
  for (const PlanReport::Loop& loop : report.loops) text += loop_text(loop);
  if (report.graph.conditional_nodes > 0 || report.graph.forks > 0)
    text += "as a CUDA graph      " + graph_text(report.graph) + "\n";
  text += "bytes read           " + total_text(report.bytes_read) + "\n";
  text += "bytes written        " + total_text(report.bytes_written) + "\n";
  text += "predicted            " + time_text(report.predicted_us.value_or(report.predicted_once_us)) + " on " +
          report.gpu + (report.predicted_us ? "" : " (what depends on data counted once, a library's call as a copy)") +
          "\n";
  if (report.unfused) {
    const PlanReport::Unfused& unfused = *report.unfused;
    text += "a kernel a value     " + count_text(unfused.launches) + " launches, " + total_text(unfused.bytes_read) +
            " read, " + total_text(unfused.bytes_written) + " written, " +
            run_text(unfused.predicted_us, unfused.predicted_once_us) + "\n";
  }
  text += "arena                " + bytes_text(report.arena_bytes) + " (largest live set " +
          bytes_text(report.live_bytes) + ")\n";
  if (report.weights_bytes != 0) text += "weights              " + bytes_text(report.weights_bytes) + "\n";
  text += "\nkernels\n";
  for (const PlanReport::KernelReport& kernel : report.kernels) {
    text += "  " + kernel.name + ": " + schedules_text(kernel.schedules) + "; " +
            (kernel.count ? launches_text(*kernel.count) : "some launches") +
            (kernel.of_run || kernel.resident ? " of up to " : " of ") + dims_text(kernel.grid) +
            (dims_text(kernel.grid) == "1" ? " block of " : " blocks of ") + std::to_string(kernel.block) +
            (kernel.block == 1 ? " thread; reads " : " threads; reads ") + bytes_text(kernel.bytes_read) + ", writes " +
            bytes_text(kernel.bytes_written) + "; " + time_text(kernel.predicted_us) + " each, bound by " +
            kernel.bound + "\n";
    if (kernel.slow) {
      text += "    slow: what it moves and computes takes " + time_text(kernel.slow->least_us) + ", most of it " +
              kernel.slow->value + (kernel.slow->reason.empty() ? "" : " (" + kernel.slow->reason + ")") + "\n";
    }
  }
  if (const int64_t others = other_launches(report)) {
    text += "  copies, clears and calls of the host: " + launches_text(others) + "\n";
  }
  text += "\nvalues in device memory between kernels\n";
  if (report.boundaries.empty()) text += "  none\n";
  for (const PlanReport::Boundary& boundary : report.boundaries) {
    text += "  " + boundary.value + ": " + bytes_text(boundary.bytes) + ", " + time_text(boundary.predicted_us) + ", " +
            boundary.reason;
    if (!boundary.blocked_by.empty() && boundary.blocked_by != boundary.value) text += " (" + boundary.blocked_by + ")";
    if (!boundary.source.empty()) text += ", " + boundary.source;
    text += "\n";
    if (boundary.alternative) text += alternative_text(*boundary.alternative, report.predicted_us);
  }
  if (!report.boundaries.empty()) {
    text += "(time: to write and to read it once; reasons: `sinter help " + report.boundaries[0].reason + "`)\n";
  }
  return text;
}

}  // namespace sinter
