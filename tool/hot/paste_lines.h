// Writes the lines that make a function a kernel.
#pragma once

#include "tool/hot/judgement.h"
#include "tool/source/extract/prospect.h"

#include <string>
#include <vector>

namespace agentic {

/// `target`: the one that compiles `file`. Tests and benchmarks are those programs that are linked with it and with
/// GoogleTest or Google Benchmark; where there are none, a comment says what is missing. Pure, but for asking whether
/// a CMakeLists.txt exists.
PasteLines pasteLines(const HotProject &project, const Prospect &prospect, const std::string &kernel,
                      const std::string &file, const std::string &target);

/// Adds FUNCTION where several of them are in one file: pasted together, none of them is the only marked function.
/// Pure.
void nameFunctions(const std::vector<PasteLines *> &all);

} // namespace agentic
