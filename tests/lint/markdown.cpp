#include "tests/lint/markdown.h"

#include "tests/lint/rules.h"
#include "tool/base/files.h"
#include "tool/base/text.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

namespace agentic::lint {
namespace {

/// Lines of fenced blocks are left empty.
std::vector<std::string> linesOutsideFences(std::string_view text) {
  std::vector<std::string> lines = split(text, '\n');
  std::string fence;
  for (std::string &line : lines) {
    const std::string_view begin = trim(line);
    const bool isFence = begin.starts_with("```") || begin.starts_with("~~~");
    if (fence.empty() && !isFence)
      continue;
    if (fence.empty())
      fence = begin.substr(0, 3);
    else if (begin.starts_with(fence))
      fence.clear();
    line.clear();
  }
  return lines;
}

struct Span {
  std::size_t begin = 0, end = 0; ///< of the content, between the backticks
};

/// A run of backticks is closed by one of the same length in the same paragraph.
std::vector<Span> codeSpans(std::string_view text) {
  std::vector<Span> spans;
  for (std::size_t at = 0; (at = text.find('`', at)) != std::string_view::npos;) {
    const std::size_t open = std::min(text.find_first_not_of('`', at), text.size());
    const std::size_t paragraph = std::min(text.find("\n\n", open), text.size());
    std::size_t close = open, next = open;
    while ((close = text.find('`', next)) < paragraph) {
      next = std::min(text.find_first_not_of('`', close), text.size());
      if (next - close == open - at)
        break;
    }
    if (close < paragraph)
      spans.push_back({open, close});
    at = close < paragraph ? next : open;
  }
  return spans;
}

/// "a \| b | c" → {"a \| b", "c"}.
std::vector<std::string> cellsOf(std::string_view line) {
  line = trim(line);
  line.remove_prefix(1);
  if (line.ends_with('|') && !line.ends_with("\\|"))
    line.remove_suffix(1);
  std::vector<std::string> cells(1);
  for (std::size_t i = 0; i < line.size(); ++i)
    if (line[i] == '|' && (i == 0 || line[i - 1] != '\\'))
      cells.emplace_back();
    else
      cells.back() += line[i];
  for (std::string &cell : cells)
    cell = std::string(trim(cell));
  return cells;
}

/// What GitHub leaves out of an anchor besides ASCII's punctuation: the signs of Latin-1, and general punctuation,
/// arrows, mathematical and other symbols.
bool isSign(char32_t letter) {
  return (letter >= 0x80 && letter < 0xC0 && letter != 0xAA && letter != 0xB5 && letter != 0xBA) || letter == 0xD7 ||
         letter == 0xF7 || (letter >= 0x2000 && letter < 0x2C00) || (letter >= 0x3000 && letter < 0x3040);
}

/// Letters beyond ASCII stay as they are.
std::string slugOf(std::string_view heading) {
  std::string slug;
  for (std::size_t i = 0; i < heading.size(); ++i) {
    const auto byte = static_cast<unsigned char>(heading[i]);
    if (byte < 0x80) {
      if (std::isalnum(byte) != 0 || byte == '-' || byte == '_')
        slug += static_cast<char>(std::tolower(byte));
      else if (byte == ' ')
        slug += '-';
      continue;
    }
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
    const std::string_view bytes = heading.substr(i, length);
    char32_t letter = byte & (0xFFU >> (length + 1));
    for (const char next : bytes.substr(1))
      letter = (letter << 6) | (static_cast<unsigned char>(next) & 0x3FU);
    if (!isSign(letter))
      slug += bytes;
    i += length - 1;
  }
  return slug;
}

/// "[text](target)" → "text".
std::string withoutTargets(std::string text) {
  for (std::size_t at = 0; (at = text.find("](", at)) != std::string::npos;)
    text.erase(at, std::min(text.find(')', at), text.size() - 1) + 1 - at);
  return text;
}

class LinkReader {
public:
  explicit LinkReader(fs::path root) : root_(std::move(root)) {}

  /// Why the link of this document leads nowhere; empty if it leads somewhere, or out of the repository by a URL.
  std::string problem(const std::string &document, const std::string &target) {
    if (target.find("://") != std::string::npos || target.starts_with("mailto:"))
      return {};
    const std::string path = target.substr(0, target.find('#'));
    fs::path file = fs::path(document);
    if (!path.empty())
      file = path.starts_with('/') ? fs::path(path.substr(1)) : (file.parent_path() / path).lexically_normal();
    if (file.generic_string().starts_with(".."))
      return "'" + target + "' leads out of the repository";
    if (!fs::exists(root_ / file))
      return "there is no '" + file.generic_string() + "'";
    if (path.size() == target.size())
      return {};
    const std::string anchor = target.substr(path.size() + 1);
    if (fs::is_directory(root_ / file))
      file /= "README.md";
    return anchors(file.generic_string()).contains(anchor)
               ? ""
               : "'" + file.generic_string() + "' has no heading '#" + anchor + "'";
  }

private:
  const std::set<std::string> &anchors(const std::string &file) {
    const auto [entry, isNew] = anchors_.try_emplace(file);
    if (isNew)
      entry->second = anchorsIn(readFile(root_ / file).value_or(""));
    return entry->second;
  }

  fs::path root_;
  std::map<std::string, std::set<std::string>> anchors_;
};

} // namespace

std::vector<Link> linksIn(std::string_view text) {
  std::string prose = join(linesOutsideFences(text), "\n");
  for (const Span &span : codeSpans(prose))
    std::replace_if(
        prose.begin() + std::ptrdiff_t(span.begin), prose.begin() + std::ptrdiff_t(span.end),
        [](char letter) { return letter != '\n'; }, ' ');
  std::vector<Link> links;
  const auto add = [&](std::size_t at) {
    const std::string_view rest = std::string_view(prose).substr(at);
    links.push_back({lineColumn(prose, at).line, std::string(rest.substr(0, rest.find_first_of(" )\n")))});
  };
  for (std::size_t at = 0; (at = prose.find("](", at)) != std::string::npos; ++at)
    add(at + 2);
  for (std::size_t at = 0; (at = prose.find("]: ", at)) != std::string::npos; ++at) // [name]: target
    if (prose[prose.rfind('\n', at) + 1] == '[')
      add(at + 3);
  return links;
}

std::set<std::string> anchorsIn(std::string_view text) {
  std::map<std::string, int> seen;
  std::set<std::string> anchors;
  for (const std::string &line : linesOutsideFences(text)) {
    const std::size_t level = line.find_first_not_of('#');
    if (level == 0 || level == std::string::npos || level > 6 || line[level] != ' ')
      continue;
    const std::string slug = slugOf(withoutTargets(std::string(trim(line.substr(level)))));
    const int before = seen[slug]++;
    anchors.insert(before == 0 ? slug : slug + "-" + std::to_string(before));
  }
  return anchors;
}

std::vector<std::string> codeSpansIn(std::string_view text) {
  std::vector<std::string> contents;
  for (const Span &span : codeSpans(text))
    contents.emplace_back(text.substr(span.begin, span.end - span.begin));
  return contents;
}

std::vector<std::string> TableRow::names() const {
  std::vector<std::string> names;
  if (cells.empty() || !cells.front().starts_with('`'))
    return names;
  for (const std::string &span : codeSpansIn(cells.front()))
    names.push_back(span.substr(0, span.find(' ')));
  return names;
}

std::vector<TableRow> tableRowsIn(std::string_view text) {
  std::vector<TableRow> rows;
  std::vector<std::string> head;
  bool isBelowRule = false;
  for (const std::string &line : linesOutsideFences(text)) {
    if (!line.starts_with('|')) {
      head.clear();
      isBelowRule = false;
    } else if (head.empty()) {
      head = cellsOf(line);
    } else if (!isBelowRule) {
      isBelowRule = true; // |---|---|
    } else {
      rows.push_back({head, cellsOf(line)});
    }
  }
  return rows;
}

std::vector<std::string> deadLinksBelow(const fs::path &root) {
  LinkReader reader(root);
  std::vector<std::string> dead;
  for (const std::string &document : documentsOfOurs(root))
    for (const Link &link : linksIn(readFile(root / document).value_or("")))
      if (const std::string problem = reader.problem(document, link.target); !problem.empty())
        dead.push_back(document + ":" + std::to_string(link.line) + ": " + problem);
  return dead;
}

} // namespace agentic::lint
