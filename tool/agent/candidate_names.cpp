#include "tool/agent/candidate_names.h"

#include "tool/base/text.h"

namespace agentic {

CandidateNames namesIn(const std::vector<Exchange> &exchanges) {
  CandidateNames names;
  for (const Exchange &exchange : exchanges)
    for (std::size_t i = 0; i < exchange.candidates.size(); ++i) {
      const std::string &file = exchange.parsed.files[i].name;
      // One idea covers several files: their names distinguish them.
      const bool isAlone = exchange.candidates.size() == 1 || file.empty();
      names.ideas.try_emplace(exchange.candidates[i],
                              isAlone ? exchange.parsed.idea : exchange.parsed.idea + " (" + file + ")");
      names.files.try_emplace(exchange.candidates[i], file);
    }
  return names;
}

std::string fencedSource(const std::string &text, const std::string &name) {
  return "```cpp" + (name.empty() ? "" : " " + name) + "\n" + std::string(trim(text)) + "\n```";
}

} // namespace agentic
