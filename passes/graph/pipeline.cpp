// The order of the graph passes, and why.
#include "passes/graph/pipeline.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "ir/verify/verify.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/loops/hoist_invariants.h"
#include "passes/graph/simplify/mark_ranges.h"

namespace sinter {
namespace {

// First, once:
//   bound_dimensions      before anything else: from here on shapes say all that there is to know of sizes
//   normalize_layouts     likewise: from here on no pass needs to know what a layout is
//   separate_weights      after it, whose shapes are those that they keep; before all that looks at constants
//   expand_scan           its calls are inlined below
//   roll_loops            repeated calls are visible only while they are calls
//   unroll_rotations      what loops leave behind may be the same for every element: then inline_calls keeps its calls
//   spread_arguments      when loops of rotations are gone, so that inline_calls keeps calls of such functions too
//   inline_calls          everything after it sees whole loop bodies, and may change each
//   expand_collectives    when functions that nobody calls have gone
//   expand_dots           likewise; before the rules, for which it makes work
//   expand_rng            before the two that handle what it makes
//   thread_random_state   when every body and branch has one caller, before tuples are flattened
//   expand_random         after expand_rng, whose bits it makes; after inline_calls, so that its functions stay calls
//   expand_fft            before the rules, which its index maps and roots of unity are work for
//   choose_solves         before the rules, by which its transposes meet others
//   expand_batch_norm     before the rules, for which it makes work
//   expand_topk           likewise; its sorts may be duplicates
//   roll_scans            when calls are inlined; before the rules, which move slices through what they are of
//   flatten_tuples        what is inlined or expanded can be a root; all that follows sees tuples of arrays
// Then in rounds, because each makes work for the others, until a round changes nothing:
//   simplify_tuples       values that went through tuples of calls and loops meet their users
//   fold_constants        before the rules, which look at constants
//   simplify              the rules
//   separate_results      before split_argmax, whose place may be one of several results
//   turn_rows             before it: of rows that a thread goes through it makes something else
//   find_part             before it: what it leaves are shorter rows; the scheduler plans without it, too
//   split_argmax          when its function is in simple form; the largest value may be a duplicate
//   remove_duplicates     after simplify has given equal values equal forms; loops need it to see equal carries
//   roll_repeats          after it: steps are alike when equal values have equal forms
//   simplify_while        counters and constants of loops, ...
//   lay_out_searches      ... searches, of which those are no counters and stay, ...
//   simplify_conditional  ... branches whose selector has become known, ...
//   lift_updates          when branches that are known are gone; what it makes may be an update of a part
//   narrow_updates        before scatter_to_select, which would choose among a part's elements
//   scatter_to_select     before others look at scatters: what is one no more meets the rows around it
//   mask_updates          beside it, for the same reason
//   overlap_windows       before others look at scatters, too
//   scatter_windows       after it, which has windows that are not looked for
//   join_columns          before scatter_to_reduce, which would make reductions of what can be a column of others
//   widen_bins            before those that ask whether a scatter has bins
//   scatter_to_reduce     scatters meet, as reductions, what their arms of selects and comparisons have in common
//   join_scatters         when those are gone that become something else
//   count_in_integers     when it is seen what is added up together, before updates are sorted
//   sort_to_scatter       before those that look at scatters: it makes some
//   batch_bins            before scatter_to_rows, which would sort the updates, or make one batch of them
//   mark_updates          after join_scatters, which joins what is not marked; before updates are sorted
//   shorten_windows       after it, which sees windows as they were; scatter_to_rows would turn the array
//   scatter_to_rows       after it: what is no reduction may need sorted updates
//   update_rows           after it, which has sorted the rows
//   join_bins             after it, which gives scatters to bins their rows
//   rotate_loops          when equal values have equal forms: lanes are known by their predicate
//   hoist_invariants      after them: sorts of what the loop does not change
//   hoist_sums            likewise: the scheduler plans without it, too
//   expand_sorts          after hoist_invariants, which knows sorts as such, when it is seen what reads them
//   sink_invariants       likewise; what it makes is work for the rules
//   separate_components   where scatters have become reductions, before sums that loops record
//   reduce_tails          when simplify has seen which numbers a reduction begins with
//   reduce_pieces         when simplify has seen which elements are equal
//   channels_last         when calls are inlined, before windows are divided; the scheduler plans without it, too
//   separate_window_dimensions   when simplify has seen windows that are reductions
//   split_select_and_scatter  its windows are as they stay
//   defer_reductions      when bodies are whole and their reductions are seen
//   stack_reductions      after it, which leaves fewer
//   distribute_loops      before those that make one product of several parts'; the scheduler plans without it, too
//   join_products         before split_loops, which then moves one product in place of several
//   split_loops           after both; counters are simple by then
//   record_terms          likewise: what it leaves as it is too many, and sums alone; the scheduler plans without, too
//   batch_loops           after those, whose loops may be such
//   fuse_loops            after them: loops that are left may be one; the scheduler plans without it, too
//   update_stacks         after batch_loops: what it makes needs the step before
//   narrow_by_ranges      ... and what counters decide, which simplify finishes in the next round
//   shift_rings           when indices are remainders; the scheduler plans without it, too
//   carry_sums            after those that take sums out of loops; the scheduler plans without it, too
//   remove_dead           what all of these left behind
// Last, once:
//   remove_barriers       when duplicates have been looked for; what follows sees through
//   pad_carries           when all that steps compute is known; the scheduler plans without it, too
//   defer_updates         when bodies are whole, before reductions are split
//   separate_planes       when bodies are whole; before products and reductions are split; planned without it, too
//   split_phases          after undilate_convolutions, which makes one product where no windows overlap
//   write_out_convolutions  after what makes something else of convolutions; planned without it, too
//   group_places          likewise
//   narrow_integer_products  before what leaves alone what tensor cores multiply; sums that it makes may be split
//   band_products         before what makes several products of one; planned without it, too
//   turn_products         before what makes several of a product, or takes it along with others
//   split_contractions    after simplify, which would make one product of its parts
//   separate_dimensions   before split_reductions, which knows elements side by side
//   split_folds           likewise, after split_argmax: what it leaves
//   roll_windows          before split_windows, which has those that it leaves; the scheduler plans without it, too
//   split_windows         before what follows: the rules know it as a whole
//   factor_windows        likewise; separate_window_dimensions has left windows over one dimension
//   split_product_rows    after simplify, which would make one of the two again; the scheduler plans without it, too
//   split_norms           likewise
//   split_columns         before split_reductions, which leaves what has many rows; the scheduler plans without it, too
//   split_reductions      after simplify, which would make one of the two again
//   split_steps           after it, which has those that are split in any case: the scheduler plans without it, too
//   share_reciprocals     after simplify and fold_constants, which know divisions better
//   mark_dot_precision    when no pass makes another dot, before attend, which asks what is faster
//   attend                before marks, which are of the values that it takes along; when rows are as they stay
//   network               after it: products with a softmax between them are no layers
//   chain                 last of these: attention and layers that nothing else reads are their own
//   narrow_products       after these, which take products of f32 together
//   pad_terms             when products have the types that they stay of; planned without it, too
//   mark_ranges           when all that indices are read from is as it stays
//   mark_wrapping         when all integer arithmetic is as it stays
//   choose_fma            when no product gains or loses a use any more
//   pairs                 after marks, which are of values inside, too; planned without it, too
//   keep_matrices         after marks, which are of values inside, too
//   tile_loops            after all: what is in a tile's steps no pass changes any more
//   tile_levels           likewise, after it: steps that are in tiles are not taken apart; planned without it, too
constexpr std::array kPasses = {
    GraphPass{"bound_dimensions", "Dimensions of up to N elements become dimensions of N, and their sizes parameters.",
              bound_dimensions},
    GraphPass{"normalize_layouts", "Bitcasts become reshapes and transposes; layouts inside the module are dropped.",
              normalize_layouts},
    GraphPass{"separate_weights", "Constants that are weights become parameters.", separate_weights},
    GraphPass{"expand_scan", "Scans become loops that fill their results slice by slice.", expand_scan},
    GraphPass{"roll_loops", "A body that calls one computation over and over becomes a loop again.", roll_loops, true},
    GraphPass{"unroll_rotations", "Short loops whose carries change places become their steps.", unroll_rotations,
              true},
    GraphPass{"spread_arguments", "Long functions that broadcast their arguments are given them as they are then.",
              spread_arguments, true},
    GraphPass{"inline_calls", "Calls, fusions, maps and asynchronous pairs become the instructions they stand for.",
              inline_calls},
    GraphPass{"expand_collectives", "Operations among devices become what they mean on one.", expand_collectives},
    GraphPass{"expand_dots", "Scaled and ragged dots become dots, whose operands have one type.", expand_dots},
    GraphPass{"expand_rng", "Random numbers become random bits and arithmetic.", expand_rng},
    GraphPass{"thread_random_state", "The program's random state becomes a value that loops and branches hand on.",
              thread_random_state},
    GraphPass{"expand_random", "Random bits become integer operations over counters.", expand_random},
    GraphPass{"expand_fft", "Fourier transforms become contractions with small matrices.", expand_fft},
    GraphPass{"choose_solves", "Linear algebra is left to a stage, or becomes a library's call.", choose_solves},
    GraphPass{"expand_batch_norm", "Batch normalisation becomes the operations it stands for.", expand_batch_norm},
    GraphPass{"expand_topk", "The first of many of long rows become the beginning of sorted rows.", expand_topk},
    GraphPass{"roll_scans", "Associative scans that are written out level by level become windows or loops.",
              roll_scans, true},
    GraphPass{"flatten_tuples", "The entry takes and gives arrays; every result of tuple type is a tuple instruction.",
              flatten_tuples},
    GraphPass{"simplify_tuples", "Elements of tuples that are built here are read directly.", simplify_tuples},
    GraphPass{"fold_constants", "Operations on constants are carried out.", fold_constants, true},
    GraphPass{"simplify", "Algebraic identities that keep every bit.", simplify, true},
    GraphPass{"separate_results", "Results of one reduction that need nothing of each other have one each.",
              separate_results, true},
    GraphPass{"turn_rows", "Rows that are computed, of which an element is looked for, become columns.", turn_rows,
              true},
    GraphPass{"find_part", "The place of the largest of very many elements is looked for in the part that has it.",
              find_part, true},
    GraphPass{"split_argmax", "The place of a row's largest value is found in two reductions.", split_argmax, true},
    GraphPass{"expand_powers", "Powers of halves of what is never negative become roots.", expand_powers, true},
    GraphPass{"remove_duplicates", "One instruction for each value, one computation for each applied function.",
              remove_duplicates, true},
    GraphPass{"slice_first", "What is read through one slice alone is computed for the slice alone.", slice_first,
              true},
    GraphPass{"roll_repeats", "Steps that are written out one after the other become a loop.", roll_repeats, true},
    GraphPass{"simplify_while", "Loops carry only what changes and is needed.", simplify_while, true},
    GraphPass{"lay_out_searches", "Binary searches of few elements go through a tree of these.", lay_out_searches,
              true},
    GraphPass{"simplify_conditional", "A conditional whose selector is known becomes its branch.", simplify_conditional,
              true},
    GraphPass{"lift_updates", "Small updates that branches may make are made behind them.", lift_updates, true},
    GraphPass{"narrow_updates", "Updates of a part that is put back where it was are updates of the whole.",
              narrow_updates, true},
    GraphPass{"scatter_to_select", "Updates of which each element may have one alone are chosen where they are.",
              scatter_to_select, true},
    GraphPass{"mask_updates", "Updates that a mask takes back are not made.", mask_updates, true},
    GraphPass{"overlap_windows", "Windows at a constant distance are added up where they lie.", overlap_windows, true},
    GraphPass{"scatter_windows", "Many updates by windows that are parts of rows become updates of whole rows.",
              scatter_windows, true},
    GraphPass{"join_columns", "Numbers added up in the rows of a scatter of whole rows are one more column of it.",
              join_columns, true},
    GraphPass{"widen_bins", "Many updates of few narrow numbers combine wider ones.", widen_bins, true},
    GraphPass{"scatter_to_reduce", "Many updates of few elements become a reduction.", scatter_to_reduce, true},
    GraphPass{"join_scatters", "Updates one after the other, and sums of what they are added to, are one scatter.",
              join_scatters, true},
    GraphPass{"count_in_integers", "Whole numbers that are added up without rounding are added as integers.",
              count_in_integers, true},
    GraphPass{"sort_to_scatter", "What is sorted by places that are all different is written to these.",
              sort_to_scatter, true},
    GraphPass{"batch_bins", "Updates whose place is in part a number of theirs have bins for each such number.",
              batch_bins, true},
    GraphPass{"mark_updates", "Notes that no two updates of a scatter meet, or that they come in order.", mark_updates,
              true},
    GraphPass{"shorten_windows", "Windows over a dimension in front of what updates have a place in are shorter ones.",
              shorten_windows, true},
    GraphPass{"scatter_to_rows", "Many updates of many elements become updates of rows, sorted where order matters.",
              scatter_to_rows},
    GraphPass{"update_rows", "What sums of few rows change of a large array is made of these rows.", update_rows, true},
    GraphPass{"join_bins", "Scatters of very many updates to few elements by the same rows become one.", join_bins,
              true},
    GraphPass{"rotate_loops", "What a condition reduces is reduced by the step that makes it.", rotate_loops, true},
    GraphPass{"hoist_invariants", "What is dear and the same in every step of a loop is made once, before it.",
              hoist_invariants, true},
    GraphPass{"hoist_sums", "Sums and products that are the same in every step of a loop are made once, before it.",
              hoist_sums, true},
    GraphPass{"expand_sorts", "Rows of a few elements are sorted by comparing neighbours, element by element.",
              expand_sorts, true},
    GraphPass{"sink_invariants", "What is cheap and the same in every step of a loop is made where it is read.",
              sink_invariants, true},
    GraphPass{"separate_components", "Sums over points that share work become a sum for each coordinate.",
              separate_components, true},
    GraphPass{"reduce_tails", "Few elements that rows are reduced with are reduced apart.", reduce_tails, true},
    GraphPass{"reduce_pieces", "Short reductions of concatenated arrays become one of each.", reduce_pieces, true},
    GraphPass{"channels_last", "Convolutions and what lies between them have their features last.", channels_last,
              true},
    GraphPass{"separate_window_dimensions", "Windows over several dimensions become windows over one each.",
              separate_window_dimensions, true},
    GraphPass{"split_select_and_scatter", "Windows choose an element once, not once for each of their elements.",
              split_select_and_scatter, true},
    GraphPass{"defer_reductions", "Sums over loops of sums over elements are made once, after the loop.",
              defer_reductions, true},
    GraphPass{"stack_reductions", "What a loop reduces for no next step is stacked, for a loop after it.",
              stack_reductions, true},
    GraphPass{"distribute_loops", "Loops of two parts, of which one needs nothing of the other, become two.",
              distribute_loops, true},
    GraphPass{"join_products", "Products of one value of a loop's step with matrices of all steps become one.",
              join_products, true},
    GraphPass{"split_loops", "Products of a loop that no next step waits for are made for all its steps at once.",
              split_loops, true},
    GraphPass{"record_terms", "What a loop reduces across blocks, and only records, is reduced after it.", record_terms,
              true},
    GraphPass{"batch_loops", "Loops whose steps need nothing of each other become operations on arrays.", batch_loops,
              true},
    GraphPass{"fuse_loops", "A loop that reads step by step what the one before it stacks is one with it.", fuse_loops,
              true},
    GraphPass{"update_stacks", "Rows that a loop reads, changes a little and stacks again are updated where they are.",
              update_stacks, true},
    GraphPass{"narrow_by_ranges", "Integer operations that the values' ranges decide go.", narrow_by_ranges, true},
    GraphPass{"shift_rings", "Rings that a loop's steps go around turn with the steps.", shift_rings, true},
    GraphPass{"carry_sums", "Sums that steps begin with are made by the step before, along with what they are of.",
              carry_sums, true},
    GraphPass{"remove_dead", "What no result depends on goes.", remove_dead},
    GraphPass{"remove_barriers", "Barriers of optimisation end where no pass looks for duplicates any more.",
              remove_barriers},
    GraphPass{"pad_carries", "Carries a little shorter than another one are made as long.", pad_carries, true},
    GraphPass{"defer_updates", "What a step makes of all elements for the next one is made where that reads it.",
              defer_updates, true},
    GraphPass{"separate_planes", "What is reduced over few planes, and read by them again, is computed plane by plane.",
              separate_planes, true},
    GraphPass{"undilate_convolutions",
              "Convolutions of an input that is dilated as far as the window reaches become products.",
              undilate_convolutions, true},
    GraphPass{"split_phases", "Convolutions of a dilated input become one for each phase of their results.",
              split_phases, true},
    GraphPass{"take_patches", "Convolutions by filters of one tap that is 1 become gathers of what these read.",
              take_patches, true},
    GraphPass{"sum_convolutions",
              "Convolutions of few results that are long sums become a sum for each place of the window.",
              sum_convolutions, true},
    GraphPass{"write_out_convolutions",
              "Convolutions of one channel with small kernels become sums of what these read.", write_out_convolutions,
              true},
    GraphPass{"group_places", "Places side by side become features of convolutions that have few.", group_places, true},
    GraphPass{"narrow_integer_products", "Products of integers that are bytes, and zero points, are made of bytes.",
              narrow_integer_products, true},
    GraphPass{"band_products", "Products with matrices that are zero beside a band add up what the band takes.",
              band_products, true},
    GraphPass{"turn_products", "Products that are read transposed have their operands in the other order.",
              turn_products, true},
    GraphPass{"split_contractions", "Matrix products with few results that are long sums are made in two steps.",
              split_contractions, true},
    GraphPass{"separate_dimensions", "Reductions over dimensions that stand apart are made one after the other.",
              separate_dimensions, true},
    GraphPass{"split_folds", "Long reductions by functions of their own are made in parts, where these give the same.",
              split_folds, true},
    GraphPass{"roll_windows", "Cumulative windows by functions of their own become loops along them.", roll_windows,
              true},
    GraphPass{"split_windows", "Long cumulative windows by functions of their own are made in pieces.", split_windows,
              true},
    GraphPass{"factor_windows", "Long windows that move by one are made of shorter ones.", factor_windows, true},
    GraphPass{"split_product_rows", "Long rows of products are reduced in pieces as wide as tiles first.",
              split_product_rows, true},
    GraphPass{"split_norms", "Sums of a norm between two products are made of those of pieces as wide as tiles.",
              split_norms, true},
    GraphPass{"split_columns", "Reductions of many rows of a few columns each are made column by column.",
              split_columns, true},
    GraphPass{"split_reductions", "Reductions of very many elements to few results are made in two steps.",
              split_reductions, true},
    GraphPass{"split_steps", "Reductions of many elements to a number that loops make in each step, too.", split_steps,
              true},
    GraphPass{"share_reciprocals", "With --allow-reassociation: divisors of many elements are inverted once.",
              share_reciprocals, true},
    GraphPass{"mark_dot_precision", "With --dot-precision: products of f32 say what they are made in.",
              mark_dot_precision},
    GraphPass{"attend", "Two matrix products with a softmax between them become one operation.", attend, true},
    GraphPass{"network", "Matrix products of the same rows, one after the other, become one operation.", network, true},
    GraphPass{"chain", "Matrix products of what is made of other products, element by element, become one operation.",
              chain, true},
    GraphPass{"narrow_products", "Products of f32 that was converted from 16-bit floats are made of these.",
              narrow_products, true},
    GraphPass{"pad_terms", "Products whose rows have an odd number of terms get zeros behind them.", pad_terms, true},
    GraphPass{"mark_ranges", "Notes the ranges of the integers that indices are read from.", mark_ranges, true},
    GraphPass{"mark_wrapping", "Marks integer arithmetic whose result may not fit its type.", mark_wrapping},
    GraphPass{"choose_fma", "Marks the multiplication each addition contracts with.", choose_fma, true},
    GraphPass{"pairs", "Reductions whose terms are made of a row and a column each become one operation.", pairs, true},
    GraphPass{"keep_matrices", "What a thread can do alone with small matrices becomes one operation.", keep_matrices,
              true},
    GraphPass{"tile_loops", "Several steps of a loop that looks at neighbours alone become one operation.", tile_loops,
              true},
    GraphPass{"tile_levels", "Operations that look at each other's neighbours, one after the other, become one.",
              tile_levels, true},
};
constexpr size_t position_of(std::string_view name) {
  size_t position = 0;
  while (kPasses[position].name != name) ++position;
  return position;
}
constexpr size_t kFirstRepeated = position_of("simplify_tuples");
constexpr size_t kLastRepeated = position_of("remove_dead");
// Real programs need two or three rounds; a module that needs more is right, only less simple than it could be.
constexpr int kMaxRounds = 6;

// Instructions of a module that is verified after each pass of the pipeline.
constexpr size_t kVerifiedOften = 1000;

bool is_long(const Module& module) {
  size_t instructions = 0;
  for (const auto& computation : module.computations()) instructions += computation->instructions().size();
  return instructions > kVerifiedOften;
}

void verify_after(std::string_view pass, const Module& module) {
  // Errors of ours have no place in the user's text; the messages alone say which instruction it is.
  const Source nowhere;
  Diagnostics diagnostics(nowhere);
  if (verify(module, diagnostics)) return;
  throw InternalError(pass, diagnostics.all().front().message);
}

bool run_pass(Module& module, const GraphPass& pass, const GraphPassOptions& options, const PassObserver& observer) {
  const std::vector<std::string>& without = options.without;
  if (std::find(without.begin(), without.end(), pass.name) != without.end()) return false;
  const auto start = std::chrono::steady_clock::now();
  const bool changed = pass.run(module, options);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (changed && observer.verify) verify_after(pass.name, module);
  if (observer.after) observer.after(pass.name, changed, seconds.count(), module);
  return changed;
}

}  // namespace

std::span<const GraphPass> graph_passes() { return kPasses; }

const GraphPass* find_graph_pass(std::string_view name) {
  for (const GraphPass& pass : kPasses) {
    if (pass.name == name) return &pass;
  }
  return nullptr;
}

bool leave_out(std::string_view name, GraphPassOptions& options) {
  const GraphPass* pass = find_graph_pass(name);
  if (pass == nullptr || !pass->optional) return false;
  options.without.emplace_back(name);
  return true;
}

void run_graph_passes(Module& module, const GraphPassOptions& options, const PassObserver& given) {
  PassObserver observer = given;
  const bool once = given.verify && is_long(module);
  observer.verify = given.verify && !once;
  for (size_t i = 0; i < kFirstRepeated; ++i) run_pass(module, kPasses[i], options, observer);
  for (int round = 0; round < kMaxRounds; ++round) {
    bool changed = false;
    for (size_t i = kFirstRepeated; i <= kLastRepeated; ++i) {
      changed |= run_pass(module, kPasses[i], options, observer);
    }
    if (!changed) break;
  }
  for (size_t i = kLastRepeated + 1; i < kPasses.size(); ++i) run_pass(module, kPasses[i], options, observer);
  if (once) verify_after("graph passes", module);
}

void run_graph_passes(Module& module, const std::vector<const GraphPass*>& passes, const GraphPassOptions& options,
                      const PassObserver& observer) {
  for (const GraphPass* pass : passes) run_pass(module, *pass, options, observer);
}

}  // namespace sinter
