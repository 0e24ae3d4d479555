// cumsum.h: the C interfaces of all programs of cumsum.

#pragma once

#include "cumsum_cumsum_rows/cumsum_cumsum_rows.h"
#include "cumsum_recurrence/cumsum_recurrence.h"
