// Stands in for <string.h> when emitted code is verified (review/verify/verify_emitted.h): memcpy and memset are of the
// device too.
#pragma once

#include <cuda_runtime.h>

extern "C" {
int memcmp(const void* a, const void* b, size_t bytes);
size_t strlen(const char* text);
int strcmp(const char* a, const char* b);
}
