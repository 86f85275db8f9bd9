#include "tool/source/loops/loop_text.h"

#include "tool/source/loops/code_text.h"

#include <algorithm>

namespace agentic::moves {
namespace {

LoopPlace findIn(const std::vector<Statement> &statements, const Loop &loop) {
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (!statements[i].loop)
      continue;
    if (statements[i].loop.get() == &loop)
      return {&statements, i};
    if (const LoopPlace inner = findIn(statements[i].loop->body, loop); inner.statements)
      return inner;
  }
  return {};
}

} // namespace

LoopPlace placeOf(const Nest &nest, const Loop &loop) {
  return findIn(nest.statements, loop);
}

Range bodyOf(const Nest &nest, const Loop &loop) {
  const std::size_t begin = nest.text.find_first_not_of(" \t\n", loop.header.end);
  if (begin != std::string::npos && begin < loop.range.end && nest.text[begin] == '{')
    return {begin + 1, loop.range.end - 1};
  return {loop.header.end, loop.range.end};
}

std::size_t endWithComment(const Nest &nest, std::size_t end) {
  const std::size_t lineEnd = std::min(nest.text.find('\n', end), nest.text.size());
  const std::size_t next = nest.text.find_first_not_of(" \t", end);
  const bool isComment = next != std::string::npos && next < lineEnd && nest.text.compare(next, 2, "//") == 0;
  return isComment ? lineEnd : end;
}

bool rename(const Nest &nest, const std::vector<Statement> &statements, Range range, VariableId variable,
            const std::string &name, std::vector<Edit> &edits) {
  std::vector<std::size_t> offsets;
  const std::string &old = nest.variable(variable).name;
  const auto note = [&](const std::vector<Reference> &references) {
    for (const Reference &reference : references)
      if (reference.variable == variable && nest.text.compare(reference.offset, old.size(), old) == 0)
        offsets.push_back(reference.offset);
  };
  forEachStatement(statements, [&](const Statement &statement) {
    note(statement.references);
    if (statement.loop)
      note(statement.loop->boundReferences);
  });
  std::ranges::sort(offsets);
  offsets.erase(std::ranges::unique(offsets).begin(), offsets.end());
  if (offsets.size() != countName(nest.slice(range), old))
    return false;
  for (const std::size_t offset : offsets)
    edits.push_back({{offset, offset + old.size()}, name});
  return true;
}

bool standsAlone(const Nest &nest, Range range) {
  const std::string &text = nest.text;
  const std::size_t before = text.find_last_not_of(" \t\n", range.begin - 1);
  const std::size_t after = text.find_first_not_of(" \t\n", range.end);
  return before != std::string::npos && after != std::string::npos &&
         std::string_view("[(,").find(text[before]) != std::string_view::npos &&
         std::string_view("]),").find(text[after]) != std::string_view::npos;
}

bool haveSameBounds(const Nest &nest, const Loop &left, const Loop &right) {
  if (!left.lowerBound || !left.upperBound || left.lowerBound != right.lowerBound ||
      left.upperBound != right.upperBound || left.upperValue.type != right.upperValue.type)
    return false;
  if ((left.isUpperGuarded || right.isUpperGuarded) && nest.slice(left.upper) != nest.slice(right.upper))
    return false;
  const auto typeOf = [&](const Loop &loop) { return nest.variable(loop.variable).type; };
  return typeOf(left) == typeOf(right);
}

} // namespace agentic::moves
