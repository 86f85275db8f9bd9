// Checks of options' values whose errors say what would be right; CLI11's own name the value alone.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class Validator;
}

namespace agentic {

/// One of these words; help and completions list them.
CLI::Validator oneOf(const std::vector<std::string> &words);

/// A list of these words, separated by commas.
CLI::Validator listOf(const std::vector<std::string> &words);

} // namespace agentic
