// Map kernels: a thread an element of the domain, or a few neighbouring elements; loops of thread scope inside.
#include <algorithm>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/demand/first_threads.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/elements/lower_elements.h"
#include "passes/lower/text/index_types.h"
#include "passes/lower/write/block_shares.h"
#include "passes/lower/write/name_terms.h"
#include "passes/lower/write/split_lanes.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/lower/write/write_stacked.h"
#include "passes/schedule/cost/work.h"
#include "passes/schedule/moves/block_numbers.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/domain/steps_ahead.h"
#include "passes/stages/domain/vectorize.h"

namespace sinter {

namespace {

// The loop of that name in the tree; nullptr if it is not there.
const TreeNode* find_loop(const TreeNode& node, const std::string& name) {
  for (const auto& body : node.bodies) {
    for (const TreeNode& item : body) {
      if (item.kind != TreeNode::Kind::kLoop) continue;
      if (item.name == name) return &item;
      if (const TreeNode* inner = find_loop(item, name)) return inner;
    }
  }
  return nullptr;
}

// "row" and "column", or i, j, k, ... without the letters that parameters are called by.
std::vector<std::string> coordinate_names(size_t count, const Kernel& kernel) {
  if (count == 2) return {"row", "column"};
  std::vector<std::string> names;
  const auto is_parameter = [&](const std::string& name) {
    return std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                       [&](const Parameter& parameter) { return parameter.variable->name == name; });
  };
  for (int number = 0; names.size() < count; ++number) {
    // After i to z the letters come again with a number.
    constexpr int kLetters = 'z' - 'i' + 1;
    std::string name(1, static_cast<char>('i' + number % kLetters));
    if (number >= kLetters) name += "_" + std::to_string(number / kLetters);
    if (!is_parameter(name)) names.push_back(std::move(name));
  }
  return names;
}

// Shared memory for what threads of the block read of each other, an array a carry or another value, an element a
// thread, and for what one of them computes for all.
void add_shared(const DemandGraph& graph, int64_t block, Kernel* kernel, Expressions* expressions, Block* body) {
  // Members have names of their own until those of variables are final.
  const auto add = [&](SharedStruct::Member member, int64_t values) {
    kernel->shared.bytes += values * dtype_bytes(member.dtype);
    kernel->shared.members.push_back(std::move(member));
  };
  for (size_t loop = 0; loop < graph.loops.size(); ++loop) {
    for (size_t slot = 0; slot < graph.loops[loop].slots.size(); ++slot) {
      if (!graph.loops[loop].slots[slot].shared) continue;
      const std::string name = "loop " + std::to_string(loop) + " slot " + std::to_string(slot);
      const DType dtype = graph.nodes[graph.loops[loop].slots[slot].carried].dtype;
      expressions->shared_members[{static_cast<int>(loop), static_cast<int>(slot)}] = name;
      add({.name = name, .dtype = dtype, .dims = {"kThreads"}}, block);
    }
  }
  const std::vector<bool> needed = needed_nodes(graph);
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    const DemandNode& node = graph.nodes[id];
    const std::string name = "node " + std::to_string(id);
    if (needed[id] && node.kind == DemandNode::Kind::kExchanged) {
      expressions->exchange_members[static_cast<NodeId>(id)] = name;
      add({.name = name, .dtype = node.dtype, .dims = {"kThreads"}}, block);
    }
    if (needed[id] && node.kind == DemandNode::Kind::kOfBlock) {
      expressions->block_members[static_cast<NodeId>(id)] = name;
      const bool several =
          graph.nodes[node.operands[0]].kind == DemandNode::Kind::kCall && !node.instruction->shape.is_array();
      SharedStruct::Member member = {.name = name, .dtype = node.dtype, .dims = {}};
      if (several) member.type = *expressions->functions(*node.instruction).result.name;
      add(std::move(member), several ? std::ssize(node.instruction->shape.elements) : 1);
    }
  }
  if (!kernel->shared.members.empty()) expressions->shared = declare_shared(kernel, body);
}

// They go by the variables that they hold.
void name_shared(const DemandGraph& graph, const Expressions& expressions, Kernel* kernel) {
  for (const auto& [carry, name] : expressions.shared_members) {
    const NodeId carried = graph.loops[carry.first].slots[carry.second].carried;
    kernel->rename_shared(name, expressions.variables.at(carried)->name);
  }
  for (const auto* members : {&expressions.exchange_members, &expressions.block_members}) {
    for (const auto& [node, name] : *members) kernel->rename_shared(name, expressions.variables.at(node)->name);
  }
}

// Puts what one thread computes for its block, and the barrier, behind the vector loads, which are under way meanwhile.
// False if there are none.
bool compute_under_loads(const Block& first, Block* statements) {
  const auto is_load = [](const Statement& statement) {
    return statement.kind == Statement::Kind::kLet && statement.variable->type.kind == CType::Kind::kVector;
  };
  Block loads, others;
  std::vector<const Variable*> later;  // declared by the others
  for (const Statement& statement : *statements) {
    const auto reads = [&](const Variable* variable) { return mentions(statement.value, variable); };
    const bool is_index = statement.kind == Statement::Kind::kLet && statement.variable->origin == nullptr;
    if ((is_load(statement) || is_index) && std::none_of(later.begin(), later.end(), reads)) {
      loads.push_back(statement);
      continue;
    }
    if (statement.variable != nullptr) later.push_back(statement.variable);
    others.push_back(statement);
  }
  if (std::none_of(loads.begin(), loads.end(), is_load)) return false;
  loads.push_back({.kind = Statement::Kind::kBlank});
  loads.push_back({.kind = Statement::Kind::kNote, .text = "The loads are under way meanwhile."});
  loads.insert(loads.end(), first.begin(), first.end());
  loads.insert(loads.end(), others.begin(), others.end());
  *statements = std::move(loads);
  return true;
}

// What the threads of a map compute, as they are spread.
struct MapForm {
  MapDemand demand;  // rewritten: what is computed ahead or once for a block, coordinates, lanes
  WriteOptions options;
  std::vector<int> coordinates;  // of the domain, outermost first
  std::vector<int64_t> extents;  // of these, in elements
  std::vector<ElementwisePair> pairs;
  ShareStrides shares;  // by the outermost coordinate
  int64_t rows = 1;     // its extent, ...
  int64_t each = 1;     // ... and how many of it a block has: as many as there are where blocks divide them otherwise
  Work work;
  int64_t block = 1;  // threads
  int64_t blocks = 1;
  int64_t threads = 1;    // that have elements of their own
  int64_t groups = 1;     // of threads that work together, in a block
  bool repeats = false;   // threads of a block repeat its last element: those beyond
  bool fills_up = false;  // threads of the last block repeat the last element of all, where warps or the block meet
  bool ahead = false;     // lanes compute steps of a loop ahead
  bool exact = false;     // no thread leaves

  int64_t lanes() const { return demand.domain.width; }
  bool is_single() const { return demand.threads == 1; }
  // Blocks that threads with several coordinates count in.
  bool is_by_block() const {
    return demand.block > 0 && !repeats && exact && extents.size() == 2 && extents[1] == block && blocks == extents[0];
  }
  DType index_type() const {
    return index_type_of(*demand.graph, fills_up ? ceil_div(demand.threads, block) * block : demand.threads);
  }
};

MapForm map_form(const TreeNode& node, MapDemand demand, const std::vector<NodeId>& numbers) {
  MapForm form;
  DemandGraph& graph = *demand.graph;
  form.groups = groups_of_block(demand);
  std::vector<std::optional<StepsAhead>> steps_ahead(graph.loops.size());  // of all loops, before any is rewritten
  for (size_t number = 0; number < graph.loops.size(); ++number) {
    const Instruction* loop = graph.loops[number].instruction;
    const TreeNode* item = find_loop(node, loop->name);
    if (item == nullptr) continue;
    form.options.unroll[loop] = item->unroll;
    if (item->ahead > 1) steps_ahead[number] = find_steps_ahead(demand, number);
  }
  for (size_t number = 0; number < graph.loops.size(); ++number) {
    if (steps_ahead[number]) compute_ahead(&graph, number, *steps_ahead[number]);
  }
  compute_for_block(&graph, numbers);
  const int64_t lanes = demand.domain.width;
  form.work = map_work(demand, lanes);
  form.block = node.block[0];
  form.repeats = demand.block > 0 && form.groups * demand.block < form.block;
  const auto computes_ahead = [](const DemandLoop& loop) { return loop.ahead.scope >= 0; };
  form.ahead = std::any_of(graph.loops.begin(), graph.loops.end(), computes_ahead);
  const bool stacks = stacked_bytes(graph) > 0;
  form.fills_up = demand.block == 0 &&
                  ((stacks && demand.threads % form.block != 0) || (form.ahead && demand.threads % kWarp != 0));
  if (!form.repeats && !form.fills_up) form.pairs = elementwise_pairs(graph, /*rows=*/false);
  if (demand.block == 0 && !form.fills_up && demand.threads > 1) {
    form.rows = form.each = graph.coordinates[demand.coordinates[0]].extent;
    const int64_t row = demand.threads / form.rows, block = form.block * lanes;
    if (block % row == 0) form.each = block / row;
    if (form.each < form.rows) form.shares = share_strides(graph, demand.coordinates[0], form.rows);
  }
  form.coordinates = collapse_coordinates(&graph, demand.coordinates);
  // Before the split: the extents that `element` is taken apart by.
  for (const int coordinate : form.coordinates) form.extents.push_back(graph.coordinates[coordinate].extent);
  if (lanes > 1) form.options.lanes = split_lanes(&graph, form.coordinates.back(), lanes, &form.coordinates.back());
  form.threads = demand.threads / lanes;
  form.blocks = ceil_div(form.threads, form.repeats ? demand.block : form.block);
  form.exact = form.repeats || form.fills_up || form.threads % form.block == 0;
  form.demand = std::move(demand);
  return form;
}

class MapWriter {
 public:
  MapWriter(const StageInput& input, MapForm form)
      : form_(std::move(form)),
        graph_(*form_.demand.graph),
        writer_(input, "", form_.index_type()),
        kernel_(writer_.kernel) {}

  LoweredStage run() {
    kernel_.work = form_.work;
    writer_.add_values(graph_, writer_.input.values.outputs);
    add_block_shares(form_.shares, form_.rows, form_.each, &writer_.lowered);
    expressions_ = writer_.expressions_of(graph_, {});
    if (form_.options.lanes) {
      expressions_.is_vector_offset = [this](const IndexExpr& offset) {
        return form_.options.lanes->aligned(offset) || form_.options.lanes->records.has(offset);
      };
    }
    add_constants();
    name_terms(&expressions_);
    StageBody body;
    body.set_tiles(form_.block, form_.blocks, tiles());
    const auto fills = [](const DemandReduce& reduce) { return reduce.fills; };
    body.tiles.alone =
        form_.blocks <= kMultiprocessors && std::any_of(graph_.reduces.begin(), graph_.reduces.end(), fills);
    body.write = [this](const Tile& tile, Block* block) { write(tile.x, block); };
    body.pairs = form_.pairs;
    body.graph = &graph_;
    body.elements = form_.demand.threads;
    body.spread = spread();
    body.tiled = {{&graph_, element_of_thread(), form_.demand.threads, tile_elements(), "elements"}};
    LoweredStage stage;
    stage.steps.push_back(add_kernel(&writer_, body, &stage));
    return stage;
  }

 private:
  bool several_blocks() const { return form_.blocks > 1; }
  // Elements of a block, where some of its threads repeat the last.
  const char* in_block() const { return several_blocks() ? "kPerBlock" : "kElements"; }
  // Elements of a matrix, which the text calls by row and column.
  bool has_rows() const { return form_.extents.size() == 2 && !form_.is_by_block(); }
  // The constants of the extents, where the text calls elements by row and column, or by i, j and k; empty: numbers.
  std::vector<std::string> extent_names() const {
    static const std::vector<std::string> letters = {"kI", "kJ", "kK", "kL"};
    const size_t count = form_.extents.size();
    if (has_rows()) return {"kRows", "kColumns"};
    if (count < 3 || count > letters.size() || writer_.index.dtype == DType::kS64) return {};
    if (coordinate_names(count, kernel_).back() != std::string(1, static_cast<char>('i' + count - 1))) return {};
    return {letters.begin(), letters.begin() + static_cast<std::ptrdiff_t>(count)};
  }
  // Blocks of a thread an element, in constants.
  const char* blocks() const {
    return form_.exact && !form_.fills_up ? "kElements / kThreads" : "(kElements + kThreads - 1) / kThreads";
  }
  std::string tiles() const {
    if (form_.is_single() || !several_blocks()) return "1";
    if (form_.repeats) return "kElements / kPerBlock";
    if (form_.lanes() == 1) return blocks();
    return form_.exact ? "kElements / (kThreads * kWidth)" : "(kElements / kWidth + kThreads - 1) / kThreads";
  }

  std::string tile_elements() const {
    return form_.repeats ? "kPerBlock" : form_.lanes() > 1 ? "kThreads * kWidth" : "kThreads";
  }
  // By the coordinates of the domain, of which the last is the first of a thread's neighbours.
  IndexExpr element_of_thread() const {
    IndexExpr element;
    for (size_t c = 0; c < form_.coordinates.size(); ++c)
      element = element * form_.extents[c] + graph_.coordinate(form_.coordinates[c]);
    return form_.options.lanes ? element + graph_.coordinate(form_.options.lanes->lane) : element;
  }

  std::string spread() const {
    std::string idle;
    if (form_.repeats)
      idle = "; " + std::to_string(form_.block - form_.demand.block) + " threads of a block repeat its last element";
    if (form_.fills_up) {
      const int64_t beyond = form_.blocks * form_.block - form_.threads;
      idle = "; " + std::to_string(beyond) + (beyond == 1 ? " thread" : " threads") +
             (several_blocks() ? " of the last one" : "") + (beyond == 1 ? " repeats" : " repeat") +
             " the last element";
    }
    return launch_text(form_.blocks, form_.block) + idle + ".";
  }

  // Names for extents.
  void add_constants() {
    const auto add = [&](const char* name, int64_t value, const char* comment = "") {
      kernel_.constants.push_back({name, "int", std::to_string(value), comment});
    };
    const int64_t elements = form_.demand.threads;
    if (!form_.is_single()) {
      std::string product;
      const std::vector<std::string> names = extent_names();
      for (size_t c = 0; c < names.size(); ++c) {
        add(names[c].c_str(), form_.extents[c]);
        product += (c == 0 ? "" : " * ") + names[c];
      }
      if (!names.empty()) {
        kernel_.constants.push_back(
            {"kElements", "int", product_spelling(elements, product), std::to_string(elements)});
      } else {
        add("kElements", elements);
      }
      if (writer_.index.dtype == DType::kS64) kernel_.constants.back().type = "int64_t";
    }
    if (graph_.loops.size() == 1 && graph_.loops[0].counter >= 0) {
      const int counter = graph_.loops[0].counter;
      add("kSteps", graph_.coordinates[counter].extent);
      kernel_.constants.back().type = extent_type(graph_.coordinates[counter].extent);
      expressions_.trip_names[counter] = "kSteps";
      expressions_.along_rows.push_back({counter, graph_.coordinates[counter].extent, "kSteps"});
    }
    // Of several coordinates none runs over all elements: another extent that happens to be as large is not called so.
    if (elements > 1 && form_.extents.size() == 1) expressions_.constants[elements] = "kElements";
    add("kThreads", form_.block);
    if (form_.repeats && several_blocks()) {
      add(in_block(), form_.demand.block, "elements a block");
      NamedConstant& of_block = kernel_.constants.back();
      // Those of whole rows.
      int64_t inner = 1;
      std::string product;
      const std::vector<std::string> names = extent_names();
      for (size_t c = names.size(); c-- > 1 && inner < form_.demand.block;) {
        inner *= form_.extents[c];
        product = names[c] + (product.empty() ? "" : " * " + product);
      }
      if (inner == form_.demand.block && !product.empty()) {
        of_block.value = product;
        if (product.find('*') != std::string::npos) of_block.comment = std::to_string(inner) + ", " + of_block.comment;
      }
      kernel_.assertions.push_back({"kPerBlock <= kThreads", "each has a thread of its own"});
    }
    if (form_.groups > 1) add("kLanes", form_.demand.block, "that work together");
    if (form_.lanes() > 1) add("kWidth", form_.lanes(), "elements a thread");
    if (form_.ahead) add("kWarp", kWarp, "steps that are computed ahead");
  }

  void write(const Expr* tile, Block* block) {
    expressions_.block = tile;
    expressions_.reduces_in_lanes = form_.groups > 1;
    Block place, coordinates;
    if (!form_.is_single()) {
      find_element(tile, &place);
      find_coordinates(tile, &coordinates);
    } else if (form_.block > 1) {
      place.push_back(writer_.leave(kernel_.name_expr("threadIdx.x"), ">", kernel_.integer(0)));
    }
    for (size_t scope = 0; scope < graph_.scopes.size(); ++scope) {
      if (!is_of_first_threads(graph_, scope)) continue;
      expressions_.coordinates[graph_.scopes[scope].coordinates[0]] = kernel_.reference(element_);
    }
    writer_.scratch_shapes = declare_stacked(graph_, &writer_.lowered, &expressions_);
    writer_.add_counter(graph_);
    writer_.spell_counter(&expressions_);

    Block first;
    add_shared(graph_, form_.block, &kernel_, &expressions_, block);
    expressions_.joins_loads = form_.lanes() == 1;
    Block statements = write_block(writer_.input.module, graph_, expressions_, form_.options, &first);
    // Where threads leave, all of them come to the barrier first.
    const bool leaves = std::any_of(place.begin(), place.end(), [](const Statement& statement) {
      return statement.kind == Statement::Kind::kIf && statement.body[0].kind == Statement::Kind::kReturn;
    });
    if (first.empty() || leaves || !compute_under_loads(first, &statements))
      block->insert(block->end(), first.begin(), first.end());
    name_shared(graph_, expressions_, &kernel_);
    if (form_.is_by_block() && !mentions(statements, element_))
      std::erase_if(place, [&](const Statement& statement) { return statement.variable == element_; });
    block->insert(block->end(), place.begin(), place.end());
    // Row, column: if the text reads them.
    bool reads_place = false;
    for (Statement& coordinate : coordinates) {
      if (!mentions(statements, coordinate.variable)) continue;
      block->push_back(std::move(coordinate));
      reads_place = true;
    }
    if (!reads_place) drop_extents();
    if (!block->empty()) block->push_back({.kind = Statement::Kind::kBlank});
    block->insert(block->end(), statements.begin(), statements.end());
    const Block at_end = reduce_blocks(graph_, several_blocks() ? blocks() : "1", &expressions_);
    block->insert(block->end(), at_end.begin(), at_end.end());
  }

  // kElements is a number, where nothing asks for rows.
  void drop_extents() {
    const std::vector<std::string> names = extent_names();
    if (names.empty()) return;
    std::erase_if(kernel_.constants,
                  [&](const NamedConstant& constant) { return std::ranges::count(names, constant.name) > 0; });
    for (NamedConstant& constant : kernel_.constants) {
      if (constant.name == in_block() && several_blocks()) constant.value = std::to_string(form_.demand.block);
      if (constant.name != "kElements") continue;
      constant.value = std::to_string(form_.demand.threads);
      constant.comment = "";
    }
  }

  const Expr* last_of(const char* count) {
    return kernel_.infix(kernel_.name_expr(count), "-", kernel_.integer(1), writer_.index);
  }
  // const bool owns_element = thread < count;
  const Expr* owns(const Expr* thread, const char* count, Block* block) {
    const CType condition = CType::value(DType::kPred);
    const Expr* is_below = kernel_.infix(thread, "<", kernel_.name_expr(count), condition);
    return kernel_.reference(writer_.let("owns_element", condition, is_below, block));
  }

  // const int element = blockIdx.x * kThreads + threadIdx.x;
  void find_element(const Expr* tile, Block* block) {
    const CType& index = writer_.index;
    const Expr* thread = kernel_.name_expr("threadIdx.x");
    if (form_.repeats) {
      expressions_.owns_element = owns(thread, in_block(), block);
      thread = kernel_.conditional(expressions_.owns_element, kernel_.cast(index, thread), last_of(in_block()));
    }
    if (several_blocks()) {
      const Expr* each = kernel_.name_expr(form_.repeats ? in_block() : "kThreads");
      thread = writer_.infix(writer_.infix(writer_.wide(tile), "*", each), "+", thread);
    }
    if (form_.fills_up) {
      if (several_blocks()) thread = kernel_.reference(writer_.let("place", index, thread, block));
      expressions_.owns_element = owns(thread, "kElements", block);
      if (!several_blocks()) thread = kernel_.cast(index, thread);
      thread = kernel_.conditional(expressions_.owns_element, thread, last_of("kElements"));
    }
    if (form_.lanes() > 1) thread = writer_.infix(thread, "*", kernel_.name_expr("kWidth"));
    element_ = writer_.let("element", index, thread, block);
    if (form_.ahead) {
      const CType integer = CType::value(DType::kS32);
      const Expr* in_warp = kernel_.infix(kernel_.name_expr("threadIdx.x"), "%", kernel_.name_expr("kWarp"), integer);
      expressions_.lane_of_warp = kernel_.reference(writer_.let("lane", integer, in_warp, block));
    }
    if (!form_.exact)
      block->push_back(writer_.leave(kernel_.reference(element_), ">=", kernel_.name_expr("kElements")));
    add_assertion();
  }

  // That the grid fits the elements.
  void add_assertion() {
    const auto add = [&](const char* condition, const char* message) {
      kernel_.assertions.emplace_back(condition, message);
    };
    if (form_.repeats) return;
    if (!form_.exact || form_.fills_up) {
      if (!several_blocks() && (form_.fills_up || form_.lanes() == 1))
        add("kElements <= kThreads", "the one block has all elements");
    } else if (!several_blocks() && form_.lanes() == 1) {
      add("kElements == kThreads", "a thread of the one block has an element");
    } else {
      add(form_.lanes() > 1 ? "kElements % (kThreads * kWidth) == 0" : "kElements % kThreads == 0",
          "the grid covers the elements exactly");
    }
  }

  // element = (... * extent_k + coordinate_k) ...: row and column, or i, j, k.
  void find_coordinates(const Expr* tile, Block* block) {
    const std::vector<int>& coordinates = form_.coordinates;
    const Expr* element = kernel_.reference(element_);
    if (coordinates.size() == 1) {
      expressions_.coordinates[coordinates[0]] = element;
      if (form_.extents[0] > 1) expressions_.along_rows.push_back({coordinates[0], form_.extents[0], "kElements"});
      return;
    }
    const bool by_block = form_.is_by_block();
    const std::vector<std::string> letters =
        by_block ? std::vector<std::string>{"block", "thread"} : coordinate_names(coordinates.size(), kernel_);
    const std::vector<std::string> names = extent_names();
    Expressions::Flat flat;
    int64_t below = 1;  // elements that one of this coordinate has
    for (size_t c = coordinates.size(); c-- > 0;) {
      const Expr* extent_here = names.empty() ? kernel_.integer(form_.extents[c]) : kernel_.name_expr(names[c]);
      const Expr* size = nullptr;  // the same in constants
      for (size_t inner = c + 1; inner < names.size(); ++inner) {
        const Expr* extent = kernel_.name_expr(names[inner]);
        size = size == nullptr ? extent : writer_.infix(size, "*", extent);
      }
      if (names.empty()) size = kernel_.integer(below);
      const Expr* value = below == 1 ? element : writer_.infix(element, "/", size);
      if (c > 0) value = writer_.infix(value, "%", extent_here);
      if (by_block) value = c == 0 ? tile : kernel_.name_expr("threadIdx.x");
      expressions_.coordinates[coordinates[c]] =
          kernel_.reference(writer_.let(letters[c], writer_.index, value, block));
      const int64_t extent = graph_.coordinates[coordinates[c]].extent;
      flat.sum = flat.sum + IndexExpr::coordinate(coordinates[c], {0, extent - 1}) * below;
      below *= form_.extents[c];
    }
    std::reverse(block->begin(), block->end());
    flat.last = coordinates.back();
    const int whole = graph_.add_coordinate(form_.demand.threads, CoordinateRole::kElement);
    flat.whole = graph_.coordinate(whole);
    expressions_.coordinates[whole] = element;
    if (by_block) expressions_.along_rows.push_back({coordinates.back(), form_.extents[1], "kThreads"});
    if (!names.empty()) expressions_.along_rows.push_back({coordinates.back(), form_.extents.back(), names.back()});
    expressions_.along_rows.push_back({whole, form_.demand.threads, "kElements"});
    for (size_t c = 0; c + 1 < names.size(); ++c)
      expressions_.along_rows.push_back({coordinates[c], form_.extents[c], names[c]});
    expressions_.flat = flat;
  }

  MapForm form_;
  DemandGraph& graph_;
  StageWriter writer_;
  Kernel& kernel_;
  Expressions expressions_;
  Variable* element_ = nullptr;
};

}  // namespace

LoweredStage lower_map(const StageInput& input, MapDemand demand, const std::vector<NodeId>& numbers) {
  return MapWriter(input, map_form(input.node, std::move(demand), numbers)).run();
}

}  // namespace sinter
