// The result of test adequacy: which deliberate faults in the baseline the project's tests notice.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace agentic {

struct JudgedMutant {
  std::string kind;              ///< "last element"
  unsigned line = 0, column = 0; ///< place of the fault in SOURCE
  std::string change;            ///< "`j < K` becomes `j + 1 < K`"
  std::string advice;            ///< a test that would fail
  bool killed = false;
  std::string killedBy; ///< the first test that failed, or how its program ended
};

struct Adequacy {
  std::string kernel, source;        ///< SOURCE, absolute
  std::vector<JudgedMutant> mutants; ///< in the order in which they were tried
  int equivalent = 0;                ///< compiled to the code of the baseline or an earlier mutant: not counted
  int invalid = 0;                   ///< did not compile: not counted
  int notTried = 0;                  ///< because the time was up

  int total() const { return static_cast<int>(mutants.size()); }
  int killed() const;
  double percent() const; ///< killed of total; 100 if there are no mutants
  std::vector<JudgedMutant> survivors() const;
};

struct AdequacyRequest {
  int mostMutants = 24;
  double secondsLimit = 0; ///< no mutant is begun after it; 0 = none
  bool onlyKnown = false;  ///< returns only the outcomes of earlier processes, at no cost; may be none
  std::function<void(int tried, int total)> progress;
};

} // namespace agentic
