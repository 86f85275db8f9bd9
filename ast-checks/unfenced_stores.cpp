#include "ast-checks/unfenced_stores.h"

#include "ast-checks/context.h"

#include "clang/Analysis/CFG.h"
#include "clang/Basic/TargetInfo.h"

#include <map>
#include <memory>

namespace agentic::checks {
namespace {

bool isStore(llvm::StringRef name, const clang::ASTContext &ast) {
  // Other processors order such stores like all others.
  if (!ast.getTargetInfo().getTriple().isX86())
    return false;
  if (name == "__builtin_nontemporal_store")
    return true;
  if (name.starts_with("__builtin_ia32_"))
    return (name.contains("movnt") && !name.contains("movntdqa")) || name.contains("maskmovdqu") ||
           name.contains("maskmovq");
  return (name.starts_with("_mm") && name.contains("_stream_") && !name.contains("_stream_load")) ||
         name == "_mm_maskmoveu_si128" || name == "_mm_maskmove_si64" || name == "_m_maskmovq";
}

bool isFence(llvm::StringRef name) {
  return name == "_mm_sfence" || name == "_mm_mfence" || name == "__builtin_ia32_sfence" ||
         name == "__builtin_ia32_mfence";
}

/// The effect of a function's call.
struct Effect {
  const clang::Expr *unfenced = nullptr; ///< a store without a fence after it on some path
  bool fences = false;                   ///< on every path
};

/// The state at one point: a store that may be pending, and whether a fence may still be missing since the entry.
struct State {
  const clang::Expr *unfenced = nullptr;
  bool isUnfencedSinceEntry = false;
  bool isReached = false;
  bool operator==(const State &) const = default;
};

class Effects {
public:
  Effects(clang::ASTContext &ast, const Context &context) : ast_(ast), context_(context) {}

  Effect of(const clang::FunctionDecl &function) {
    auto [known, isNew] = known_.try_emplace(function.getCanonicalDecl());
    if (!isNew)
      return known->second; // recursion: the outer call decides
    const Effect effect = analyse(function);
    return known_[function.getCanonicalDecl()] = effect;
  }
  bool isUsed(const clang::FunctionDecl &function) const { return used_.contains(function.getCanonicalDecl()); }

private:
  Effect analyse(const clang::FunctionDecl &function) {
    clang::CFG::BuildOptions options;
    options.setAllAlwaysAdd();
    const std::unique_ptr<clang::CFG> graph = clang::CFG::buildCFG(&function, function.getBody(), &ast_, options);
    if (!graph)
      return {};
    std::map<const clang::CFGBlock *, State> before;
    before[&graph->getEntry()] = {nullptr, true, true};
    std::vector<const clang::CFGBlock *> work = {&graph->getEntry()};
    while (!work.empty()) {
      const clang::CFGBlock *block = work.back();
      work.pop_back();
      const State after = through(*block, before[block], function);
      for (const clang::CFGBlock *next : block->succs())
        if (next && merge(before[next], after))
          work.push_back(next);
    }
    const State end = before[&graph->getExit()];
    return {end.unfenced, end.isReached && !end.isUnfencedSinceEntry};
  }

  static bool merge(State &into, const State &from) {
    const State old = into;
    into.isReached = true;
    into.unfenced = into.unfenced ? into.unfenced : from.unfenced;
    into.isUnfencedSinceEntry = into.isUnfencedSinceEntry || from.isUnfencedSinceEntry;
    return into != old;
  }

  State through(const clang::CFGBlock &block, State state, const clang::FunctionDecl &inside) {
    for (const clang::CFGElement &element : block)
      if (const auto statement = element.getAs<clang::CFGStmt>())
        step(*statement->getStmt(), state, inside);
    return state;
  }

  void step(const clang::Stmt &statement, State &state, const clang::FunctionDecl &inside) {
    const clang::FunctionDecl *used = nullptr;
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&statement))
      used = call->getDirectCallee();
    else if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(&statement))
      used = lambda->getCallOperator(); // it may be called from here on
    else if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&statement))
      used = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl());
    if (!used)
      return;
    const auto &expression = llvm::cast<clang::Expr>(statement);
    const llvm::StringRef name = used->getIdentifier() ? used->getName() : "";
    const bool isCall = llvm::isa<clang::CallExpr>(statement);
    if (isCall && isFence(name)) {
      state.unfenced = nullptr;
      state.isUnfencedSinceEntry = false;
    } else if (isCall && isStore(name, ast_)) {
      state.unfenced = &expression;
    } else if (const clang::FunctionDecl *definition = used->getDefinition();
               definition && definition->getBody() && context_.isMainFile(definition->getLocation())) {
      if (definition->getCanonicalDecl() != inside.getCanonicalDecl())
        used_.insert(definition->getCanonicalDecl());
      const Effect effect = of(*definition);
      if (isCall && effect.fences) {
        state.unfenced = nullptr;
        state.isUnfencedSinceEntry = false;
      }
      if (effect.unfenced)
        state.unfenced = effect.unfenced;
    }
  }

  clang::ASTContext &ast_;
  const Context &context_;
  std::map<const clang::FunctionDecl *, Effect> known_;
  std::set<const clang::FunctionDecl *> used_;
};

} // namespace

void UnfencedStores::declaration(const clang::Decl &decl, Context &) {
  const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&decl);
  if (function && function->doesThisDeclarationHaveABody() && function->getBody() && !function->isDependentContext())
    functions_.push_back(function);
}

void UnfencedStores::finish(Context &context) {
  Effects effects(context.ast(), context);
  for (const clang::FunctionDecl *function : functions_)
    (void)effects.of(*function);
  for (const clang::FunctionDecl *function : functions_) {
    const Effect effect = effects.of(*function);
    // A caller may fence a helper's stores.
    if (effect.unfenced && !effects.isUsed(*function))
      context.report(*this, effect.unfenced->getExprLoc(),
                     "a non-temporal store is not followed by _mm_sfence() on every path to the end of the kernel, so "
                     "that its caller pays for it; call _mm_sfence() before every return");
  }
}

} // namespace agentic::checks
