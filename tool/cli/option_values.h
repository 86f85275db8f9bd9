// Checks of options' values whose errors name the valid ones; CLI11's own name the value alone.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class Validator;
}

namespace agentic {

/// Accepts one of these words; help and completions list them.
CLI::Validator oneOf(const std::vector<std::string> &words);

/// Accepts a list of these words, separated by commas.
CLI::Validator listOf(const std::vector<std::string> &words);

} // namespace agentic
