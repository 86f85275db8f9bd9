#include "tool/cli/option_values.h"

#include "tool/base/text.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace agentic {
namespace {

std::string whyNot(const std::string &word, const std::vector<std::string> &words) {
  if (std::ranges::find(words, word) != words.end())
    return {};
  return "'" + word + "' is none of " + join(words, ", ") + orMeant(word, words);
}

} // namespace

CLI::Validator oneOf(const std::vector<std::string> &words) {
  return CLI::Validator([words](std::string &word) { return whyNot(word, words); }, "{" + join(words, ",") + "}");
}

CLI::Validator listOf(const std::vector<std::string> &words) {
  return CLI::Validator(
      [words](std::string &list) {
        for (const std::string &word : split(list, ','))
          if (const std::string why = whyNot(word, words); !why.empty())
            return why;
        return std::string();
      },
      "");
}

} // namespace agentic
