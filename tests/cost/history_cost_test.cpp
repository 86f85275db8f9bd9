// Tests what 50 tries send to a model in all, over one recorded run that each kind of history replays: the bounds in
// tool/agent/README.md. loop_cost prints the numbers.
#include "tests/cost/recorded_loop.h"

#include "tests/cost/counted_syncs.h"
#include "tool/base/files.h"
#include "tool/llm/cassette.h"
#include "tool/search/journal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace agentic::cost {
namespace {

std::size_t sumOf(const std::vector<std::size_t> &counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

class HistoryCost : public testing::Test {
protected:
  LoopRun record() { return runLoopWith(modelOfReplies(), {.folder = folder("recorded"), .recording = file()}); }
  LoopRun replay(const std::string &history) {
    auto model = makeReplayModel("replay:" + file());
    EXPECT_TRUE(model) << model.error().message;
    return runLoopWith(std::move(*model), {.folder = folder(history), .history = history});
  }

private:
  std::string file() const { return (scratch_.path() / "run.jsonl").string(); }
  std::string folder(const std::string &name) const {
    EXPECT_TRUE(createDirectories(scratch_.path() / name));
    return (scratch_.path() / name).string();
  }
  ScratchDirectory scratch_ = std::move(*ScratchDirectory::create(fs::temp_directory_path(), "loop-cost"));
};

TEST_F(HistoryCost, CompactStaysAndFullGrowsOverARecordedRun) {
  const LoopRun recorded = record();
  const int before = countedSyncs().count;
  const LoopRun compact = replay("compact");
  const int syncs = countedSyncs().count - before;
  const LoopRun full = replay("full");
  for (const LoopRun *run : {&recorded, &compact, &full}) {
    ASSERT_EQ(run->sent.tokens.size(), 50u);
    EXPECT_EQ(run->outcome.iterations, 50);
    // Every reply was a candidate, judged as in every other run.
    EXPECT_EQ(run->outcome.rejected, recorded.outcome.rejected);
    EXPECT_FALSE(run->outcome.rejected.contains("reply"));
    ASSERT_TRUE(run->outcome.best);
    EXPECT_EQ(run->outcome.best->id, recorded.outcome.best->id);
  }
  EXPECT_EQ(compact.sent.tokens, recorded.sent.tokens);
  const std::vector<std::size_t> &tokens = compact.sent.tokens;
  const std::size_t most = *std::max_element(tokens.begin() + 5, tokens.end());
  EXPECT_LE(double(tokens[49]), 1.3 * double(tokens[4])) << tokens[4] << " -> " << tokens[49];
  EXPECT_LE(double(most), 1.3 * double(tokens[4])) << tokens[4] << " -> " << most;
  EXPECT_GE(sumOf(full.sent.tokens), 5 * sumOf(tokens));
  EXPECT_GE(sumOf(full.sent.bytes), 5 * sumOf(compact.sent.bytes));
  // A try waits for the disk five times: reservation, reply, candidate, proposal, verdict. A run waits at its begin, at
  // its search's begin, and before and after its best is confirmed.
  EXPECT_EQ(syncs, 5 * 50 + 4);
  std::printf("[ TOKENS   ] compact: %zu at 5, %zu at 50, at most %zu; in all %zu, full %zu (%.1fx)\n", tokens[4],
              tokens[49], most, sumOf(tokens), sumOf(full.sent.tokens),
              double(sumOf(full.sent.tokens)) / double(sumOf(tokens)));
}

/// Returns how often a try waits for the disk: with its proposal, and with its verdict.
std::pair<int, int> syncsOfTry(Proposal proposal) {
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "syncs");
  auto journal = Journal::create((scratch->path() / "runs").string(), {.kernel = "k"}, RunConfig{});
  const Candidate candidate = makeCandidate("void a();", "x");
  proposal.candidates = {candidate};
  const int before = countedSyncs().count;
  EXPECT_TRUE(journal->proposed(proposal, 0));
  const int proposed = countedSyncs().count;
  EXPECT_TRUE(journal->evaluated(candidate, Evaluation{}, false, 1));
  return {proposed - before, countedSyncs().count - proposed};
}

// What costs nothing is proposed again after a power cut, so only its verdict waits, with its text.
TEST(JournalCost, AFreeProposalDoesNotWaitForTheDisk) {
  EXPECT_EQ(syncsOfTry({}), (std::pair{0, 2}));
  EXPECT_EQ(syncsOfTry({.call = 1}), (std::pair{2, 1}));
}

TEST(TokenCount, IsThatOfPieces) {
  EXPECT_EQ(tokenCount(""), 0u);
  EXPECT_EQ(tokenCount("sum += A[i * K];"), 8u); // sum| +=| A|[|i| *| K|];
  EXPECT_EQ(tokenCount("12345"), 2u);
  EXPECT_EQ(tokenCount("\n\n    x"), 2u);
}

} // namespace
} // namespace agentic::cost
