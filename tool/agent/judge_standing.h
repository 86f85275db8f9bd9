// Whether a judge pays: what it said of candidates, beside what came of those that were tried. Pure.
#pragma once

#include "tool/model/role.h"
#include "tool/model/run_state.h"

#include <span>
#include <string>

namespace agentic {

/// Watched: its objections are noted, and the candidates tried all the same. Dropping: most of them are not tried.
enum class JudgeMode { Watched, Dropping, Off };

struct JudgeStanding {
  int judged = 0, objections = 0, dropped = 0;
  int checked = 0; ///< objections to candidates that were tried
  int right = 0;   ///< of these: the candidate was rejected, or has the object code of another
  int missed = 0;  ///< kept without an objection, and rejected by tests or replayed calls
  JudgeMode mode = JudgeMode::Watched;
  std::string why; ///< why it is off
};

/// It is watched until four of its objections were checked. It is off as soon as fewer than three quarters of them
/// were right; and once it has read twelve candidates, if it objected to fewer than one in twelve, or its calls took
/// longer than trying what it objected to would have.
JudgeStanding judgeStanding(std::span<const Opinion> judged, std::span<const Attempt> attempts);

/// Returns whether this objection drops its candidate: every fourth is tried all the same, to know whether it is right.
bool dropsNext(const JudgeStanding &standing);

/// Returns "24 read, 6 objections (3 dropped, 3 of 3 that were tried were right), 2 wrong ones missed".
std::string judgeText(const JudgeStanding &standing);

} // namespace agentic
