#include "passes/stages/own/fft_stage.h"

#include <algorithm>
#include <cmath>

#include "passes/analysis/values/hardware.h"
#include "passes/analysis/values/latencies.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/own/own_stages.h"

namespace sinter {

namespace {

constexpr int64_t kLargestPrime = 13;     // that device/block_fft.cuh has a butterfly for
constexpr int64_t kBlockElements = 1024;  // a block transforms at least so many, where there are
constexpr int64_t kSectorBytes = 32;      // that memory is read in: rows of a block where these lie side by side
constexpr int64_t kElementsPerThread = 8;
constexpr int64_t kBanksBytes = 128;  // of all banks of shared memory: a place is left free after so many
constexpr int64_t kWidestTransform = 512;

// Samples twice, since each pass goes from one array to the other, and the roots of unity.
int64_t shared_bytes(DType complex_type, int64_t length, int64_t rows, int64_t gap) {
  const int64_t room = fft_room(length, gap);
  return (2 * rows * (room + 1) + room) * dtype_bytes(complex_type);
}

// True if what stands at such offsets for neighbouring columns is never side by side in memory.
bool are_across(const std::vector<const IndexExpr*>& offsets, int column) {
  return !offsets.empty() && std::none_of(offsets.begin(), offsets.end(), [&](const IndexExpr* offset) {
    const int64_t step = std::abs(offset->coefficient_of_coordinate(column));
    return step == 1 || step == 2;
  });
}

bool reads_across(const DemandGraph& graph, int column) {
  std::vector<const IndexExpr*> offsets;
  for (const DemandNode& node : graph.nodes) {
    if (node.kind == DemandNode::Kind::kLoad) offsets.push_back(&node.expr);
  }
  return are_across(offsets, column);
}

bool writes_across(const EpilogueDemand& epilogue, int column) {
  std::vector<const IndexExpr*> offsets;
  for (const Epilogue& part : epilogue.parts) {
    for (const DemandStore& store : part.graph->stores) offsets.push_back(&store.offset);
  }
  return are_across(offsets, column);
}

void choose_form(FftDemand* demand) {
  const DType dtype = demand->fft->shape.dtype;
  int64_t wanted = ceil_div(kBlockElements, demand->length);
  if (demand->reads_across || demand->writes_across) wanted = std::max(wanted, kSectorBytes / dtype_bytes(dtype));
  wanted = std::min(wanted, demand->rows);
  const int64_t gap = kBanksBytes / dtype_bytes(dtype);
  demand->gap = shared_bytes(dtype, demand->length, 1, gap) > kSharedBytesMost ? 0 : gap;
  while (wanted > 1 && shared_bytes(dtype, demand->length, wanted, demand->gap) > kSharedBytesMost) --wanted;
  demand->rows_per_block = std::max<int64_t>(wanted, 1);
  demand->threads = 32;
  const int64_t elements = demand->rows_per_block * demand->length;
  while (demand->threads < kWidestTransform && demand->threads * kElementsPerThread < elements) demand->threads *= 2;
}

}  // namespace

bool fits_block_fft(DType complex_type, int64_t length) {
  if (length < 1 || shared_bytes(complex_type, length, 1, 0) > kSharedBytesMost) return false;
  for (int64_t prime = 2; prime <= kLargestPrime; ++prime) {
    while (length % prime == 0) length /= prime;
  }
  return length == 1;
}

std::optional<FftDemand> demand_fft(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const auto fail = [&](const Instruction* instruction, ReasonCode reason) {
    *failure = DemandGraph::Failure{instruction, reason};
    return std::nullopt;
  };
  FftDemand result;
  result.fft = only_taken(kernel, takes_fft);
  if (result.fft == nullptr) return fail(kernel.outputs[0], "unsupported-op");
  const Shape& shape = result.fft->shape;
  result.length = shape.dims.back();
  result.rows = shape.element_count() / result.length;
  result.inverse = *result.fft->attributes->fft_type == "IFFT";

  result.graph = std::make_unique<DemandGraph>(kernel.context);
  DemandGraph& graph = *result.graph;
  result.row = graph.add_coordinate(result.rows, CoordinateRole::kRow);
  result.column = graph.add_coordinate(result.length, CoordinateRole::kColumn);
  std::vector<IndexExpr> index =
      delinearize(graph.coordinate(result.row), std::vector<int64_t>(shape.dims.begin(), shape.dims.end() - 1));
  index.push_back(graph.coordinate(result.column));
  const NodeId node = graph.demand(result.fft->operand(0), index);
  if (!graph.failure) graph.results.push_back(node);
  if (!finish_operands(graph, failure)) return std::nullopt;
  std::optional<EpilogueDemand> epilogue = demand_epilogue(
      kernel, *result.fft, {{result.rows, CoordinateRole::kRow}, {result.length, CoordinateRole::kColumn}}, index,
      [&](const Instruction&) { return index; }, failure);
  if (!epilogue) return std::nullopt;
  result.epilogue = std::move(*epilogue);
  result.reads_across = reads_across(graph, result.column);
  result.writes_across = writes_across(result.epilogue, result.column);
  choose_form(&result);
  return result;
}

bool takes_fft(const Instruction& instruction) {
  if (instruction.opcode != Opcode::kFft || instruction.attributes->fft_length->size() != 1) return false;
  const std::string& type = *instruction.attributes->fft_type;
  const bool whole = type == "FFT" || type == "IFFT";
  return whole && instruction.shape.element_count() > 0 &&
         fits_block_fft(instruction.shape.dtype, instruction.shape.dims.back());
}

std::optional<OwnStageShape> fft_shape(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const std::optional<FftDemand> demand = demand_fft(kernel, failure);
  if (!demand) return std::nullopt;
  OwnStageShape shape;
  shape.grid[0] = ceil_div(demand->rows, demand->rows_per_block);
  shape.block[0] = demand->threads;
  shape.nodes = static_cast<int64_t>(demand->epilogue.all->nodes.size());
  const Shape& samples = demand->fft->operand(0)->shape;
  const auto elements = static_cast<double>(samples.element_count());
  const double levels = std::log2(std::max(2.0, static_cast<double>(samples.dims.back())));
  Work& work = shape.work;
  work.flops = 5 * elements * levels;  // of the radix-2 transform, as is usual
  (samples.dtype == DType::kC128 || samples.dtype == DType::kF64 ? work.f64 : work.f32) = work.flops;
  work.memory = 4 * elements * std::ceil(levels / 3);
  work.chain = std::ceil(levels / 3) * (2 * kSharedCycles + 2 * kBarrierCycles + 24 * kArithmeticCycles);
  return shape;
}

}  // namespace sinter
