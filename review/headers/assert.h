// Stands in for <assert.h> when emitted code is verified (review/verify/verify_emitted.h).
#pragma once

#define assert(condition) static_cast<void>(condition)
