// An agent with roles, over scripted models.
#pragma once

#include "tests/agent/scripted_model.h"
#include "tool/agent/roles.h"

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace agentic::testing_support {

/// An agent whose roles have models of their own.
class RolesTest : public testing::Test {
protected:
  RolesTest() { run_.settings.config.maxFailures = 0; }

  std::shared_ptr<Script> seat(Role role) {
    auto script = std::make_shared<Script>();
    const std::string label = std::string(roleName(role)) + ":model";
    run_.settings.roles.push_back({.role = role,
                                   .model = std::make_shared<ScriptedModel>(script),
                                   .label = label,
                                   .prices = flatPrices(1e-6, 1e-6)});
    return script;
  }

  void coder(const std::string &body) { run_.script->answers.push_back(says(replyWith(body))); }

  Proposal propose(LlmAgent &agent) {
    auto proposal = agent.propose(run_.state);
    EXPECT_TRUE(proposal) << proposal.error().message;
    return proposal.value_or(Proposal());
  }

  /// Acts like the loop, with what it keeps of roles.
  void take(const Proposal &proposal, const std::function<Evaluation(const Candidate &)> &judge) {
    run_.take(proposal, judge);
    auto &judged = run_.state.judged;
    judged.insert(judged.end(), proposal.judged.begin(), proposal.judged.end());
    auto &summaries = run_.state.summaries;
    summaries.insert(summaries.end(), proposal.summaries.begin(), proposal.summaries.end());
    if (!proposal.ask)
      return;
    Asked &asked = run_.state.asked.emplace_back(Asked{*proposal.ask, {}});
    for (const Candidate &candidate : proposal.candidates)
      asked.candidates.push_back(candidate.id);
  }

  std::vector<CallRecord> calls() const { return CallLog::read(run_.settings.runDirectory).value(); }

  ScriptedRun run_;
};

inline std::string lastText(const Script &script) {
  return script.requests.empty() ? "" : script.requests.back().messages.back().text;
}

} // namespace agentic::testing_support
