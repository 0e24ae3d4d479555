// Of rows.hlo (run_sizes.sh): each size is right whatever came before it, and nothing beyond it is written or matters.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "rows/rows.h"

enum { kBound = 300, kColumns = 40 };
static _Alignas(16) float x[kBound * kColumns], w[kColumns * kColumns], again[kBound * kColumns], rows[kBound];

static void require(int ok, const char* what, int size) {
  if (ok) return;
  printf("run_sizes: %s at size %d: %s\n", what, size, rows_last_error());
  exit(1);
}

// Row r is r + 1 in each column, and each element of w is 1/40: the products are r + 1 again.
static void fill(int size) {
  for (int i = 0; i < kColumns * kColumns; ++i) w[i] = 1.0f / kColumns;
  for (int i = 0; i < kBound * kColumns; ++i) {
    x[i] = i < size * kColumns ? (float)(i / kColumns + 1) : NAN;
    again[i] = -7;
  }
  for (int r = 0; r < kBound; ++r) rows[r] = -7;
}

static void check(int size, const char* what) {
  for (int r = 0; r < size; ++r) {
    for (int k = 0; k < kColumns; ++k) require(fabsf(again[r * kColumns + k] - (float)(r + 1)) < 1e-2f, what, size);
    require(fabsf(rows[r] - (float)(kColumns * (r + 1))) < 1, what, size);
  }
}

int main(void) {
  RowsInstance* instance;
  require(rows_create(&instance) == kRowsOk, "create", 0);
  RowsInputs in = {.x = x, .w = w};
  const RowsOutputs out = {.again = again, .rows = rows};
  RowsGraph* graph = NULL;
  const int sizes[] = {0, 300, 1, 33, 0, 299, 32};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    in.size = sizes[i];
    fill(sizes[i]);
    require(rows_run(instance, &in, &out, NULL) == kRowsOk, "run", sizes[i]);
    check(sizes[i], "run");
    // No launch has a tile behind the last row's.
    for (int r = (sizes[i] / 32 + 1) * 32; r < kBound; ++r) require(again[r * kColumns] == -7, "blocks beyond", sizes[i]);
    fill(sizes[i]);
    if (graph == NULL) {
      require(rows_capture(&graph, instance, &in, &out) == kRowsOk, "capture", sizes[i]);
    } else {
      require(rows_graph_update(graph, &in, &out) == kRowsOk, "update", sizes[i]);
    }
    require(rows_graph_launch(graph, NULL) == kRowsOk, "launch", sizes[i]);
    check(sizes[i], "graph");
  }
  rows_graph_destroy(graph);
  rows_destroy(instance);
  return 0;
}
