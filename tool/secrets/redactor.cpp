#include "tool/secrets/redactor.h"

#include "tool/base/base64.h"
#include "tool/base/text.h"
#include "tool/base/wire_json.h"
#include "tool/secrets/secret_names.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace agentic {
namespace {

constexpr std::size_t kShortestSecret = 8;

std::string urlEncoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const unsigned char c : text) {
    if (std::isalnum(c) || std::string_view("-._~").contains(static_cast<char>(c)))
      encoded += static_cast<char>(c);
    else
      ((encoded += '%') += kDigits[c >> 4]) += kDigits[c & 15];
  }
  return encoded;
}

bool isTokenCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' || c == '+' || c == '/' ||
         c == '=';
}

bool startsWithIgnoringCase(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && std::ranges::equal(text.substr(0, word.size()), word, [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == b;
         });
}

/// A name whose value is a key, in a header or in a URL's query. `value`: text that must follow the name, at least.
constexpr std::array<std::string_view, 6> kHeaders = {
    "authorization", "proxy-authorization", "x-api-key", "x-goog-api-key", "api-key", "cookie"};
constexpr std::array<std::string_view, 6> kQueryKeys = {
    "key=", "api_key=", "apikey=", "access_token=", "token=", "sig="};
constexpr std::array<std::string_view, 15> kPrefixes = {"sk-",  "sk_",   "gsk_",   "xai-",  "AIza",
                                                        "hf_",  "ghp_",  "tgp_",   "AKIA",  "gho_",
                                                        "ghs_", "pypi-", "glpat-", "xoxb-", "xoxp-"};

struct Place {
  std::size_t begin = 0, end = 0; ///< empty = none
};

std::size_t tokenEnd(std::string_view text, std::size_t begin) {
  while (begin < text.size() && isTokenCharacter(text[begin]))
    ++begin;
  return begin;
}

/// Finds the value in `Authorization: Bearer abc`, also as JSON: `"authorization":"Bearer abc"`.
Place headerValue(std::string_view text, std::size_t at) {
  for (const std::string_view name : kHeaders) {
    if (!startsWithIgnoringCase(text.substr(at), name))
      continue;
    std::size_t i = at + name.size();
    const auto skip = [&](std::string_view characters) {
      while (i < text.size() && characters.contains(text[i]))
        ++i;
    };
    skip("\"' \\");
    if (i >= text.size() || (text[i] != ':' && text[i] != '='))
      continue;
    ++i;
    skip("\"' \\");
    for (const std::string_view scheme : {"bearer ", "basic ", "token "})
      if (startsWithIgnoringCase(text.substr(i), scheme))
        i += scheme.size();
    const std::size_t end = tokenEnd(text, i);
    if (end - i >= kShortestSecret)
      return {i, end};
  }
  return {};
}

/// Finds the password of `scheme://user:password@host`, or all of the user part if there is no password.
Place userInfo(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("://"))
    return {};
  const std::size_t begin = at + 3;
  const std::string_view authority = text.substr(begin, text.substr(begin).find_first_of("/ \n\"'<>?#"));
  const std::size_t length = authority.rfind('@'); // a password may hold others
  return length != std::string_view::npos && length > 0 ? Place{begin, begin + length} : Place{};
}

Place queryKey(std::string_view text, std::size_t at) {
  if (text[at] != '?' && text[at] != '&')
    return {};
  for (const std::string_view key : kQueryKeys)
    if (startsWithIgnoringCase(text.substr(at + 1), key)) {
      const std::size_t begin = at + 1 + key.size();
      const std::size_t end = tokenEnd(text, begin);
      if (end - begin >= kShortestSecret)
        return {begin, end};
    }
  return {};
}

/// Finds a token that looks like a provider's key: a known prefix, then at least 16 characters, with a digit among them
/// if words may begin with the prefix.
Place prefixedKey(std::string_view text, std::size_t at) {
  if (at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_' || text[at - 1] == '-'))
    return {};
  for (const std::string_view prefix : kPrefixes) {
    if (!text.substr(at).starts_with(prefix))
      continue;
    std::size_t end = at + prefix.size();
    bool hasDigit = false;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '-' || text[end] == '_'))
      hasDigit |= std::isdigit(static_cast<unsigned char>(text[end++])) != 0;
    constexpr std::size_t kUnmistakable = 6;
    if ((hasDigit || prefix.size() >= kUnmistakable) && end - at - prefix.size() >= 16)
      return {at, end};
  }
  return {};
}

/// Finds a JSON Web Token, `eyJ….eyJ….…`, in base64 for URLs: "eyJ" is a brace and a quote.
Place webToken(std::string_view text, std::size_t at) {
  const auto isDigit = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_'; };
  if ((at > 0 && isDigit(text[at - 1])) || !text.substr(at).starts_with("eyJ"))
    return {};
  const auto partEnd = [&](std::size_t i) {
    while (i < text.size() && isDigit(text[i]))
      ++i;
    return i;
  };
  const std::size_t header = partEnd(at);
  if (!text.substr(header).starts_with(".eyJ"))
    return {};
  const std::size_t claims = partEnd(header + 1);
  return text.substr(claims).starts_with('.') ? Place{at, partEnd(claims + 1)} : Place{};
}

std::string redactShapes(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    Place span;
    for (const auto find : {&headerValue, &userInfo, &queryKey, &prefixedKey, &webToken})
      if (span.end == 0)
        span = find(text, i);
    if (span.end == 0 || text.substr(span.begin, span.end - span.begin) == kRedacted) {
      result += text[i++];
      continue;
    }
    result += text.substr(i, span.begin - i);
    result += kRedacted;
    i = span.end;
  }
  return result;
}

} // namespace

void Redactor::add(std::string_view secret) {
  secret = trim(secret);
  if (secret.size() < kShortestSecret)
    return;
  std::string json = dumpWireJson(Json(secret));
  json = json.substr(1, json.size() - 2);
  const std::string_view wholeGroups = secret.substr(0, secret.size() / 3 * 3); // the rest depends on the next text
  const std::lock_guard lock(mutex_);
  for (std::string form : {std::string(secret), json, urlEncoded(secret), base64(wholeGroups)})
    if (form.size() >= kShortestSecret && std::ranges::find(forms_, form) == forms_.end())
      forms_.push_back(std::move(form));
  std::ranges::sort(forms_, std::ranges::greater(), &std::string::size); // a key may begin with another key
}

std::string Redactor::redactLoaded(std::string_view text) const {
  const std::lock_guard lock(mutex_);
  std::string result(text);
  for (const std::string &form : forms_)
    if (result.contains(form))
      result = replaceAll(std::move(result), form, kRedacted);
  return result;
}

std::string Redactor::redact(std::string_view text) const {
  return redactShapes(redactLoaded(text));
}

bool Redactor::containsSecret(std::string_view text) const {
  if (redactLoaded(text) != text)
    return true;
  for (std::size_t i = 0; i < text.size(); ++i)
    for (const auto find : {&headerValue, &prefixedKey, &webToken})
      if (const Place span = find(text, i);
          span.end != 0 && text.substr(span.begin, span.end - span.begin) != kRedacted)
        return true;
  return false;
}

std::string Redactor::forRecords(std::string_view text) const {
  std::string result = redactLoaded(text);
  return containsSecret(result) ? redact(result) : result;
}

} // namespace agentic
