#include "ast-checks/context.h"

#include "ast-checks/function_use.h"
#include "tool/base/text.h"

#include "clang/Lex/Lexer.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace agentic::checks {
namespace {

constexpr std::size_t kLongestText = 160;

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

/// In a candidate, a function of the original's name and type may be called with any pointers: it is not the kernel.
void Context::enterFunction(const clang::FunctionDecl &function) {
  const bool isOther = isCandidate() && !(function.isExternC() && function.getNameAsString() == request_.kernelSymbol);
  if (!kernel_ && !isOther && function.doesThisDeclarationHaveABody() && function.getBody() &&
      !function.isDependentContext() && isKernel(function, *this))
    kernel_ = &function;
  else if (!isCandidate() && function.doesThisDeclarationHaveABody() && function.getBody() &&
           !function.isDependentContext() && isOwn(function.getLocation()) &&
           function.getDeclContext()->getRedeclContext()->isFileContext()) // no lambda, no member
    helpers_.emplace_back(&function, nullptr);
}

/// Sets `helper` to the name of the function if that is not the kernel.
std::optional<AddressForm> Context::formOf(const clang::Expr &about, std::string &helper) {
  if (kernel_ && !forms_)
    forms_.emplace(*kernel_, *ast_);
  if (std::optional<AddressForm> form = forms_ ? forms_->of(about) : std::nullopt)
    return form;
  for (auto &[function, forms] : helpers_) {
    if (!forms)
      forms = std::make_unique<AddressForms>(*function, *ast_);
    std::optional<AddressForm> form = forms->of(about);
    if (!form)
      continue;
    if (form->saysWhere)
      return std::nullopt;
    form->text = function->getNameAsString() + ": " + form->text; // no form of a candidate's kernel
    helper = function->getNameAsString();
    return form;
  }
  return std::nullopt;
}

/// Returns the expression as the file has it, macros unexpanded, on one line.
std::string Context::writtenText(const clang::Expr &expression) const {
  const clang::CharSourceRange range = sources_->getExpansionRange(expression.getSourceRange());
  std::string text = clang::Lexer::getSourceText(range, *sources_, ast_->getLangOpts()).str();
  std::string line;
  for (const char c : text)
    if (static_cast<unsigned char>(c) > ' ')
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  return line.size() > kLongestText ? line.substr(0, kLongestText) + " ..." : line;
}

void Context::addPermitted(const Permission &permission, std::size_t offset) {
  const auto isSame = [&](const Permitted &other) {
    return other.permission.check == permission.check && other.permission.form == permission.form;
  };
  const auto known = std::ranges::find_if(permitted_, isSame);
  if (known == permitted_.end())
    permitted_.push_back({offset, permission});
  else
    known->offset = std::min(known->offset, offset);
}

const clang::VarDecl *Context::report(const Check &check, const clang::Expr &about, clang::SourceLocation location,
                                      std::string message) {
  const auto offset = ownOffset(location);
  if (!offset)
    return nullptr;
  std::string helper;
  const std::optional<AddressForm> form = formOf(about, helper);
  if (!form) {
    reportAt(check, *offset, std::move(message));
    return nullptr;
  }
  if (!isCandidate()) {
    addPermitted({std::string(check.name()), form->text, writtenText(*form->whole), 0, 0, helper}, *offset);
    return form->kept;
  }
  const auto permission = std::ranges::find_if(
      request_.permissions, [&](const Permission &one) { return one.check == check.name() && one.form == form->text; });
  if (permission == request_.permissions.end()) {
    reportAt(check, *offset, std::move(message));
    return nullptr;
  }
  addPermitted(*permission, *offset);
  return form->kept;
}

void Context::permit(const Check &check, const clang::Expr &about) {
  const auto offset = ownOffset(about.getExprLoc());
  if (isCandidate() || !offset)
    return;
  std::string helper;
  if (const std::optional<AddressForm> form = formOf(about, helper))
    addPermitted({std::string(check.name()), form->text, writtenText(*form->whole), 0, 0, helper}, *offset);
}

void Context::permit(const Check &check, const clang::Expr &about, std::string form) {
  if (const auto offset = ownOffset(about.getExprLoc()); offset && !isCandidate())
    addPermitted({std::string(check.name()), std::move(form), writtenText(about), 0, 0, {}}, *offset);
}

void Context::use(const Permission &permission, clang::SourceLocation location) {
  if (const auto offset = ownOffset(location))
    addPermitted(permission, *offset);
}

std::vector<const clang::DeclRefExpr *> Context::references(const clang::VarDecl &variable) const {
  std::vector<const clang::DeclRefExpr *> found;
  if (forms_)
    found = forms_->references(variable);
  for (const auto &[function, forms] : helpers_)
    if (forms && found.empty())
      found = forms->references(variable);
  return found;
}

} // namespace agentic::checks
