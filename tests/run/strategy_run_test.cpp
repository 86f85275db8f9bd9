// Whole runs with each strategy, over a model and an evaluator that are functions of what they get: a run that was
// killed after any of its events goes on to the same end, a recording repeats one, and no budget is passed.
#include "tests/run/hashed_run.h"
#include "tool/base/text.h"
#include "tool/llm/cassette.h"
#include "tool/memory/recall.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <set>

namespace agentic {
namespace {

using testing::HasSubstr;

/// Strategies, with "+" the roles that are on.
constexpr const char *kStrategies[] = {
    "linear",     "best-of=4",      "beam=2/2/1",        "beam=2/1/2",          "tree=30/50",
    "linear+all", "beam=2/2/1+all", "islands=2/2/3+all", "beam=2/1/2+research", "best-of=4+given"};
constexpr int kIterations = 14, kDroppingIterations = 26; ///< the latter: until a judge's objections count

/// Returns the last file in a question.
std::string fileIn(const std::string &text) {
  const std::size_t begin = text.find('\n', text.rfind("```cpp")) + 1;
  return text.substr(begin, text.find("```", begin) - begin);
}

/// Returns the first file in a question.
std::string firstFileIn(const std::string &text) {
  const std::size_t begin = text.find('\n', text.find("```cpp")) + 1;
  return text.substr(begin, text.find("```", begin) - begin);
}

/// Answers as each role does; now and then nothing that can be read.
class RolesModel : public HashedModel {
protected:
  std::string textOf(const ChatRequest &request, unsigned number) const override {
    const std::string role = roleAsked(request);
    if (role.empty())
      return HashedModel::textOf(request, number);
    const std::string text = std::to_string(number);
    if (role == "researcher" && !isUseless)
      return request.messages.back().text.contains("# What you looked up")
                 ? "HYPOTHESIS: one " + text + "\nWHY: a\nGAIN: 1.2\nHYPOTHESIS: two\nWHY: b\nGAIN: 1.5\n"
                 : "SEARCH: words " + text + "\n";
    if (number % 7 == 0 || isUseless)
      return "Perhaps.";
    if (role == "planner")
      return "PLAN: one " + text + "\nGAIN: 1.5\nWHY: a\nPLAN: two " + text + "\nGAIN: 1.2\nWHY: b\n";
    if (role == "judge")
      return isHashedToRejection(fileIn(request.messages.back().text)) ? "VERDICT: wrong\nWHY: n = " + text + "\n"
                                                                       : "VERDICT: keep\nWHY: fine\n";
    if (role == "reviewer")
      return "Read this.\n```cpp a.cpp\n// " + text + "\n" + firstFileIn(request.messages.back().text) + "```\n";
    return "TITLE: t " + text + "\nWHAT: w\nWHY: y\n";
  }

private:
  /// Returns the role that a request's system prompt speaks to; empty: one that writes files.
  static std::string roleAsked(const ChatRequest &request) {
    constexpr std::string_view kBegin = "You are the ";
    const std::string &system = request.messages.front().text;
    return system.starts_with(kBegin) ? system.substr(kBegin.size(), system.find(" of a") - kBegin.size()) : "";
  }
};

/// What a run did, without times.
struct Story {
  std::vector<std::string> attempts, asked, requests, roles, judged, summaries, reviewed;
  std::string winner;
  bool operator==(const Story &) const = default;
};

Story storyOf(const std::string &directory) {
  Story story;
  const auto record = readRun(directory);
  EXPECT_TRUE(record) << record.error().message;
  for (const Attempt &attempt : record->attempts)
    story.attempts.push_back(attempt.candidate.parent + " -> " + attempt.candidate.id);
  for (const Asked &asked : record->asked) {
    const Ask &ask = asked.ask;
    nlohmann::json value = {{"parent", ask.parent},
                            {"tried", ask.tried},
                            {"round", ask.round},
                            {"plan", ask.plan},
                            {"file", ask.file},
                            {"idea", ask.idea},
                            {"draw", ask.draw.value_or(-1)},
                            {"fixes", ask.fixes}};
    story.asked.push_back(value.dump());
  }
  const auto calls = CallLog::read(directory);
  EXPECT_TRUE(calls);
  for (const CallRecord &call : *calls) {
    story.requests.push_back(call.requestHash);
    story.roles.push_back(call.purpose.role + " of " + call.purpose.about);
  }
  for (const Opinion &opinion : record->judged)
    story.judged.push_back(opinion.candidate + (opinion.isDropped ? " dropped: " : ": ") + opinion.objection);
  for (const Summary &summary : record->summaries)
    story.summaries.push_back(summary.parent + " -> " + summary.candidate + ": " + summary.title);
  for (const auto &[winner, review] : record->reviewed)
    story.reviewed.push_back(winner + " -> " + review.candidate.id + ": " + review.summary);
  if (record->winner)
    story.winner = record->winner->candidate.id;
  return story;
}

class StrategyRun : public HashedRun {
protected:
  void SetUp() override {
    const std::string row = GetParam();
    config_.model.strategy = row.substr(0, row.find('+'));
    hasRoles_ = row.ends_with("+all");
    isResearched_ = hasRoles_ || row.ends_with("+research");
    isGiven_ = row.ends_with("+given");
    config_.maxIterations = row == "beam=2/2/1+all" ? kDroppingIterations : kIterations;
    config_.recalled = {{.title = "of an earlier run", .words = {"float"}, .speedup = {.ratio = 2}}};
  }
  void adjust(LlmAgentSettings &settings, const RunRecord &record) override {
    settings.memory = memoryForPrompt(record.config.recalled);
    settings.record = record_;
    if (hasRoles_)
      for (const Role role : {Role::Planner, Role::Fixer, Role::Judge, Role::Summarizer, Role::Reviewer})
        settings.roles.push_back({.role = role});
    if (isResearched_)
      settings.roles.push_back({.role = Role::Researcher});
    if (isGiven_)
      settings.hypotheses = {{"two rows at once", "half the loads", 1.2, "", ""}, {"lanes", "no chain", 2, "", ""}};
    settings.research.search = [](const std::string &words) {
      return std::vector<Retrieved>{{.title = "passage", .text = "found by " + words, .isForeign = true}};
    };
  }
  void prepare(RunRequest &request) override {
    if (hasRoles_)
      request.shortening.reviewSeconds = [] { return kNoTimeLimit; };
  }
  std::string run(const std::string &runs, bool resumes = false,
                  std::unique_ptr<ChatModel> model = std::make_unique<RolesModel>()) {
    return HashedRun::run(runs, resumes, std::move(model));
  }

  bool hasRoles_ = false;     ///< all of them, each on the agent's own model
  bool isResearched_ = false; ///< one of them is the researcher, or it is the only one
  bool isGiven_ = false;      ///< hypotheses are, in its place
  RecordAnswer record_;       ///< of the next runs
};

/// Writes the first lines, as far as they are about at most `mostCalls` calls.
void writeBegin(const fs::path &file, const std::vector<std::string> &lines, std::size_t count, int mostCalls) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    if (nlohmann::json::parse(lines[i]).value("call", 0) <= mostCalls)
      text += lines[i];
  EXPECT_TRUE(writeFileAtomic(file, text));
}

std::string eventOf(const std::string &line) {
  return nlohmann::json::parse(line).value("event", "");
}

/// Returns how many calls were made before the first `count` events were journaled: those of the proposals, what their
/// judge and summarizer said, and the reviewer's, which come last.
int callsBefore(const std::vector<std::string> &events, std::size_t count, const Story &story) {
  int calls = 0;
  for (std::size_t i = 0; i < std::min(count, events.size()); ++i)
    calls = std::max(calls, nlohmann::json::parse(events[i]).value("call", 0));
  const auto isAfterwards = [&](const std::string &role) {
    return role.starts_with("judge ") || role.starts_with("summarizer ");
  };
  while (calls > 0 && calls < int(story.roles.size()) && isAfterwards(story.roles[std::size_t(calls)]))
    ++calls;
  std::map<std::string, std::ptrdiff_t> reviews; // calls, by what they are about
  for (std::size_t i = 0; i < std::min(count, events.size()); ++i) {
    const std::string about = "reviewer of " + nlohmann::json::parse(events[i]).value("winner", "");
    if (eventOf(events[i]) == "reviewing")
      ++reviews[about];
    if (eventOf(events[i]) == "reviewed")
      reviews[about] =
          std::ranges::count_if(story.roles, [&](const std::string &role) { return role.starts_with(about); });
  }
  for (const auto &[about, number] : reviews)
    calls += int(number);
  return calls;
}

/// Every call costs and is answered once, whether its answer was journaled before the process died or not.
TEST_P(StrategyRun, KilledAfterAnyEventItGoesOnToTheSameEnd) {
  const fs::path whole = run(folder("whole"));
  const Story story = storyOf(whole);
  ASSERT_EQ(outcome_.iterations, config_.maxIterations);
  if (hasRoles_)
    ASSERT_GT(story.requests.size(), 2 * std::size_t(config_.maxIterations));
  else
    ASSERT_EQ(story.requests.size(), std::size_t(config_.maxIterations + (isResearched_ ? 2 : 0)));
  std::set<std::string> parents;
  for (const Asked &asked : readRun(whole)->asked)
    parents.insert(asked.ask.parent);
  EXPECT_EQ(parents.size() > 1, config_.model.strategy != "linear") << "it would prove nothing of parents";
  const std::string roles = join(story.roles, ", ");
  if (isResearched_) {
    EXPECT_THAT(roles, HasSubstr("researcher of question 1, researcher of question 2"));
  }
  if (isResearched_ && !hasRoles_) {
    for (const char *carried : {"coder of hypothesis 2 of call 2", "coder of hypothesis 1 of call 2"})
      EXPECT_THAT(roles, HasSubstr(carried)) << "it would prove nothing of hypotheses";
  }
  if (isGiven_) {
    for (const char *carried : {"coder of hypothesis 2 of the file", "coder of hypothesis 1 of the file"})
      EXPECT_THAT(roles, HasSubstr(carried)) << "it would prove nothing of hypotheses";
  }
  if (hasRoles_) {
    for (const char *role :
         {"planner of", "coder of plan", "fixer of c", "judge of c", "summarizer of c", "reviewer of c"})
      EXPECT_THAT(roles, HasSubstr(role)) << "it would prove nothing of roles";
    if (config_.maxIterations == kDroppingIterations) {
      EXPECT_THAT(join(story.judged, ", "), HasSubstr("dropped"));
    }
    EXPECT_FALSE(story.reviewed.empty());
  }
  EXPECT_THAT(readFile(whole / "calls" / "0001-1.request.json").value_or(""), HasSubstr("of an earlier run"));
  config_.recalled.clear(); // what the memory has now must not matter
  const std::vector<std::string> events = linesOf(whole / "journal.jsonl"), calls = linesOf(whole / "calls.jsonl");
  ASSERT_GT(events.size(), 3u * std::size_t(config_.maxIterations) / 2); // one that is dropped has no verdict
  for (std::size_t count = 1; count <= events.size(); ++count) {
    const int before = callsBefore(events, count, story);
    // Answers to its next question, whose proposal was not journaled.
    const bool isAsking =
        count == events.size() || isOneOf(eventOf(events[count]), {"proposed", "reviewing", "reviewed"});
    const int after = isAsking    ? std::max(before + 1, callsBefore(events, count + 1, story))
                      : hasRoles_ ? before
                                  : before + 1;
    for (int answered = before; answered <= after; ++answered) {
      const fs::path runs = folder(std::to_string(count) + "-" + std::to_string(answered));
      const fs::path directory = runs / whole.filename();
      fs::copy(whole, directory, fs::copy_options::recursive);
      writeBegin(directory / "journal.jsonl", events, count, 1 << 20);
      writeBegin(directory / "calls.jsonl", calls, calls.size(), answered);
      run(runs.string(), true);
      EXPECT_EQ(storyOf(directory), story) << "after event " << count << ", " << answered << " calls answered";
      fs::remove_all(runs);
    }
  }
}

TEST_P(StrategyRun, ARecordingRepeatsIt) {
  const std::string file = (scratch_.path() / "recording.jsonl").string();
  auto recorder = std::make_shared<Recorder>(*Recorder::open(file, "answering", {}));
  record_ = [&](const ChatRequest &request, const ChatResult<ChatReply> &answer) {
    EXPECT_TRUE(recorder->add(request, answer));
  };
  const std::string recorded = run(folder("recorded"));
  record_ = {};
  auto model = makeReplayModel("replay:" + file);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(storyOf(run(folder("replayed"), false, std::move(*model))), storyOf(recorded));
}

TEST_P(StrategyRun, NoBudgetIsPassed) {
  config_.maxIterations = 1000;
  config_.model.budgetUsd = 0.05; // of which the worst case of one call is a third
  run(folder("usual"));
  EXPECT_EQ(outcome_.reason, StopReason::Agent);
  EXPECT_THAT(outcome_.agentStop, HasSubstr("$0.05"));
  EXPECT_LE(totals_.usd, 0.05);
  EXPECT_GT(totals_.calls, 10);
  auto useless = std::make_unique<RolesModel>();
  useless->isUseless = true;
  run(folder("useless"), false, std::move(useless));
  EXPECT_LE(totals_.usd, 0.05);
  EXPECT_GT(totals_.usd, 0.03);
  if (!hasRoles_) {
    EXPECT_EQ(outcome_.iterations, totals_.calls);
  }
}

INSTANTIATE_TEST_SUITE_P(All, StrategyRun, testing::ValuesIn(kStrategies), nameOfRow);

TEST(StrategiesThatAreRun, AreAll) {
  expectEveryStrategyIn(kStrategies);
}

} // namespace
} // namespace agentic
