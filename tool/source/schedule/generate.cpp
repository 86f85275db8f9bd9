#include "tool/source/schedule/generate.h"

#include "tool/source/loops/code_text.h"
#include "tool/source/loops/writer.h"
#include "tool/source/schedule/tile_writer.h"

namespace agentic::moves {
namespace {

BlockNames namesOf(const Nest &nest, const Block &block, FreshNames &fresh) {
  const std::string &variable = nest.variable(block.loop->variable).name;
  BlockNames names;
  names.size = fresh.make("kBlock" + capitalised(variable));
  names.start = fresh.make(variable + "0");
  names.lane = fresh.make(variable.size() == 1 ? variable + variable : variable + "Lane");
  names.end = fresh.make(variable + "End");
  return names;
}

class Generator {
public:
  Generator(const Nest &nest, const Schedule &schedule, bool forGcc)
      : nest_(nest), schedule_(schedule), forGcc_(forGcc), fresh_(nest.surroundings + "\n" + nest.text) {
    for (const Block &block : schedule.blocks)
      names_.push_back(namesOf(nest, block, fresh_));
  }

  std::string run(const std::vector<std::string> &comment) {
    addConstants();
    visit(nest_.statements);
    std::string head;
    for (const std::string &line : comment)
      head += "// " + line + "\n";
    if (schedule_.vectorWidth > 0)
      addVectorWidth();
    std::string text = head + applyEdits(nest_.text, {0, nest_.text.size()}, edits_);
    return text.ends_with('\n') ? text : text + "\n";
  }

private:
  void visit(const std::vector<Statement> &statements) {
    for (const Statement &statement : statements) {
      if (statement.loop)
        visitLoop(*statement.loop);
      visit(statement.inner);
    }
  }

  void visitLoop(const Loop &loop) {
    if (schedule_.blockOf(loop)) {
      Writer writer(indentationAt(nest_.text, loop.range.begin));
      TileWriter(nest_, schedule_, names_, forGcc_, writer).write(loop);
      replace(loop.range, writer.take());
      return;
    }
    if (const auto hint = schedule_.hints.find(&loop); hint != schedule_.hints.end()) {
      const std::string indent = indentationAt(nest_.text, loop.range.begin);
      std::string text;
      for (const std::string &line : pragmaLines(hint->second, forGcc_))
        text += line + "\n" + indent;
      const std::size_t before = nest_.text.find_last_not_of(" \t", loop.range.begin - 1);
      const bool startsLine = before == std::string::npos || nest_.text[before] == '\n';
      edits_.push_back({{loop.range.begin, loop.range.begin}, (startsLine ? "" : "\n" + indent) + text});
    }
    visit(loop.body);
  }

  /// A tile is a few statements: braces separate its names, and make it one statement in the place of the loop.
  void replace(Range range, const std::string &text) {
    const std::string indent = indentationAt(nest_.text, range.begin);
    std::string block = "{\n";
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin) + 1;
      block += "  " + text.substr(begin, end - begin);
      begin = end;
    }
    edits_.push_back({range, block + indent + "}"});
  }

  void addConstants() {
    std::string text;
    for (std::size_t i = 0; i < schedule_.blocks.size(); ++i) {
      const Block &block = schedule_.blocks[i];
      const Variable &variable = nest_.variable(block.loop->variable);
      text += "\n  constexpr " + variable.type + " " + names_[i].size + " = " + std::to_string(block.size) +
              "; // iterations of '" + block.loop->name + "' side by side";
    }
    const std::size_t next = nest_.text.find_first_not_of(" \t", nest_.bodyBegin + 1);
    if (next != std::string::npos && nest_.text[next] != '\n')
      text += "\n  ";
    if (!schedule_.blocks.empty())
      edits_.push_back({{nest_.bodyBegin + 1, nest_.bodyBegin + 1}, text});
  }

  /// GNU attributes come after standard ones and after `extern "C"`.
  void addVectorWidth() {
    const std::string_view text = nest_.text;
    std::size_t at = 0;
    for (bool moved = true; moved;) {
      moved = false;
      at = std::min(text.find_first_not_of(" \t\n", at), text.size());
      if (text.substr(at).starts_with("[["))
        at = std::min(text.find("]]", at), text.size() - 2) + 2, moved = true;
      else if (text.substr(at).starts_with("extern") && text.find('"', at) < nest_.bodyBegin)
        at = text.find('"', text.find('"', at) + 1) + 1, moved = true;
    }
    const std::string bits = std::to_string(schedule_.vectorWidth);
    const std::string attribute =
        forGcc_ ? "target(\"prefer-vector-width=" + bits + "\")" : "min_vector_width(" + bits + ")";
    edits_.insert(edits_.begin(), {{at, at}, "__attribute__((" + attribute + "))\n"});
  }

  const Nest &nest_;
  const Schedule &schedule_;
  bool forGcc_;
  FreshNames fresh_;
  std::vector<BlockNames> names_;
  std::vector<Edit> edits_;
};

} // namespace

std::vector<std::string> pragmaLines(const LoopHint &hint, bool forGcc) {
  std::vector<std::string> lines;
  if (forGcc) {
    if (hint.ivdep > 0)
      lines.push_back("#pragma GCC ivdep");
    if (hint.unroll > 0)
      lines.push_back("#pragma GCC unroll " + std::to_string(hint.unroll));
    return lines;
  }
  std::string vectorize;
  if (hint.width == 1)
    vectorize = " vectorize(disable)";
  else if (hint.width > 1)
    vectorize = " vectorize(enable) vectorize_width(" + std::to_string(hint.width) + ")";
  if (hint.interleave > 0)
    vectorize += " interleave_count(" + std::to_string(hint.interleave) + ")";
  if (!vectorize.empty())
    lines.push_back("#pragma clang loop" + vectorize);
  if (hint.unroll > 0)
    lines.push_back("#pragma clang loop unroll_count(" + std::to_string(hint.unroll) + ")");
  return lines;
}

std::string generate(const Nest &nest, const Schedule &schedule, const std::vector<std::string> &comment, bool forGcc) {
  return Generator(nest, schedule, forGcc).run(comment);
}

} // namespace agentic::moves
