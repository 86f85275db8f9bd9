// Probes which providers can be used here: keys by the names of their variables, addresses, and whether a server
// answers there.
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
  std::string detail; ///< why it cannot be used; may be empty
};

/// Returns one state for each row of the table. `ask` makes requests to servers on this machine and providers whose key
/// is set, all at once, for at most five seconds and at no cost.
std::vector<ProviderState> providerStates(const EnvironmentLookup &environment, bool ask,
                                          const std::atomic<bool> *cancelled);

} // namespace agentic
