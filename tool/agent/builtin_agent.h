// The built-in search: proposes recipes of source transformations. No model, no network.
#pragma once

#include "tool/agent/agent.h"
#include "tool/agent/recipe_search.h"
#include "tool/source/transform.h"

#include <memory>

namespace agentic {

/// What `candidate.origin` begins with; the recipe's text follows, so that the journal is all the state there is.
inline constexpr std::string_view kBuiltinOrigin = "builtin: ";

class BuiltinAgent : public Agent {
public:
  /// At most four candidates, best guess first; none when every choice was tried. Errors: the kernel cannot be parsed.
  Result<Proposal> propose(const RunState &state) override;

private:
  Result<void> prepare(const RunState &state);
  std::unique_ptr<Transformer> transformer_;
  std::unique_ptr<RecipeSearch> search_;
  std::string preparedFor_; ///< family, kernel, start and seed
};

} // namespace agentic
