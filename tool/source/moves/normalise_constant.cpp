// Loops of a constant number of rounds, by the numbers in their heads or as windows around another loop's variable.
#include "tool/base/text.h"
#include "tool/source/moves/normalise.h"

#include <algorithm>
#include <cstdlib>

namespace agentic::moves {
namespace {

/// `y`, `y - 1` and `y + 1`: the variable of a loop around the walk, and what is added to it.
struct Place {
  const Loop *loop = nullptr;
  std::int64_t added = 0;
};

Place placeOf(std::string_view text, const Walk &walk, const Nest &nest, const std::string &type) {
  const std::size_t sign = text.find_first_of("+-");
  const std::string name(trim(text.substr(0, sign)));
  const std::string number(sign == std::string_view::npos ? "0" : trim(text.substr(sign + 1)));
  const bool isSmall =
      !number.empty() && number.size() < 4 && number.find_first_not_of("0123456789") == std::string::npos;
  if (!isSmall)
    return {};
  const auto loop = std::ranges::find_if(nest.loops, [&](const Loop *around) {
    return around->problem.empty() && around->range.contains(walk.range) &&
           nest.variable(around->variable).name == name && around->lowerValue.type == type;
  });
  const bool isNegative = sign != std::string_view::npos && text[sign] == '-';
  return loop == nest.loops.end() ? Place{} : Place{*loop, (isNegative ? -1 : 1) * std::atoi(number.c_str())};
}

/// Returns the value in `type name = value;`; empty if the text declares anything else.
std::string_view declaredValue(std::string_view start) {
  const std::size_t equals = start.find('=');
  if (equals == std::string_view::npos || start.find(',') != std::string_view::npos)
    return {};
  const std::string_view value = start.substr(equals + 1);
  return value.substr(0, value.find(';'));
}

} // namespace

std::string windowStart(const Walk &walk, const Nest &nest) {
  const bool isWindow = !walk.isCounted && !walk.walked[walk.test.walked].start && constantRounds(walk, nest) > 0;
  return isWindow ? std::string(trim(declaredValue(nest.slice(walk.start)))) : "";
}

std::int64_t constantRounds(const Walk &walk, const Nest &nest) {
  const WalkTest &test = walk.test;
  const WalkedVariable &walked = walk.walked[test.walked];
  const bool includes = test.op == "<=";
  if (!test.ahead.isEmpty() || walked.isPointer || walked.step <= 0 || walked.bits < 32 || test.isBottom ||
      (test.op != "<" && !includes))
    return 0;
  const std::int64_t more = includes ? 1 : 0;
  if (walked.start && test.boundConstant && *walked.start + test.offset >= 0) {
    const std::int64_t distance = *test.boundConstant - *walked.start - test.offset + more;
    return distance > 0 && distance < INT32_MAX ? (distance + walked.step - 1) / walked.step : 0;
  }
  if (!walk.startDeclares || walked.step != 1 || test.offset != 0 || test.comparedBits != walked.bits)
    return 0;
  const Place from = placeOf(declaredValue(nest.slice(walk.start)), walk, nest, walked.type),
              to = placeOf(nest.slice(test.bound), walk, nest, walked.type);
  const bool isApart = from.loop && from.loop == to.loop && from.loop->lowerConstant.value_or(-1) + from.added >= 0;
  return isApart && to.added <= 1 ? to.added - from.added + more
                                  : 0; // y + 1 is at most the bound of y: it does not wrap
}

} // namespace agentic::moves
