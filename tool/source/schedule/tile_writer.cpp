#include "tool/source/schedule/tile_writer.h"

#include "tool/source/loops/code_text.h"

#include <algorithm>

namespace agentic::moves {
namespace {

constexpr Lanes bit(std::size_t block) {
  return Lanes{1} << block;
}
constexpr bool isSubset(Lanes inner, Lanes outer) {
  return (inner & ~outer) == 0;
}

} // namespace

void TileWriter::write(const Loop &root) {
  forEachStatement(root.body, [&](const Statement &statement) {
    for (const Reference &reference : statement.references)
      users_[reference.variable].insert(&statement);
  });
  writeLoop(root, 0);
}

std::string TileWriter::typeOf(const Loop &loop) const {
  return nest_.variable(loop.variable).type;
}

void TileWriter::writePragmas(const Loop &loop) {
  if (const auto hint = schedule_.hints.find(&loop); hint != schedule_.hints.end())
    for (const std::string &line : pragmaLines(hint->second, forGcc_))
      writer_.line(line);
}

void TileWriter::writeLoop(const Loop &loop, Lanes active) {
  if (const Block *block = schedule_.blockOf(loop))
    return writeBlocked(loop, static_cast<std::size_t>(block - schedule_.blocks.data()), active);
  writePragmas(loop);
  writer_.open(withEdits(loop.header, loop.boundReferences, active));
  writeBody(loop.body, active);
  writer_.close();
}

/// If the contract excludes a rest in every call, none is written.
bool TileWriter::hasWholeBlocksOnly(const Loop &loop, std::size_t block, const std::string &upper) const {
  const auto bound = std::ranges::find_if(loop.boundReferences, [&](const Reference &reference) {
    return nest_.variable(reference.variable).name == upper;
  });
  return isName(upper) && bound != loop.boundReferences.end() &&
         nest_.divisorOf(bound->variable) % schedule_.blocks[block].size == 0;
}

void TileWriter::writeBlocked(const Loop &loop, std::size_t block, Lanes active) {
  const BlockNames &names = names_[block];
  const std::string type = typeOf(loop), &variable = nest_.variable(loop.variable).name;
  const std::string upper = withEdits(loop.upper, loop.boundReferences, active);
  const std::string operand = isName(upper) ? upper : "(" + upper + ")";
  const std::string whole = operand + " - " + operand + " % " + names.size;
  const bool isConstant = leavesNoRest(loop, schedule_.blocks[block].size);
  if (isConstant || hasWholeBlocksOnly(loop, block, upper)) {
    if (!isConstant)
      writer_.line("// " + upper + " is a multiple of " + names.size + ": the contract requires it.");
    writer_.open("for (" + type + " " + names.start + " = 0; " + names.start + " < " + upper + "; " + names.start +
                 " += " + names.size + ")");
    writeBody(loop.body, active | bit(block));
    writer_.close();
    return;
  }
  writer_.line("const " + type + " " + names.end + " = " +
               (loop.mayTruncateBound ? operand + " > 0 ? " + whole + " : 0" : whole) + ";");
  writer_.open("for (" + type + " " + names.start + " = 0; " + names.start + " < " + names.end + "; " + names.start +
               " += " + names.size + ")");
  writeBody(loop.body, active | bit(block));
  writer_.close();
  writer_.line("// The rest, when " + upper + " is no multiple of " + names.size + ".");
  writer_.open("for (" + type + " " + variable + " = " + names.end + "; " + variable + " < " + upper + "; ++" +
               variable + ")");
  writeBody(loop.body, active);
  writer_.close();
}

void TileWriter::writeBody(const std::vector<Statement> &body, Lanes active) {
  Run run;
  const auto flush = [&] {
    for (const Run &group : groupsOf(run, active))
      writeGroup(group, active);
    run.clear();
  };
  for (const Statement &statement : body) {
    if (!statement.loop) {
      run.push_back(&statement);
      continue;
    }
    flush();
    writeLoop(*statement.loop, active);
  }
  flush();
}

std::vector<TileWriter::Run> TileWriter::groupsOf(const Run &run, Lanes active) const {
  std::vector<Run> groups;
  Lanes last = 0;
  for (const Statement *statement : run) {
    const Lanes lanes = lanes_.of(*statement) & active;
    const bool joins = !groups.empty() && (schedule_.fission ? lanes == last : isSubset(last, lanes));
    if (!joins)
      groups.emplace_back();
    groups.back().push_back(statement);
    last = lanes;
  }
  return groups;
}

bool TileWriter::isLocalTo(const Run &group, VariableId variable) const {
  const auto users = users_.find(variable);
  return users == users_.end() || std::ranges::all_of(users->second, [&](const Statement *user) {
           return std::ranges::find(group, user) != group.end();
         });
}

bool TileWriter::isExpanded(VariableId variable, Lanes active) const {
  return (lanes_.ofVariable(variable) & active) != 0 && lanes_.blockOfVariable(variable) < 0 &&
         !local_.contains(variable);
}

std::vector<std::size_t> TileWriter::inNestOrder(Lanes lanes) const {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < schedule_.blocks.size(); ++i)
    if (lanes & bit(i))
      order.push_back(i);
  std::ranges::sort(order, [&](std::size_t left, std::size_t right) {
    const Block &a = schedule_.blocks[left], &b = schedule_.blocks[right];
    if (a.role != b.role)
      return a.role == Block::Role::Rows;
    return a.loop->range.begin < b.loop->range.begin;
  });
  return order;
}

std::string TileWriter::elementOf(VariableId variable, Lanes active) const {
  std::string text = nest_.variable(variable).name;
  for (const std::size_t block : inNestOrder(lanes_.ofVariable(variable) & active))
    text += "[" + names_[block].lane + "]";
  return text;
}

void TileWriter::declareExpanded(const Run &group, Lanes active) {
  for (const Statement *statement : group) {
    if (!statement->declares || !isExpanded(*statement->declares, active))
      continue;
    const Variable &variable = nest_.variable(*statement->declares);
    std::string text = variable.type + (variable.type.ends_with('*') ? "" : " ") + variable.name;
    for (const std::size_t block : inNestOrder(lanes_.ofVariable(*statement->declares) & active))
      text += "[" + names_[block].size + "]";
    writer_.line(text + ";");
  }
}

void TileWriter::writeGroup(const Run &group, Lanes active) {
  local_.clear();
  for (const Statement *statement : group)
    if (statement->declares && isLocalTo(group, *statement->declares))
      local_.insert(*statement->declares);
  declareExpanded(group, active);
  const bool isEmpty = std::ranges::all_of(group, [&](const Statement *statement) {
    return statement->declares && statement->initializer.end == 0 && !statement->isZeroed &&
           isExpanded(*statement->declares, active);
  });
  Lanes open = 0;
  std::size_t depth = 0;
  for (const Statement *statement : group) {
    if (isEmpty)
      break;
    const Lanes lanes = lanes_.of(*statement) & active;
    if (lanes != open) {
      const auto first = std::ranges::find(group, statement);
      openLanes(lanes & ~open, {first, group.end()});
      depth += inNestOrder(lanes & ~open).size();
      open = lanes;
    }
    writeStatement(*statement, active);
  }
  for (; depth > 0; --depth)
    writer_.close();
  local_.clear();
}

/// Opens one loop per lane; the loop's own variable is named only if the group mentions it.
void TileWriter::openLanes(Lanes lanes, const Run &group) {
  for (const std::size_t block : inNestOrder(lanes)) {
    const Loop &loop = *schedule_.blocks[block].loop;
    const BlockNames &names = names_[block];
    writePragmas(loop);
    writer_.open("for (" + typeOf(loop) + " " + names.lane + " = 0; " + names.lane + " < " + names.size + "; ++" +
                 names.lane + ")");
    const bool isNamed = std::ranges::any_of(group, [&](const Statement *statement) {
      return std::ranges::any_of(statement->references, [&](const Reference &reference) {
        return reference.variable == loop.variable && !lanes_.isSameInAllLanes(reference);
      });
    });
    if (isNamed)
      writer_.line("const " + typeOf(loop) + " " + nest_.variable(loop.variable).name + " = " + names.start + " + " +
                   names.lane + ";");
  }
}

void TileWriter::writeStatement(const Statement &statement, Lanes active) {
  if (!statement.declares)
    return writer_.line(withEdits(statement.range, statement.references, active));
  const Variable &variable = nest_.variable(*statement.declares);
  const bool hasValue = statement.initializer.end != 0 || statement.isZeroed;
  const std::string value = statement.isZeroed ? "{}"
                            : hasValue         ? withEdits(statement.initializer, statement.references, active)
                                               : "";
  if (isExpanded(*statement.declares, active)) {
    if (hasValue)
      writer_.line(elementOf(*statement.declares, active) + " = " + value + ";");
    return;
  }
  if (!statement.sharesDeclaration)
    return writer_.line(withEdits(statement.range, statement.references, active));
  const std::string &type = variable.declaredType;
  writer_.line(type + (type.ends_with('*') ? "" : " ") + variable.name + (hasValue ? " = " + value : "") + ";");
}

std::string TileWriter::withEdits(Range range, const std::vector<Reference> &references, Lanes active) const {
  std::vector<Edit> edits;
  for (const Reference &reference : references) {
    const Range name{reference.offset, reference.offset + reference.length};
    if (name.begin < range.begin || name.end > range.end)
      continue;
    const int block = lanes_.blockOfVariable(reference.variable);
    if (block >= 0) {
      if ((active & bit(static_cast<std::size_t>(block))) && lanes_.isSameInAllLanes(reference))
        edits.push_back({name, names_[static_cast<std::size_t>(block)].start});
    } else if (isExpanded(reference.variable, active)) {
      edits.push_back({name, elementOf(reference.variable, active)});
    }
  }
  return applyEdits(nest_.text, range, edits);
}

} // namespace agentic::moves
