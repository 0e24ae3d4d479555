// conv3x3_bias_relu.cu: what the programs of conv3x3_bias_relu share, over the interface of each.
//
// Arena: 3.3 kB, that of the largest program; of all, 3.3 kB.
// Kept between runs: 256 bytes.

#include "conv3x3_bias_relu/conv3x3_bias_relu.h"

#include "launcher/failure.cuh"
#include "launcher/instance.cuh"

namespace {

constexpr int64_t kWorkspaceBytes = 3584;
constexpr Conv3x3BiasReluOptions kDefaults = CONV3X3_BIAS_RELU_OPTIONS;

thread_local constinit LastError last_error("conv3x3_bias_relu");

// What callers do not see of an instance.
struct Whole : Conv3x3BiasReluInstance {
  Whole() : Conv3x3BiasReluInstance() {}

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

Failure create_conv3x3_bias_relu(Whole& created) {
  Conv3x3BiasReluConv3x3BiasReluOptions options = CONV3X3_BIAS_RELU_CONV3X3_BIAS_RELU_OPTIONS;
  options.device = created.device;
  options.workspace = created.workspace;
  options.workspace_bytes = kWorkspaceBytes;
  options.allocate = created.allocator.allocate;
  options.release = created.allocator.release;
  options.user = created.allocator.user;
  return failure_of(conv3x3_bias_relu_conv3x3_bias_relu_create_with(&created.conv3x3_bias_relu, &options),
                    conv3x3_bias_relu_conv3x3_bias_relu_last_error());
}

Failure create_conv_pool(Whole& created) {
  Conv3x3BiasReluConvPoolOptions options = CONV3X3_BIAS_RELU_CONV_POOL_OPTIONS;
  options.device = created.device;
  options.workspace = created.workspace;
  options.workspace_bytes = kWorkspaceBytes;
  options.allocate = created.allocator.allocate;
  options.release = created.allocator.release;
  options.user = created.allocator.user;
  return failure_of(conv3x3_bias_relu_conv_pool_create_with(&created.conv_pool, &options),
                    conv3x3_bias_relu_conv_pool_last_error());
}

// What each keeps in the workspace has a place of its own.
Failure create_programs(Whole& created, const Conv3x3BiasReluOptions&) {
  if (const Failure failure = create_conv3x3_bias_relu(created)) return failure;
  if (const Failure failure = create_conv_pool(created)) return failure;
  return {};
}

void release(Whole& instance) {
  conv3x3_bias_relu_conv3x3_bias_relu_destroy(instance.conv3x3_bias_relu);
  conv3x3_bias_relu_conv_pool_destroy(instance.conv_pool);
}

}  // namespace

Conv3x3BiasReluStatus conv3x3_bias_relu_create_with(Conv3x3BiasReluInstance** instance,
                                                    const Conv3x3BiasReluOptions* options) {
  Whole* created = nullptr;
  const Failure failure =
      create_instance(instance == nullptr ? nullptr : &created, options, kDefaults, kWorkspaceBytes,
                      last_error, {.take_weights = create_programs, .release = release});
  if (instance != nullptr) *instance = created;
  return failure;
}

void conv3x3_bias_relu_destroy(Conv3x3BiasReluInstance* instance) {
  destroy_instance(static_cast<Whole*>(instance), release);
}

int64_t conv3x3_bias_relu_workspace_bytes() { return kWorkspaceBytes; }

const char* conv3x3_bias_relu_last_error() { return last_error.text(); }

const char* conv3x3_bias_relu_status_text(Conv3x3BiasReluStatus status) { return status_text(status); }
