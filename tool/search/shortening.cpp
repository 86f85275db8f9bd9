#include "tool/search/shortening.h"

#include "tool/base/text.h"
#include "tool/search/shorter_judge.h"
#include "tool/search/smallest_subset.h"
#include "tool/source/candidate/pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace agentic {
namespace {

constexpr int kMostRounds = 8;        ///< each leaves out what only the one before made useless
constexpr std::size_t kMostNamed = 4; ///< pieces that the summary names
constexpr auto kKinds = std::to_array(
    {PieceKind::Directive, PieceKind::Attribute, PieceKind::Call, PieceKind::Statement, PieceKind::Header});

std::size_t lineCount(const std::string &text) {
  return std::size_t(std::ranges::count(text, '\n'));
}

std::string nameOf(const TextPiece &piece) {
  if (piece.kind == PieceKind::Header)
    return "the frame of " + piece.shown;
  return piece.kind == PieceKind::Call ? piece.shown + " (now " + piece.text + ")" : piece.shown;
}

class Shortening {
public:
  explicit Shortening(const ShorteningRequest &request)
      : request_(request), judge_(request), text_(request.winner.text), origin_(request.winner.origin) {
    for (std::size_t i = 0; i < request.steps.names.size(); ++i)
      steps_.push_back(i);
  }

  Result<Shortened> run() {
    // The winner's own code is what others are compared with.
    TRY(judged(request_.winner.text, false, false));
    if (!judge_.knowsCode())
      return result();
    if (request_.leavesOut)
      TRY(leaveOutAll());
    TRY(format());
    return result();
  }

private:
  Candidate candidateOf(const std::string &text) const {
    return text == request_.winner.text ? request_.winner : makeCandidate(text, origin_, request_.winner.id);
  }

  Result<void> leaveOutAll() {
    for (const bool measures : {false, true})
      TRY(leaveOutSteps(measures));
    for (const bool measures : {false, true})
      for (int round = 0; round < kMostRounds && !judge_.isOver(); ++round) {
        const std::string before = text_;
        for (const PieceKind kind : kKinds)
          TRY(leaveOut(kind, measures));
        if (text_ == before)
          break;
      }
    return {};
  }

  /// Returns which of `count` parts are needed. `judge`: Result<Holds> of what these leave.
  template <class Judge> static Result<std::vector<std::size_t>> needed(std::size_t count, const Judge &judge) {
    Result<void> failure;
    std::vector<std::size_t> kept = smallestSubset(count, [&](const std::vector<std::size_t> &rest) {
      const Result<Holds> answer = judge(rest);
      if (!answer)
        failure = std::unexpected(answer.error());
      return answer ? *answer : Holds::Stop;
    });
    TRY(failure);
    return kept;
  }

  /// The text is made anew from the steps that are left, so this comes before its pieces.
  Result<void> leaveOutSteps(bool measures) {
    std::optional<Candidate> shortest;
    const auto kept = TRY(needed(steps_.size(), [&](const std::vector<std::size_t> &rest) -> Result<Holds> {
      std::vector<std::size_t> steps;
      for (const std::size_t i : rest)
        steps.push_back(steps_[i]);
      std::optional<Candidate> made = request_.steps.make(steps);
      if (!made)
        return Holds::No;
      const Holds answer = TRY(judged(made->text, measures));
      if (answer == Holds::Yes)
        shortest = std::move(made);
      return answer;
    }));
    if (!shortest)
      return {};
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < steps_.size(); ++i)
      if (std::ranges::find(kept, i) == kept.end())
        gone_.push_back(request_.steps.names[steps_[i]]);
      else
        left.push_back(steps_[i]);
    steps_ = std::move(left);
    text_ = shortest->text;
    origin_ = shortest->origin;
    return {};
  }

  /// Deeper pieces may be gone with those around them: every depth is cut anew.
  Result<void> leaveOut(PieceKind kind, bool measures) {
    for (std::size_t depth = 0; !judge_.isOver(); ++depth) {
      std::vector<TextPiece> pieces = piecesOf(text_);
      std::erase_if(pieces, [&](const TextPiece &piece) { return piece.kind != kind || (measures && !piece.isHint); });
      if (std::ranges::none_of(pieces, [&](const TextPiece &piece) { return piece.depth >= depth; }))
        break;
      std::erase_if(pieces, [&](const TextPiece &piece) { return piece.depth != depth; });
      TRY(leaveOut(pieces, measures));
    }
    return {};
  }

  Result<void> leaveOut(const std::vector<TextPiece> &pieces, bool measures) {
    const std::string text = text_;
    const auto without = [&](const std::vector<std::size_t> &kept) {
      std::vector<TextPiece> gone;
      for (std::size_t i = 0, next = 0; i < pieces.size(); ++i)
        if (next < kept.size() && kept[next] == i)
          ++next;
        else
          gone.push_back(pieces[i]);
      return gone;
    };
    const auto kept = TRY(needed(pieces.size(), [&](const std::vector<std::size_t> &rest) {
      return judged(withoutPieces(text, without(rest)), measures);
    }));
    const std::vector<TextPiece> gone = without(kept);
    for (const TextPiece &piece : gone)
      gone_.push_back(nameOf(piece));
    text_ = withoutPieces(text, gone);
    return {};
  }

  Result<Holds> judged(const std::string &text, bool measures, bool isLimited = true) {
    const auto tried = TRY(judge_.judged(candidateOf(text), measures, isLimited));
    return !tried ? Holds::Stop : tried->isKept ? Holds::Yes : Holds::No;
  }

  /// What another layout compiles to can differ, by the numbers of lines in it: then it stays as it was.
  Result<void> format() {
    const std::string formatted = request_.format ? request_.format(text_) : text_;
    if (formatted == text_)
      return {};
    const Holds answer = TRY(judged(formatted, false, false));
    if (answer == Holds::Yes) {
      text_ = formatted;
      isFormatted_ = true;
    }
    return {};
  }

  Shortened result() const {
    if (text_ == request_.winner.text)
      return {.candidate = request_.winner};
    std::string summary;
    if (!gone_.empty()) {
      const std::vector<std::string> named(gone_.begin(),
                                           gone_.begin() + std::ptrdiff_t(std::min(kMostNamed, gone_.size())));
      summary = fmt::format("{} lines became {} without {}{}; {}", lineCount(request_.winner.text), lineCount(text_),
                            join(named, " | "),
                            gone_.size() > named.size() ? fmt::format(" and {} more", gone_.size() - named.size()) : "",
                            comparedText(judge_.isSame()));
    }
    if (isFormatted_)
      summary += std::string(summary.empty() ? "" : "; ") + "formatted in the project's style";
    return {.candidate = candidateOf(text_), .hasSameCode = judge_.isSame(), .summary = summary};
  }

  const ShorteningRequest &request_;
  ShorterJudge judge_;
  std::string text_; ///< the shortest so far
  std::string origin_;
  std::vector<std::string> gone_;
  std::vector<std::size_t> steps_; ///< those that are left
  bool isFormatted_ = false;
};

} // namespace

Result<Shortened> shorten(const ShorteningRequest &request) {
  return Shortening(request).run();
}

} // namespace agentic
