#include "tool/agent/reply_parser.h"

#include "tool/agent/bounded_text.h"
#include "tool/agent/tool_arguments.h"
#include "tool/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace agentic {
namespace {

constexpr std::size_t kIdeaBytes = 160;

bool isSourceName(std::string_view word) {
  const std::size_t dot = word.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || word.size() > kNameBytes)
    return false;
  return isOneOf(lowered(word.substr(dot + 1)), {"cpp", "cc", "cxx", "c++", "c", "h", "hpp", "hh", "inc"}) &&
         word.find_first_of("<>\"|*?") == std::string_view::npos;
}

/// Finds the first word that looks like a C++ file: in "cpp title=src/fast.cpp", "**fast.cpp**", "File: `fast.cpp`".
std::string nameIn(std::string_view text) {
  std::string spaced(text);
  for (char &c : spaced)
    if (std::string_view(" \t*`'\"():,=#[]{}").find(c) != std::string_view::npos)
      c = ' ';
  for (const std::string &word : split(spaced, ' '))
    if (isSourceName(word))
      return word.substr(word.find_last_of("/\\") + 1);
  return {};
}

bool isCpp(const FencedBlock &block, bool hasName) {
  const std::string language = lowered(std::string_view(block.info).substr(0, block.info.find_first_of(" \t:,{=")));
  return language.empty() || isOneOf(language, {"cpp", "c++", "cxx", "cc", "c", "hpp", "h"}) ||
         isSourceName(language) || (hasName && isOneOf(language, {"code", "text", "plaintext", "source"}));
}

/// Searches for it as a word of its own.
bool mentions(std::string_view text, std::string_view identifier) {
  const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(identifier); at != std::string_view::npos && !identifier.empty();
       at = text.find(identifier, at + 1)) {
    const std::size_t end = at + identifier.size();
    if ((at == 0 || !isWord(text[at - 1])) && (end == text.size() || !isWord(text[end])))
      return true;
  }
  return identifier.empty();
}

/// Removes the marks of headings, lists and emphasis around it.
std::string_view plain(std::string_view text) {
  constexpr std::string_view kMarks = "#*->_ ";
  const std::size_t begin = text.find_first_not_of(kMarks);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of("*_ ") + 1 - begin);
}

std::string ideaIn(std::string_view text) {
  constexpr std::string_view kLabel = "idea:";
  for (const std::string &line : split(text.substr(0, text.find("```")), '\n')) {
    std::string_view prose = plain(trim(line));
    if (lowered(prose.substr(0, kLabel.size())) == kLabel)
      prose = plain(prose.substr(kLabel.size()));
    if (prose.size() > 2 && !prose.starts_with("~~~") && !isSourceName(nameIn(prose)))
      return boundedText(oneLine(prose), kIdeaBytes);
  }
  return {};
}

class Parser {
public:
  Parser(const ChatReply &reply, const ReplyRules &rules) : reply_(reply), rules_(rules) {}

  ParsedReply run() {
    const std::string_view text = withoutThoughts(reply_.message.text, isThoughtOpen_);
    result_.idea = ideaIn(text);
    readCalls();
    if (reply_.finish == ChatFinish::Length)
      return without("Your reply was cut off by the output limit, so nothing of it was used. Answer more briefly: the "
                     "complete file, and at most two sentences.",
                     true);
    if (reply_.finish == ChatFinish::Refused)
      return without("The reply was refused by the provider or its filter.", false);
    if (reply_.message.toolCalls.empty())
      readBlocks(text);
    if (result_.files.empty())
      return without(problem_.empty() ? reason(text) : problem_, isUnclosed_ || isThoughtOpen_);
    return std::move(result_);
  }

private:
  ParsedReply without(std::string problem, bool isTruncated) {
    result_.files.clear();
    result_.problem = std::move(problem);
    result_.isTruncated = isTruncated;
    for (CallAnswer &call : result_.calls)
      if (call.error.empty())
        call.error = result_.problem;
    return std::move(result_);
  }

  std::string reason(std::string_view text) const {
    if (isThoughtOpen_)
      return "Your reply ended within its thoughts, before the answer.";
    if (isUnclosed_)
      return "The last code block has no closing fence, so the file is incomplete and was not used. Send the complete "
             "file again.";
    if (trim(text).empty())
      return "The reply was empty.";
    return "The reply has no C++ file in a fenced code block that defines " + rules_.identifier + ".";
  }

  void add(std::string name, std::string text) {
    if (text.empty() || text.back() != '\n')
      text += '\n';
    // A later block of the same name replaces the whole file.
    std::erase_if(result_.files, [&](const ReplyFile &file) { return file.name == name; });
    result_.files.push_back({std::move(name), std::move(text)});
  }

  void readCalls() {
    for (const ToolCall &call : reply_.message.toolCalls) {
      ToolArguments arguments = readToolArguments(call, rules_.mostBytes);
      result_.calls.push_back({call.id, call.name, arguments.error});
      if (!arguments.error.empty()) {
        ++result_.malformedCalls;
        problem_ = "The tool call could not be used: " + arguments.error;
      } else if (result_.files.size() >= rules_.mostFiles) {
        result_.calls.back().error = "too many candidates in one reply";
      } else {
        result_.files.push_back({std::move(arguments.name), std::move(arguments.source)});
      }
    }
  }

  void readBlocks(std::string_view text) {
    std::vector<std::string> unclosed;
    std::string unnamed;
    for (FencedBlock &block : fencedBlocks(text)) {
      std::string name = nameIn(block.info);
      if (name.empty())
        name = nameIn(block.before);
      if (!isCpp(block, !name.empty()))
        continue;
      if (!block.isClosed) {
        isUnclosed_ = true;
        std::erase_if(result_.files, [&](const ReplyFile &file) { return file.name == name; });
        if (name.empty())
          unnamed.clear();
      } else if (block.text.size() > rules_.mostBytes) {
        problem_ = "The file is larger than " + std::to_string(rules_.mostBytes >> 10) + " KiB. Make it smaller.";
      } else if (name.empty()) {
        if (mentions(block.text, rules_.identifier))
          unnamed = std::move(block.text);
      } else if (!trim(block.text).empty()) {
        add(std::move(name), std::move(block.text));
      }
    }
    if (result_.files.empty() && !unnamed.empty())
      add({}, std::move(unnamed));
    dropWhatIsNoCandidate();
  }

  /// Drops named blocks that do not define the kernel: examples beside it, unless there is nothing else.
  void dropWhatIsNoCandidate() {
    const auto isCandidate = [&](const ReplyFile &file) { return mentions(file.text, rules_.identifier); };
    if (std::ranges::any_of(result_.files, isCandidate))
      std::erase_if(result_.files, [&](const ReplyFile &file) { return !isCandidate(file); });
    if (result_.files.size() > rules_.mostFiles) {
      result_.note = "of " + std::to_string(result_.files.size()) + " files in the reply the first " +
                     std::to_string(rules_.mostFiles) + " are used";
      result_.files.resize(rules_.mostFiles);
    }
  }

  const ChatReply &reply_;
  const ReplyRules &rules_;
  ParsedReply result_;
  std::string problem_;
  bool isUnclosed_ = false, isThoughtOpen_ = false;
};

} // namespace

std::string_view withoutThoughts(std::string_view text, bool &isTruncated) {
  constexpr std::string_view kOpen = "<think>", kClose = "</think>";
  if (const std::size_t end = text.rfind(kClose); end != std::string_view::npos)
    text.remove_prefix(end + kClose.size());
  if (const std::size_t open = text.find(kOpen); open != std::string_view::npos) {
    isTruncated = true;
    text = text.substr(0, open);
  }
  return text;
}

ParsedReply parseReply(const ChatReply &reply, const ReplyRules &rules) {
  return Parser(reply, rules).run();
}

} // namespace agentic
