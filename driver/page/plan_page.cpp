// All of the page is there without its script: boxes, points and rows are links, kernels are opened by them, by the
// keyboard or by a browser's search, which looks into what is closed. The script only hides what is not searched for.
// So 10,000 instructions are a long text, and nothing else.
#include "driver/page/plan_page.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Base64.h>

#include "driver/page/arena_chart.h"
#include "driver/page/draw_graph.h"
#include "driver/page/page_parts.h"
#include "driver/page/roofline.h"
#include "emitter/host/emit_host.h"
#include "ir/support/sha256.h"
#include "review/report/page.h"
#include "templates/templates.h"

namespace sinter {
namespace {

using kainjow::mustache::data;

std::string bytes_or(std::optional<int64_t> bytes) { return bytes ? bytes_text(*bytes) : "unknown"; }

// What a browser asks of a script before it runs it: no other can, whatever stands in names and code of others.
std::string script_hash(const std::string& script) {
  return "sha256-" + llvm::encodeBase64(llvm::fromHex(sha256_hex(script)));
}

void set_texts(data* page) {
  const std::string script(template_text("review/plan.js"));
  set_style(page);
  page->set("plan_style", std::string(template_text("review/plan.css")));
  page->set("script", script);
  page->set("script_hash", script_hash(script));
}

void set_summary(data* page, const PlanReport& report) {
  page->set("name", shown(report.program));
  page->set("launches", count_text(report.launches));
  page->set("read", bytes_or(report.bytes_read));
  page->set("written", bytes_or(report.bytes_written));
  page->set("gpu", shown(report.gpu));
  page->set("time", time_text(report.predicted_us.value_or(report.predicted_once_us)));
  if (!report.predicted_us) page->set("once", true);
  page->set("arena", bytes_text(report.arena_bytes));
  page->set("live", bytes_text(report.live_bytes));
  page->set("weights", bytes_text(report.weights_bytes));
  set_if(page, "note", report.elided_note);
}

// SVG, which is markup already.
void set_drawing(data* page, const std::string& key, const std::string& svg) {
  if (!svg.empty()) page->set(key, svg);
}

}  // namespace

std::string plan_html(const Artifact& artifact, const PlanReport& report, const std::vector<Source>& sources) {
  kainjow::mustache::mustache page = read_page_template("review/plan.html.mustache");
  kainjow::mustache::mustache kernel_text = read_page_template("review/plan_kernel.html.mustache");
  const SourceLines lines(sources);
  const KernelSections sections(artifact, report, lines);
  data values;
  set_texts(&values);
  set_summary(&values, report);
  set_drawing(&values, "graph", draw_graph(artifact.program, report, sections.instructions(), sections.order()));
  set_drawing(&values, "roofline", draw_roofline(report, artifact.gpu));
  set_drawing(&values, "arena_chart", draw_arena(artifact.program, report));
  set_list(&values, "boxes", launch_boxes(artifact.program, artifact.gpu));
  set_list(&values, "homes", arrays_in_memory(artifact.program));
  set_list(&values, "stored", stored_values(report));
  set_list(&values, "reasons", reasons_given(report));
  data rows = list();
  std::string texts;
  for (size_t i = 0; i < report.kernels.size(); ++i) {
    rows << sections.row(i);
    texts += kernel_text.render(sections.section(i));
  }
  set_list(&values, "rows", rows);
  values.set("kernels", texts);
  return page.render(values);
}

}  // namespace sinter
