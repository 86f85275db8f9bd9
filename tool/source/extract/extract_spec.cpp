#include "tool/source/extract/copy_text.h"
#include "tool/source/extract/extract_unit.h"
#include "tool/source/extract/resolved_text.h"

#include "tool/base/hash.h"
#include "tool/base/text.h"
#include "tool/model/contract_clauses.h"

#include "clang/AST/Mangle.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/Config/llvm-config.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace agentic {
namespace {

#if LLVM_VERSION_MAJOR >= 18
constexpr auto kInternal = clang::Linkage::Internal;
constexpr auto kLanguageC = clang::LinkageSpecLanguageIDs::C;
#else
constexpr auto kInternal = clang::InternalLinkage;
constexpr auto kLanguageC = clang::LinkageSpecDecl::lang_c;
#endif

std::string textOf(const ParsedUnit &unit, const ByteRange &range) {
  return std::string(unit.lexed.text.substr(range.begin, range.end - range.begin));
}

void fillFunction(const ParsedUnit &unit, const clang::FunctionDecl &kernel, KernelSpec &spec) {
  const clang::PrintingPolicy policy(unit.context.getLangOpts());
  spec.function = kernel.getQualifiedNameAsString();
  spec.identifier = kernel.getNameAsString();
  spec.mangled = clang::ASTNameGenerator(unit.context).getName(&kernel);
  for (const clang::DeclContext *context = kernel.getDeclContext(); context; context = context->getParent()) {
    spec.classes += context->isRecord() ? 1 : 0;
    if (const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(context); space && !space->isAnonymousNamespace())
      spec.namespaces.insert(spec.namespaces.begin(), space->getNameAsString());
  }
  spec.returnType = kernel.getReturnType().getAsString(policy);
  spec.canonicalType = kernel.getType().getCanonicalType().getAsString(policy);
  for (const clang::ParmVarDecl *parameter : kernel.parameters())
    spec.parameters.push_back({parameter->getNameAsString(), parameter->getOriginalType().getAsString(policy),
                               parameter->getType().getCanonicalType().getAsString(policy)});
  spec.language = unit.isC() ? Language::C : Language::Cxx;
  if (const auto *prototype = kernel.getType()->getAs<clang::FunctionProtoType>())
    spec.isNoexcept = !unit.isC() && prototype->isNothrow();
  spec.isStatic = kernel.getStorageClass() == clang::SC_Static || kernel.getFormalLinkage() == kInternal;
  spec.isExternC = kernel.isExternC();
}

void fillText(const ParsedUnit &unit, const clang::FunctionDecl &kernel, const ByteRange &range, KernelSpec &spec) {
  const std::size_t body = unit.offset(kernel.getBody()->getBeginLoc());
  const std::size_t name = unit.offset(kernel.getLocation());
  const clang::NestedNameSpecifierLoc qualifier = kernel.getQualifierLoc();
  const std::size_t begin = qualifier ? unit.offset(qualifier.getBeginLoc()) : name;
  const bool isMember = llvm::isa<clang::CXXMethodDecl>(kernel);
  const ResolvedText resolved(unit, range, body, isMember ? ByteRange{begin, name} : ByteRange{});
  spec.text = resolved.text();
  const LineColumn place = lineColumn(unit.lexed.text, range.begin);
  spec.line = place.line;
  spec.column = place.column;
  const std::size_t brace = resolved.at(body);
  spec.signature = std::string(trim(std::string_view(spec.text).substr(0, brace)));
  spec.body = spec.text.substr(brace);
  spec.nameBegin = resolved.at(isMember ? name : begin);
  spec.nameEnd = resolved.at(name) + spec.identifier.size();
  spec.written = {textOf(unit, range), begin - range.begin, name + spec.identifier.size() - range.begin,
                  body - range.begin};
}

std::string oneLine(std::string_view text) {
  std::string result;
  for (const char c : trim(text)) {
    const bool blank = c == ' ' || c == '\n' || c == '\t';
    if (!blank || (!result.empty() && result.back() != ' '))
      result += blank ? ' ' : c;
  }
  return result;
}

void addLoops(const ParsedUnit &unit, const clang::Stmt *statement, int depth, std::vector<Loop> &loops) {
  if (!statement)
    return;
  const clang::Stmt *body = nullptr;
  if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(statement))
    body = loop->getBody();
  else if (const auto *loop = llvm::dyn_cast<clang::CXXForRangeStmt>(statement))
    body = loop->getBody();
  else if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(statement))
    body = loop->getBody();
  else if (const auto *loop = llvm::dyn_cast<clang::DoStmt>(statement))
    body = loop->getBody();
  if (body) {
    const std::size_t begin = unit.offset(statement->getBeginLoc());
    std::size_t end = unit.offset(body->getBeginLoc());
    std::string header = oneLine(unit.lexed.text.substr(begin, end - begin));
    if (const auto *loop = llvm::dyn_cast<clang::DoStmt>(statement)) {
      const std::size_t condition = unit.offset(loop->getWhileLoc());
      end = unit.offset(loop->getRParenLoc()) + 1;
      header = "do " + oneLine(unit.lexed.text.substr(condition, end - condition));
    }
    const LineColumn place = lineColumn(unit.lexed.text, begin);
    loops.push_back({place.line, place.column, depth, header});
    return addLoops(unit, body, depth + 1, loops);
  }
  for (const clang::Stmt *child : statement->children())
    addLoops(unit, child, depth, loops);
}

/// A namespace or linkage block of SOURCE.
struct Scope {
  ByteRange range;
  std::string opening; ///< "extern \"C\" {"
};

struct Outline {
  std::vector<ByteRange> leaves; ///< declarations that are not scopes
  std::vector<Scope> scopes;     ///< outer before inner
};

Scope scopeOf(const ParsedUnit &unit, const clang::Decl &declaration) {
  Scope scope{{unit.offset(declaration.getBeginLoc()), unit.offset(declaration.getEndLoc()) + 1}, "extern \"C\" {"};
  if (const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(&declaration))
    scope.opening = "namespace " + space->getNameAsString() + " {";
  else if (llvm::cast<clang::LinkageSpecDecl>(declaration).getLanguage() != kLanguageC)
    scope.opening = "extern \"C++\" {";
  return scope;
}

void addOutline(const ParsedUnit &unit, const clang::DeclContext *context, Outline &outline) {
  for (const clang::Decl *declaration : context->decls()) {
    if (declaration->isImplicit() || !unit.isInSource(declaration->getLocation()))
      continue;
    if (!llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) {
      outline.leaves.push_back({unit.offset(declaration->getBeginLoc()), unit.offset(declaration->getEndLoc()) + 1});
      continue;
    }
    outline.scopes.push_back(scopeOf(unit, *declaration));
    addOutline(unit, llvm::cast<clang::DeclContext>(declaration), outline);
  }
}

/// Returns which directives are outside all declarations; a conditional group is kept or dropped as a whole.
std::vector<bool> preludeDirectives(const ParsedUnit &unit, const std::vector<ByteRange> &leaves) {
  const auto &directives = unit.lexed.directives;
  std::vector<bool> kept(directives.size());
  for (std::size_t i = 0; i < directives.size(); ++i)
    kept[i] = std::ranges::none_of(leaves, [&](const ByteRange &leaf) { return leaf.contains(directives[i].begin); });
  for (const std::vector<std::size_t> &group : conditionalsOf(unit.lexed).groups)
    if (std::ranges::any_of(group, [&](std::size_t i) { return kept[i]; }))
      for (const std::size_t i : group)
        kept[i] = true;
  return kept;
}

/// Keeps the scope around an include in `extern "C" { }` or a namespace.
std::string inScopes(const std::string &text, std::size_t offset, const std::vector<Scope> &scopes) {
  std::string opening, closing;
  for (const Scope &scope : scopes)
    if (scope.range.contains(offset)) {
      opening += scope.opening + "\n";
      closing += "\n}";
    }
  return opening + text + closing;
}

void fillPrelude(const ParsedUnit &unit, const std::vector<bool> &kept, const std::vector<Scope> &scopes,
                 KernelSpec &spec) {
  for (const std::string &header : unit.record.precompiled)
    spec.prelude.push_back("#include " + header);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const LexDirective &directive = unit.lexed.directives[i];
    const std::string text = textOf(unit, {directive.begin, directive.end});
    const bool isOnce = directive.keyword == "pragma" && tokenText(text) == "# pragma once";
    // Line markers would move positions, and a unit is not a header.
    if (kept[i] && !directive.keyword.empty() && directive.keyword != "line" && !isOnce)
      spec.prelude.push_back(directive.keyword == "include" ? inScopes(text, directive.begin, scopes) : text);
  }
}

/// A macro that is defined again for one copy must be what it is in SOURCE for the next: all that SOURCE does with such
/// a name in front of the kernel is repeated.
void addRedefinitions(const ParsedUnit &unit, const ByteRange &kernel, const std::vector<ByteRange> &users,
                      Closure &closure) {
  std::set<std::string> repeated;
  for (const Fragment &fragment : closure.fragments)
    if (fragment.kind == Fragment::Kind::Macro)
      repeated.insert(fragment.name);
  for (const LexDirective &directive : unit.lexed.directives) {
    if ((directive.keyword != "define" && directive.keyword != "undef") || directive.tokens.empty() ||
        directive.begin >= kernel.begin)
      continue;
    const std::string name(unit.lexed.spelling(directive.tokens.front()));
    const auto isIn = [&](const ByteRange &range) {
      return range.begin <= directive.begin && directive.begin < range.end;
    };
    if (!repeated.contains(name) || std::ranges::any_of(users, isIn) || unit.record.isSkipped(directive.begin))
      continue;
    const auto known = std::ranges::find(closure.ranges, directive.begin, &ByteRange::begin);
    if (known != closure.ranges.end()) {
      closure.fragments[static_cast<std::size_t>(known - closure.ranges.begin())].kind = Fragment::Kind::Macro;
    } else {
      closure.fragments.push_back({Fragment::Kind::Macro, name, {}, {}, false});
      closure.ranges.push_back({directive.begin, directive.end});
    }
  }
}

/// Adds the macros that the kernel and its closure expand: names, definitions in SOURCE, headers that define them.
void addMacros(const ParsedUnit &unit, const ByteRange &kernel, const std::vector<bool> &inPrelude, Closure &closure,
               KernelSpec &spec) {
  std::vector<ByteRange> users = closure.ranges;
  users.push_back(kernel);
  std::set<std::string> names;
  std::set<const clang::MacroInfo *> definitions;
  for (const MacroUse &use : unit.record.uses) {
    const bool used = std::ranges::any_of(users, [&](const ByteRange &user) { return user.contains(use.offset); });
    if (!used || isMarkerMacro(use.name))
      continue;
    names.insert(use.name);
    const clang::SourceLocation place = use.definition->getDefinitionLoc();
    if (!definitions.insert(use.definition).second || use.definition->isBuiltinMacro())
      continue;
    if (!unit.isInSource(place)) {
      addProjectHeader(unit, place, closure.headers);
      continue;
    }
    const auto &directives = unit.lexed.directives;
    const std::size_t offset = unit.offset(place);
    const auto directive =
        std::ranges::find_if(directives, [&](const LexDirective &d) { return d.begin <= offset && offset < d.end; });
    if (directive == directives.end() ||
        std::ranges::any_of(users, [&](const ByteRange &user) { return user.contains(directive->begin); }))
      continue;
    // The macro is in force at the end of SOURCE's directives; else it must be defined again for the copies.
    const bool stands = inPrelude[static_cast<std::size_t>(directive - directives.begin())] &&
                        unit.preprocessor.getMacroInfo(unit.preprocessor.getIdentifierInfo(use.name)) == use.definition;
    closure.fragments.push_back({stands ? Fragment::Kind::Directive : Fragment::Kind::Macro, use.name, {}, {}, false});
    closure.ranges.push_back({directive->begin, directive->end});
  }
  addRedefinitions(unit, kernel, users, closure);
  spec.macros.assign(names.begin(), names.end());
}

/// Fills the closure in SOURCE's order, without fragments that are part of another.
void fillClosure(const ParsedUnit &unit, Closure &closure, KernelSpec &spec) {
  std::map<std::size_t, std::size_t> order;
  for (std::size_t i = 0; i < closure.ranges.size(); ++i)
    order[closure.ranges[i].begin] = i;
  std::size_t end = 0;
  for (const auto &[begin, i] : order) {
    if (closure.ranges[i].end <= end)
      continue;
    end = closure.ranges[i].end;
    closure.fragments[i].text = textOf(unit, closure.ranges[i]);
    closure.fragments[i].copy = copyText(unit, closure.ranges[i], closure.fragments[i].kind);
    spec.closure.push_back(std::move(closure.fragments[i]));
  }
}

std::string fingerprintOf(const KernelSpec &spec) {
  HashBuilder hash;
  hash.add(spec.function).add(spec.canonicalType).add(tokenText(spec.text));
  for (const Fragment &fragment : spec.closure) {
    hash.add(fragment.name).add(tokenText(fragment.text));
    if (!fragment.copy.empty())
      hash.add(tokenText(fragment.copy));
  }
  return hash.hex();
}

} // namespace

Result<KernelSpec> fillSpec(const ParsedUnit &unit, const clang::FunctionDecl &kernel, Closure closure) {
  const ByteRange range = unit.declarationRange(kernel);
  for (const std::vector<std::size_t> &group : conditionalsOf(unit.lexed).groups) {
    const auto inside =
        std::ranges::count_if(group, [&](std::size_t i) { return range.contains(unit.lexed.directives[i].begin); });
    if (inside != 0 && inside != static_cast<std::ptrdiff_t>(group.size()))
      return userError(unit.position(kernel.getLocation()) + "kernel '" + kernel.getNameAsString() +
                           "': a preprocessor conditional begins or ends within its definition",
                       "keep each #if ... #endif wholly inside or outside the function");
  }
  if (const std::optional<LexToken> name = nameBehindUndef(unit, range)) {
    const LineColumn place = lineColumn(unit.lexed.text, name->begin);
    return userError(
        fmt::format("{}:{}:{}: kernel '{}' undefines the macro '{}' and then uses the name for something else",
                    unit.request.source, place.line, place.column, kernel.getNameAsString(),
                    unit.lexed.spelling(*name)),
        "undefine it in front of the function, or rename one of the two");
  }
  KernelSpec spec;
  spec.kernel = unit.request.kernel;
  spec.source = unit.request.source;
  fillFunction(unit, kernel, spec);
  fillText(unit, kernel, range, spec);
  addLoops(unit, kernel.getBody(), 0, spec.loops);
  Outline outline;
  addOutline(unit, unit.context.getTranslationUnitDecl(), outline);
  const std::vector<bool> kept = preludeDirectives(unit, outline.leaves);
  fillPrelude(unit, kept, outline.scopes, spec);
  spec.conditionals = decidedConditionals(unit, kept);
  addMacros(unit, range, kept, closure, spec);
  spec.guards = collectGuards(unit, kernel, {spec.macros.begin(), spec.macros.end()}, closure);
  spec.languageStandard = leastStandard(unit.context.getLangOpts());
  fillClosure(unit, closure, spec);
  spec.externals = std::move(closure.externals);
  spec.projectHeaders.assign(closure.headers.begin(), closure.headers.end());
  spec.includes = unit.record.precompiled;
  spec.includes.insert(spec.includes.end(), unit.record.includes.begin(), unit.record.includes.end());
  spec.fingerprint = fingerprintOf(spec);
  return spec;
}

} // namespace agentic
