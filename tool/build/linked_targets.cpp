#include "tool/build/linked_targets.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace agentic {
namespace {

constexpr std::string_view kObjects = "CMakeFiles/";
constexpr std::string_view kObjectsEnd = ".dir";

/// Makes words that name files absolute: options and names of libraries are left.
std::string inputOf(const std::string &folder, const std::string &word) {
  const bool isFile = !word.starts_with("-") && (word.find('/') != std::string::npos || word.ends_with(".a") ||
                                                 word.ends_with(".o") || word.find(".so") != std::string::npos);
  return isFile ? absoluteIn(folder, word) : word;
}

std::string withoutSlash(std::string path) {
  while (path.size() > 1 && path.ends_with('/'))
    path.pop_back();
  return path;
}

/// Splits at blanks; `$ ` is a blank within a word, as `$:` is a colon.
std::vector<std::string> ninjaWords(std::string_view text) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '$' && i + 1 < text.size())
      words.back() += text[++i];
    else if (text[i] == ' ')
      words.emplace_back();
    else
      words.back() += text[i];
  }
  std::erase(words, std::string());
  return words;
}

struct NinjaStatement {
  LinkedTarget::Kind kind;
  std::vector<std::string> words; ///< inputs of all kinds
  std::string objects, file;
};

std::optional<NinjaStatement> statementOf(std::string_view line) {
  if (!line.starts_with("build "))
    return std::nullopt;
  const auto has = [&](std::string_view rule) { return line.find(rule) != std::string_view::npos; };
  std::optional<NinjaStatement> statement;
  if (has("_EXECUTABLE_LINKER__"))
    statement = {.kind = LinkedTarget::Kind::Program, .words = {}, .objects = {}, .file = {}};
  else if (has("_SHARED_LIBRARY_LINKER__") || has("_MODULE_LIBRARY_LINKER__") || has("_SHARED_MODULE_LINKER__"))
    statement = {.kind = LinkedTarget::Kind::Shared, .words = {}, .objects = {}, .file = {}};
  else if (has("_STATIC_LIBRARY_LINKER__"))
    statement = {.kind = LinkedTarget::Kind::Static, .words = {}, .objects = {}, .file = {}};
  if (statement)
    statement->words = ninjaWords(line.substr(line.find("_LINKER__")));
  return statement;
}

std::optional<LinkedTarget> targetOf(const NinjaStatement &statement, const std::string &buildDir) {
  LinkedTarget target{
      .name = targetOfObject(statement.objects + "/"), .kind = statement.kind, .file = {}, .folder = {}, .inputs = {}};
  if (target.name.empty() || statement.file.empty())
    return std::nullopt;
  target.file = absoluteIn(buildDir, statement.file);
  const std::size_t end = statement.objects.rfind(std::string(kObjects) + target.name + std::string(kObjectsEnd));
  target.folder = withoutSlash(absoluteIn(buildDir, statement.objects.substr(0, end)));
  for (std::size_t i = 1; i < statement.words.size(); ++i)
    if (statement.words[i] != "|" && statement.words[i] != "||")
      target.inputs.push_back(inputOf(buildDir, statement.words[i]));
  return target;
}

/// The result of one command of a link.txt: "c++ … -o FILE …" or "ar qc FILE …".
std::string resultOf(const std::vector<std::string> &words) {
  const auto output = std::ranges::find(words, "-o");
  if (output != words.end() && output + 1 != words.end())
    return *(output + 1);
  return words.size() > 2 && words[1].find_first_not_of("qcrsT") == std::string::npos ? words[2] : std::string();
}

} // namespace

bool LinkedTarget::usesLibrary(std::string_view library) const {
  return std::ranges::any_of(inputs, [&](const std::string &input) {
    std::string name = fs::path(input).filename().string();
    if (input.starts_with("-l"))
      name = "lib" + input.substr(2) + ".so";
    for (const std::string_view end : {"", "_main"}) {
      const std::string wanted = "lib" + std::string(library) + std::string(end) + ".";
      if (name.starts_with(wanted + "a") || name.starts_with(wanted + "so"))
        return true;
    }
    return false;
  });
}

bool LinkedTarget::uses(const LinkedTarget &target) const {
  const std::string objects =
      target.folder + "/" + std::string(kObjects) + target.name + std::string(kObjectsEnd) + "/";
  return file == target.file || std::ranges::any_of(inputs, [&](const std::string &input) {
           return input == target.file || input.starts_with(objects);
         });
}

std::string targetOfObject(std::string_view object) {
  const std::string_view begin = kObjects;
  std::size_t at = object.rfind(begin);
  if (at == std::string_view::npos)
    return {};
  at += begin.size();
  const std::size_t end = object.find(std::string(kObjectsEnd) + "/", at);
  return end == std::string_view::npos ? std::string() : std::string(object.substr(at, end - at));
}

std::vector<LinkedTarget> linkedTargetsOfNinja(std::string_view text, const std::string &buildDir) {
  std::vector<LinkedTarget> targets;
  std::optional<NinjaStatement> statement;
  const auto finish = [&] {
    if (statement)
      if (auto target = targetOf(*statement, buildDir))
        targets.push_back(std::move(*target));
    statement.reset();
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    const std::string_view line = text.substr(0, end + (text[end] != '\n'));
    text.remove_prefix(end + 1);
    if (!line.starts_with("  ")) {
      finish();
      statement = statementOf(line);
    } else if (statement) {
      const std::size_t equals = line.find(" = ");
      const std::string_view name = line.substr(2, equals == std::string_view::npos ? 0 : equals - 2);
      const std::vector<std::string> words = ninjaWords(name.empty() ? line.substr(0, 0) : line.substr(equals + 3));
      if (name == "OBJECT_DIR")
        statement->objects = join(words, " ");
      else if (name == "TARGET_FILE")
        statement->file = join(words, " ");
      else if (name == "LINK_LIBRARIES")
        statement->words.insert(statement->words.end(), words.begin(), words.end());
    }
  }
  finish();
  return targets;
}

std::vector<LinkedTarget> linkedTargetsOfMake(std::string_view text, const std::string &objects) {
  const std::string name = targetOfObject(objects + "/");
  const std::size_t at = objects.rfind(kObjects);
  if (name.empty() || at == std::string::npos)
    return {};
  const std::string folder = withoutSlash(objects.substr(0, at));
  for (const std::string &line : split(text, '\n')) {
    const std::vector<std::string> words = splitCommandLine(line);
    const std::string file = resultOf(words);
    if (file.empty())
      continue;
    LinkedTarget target{.name = name,
                        .kind = LinkedTarget::Kind::Program,
                        .file = absoluteIn(folder, file),
                        .folder = folder,
                        .inputs = {}};
    if (file.ends_with(".a"))
      target.kind = LinkedTarget::Kind::Static;
    else if (std::ranges::find(words, "-shared") != words.end())
      target.kind = LinkedTarget::Kind::Shared;
    for (std::size_t i = 1; i < words.size(); ++i)
      if (words[i] != file)
        target.inputs.push_back(inputOf(folder, words[i]));
    return {target};
  }
  return {};
}

std::vector<LinkedTarget> linkedTargets(const std::string &buildDir, const std::string &config) {
  std::error_code ignored;
  const std::string root = withoutSlash(fs::absolute(buildDir, ignored).lexically_normal().string());
  std::vector<LinkedTarget> targets;
  std::vector<fs::path> files = {fs::path(root) / "build.ninja"};
  if (!config.empty())
    files.push_back(fs::path(root) / "CMakeFiles" / ("impl-" + config + ".ninja"));
  for (const fs::path &file : files)
    if (const auto text = readFile(file))
      for (LinkedTarget &target : linkedTargetsOfNinja(*text, root))
        targets.push_back(std::move(target));
  if (targets.empty())
    if (const auto list = readFile(fs::path(root) / "CMakeFiles" / "TargetDirectories.txt"))
      for (const std::string &objects : split(*list, '\n'))
        if (const auto text = readFile(fs::path(objects) / "link.txt"))
          for (LinkedTarget &target : linkedTargetsOfMake(*text, objects))
            targets.push_back(std::move(target));
  std::ranges::sort(targets, [](const LinkedTarget &a, const LinkedTarget &b) {
    return std::tie(a.name, a.file) < std::tie(b.name, b.file);
  });
  return targets;
}

} // namespace agentic
