// Stands in for <stdio.h> when emitted code is verified (review/verify/verify_emitted.h). Device code may call printf
// of cuda_runtime.h.
#pragma once

#include <cstdio>
