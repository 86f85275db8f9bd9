#include "tool/secrets/secret_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace agentic {
namespace {

constexpr std::array<std::string_view, 10> kSecret = {"AUTH", "AUTHORIZATION", "COOKIE",    "CREDENTIAL", "CREDENTIALS",
                                                      "PASS", "PASSPHRASE",    "PASSWORDS", "PWD",        "SECRETS"};
/// Words that count even as the end of another word: GITHUBTOKEN.
constexpr std::array<std::string_view, 5> kSecretEnd = {"TOKEN", "SECRET", "PASSWORD", "PASSWD", "APIKEY"};
constexpr std::array<std::string_view, 7> kKeyOf = {"ACCESS",  "API",    "AUTH",   "ENCRYPTION",
                                                    "PRIVATE", "SECRET", "SIGNING"};

bool isAlnum(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}
bool isSpace(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

/// Splits a name into words in capitals: "deployToken", "DEPLOY_TOKEN" → DEPLOY, TOKEN.
std::vector<std::string> wordsOf(std::string_view name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool isHump = std::isupper(c) && i > 0 && std::islower(static_cast<unsigned char>(name[i - 1]));
    if (!words.back().empty() && (isHump || !isAlnum(name[i])))
      words.emplace_back();
    if (isAlnum(name[i]))
      words.back() += static_cast<char>(std::toupper(c));
  }
  return words;
}

bool isSecretWord(const std::string &word) {
  return std::ranges::find(kSecret, word) != kSecret.end() ||
         std::ranges::any_of(kSecretEnd, [&](std::string_view end) { return word.ends_with(end); });
}

/// Returns whether a word names a secret; PWD alone is the working directory.
bool hasSecretWord(const std::vector<std::string> &words) {
  return std::ranges::any_of(words, isSecretWord) && words != std::vector<std::string>{"PWD"};
}

bool isNameCharacter(char c) {
  return isAlnum(c) || c == '_' || c == '-';
}

/// Counts the backslashes right before `at`.
std::size_t backslashes(std::string_view text, std::size_t at) {
  std::size_t count = 0;
  while (count < at && text[at - 1 - count] == '\\')
    ++count;
  return count;
}

/// Returns the end of an unquoted value: the next blank or quote, after the scheme of "Bearer abc".
std::size_t bareEnd(std::string_view text, std::size_t begin) {
  for (const std::string_view scheme : {"Bearer ", "bearer ", "Basic ", "basic ", "token "})
    if (text.substr(begin).starts_with(scheme))
      begin += scheme.size();
  while (begin < text.size() && !isSpace(text[begin]) && text[begin] != '"' && text[begin] != '\'')
    ++begin;
  return begin;
}

/// Returns the end of a quoted text that begins at `begin`: a quote that is escaped no more than the first, as in \"a
/// \\\"b\\\" c\".
std::size_t quotedEnd(std::string_view text, std::size_t begin) {
  const char quote = text[begin - 1];
  const std::size_t depth = backslashes(text, begin - 1);
  for (std::size_t end = text.find(quote, begin); end != std::string_view::npos; end = text.find(quote, end + 1))
    if (const std::size_t here = backslashes(text, end); here <= depth)
      return std::max(begin, end - here);
  return text.size();
}

struct Span {
  std::size_t begin = 0, end = 0; ///< empty = none
};

/// Finds the value assigned to the secret's name that ends at `at`: after "=", ":", in JSON within a string, or after
/// an option.
Span valueBehind(std::string_view text, std::size_t at, bool isOption) {
  constexpr std::string_view kQuotes = "\"'\\";
  const auto skip = [&](auto &&isSkipped) {
    while (at < text.size() && isSkipped(text[at]))
      ++at;
  };
  const auto isQuote = [&](char c) { return kQuotes.contains(c); };
  const std::size_t name = at;
  skip(isQuote);
  skip(isSpace);
  const bool isAssigned = at < text.size() && (text[at] == '=' || text[at] == ':');
  if (!isAssigned && !(isOption && at > name))
    return {};
  if (text.substr(at).starts_with("::") || text.substr(at).starts_with("==")) // a name or a comparison of C++
    return {};
  const bool isPadded = isAssigned && (text[at] == ':' || at > name);
  if (isAssigned)
    ++at;
  if (isPadded)
    skip(isSpace);
  const std::size_t open = at;
  skip(isQuote);
  return {at, at > open && text[at - 1] != '\\' ? quotedEnd(text, at) : bareEnd(text, at)};
}

constexpr std::string_view kBesideUserInfo = " \t\r\n\"'`<>/,;()[]{}=";

/// Returns the begin of the `user:password` in front of the "@" at `at`.
std::size_t userInfoBegin(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 256;
  std::size_t begin = at;
  bool hasColon = false;
  while (begin > 0 && at - begin < kLongest && !isSpace(text[begin - 1]) && text[begin - 1] != '@' &&
         !kBesideUserInfo.contains(text[begin - 1]))
    hasColon |= text[--begin] == ':';
  const bool isHost = at + 1 < text.size() && (isAlnum(text[at + 1]) || text[at + 1] == '[');
  return hasColon && isHost && text[begin] != ':' ? begin : at;
}

std::string withoutUserInfo(std::string_view text) {
  std::string clean;
  std::size_t done = 0;
  for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1))
    if (const std::size_t begin = std::max(done, userInfoBegin(text, at)); begin < at) {
      clean += text.substr(done, begin - done);
      clean += kRedacted;
      const std::size_t end = std::min(text.find_first_of(kBesideUserInfo, at + 1), text.size());
      done = text.rfind('@', end - 1); // a password may hold more of them
      at = end - 1;
    }
  return clean += text.substr(done);
}

} // namespace

bool isSecretName(std::string_view name) {
  if (name.starts_with("-D"))
    name.remove_prefix(2);
  const std::vector<std::string> words = wordsOf(name);
  return hasSecretWord(words) ||
         std::ranges::any_of(words, [](const std::string &word) { return word == "KEY" || word == "KEYS"; });
}

bool isSecretField(std::string_view path) {
  const std::vector<std::string> words = wordsOf(path);
  for (std::size_t i = 1; i < words.size(); ++i)
    if (words[i] == "KEY" && std::ranges::find(kKeyOf, words[i - 1]) != kKeyOf.end())
      return true;
  const std::string_view name = path.substr(path.rfind('.') + 1);
  const bool isVariable = std::ranges::none_of(name, [](unsigned char c) { return std::islower(c); });
  return hasSecretWord(words) || (isVariable && isSecretName(name));
}

bool isSecretOption(std::string_view argument) {
  return argument.starts_with("--") && std::ranges::all_of(argument, isNameCharacter) && isSecretName(argument);
}

std::string withoutNamedSecrets(std::string_view text) {
  std::string clean;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && isNameCharacter(text[end]))
      ++end;
    if (end == at) {
      clean += text[at++];
      continue;
    }
    const std::string_view name = text.substr(at, end - at);
    Span value = isSecretName(name) ? valueBehind(text, end, isSecretOption(name)) : Span();
    if (value.end > value.begin && at == 0 && text[end] == '=')
      value.end = text.size();
    if (value.end <= value.begin) {
      clean += name;
      at = end;
      continue;
    }
    clean += text.substr(at, value.begin - at);
    clean += kRedacted;
    at = value.end;
  }
  return withoutUserInfo(clean);
}

} // namespace agentic
