// What an agent that asks a model is asked for next, as the run's strategy decided (search/ask_strategy.h). It is
// journaled with the proposal that answers it, so that the journal alone says what comes next.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace agentic {

struct Ask {
  std::string strategy; ///< name of the strategy that decided; empty: none did, the agent goes on as it sees fit
  std::string parent;   ///< id of the candidate to go on from; empty: the baseline
  std::vector<std::string> tried;  ///< ids of what came of the parent so far, oldest first: the model is told of them
  std::vector<std::string> beside; ///< ids of candidates that are shown beside the parent
  int round = 0;                   ///< from 0
  int plan = 0, file = 0;          ///< of this round and parent, from 0; the files of one plan share its idea
  int plans = 0;                   ///< of this round and parent; 0: the strategy counts none
  std::string idea;                ///< id of the candidate whose idea is to be written once more; empty: a new idea
  int population = 0;              ///< from 0
  std::optional<double> draw;      ///< the random number, from 0 to below 1, that chose the parent
  std::string fixes; ///< id of the candidate that is mended: a further answer to the question that it came of; or empty
  std::string stop;  ///< why nothing more is asked; the rest then means nothing
};

/// An ask with the candidates that came of it; none: the reply had no usable one.
struct Asked {
  Ask ask;
  std::vector<std::string> candidates; ///< ids
  bool isInFlight = false;             ///< asked and not answered yet: no candidates, and not journaled
};

} // namespace agentic
