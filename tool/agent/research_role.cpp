// The researcher's part of a run: before the first file it looks up patterns and passages, in few questions, and
// answers with hypotheses. They are the next plans, where no planner makes better ones of them.
#include "tool/agent/llm_agent.h"
#include "tool/agent/roles.h"
#include "tool/base/files.h"
#include "tool/llm/cassette.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace agentic {
namespace {

constexpr int kMostQuestions = 3;

std::string turnName(int turn) {
  return fmt::format("question {}", turn);
}

StepPlan planOf(const Hypothesis &hypothesis) {
  StepPlan plan;
  plan.step = hypothesis.what + (hypothesis.risk.empty() ? "" : "\n\nHow it could fail: " + hypothesis.risk);
  plan.why = hypothesis.why;
  plan.gain = hypothesis.gain;
  return plan;
}

} // namespace

std::vector<LookedUp> Roles::lookedUp(const std::vector<Lookup> &lookups) const {
  std::vector<LookedUp> all;
  for (const Lookup &lookup : lookups) {
    const auto &look = lookup.isByName ? sources_.show : sources_.search;
    all.push_back({lookup, look ? look(lookup.words) : std::vector<Retrieved>()});
  }
  return all;
}

/// What was asked once is asked again as it was, whatever could be looked up now.
std::optional<std::string> Roles::researchQuestionOf(const RoleContext &context, int turn, const std::string &before,
                                                     const std::vector<Lookup> &lookups) const {
  for (const CallRecord &call : log_.calls())
    if (call.purpose.role == roleName(Role::Researcher) && call.purpose.about == turnName(turn))
      return call.purpose.told;
  if (sources_.recorded) {
    const std::vector<std::string> recorded = sources_.recorded(conversationKey(researcherRequest(context, "")));
    const auto place = static_cast<std::size_t>(turn) - 1;
    return place < recorded.size() ? std::optional(recorded[place]) : std::nullopt;
  }
  const int left = kMostQuestions - turn;
  if (turn > 1)
    return nextResearchQuestion(context.prompts, before, lookedUp(lookups), left);
  return researchQuestion(context, sources_.begin ? sources_.begin() : std::vector<Retrieved>(), left);
}

/// Goes on with what the log has of an earlier process.
std::expected<void, AskFailure> Roles::research(const RunState &state, const CandidateNames &names, bool mayAsk,
                                                const std::atomic<bool> *cancelled) {
  if (!isOn(Role::Researcher) || researched_)
    return {};
  Researched found;
  std::string question;
  std::vector<Lookup> lookups;
  bool isNew = false;
  for (int turn = 1; turn <= kMostQuestions && (turn == 1 || !lookups.empty()); ++turn) {
    const CallRecord *answer = answered(Role::Researcher, turnName(turn));
    if (!answer && mayAsk) {
      const RoleContext context = contextOf(state, names);
      if (const auto next = researchQuestionOf(context, turn, question, lookups)) {
        answer = TRY(ask(Role::Researcher, turnName(turn), researcherRequest(context, *next), cancelled));
        isNew = true;
      } else if (turn == 1 && note_) {
        note_("the researcher is not asked: the recording holds none of its questions");
      }
    }
    if (!answer)
      break;
    question = answer->purpose.told;
    ResearchAnswer said = readResearch(*answer->reply);
    lookups = std::move(said.lookups);
    found = {.call = answer->call, .hypotheses = std::move(said.hypotheses)};
  }
  researched_ = std::move(found);
  if (isNew && note_ && researched_->call > 0)
    note_(fmt::format("the researcher ({}) has {} {}", seats_.at(Role::Researcher).seat.label,
                      researched_->hypotheses.size(),
                      researched_->hypotheses.size() == 1 ? "hypothesis" : "hypotheses"));
  if (researched_->call > 0)
    if (auto written = writeResearch(state.spec.kernel); !written)
      return std::unexpected(AskFailure{.kind = AskFailure::Kind::Records, .records = std::move(written.error())});
  return {};
}

/// Each hypothesis is carried out once; further files of a plan take that of its first.
std::optional<Roles::Chosen> Roles::nextHypothesis(const RunState &state) const {
  if (!researched_)
    return std::nullopt;
  int again = 0; // the call whose plan is carried out once more
  if (!state.ask.idea.empty())
    if (const auto attempt = attemptOf(state, state.ask.idea))
      again = callOfOrigin(state.attempts[*attempt].candidate.origin);
  for (const std::size_t i : bestGainFirst(researched_->hypotheses)) {
    std::string about = hypothesisName(i + 1, researched_->call);
    const CallRecord *carried = answered(Role::Coder, about);
    if (state.ask.idea.empty() ? !carried : carried && carried->call == again)
      return Chosen{planOf(researched_->hypotheses[i]), std::move(about)};
  }
  return std::nullopt;
}

Result<std::vector<Hypothesis>> LlmAgent::research(const RunState &state) {
  readExchanges(state);
  if (roles_)
    if (const auto done = roles_->research(state, namesIn(exchanges_), true, settings_.cancelled); !done) {
      const Result<Proposal> after = afterFailure(done.error(), false);
      if (after)
        return userError(after->stop, "begin with another run");
      return std::unexpected(after.error());
    }
  const std::span<const Hypothesis> all = roles_ ? roles_->hypotheses() : std::span<const Hypothesis>();
  return std::vector(all.begin(), all.end());
}

/// For people and programs; the run itself reads the log.
Result<void> Roles::writeResearch(const std::string &kernel) const {
  const std::string &model = seats_.at(Role::Researcher).seat.label;
  nlohmann::json all = nlohmann::json::array();
  for (const Hypothesis &hypothesis : researched_->hypotheses)
    all.push_back(hypothesisJson(hypothesis));
  const nlohmann::json value = {{"version", 1},
                                {"kernel", kernel},
                                {"model", model},
                                {"call", researched_->call},
                                {"hypotheses", std::move(all)}};
  const auto write = [&](const char *file, std::string text) {
    return writeFileAtomic(runDirectory_ + "/" + file, redact_ ? redact_(std::move(text)) : std::move(text));
  };
  TRY(write("research.json", value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"));
  const std::string begin =
      fmt::format("# Hypotheses for `{}`\n\nWords of {}, from before the first file was tried. The "
                  "run's report says what came of each.\n",
                  kernel, model);
  return write("research.md", hypothesesMarkdown(begin, researched_->hypotheses));
}

} // namespace agentic
