// The texts that a model is sent, as files (tool/agent/prompts): embedded in the tool, overridden one by one by files
// of the same names in the folder of --prompt-dir.
//
// A placeholder is {{name}}. Each prompt has its own, all of them required: one that is missing (the model would not
// see the kernel, or the rules) or unknown is an error when the prompts are loaded. Values are put in as they are: what
// looks like a placeholder in them is none.
#pragma once

#include "tool/base/error.h"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace agentic {

/// What the tool ships; empty for an unknown name (CMakeLists.txt lists the files).
std::string_view builtinPrompt(std::string_view file);

struct PromptRow {
  std::string_view file;                          ///< "system.md"
  std::span<const std::string_view> placeholders; ///< in it, each at least once
};
std::span<const PromptRow> promptTable();

using PromptValues = std::map<std::string, std::string, std::less<>>;

class Prompts {
public:
  /// `directory` empty: the tool's own. Errors name the file and the placeholder, or a file that overrides nothing.
  static Result<Prompts> load(const std::string &directory);

  /// With every placeholder replaced; a line that holds nothing but an empty value is left out. `values` must have all
  /// placeholders of the prompt.
  std::string fill(std::string_view file, const PromptValues &values) const;

private:
  std::map<std::string, std::string, std::less<>> texts_;
};

} // namespace agentic
