#include "tool/agent/prompts.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <vector>

namespace agentic {
namespace {

constexpr std::string_view kSystem[] = {"function", "kernel", "closure", "contract", "signature",
                                        "headers",  "rules",  "machine", "hint",     "answer"};
constexpr std::string_view kFirst[] = {"baseline", "shapes", "tried", "budget"};
constexpr std::string_view kFeedback[] = {"verdict", "standing", "budget"};
constexpr std::string_view kCompact[] = {"baseline", "shapes", "leaderboard", "best", "latest", "budget"};
constexpr std::string_view kBest[] = {"baseline", "shapes", "best", "verdict", "budget"};
constexpr std::string_view kFresh[] = {"baseline", "shapes", "tried", "beside", "problem", "idea", "budget"};
constexpr std::string_view kParent[] = {"baseline", "shapes", "parent", "tried", "beside", "problem", "idea", "budget"};
constexpr std::string_view kUnusable[] = {"problem", "answer"};

constexpr std::string_view kRoles[] = {"role", "function", "kernel", "closure", "contract", "machine", "hint"};
constexpr std::string_view kPlanner[] = {"baseline", "shapes", "parent", "tried", "hypotheses", "count"};
constexpr std::string_view kCoder[] = {"plan"};
constexpr std::string_view kFixer[] = {"file", "verdict"};
constexpr std::string_view kJudge[] = {"best", "tried", "file"};
constexpr std::string_view kSummarizer[] = {"parent", "child", "verdict"};
constexpr std::string_view kResearcher[] = {"baseline", "shapes", "known", "left"};
constexpr std::string_view kResearched[] = {"found", "left"};
constexpr std::string_view kReviewer[] = {"file", "conventions", "notes", "refused"};

constexpr PromptRow kTable[] = {
    {"system.md", kSystem},         {"answer-text.md", {}},
    {"answer-tools.md", {}},        {"answer-mcp.md", {}},
    {"first.md", kFirst},           {"feedback.md", kFeedback},
    {"compact.md", kCompact},       {"best.md", kBest},
    {"unusable.md", kUnusable},     {"fresh.md", kFresh},
    {"parent.md", kParent},         {"roles.md", kRoles},
    {"planner.md", kPlanner},       {"coder.md", kCoder},
    {"fixer.md", kFixer},           {"judge.md", kJudge},
    {"summarizer.md", kSummarizer}, {"researcher.md", kResearcher},
    {"researched.md", kResearched}, {"reviewer.md", kReviewer},
};

struct Placeholder {
  std::size_t begin = 0, end = 0; ///< range with its braces
  std::string_view name;
};

/// Finds the next "{{name}}" (lower case, '_') from `from` on.
std::optional<Placeholder> nextPlaceholder(std::string_view text, std::size_t from) {
  for (std::size_t begin = text.find("{{", from); begin != std::string_view::npos; begin = text.find("{{", begin + 1)) {
    std::size_t end = begin + 2;
    while (end < text.size() && ((text[end] >= 'a' && text[end] <= 'z') || text[end] == '_'))
      ++end;
    if (end > begin + 2 && text.substr(end, 2) == "}}")
      return Placeholder{begin, end + 2, text.substr(begin + 2, end - begin - 2)};
  }
  return std::nullopt;
}

Result<void> verify(const PromptRow &row, std::string_view text, const std::string &file) {
  std::set<std::string_view> found;
  for (auto place = nextPlaceholder(text, 0); place; place = nextPlaceholder(text, place->end)) {
    found.insert(place->name);
    if (std::ranges::find(row.placeholders, place->name) == row.placeholders.end()) {
      const std::vector<std::string> known(row.placeholders.begin(), row.placeholders.end());
      const std::string meant = didYouMean(place->name, known);
      return userError("prompt " + file + " has an unknown placeholder {{" + std::string(place->name) + "}}",
                       known.empty() ? "take it out: this prompt has none"
                                     : (meant.empty() ? "use" : "did you mean {{" + meant + "}}? it has") +
                                           std::string(" ") + join(known, ", "));
    }
  }
  for (const std::string_view name : row.placeholders)
    if (!found.contains(name))
      return userError("prompt " + file + " lacks the placeholder {{" + std::string(name) + "}}",
                       "put it where that belongs; the tool's own " + std::string(row.file) + " shows how");
  return {};
}

/// A file that overrides nothing is a typing error.
Result<void> verifyNames(const std::string &directory) {
  std::vector<std::string> known;
  for (const PromptRow &row : kTable)
    known.emplace_back(row.file);
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".md") && std::ranges::find(known, name) == known.end())
      return userError("there is no prompt '" + name + "' to override (" + directory + ")",
                       meantOr(name, known, "use the names " + join(known, ", ")));
  }
  if (error)
    return userError("cannot read the prompts in " + directory + ": " + error.message(),
                     "name a folder with --prompt-dir; its files " + join(known, ", ") + " replace the tool's own");
  return {};
}

/// Returns whether there are only blanks between line feeds around this range.
bool standsAlone(std::string_view text, const Placeholder &place) {
  return (place.begin == 0 || text[place.begin - 1] == '\n') && (place.end == text.size() || text[place.end] == '\n');
}

} // namespace

std::span<const PromptRow> promptTable() {
  return kTable;
}

Result<Prompts> Prompts::load(const std::string &directory) {
  Prompts prompts;
  if (!directory.empty())
    TRY(verifyNames(directory));
  for (const PromptRow &row : kTable) {
    const std::string file = directory + "/" + std::string(row.file);
    std::string text(builtinPrompt(row.file));
    if (!directory.empty() && fs::exists(file)) {
      auto own = TRY(readFile(file));
      text = normalizeLineEnds(own);
    }
    TRY(verify(row, text, directory.empty() ? std::string(row.file) : file));
    prompts.texts_.emplace(row.file, std::move(text));
  }
  return prompts;
}

std::string Prompts::fill(std::string_view file, const PromptValues &values) const {
  const auto found = texts_.find(file);
  if (found == texts_.end())
    return {};
  const std::string_view text = found->second;
  std::string result;
  std::size_t copied = 0;
  for (auto place = nextPlaceholder(text, 0); place; place = nextPlaceholder(text, place->end)) {
    const auto value = values.find(place->name);
    std::string_view put = value == values.end() ? std::string_view() : std::string_view(value->second);
    result += text.substr(copied, place->begin - copied);
    copied = place->end;
    if (standsAlone(text, *place)) {
      put = put.substr(0, put.find_last_not_of('\n') + 1);
      // The blank line after it goes, too.
      while (put.empty() && copied < text.size() && text[copied] == '\n' &&
             (result.empty() || result.ends_with("\n\n")))
        ++copied;
    }
    result += put;
  }
  result += text.substr(copied);
  return result;
}

} // namespace agentic
