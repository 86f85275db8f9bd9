#include "tool/search/ask_strategy.h"

#include "tool/base/text.h"

#include <fmt/format.h>

#include <charconv>

namespace agentic {

extern const AskStrategyRow kLinearRow, kBestOfRow, kBeamRow, kTreeRow, kIslandsRow;

namespace {

/// Returns "beam=width/plans/files".
std::string formOf(const AskStrategyRow &row) {
  std::string form(row.name);
  for (std::size_t i = 0; i < row.numbers.size(); ++i)
    form += (i == 0 ? "=" : "/") + std::string(row.numbers[i].name);
  return form;
}

Result<const AskStrategyRow *> rowNamed(std::string_view name) {
  std::vector<std::string> names;
  for (const AskStrategyRow *row : allAskStrategies()) {
    if (row->name == name)
      return row;
    names.emplace_back(row->name);
  }
  return userError("there is no strategy '" + std::string(name) + "'" + orMeant(name, names),
                   "give --strategy, or AGENTIC_KERNEL_STRATEGY, one of " + askStrategyForms());
}

} // namespace

std::span<const AskStrategyRow *const> allAskStrategies() {
  static constexpr const AskStrategyRow *kRows[] = {&kLinearRow, &kBestOfRow, &kBeamRow, &kTreeRow, &kIslandsRow};
  return kRows;
}

std::string askStrategyForms() {
  std::vector<std::string> forms;
  for (const AskStrategyRow *row : allAskStrategies())
    forms.push_back(formOf(*row));
  return join(forms, ", ");
}

Result<AskStrategy> parseAskStrategy(std::string_view text) {
  const std::size_t equals = text.find('=');
  AskStrategy strategy{.row = TRY(rowNamed(text.substr(0, equals))), .numbers = {}};
  const std::span<const StrategyNumber> takes = strategy.row->numbers;
  for (const StrategyNumber &number : takes)
    strategy.numbers.push_back(number.usual);
  if (equals == std::string_view::npos)
    return strategy;
  std::string_view rest = text.substr(equals + 1);
  for (std::size_t i = 0;; ++i) {
    const std::string_view digits = rest.substr(0, rest.find('/'));
    int value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool isRead = !digits.empty() && read.ec == std::errc() && read.ptr == digits.data() + digits.size();
    if (i >= takes.size() || !isRead || value < takes[i].least || value > takes[i].most) {
      std::string ranges;
      for (const StrategyNumber &number : takes)
        ranges +=
            fmt::format("{}{}: {} to {}", ranges.empty() ? " with " : ", ", number.name, number.least, number.most);
      return userError(fmt::format("the strategy '{}' is not of the form {}", text, formOf(*strategy.row)),
                       fmt::format("write {}{}", formOf(*strategy.row), ranges));
    }
    strategy.numbers[i] = value;
    if (digits.size() == rest.size())
      return strategy;
    rest.remove_prefix(digits.size() + 1);
  }
}

} // namespace agentic
