#include "tool/secrets/redaction.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/secrets/json_values.h"
#include "tool/secrets/secret_names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>

namespace agentic {
namespace {

constexpr std::size_t kShortestWord = 2;  ///< of a part of a name: "a" is an article
constexpr std::size_t kShortestValue = 4; ///< shorter values are switches
constexpr std::array<std::string_view, 4> kNoSecrets = {"true", "false", "none", "auto"};

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80;
}

/// Replaces `what` only where no letter or digit follows, and none precedes if `isWord`: "ed" in "ed's", not in
/// "edited".
std::string replaceWhole(const std::string &text, const std::string &what, const std::string &by, bool isWord) {
  std::string changed;
  std::size_t done = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    const std::size_t end = at + what.size();
    if (at < done || (isWord && at > 0 && isWordCharacter(text[at - 1])) ||
        (end < text.size() && isWordCharacter(text[end])))
      continue;
    changed += text.substr(done, at - done) + by;
    done = end;
  }
  return changed + text.substr(done);
}

/// Removes `-----BEGIN … PRIVATE KEY-----` up to its end, or to the end of the text.
std::string withoutPrivateKeys(std::string text) {
  constexpr std::string_view kBegin = "-----BEGIN ", kMark = "PRIVATE KEY", kEnd = "-----END ", kLine = "-----";
  for (std::size_t at = text.find(kBegin); at != std::string::npos; at = text.find(kBegin, at + 1)) {
    const std::size_t head = text.find(kLine, at + kBegin.size());
    if (std::string_view(text).substr(at, head - at).find(kMark) == std::string_view::npos)
      continue;
    const std::size_t foot = text.find(kEnd, at), last = text.find(kLine, foot + kEnd.size());
    const bool isWhole = foot != std::string::npos && last != std::string::npos;
    text.replace(at, isWhole ? last + kLine.size() - at : std::string::npos, kRedacted);
  }
  return text;
}

} // namespace

Redaction::Redaction(const Identity &identity) {
  addWord(identity.host, "host");
  addWord(identity.host.substr(0, identity.host.find('.')), "host");
  addWord(identity.user, "user");
  addHome(identity.home);
  for (const std::string &variable : identity.environment) {
    const std::size_t equals = variable.find('=');
    if (equals == std::string::npos)
      continue;
    const std::string name = variable.substr(0, equals), value = variable.substr(equals + 1);
    if (isSecretName(name))
      addSecret(value);
    if (name == "HOME")
      addHome(value);
    if (name == "USER" || name == "LOGNAME")
      addWord(value, "user");
  }
  for (auto *table : {&homes_, &words_})
    std::ranges::sort(*table, std::ranges::greater(), [](const auto &row) { return row.first.size(); });
}

void Redaction::addSecret(const std::string &value) {
  secrets_.add(value);
  for (const std::string &line : split(value, '\n')) // each line of a key with several lines may appear alone
    secrets_.add(line);
  const std::string word(trim(value));
  if (word.size() < kShortestValue || std::ranges::find(kNoSecrets, word) != kNoSecrets.end())
    return;
  words_.emplace_back(word, kRedacted);
  const std::string json = nlohmann::json(word).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (json.size() > word.size() + 2) // its form in JSON within a string
    words_.emplace_back(json.substr(1, json.size() - 2), kRedacted);
}

void Redaction::addWord(std::string_view word, const std::string &by) {
  if (word.size() >= kShortestWord)
    words_.emplace_back(word, by);
}

/// Adds the folder and its canonical path: the build's files name it as the file system does.
void Redaction::addHome(std::string home) {
  std::error_code error;
  const std::string canonical = fs::canonical(home, error).string();
  for (std::string folder : {std::move(home), canonical}) {
    while (folder.ends_with('/'))
      folder.pop_back();
    if (!folder.empty())
      homes_.emplace_back(folder, "~");
  }
}

std::string Redaction::of(std::string_view text) const {
  if (nlohmann::json::accept(text))
    return ofJson(text);
  std::string clean, other;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    if (!nlohmann::json::accept(line)) {
      other += line; // lines that are not JSON are one text: a value may extend over several lines
      continue;
    }
    clean += ofText(std::exchange(other, {})) + ofJson(line);
  }
  return clean + ofText(other);
}

std::string Redaction::ofJson(std::string_view json) const {
  return changedJsonValues(json, [&](const std::string &text, const std::string &path, const std::string &before) {
    const bool isSecret = isSecretField(path) || isSecretOption(before);
    return isSecret && !text.empty() ? std::string(kRedacted) : ofText(text);
  });
}

std::string Redaction::ofText(std::string_view text) const {
  std::string clean = withoutNamedSecrets(secrets_.redact(withoutPrivateKeys(std::string(text))));
  for (const auto &[what, by] : homes_)
    clean = replaceWhole(clean, what, by, false);
  for (const auto &[what, by] : words_)
    clean = replaceWhole(clean, what, by, true);
  return clean;
}

} // namespace agentic
