// slice-table(i, bytes=8): folds several bytes into a checksum at once, each by a table of its own. One look-up no
// longer waits for the one before.
//
//   for (i …)                                          →  static constexpr auto kSlices = [] { … of[8][256] … }();
//     crc = kCrc[(crc ^ p[i]) & 0xff] ^ (crc >> 8);       for (i0 …; i0 += 8) {
//                                                           const unsigned ahead = crc ^ (p[i0] | p[i0 + 1] << 8 | …);
//                                                           crc = kSlices.of[7][ahead & 255] ^
//                                                                 kSlices.of[6][ahead >> 8 & 255] ^ … ^
//                                                                 kSlices.of[0][p[i0 + 7]];
//                                                         }
//
// The compiler computes the tables. The bit-wise form (`crc = crc & 1 ? crc >> 1 ^ kPolynomial : crc >> 1`, eight
// times) is the same, and so are checksums that shift left.
//
// Precondition: an iteration does nothing but change the state, an unsigned number of 16 or 32 bits, by one byte of
// input; what it does is linear in their bits (T[a ^ b] == T[a] ^ T[b] for the tables in it); and it takes one byte of
// the state, at an end, together with the input, and moves the others by one byte. Linear as it is, eight runs for the
// bits of the input and one for each of the state's bits decide that.
#include "tool/source/moves/slice_table.h"
#include "tool/source/moves/move.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>

namespace agentic::moves {
namespace {

class SliceTableWriting {
public:
  SliceTableWriting(const Nest &nest, const Loop &loop, int bytes, const SlicePlan &plan)
      : nest_(nest), loop_(loop), bytes_(bytes), plan_(plan), state_(nest.variable(plan.state)),
        names_(nest.surroundings + nest.text),
        cut_(cutLoop(nest, loop, bytes, "kBytes", "bytes that are folded in at once", names_)),
        slices_(names_.make("kSlices")), ahead_(names_.make("ahead")) {}

  std::string text() const {
    const int own = static_cast<int>(plan_.bits) / 8;
    std::string first, folded;
    for (int k = 0; k < own; ++k) {
      const int shift = plan_.takesLowest ? 8 * k : static_cast<int>(plan_.bits) - 8 - 8 * k;
      first += (k == 0 ? "" : " | ") + std::string("static_cast<unsigned>(") + input(k) + ")" +
               (shift == 0 ? "" : " << " + std::to_string(shift));
      folded += (k == 0 ? "" : " ^ ") + slice(k) + "[" +
                (shift == 0 ? ahead_ : ahead_ + " >> " + std::to_string(shift)) + " & 255]";
    }
    for (int k = own; k < bytes_; ++k)
      folded += " ^ " + slice(k) + "[" + input(k) + "]";
    return "{\n" + cut_.declarations + tables() + cut_.blockHeader + " {\nconst unsigned " + ahead_ + " = " +
           state_.name + " ^ (" + first + ");\n" + state_.name + " = " + folded + ";\n}\n" + cut_.rest + "}";
  }

private:
  /// The table of byte `k`: bytes_ - 1 - k more come after it.
  std::string slice(int k) const { return slices_ + ".of[" + std::to_string(bytes_ - 1 - k) + "]"; }

  /// Returns byte `k` of the block, unsigned.
  std::string input(int k) const {
    const std::string at = k == 0 ? cut_.start : cut_.start + " + " + std::to_string(k);
    std::vector<Edit> edits;
    forEachExpression(*plan_.input, [&](const Expression &part) {
      if (part.kind == Expression::Kind::Variable && part.variable == loop_.variable) {
        const Expression &subscript = plan_.input->operands.back().plain();
        edits.push_back({part.range, subscript.range == part.range || k == 0 ? at : "(" + at + ")"});
      }
      return true;
    });
    std::ranges::sort(edits, {}, [](const Edit &edit) { return edit.range.begin; });
    const std::string byte = applyEdits(nest_.text, plan_.input->range, edits);
    return plan_.input->type == "unsigned char" ? byte : "static_cast<unsigned char>(" + byte + ")";
  }

  std::string tables() const {
    const std::string count = std::to_string(bytes_), top = std::to_string(plan_.bits - 8);
    std::string images;
    for (const std::int64_t image : plan_.images)
      images += (images.empty() ? "" : ", ") + std::to_string(image) + "u";
    const std::string moved = plan_.takesLowest ? "slices.of[k - 1][x] >> 8 ^ slices.of[0][slices.of[k - 1][x] & 255]"
                                                : "static_cast<" + state_.type +
                                                      ">(slices.of[k - 1][x] << 8 ^ slices.of[0][slices.of[k - "
                                                      "1][x] >> " +
                                                      top + "])";
    return "// [k][x]: what byte x makes of a state of 0, " + std::string("k bytes later.\n") +
           "static constexpr auto " + slices_ + " = [] {\nconstexpr unsigned kOfBit[8] = {" + images +
           "}; // what one bit makes of it\nstruct {\n" + state_.type + " of[" + count +
           "][256] = {};\n} slices;\nfor (int x = 0; x < 256; ++x)\n" +
           "for (int bit = 0; bit < 8; ++bit)\nif (x >> bit & 1)\nslices.of[0][x] ^= kOfBit[bit];\n" +
           "for (int k = 1; k < " + count + "; ++k)\nfor (int x = 0; x < 256; ++x)\nslices.of[k][x] = " + moved +
           ";\nreturn slices;\n}();\n";
  }

  const Nest &nest_;
  const Loop &loop_;
  int bytes_;
  const SlicePlan &plan_;
  const Variable &state_;
  FreshNames names_;
  BlockCut cut_;
  std::string slices_, ahead_;
};

std::string whyNotSliceTable(const Nest &nest, const Loop &loop, const SlicePlan &plan, int bytes) {
  if (!plan.problem.empty())
    return plan.problem;
  return isRestOfBlocks(nest, loop) ? "it only does what blocks left over" : whyNotCut(nest, loop, bytes);
}

void offerSliceTable(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    const auto plan = planSlices(context.nest, *loop);
    if (!plan)
      continue;
    result.add({"slice-table", loop->name, {{"bytes", {16, 8, 4}}}}, whyNotSliceTable(context.nest, *loop, *plan, 8));
  }
}

Result<Rewrite> rewriteSliceTable(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const auto bytes = TRY(parameterOf(step, "bytes", 4, 16));
  const auto plan = planSlices(context.nest, *loop);
  if (!plan)
    return illegalStep(step, "the loop '" + step.target + "' folds no bytes into a number");
  if (const std::string reason = whyNotSliceTable(context.nest, *loop, *plan, bytes); !reason.empty())
    return illegalStep(step, reason);
  const std::string name = context.nest.variable(plan->state).name;
  return Rewrite{{{loop->range, SliceTableWriting(context.nest, *loop, bytes, *plan).text()}},
                 {"What the bytes of '" + loop->name + "' make of '" + name +
                      "' is linear in all their bits: the effects of several bytes are looked up",
                  "independently of each other, and joined by exclusive or."}};
}

} // namespace

const Move kSliceTable = {
    .name = "slice-table", .offer = offerSliceTable, .rewrite = rewriteSliceTable, .needsCxx = true};

} // namespace agentic::moves
