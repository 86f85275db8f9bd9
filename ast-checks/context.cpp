#include "ast-checks/context.h"

#include "tool/base/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace agentic::checks {
namespace {

bool isC(const CheckRequest &request) {
  constexpr std::array<std::string_view, 2> kSaysC = {"-x", "c"};
  return !std::ranges::search(request.arguments, kSaysC).empty();
}

/// Checks advise in the words of C++: C has other ones.
std::string advisedInC(std::string message) {
  constexpr std::pair<const char *, const char *> kWords[] = {
      {"a constexpr table", "a const table"},
      {"a constexpr variable", "an enumerator, a const variable"},
      {"'static constexpr'", "'static const'"},
      {"extern \"C\" '", "'"}};
  for (const auto &[cxx, c] : kWords)
    message = replaceAll(std::move(message), cxx, c);
  return message;
}

} // namespace

Context::Context(const CheckRequest &request)
    : request_(request), own_(request.own, request.text.size()), lexemes_(lexOwnText(request.text, own_)) {}

void Context::enterFile(const clang::SourceManager &sources) {
  sources_ = &sources;
  mainBegin_ = sources.getLocForStartOfFile(sources.getMainFileID());
  mainEnd_ = sources.getLocForEndOfFile(sources.getMainFileID());
}

// Raw positions are compared: this runs for every token of every header.
std::optional<std::size_t> Context::mainOffset(clang::SourceLocation fileLocation) const {
  if (fileLocation < mainBegin_ || mainEnd_ < fileLocation)
    return std::nullopt;
  return fileLocation.getRawEncoding() - mainBegin_.getRawEncoding();
}

std::optional<std::size_t> Context::ownOffset(clang::SourceLocation location) const {
  if (location.isInvalid())
    return std::nullopt;
  if (location.isFileID()) {
    auto offset = mainOffset(location);
    return offset && own_.contains(*offset) ? offset : std::nullopt;
  }
  // The nearest written place comes first, so that the finding points into a macro's argument and not at the macro.
  for (clang::SourceLocation place :
       {sources_->getFileLoc(location), sources_->getExpansionLoc(location), sources_->getSpellingLoc(location)})
    if (auto offset = mainOffset(place); offset && own_.contains(*offset))
      return offset;
  return std::nullopt;
}

std::optional<std::size_t> Context::fileOffset(clang::SourceLocation location) const {
  return location.isValid() ? mainOffset(sources_->getExpansionLoc(location)) : std::nullopt;
}

bool Context::isSystemMacro(clang::SourceLocation location) const {
  if (!location.isMacroID())
    return false;
  clang::SourceLocation spelling = sources_->getSpellingLoc(location);
  return !mainOffset(spelling) && sources_->isInSystemHeader(spelling);
}

void Context::report(const Check &check, clang::SourceLocation location, std::string message) {
  if (auto offset = ownOffset(location))
    reportAt(check, *offset, std::move(message));
}

void Context::reportAt(const Check &check, std::size_t offset, std::string message) {
  if (isC(request_))
    message = advisedInC(std::move(message));
  if (seen_.emplace(offset, check.name()).second)
    reports_.push_back({offset, check.name(), std::move(message), check.isNote()});
}

} // namespace agentic::checks
