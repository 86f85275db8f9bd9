// Writes one blocked loop: the full blocks, whose statements run in lanes, and the remainders.
//
//   for (j) { float sum = 0; for (p) { s = f(j, p); sum += s; } C[j] = sum; }
// becomes
//   for (j0 …) { float sum[B]; for (jj) sum[jj] = 0; for (p) for (jj) { s = f(j0 + jj, p); sum[jj] += s; }
//                for (jj) C[j0 + jj] = sum[jj]; }
//   for (j …) the loop as it was
//
// Neighbouring statements share one loop over the lanes as long as each depends on at least the lanes of the one before
// (fission: exactly those lanes). A variable that is used across such loops becomes a small array.
#pragma once

#include "tool/source/loops/writer.h"
#include "tool/source/schedule/generate.h"
#include "tool/source/schedule/schedule.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace agentic::moves {

/// The names that a block needs.
struct BlockNames {
  std::string size, start, lane, end;
};

class TileWriter {
public:
  TileWriter(const Nest &nest, const Schedule &schedule, const std::vector<BlockNames> &names, bool forGcc,
             Writer &writer)
      : nest_(nest), schedule_(schedule), names_(names), forGcc_(forGcc), writer_(writer), lanes_(nest, schedule) {}

  /// `root`: a blocked loop with no blocked loop around it.
  void write(const Loop &root);

private:
  using Run = std::vector<const Statement *>;

  void writeLoop(const Loop &loop, Lanes active);
  void writeBlocked(const Loop &loop, std::size_t block, Lanes active);
  bool hasWholeBlocksOnly(const Loop &loop, std::size_t block, const std::string &upper) const;
  void writeBody(const std::vector<Statement> &body, Lanes active);
  std::vector<Run> groupsOf(const Run &run, Lanes active) const;
  void writeGroup(const Run &group, Lanes active);
  void declareExpanded(const Run &group, Lanes active);
  void openLanes(Lanes lanes, const Run &group);
  void writeStatement(const Statement &statement, Lanes active);
  void writePragmas(const Loop &loop);

  bool isLocalTo(const Run &group, VariableId variable) const;
  bool isExpanded(VariableId variable, Lanes active) const;
  std::string elementOf(VariableId variable, Lanes active) const;
  std::vector<std::size_t> inNestOrder(Lanes lanes) const;
  std::string withEdits(Range range, const std::vector<Reference> &references, Lanes active) const;
  std::string typeOf(const Loop &loop) const;

  const Nest &nest_;
  const Schedule &schedule_;
  const std::vector<BlockNames> &names_;
  bool forGcc_;
  Writer &writer_;
  LaneAnalysis lanes_;
  std::map<VariableId, std::set<const Statement *>> users_;
  std::set<VariableId> local_; ///< variables private to the group being written
};

} // namespace agentic::moves
