// What an emitted folder was made of, as its manifest records it.
#pragma once

#include <string>
#include <vector>

#include "driver/compile/read_module.h"

namespace sinter {

// A file that was read besides the program's text: an import or weights of a Grain file, Python files, a plan.
struct RecordedInput {
  std::string option;  // "--import"
  std::string name;    // imports: from the folder of the text; Python files: from that of --sources
  std::string hash;
};

struct Recorded {
  std::string generator, program, input_hash;
  std::vector<std::string> options;  // "--arch=90a", "--no-fma"; of files only the option: "--sources"
  std::vector<RecordedInput> inputs;
};

// Empty where the text is no manifest.
Recorded recorded_in(const std::string& manifest);

// What of a Grain file the folder's program is.
GrainChoice recorded_choice(const Recorded& recorded);

// "--arch=90a --no-fma", of what options the folder was made with.
std::string options_text(const Recorded& recorded);

// The options of a folder that joins programs, as its manifest records them: those of the programs, each once, and
// every file that one of them was made of.
std::string joined_option_text(const std::string& name, const std::vector<Recorded>& programs);

}  // namespace sinter
