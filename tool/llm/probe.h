// Which providers could be used here: keys by the names of their variables, addresses, and whether somebody answers
// there.
#pragma once

#include "tool/llm/providers.h"

namespace agentic {

enum class Reach { NotTried, Yes, No, KeyRefused };

struct ProviderState {
  std::string name;
  std::string keyName; ///< environment variable; empty = none
  bool needsKey = false, keyIsSet = false;
  std::string baseUrl, baseUrlName; ///< the address, and the environment variable that replaces it
  Reach reach = Reach::NotTried;
  std::string detail; ///< why not; may be empty
};

/// One state for each row of the table. With `ask`, servers on this machine and providers whose key is set are asked,
/// all at once, for at most five seconds and at no cost.
std::vector<ProviderState> providerStates(const EnvironmentLookup &environment, bool ask,
                                          const std::atomic<bool> *cancelled);

} // namespace agentic
