// cumsum.hpp: the C++ interfaces of all programs of cumsum.

#pragma once

#include "cumsum_cumsum_rows/cumsum_cumsum_rows.hpp"
#include "cumsum_recurrence/cumsum_recurrence.hpp"
