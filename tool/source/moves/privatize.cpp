// privatize(i, copies=8): gives a table that a loop only counts in one copy for each of `copies` neighbouring
// iterations, so that counting the same element twice in a row does not wait for memory.
//
//   for (i …) ++counts[data[i]];   →   unsigned countsCopy[256][kCopiesI] = {};
//                                      for (i0 …; i0 += kCopiesI)
//                                        for (ii …) ++countsCopy[data[i0 + ii]][ii];
//                                      for (element …) for (ii …) counts[element] += countsCopy[element][ii];
//                                      for (i = iEnd …) ++counts[data[i]]; // the rest
//
// bits=16 counts in 16 bits, and adds up before they may be full: such copies take less of the cache.
//
// Precondition: the loop has no loops in it and uses the table in integer sums `t[x] += v` only, with x and v not read
// from the table; its extent is known, from a local array's type or from the contract. Iterations keep their order.
#include "tool/source/loops/reduction.h"
#include "tool/source/moves/move.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

constexpr std::int64_t kMostElements = 4096,
                       kMostCopyBytes = 65536; // the copies are on the stack, and should fit into the cache

struct Count {
  const Statement *statement;
  Update update;
};

struct Table {
  VariableId array{};
  std::int64_t extent = 0;
  std::string copyType;
  bool isSigned = false;
  bool isLocal = false; ///< elements may not have a value yet
  unsigned bits = 0;
  std::vector<Count> counts;
};

struct Tables {
  std::vector<Table> tables;
  std::string problem;
};

/// Returns the extent of a local array, or of a pointer parameter in the contract; 0 if unknown.
std::int64_t extentOfTable(const MoveContext &context, const Variable &variable) {
  if (!variable.isParameter)
    return variable.isGlobal ? 0 : variable.extent;
  const Extent *extent = context.contract ? extentOf(*context.contract, variable.name) : nullptr;
  if (!extent || extent->direction == Direction::In)
    return 0;
  std::int64_t number = 0;
  const char *end = extent->text.data() + extent->text.size();
  const auto [rest, error] = std::from_chars(extent->text.data(), end, number);
  return error == std::errc() && rest == end ? number : 0;
}

/// Unsigned, of the same width: a copy wraps where the table would.
std::string copyTypeOf(const Expression &target) {
  if (!target.isSigned)
    return target.type;
  return target.bits == 8 ? "unsigned char" : target.bits == 16 ? "unsigned short" : wrappingType(target.bits);
}

class TableFinder {
public:
  TableFinder(const MoveContext &context, const Loop &loop) : context_(context), nest_(context.nest), loop_(loop) {}

  Tables run() {
    if (!loop_.problem.empty())
      return {{}, loop_.problem};
    if (containsLoop(loop_))
      return {{}, "it has a loop inside"};
    for (const Statement &statement : loop_.body)
      if (!statement.problem.empty())
        return {{}, statement.problem};
    addCounts(loop_.body);
    if (std::string reason = hiddenAlias(nest_, loop_); !reason.empty() && !counts_.empty())
      return {{}, std::move(reason)};
    Tables result;
    std::string reason = "it counts in no table";
    for (auto &[array, counts] : counts_)
      if (Table table{array, 0, {}, false, false, 0, std::move(counts)}; complete(table, reason))
        result.tables.push_back(std::move(table));
    if (result.tables.empty())
      result.problem = reason;
    return result;
  }

private:
  void addCounts(const std::vector<Statement> &statements) {
    for (const Statement &statement : statements) {
      const auto update = updateOf(statement);
      if (update && update->target->kind == Kind::Element && update->target->operands.size() == 2) {
        const Expression &base = update->target->operands[0].plain();
        if (base.kind == Kind::Variable)
          counts_[*base.variable].push_back({&statement, *update});
      } else if (statement.branch) {
        addCounts(statement.branch->thenBody);
        addCounts(statement.branch->elseBody);
      }
    }
  }

  bool complete(Table &table, std::string &reason) const {
    const Variable &variable = nest_.variable(table.array);
    const std::string name = "'" + variable.name + "'";
    const auto fail = [&](const std::string &why) {
      reason = why;
      return false;
    };
    const Expression &target = *table.counts.front().update.target;
    table.extent = extentOfTable(context_, variable);
    table.isLocal = !variable.isParameter;
    table.bits = target.bits;
    table.isSigned = target.isSigned;
    table.copyType = copyTypeOf(target);
    std::size_t uses = 0;
    for (const Count &count : table.counts) {
      uses += usesIn(*count.statement, table.array);
      if (std::string why = whyNotCount(count, table.array); !why.empty())
        return fail(name + why);
    }
    if (variable.kind == Variable::Kind::Pointer ? !variable.isParameter || variable.isMutated || variable.escapes
                                                 : variable.extent == 0 || variable.isParameter)
      return fail(name + " is neither a local array nor a pointer argument");
    if (table.extent == 0)
      return fail("how many elements " + name + " has is not known; AGENTIC_OUT(" + variable.name +
                  ", 256) in the contract would say it");
    if (table.extent > kMostElements)
      return fail(name + " has " + std::to_string(table.extent) + " elements, too many to copy");
    if (isDeclaredAlias(context_, variable.name))
      return fail(name + " may overlap with another argument");
    std::size_t all = 0;
    for (const Statement &statement : loop_.body) {
      all += usesIn(statement, table.array);
      for (const Access &access : statement.accesses)
        if (!access.base)
          return fail("'" + access.text + "' may be an element of " + name);
    }
    return all == uses || fail(name + " is used for more than to count in it");
  }

  /// Counts accesses of the array under any name, and other uses of its name.
  static std::size_t usesIn(const Statement &statement, VariableId array) {
    const auto isUse = [&](const auto &use) {
      if constexpr (requires { use.base; })
        return use.base == array;
      else
        return use.variable == array;
    };
    return static_cast<std::size_t>(std::ranges::count_if(statement.accesses, isUse) +
                                    std::ranges::count_if(statement.references, isUse));
  }

  std::string whyNotCount(const Count &count, VariableId array) const {
    const Update &update = count.update;
    const Expression &target = *update.target, &subscript = target.operands[1];
    if (!target.isInteger || target.type == "bool" || target.bits > 64 || update.operation != Update::Operation::Add)
      return " is used for more than sums of integers";
    if (mentions(subscript, array) || (update.value && mentions(*update.value, array)))
      return " is read to find the element or the value";
    const auto isOwn = [&](const Expression &part) { return isOwnText(part, *count.statement, array); };
    if (!isOwn(subscript) || (update.value && !isOwn(*update.value)))
      return " is counted in by a macro";
    for (const Access &access : count.statement->accesses)
      if (access.base == array && access.subscript)
        return " is counted in at elements that follow from '" + loop_.name + "': no two iterations meet by chance";
    return {};
  }

  /// Returns whether its text is not that of a macro which holds the whole statement.
  static bool isOwnText(const Expression &part, const Statement &statement, VariableId array) {
    return !part.range.isEmpty() && statement.range.contains(part.range) &&
           std::ranges::none_of(statement.references, [&](const Reference &reference) {
             return reference.variable == array && part.range.begin <= reference.offset &&
                    reference.offset < part.range.end;
           });
  }

  const MoveContext &context_;
  const Nest &nest_;
  const Loop &loop_;
  std::map<VariableId, std::vector<Count>> counts_;
};

/// Returns empty if 16 bits suffice for a while: every count adds 1 to a wider element, and the loop's variable can be
/// stepped over.
std::string whyNotNarrow(const Loop &loop, const std::vector<Table> &tables) {
  for (const Table &table : tables)
    if (table.bits < 32 ||
        std::ranges::any_of(
            table.counts, [](const Count &count) { return count.update.value || count.update.isNegated; }))
      return "bits=16 is for elements of at least 32 bits that are counted one by one";
  const bool isNotNegative = !loop.lowerValue.isSigned || (loop.lowerConstant && *loop.lowerConstant >= 0);
  return isNotNegative && loop.lowerValue.bits >= 32 ? "" : "bits=16 needs a variable that is not negative";
}

std::map<std::string, std::vector<int>> parametersFor(const Loop &loop, const std::vector<Table> &tables,
                                                      std::vector<int> copies) {
  if (!whyNotNarrow(loop, tables).empty())
    return {{"bits", {32}}, {"copies", std::move(copies)}};
  if (const auto best = std::ranges::find(copies, 4); best != copies.end())
    std::rotate(copies.begin(), best, best + 1);
  return {{"bits", {16, 32}}, {"copies", std::move(copies)}};
}

void offerPrivatize(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    const auto refuse = [&](const std::string &reason) {
      result.refusals.push_back({"privatize", loop->name, reason});
    };
    const Tables found = TableFinder(context, *loop).run();
    if (!found.problem.empty()) {
      refuse(found.problem);
      continue;
    }
    if (const std::string reason = whyNotCut(context.nest, *loop, 8); !reason.empty()) {
      refuse(reason);
      continue;
    }
    if (isRestOfBlocks(context.nest, *loop)) {
      refuse("it only does what blocks left over");
      continue;
    }
    std::int64_t bytes = 0;
    for (const Table &table : found.tables)
      bytes += table.extent * (table.bits / 8);
    std::vector<int> copies;
    for (const int count : {16, 8, 4, 2})
      if (bytes * count <= kMostCopyBytes)
        copies.push_back(count);
    if (copies.empty())
      refuse("two copies of its tables would take " + std::to_string(2 * bytes) + " bytes");
    else
      result.offers.push_back({"privatize", loop->name, parametersFor(*loop, found.tables, std::move(copies))});
  }
}

class PrivatizeWriting {
public:
  PrivatizeWriting(const Nest &nest, const Loop &loop, int copies, bool isNarrow, const std::vector<Table> &tables)
      : nest_(nest), loop_(loop), isNarrow_(isNarrow), tables_(tables), names_(nest.surroundings + nest.text),
        cut_(cutLoop(nest, loop, copies, "kCopies", "tables side by side", names_)),
        lane_(laneName(nest, loop, names_)), element_(names_.make("element")), total_(names_.make("total")) {
    for (const Table &table : tables)
      copies_.push_back(names_.make(nameOf(table) + "Copy"));
  }

  std::string text() const {
    std::string declarations, sums;
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      declarations += (isNarrow_ ? "unsigned short" : tables_[i].copyType) + " " + copies_[i] + "[" +
                      std::to_string(tables_[i].extent) + "][" + cut_.size + "] = {};\n";
      sums += sumOf(tables_[i], copies_[i]);
    }
    const std::string &variable = nest_.variable(loop_.variable).name;
    if (isNarrow_)
      return inParts(variable, declarations, sums);
    return "{\n" + cut_.declarations + declarations + cut_.blockHeader + "\n" + laneLoop() + " {\nconst " + cut_.type +
           " " + variable + " = " + cut_.start + " + " + lane_ + ";\n" + body() + "}\n" + sums + cut_.rest + "}";
  }

private:
  std::string inParts(const std::string &variable, const std::string &declarations, const std::string &sums) const {
    std::size_t counts = 1; // counts of one element in one iteration
    for (const Table &table : tables_)
      counts = std::max(counts, table.counts.size());
    FreshNames names = names_;
    const std::string most = names.make("kMost" + cut_.size.substr(7)), part = names.make(variable + "Part");
    const std::string stop = names.make(variable + "Stop");
    return "{\n" + cut_.declarations + "constexpr " + cut_.type + " " + most + " = " + std::to_string(65535 / counts) +
           " * " + cut_.size + "; // iterations until a copy may be full\n" + cut_.type + " " + part + " = " +
           cut_.first + ";\nwhile (" + part + " < " + cut_.end + ") {\nconst " + cut_.type + " " + stop + " = " +
           cut_.end + " - " + part + " < " + most + " ? " + cut_.end + " : " + part + " + " + most + ";\n" +
           declarations + "for (" + cut_.type + " " + cut_.start + " = " + part + "; " + cut_.start + " < " + stop +
           "; " + cut_.start + " += " + cut_.size + ")\n" + laneLoop() + " {\nconst " + cut_.type + " " + variable +
           " = " + cut_.start + " + " + lane_ + ";\n" + body() + "}\n" + sums + part + " = " + stop + ";\n}\n" +
           cut_.rest + "}";
  }

  const std::string &nameOf(const Table &table) const { return nest_.variable(table.array).name; }

  std::string laneLoop() const {
    return "for (" + cut_.type + " " + lane_ + " = 0; " + lane_ + " < " + cut_.size + "; ++" + lane_ + ")";
  }

  std::string body() const {
    std::vector<Edit> edits;
    for (std::size_t i = 0; i < tables_.size(); ++i)
      for (const Count &count : tables_[i].counts) {
        const Update &update = count.update;
        const std::string place =
            copies_[i] + "[" + std::string(nest_.slice(update.target->operands[1].range)) + "][" + lane_ + "]";
        const std::string sign = update.isNegated ? "-" : "+";
        edits.push_back({count.statement->range, update.value
                                                     ? place + " " + sign + "= static_cast<" + tables_[i].copyType +
                                                           ">(" + std::string(nest_.slice(update.value->range)) + ");"
                                                     : sign + sign + place + ";"});
      }
    return bodyText(nest_, loop_, std::move(edits));
  }

  std::string sumOf(const Table &table, const std::string &copy) const {
    const std::string place = nameOf(table) + "[" + element_ + "]", part = copy + "[" + element_ + "][" + lane_ + "]";
    const std::string header = "for (int " + element_ + " = 0; " + element_ + " < " + std::to_string(table.extent) +
                               "; ++" + element_ + ") {\n";
    const std::string total =
        table.copyType + " " + total_ + " = 0;\n" + laneLoop() + "\n" + total_ + " += " + part + ";\n";
    const std::string sum = table.isSigned ? place + " = static_cast<" + signedType(table) + ">(static_cast<" +
                                                 table.copyType + ">(" + place + ") + " + total_ + ");\n"
                                           : place + " += " + total_ + ";\n";
    // An element that was never counted may not have a value to add to.
    return header + total + (table.isLocal ? "if (" + total_ + " != 0)\n" : "") + sum + "}\n";
  }

  std::string signedType(const Table &table) const { return table.counts.front().update.target->type; }

  const Nest &nest_;
  const Loop &loop_;
  bool isNarrow_;
  const std::vector<Table> &tables_;
  FreshNames names_;
  BlockCut cut_;
  std::string lane_, element_, total_;
  std::vector<std::string> copies_;
};

Result<Rewrite> rewritePrivatize(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const auto copies = TRY(parameterOf(step, "copies", 2, 32));
  const auto bits = TRY(parameterOf(step, "bits", 16, 32, 32));
  const Nest &nest = context.nest;
  const Tables found = TableFinder(context, *loop).run();
  if (!found.problem.empty())
    return illegalStep(step, found.problem);
  if (const std::string reason = whyNotCut(nest, *loop, copies); !reason.empty())
    return illegalStep(step, reason);
  if (const std::string reason = bits == 32 ? "" : whyNotNarrow(*loop, found.tables); !reason.empty())
    return illegalStep(step, reason);
  std::string names;
  bool fromContract = false;
  for (const Table &table : found.tables) {
    names += (names.empty() ? "'" : ", '") + nest.variable(table.array).name + "'";
    fromContract |= !table.isLocal;
  }
  std::vector<std::string> why = {"Neighbouring iterations of '" + loop->name + "' count in copies of " + names +
                                      ", which are added up at the end;",
                                  "sums of integers do not depend on their order, and the loop does nothing else with "
                                  "what it counts."};
  if (fromContract)
    why.push_back("That no element beyond the last one is counted is what the contract says of the table's extent.");
  Rewrite result;
  result.edits = {{loop->range, PrivatizeWriting(nest, *loop, copies, bits != 32, found.tables).text()}};
  result.why = std::move(why);
  return result;
}

} // namespace

const Move kPrivatize = {"privatize", offerPrivatize, nullptr, rewritePrivatize};

} // namespace agentic::moves
