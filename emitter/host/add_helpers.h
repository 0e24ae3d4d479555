// The helpers that emitted files include: copies of templates/ and of the runtime.
#pragma once

#include "emitter/host/emit_project.h"

namespace sinter {

// Adds the helpers that the files include, and those that the helpers include, where they are not there. So with what
// `headers` include, the user's own, of our helpers.
void add_helpers(FileSet& files, const FileSet& headers = {});

}  // namespace sinter
