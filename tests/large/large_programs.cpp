#include "tests/large/large_programs.h"

namespace sinter {
namespace {

// Cells of a result, the same for all programs that take rows of an array: what they are, at row-major places.
constexpr int64_t kTable = 40000000, kWidth = 128;  // f32[40000000,128], 5.12e9 elements
constexpr int64_t kRow = 39999990;

std::vector<LargeProgram> programs_of_starts() {
  return {
      {.name = "embedding",
       .text = "  t = f32[40000000,128] parameter(0)\n  i = s32[64,1] parameter(1)\n"
               "  ROOT g = f32[64,128] gather(t, i), offset_dims={1}, collapsed_slice_dims={0}, "
               "start_index_map={0}, index_vector_dim=1, slice_sizes={1,128}\n",
       .inputs = {{0, kRow * kWidth + 5, 7}, {0, 16777216 * kWidth + 127, 3}, {1, 2, kRow}, {1, 63, 16777216}},
       .expected = {{0, 2 * kWidth + 5, 7}, {0, 63 * kWidth + 127, 3}, {0, 0, 0}}},
      {.name = "rows_at_a_start",
       .text = "  t = f32[40000000,128] parameter(0)\n  i = s32[] parameter(1)\n  none = s32[] constant(0)\n"
               "  ROOT g = f32[16,128] dynamic-slice(t, i, none), dynamic_slice_sizes={16,128}\n",
       .inputs = {{0, (kTable - 1) * kWidth + 9, 2}, {1, 0, kTable}},
       .expected = {{0, 15 * kWidth + 9, 2}}},
      {.name = "start_of_64_bits",
       .text = "  t = u8[5000000000] parameter(0)\n  i = s64[] parameter(1)\n"
               "  ROOT g = u8[100] dynamic-slice(t, i), dynamic_slice_sizes={100}\n",
       .inputs = {{0, 4999999999, 8}, {1, 0, 4999999900}},
       .expected = {{0, 99, 8}, {0, 0, 0}}},
      {.name = "unsigned_start",
       .text = "  t = u8[4000000000,2] parameter(0)\n  i = u32[] parameter(1)\n  none = u32[] constant(0)\n"
               "  ROOT g = u8[3,2] dynamic-slice(t, i, none), dynamic_slice_sizes={3,2}\n",
       .inputs = {{0, 2 * 3999999999 + 1, 8}, {1, 0, 3999999997}},
       .expected = {{0, 5, 8}}},
      {.name = "cache_of_layers",
       .text = "  c = u8[48,64,4096,32,128] parameter(0)\n  l = s32[] parameter(1)\n  p = s32[] parameter(2)\n"
               "  none = s32[] constant(0)\n  s = u8[1,64,1,32,128] dynamic-slice(c, l, none, p, none, none), "
               "dynamic_slice_sizes={1,64,1,32,128}\n  ROOT r = u8[64,4096] reshape(s)\n",
       .inputs = {{0, ((47 * 64 + int64_t{63}) * 4096 + 4095) * 4096 + 4095, 9}, {1, 0, 47}, {2, 0, 4095}},
       .expected = {{0, 64 * 4096 - 1, 9}, {0, 0, 0}}},
      {.name = "element_of_two_indices",
       .text = "  t = u8[65536,65536] parameter(0)\n  i = s32[100,2] parameter(1)\n"
               "  ROOT g = u8[100] gather(t, i), offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={0,1}, "
               "index_vector_dim=1, slice_sizes={1,1}\n",
       .inputs = {{0, int64_t{65535} * 65536 + 65535, 4}, {1, 14, 65535}, {1, 15, 65535}},
       .expected = {{0, 7, 4}, {0, 8, 0}}},
      {.name = "across_rows",
       .text = "  t = f32[1048576,4096] parameter(0)\n  i = s32[8,4096] parameter(1)\n  k = s32[8,4096,1] reshape(i)\n"
               "  ROOT g = f32[8,4096] gather(t, k), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, "
               "operand_batching_dims={1}, start_indices_batching_dims={1}, index_vector_dim=2, slice_sizes={1,1}\n",
       .inputs = {{0, int64_t{1048575} * 4096 + 4095, 6}, {1, 8 * 4096 - 1, 1048575}},
       .expected = {{0, 8 * 4096 - 1, 6}, {0, 0, 0}}},
      {.name = "scattered_rows",
       .text = "  t = f32[40000000,128] parameter(0)\n  i = s32[64,1] parameter(1)\n  u = f32[64,128] parameter(2)\n"
               "  ROOT s = f32[40000000,128] scatter(t, i, u), update_window_dims={1}, inserted_window_dims={0}, "
               "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add\n",
       .inputs =
           {{0, kRow * kWidth + 5, 7}, {1, 2, kRow}, {1, 3, kRow}, {2, 2 * kWidth + 5, 1}, {2, 3 * kWidth + 5, 2}},
       .expected = {{0, kRow * kWidth + 5, 10}, {0, kTable * kWidth - 1, 0}}},
      {.name = "scattered_elements",
       .text = "  t = f32[60000,70000] parameter(0)\n  i = s32[64,2] parameter(1)\n  u = f32[64] parameter(2)\n"
               "  ROOT s = f32[60000,70000] scatter(t, i, u), update_window_dims={}, inserted_window_dims={0,1}, "
               "scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=add\n",
       .inputs = {{0, int64_t{50001} * 70000 + 69998, 7},
                  {1, 2 * 3, 50001},
                  {1, 2 * 3 + 1, 69998},
                  {1, 2 * 5, 50001},
                  {1, 2 * 5 + 1, 69998},
                  {1, 2 * 6, 50001},
                  {1, 2 * 6 + 1, 70000},
                  {2, 3, 1},
                  {2, 5, 2},
                  {2, 6, 4}},
       .expected = {{0, int64_t{50001} * 70000 + 69998, 10}, {0, int64_t{50002} * 70000, 0}, {0, 0, 0}}},
      {.name = "written_rows",
       .text = "  t = f32[40000000,128] parameter(0)\n  u = f32[4,128] parameter(1)\n  i = s32[] parameter(2)\n"
               "  none = s32[] constant(0)\n  ROOT s = f32[40000000,128] dynamic-update-slice(t, u, i, none)\n",
       .inputs = {{0, (kRow - 1) * kWidth, 4}, {1, 3 * kWidth + 1, 7}, {2, 0, kRow}},
       .expected = {{0, (kRow - 1) * kWidth, 4}, {0, (kRow + 3) * kWidth + 1, 7}, {0, (kRow + 4) * kWidth, 0}}},
      {.name = "rows_of_sorted_segments",
       .text = "  x = f32[3000000,1024] parameter(0)\n  i = s32[3000000,1] parameter(1)\n  zero = f32[] constant(0)\n"
               "  z = f32[5,1024] broadcast(zero), dimensions={}\n  ROOT s = f32[5,1024] scatter(z, i, x), "
               "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
               "index_vector_dim=1, indices_are_sorted=true, to_apply=add\n",
       // A row inside of a thread's run, in the block that runs: of 187,504 the one as far on as the result's element
       // is among its 5,120, which has 256 updates at 64 columns.
       .inputs = {{0, int64_t{2401892} * 1024 + 3, 6}, {1, 2401892, 4}},
       .expected = {{0, 4 * 1024 + 3, 6}}},
  };
}

std::vector<LargeProgram> programs_of_elements() {
  return {
      {.name = "bytes_below_2_31",
       .text = "  x = u8[2147483647] parameter(0)\n  ROOT y = u8[2147483647] add(x, x)\n",
       .inputs = {{0, 2147483646, 5}, {0, 0, 1}},
       .expected = {{0, 2147483646, 10}, {0, 0, 2}, {0, 1073741824, 0}}},
      {.name = "bytes_of_2_31",
       .text = "  x = u8[2147483648] parameter(0)\n  ROOT y = u8[2147483648] add(x, x)\n",
       .inputs = {{0, 2147483647, 5}},
       .expected = {{0, 2147483647, 10}}},
      {.name = "positions",
       .text = "  x = s64[3000000001] parameter(0)\n  i = s64[3000000001] iota(), iota_dimension=0\n"
               "  ROOT y = s64[3000000001] add(x, i)\n",
       .inputs = {{0, 3000000000, 5}},
       .expected = {{0, 3000000000, 3000000005}, {0, 2147483648, 2147483648}, {0, 1, 1}}},
      {.name = "transposed",
       .text = "  x = f32[65536,65537] parameter(0)\n  ROOT y = f32[65537,65536] transpose(x), dimensions={1,0}\n",
       // In tiles of 64 by 64 the block of each is as far on as the element.
       .inputs = {{0, int64_t{64000} * 65537 + 64000, 5}, {0, int64_t{2082} * 65537 + 2, 3}},
       .expected = {{0, int64_t{64000} * 65536 + 64000, 5}, {0, 2 * 65536 + 2082, 3}}},
      {.name = "turned",
       .text =
           "  x = u8[2048,1024,2048] parameter(0)\n  ROOT y = u8[2048,2048,1024] transpose(x), dimensions={2,0,1}\n",
       .inputs = {{0, (2015 * int64_t{1024} + 496) * 2048 + 2046, 5}},
       .expected = {{0, (2046 * int64_t{2048} + 2015) * 1024 + 496, 5}}},
      {.name = "joined",
       .text = "  x = u8[2147483000] parameter(0)\n  y = u8[1000] parameter(1)\n"
               "  ROOT z = u8[2147484000] concatenate(x, y), dimensions={0}\n",
       .inputs = {{0, 2147482999, 1}, {1, 0, 2}, {1, 999, 3}},
       .expected = {{0, 2147482999, 1}, {0, 2147483000, 2}, {0, 2147483999, 3}}},
      {.name = "backwards",
       .text = "  x = f32[65536,65537] parameter(0)\n  ROOT y = f32[65536,65537] reverse(x), dimensions={0,1}\n",
       .inputs = {{0, 1, 5}, {0, int64_t{65536} * 65537 - 3, 4}},
       .expected = {{0, int64_t{65536} * 65537 - 2, 5}, {0, 2, 4}}},
      {.name = "columns_backwards",
       .text = "  x = u8[65536,65537] parameter(0)\n  ROOT y = u8[65536,65537] reverse(x), dimensions={1}\n",
       .inputs = {{0, int64_t{65535} * 65537, 5}},
       .expected = {{0, int64_t{65536} * 65537 - 1, 5}}},
      {.name = "padded",
       .text = "  x = f32[65536,65537] parameter(0)\n  one = f32[] constant(1)\n"
               "  ROOT y = f32[65539,65544] pad(x, one), padding=1_2x3_4\n",
       .inputs = {{0, int64_t{65535} * 65537 + 65536, 5}},
       .expected = {{0, int64_t{65536} * 65544 + 65539, 5}, {0, int64_t{65536} * 65544 + 65540, 1}, {0, 0, 1}}},
      {.name = "every_seventh",
       .text = "  x = u8[7000000000] parameter(0)\n  ROOT y = u8[1000000000] slice(x), slice={[6:7000000000:7]}\n",
       .inputs = {{0, 6999999999, 5}},
       .expected = {{0, 999999999, 5}, {0, 0, 0}}},
      {.name = "sums_of_pairs",
       .text =
           "  x = s32[65536] parameter(0)\n  y = s32[65537] parameter(1)\n"
           "  a = s32[65536,65537] broadcast(x), dimensions={0}\n  b = s32[65536,65537] broadcast(y), dimensions={1}\n"
           "  ROOT c = s32[65536,65537] add(a, b)\n",
       .inputs = {{0, 65535, 5}, {1, 65536, 6}},
       .expected = {{0, int64_t{65536} * 65537 - 1, 11}, {0, int64_t{65535} * 65537, 5}}},
      {.name = "above_the_diagonal",
       .text = "  x = u8[65536,65536] parameter(0)\n  i = s32[65536,65536] iota(), iota_dimension=0\n"
               "  j = s32[65536,65536] iota(), iota_dimension=1\n  p = pred[65536,65536] compare(i, j), direction=LE\n"
               "  zero = u8[] constant(0)\n  z = u8[65536,65536] broadcast(zero), dimensions={}\n"
               "  ROOT y = u8[65536,65536] select(p, x, z)\n",
       .inputs = {{0, int64_t{65535} * 65536 + 65535, 5}, {0, int64_t{65535} * 65536 + 65534, 5}},
       .expected = {{0, int64_t{65535} * 65536 + 65535, 5}, {0, int64_t{65535} * 65536 + 65534, 0}}},
  };
}

std::vector<LargeProgram> programs_of_reductions() {
  return {
      {.name = "sums_of_columns",
       .text = "  x = f32[4096,1048576] parameter(0)\n  zero = f32[] constant(0)\n"
               "  ROOT s = f32[1048576] reduce(x, zero), dimensions={0}, to_apply=add\n",
       .inputs = {{0, int64_t{4095} * 1048576 + 1048575, 5}, {0, int64_t{2048} * 1048576, 3}},
       .expected = {{0, 1048575, 5}, {0, 0, 3}}},
      {.name = "sums_of_rows",
       .text = "  x = f32[1048576,4096] parameter(0)\n  zero = f32[] constant(0)\n"
               "  ROOT s = f32[1048576] reduce(x, zero), dimensions={1}, to_apply=add\n",
       .inputs = {{0, int64_t{1048575} * 4096 + 4095, 5}, {0, int64_t{1048575} * 4096, 3}},
       .expected = {{0, 1048575, 8}, {0, 0, 0}}},
      {.name = "sums_between",
       .text = "  x = f32[64,8192,8192] parameter(0)\n  zero = f32[] constant(0)\n"
               "  ROOT s = f32[64,8192] reduce(x, zero), dimensions={1}, to_apply=add\n",
       .inputs = {{0, int64_t{64} * 8192 * 8192 - 1, 5}, {0, int64_t{63} * 8192 * 8192 + 8191, 5}},
       .expected = {{0, 64 * 8192 - 1, 10}, {0, 0, 0}}},
      {.name = "many_short_rows",
       .text = "  x = u8[2200000000,4] parameter(0)\n  zero = u8[] constant(0)\n"
               "  ROOT m = u8[2200000000] reduce(x, zero), dimensions={1}, to_apply=larger_byte\n",
       .inputs = {{0, 8799999998, 5}},
       .expected = {{0, 2199999999, 5}, {0, 2199999998, 0}}},
      {.name = "many_rows",
       .text = "  x = u8[2147483647,33] parameter(0)\n  zero = u8[] constant(0)\n"
               "  ROOT m = u8[2147483647] reduce(x, zero), dimensions={1}, to_apply=larger_byte\n",
       .inputs = {{0, int64_t{2147483647} * 33 - 2, 5}},
       .expected = {{0, 2147483646, 5}}},
      {.name = "rows_less_their_largest",
       .text = "  x = f32[220000000,40] parameter(0)\n  zero = f32[] constant(-1)\n"
               "  m = f32[220000000] reduce(x, zero), dimensions={1}, to_apply=larger\n"
               "  b = f32[220000000,40] broadcast(m), dimensions={0}\n  ROOT y = f32[220000000,40] subtract(x, b)\n",
       .inputs = {{0, 8799999998, 5}},
       .expected = {{0, 8799999999, -5}, {0, 8799999998, 0}, {0, 0, 0}}},
      {.name = "columns_less_their_largest",
       .text = "  x = f32[2048,2097152] parameter(0)\n  zero = f32[] constant(-1)\n"
               "  m = f32[2097152] reduce(x, zero), dimensions={0}, to_apply=larger\n"
               "  b = f32[2048,2097152] broadcast(m), dimensions={1}\n  ROOT y = f32[2048,2097152] subtract(x, b)\n",
       .inputs = {{0, int64_t{2048} * 2097152 - 1, 5}},
       .expected = {{0, int64_t{2047} * 2097152 - 1, -5}, {0, int64_t{2048} * 2097152 - 1, 0}}},
      {.name = "windows_of_three",
       .text = "  x = f32[3000000000] parameter(0)\n  zero = f32[] constant(0)\n"
               "  ROOT y = f32[3000000000] reduce-window(x, zero), window={size=3 pad=1_1}, to_apply=add\n",
       .inputs = {{0, 2999999999, 5}, {0, 2999999998, 4}},
       .expected = {{0, 2999999999, 9}, {0, 2999999997, 4}, {0, 0, 0}}},
      {.name = "windows_down_columns",
       .text = "  x = f32[4,1000000000] parameter(0)\n  zero = f32[] constant(0)\n"
               "  ROOT y = f32[4,1000000000] reduce-window(x, zero), window={size=3x1 pad=1_1x0_0}, to_apply=add\n",
       .inputs = {{0, 3999999999, 5}, {0, 2999999999, 4}},
       .expected = {{0, 3999999999, 9}, {0, 1999999999, 4}}},
      {.name = "pooled",
       .text = "  x = u8[65536,65536] parameter(0)\n  zero = u8[] constant(0)\n  ROOT y = u8[32768,32768] "
               "reduce-window(x, zero), window={size=2x2 stride=2x2}, to_apply=larger_byte\n",
       .inputs = {{0, int64_t{65536} * 65536 - 1, 5}},
       .expected = {{0, int64_t{32768} * 32768 - 1, 5}, {0, 0, 0}}},
      {.name = "cumulative_rows",
       .text = "  x = f32[1048576,4096] parameter(0)\n  zero = f32[] constant(0)\n  ROOT y = f32[1048576,4096] "
               "reduce-window(x, zero), window={size=1x4096 pad=0_0x4095_0}, to_apply=add\n",
       .inputs = {{0, int64_t{1048575} * 4096, 5}, {0, int64_t{1048575} * 4096 + 4094, 4}},
       .expected = {{0, int64_t{1048576} * 4096 - 1, 9}, {0, int64_t{1048575} * 4096 + 1, 5}}},
      {.name = "cumulative_columns",
       .text = "  x = f32[4096,1048576] parameter(0)\n  zero = f32[] constant(0)\n  ROOT y = f32[4096,1048576] "
               "reduce-window(x, zero), window={size=4096x1 pad=4095_0x0_0}, to_apply=add\n",
       .inputs = {{0, 1048575, 5}, {0, int64_t{4095} * 1048576 - 1, 4}},
       .expected = {{0, int64_t{4096} * 1048576 - 1, 9}, {0, int64_t{2} * 1048576 - 1, 5}}},
      {.name = "sorted_rows",
       .text = "  x = f32[2097152,2048] parameter(0)\n  ROOT y = f32[2097152,2048] sort(x), dimensions={1}, "
               "to_apply=before\n",
       .inputs = {{0, int64_t{2097151} * 2048, 5}},
       .expected = {{0, int64_t{2097152} * 2048 - 1, 5}, {0, int64_t{2097151} * 2048, 0}}},
      {.name = "tall_product",
       .text = "  a = f32[3000000,1024] parameter(0)\n  b = f32[1024,8] parameter(1)\n  ROOT d = f32[3000000,8] "
               "dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
       .inputs = {{0, int64_t{3000000} * 1024 - 1, 5}, {1, 1024 * 8 - 1, 2}},
       .expected = {{0, int64_t{3000000} * 8 - 1, 10}, {0, 0, 0}}},
      {.name = "sum_of_layers",
       .text = "  x = f32[64,100000000] parameter(0)\n  zero = f32[] constant(0)\n  none = s32[] constant(0)\n"
               "  z = f32[100000000] broadcast(zero), dimensions={}\n"
               "  state = (s32[], f32[100000000], f32[64,100000000]) tuple(none, z, x)\n  loop = (s32[], "
               "f32[100000000], f32[64,100000000]) while(state), condition=more, body=add_layer\n"
               "  ROOT r = f32[100000000] get-tuple-element(loop), index=1\n",
       .inputs = {{0, 6399999999, 5}, {0, int64_t{30} * 100000000 - 1, 4}},
       .expected = {{0, 99999999, 9}, {0, 0, 0}}},
      {.name = "long_cumulative_sum",
       .text = "  x = f32[3000000000] parameter(0)\n  zero = f32[] parameter(1)\n  ROOT y = f32[3000000000] "
               "reduce-window(x, zero), window={size=3000000000 pad=2999999999_0}, to_apply=add\n",
       .error = "E0304"},
      {.name = "long_sort",
       .text = "  x = f32[2147483648] parameter(0)\n  ROOT y = f32[2147483648] sort(x), dimensions={0}, "
               "to_apply=before\n",
       .error = "E0302"},
  };
}

}  // namespace

std::vector<LargeProgram> large_programs() {
  std::vector<LargeProgram> programs = programs_of_starts();
  for (const auto& more : {programs_of_elements(), programs_of_reductions()})
    programs.insert(programs.end(), more.begin(), more.end());
  return programs;
}

}  // namespace sinter
