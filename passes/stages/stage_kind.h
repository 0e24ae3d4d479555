// The kinds of stages. A stage is values that one kernel computes in one way; which ways there are, and all that the
// scheduler knows of each, is one table: a row a kind (stage_kinds.cpp).
//
//   map       a thread an element of what is stored
//   row       the threads of a row reduce it together
//   scan      a block walks along a row
//   contract  a block computes a tile of a matrix product
//   sort, topk, bins, scatter, fft, solve     one operation that no other kind computes
//
// A kernel begins as map. A value that asks for another kind gives it to the kernel it comes to, or has one of its own.
// How kinds are lowered says another table of the same words (passes/lower/stages/stage_lowerings.cpp), and what a
// stage costs follows from its demand (passes/schedule/cost/launch_cost.h).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <variant>

#include "passes/reasons/reasons.h"
#include "passes/stages/domain/domain.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/own/own_stage.h"
#include "passes/stages/products/contract.h"
#include "passes/stages/scans/scan.h"

namespace sinter {

// What threads of elements do: the kind that a kernel begins as, and that of what stands in a loop of a kernel.
inline constexpr std::string_view kMap = "map";

struct StageKind;

// What is decided of a kernel before its demand is known.
struct StageForm {
  const StageKind* kind = nullptr;  // never nullptr but in a form that is none yet
  std::optional<RowExtents> rows;   // that its threads share, of the kind that reduces them
  bool operator==(const StageForm&) const = default;
};

// What a kernel's threads compute.
using StageDemand = std::variant<MapDemand, RowDemand, ScanDemand, ContractDemand, OwnStageShape>;

struct StageKind {
  std::string_view word;  // in the tree: `stage row(warp)` is of the kind "row"
  // Whether a kernel that computes this one value had better be of this kind. Of map: never.
  bool (*takes)(const Instruction& value);
  // nullopt with `failure` set where the kernel cannot be of this form, or has a graph of more than `most_nodes`.
  std::optional<StageDemand> (*demand)(const KernelValues& kernel, const StageForm& form, int64_t most_nodes,
                                       std::optional<DemandGraph::Failure>* failure);
  // A value that had better have a kernel of its own though this one can compute it (better_apart.h); nullptr: none.
  std::optional<DemandGraph::Failure> (*better_apart)(const KernelValues& kernel, const StageDemand& demand) = nullptr;
  // Grid and block; nullptr: of products and stages of their own, whose demand has them (choose_contract.cpp,
  // NAME_shape), since they have more dimensions.
  LaunchShape (*launch)(const StageDemand& demand) = nullptr;
  // Another form that a kernel of this kind may have, which does not follow from any one of its values; nullptr: none.
  std::optional<StageForm> (*other_form)(const KernelValues& kernel) = nullptr;

  // A kernel has one value that the kind takes, and no kernel of another kind computes it: two are never one kernel.
  bool single = false;
  // But several that differ in one operand may be parts of one.
  bool may_be_parts = false;
  // That value alone says what the kernel's threads are and what it gives: its results, or, with an epilogue, what is
  // made of them element by element.
  bool own = false;
  bool has_epilogue = false;
  // Nothing is computed where it reads its operands: they are in memory.
  bool reads_memory = false;
  // Its blocks may be some of a launch that does more.
  bool may_share_launch = false;
  // Why a value that such a kernel reads is in memory; and where that is a value of the same kind, unless empty.
  ReasonCode of_operand = "domain-mismatch";
  ReasonCode of_another = {};
};

// All kinds, in the order in which texts list them.
std::span<const StageKind> stage_kinds();

// The form of a kernel of that value alone.
StageForm form_of(const Instruction& value);
// The form of a kernel of those values, that of `rows`, if it reduces any, unless one of the values says otherwise.
StageForm form_of(const std::set<const Instruction*>& values, const std::optional<RowExtents>& rows);
// The form in which a kernel makes its shallow products (matrix_product.h) in tiles, or those of few vectors and a
// small matrix (skinny_product.h) as those of large ones are, where that can be; nullopt: it has none of either.
std::optional<StageForm> tiled_form(const std::set<const Instruction*>& values);
// Whether no value has asked for a kind: a map kernel.
bool is_plain(const StageForm& form);
inline StageForm plain_form() { return {&stage_kinds().front(), std::nullopt}; }
// The form of a kernel that one more value comes to; nullopt where it can have none.
std::optional<StageForm> with_value(const StageForm& form, const Instruction& value);

// That of a stage as the tree spells it: "row(warp)", "contract(mma 128x128x32, stages 4)". nullptr: there is none.
const StageKind* stage_kind(std::string_view schedule);
// The kind of an operation that no kernel but its own computes; nullptr of any other.
const StageKind* own_kind(const Instruction& value);

// How many nodes the demand has, and what it reads and writes; nullptr of a stage of its own.
int64_t nodes_of(const StageDemand& demand);
DemandGraph* graph_of(const StageDemand& demand);

}  // namespace sinter
