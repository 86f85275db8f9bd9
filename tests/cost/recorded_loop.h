// The loop with an agent that asks a model, over replies and verdicts of realistic sizes that are always the same: a
// run of 50 tries of kernels/binary_gemm, of which nothing is compiled or measured.
#pragma once

#include "tool/base/error.h"
#include "tool/llm/chat.h"
#include "tool/search/optimize.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace agentic::cost {

inline constexpr int kTries = 50;

/// Returns the model's reply in the try with this index, from 0: an idea in some sentences, and a file: one of the
/// kernel's checked-in variants with constants of its own, 3 to 6 KB. Throws if those cannot be read.
std::string replyText(int index);

/// Answers with these replies, in order; errors after the last one.
std::unique_ptr<ChatModel> modelOfReplies();

/// The amount that was sent with each call.
struct Sent {
  std::vector<std::size_t> tokens; ///< as tokenCount() counts them
  std::vector<std::size_t> bytes;  ///< sizes of the requests' bodies
};

/// Words and runs of other characters, each with one space before it, runs of spaces, numbers by three digits: what the
/// tokenizers of today's models split a text into before they cut those pieces further. Less than the tokens of any of
/// them, and in the same proportion for texts of the same kind.
std::size_t tokenCount(std::string_view text);

struct LoopSettings {
  std::string folder; ///< for the run's records; must exist
  std::string history = "compact";
  std::string recording = {};        ///< file to record to; empty = none
  std::function<void()> stageBegins; ///< a candidate reaches its first stage; may be empty
  std::function<void()> verdictIs;   ///< the last stage has ended; may be empty
};

struct LoopRun {
  RunOutcome outcome;
  Sent sent;
};

/// Runs kTries iterations. Throws on any error.
LoopRun runLoopWith(std::unique_ptr<ChatModel> model, const LoopSettings &settings);

} // namespace agentic::cost
