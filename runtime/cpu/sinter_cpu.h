// CUDA for the host compiler: what emitted kernels and launchers need to be built as plain C++20,
// without nvcc and without a GPU (`g++ -std=c++20 -x c++ -DSINTER_CPU kernel.cu`).
//
// Kernels run on one CPU thread, deterministically, with the meaning they have on a GPU: barriers,
// shuffles, votes, atomics, shared memory, cooperative grids. It is a tool for correctness and for
// small deployments; no claims of speed are made. Memory fences order nothing here that program
// order does not, so an error of the memory model shows on a GPU only. `#pragma unroll` is unknown
// to g++: build with -Wno-unknown-pragmas.
//
// SINTER_CPU_ORDER=forward|reverse|<seed>   the order in which threads and blocks take turns
// SINTER_CPU_BLOCKS=<n>                     how many blocks of a cooperative launch fit
// SINTER_CPU_CAPABILITY=89                  the device says it is this one: there is no code for it
// SINTER_CPU_DRIVER=12030                   the driver says it is this one: CUDA 12.3
#pragma once

#include "cpu/context.h"
#include "cpu/device.h"
#include "cpu/errors.h"
#include "cpu/grid_state.h"
#include "cpu/host_api.h"
#include "cpu/math.h"
#include "cpu/scheduler.h"
#include "cpu/settings.h"
