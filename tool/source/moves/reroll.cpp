// reroll(x): a loop that does several iterations' work in each round, one after the other, does one.
//
//   for (x = 0; x < width - 1; x += 2) {         const long rounds = static_cast<long>(width / 2) * 2;
//     out[0] = clip(in[0]);                      for (long i = 0; i < rounds; ++i)
//     out[1] = clip(in[1]);               →        out[i] = clip(in[i]);
//     in += 2, out += 2;                         in += rounds, out += rounds;
//   }
//
// People unroll by hand for compilers that did not; today it hides the loop from the vectorizer and from the other
// moves.
//
// Legal if normalise is, and if the statements of a round are k groups that differ in nothing but what has walked on by
// a k-th of a round: the same work is done on the same elements in the same order, so nothing else needs to be known. A
// variable that the first group declares may be assigned by the others, or each may declare one of its own; what a
// group declares is not named before that, so no group reads a value of the one before it through such a variable.
#include "tool/base/text.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/moves/move.h"
#include "tool/source/moves/normalise.h"

#include <algorithm>
#include <map>
#include <utility>

namespace agentic::moves {
namespace {

/// Appends the words and signs of code, with blanks between them; comments and layout leave nothing.
void appendCode(std::string_view text, std::string &code) {
  const std::size_t before = code.size();
  std::size_t last = std::string_view::npos;
  forEachCodeCharacter(text, 0, text.size(), [&](std::size_t at) {
    const std::size_t from = last == std::string_view::npos ? 0 : last + 1;
    // Of a literal only the end is visited: the whole of it begins behind the last character and white space.
    std::size_t begin = at;
    if (text[at] == '"' || text[at] == '\'')
      begin = std::min(text.find_first_of("\"'", from), at);
    const bool isJoined = last != std::string_view::npos && last + 1 == begin && isWordCharacter(text[last]) &&
                          isWordCharacter(text[begin]);
    if (!isJoined && code.size() > before)
      code += ' ';
    code += text.substr(begin, at + 1 - begin);
    last = at;
  });
}

bool isDivided(const WalkedVariable &walked, std::size_t groups) {
  return walked.step % static_cast<std::int64_t>(groups) == 0;
}

class Groups {
public:
  Groups(const Walk &walk, const Nest &nest) : walk_(walk), nest_(nest) {
    for (const WalkStatement &statement : walk.statements)
      if (std::ranges::none_of(walk.removed, [&](const Range &range) { return range.contains(statement.range); }))
        statements_.push_back(&statement);
  }

  /// Returns the largest number of groups that are alike; 1 if there is only one.
  std::size_t count() const {
    for (std::size_t groups = statements_.size(); groups > 1; --groups)
      if (statements_.size() % groups == 0 && areAlike(groups))
        return groups;
    return 1;
  }

  const std::vector<const WalkStatement *> &statements() const { return statements_; }

private:
  const WalkStatement &at(std::size_t group, std::size_t size, std::size_t number) const {
    return *statements_[group * size + number];
  }

  bool areAlike(std::size_t groups) const {
    const std::size_t size = statements_.size() / groups;
    const auto divides = [&](const WalkedVariable &walked) {
      return isDivided(walked, groups) && (walked.isPointer || walked.bits >= 32);
    };
    const bool areRead =
        std::ranges::all_of(walk_.uses, [&](const WalkUse &use) { return divides(walk_.walked[use.walked]); });
    if (!areRead || !declaresFirst(size))
      return false;
    const std::vector<std::string> first = codeOf(0, groups);
    for (std::size_t group = 1; group < groups; ++group)
      if (!mayDeclare(group, size) || codeOf(group, groups) != first)
        return false;
    return true;
  }

  /// Nothing of the first group names what a later statement of it declares: another variable of that name is meant
  /// there, or, in the next group, the value of this one.
  bool declaresFirst(std::size_t size) const {
    for (std::size_t i = 0; i < size; ++i) {
      const WalkStatement &statement = at(0, size, i);
      if (statement.declares.empty())
        continue;
      if (countName(nest_.slice(statement.range), statement.declares) != 1)
        return false;
      for (std::size_t before = 0; before < i; ++before)
        if (mentionsName(nest_.slice(at(0, size, before).range), statement.declares))
          return false;
    }
    return true;
  }

  /// A group assigns what the first one declares, or declares a variable of the same type, whose name no macro sees.
  bool mayDeclare(std::size_t group, std::size_t size) const {
    const bool seesMacro = std::ranges::any_of(statements_, [](const WalkStatement *one) { return one->hasMacro; });
    for (std::size_t i = 0; i < size; ++i) {
      const WalkStatement &first = at(0, size, i), &other = at(group, size, i);
      if (!other.declares.empty() && (first.declares.empty() || other.declaredType != first.declaredType ||
                                      (other.declares != first.declares && seesMacro)))
        return false;
    }
    return true;
  }

  /// Returns the statements of a group, with the values of what walks as they are counted from the group's own begin.
  std::vector<std::string> codeOf(std::size_t group, std::size_t groups) const {
    const std::size_t size = statements_.size() / groups;
    std::vector<std::string> result;
    for (std::size_t i = 0; i < size; ++i) {
      const WalkStatement &statement = at(group, size, i);
      std::string code;
      std::size_t done = statement.declares.empty() ? statement.range.begin : statement.declaredName;
      for (const WalkUse &use : walk_.uses) {
        if (use.range.begin < done || use.range.end > statement.range.end)
          continue;
        appendCode(nest_.slice({done, use.range.begin}), code);
        done = use.range.end;
        appendUse(use, static_cast<std::int64_t>(group), static_cast<std::int64_t>(groups), done, code);
      }
      appendCode(nest_.slice({done, statement.range.end}), code);
      code.erase(code.find_last_not_of("; ") + 1); // empty statements are left over from macros
      result.push_back(std::move(code));
    }
    rename(group, size, result);
    return result;
  }

  void appendUse(const WalkUse &use, std::int64_t group, std::int64_t groups, std::size_t &done,
                 std::string &code) const {
    const WalkedVariable &walked = walk_.walked[use.walked];
    std::int64_t value = use.offset + use.indexConstant.value_or(0) - group * (walked.step / groups);
    std::string form = "value";
    if (use.form == WalkUse::Form::Arrow)
      form = "arrow";
    else if (use.form != WalkUse::Form::Value)
      form = "element";
    else
      value += sumBehind(use.range, done);
    code += " @" + std::to_string(use.walked) + " " + form + " " + std::to_string(value) + " ";
    if (use.form == WalkUse::Form::Element && !use.indexConstant) {
      code += "[ ";
      appendCode(nest_.slice(use.index), code);
      code += " ]";
    }
  }

  /// Returns the constant in `[value + 1]` or `(value - 1)`, and moves `done` behind it; 0 if nothing is added there.
  std::int64_t sumBehind(Range value, std::size_t &done) const {
    const std::string &text = nest_.text;
    const std::size_t before = text.find_last_not_of(" \t\n", value.begin - 1);
    const std::size_t sign = text.find_first_not_of(" \t\n", value.end);
    if (before == std::string::npos || (text[before] != '[' && text[before] != '(') || sign == std::string::npos ||
        (text[sign] != '+' && text[sign] != '-'))
      return 0;
    const std::size_t number = text.find_first_not_of(" \t\n", sign + 1);
    const std::size_t end = number == std::string::npos ? number : text.find_first_not_of("0123456789", number);
    const std::size_t close = end == std::string::npos ? end : text.find_first_not_of(" \t\n", end);
    const bool isOctal = close != std::string::npos && end > number + 1 && text[number] == '0';
    if (close == std::string::npos || end == number || end - number > 9 || isOctal ||
        text[close] != (text[before] == '[' ? ']' : ')'))
      return 0;
    done = end;
    const std::int64_t sum = std::stoll(text.substr(number, end - number));
    return text[sign] == '-' ? -sum : sum;
  }

  /// What a group declares, or assigns in the place of that, has the same name in all groups; a member of that name
  /// stays what it is.
  void rename(std::size_t group, std::size_t size, std::vector<std::string> &code) const {
    std::map<std::string, std::string> names;
    for (std::size_t i = 0; i < size; ++i)
      if (const std::string &first = at(0, size, i).declares; !first.empty()) {
        const std::string &own = at(group, size, i).declares;
        names[own.empty() ? first : own] = "$" + first;
      }
    for (std::string &statement : code) {
      std::vector<std::string> words = split(statement, ' ');
      std::string before, last;
      for (std::string &word : words) {
        const bool isMember = last == "." || (before == "-" && last == ">") || (before == ":" && last == ":");
        before = std::exchange(last, word);
        if (const auto name = names.find(word); name != names.end() && !isMember)
          word = name->second;
      }
      statement = join(words, " ");
    }
  }

  const Walk &walk_;
  const Nest &nest_;
  std::vector<const WalkStatement *> statements_;
};

/// What reroll makes of a loop.
struct Rerolled {
  std::string problem; ///< why it does not apply; empty if it does
  Walk walk;           ///< of the first group alone
  RoundCount count;
};

/// Returns how often the loop of `walk` runs if each round is `groups` rounds.
RoundCount countOfGroups(RoundCount count, std::size_t groups, const Walk &walk) {
  const std::string factor = " * " + std::to_string(groups);
  if (count.isWide) {
    count.text = "(" + count.text + ")" + factor;
  } else {
    count.text = castTo(walk.differenceType, count.text) + factor;
    count.type = walk.differenceType;
    count.isWide = count.isSigned = true;
  }
  return count;
}

/// Returns whether the number of all groups of all rounds may be more than its type holds. A pointer stays within its
/// object, which has fewer elements, if all rounds are made; a number that began at 0 or above ends below the largest
/// one.
bool mayBeTooMany(const Walk &walk, const RoundCount &count, std::size_t groups) {
  const auto counts = [&](const WalkedVariable &walked) { return walked.isPointer && isDivided(walked, groups); };
  const WalkedVariable &tested = walk.walked[walk.test.walked];
  if (!count.isWide || counts(tested) || (!walk.mayLeave && std::ranges::any_of(walk.walked, counts)))
    return false;
  const bool isNear = tested.step > 0 ? tested.start.value_or(-1) >= 0 : walk.test.boundConstant.value_or(-1) >= 0;
  return !count.isExact || !isDivided(tested, groups) || (tested.isSigned && !isNear);
}

Rerolled rerolled(const Walk &walk, const Nest &nest) {
  Rerolled result;
  const auto fail = [&](std::string problem) {
    result.problem = std::move(problem);
    return result;
  };
  if (std::string reason = whyNotNormalise(walk, nest, result.count); !reason.empty())
    return fail(std::move(reason));
  const Groups groups(walk, nest);
  const std::size_t number = walk.isCounted ? 1 : groups.count();
  if (number == 1)
    return fail("a round of the loop '" + walk.name + "' is not the same work several times");
  if (walk.hasContinue)
    return fail("a 'continue' passes some of the work of the loop '" + walk.name + "'");
  if (mayBeTooMany(walk, result.count, number))
    return fail("the number of rounds of the loop '" + walk.name + "' may be more than a type holds");
  const std::size_t end = groups.statements()[groups.statements().size() / number - 1]->range.end;
  result.count = countOfGroups(result.count, number, walk);
  result.walk = walk;
  for (WalkedVariable &walked : result.walk.walked)
    (isDivided(walked, number) ? walked.step : walked.every) =
        isDivided(walked, number) ? walked.step / static_cast<std::int64_t>(number) : static_cast<std::int64_t>(number);
  for (const WalkStatement *statement : groups.statements())
    if (statement->range.begin >= end)
      result.walk.removed.push_back(statement->range);
  std::erase_if(result.walk.uses, [&](const WalkUse &use) { return use.range.begin >= end; });
  return result;
}

void offerReroll(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Walk &walk : context.nest.walks) {
    if (!walk.problem.empty() || walk.isCounted || isInBlocks(walk, context.nest))
      continue; // normalise says why
    result.add({"reroll", walk.name, {}}, rerolled(walk, context.nest).problem);
  }
}

Result<Rewrite> rewriteReroll(const MoveContext &context, const MoveStep &step) {
  const Walk *walk = TRY(targetWalk(context, step));
  const Rerolled loop = rerolled(*walk, context.nest);
  if (!loop.problem.empty())
    return illegalStep(step, loop.problem);
  Rewrite rewrite;
  rewrite.edits = writeCounted(loop.walk, loop.count, context.nest);
  rewrite.why = {"A round of the loop '" + step.target +
                 "' was the same work several times: each is a round of its own, in the same order."};
  return rewrite;
}

} // namespace

const Move kReroll = {"reroll", offerReroll, nullptr, rewriteReroll, MoveRole::Form};

} // namespace agentic::moves
