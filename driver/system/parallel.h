// Doing something for each of many things, several at a time.
#pragma once

#include <cstddef>
#include <functional>

namespace sinter {

// How many things are done at a time: the cores of this machine, within reason.
size_t parallel_threads();

// Calls work(0), ..., work(count - 1), in no order; returns when all have. `work` must not throw.
void for_each_parallel(size_t count, const std::function<void(size_t)>& work);

}  // namespace sinter
