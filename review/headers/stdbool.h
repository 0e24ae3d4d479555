// Stands in for <stdbool.h> when emitted code is verified (review/verify_emitted.h): C++ has bool.
#pragma once
