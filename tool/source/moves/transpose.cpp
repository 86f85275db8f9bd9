// transpose(y, tile=16): a loop nest that copies rows to columns goes through tiles that registers transpose.
//
//   for (y …)                       →   for (x0 …; x0 += kTileY)
//     for (x …)                           for (y0 …; y0 += kTileY) {
//       out[x * h + y]                      rows[k] = in[(y0 + k) * w + x0 …];   // whole vectors
//         = in[y * w + x];                  … log2(tile) rounds that interleave rows[k] with rows[k + tile / 2] …
//                                           out[(x0 + k) * h + y0 …] = rows[k];
//                                         }
//
// After k rounds of interleaving the first half of the rows with the second one, the rows and columns of a square are
// exchanged (the perfect shuffle: M. C. Pease, "An adaptation of the fast Fourier transform for parallel processing",
// 1968). What is left at the borders is copied as written.
//
// Precondition: the nest does nothing else; the elements have one type, are neighbours for one loop where they are read
// and for the other where they are written; the arrays do not overlap; no element is written twice, so that the order
// does not matter: one column ends before the next begins.
#include "tool/source/loops/loop_effects.h"
#include "tool/source/moves/move.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>
#include <bit>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

struct Transposition {
  std::string problem; ///< why it is not legal; empty if it is
  const Loop *outer = nullptr, *inner = nullptr;
  const Loop *row = nullptr, *column = nullptr; ///< over neighbours that are read, over neighbours that are written
  const Expression *from = nullptr, *to = nullptr;
  unsigned bytes = 0; ///< of an element
};

/// Returns the factor of a loop's variable in a subscript; nullopt if there is none that is the same everywhere.
std::optional<Polynomial> factorOf(const Polynomial &subscript, const Loop &loop, const Loop &other) {
  const auto linear = subscript.linearIn(loop.variable);
  if (!linear || linear->coefficient.mentions(other.variable))
    return std::nullopt;
  return linear->coefficient;
}

bool isOne(const std::optional<Polynomial> &factor) {
  return factor && factor->asConstant() == 1;
}

/// Returns whether columns of this distance hold all iterations of the loop.
bool isWideEnough(const Polynomial &distance, const Loop &loop) {
  if (!loop.upperBound || !loop.lowerConstant || *loop.lowerConstant < 0)
    return false;
  const auto count = Polynomial::subtract(*loop.upperBound, Polynomial::constant(*loop.lowerConstant));
  const auto rest = count ? Polynomial::subtract(distance, *count) : std::nullopt;
  const auto spare = rest ? rest->asConstant() : std::nullopt;
  return spare && *spare >= 0;
}

class TransposePlanner {
public:
  TransposePlanner(const Nest &nest, const Loop &loop) : nest_(nest) { plan_.outer = &loop; }

  Transposition run() {
    plan_.problem = whyNot();
    return plan_;
  }

private:
  std::string whyNot() {
    const Loop &outer = *plan_.outer;
    if (!outer.problem.empty())
      return outer.problem;
    if (outer.body.size() != 1 || !outer.body[0].loop || containsLoop(*outer.body[0].loop))
      return "it is not a loop around one loop and nothing else";
    plan_.inner = outer.body[0].loop.get();
    const Loop &inner = *plan_.inner;
    if (!inner.problem.empty())
      return inner.problem;
    const auto dependsOnOuter = [&](const std::optional<Polynomial> &bound) {
      return !bound || std::ranges::any_of(bound->symbols(), [&](Symbol symbol) {
        return nest_.symbolDependsOn(symbol, outer.variable);
      });
    };
    if (dependsOnOuter(inner.lowerBound) || dependsOnOuter(inner.upperBound))
      return "the bounds of '" + inner.name + "' are not the same for all of its rows";
    if (inner.body.size() != 1 || !inner.body[0].problem.empty())
      return "it does more than copy elements";
    return whyNotCopy(inner.body[0]);
  }

  std::string whyNotCopy(const Statement &statement) {
    const std::string reason = "it does more than copy elements";
    if (!statement.expression || statement.expression->kind != Kind::Assign || statement.expression->op != "=" ||
        statement.accesses.size() != 2)
      return reason;
    plan_.to = &statement.expression->operands[0];
    plan_.from = &statement.expression->operands[1].plain();
    const auto isPlace = [](const Expression &place) {
      return place.kind == Kind::Element && place.isArithmetic() && place.type != "bool" && place.bits % 8 == 0 &&
             place.bits <= 64 && !place.range.isEmpty();
    };
    if (!isPlace(*plan_.to) || !isPlace(*plan_.from))
      return reason;
    if (plan_.to->type != plan_.from->type)
      return "what is copied changes its type";
    plan_.bytes = plan_.to->bits / 8;
    const bool isFirstWritten = statement.accesses[0].writes;
    const Access &written = statement.accesses[isFirstWritten ? 0 : 1],
                 &read = statement.accesses[isFirstWritten ? 1 : 0];
    if (!written.writes || read.writes)
      return reason;
    if (!written.base || !read.base || !written.subscript || !read.subscript)
      return "the elements' places are not known";
    if (mayBeSameArray(nest_, written.base, read.base))
      return "'" + read.text + "' may be an element that it writes";
    return whyNotExchanged(*read.subscript, *written.subscript);
  }

  std::string whyNotExchanged(const Polynomial &read, const Polynomial &written) {
    for (const bool isInnerRow : {true, false}) {
      const Loop &row = isInnerRow ? *plan_.inner : *plan_.outer, &column = isInnerRow ? *plan_.outer : *plan_.inner;
      if (!isOne(factorOf(read, row, column)) || !isOne(factorOf(written, column, row)))
        continue;
      const auto distance = factorOf(written, row, column);
      if (!distance || !factorOf(read, column, row))
        continue;
      if (!isWideEnough(*distance, column))
        return "the columns of '" + std::string(nest_.slice(plan_.to->range)) + "' may overlap";
      plan_.row = &row;
      plan_.column = &column;
      return {};
    }
    return "it does not copy neighbours of one loop to neighbours of the other";
  }

  const Nest &nest_;
  Transposition plan_;
};

void offerTranspose(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    if (!containsLoop(*loop))
      continue;
    Transposition plan = TransposePlanner(context.nest, *loop).run();
    if (isRestOfBlocks(context.nest, *loop))
      plan.problem = "it only does what blocks left over";
    std::string reason = plan.problem;
    std::vector<int> tiles;
    for (const int bytes : {16, 32}) {
      if (!plan.problem.empty() || bytes / static_cast<int>(plan.bytes) < 2)
        continue;
      const int tile = bytes / static_cast<int>(plan.bytes);
      reason = whyNotCut(context.nest, *plan.outer, tile);
      if (reason.empty())
        reason = whyNotCut(context.nest, *plan.inner, tile);
      if (reason.empty())
        tiles.push_back(tile);
    }
    if (tiles.empty())
      result.refusals.push_back({"transpose", loop->name, reason});
    else
      result.offers.push_back({"transpose", loop->name, {{"tile", std::move(tiles)}}});
  }
}

class TransposeWriting {
public:
  TransposeWriting(const Nest &nest, const Transposition &plan, int tile)
      : nest_(nest), plan_(plan), tile_(tile), names_(nest.surroundings + nest.text),
        row_(cutLoop(nest, *plan.row, tile, "kTile", "elements of a vector", names_)),
        column_(cutLoop(nest, *plan.column, tile, "kTile", "vectors that are transposed", names_)),
        rows_(names_.make("rows")), mixed_(names_.make("mixed")), vector_(names_.make("Row")), k_(names_.make("k")),
        round_(names_.make("round")) {}

  std::string text() const {
    const std::string rowName = nameOf(*plan_.row), columnName = nameOf(*plan_.column);
    const std::string typedefText = "typedef " + plan_.to->type + " " + vector_ + " __attribute__((vector_size(" +
                                    row_.size + " * sizeof(" + plan_.to->type + "))));\n";
    return "{\n" + row_.declarations + column_.declarations + typedefText + row_.blockHeader + " {\n" +
           column_.blockHeader + " {\n" + vector_ + " " + rows_ + "[" + column_.size + "], " + mixed_ + "[" +
           column_.size + "];\n" + eachVector() + "{\n" + place(row_, rowName, "") + place(column_, columnName, k_) +
           copy("&" + rows_ + "[" + k_ + "]", "&" + std::string(nest_.slice(plan_.from->range))) + "}\n" + rounds() +
           eachVector() + "{\n" + place(row_, rowName, k_) + place(column_, columnName, "") +
           copy("&" + std::string(nest_.slice(plan_.to->range)), "&" + rows_ + "[" + k_ + "]") + "}\n}\n" +
           // the columns that no whole tile has
           headerFrom(*plan_.column, column_.end) + "for (" + row_.type + " " + rowName + " = " + row_.start + "; " +
           rowName + " < " + row_.start + " + " + row_.size + "; ++" + rowName + ")\n" + body() + "\n}\n" +
           "// The rest, when there is no whole tile left.\n" + headerFrom(*plan_.row, row_.end) +
           std::string(nest_.slice(plan_.column->header)) + "\n" + body() + "\n}";
  }

private:
  const std::string &nameOf(const Loop &loop) const { return nest_.variable(loop.variable).name; }

  std::string body() const {
    return std::string(nest_.slice(plan_.to->range)) + " = " + std::string(nest_.slice(plan_.from->range)) + ";";
  }

  /// Returns the loop's header with another first iteration.
  std::string headerFrom(const Loop &loop, const std::string &first) const {
    return applyEdits(nest_.text, loop.header, {Edit{loop.lower, first}}) + "\n";
  }

  std::string eachVector() const {
    return "for (int " + k_ + " = 0; " + k_ + " < " + std::to_string(tile_) + "; ++" + k_ + ") ";
  }

  static std::string place(const BlockCut &cut, const std::string &name, const std::string &offset) {
    return "const " + cut.type + " " + name + " = " + cut.start +
           (offset.empty() ? "" : " + " + castTo(cut.type, offset)) + ";\n";
  }

  std::string copy(const std::string &to, const std::string &from) const {
    return "__builtin_memcpy(" + to + ", " + from + ", sizeof(" + vector_ + "));\n";
  }

  std::string interleaved(int half) const {
    std::string places;
    for (int i = 0; i < tile_ / 2; ++i)
      places += ", " + std::to_string(half * tile_ / 2 + i) + ", " + std::to_string(tile_ + half * tile_ / 2 + i);
    const std::string other = k_ + " + " + std::to_string(tile_ / 2);
    return "__builtin_shufflevector(" + rows_ + "[" + k_ + "], " + rows_ + "[" + other + "]" + places + ");\n";
  }

  std::string rounds() const {
    const int count = std::bit_width(static_cast<unsigned>(tile_)) - 1;
    return "for (int " + round_ + " = 0; " + round_ + " < " + std::to_string(count) + "; ++" + round_ +
           ") {\nfor (int " + k_ + " = 0; " + k_ + " < " + std::to_string(tile_ / 2) + "; ++" + k_ + ") {\n" + mixed_ +
           "[2 * " + k_ + "] = " + interleaved(0) + mixed_ + "[2 * " + k_ + " + 1] = " + interleaved(1) + "}\n" +
           eachVector() + rows_ + "[" + k_ + "] = " + mixed_ + "[" + k_ + "];\n}\n";
  }

  const Nest &nest_;
  const Transposition &plan_;
  int tile_;
  FreshNames names_;
  BlockCut row_, column_;
  std::string rows_, mixed_, vector_, k_, round_;
};

Result<Rewrite> rewriteTranspose(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const auto tile = TRY(parameterOf(step, "tile", 2, 32));
  const Transposition plan = TransposePlanner(context.nest, *loop).run();
  if (!plan.problem.empty())
    return illegalStep(step, plan.problem);
  if (!std::has_single_bit(static_cast<unsigned>(tile)) || static_cast<unsigned>(tile) * plan.bytes > 64)
    return illegalStep(step, "a tile is a power of two, and a row of it has at most 64 bytes");
  for (const Loop *each : {plan.outer, plan.inner})
    if (const std::string reason = whyNotCut(context.nest, *each, tile); !reason.empty())
      return illegalStep(step, reason);
  return Rewrite{{{loop->range, TransposeWriting(context.nest, plan, tile).text()}},
                 {"Every element of '" + context.nest.variable(plan.row->variable).name + "' and '" +
                      context.nest.variable(plan.column->variable).name +
                      "' is copied once, and nothing that is read is written:",
                  "squares of them are transposed in registers, by interleaving the rows of their halves."}};
}

} // namespace

const Move kTranspose = {"transpose", offerTranspose, nullptr, rewriteTranspose};

} // namespace agentic::moves
