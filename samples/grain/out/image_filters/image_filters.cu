// image_filters.cu: what the programs of image_filters share, over the interface of each.
//
// Arena: 12.3 kB, that of the largest program; of all, 12.3 kB.

#include "image_filters/image_filters.h"

#include "launcher/failure.cuh"
#include "launcher/instance.cuh"

namespace {

constexpr int64_t kWorkspaceBytes = 12288;
constexpr ImageFiltersOptions kDefaults = IMAGE_FILTERS_OPTIONS;

thread_local constinit LastError last_error("image_filters");

// What callers do not see of an instance.
struct Whole : ImageFiltersInstance {
  Whole() : ImageFiltersInstance() {}

  int device = 0;              // it runs on
  void* workspace = nullptr;   // of all programs
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

// A call of a program's own interface; its numbers are those of Failure.
Failure failure_of(int status, const char* said) {
  if (status == 0) return {};
  return last_error.say(static_cast<Failure::Kind>(status), "%s", said);
}

Failure create_box(Whole& created) {
  ImageFiltersBoxOptions options = IMAGE_FILTERS_BOX_OPTIONS;
  options.device = created.device;
  options.workspace = created.workspace;
  options.workspace_bytes = kWorkspaceBytes;
  options.allocate = created.allocator.allocate;
  options.release = created.allocator.release;
  options.user = created.allocator.user;
  return failure_of(image_filters_box_create_with(&created.box, &options),
                    image_filters_box_last_error());
}

Failure create_bilateral(Whole& created) {
  ImageFiltersBilateralOptions options = IMAGE_FILTERS_BILATERAL_OPTIONS;
  options.device = created.device;
  options.workspace = created.workspace;
  options.workspace_bytes = kWorkspaceBytes;
  options.allocate = created.allocator.allocate;
  options.release = created.allocator.release;
  options.user = created.allocator.user;
  return failure_of(image_filters_bilateral_create_with(&created.bilateral, &options),
                    image_filters_bilateral_last_error());
}

// What each keeps in the workspace has a place of its own.
Failure create_programs(Whole& created, const ImageFiltersOptions&) {
  if (const Failure failure = create_box(created)) return failure;
  if (const Failure failure = create_bilateral(created)) return failure;
  return {};
}

void release(Whole& instance) {
  image_filters_box_destroy(instance.box);
  image_filters_bilateral_destroy(instance.bilateral);
}

}  // namespace

ImageFiltersStatus image_filters_create_with(ImageFiltersInstance** instance,
                                             const ImageFiltersOptions* options) {
  Whole* created = nullptr;
  const Failure failure =
      create_instance(instance == nullptr ? nullptr : &created, options, kDefaults, kWorkspaceBytes,
                      last_error, {.take_weights = create_programs, .release = release});
  if (instance != nullptr) *instance = created;
  return failure;
}

void image_filters_destroy(ImageFiltersInstance* instance) {
  destroy_instance(static_cast<Whole*>(instance), release);
}

int64_t image_filters_workspace_bytes() { return kWorkspaceBytes; }

const char* image_filters_last_error() { return last_error.text(); }

const char* image_filters_status_text(ImageFiltersStatus status) { return status_text(status); }
