// What an emitted folder says that it computes: module.hlo is the program after graph passes, and plan.txt which kernel
// computes what of it. Arrays of constants are there as hashes, and of its Python an instruction's file and line.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emitter/host/emit_project.h"
#include "ir/module/module.h"

namespace sinter {

// The text of module.hlo.
std::string record_module(const Module& module);

struct RecordedModule {
  std::unique_ptr<Module> module;
  // Of each kernel the values that its plan lists and, behind them, what they are made from that no kernel's plan
  // lists: constants, broadcasts, elements of tuples.
  std::map<std::string, std::vector<const Instruction*>> kernels;
};

// nullopt where a folder has no such files, or they are not what is written there.
std::optional<RecordedModule> read_recorded_module(const FileSet& files);

// What the folder's program is called, and "sinter 0.1.0", who wrote it; empty where the manifest does not say it.
std::string program_of(const FileSet& files);
std::string generator_of(const FileSet& files);

// "model.py:12", or empty.
std::string python_line(const Instruction& instruction);

}  // namespace sinter
