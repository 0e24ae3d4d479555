// cumsum.cu: what the programs of cumsum share, over the interface of each.
//
// Arena: 2.0 kB, that of the largest program; of all, 2.0 kB.

#include "cumsum/cumsum.h"

#include "launcher/failure.cuh"
#include "launcher/instance.cuh"

namespace {

constexpr int64_t kWorkspaceBytes = 2048;
constexpr CumsumOptions kDefaults = CUMSUM_OPTIONS;

thread_local constinit LastError last_error("cumsum");

// What callers do not see of an instance.
struct Whole : CumsumInstance {
  Whole() : CumsumInstance() {}

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

Failure create_cumsum_rows(Whole& created) {
  CumsumCumsumRowsOptions options = CUMSUM_CUMSUM_ROWS_OPTIONS;
  options.device = created.device;
  options.workspace = created.workspace;
  options.workspace_bytes = kWorkspaceBytes;
  options.allocate = created.allocator.allocate;
  options.release = created.allocator.release;
  options.user = created.allocator.user;
  return failure_of(cumsum_cumsum_rows_create_with(&created.cumsum_rows, &options),
                    cumsum_cumsum_rows_last_error());
}

Failure create_recurrence(Whole& created) {
  CumsumRecurrenceOptions options = CUMSUM_RECURRENCE_OPTIONS;
  options.device = created.device;
  options.workspace = created.workspace;
  options.workspace_bytes = kWorkspaceBytes;
  options.allocate = created.allocator.allocate;
  options.release = created.allocator.release;
  options.user = created.allocator.user;
  return failure_of(cumsum_recurrence_create_with(&created.recurrence, &options),
                    cumsum_recurrence_last_error());
}

// What each keeps in the workspace has a place of its own.
Failure create_programs(Whole& created, const CumsumOptions&) {
  if (const Failure failure = create_cumsum_rows(created)) return failure;
  if (const Failure failure = create_recurrence(created)) return failure;
  return {};
}

void release(Whole& instance) {
  cumsum_cumsum_rows_destroy(instance.cumsum_rows);
  cumsum_recurrence_destroy(instance.recurrence);
}

}  // namespace

CumsumStatus cumsum_create_with(CumsumInstance** instance, const CumsumOptions* options) {
  Whole* created = nullptr;
  const Failure failure =
      create_instance(instance == nullptr ? nullptr : &created, options, kDefaults, kWorkspaceBytes,
                      last_error, {.take_weights = create_programs, .release = release});
  if (instance != nullptr) *instance = created;
  return failure;
}

void cumsum_destroy(CumsumInstance* instance) {
  destroy_instance(static_cast<Whole*>(instance), release);
}

int64_t cumsum_workspace_bytes() { return kWorkspaceBytes; }

const char* cumsum_last_error() { return last_error.text(); }

const char* cumsum_status_text(CumsumStatus status) { return status_text(status); }
