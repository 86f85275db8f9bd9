#include "tool/knowledge/knowledge_program.h"

#include "tool/base/process.h"
#include "tool/base/terminal_text.h"
#include "tool/base/text.h"
#include "tool/base/user_command.h"
#include "tool/base/wire_json.h"
#include "tool/knowledge/cut.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {
namespace {

constexpr std::size_t kMostAnswered = 1u << 20, kLongestTitle = 300;

std::unexpected<Error> wrongAnswer(const std::string &program, const std::string &what, std::string next) {
  return userError("--knowledge-command: '" + program + "' " + what, std::move(next));
}

std::unexpected<Error> wrongForm(const std::string &program, const std::string &what) {
  return wrongAnswer(program, what,
                     "it must write a JSON array of {\"title\", \"text\", \"source\", \"licence\"} to standard output, "
                     "and nothing else");
}

/// One line without what moves a cursor.
std::string shortText(const Json &entry, std::string_view key) {
  return printable(validUtf8(textAt(entry, key).substr(0, kLongestTitle)));
}

} // namespace

Result<std::vector<Passage>> passagesIn(std::string_view answer, const std::string &program, std::size_t most) {
  const auto entries = parseWireJson(answer);
  if (!entries || !entries->is_array())
    return wrongForm(program, entries ? "wrote JSON that is no array" : "wrote what is no JSON");
  std::vector<Passage> passages;
  for (const Json &entry : *entries) {
    if (passages.size() == most)
      break;
    Passage passage{.file = shortText(entry, "source"),
                    .name = shortText(entry, "title"),
                    .licence = shortText(entry, "licence"),
                    .text = validUtf8(textAt(entry, "text").substr(0, kLongestPassage))};
    if (trim(passage.text).empty())
      return wrongForm(program, fmt::format("wrote a passage (number {}) without a text", passages.size() + 1));
    if (passage.file.empty())
      passage.file = program;
    passages.push_back(std::move(passage));
  }
  return passages;
}

Result<std::vector<Passage>> askKnowledgeProgram(const KnowledgeQuestion &question) {
  std::vector<std::string> words = userCommand(question.command, question.startDirectory);
  if (words.empty())
    return userError("--knowledge-command names no program",
                     "write the program with its arguments: \"./search.sh --web\"");
  const ScratchDirectory folder = TRY(ScratchDirectory::create(fs::temp_directory_path(), "agentic-knowledge-"));
  const std::string program = fs::path(words.front()).filename().string();
  const std::string input = dumpWireJson(Json{{"query", question.query}, {"most", question.most}});
  const auto answered = runProcess({.argv = std::move(words),
                                    .workingDirectory = folder.path().string(),
                                    .input = input + "\n",
                                    .timeoutSeconds = question.timeoutSeconds,
                                    .outputCapBytes = kMostAnswered,
                                    .cancelled = question.cancelled});
  if (!answered)
    return userError("--knowledge-command: " + answered.error().message, answered.error().next);
  if (answered->end == ProcessResult::End::Cancelled)
    return interruptedError();
  if (!answered->ok())
    return wrongAnswer(program, answered->describe() + saidAtTheEnd(*answered),
                       "run it by hand with " + input + " on its standard input");
  if (answered->truncated)
    return wrongForm(program, fmt::format("wrote more than {} MiB", kMostAnswered >> 20));
  return passagesIn(answered->out, program, question.most);
}

} // namespace agentic
