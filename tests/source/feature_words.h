// Expectations of the words that a kernel gets.
#pragma once

#include "tool/base/text.h"
#include "tool/source/features/features.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace agentic {

inline std::set<std::string> listed(const char *words) {
  std::set<std::string> result;
  for (const std::string &word : split(words, ' '))
    if (!word.empty())
      result.insert(word);
  return result;
}

inline void expectWords(const KernelFeatures &features, const char *words, const char *notWords) {
  for (const std::string &word : listed(words)) {
    EXPECT_TRUE(isFeatureWord(word)) << word << " is not in the list";
    EXPECT_TRUE(features.has(word)) << "lacks " << word << " in:\n" << featuresText(features);
  }
  for (const std::string &word : listed(notWords)) {
    EXPECT_TRUE(isFeatureWord(word)) << word << " is not in the list";
    EXPECT_FALSE(features.has(word)) << "has " << word << " in:\n" << featuresText(features);
  }
}

} // namespace agentic
