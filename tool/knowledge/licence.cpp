#include "tool/knowledge/licence.h"

#include "tool/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace agentic {
namespace {

constexpr std::size_t kLooked = 8192;

struct Mark {
  std::string_view first, second; ///< both must be there; lower case, single blanks
  std::string_view licence;
};
// The more particular ones first.
constexpr auto kMarks = std::to_array<Mark>({
    {"gnu lesser general public license", "version 3", "LGPL-3.0"},
    {"gnu lesser general public license", "version 2.1", "LGPL-2.1"},
    {"gnu lesser general public license", "", "LGPL"},
    {"gnu library general public license", "", "LGPL-2.0"},
    {"gnu affero general public license", "", "AGPL-3.0"},
    {"gnu general public license", "version 3", "GPL-3.0"},
    {"gnu general public license", "version 2", "GPL-2.0"},
    {"gnu general public license", "", "GPL"},
    {"apache license", "version 2.0", "Apache-2.0"},
    {"mozilla public license", "2.0", "MPL-2.0"},
    {"boost software license", "", "BSL-1.0"},
    {"distributed under the boost", "", "BSL-1.0"},
    {"unlicense", "public domain", "Unlicense"},
    {"creative commons legal code", "cc0", "CC0-1.0"},
    {"permission to use, copy, modify, and/or distribute", "", "ISC"},
    {"permission to use, copy, modify, and distribute this software for any purpose", "", "ISC"},
    {"permission is hereby granted, free of charge", "", "MIT"},
    {"mit license", "", "MIT"},
    {"this software is provided 'as-is'", "altered source versions", "Zlib"},
    {"redistribution and use in source and binary forms", "neither the name", "BSD-3-Clause"},
    {"redistribution and use in source and binary forms", "endorse or promote", "BSD-3-Clause"},
    {"redistribution and use in source and binary forms", "", "BSD-2-Clause"},
    {"bsd-style license", "", "BSD"},
    {"bsd license", "", "BSD"},
});

bool isPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '+';
}

/// Returns the expression behind "SPDX-License-Identifier:".
std::string tagged(std::string_view text) {
  constexpr std::string_view kTag = "SPDX-License-Identifier:";
  const std::size_t at = text.find(kTag);
  if (at == std::string_view::npos)
    return {};
  const std::string line = firstLine(text.substr(at + kTag.size()));
  std::vector<std::string> words;
  for (const std::string &word : split(trim(line), ' ')) {
    if (words.size() >= 9 || word.size() > 40)
      break;
    if (const std::string_view bare = trim(word);
        !bare.empty() && std::ranges::all_of(bare, [](char c) { return isPart(c) || c == '(' || c == ')'; }))
      words.emplace_back(bare);
    else if (!bare.empty())
      break;
  }
  return join(words, " ");
}

/// Lower case, comment signs and white space as single blanks.
std::string plainText(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool isBlank =
        std::isspace(static_cast<unsigned char>(c)) != 0 || c == '*' || c == '#' || c == '/' || c == ';';
    if (!isBlank)
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  return result;
}

/// Reads an SPDX expression, in which AND binds more than OR.
class LicenceExpression {
public:
  LicenceExpression(std::string_view text, std::span<const std::string> listed) : listed_(listed) {
    const std::string spaced = replaceAll(replaceAll(std::string(text), "(", " ( "), ")", " ) ");
    for (const std::string &word : split(spaced, ' '))
      if (!word.empty())
        words_.push_back(lowered(word));
  }
  bool isPermitted() { return !words_.empty() && anyOf() && at_ == words_.size(); }

private:
  bool takes(std::string_view word) {
    const bool isNext = at_ < words_.size() && words_[at_] == word;
    at_ += isNext ? 1 : 0;
    return isNext;
  }
  bool anyOf() {
    bool is = allOf();
    while (takes("or"))
      is = allOf() || is;
    return is;
  }
  bool allOf() {
    bool is = one();
    while (takes("and"))
      is = one() && is;
    return is;
  }
  bool one() {
    if (takes("(") && ++depth_ < kDeepest) {
      const bool is = anyOf();
      return takes(")") && is;
    }
    if (at_ >= words_.size()) {
      at_ = words_.size() + 1; // no expression
      return false;
    }
    const std::string &name = words_[at_++];
    const bool is = std::ranges::any_of(listed_, [&](const std::string &other) { return lowered(other) == name; });
    if (takes("with") && at_ < words_.size())
      ++at_;
    return is;
  }

  static constexpr int kDeepest = 8;
  std::span<const std::string> listed_;
  std::vector<std::string> words_;
  std::size_t at_ = 0;
  int depth_ = 0; ///< of all parentheses that were opened
};

} // namespace

bool isUnderListed(std::string_view expression, std::span<const std::string> listed) {
  return LicenceExpression(expression, listed).isPermitted();
}

std::string licenceOf(std::string_view text) {
  text = text.substr(0, kLooked);
  if (std::string tag = tagged(text); !tag.empty())
    return tag;
  const std::string plain = plainText(text);
  for (const Mark &mark : kMarks)
    if (plain.find(mark.first) != std::string::npos && plain.find(mark.second) != std::string::npos)
      return std::string(mark.licence);
  return {};
}

bool isLicenceFile(std::string_view name) {
  std::string upper(name);
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const std::string stem = upper.substr(0, upper.find('.'));
  return isOneOf(stem, {"LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "UNLICENSE"}) || stem.starts_with("LICENSE-") ||
         stem.starts_with("LICENSE_") || stem.starts_with("COPYING-");
}

} // namespace agentic
