// embedding_lookup.cu: what the programs of embedding_lookup share, over the interface of each.
//
// Arena: 256 bytes, that of the largest program; of all, 256 bytes.

#include "embedding_lookup/embedding_lookup.h"

#include "launcher/failure.cuh"
#include "launcher/instance.cuh"

namespace {

constexpr int64_t kWorkspaceBytes = 256;
constexpr EmbeddingLookupOptions kDefaults = EMBEDDING_LOOKUP_OPTIONS;

thread_local constinit LastError last_error("embedding_lookup");

// What callers do not see of an instance.
struct Whole : EmbeddingLookupInstance {
  Whole() : EmbeddingLookupInstance() {}

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

Failure create_embedding_lookup(Whole& created) {
  EmbeddingLookupEmbeddingLookupOptions options = EMBEDDING_LOOKUP_EMBEDDING_LOOKUP_OPTIONS;
  options.device = created.device;
  options.workspace = created.workspace;
  options.workspace_bytes = kWorkspaceBytes;
  options.allocate = created.allocator.allocate;
  options.release = created.allocator.release;
  options.user = created.allocator.user;
  return failure_of(embedding_lookup_embedding_lookup_create_with(&created.embedding_lookup, &options),
                    embedding_lookup_embedding_lookup_last_error());
}

Failure create_places(Whole& created) {
  EmbeddingLookupPlacesOptions options = EMBEDDING_LOOKUP_PLACES_OPTIONS;
  options.device = created.device;
  options.workspace = created.workspace;
  options.workspace_bytes = kWorkspaceBytes;
  options.allocate = created.allocator.allocate;
  options.release = created.allocator.release;
  options.user = created.allocator.user;
  return failure_of(embedding_lookup_places_create_with(&created.places, &options),
                    embedding_lookup_places_last_error());
}

// What each keeps in the workspace has a place of its own.
Failure create_programs(Whole& created, const EmbeddingLookupOptions&) {
  if (const Failure failure = create_embedding_lookup(created)) return failure;
  if (const Failure failure = create_places(created)) return failure;
  return {};
}

void release(Whole& instance) {
  embedding_lookup_embedding_lookup_destroy(instance.embedding_lookup);
  embedding_lookup_places_destroy(instance.places);
}

}  // namespace

EmbeddingLookupStatus embedding_lookup_create_with(EmbeddingLookupInstance** instance,
                                                   const EmbeddingLookupOptions* options) {
  Whole* created = nullptr;
  const Failure failure =
      create_instance(instance == nullptr ? nullptr : &created, options, kDefaults, kWorkspaceBytes,
                      last_error, {.take_weights = create_programs, .release = release});
  if (instance != nullptr) *instance = created;
  return failure;
}

void embedding_lookup_destroy(EmbeddingLookupInstance* instance) {
  destroy_instance(static_cast<Whole*>(instance), release);
}

int64_t embedding_lookup_workspace_bytes() { return kWorkspaceBytes; }

const char* embedding_lookup_last_error() { return last_error.text(); }

const char* embedding_lookup_status_text(EmbeddingLookupStatus status) { return status_text(status); }
