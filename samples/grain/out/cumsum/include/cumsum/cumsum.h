// cumsum.h: the C interface of cumsum, for C and C++; needs no CUDA header. 2 programs
// that share device memory, each with an interface of its own:
//
//   cumsum_rows (cumsum_cumsum_rows/cumsum_cumsum_rows.h)
//     in   x         f32[8,300]
//     in   p         f32[8,300]
//     out  sums      f32[8,300]
//     out  products  f32[8,300]
//     out  peaks     f32[8,300]
//   recurrence (cumsum_recurrence/cumsum_recurrence.h)
//     in   a  f32[8,300]
//     in   b  f32[8,300]
//     out  h  f32[8,300]
//
//   CumsumInstance* model;
//   if (cumsum_create(&model) != kCumsumOk) {
//     puts(cumsum_last_error());
//   }
//   cumsum_cumsum_rows_run(model->cumsum_rows, &in, &out, stream);  // as often as needed
//   cumsum_recurrence_run(model->recurrence, &in, &out, stream);
//   cumsum_destroy(model);
//
// An instance belongs to one device and serves one run at a time: runs of its programs, whichever they
// are, must follow each other, on one stream or by events. Between runs the device memory that they
// share holds nothing of the caller's: what one program passes to another is an output, and an input.
// Instances are independent of each other.

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cumsum_cumsum_rows/cumsum_cumsum_rows.h"
#include "cumsum_recurrence/cumsum_recurrence.h"

// All that callers depend on: the programs and their interfaces. A caller that was compiled
// for another one is refused when it creates an instance.
#define CUMSUM_INTERFACE 0xc7f8cb7e105fc4f6ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CUMSUM_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

// The numbers are those of the programs' own.
typedef enum CumsumStatus {
  kCumsumOk = 0,
  kCumsumInvalidArgument = 1,
  kCumsumOutOfMemory = 2,
  kCumsumCudaError = 3,
  kCumsumOtherInterface = 4,
  kCumsumOtherDevice = 5,
} CumsumStatus;

// A program of an instance each, for its functions. cumsum_destroy destroys them.
typedef struct CumsumInstance {
  struct CumsumCumsumRowsInstance* cumsum_rows;
  struct CumsumRecurrenceInstance* recurrence;
} CumsumInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct CumsumOptions {
  uint32_t size;            // sizeof(CumsumOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // CUMSUM_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // cumsum_workspace_bytes(). NULL: cumsum_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by cumsum_destroy, or by cumsum_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
} CumsumOptions;

#define CUMSUM_OPTIONS \
  {sizeof(CumsumOptions), -1, CUMSUM_INTERFACE, NULL, 0, NULL, NULL, NULL}

// Makes what runs of all programs need. *instance is NULL if this fails. Without options:
// CUMSUM_OPTIONS, as the library has them.
CumsumStatus cumsum_create_with(CumsumInstance** instance, const CumsumOptions* options);

// The same with CUMSUM_OPTIONS. Compiled into the caller, whose interface is compared.
static inline CumsumStatus cumsum_create(CumsumInstance** instance) {
  const CumsumOptions options = CUMSUM_OPTIONS;
  return cumsum_create_with(instance, &options);
}

// Device memory of an instance: the largest arena of its programs, and what each keeps between runs.
// Of the same size is the workspace that instances of single programs may share, one of each.
int64_t cumsum_workspace_bytes(void);

// The instance's runs must be finished. NULL is allowed.
void cumsum_destroy(CumsumInstance* instance);

// Why the last call of this thread that gives a CumsumStatus failed; empty if it did not. Programs have
// one of their own: cumsum_cumsum_rows_last_error.
const char* cumsum_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* cumsum_status_text(CumsumStatus status);

// What the library is; it begins as what its programs say of themselves (cumsum_cumsum_rows_info). Later
// versions may have more fields, at the end.
typedef struct CumsumInfo {
  uint32_t size;                // sizeof(CumsumInfo), in the library
  int32_t kernels;              // of all programs
  int64_t launches;             // -1: each program has a number of its own
  uint64_t interface_hash;      // CUMSUM_INTERFACE, in the library
  const char* generator;        // "sinter 0.1.0"
  const char* input_sha256;     // of the texts that were compiled, one behind the other
  const char* architectures;    // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;      // as cumsum_workspace_bytes()
  int64_t weights_bytes;        // of these, constants
  const char* const* programs;  // their names, in the order of CumsumInstance; then NULL
} CumsumInfo;

const CumsumInfo* cumsum_info(void);

#ifdef CUMSUM_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
