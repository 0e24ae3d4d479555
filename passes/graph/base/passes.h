// The graph passes, one function each; a pass is described at the top of its own file, <name>.cpp.
//
// A pass returns true if it changed the module. It may leave computations out of order among themselves only if it
// calls Module::sort_computations before it returns: verify() holds after every pass.
#pragma once

#include "ir/module/module.h"
#include "passes/graph/base/graph_pass.h"

namespace sinter {

// The module as it is where bound_dimensions.h refuses it: whoever compiles has bound it before, with diagnostics.
bool bound_dimensions(Module& module, const GraphPassOptions& options);
bool normalize_layouts(Module& module, const GraphPassOptions& options);
bool expand_rng(Module& module, const GraphPassOptions& options);
bool expand_scan(Module& module, const GraphPassOptions& options);
bool roll_loops(Module& module, const GraphPassOptions& options);
bool roll_repeats(Module& module, const GraphPassOptions& options);
bool unroll_rotations(Module& module, const GraphPassOptions& options);
bool spread_arguments(Module& module, const GraphPassOptions& options);
bool inline_calls(Module& module, const GraphPassOptions& options);
bool expand_collectives(Module& module, const GraphPassOptions& options);
bool expand_dots(Module& module, const GraphPassOptions& options);
bool expand_random(Module& module, const GraphPassOptions& options);
bool expand_fft(Module& module, const GraphPassOptions& options);
bool expand_batch_norm(Module& module, const GraphPassOptions& options);
bool expand_topk(Module& module, const GraphPassOptions& options);
bool expand_sorts(Module& module, const GraphPassOptions& options);
bool thread_random_state(Module& module, const GraphPassOptions& options);
bool separate_weights(Module& module, const GraphPassOptions& options);
bool roll_scans(Module& module, const GraphPassOptions& options);
bool flatten_tuples(Module& module, const GraphPassOptions& options);
bool choose_solves(Module& module, const GraphPassOptions& options);
bool simplify_tuples(Module& module, const GraphPassOptions& options);
bool fold_constants(Module& module, const GraphPassOptions& options);
bool simplify(Module& module, const GraphPassOptions& options);
bool remove_duplicates(Module& module, const GraphPassOptions& options);
bool simplify_while(Module& module, const GraphPassOptions& options);
bool simplify_conditional(Module& module, const GraphPassOptions& options);
bool scatter_to_select(Module& module, const GraphPassOptions& options);
bool lift_updates(Module& module, const GraphPassOptions& options);
bool narrow_updates(Module& module, const GraphPassOptions& options);
bool mask_updates(Module& module, const GraphPassOptions& options);
bool scatter_to_reduce(Module& module, const GraphPassOptions& options);
bool batch_bins(Module& module, const GraphPassOptions& options);
bool scatter_to_rows(Module& module, const GraphPassOptions& options);
bool mark_updates(Module& module, const GraphPassOptions& options);
bool sort_to_scatter(Module& module, const GraphPassOptions& options);
bool scatter_windows(Module& module, const GraphPassOptions& options);
bool shorten_windows(Module& module, const GraphPassOptions& options);
bool overlap_windows(Module& module, const GraphPassOptions& options);
bool join_columns(Module& module, const GraphPassOptions& options);
bool widen_bins(Module& module, const GraphPassOptions& options);
bool count_in_integers(Module& module, const GraphPassOptions& options);
bool join_scatters(Module& module, const GraphPassOptions& options);
bool update_rows(Module& module, const GraphPassOptions& options);
bool join_bins(Module& module, const GraphPassOptions& options);
bool separate_window_dimensions(Module& module, const GraphPassOptions& options);
bool split_select_and_scatter(Module& module, const GraphPassOptions& options);
bool rotate_loops(Module& module, const GraphPassOptions& options);
bool sink_invariants(Module& module, const GraphPassOptions& options);
bool separate_components(Module& module, const GraphPassOptions& options);
bool reduce_tails(Module& module, const GraphPassOptions& options);
bool reduce_pieces(Module& module, const GraphPassOptions& options);
bool slice_first(Module& module, const GraphPassOptions& options);
bool separate_results(Module& module, const GraphPassOptions& options);
bool split_folds(Module& module, const GraphPassOptions& options);
bool roll_windows(Module& module, const GraphPassOptions& options);
bool split_windows(Module& module, const GraphPassOptions& options);
bool factor_windows(Module& module, const GraphPassOptions& options);
bool separate_dimensions(Module& module, const GraphPassOptions& options);
bool defer_reductions(Module& module, const GraphPassOptions& options);
bool stack_reductions(Module& module, const GraphPassOptions& options);
bool distribute_loops(Module& module, const GraphPassOptions& options);
bool join_products(Module& module, const GraphPassOptions& options);
bool split_loops(Module& module, const GraphPassOptions& options);
bool record_terms(Module& module, const GraphPassOptions& options);
bool lay_out_searches(Module& module, const GraphPassOptions& options);
bool pad_carries(Module& module, const GraphPassOptions& options);
bool shift_rings(Module& module, const GraphPassOptions& options);
bool separate_planes(Module& module, const GraphPassOptions& options);
bool group_places(Module& module, const GraphPassOptions& options);
bool write_out_convolutions(Module& module, const GraphPassOptions& options);
bool remove_barriers(Module& module, const GraphPassOptions& options);
bool carry_sums(Module& module, const GraphPassOptions& options);
bool defer_updates(Module& module, const GraphPassOptions& options);
bool batch_loops(Module& module, const GraphPassOptions& options);
bool fuse_loops(Module& module, const GraphPassOptions& options);
bool update_stacks(Module& module, const GraphPassOptions& options);
bool expand_powers(Module& module, const GraphPassOptions& options);
bool turn_rows(Module& module, const GraphPassOptions& options);
bool find_part(Module& module, const GraphPassOptions& options);
bool split_argmax(Module& module, const GraphPassOptions& options);
bool split_product_rows(Module& module, const GraphPassOptions& options);
bool split_norms(Module& module, const GraphPassOptions& options);
bool split_reductions(Module& module, const GraphPassOptions& options);
bool split_steps(Module& module, const GraphPassOptions& options);
bool split_columns(Module& module, const GraphPassOptions& options);
bool share_reciprocals(Module& module, const GraphPassOptions& options);
bool mark_dot_precision(Module& module, const GraphPassOptions& options);
bool attend(Module& module, const GraphPassOptions& options);
bool chain(Module& module, const GraphPassOptions& options);
bool network(Module& module, const GraphPassOptions& options);
bool narrow_products(Module& module, const GraphPassOptions& options);
bool pad_terms(Module& module, const GraphPassOptions& options);
bool channels_last(Module& module, const GraphPassOptions& options);
bool undilate_convolutions(Module& module, const GraphPassOptions& options);
bool split_phases(Module& module, const GraphPassOptions& options);
bool take_patches(Module& module, const GraphPassOptions& options);
bool sum_convolutions(Module& module, const GraphPassOptions& options);
bool narrow_integer_products(Module& module, const GraphPassOptions& options);
bool band_products(Module& module, const GraphPassOptions& options);
bool turn_products(Module& module, const GraphPassOptions& options);
bool split_contractions(Module& module, const GraphPassOptions& options);
bool narrow_by_ranges(Module& module, const GraphPassOptions& options);
bool remove_dead(Module& module, const GraphPassOptions& options);
bool mark_wrapping(Module& module, const GraphPassOptions& options);
bool choose_fma(Module& module, const GraphPassOptions& options);
bool pairs(Module& module, const GraphPassOptions& options);
bool keep_matrices(Module& module, const GraphPassOptions& options);
bool tile_levels(Module& module, const GraphPassOptions& options);
bool tile_loops(Module& module, const GraphPassOptions& options);

}  // namespace sinter
