// The texts for a model, as files (tool/agent/prompts): embedded in the tool, overridden one by one by files of the
// same names in the folder of --prompt-dir.
//
// A placeholder is {{name}}. Each prompt has its own, all of them required: a missing one (the model would not see the
// kernel, or the rules) or an unknown one is an error when the prompts are loaded. Values are inserted verbatim: a
// placeholder in them is not replaced.
#pragma once

#include "tool/base/error.h"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace agentic {

/// Returns the embedded text; empty for an unknown name (CMakeLists.txt lists the files).
std::string_view builtinPrompt(std::string_view file);

struct PromptRow {
  std::string_view file;                          ///< "system.md"
  std::span<const std::string_view> placeholders; ///< each occurs in it at least once
};
std::span<const PromptRow> promptTable();

using PromptValues = std::map<std::string, std::string, std::less<>>;

class Prompts {
public:
  /// Loads prompts; an empty `directory` means the tool's own. Errors name the file and the placeholder, or a file that
  /// overrides nothing.
  static Result<Prompts> load(const std::string &directory);

  /// Returns the prompt with every placeholder replaced; a line with nothing but an empty value is left out. `values`
  /// must have all placeholders of the prompt.
  std::string fill(std::string_view file, const PromptValues &values) const;

private:
  std::map<std::string, std::string, std::less<>> texts_;
};

} // namespace agentic
