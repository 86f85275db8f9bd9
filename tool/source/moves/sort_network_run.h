// Runs statements of an iteration: places in the array are numbers, what is sorted are nodes of a graph.
#pragma once

#include "tool/source/moves/sort_network.h"

#include <set>

namespace agentic::moves {

class SortRun {
public:
  SortRun(const Nest &nest, SortPlan &plan, FreshNames &names, const Expression &element, std::size_t size)
      : nest_(nest), plan_(plan), names_(names), element_(element) {
    state_.elements.resize(size);
  }

  /// From now on the variable is known, not a part of the text.
  void track(VariableId variable) { state_.scalars[variable], tracked_.insert(variable); }
  bool isTracked(VariableId variable) const { return variable == plan_.array || tracked_.contains(variable); }
  bool mentionsTracked(std::string_view text) const;

  /// Runs the statement, and adds the lines that replace it. False if it cannot: `problem` says why.
  bool run(const Statement &statement, std::vector<std::string> &lines);
  /// Adds the statement as it is but for the values that it reads.
  bool keep(const Statement &statement, std::vector<std::string> &lines);
  /// Adds a declaration of the variable alone, which is none of those that are known.
  bool declareAgain(const Statement &statement, std::vector<std::string> &lines);
  /// Returns the range with the semicolon behind it, if there is one.
  Range whole(Range range) const;
  const std::string &problem() const { return problem_; }

private:
  enum class Flow { Next, Break, Continue, Failed };
  struct Condition {
    std::optional<bool> known;
    bool isSmaller = false; ///< it holds where `left` is the smaller one, else where it is the larger one
    int left = 0, right = 0;
  };
  using Value = SortedValue;

  Flow fail(std::string reason);
  bool refuse(std::string reason) { return fail(std::move(reason)), false; }
  std::nullopt_t unknown(std::string reason);
  Flow runAll(const std::vector<Statement> &statements);
  Flow runOne(const Statement &statement);
  Flow runDeclaration(const Statement &statement);
  Flow store(VariableId id, const Expression &source);
  Flow runExpression(const Expression &expression, const Statement &statement);
  Flow runAssignment(const Expression &expression, const Statement &statement);
  Flow runLibraryCall(const Expression &call);
  Flow runBranch(const Branch &branch);
  Flow runCounted(const Loop &loop);
  Flow runRounds(const Loop &loop);
  Flow runExit(const ExitLoop &loop);
  Flow insertionSort(const Loop &loop);
  bool inserts(const Loop &loop, std::int64_t at, bool isDescending);
  bool insertsAt(const Loop &loop, std::int64_t at, std::int64_t below, std::int64_t equal, bool isDescending);
  Flow emit(const std::string &line);

  std::optional<Value> valueOf(const Expression &expression);
  std::optional<Value> valueOfUnary(const Expression &expression);
  std::optional<Value> residualOf(const Expression &expression);
  std::optional<std::int64_t> numberOf(const Expression &expression);
  std::optional<std::size_t> placeOf(const Expression &element);
  std::optional<std::int64_t> offsetOf(const Expression &pointer);
  std::optional<Condition> conditionOf(const Expression &expression);
  std::optional<Condition> compared(const std::string &op, int left, int right);
  std::optional<Value> merged(const Condition &condition, const Value &left, const Value &right);
  std::optional<std::int64_t> converted(const Expression &type, std::int64_t value) const;
  bool holdsElements(const Expression &type) const;
  Value *location(const Expression &target);
  bool addEdits(const Expression &expression, std::vector<Edit> &edits);
  std::optional<std::string> textOf(Range range, std::vector<Edit> edits);
  bool setElement(std::size_t place, const Expression &value);

  const Nest &nest_;
  SortPlan &plan_;
  FreshNames &names_;
  const Expression &element_; ///< an element of the array, for its type
  SortState state_;
  std::set<VariableId> tracked_;
  std::vector<std::string> *lines_ = nullptr; ///< null: nothing may be written now
  std::string problem_;
  std::map<int, int> trial_; ///< values of nodes while an insertion is tried; empty: only their order counts
  std::optional<int> inserted_;
  std::set<VariableId> carried_; ///< variables that the rounds of an insertion sort change
  std::set<bool> orientations_;  ///< of the comparisons that were made: whether equal values count as less
  bool comparesOthers_ = false;
  int rounds_ = 0;
};

} // namespace agentic::moves
