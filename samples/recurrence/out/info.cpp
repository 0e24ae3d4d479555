// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "recurrence/recurrence.h"

#include "launcher/architectures.cuh"

const RecurrenceInfo* recurrence_info() {
  static const RecurrenceInfo info = {
      .size = sizeof(RecurrenceInfo),
      .kernels = 2,
      .launches = 2,
      .interface_hash = RECURRENCE_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "f908bf178415654188c9e851a34073e136d1e0c029d9ee58ff0ea01c0440d90f",
      .architectures = kBuiltFor,
      .workspace_bytes = 8192,
      .weights_bytes = 0,
      .can_capture = kRecurrenceCanCapture,
  };
  return &info;
}
