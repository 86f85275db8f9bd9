// Tests how candidates are cut into pieces, and what is left without them.
#include "tool/source/candidate/pieces.h"

#include "tool/source/candidate/plain_calls.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<TextPiece> piecesAt(const std::string &text, PieceKind kind, std::size_t depth) {
  std::vector<TextPiece> pieces = piecesOf(text);
  std::erase_if(pieces, [&](const TextPiece &piece) { return piece.kind != kind || piece.depth != depth; });
  return pieces;
}

std::vector<std::string> shown(const std::string &text, PieceKind kind, std::size_t depth = 0) {
  std::vector<std::string> list;
  for (const TextPiece &piece : piecesAt(text, kind, depth))
    list.push_back(piece.shown);
  return list;
}

/// The text without the only piece of this kind that is shown so.
std::string without(const std::string &text, PieceKind kind, const std::string &what) {
  std::vector<TextPiece> pieces = piecesOf(text);
  std::erase_if(pieces, [&](const TextPiece &piece) { return piece.kind != kind || piece.shown != what; });
  EXPECT_EQ(pieces.size(), 1u) << what;
  return withoutPieces(text, pieces);
}

const std::string kScale = R"(#include <immintrin.h>
#define WIDTH 8
namespace demo {
// A helper.
static inline float twice(float x) { return 2 * x; }

struct Pair {
  float left, right;
};
static const int kTable[4] = {1, 2, 3, 4};
void scale(float *out, const float *__restrict in, std::size_t n) {
  const char *text = "; } // no comment";
  float unused = 0; // never read
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 2 == 0) {
      out[i] = twice(in[i]);
    } else if (i > 5)
      out[i] = in[i];
    else {
      out[i] = 0;
    }
  }
}
} // namespace demo
)";

TEST(Pieces, StatementsAreCutAtEveryDepth) {
  EXPECT_THAT(shown(kScale, PieceKind::Statement, 0),
              ElementsAre("static inline float twice ( float x ) { return 2 * x ; }",
                          "struct Pair { float left , right ; } ;",
                          "static const int kTable [ 4 ] = { 1 , 2 , 3 , 4 } ;",
                          "void scale ( float * out , const float * __restrict in , std..."));
  EXPECT_THAT(shown(kScale, PieceKind::Statement, 1),
              ElementsAre("return 2 * x ;", "float left , right ;", "const char * text = \"; } // no comment\" ;",
                          "float unused = 0 ;", "for ( std :: size_t i = 0 ; i < n ; ++ i ) { if ( i % 2 == 0..."));
  EXPECT_THAT(shown(kScale, PieceKind::Statement, 2),
              ElementsAre("if ( i % 2 == 0 ) { out [ i ] = twice ( in [ i ] ) ; } else ..."));
  EXPECT_THAT(shown(kScale, PieceKind::Statement, 3),
              ElementsAre("out [ i ] = twice ( in [ i ] ) ;",
                          "else if ( i > 5 ) out [ i ] = in [ i ] ; else { out [ i ] = ..."));
  EXPECT_THAT(shown(kScale, PieceKind::Attribute), ElementsAre("__restrict"));
}

TEST(Pieces, IncludesConditionalsAndAssertionsStay) {
  EXPECT_THAT(shown(kScale, PieceKind::Directive), ElementsAre("# define WIDTH 8"));
  const std::string text = "#if A\n#pragma x\nint a;\n#endif\nstatic_assert(sizeof(int) == 4);\n"
                           "void f() {\n  assert(true);\n  g();\n#if A\n  h();\n#endif\n}\n";
  EXPECT_THAT(shown(text, PieceKind::Directive), ElementsAre("# pragma x"));
  EXPECT_THAT(shown(text, PieceKind::Statement, 0), ElementsAre("int a ;", "void f ( ) { assert ( true ) ; g ( ) ;"));
  EXPECT_THAT(shown(text, PieceKind::Statement, 1), ElementsAre("g ( ) ;", "h ( ) ;"));
  // Half of a conditional cannot go.
  EXPECT_THAT(shown("void f() {\n  {\n#if A\n  }\n#else\n  }\n#endif\n}\n", PieceKind::Statement, 1), IsEmpty());
}

TEST(Pieces, OnlyHintsMayChangeTheCode) {
  const auto isHint = [](const std::string &text) {
    const std::vector<TextPiece> pieces = piecesOf(text);
    return std::ranges::any_of(pieces, &TextPiece::isHint);
  };
  for (const char *hint :
       {"#pragma clang loop unroll(full)\n", "[[gnu::always_inline]] int f();", "__attribute__((noinline)) int f();",
        "int f(int *__restrict p);", "void f() { _mm_prefetch(p, 1); }", "void f() { __builtin_assume(n > 4); }",
        "int a = __builtin_expect(x, 1);", "__m256i a = _mm256_or_si256(x, y);", "_Pragma(\"GCC ivdep\") int a;"})
    EXPECT_TRUE(isHint(hint)) << hint;
  for (const char *other :
       {"#pragma STDC FP_CONTRACT OFF\n", "#pragma pack(1)\n", "#define A 1\n", "alignas(64) int a;",
        "__attribute__((vector_size(32))) int a;", "void f() { g(); }", "__m256 a = _mm256_add_ps(x, y);",
        "void f() { int a = _mm_prefetch(p, 1) + 1; }", "void f() { if (n > 4) g(); }", "_Pragma(\"pack(1)\") int a;"})
    EXPECT_FALSE(isHint(other)) << other;
}

TEST(Pieces, CommentsAndBlankLinesGoWithTheirLine) {
  const std::string text = "void f() {\n  a();\n\n  // First of b,\n  /* and more. */\n  b(); // behind\n\n  c();\n}\n";
  EXPECT_EQ(without(text, PieceKind::Statement, "b ( ) ;"), "void f() {\n  a();\n\n  c();\n}\n");
  EXPECT_EQ(without(text, PieceKind::Statement, "a ( ) ;"),
            "void f() {\n  // First of b,\n  /* and more. */\n  b(); // behind\n\n  c();\n}\n");
  EXPECT_EQ(without(text, PieceKind::Statement, "c ( ) ;"),
            "void f() {\n  a();\n\n  // First of b,\n  /* and more. */\n  b(); // behind\n}\n");
  EXPECT_EQ(without("void f() { a(); b(); c(); }", PieceKind::Statement, "b ( ) ;"), "void f() { a(); c(); }");
  // A comment that stands apart, or goes on in the next line, stays.
  EXPECT_EQ(without("void f() {\n  // All of it.\n\n  a();\n  b();\n}\n", PieceKind::Statement, "a ( ) ;"),
            "void f() {\n  // All of it.\n\n  b();\n}\n");
  EXPECT_EQ(without("void f() {\n  a(); /* x\n  y */ b();\n}\n", PieceKind::Statement, "a ( ) ;"),
            "void f() {\n  /* x\n  y */ b();\n}\n");
}

TEST(Pieces, ElseBranchesHeadersAndBlocks) {
  const std::string text = "void f() {\n  if (n > 4) {\n    a();\n    b();\n  } else {\n    c();\n  }\n}\n";
  EXPECT_EQ(without(text, PieceKind::Statement, "else { c ( ) ; }"),
            "void f() {\n  if (n > 4) {\n    a();\n    b();\n  }\n}\n");
  EXPECT_EQ(without(text, PieceKind::Header, "if ( n > 4 ) { a ( ) ; b ( ) ; } else { c ( ) ; }"),
            "void f() {\n  a();\n  b();\n}\n");
  EXPECT_EQ(without("void f() {\n  {\n    a();\n  }\n}\n", PieceKind::Header, "{ a ( ) ; }"),
            "void f() {\n  a();\n}\n");
}

TEST(Pieces, LabelsLambdasAndDoLoops) {
  EXPECT_THAT(shown("void f() { switch (n) { case 1: a(); break; default: b(); } }", PieceKind::Statement, 2),
              ElementsAre("a ( ) ;", "break ;", "b ( ) ;"));
  EXPECT_THAT(shown("void f() { auto g = [&](int x) { a(x); b(); }; g(1); }", PieceKind::Statement, 2),
              ElementsAre("a ( x ) ;", "b ( ) ;"));
  EXPECT_THAT(shown("void f() { do { a(); } while (b()); c(); }", PieceKind::Statement, 1),
              ElementsAre("do { a ( ) ; } while ( b ( ) ) ;", "c ( ) ;"));
}

TEST(Pieces, AnyTextCanBeCut) {
  for (const char *text :
       {"", "}", "{", "void f() {", "(((", "void f() { if (", "#", "#pragma", "else", "/* ", "\"", "do", "case",
        "int a = {{};", "[[", "__attribute__((", "_mm256_add_ps(a", "for (;;) } {", "struct {"})
    for (const TextPiece &piece : piecesOf(text))
      EXPECT_LE(piece.end, std::string(text).size()) << text;
  // Cut anywhere, the text stays cuttable, and every piece is within it.
  for (std::size_t size = 0; size <= kScale.size(); ++size) {
    const std::string text = kScale.substr(0, size);
    for (const TextPiece &piece : piecesOf(text)) {
      ASSERT_LT(piece.begin, piece.end);
      ASSERT_LE(piece.end, text.size());
      ASSERT_LT(withoutPieces(text, std::vector{piece}).size(), text.size()) << piece.shown;
    }
  }
}

TEST(Pieces, CallsThatPlainCodeStandsFor) {
  const std::string text = "void f() {\n  x = _mm256_and_si256(a, _mm256_add_ps(b + c, d));\n"
                           "  y = 2 * _mm_or_si128(a, b);\n  p = std::assume_aligned<64>(q);\n"
                           "  q = __builtin_assume_aligned(r + 1, 64);\n}\n";
  std::string plain = text;
  for (std::size_t depth = 0; depth < 2; ++depth)
    plain = withoutPieces(plain, piecesAt(plain, PieceKind::Call, depth == 0 ? 1 : 0));
  EXPECT_EQ(plain, "void f() {\n  x = a & ((b + c) + d);\n  y = 2 * (a | b);\n  p = std::assume_aligned<64>(q);\n"
                   "  q = (r + 1);\n}\n");
  EXPECT_EQ(plainCall("_mm256_castps_si256", {"x"})->text, "x");
  EXPECT_FALSE(plainCall("_mm256_castps_si256", {"x"})->isSame);
  EXPECT_TRUE(plainCall("_mm512_xor_si512", {"x", "f(y)"})->isSame);
  EXPECT_FALSE(plainCall("_mm256_mul_ps", {"x", "y"})->isSame); // plain products may be fused with a sum
  EXPECT_FALSE(plainCall("memcpy", {"x", "y", "z"}));
  EXPECT_FALSE(plainCall("_mm256_setzero_ps", {""}));
}

} // namespace
} // namespace agentic
