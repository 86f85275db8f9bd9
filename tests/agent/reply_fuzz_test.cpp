// 10,000 mutated replies, under sanitizers: no crash, no hang, and each gives candidates within the limits or a reason
// why there is none. 10,000 of roles: what is read is bounded and one line each.
#include "tool/agent/reply_parser.h"
#include "tool/agent/role_replies.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>

namespace agentic {
namespace {

const ReplyRules kRules{.identifier = "f", .mostBytes = 4096, .mostFiles = 4};

const std::vector<std::string> kSeeds = {
    "Idea: one.\n```cpp a.cpp\nvoid f() {}\n```\nand\n~~~~cpp b.cpp\nvoid f() { /* ``` */ }\n~~~~\n",
    "<think>no ```cpp\nvoid f();\n``` yet</think>\n**a.cpp**\n```c++ title=\"a.cpp\"\nvoid f() {}\n```",
    "   ```\n   void f() {}\n   ```\n```bash\nls\n```\n```cpp\nint f;\n",
    R"({"name":"a.cpp","source":"#include <cmath>\nvoid f() { g('\\0'); }\n"})",
    "{\"name\":\"a\",\"source\":\"line\nbreak \\q \\u12 \\ud800\"}"};
const std::vector<std::string> kPieces = {
    "```",  "~~~",      "\n",       "`",       "\\",        "\"", "{",
    "}",    "[",        "</think>", "<think>", "cpp a.cpp", "f",  std::string(1, '\0'),
    "\xff", "\xe2\x80", "\r",       "\\u"};

const std::vector<std::string> kRoleSeeds = {
    "PLAN: eight sums\nGAIN: 1.5\nWHY: no chain\nPLAN: blocks\nGAIN: about 2x\nWHY: less traffic\n",
    "**VERDICT:** wrong\n- WHY: n = 3 reads x[4]\n",
    "VERDICT: same\nWHY: as #2\n",
    "<think>TITLE: x</think>\nTITLE: lanes\nWHAT: sums in lanes\nWHY: no chain\n",
    "SEARCH: prefix sum\nSHOW: sum8\n",
    "HYPOTHESIS: lanes\nWHY: no chain\nGAIN: 1.4\nRISK: registers\nSOURCE: lanes\nPLAN: p\nWHY: w\nHYPOTHESIS: 1\n",
    "GAIN: 1e309\nPLAN:\nWHY: \nGAIN: -3 %\nVERDICT\nTITLE:: :\n"};
const std::vector<std::string> kRolePieces = {
    "PLAN:", "GAIN: ", "WHY:", "VERDICT: wrong",     "TITLE: ", "WHAT:",    "SEARCH: ", "HYPOTHESIS: 3", "RISK:",
    "\n",    "*",      ":",    std::string(1, '\0'), "\x1b[2J", "</think>", "\xff",     "\xe2\x80",      "9e99"};

class Mutator {
public:
  explicit Mutator(unsigned seed, const std::vector<std::string> &seeds = kSeeds,
                   const std::vector<std::string> &pieces = kPieces)
      : engine_(seed), seeds_(seeds), pieces_(pieces) {}
  std::size_t below(std::size_t limit) { return limit ? engine_() % limit : 0; }

  std::string operator()() {
    std::string text = seeds_[below(seeds_.size())];
    for (std::size_t i = 0, count = 1 + below(8); i < count; ++i)
      mutate(text);
    return text;
  }

private:
  void mutate(std::string &text) {
    const std::size_t at = below(text.size() + 1);
    switch (below(6)) {
    case 0:
      text.insert(at, pieces_[below(pieces_.size())]);
      break;
    case 1:
      text.erase(at, 1 + below(20));
      break;
    case 2:
      if (at < text.size())
        text[at] = static_cast<char>(below(256));
      break;
    case 3:
      text.resize(at);
      break;
    case 4:
      text += text.substr(at);
      break;
    default:
      text.insert(at, std::string(below(3000), pieces_[below(pieces_.size())].front()));
    }
  }
  std::mt19937 engine_;
  const std::vector<std::string> &seeds_, &pieces_;
};

void expectSound(const ParsedReply &parsed, std::size_t calls) {
  EXPECT_EQ(parsed.files.empty(), !parsed.problem.empty());
  EXPECT_LE(parsed.files.size(), kRules.mostFiles);
  EXPECT_LE(parsed.idea.size(), 160u);
  EXPECT_EQ(parsed.calls.size(), calls);
  for (const ReplyFile &file : parsed.files) {
    EXPECT_LE(file.text.size(), kRules.mostBytes + 1);
    EXPECT_EQ(file.text.empty() ? ' ' : file.text.back(), '\n');
    EXPECT_EQ(file.name.find('/'), std::string::npos);
  }
  for (const CallAnswer &call : parsed.calls)
    EXPECT_LE(call.error.size(), 2000u);
}

TEST(ReplyFuzz, TenThousandMutatedReplies) {
  Mutator mutated(20261122);
  constexpr ChatFinish kFinishes[] = {ChatFinish::Stop, ChatFinish::ToolCalls, ChatFinish::Length, ChatFinish::Refused};
  int withFiles = 0;
  for (int i = 0; i < 10000; ++i) {
    ChatReply reply;
    const std::string text = mutated();
    reply.finish = kFinishes[i % 20 < 17 ? i % 2 : mutated.below(4)];
    for (std::size_t k = 0; k < (i % 3 == 0 ? 1 + mutated.below(3) : 0); ++k)
      reply.message.toolCalls.push_back({"id", i % 50 ? "evaluate_kernel" : mutated(), mutated()});
    reply.message.text = text;
    const ParsedReply parsed = parseReply(reply, kRules);
    SCOPED_TRACE("reply " + std::to_string(i) + ": " + text.substr(0, 200));
    expectSound(parsed, reply.message.toolCalls.size());
    if (HasFailure())
      return;
    withFiles += parsed.files.empty() ? 0 : 1;
  }
  // Else the mutations would only test the first branch.
  EXPECT_GT(withFiles, 500);
  EXPECT_LT(withFiles, 9500);
}

void expectLine(const std::string &text, std::size_t most = kRoleLineBytes) {
  EXPECT_LE(text.size(), most);
  for (const char c : text)
    EXPECT_GE(static_cast<unsigned char>(c), 0x20) << text;
}

TEST(ReplyFuzz, TenThousandMutatedRepliesOfRoles) {
  Mutator mutated(20261128, kRoleSeeds, kRolePieces);
  int plans = 0, objections = 0, summaries = 0, lookups = 0, hypotheses = 0;
  for (int i = 0; i < 10000; ++i) {
    ChatReply reply;
    reply.message.text = mutated();
    SCOPED_TRACE("reply " + std::to_string(i) + ": " + reply.message.text.substr(0, 200));
    for (const StepPlan &plan : readPlans(reply, 3)) {
      ++plans;
      expectLine(plan.step);
      expectLine(plan.why);
      EXPECT_FALSE(plan.step.empty() || plan.why.empty());
      EXPECT_TRUE(!plan.gain || (*plan.gain > 0 && *plan.gain <= 1000));
      EXPECT_TRUE(plan.hypothesis >= 0 && plan.hypothesis <= int(kMostHypotheses));
    }
    EXPECT_LE(readPlans(reply, 3).size(), 3u);
    const Opinion opinion = readOpinion(reply);
    objections += opinion.objection.empty() ? 0 : 1;
    expectLine(opinion.why);
    EXPECT_TRUE(opinion.objection.empty() || opinion.objection == "wrong" || opinion.objection == "same");
    EXPECT_FALSE(opinion.isDropped) << "that is not for a reply to say";
    if (const auto summary = readSummary(reply)) {
      ++summaries;
      expectLine(summary->title, kRoleTitleBytes);
      expectLine(summary->what);
      expectLine(summary->why);
      EXPECT_EQ(summary->candidate, "");
    }
    const ResearchAnswer research = readResearch(reply);
    lookups += research.lookups.empty() ? 0 : 1;
    hypotheses += research.hypotheses.empty() ? 0 : 1;
    EXPECT_LE(research.lookups.size(), kMostLookups);
    EXPECT_LE(research.hypotheses.size(), kMostHypotheses);
    EXPECT_TRUE(research.lookups.empty() || research.hypotheses.empty());
    for (const Lookup &lookup : research.lookups)
      expectLine(lookup.words, kRoleTitleBytes);
    for (const Hypothesis &hypothesis : research.hypotheses) {
      for (const std::string *text : {&hypothesis.what, &hypothesis.why, &hypothesis.risk, &hypothesis.source})
        expectLine(*text);
      EXPECT_FALSE(hypothesis.what.empty() || hypothesis.why.empty());
    }
    if (HasFailure())
      return;
  }
  // Else the mutations would only test the first branch.
  EXPECT_GT(plans, 500);
  EXPECT_GT(objections, 300);
  EXPECT_GT(summaries, 200);
  EXPECT_GT(lookups, 200);
  EXPECT_GT(hypotheses, 200);
}

// A file that a person wrote, or a program. What is read of it is read of what is written of it.
TEST(ReplyFuzz, FiveThousandMutatedFilesOfHypotheses) {
  const std::vector<std::string> seeds = {
      "# Hypotheses\n\n## Hypothesis 1\n\nblock for the caches\n\n- why: less traffic\n- expected: 2 times as fast\n- "
      "how "
      "it could fail: too small\n- from: sum8\n\n## Hypothesis 2\nlanes\n- two\n- why: no chain\n"};
  const std::vector<std::string> pieces = {"## Hypothesis 3\nx\n- why: y\n",
                                           "- why: ",
                                           "- expected: 1.5",
                                           "- from:",
                                           "- --",
                                           "\r\n",
                                           "\x1b[31m",
                                           "# ",
                                           "\xff",
                                           "\n\n",
                                           "- how it could fail: z\n"};
  Mutator mutated(20261129, seeds, pieces);
  int read = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::string text = mutated();
    SCOPED_TRACE("file " + std::to_string(i) + ": " + text.substr(0, 300));
    const auto all = readHypotheses(text, "h.md");
    if (!all) {
      EXPECT_THAT(all.error().message, testing::StartsWith("h.md"));
      EXPECT_NE(all.error().next, "");
      continue;
    }
    ++read;
    EXPECT_LE(all->size(), kMostGivenHypotheses);
    for (const Hypothesis &one : *all)
      for (const std::string *line : {&one.what, &one.why, &one.risk, &one.source})
        expectLine(*line, kGivenHypothesisBytes);
    const std::string written = hypothesesMarkdown("", *all);
    const auto again = readHypotheses(written, "h.md");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(hypothesesMarkdown("", *again), written);
    if (HasFailure())
      return;
  }
  EXPECT_GT(read, 500);
  EXPECT_LT(read, 4500);
}

} // namespace
} // namespace agentic
