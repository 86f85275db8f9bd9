#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

const std::string kCopy = R"(void f(const unsigned short *in, unsigned short *out, size_t w, size_t h) {
  for (size_t y = 0; y < h; ++y)
    for (size_t x = 0; x < w; ++x)
      out[x * h + y] = in[y * w + x];
})";

std::string verdictOn(const std::string &nest, Contract contract = {}) {
  KernelSpec spec = kernelSpec(
      "void f(const int *in, int *out, const short *words, char *bytes, size_t w, size_t h) {\n" + nest + "}\n");
  spec.contract = std::move(contract);
  return refusalOf(spec, "transpose", "y");
}

TEST(Transpose, Text) {
  EXPECT_EQ(transformedBy(kernelSpec(kCopy), "transpose(y, tile=8)"), R"(// Moves: transpose(y, tile=8).
// Every element of 'x' and 'y' is copied once, and nothing that is read is
// written: squares of them are transposed in registers, by interleaving the
// rows of their halves.
void f(const unsigned short *in, unsigned short *out, size_t w, size_t h) {
  {
    constexpr size_t kTileX = 8; // elements of a vector
    const size_t xEnd = w - w % kTileX;
    constexpr size_t kTileY = 8; // vectors that are transposed
    const size_t yEnd = h - h % kTileY;
    typedef unsigned short Row
        __attribute__((vector_size(kTileX * sizeof(unsigned short))));
    for (size_t x0 = 0; x0 < xEnd; x0 += kTileX) {
      for (size_t y0 = 0; y0 < yEnd; y0 += kTileY) {
        Row rows[kTileY], mixed[kTileY];
        for (int k = 0; k < 8; ++k) {
          const size_t x = x0;
          const size_t y = y0 + static_cast<size_t>(k);
          __builtin_memcpy(&rows[k], &in[y * w + x], sizeof(Row));
        }
        for (int round = 0; round < 3; ++round) {
          for (int k = 0; k < 4; ++k) {
            mixed[2 * k] = __builtin_shufflevector(rows[k], rows[k + 4], 0, 8,
                                                   1, 9, 2, 10, 3, 11);
            mixed[2 * k + 1] = __builtin_shufflevector(rows[k], rows[k + 4], 4,
                                                       12, 5, 13, 6, 14, 7, 15);
          }
          for (int k = 0; k < 8; ++k)
            rows[k] = mixed[k];
        }
        for (int k = 0; k < 8; ++k) {
          const size_t x = x0 + static_cast<size_t>(k);
          const size_t y = y0;
          __builtin_memcpy(&out[x * h + y], &rows[k], sizeof(Row));
        }
      }
      for (size_t y = yEnd; y < h; ++y)
        for (size_t x = x0; x < x0 + kTileX; ++x)
          out[x * h + y] = in[y * w + x];
    }
    // The rest, when there is no whole tile left.
    for (size_t x = xEnd; x < w; ++x)
      for (size_t y = 0; y < h; ++y)
        out[x * h + y] = in[y * w + x];
  }
}
)");
}

TEST(Transpose, AcceptsCopiesOfRowsToColumns) {
  for (const char *nest :
       {"for (size_t y = 0; y < h; ++y) for (size_t x = 0; x < w; ++x) out[x * h + y] = in[y * w + x];",
        "for (size_t y = 0; y < w; ++y) for (size_t x = 0; x < h; ++x) out[y * h + x] = in[x * w + y];",
        "for (size_t y = 0; y < h; ++y) for (size_t x = 0; x < w; ++x) out[x * h + 4 + y] = in[7 + y * w + x];",
        "for (int y = 1; y < 60; ++y) for (int x = 0; x < 99; ++x) out[x * 64 + y] = in[y * 100 + x];",
        "for (size_t y = 0; y < h; ++y) for (size_t x = 0; x < w; ++x) *(out + x * h + y) = *(in + y * w + x);"})
    EXPECT_EQ(verdictOn(nest), "offered") << nest;
}

TEST(Transpose, RefusesTheRest) {
  const std::string loops = "for (size_t y = 0; y < h; ++y) for (size_t x = 0; x < w; ++x) ";
  for (const auto &[nest, reason] : std::vector<std::pair<std::string, std::string>>{
           {loops + "out[x * h + y] = in[y * w + x] + 1;", "more than copy"},
           {loops + "out[x * h + y] += in[y * w + x];", "more than copy"},
           {loops + "out[x * h + y] = in[x * h + y];", "neighbours of one loop to neighbours of the other"},
           {loops + "out[y * w + x] = in[y * w + x];", "neighbours of one loop to neighbours of the other"},
           {loops + "out[x * h + 2 * y] = in[y * w + x];", "neighbours of one loop to neighbours of the other"},
           {loops + "out[x * w + y] = in[y * w + x];", "may overlap"},
           {loops + "out[x + y] = in[y * w + x];", "may overlap"},
           {loops + "out[x * h + y] = out[y * w + x];", "may be an element that it writes"},
           {loops + "out[x * h + y] = words[y * w + x];", "changes its type"},
           {"for (size_t y = 0; y < h; ++y) for (size_t x = y; x < w; ++x) out[x * h + y] = in[y * w + x];",
            "not the same for all"},
           {"for (int y = 0; y < 65; ++y) for (int x = 0; x < 99; ++x) out[x * 64 + y] = in[y * 100 + x];",
            "may overlap"},
           {"for (size_t y = 0; y < h; ++y) { out[y] = 0; for (size_t x = 0; x < w; ++x) out[x * h + y] = in[y * w + "
            "x]; }",
            "a loop around one loop and nothing else"}})
    EXPECT_THAT(verdictOn(nest), HasSubstr(reason)) << nest;
  Contract overlapping;
  overlapping.mayAlias.push_back({"in", "out"});
  EXPECT_THAT(verdictOn(loops + "out[x * h + y] = in[y * w + x];", overlapping), HasSubstr("may be an element"));
}

TEST(Transpose, RecipesFromFilesAreChecked) {
  EXPECT_THAT(transformedBy(kernelSpec(kCopy), "transpose(y, tile=12)"), HasSubstr("a power of two"));
  EXPECT_THAT(transformedBy(kernelSpec(kCopy), "transpose(y, tile=64)"), HasSubstr("'tile' must be"));
  EXPECT_THAT(transformedBy(kernelSpec(kCopy), "transpose(x, tile=8)"), HasSubstr("a loop around one loop"));
  EXPECT_EQ(refusalOf(kernelSpec(transformedBy(kernelSpec(kCopy), "transpose(y, tile=8)")), "transpose", "y"),
            "it only does what blocks left over");
}

} // namespace
} // namespace agentic
