// Stands in for <math.h> when emitted code is verified (review/verify/verify_emitted.h): nvcc reads it before every
// file.
#pragma once

#include <cuda_runtime.h>
