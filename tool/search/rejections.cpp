#include "tool/search/rejections.h"

namespace agentic {

std::string rejectedBy(const Evaluation &evaluation) {
  if (evaluation.verdict == Verdict::Accepted)
    return {};
  if (evaluation.verdict == Verdict::NotFaster && evaluation.stage != Stage::Confirm)
    return stageName(Stage::Benchmark);
  return stageName(evaluation.stage);
}

std::map<std::string, int> rejectedBy(const RunRecord &record) {
  std::map<std::string, int> counts;
  for (const Iteration &iteration : record.iterations) {
    const std::string by =
        iteration.attempt ? rejectedBy(record.attempts[*iteration.attempt].evaluation) : kRejectedReply;
    if (!by.empty())
      ++counts[by];
  }
  for (const auto &[candidate, evaluation] : record.refused)
    ++counts[rejectedBy(evaluation)];
  return counts;
}

} // namespace agentic
