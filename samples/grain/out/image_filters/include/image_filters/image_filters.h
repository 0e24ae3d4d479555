// image_filters.h: the C interface of image_filters, for C and C++; needs no CUDA header. 2 programs
// that share device memory, each with an interface of its own:
//
//   box (image_filters_box/image_filters_box.h)
//     in   image   f32[48,64]
//     out  smooth  f32[48,64]
//   bilateral (image_filters_bilateral/image_filters_bilateral.h)
//     in   image   f32[48,64]
//     out  smooth  f32[48,64]
//
//   ImageFiltersInstance* model;
//   if (image_filters_create(&model) != kImageFiltersOk) {
//     puts(image_filters_last_error());
//   }
//   image_filters_box_run(model->box, &in, &out, stream);  // as often as needed
//   image_filters_bilateral_run(model->bilateral, &in, &out, stream);
//   image_filters_destroy(model);
//
// An instance belongs to one device and serves one run at a time: runs of its programs, whichever they
// are, must follow each other, on one stream or by events. Between runs the device memory that they
// share holds nothing of the caller's: what one program passes to another is an output, and an input.
// Instances are independent of each other.

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "image_filters_bilateral/image_filters_bilateral.h"
#include "image_filters_box/image_filters_box.h"

// All that callers depend on: the programs and their interfaces. A caller that was compiled
// for another one is refused when it creates an instance.
#define IMAGE_FILTERS_INTERFACE 0x63d8f89e79347b66ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef IMAGE_FILTERS_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

// The numbers are those of the programs' own.
typedef enum ImageFiltersStatus {
  kImageFiltersOk = 0,
  kImageFiltersInvalidArgument = 1,
  kImageFiltersOutOfMemory = 2,
  kImageFiltersCudaError = 3,
  kImageFiltersOtherInterface = 4,
  kImageFiltersOtherDevice = 5,
} ImageFiltersStatus;

// A program of an instance each, for its functions. image_filters_destroy destroys them.
typedef struct ImageFiltersInstance {
  struct ImageFiltersBoxInstance* box;
  struct ImageFiltersBilateralInstance* bilateral;
} ImageFiltersInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct ImageFiltersOptions {
  uint32_t size;            // sizeof(ImageFiltersOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // IMAGE_FILTERS_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // image_filters_workspace_bytes(). NULL: image_filters_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by image_filters_destroy, or by image_filters_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
} ImageFiltersOptions;

#define IMAGE_FILTERS_OPTIONS \
  {sizeof(ImageFiltersOptions), -1, IMAGE_FILTERS_INTERFACE, NULL, 0, NULL, NULL, NULL}

// Makes what runs of all programs need. *instance is NULL if this fails. Without options:
// IMAGE_FILTERS_OPTIONS, as the library has them.
ImageFiltersStatus image_filters_create_with(ImageFiltersInstance** instance,
                                             const ImageFiltersOptions* options);

// The same with IMAGE_FILTERS_OPTIONS. Compiled into the caller, whose interface is compared.
static inline ImageFiltersStatus image_filters_create(ImageFiltersInstance** instance) {
  const ImageFiltersOptions options = IMAGE_FILTERS_OPTIONS;
  return image_filters_create_with(instance, &options);
}

// Device memory of an instance: the largest arena of its programs, and what each keeps between runs.
// Of the same size is the workspace that instances of single programs may share, one of each.
int64_t image_filters_workspace_bytes(void);

// The instance's runs must be finished. NULL is allowed.
void image_filters_destroy(ImageFiltersInstance* instance);

// Why the last call of this thread that gives a ImageFiltersStatus failed; empty if it did not. Programs have
// one of their own: image_filters_box_last_error.
const char* image_filters_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* image_filters_status_text(ImageFiltersStatus status);

// What the library is; it begins as what its programs say of themselves (image_filters_box_info). Later
// versions may have more fields, at the end.
typedef struct ImageFiltersInfo {
  uint32_t size;                // sizeof(ImageFiltersInfo), in the library
  int32_t kernels;              // of all programs
  int64_t launches;             // -1: each program has a number of its own
  uint64_t interface_hash;      // IMAGE_FILTERS_INTERFACE, in the library
  const char* generator;        // "sinter 0.1.0"
  const char* input_sha256;     // of the texts that were compiled, one behind the other
  const char* architectures;    // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;      // as image_filters_workspace_bytes()
  int64_t weights_bytes;        // of these, constants
  const char* const* programs;  // their names, in the order of ImageFiltersInstance; then NULL
} ImageFiltersInfo;

const ImageFiltersInfo* image_filters_info(void);

#ifdef IMAGE_FILTERS_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
