#include "tool/source/nest/ast.h"
#include "tool/source/nest/walk.h"

namespace agentic::moves {
namespace {

class SelectionReader {
public:
  using Build = std::function<void(const clang::Stmt *, std::vector<Statement> &)>;
  SelectionReader(const clang::ASTContext &context, const Build &build, Selection &selection)
      : context_(context), build_(build), selection_(selection) {}

  void read(const clang::SwitchStmt &source) {
    const auto *block = llvm::dyn_cast<clang::CompoundStmt>(source.getBody());
    if (!block || source.getInit() || source.getConditionVariable())
      return problem("a 'switch' without braces, or with a variable of its own");
    for (const clang::Stmt *inner : block->body())
      add(inner);
  }

private:
  void problem(std::string text) {
    if (selection_.problem.empty())
      selection_.problem = std::move(text);
  }

  void add(const clang::Stmt *statement) {
    while (const auto *label = llvm::dyn_cast<clang::SwitchCase>(statement)) {
      addLabel(*label);
      statement = label->getSubStmt();
    }
    if (!isOpen_)
      return problem("a statement of a 'switch' belongs to no case");
    if (llvm::isa<clang::BreakStmt>(statement)) {
      isOpen_ = false;
    } else if (const auto *block = blockThatBreaks(statement)) { // `case 1: { …; break; }`
      for (const clang::Stmt *inner : block->body())
        add(inner);
    } else {
      build_(statement, selection_.cases.back().body);
    }
  }

  /// A block that declares something keeps its braces, and is not understood.
  static const clang::CompoundStmt *blockThatBreaks(const clang::Stmt *statement) {
    const auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement);
    if (!block || block->body_empty() || !llvm::isa<clang::BreakStmt>(block->body_back()))
      return nullptr;
    for (const clang::Stmt *inner : block->body())
      if (llvm::isa<clang::DeclStmt>(inner))
        return nullptr;
    return block;
  }

  void addLabel(const clang::SwitchCase &label) {
    if (isOpen_ && !selection_.cases.back().body.empty())
      problem("a case of a 'switch' falls into the next");
    if (!isOpen_)
      selection_.cases.emplace_back();
    isOpen_ = true;
    Selection::Case &last = selection_.cases.back();
    const auto *numbered = llvm::dyn_cast<clang::CaseStmt>(&label);
    last.isDefault |= !numbered;
    if (!numbered)
      return;
    const auto value = numbered->getRHS() ? std::nullopt : constantOf(numbered->getLHS(), context_, 31);
    if (!value)
      return problem("a case of a 'switch' is a range, or a large number");
    last.values.push_back(*value);
  }

  const clang::ASTContext &context_;
  const Build &build_;
  Selection &selection_;
  bool isOpen_ = false; ///< a case has begun and not ended
};

} // namespace

std::unique_ptr<Selection>
makeSelection(const clang::SwitchStmt &source, const clang::ASTContext &context, const TextMap &map, Symbols &symbols,
              const std::function<void(const clang::Stmt *, std::vector<Statement> &)> &build) {
  auto selection = std::make_unique<Selection>();
  selection->value = makeExpression(source.getCond(), context, map, symbols);
  Statement value;
  StatementScanner(context, map, symbols, value).scanExpression(source.getCond());
  selection->problem = std::move(value.problem);
  SelectionReader(context, build, *selection).read(source);
  return selection;
}

} // namespace agentic::moves
