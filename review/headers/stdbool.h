// Stands in for <stdbool.h> when emitted code is verified (review/verify/verify_emitted.h): C++ has bool.
#pragma once
