// reload_each_step(): at the head of a loop's body, so that each step loads what it reads. What no
// step changes the compiler would keep in registers otherwise, the weights of a network too, of
// which there are more than registers.
#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

__device__ inline void reload_each_step() { asm volatile("" ::: "memory"); }

}  // namespace sinter_helpers
