#include <set>

#include "driver/page/arena_chart.h"
#include "driver/page/draw_graph.h"
#include "driver/page/kernel_graph.h"
#include "driver/page/page_parts.h"
#include "driver/page/svg.h"
#include "emitter/host/emit_host.h"
#include "passes/reasons/reasons.h"
#include "review/report/page.h"

namespace sinter {

using kainjow::mustache::data;

std::string home_text(const Buffer& buffer) {
  switch (buffer.kind) {
    case Buffer::Kind::kInput:
      return "input";
    case Buffer::Kind::kOutput:
      return "output";
    case Buffer::Kind::kArena:
      return "device memory";
    case Buffer::Kind::kConstant:
      return "constants";
    case Buffer::Kind::kWeight:
      return "weights";
    case Buffer::Kind::kDonated:
      return "input and output";
    case Buffer::Kind::kFinished:
      return "counts of blocks";
    case Buffer::Kind::kPointer:
      break;
  }
  return "one array or another";
}

data arrays_in_memory(const Program& program) {
  const std::vector<std::optional<size_t>> writers = first_writers(program);
  std::vector<std::string> steps(program.plan.buffers.size());
  for (const ArenaBar& bar : arena_bars(program)) steps[bar.buffer] = steps_text(bar.first, bar.last);
  data rows = list();
  for (size_t i = 0; i < program.plan.buffers.size(); ++i) {
    const Buffer& buffer = program.plan.buffers[i];
    data row;
    row.set("name", shown(buffer.name));
    row.set("home", home_text(buffer));
    row.set("shape", shown(to_string(buffer.shape)));
    row.set("bytes", bytes_text(buffer.shape.bytes()));
    const bool is_placed = buffer.kind == Buffer::Kind::kArena || buffer.kind == Buffer::Kind::kConstant;
    row.set("offset", is_placed ? std::to_string(buffer.offset) : "");
    row.set("steps", steps[i]);
    row.set("why", std::string(buffer.reason.text()));
    if (writers[i]) {
      data writer;
      writer.set("link", kernel_id(*writers[i]));
      writer.set("number", kernel_number(*writers[i]));
      writer.set("colour", colour_class(*writers[i]));
      row.set("writer", writer);
    }
    rows << row;
  }
  return rows;
}

data stored_values(const PlanReport& report) {
  data rows = list();
  for (const PlanReport::Boundary& boundary : report.boundaries) {
    data row;
    row.set("value", shown(boundary.value));
    row.set("bytes", bytes_text(boundary.bytes));
    row.set("time", time_text(boundary.predicted_us));
    row.set("reason", boundary.reason);
    row.set("blocked", shown(boundary.blocked_by));
    row.set("source", shown(boundary.source));
    rows << row;
  }
  return rows;
}

data reasons_given(const PlanReport& report) {
  std::set<std::string> codes;
  for (const PlanReport::Boundary& boundary : report.boundaries) codes.insert(boundary.reason);
  data rows = list();
  for (const std::string& code : codes) {
    const Reason* reason = find_reason(code);
    if (reason == nullptr) continue;
    data row;
    row.set("code", code);
    row.set("what", std::string(reason->what));
    row.set("help", std::string(reason->help));
    rows << row;
  }
  return rows;
}

}  // namespace sinter
