#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kHead = "long f(const int *in, const int *end, int *out, const unsigned char *s, size_t n, int m, "
                          "unsigned u) {\n";

KernelSpec specOf(const std::string &body) {
  return kernelSpec(kHead + body + "\n}\n",
                    {"void g();\nvoid h(int *&);\nextern int shared;\n"
                     "namespace std { template <class T> struct vector { T *p; size_t n; T &operator[](size_t at) { "
                     "return p[at]; } size_t size() const { return n; } void push_back(T); }; }\n"});
}
/// Returns the body after a recipe, or the error.
std::string written(const std::string &body, const std::string &recipe) {
  const std::string text = transformedBy(specOf(body), recipe);
  const std::string last = "unsigned u) {\n";
  const auto begin = text.find(last);
  return begin == std::string::npos ? text : text.substr(begin + last.size());
}
std::string why(const std::string &body, const std::string &loop) {
  return refusalOf(specOf(body + "\nreturn 0;"), "normalise", loop);
}

TEST(Normalise, TextOfPointersThatAreReadLater) {
  EXPECT_EQ(transformedBy(specOf("long sum = 0;\nwhile (n >= 4) {\n  sum += in[0] + in[3];\n  in += 4;\n  n -= 4;\n}\n"
                                 "while (n--)\n  sum += *in++;\nreturn sum;"),
                          "normalise(n); normalise(n)"),
            R"(// Moves: normalise(n); normalise(n).
// The loop 'n' counts its rounds: what walked through memory is a subscript,
// with the same values.
long f(const int *in, const int *end, int *out, const unsigned char *s,
       size_t n, int m, unsigned u) {
  long sum = 0;
  const unsigned long rounds = n / 4;
  for (unsigned long i = 0; i < rounds; ++i) {
    sum += in[i * 4] + in[i * 4 + 3];
  }
  in += rounds * 4;
  n = n - rounds * 4;

  const unsigned long rounds_2 = n;
  for (unsigned long i_2 = 0; i_2 < rounds_2; ++i_2)
    sum += in[i_2];
  return sum;
}
)");
}

TEST(Normalise, WindowsThatMoveOverAnArray) {
  const std::string use = " out[i] = in[i] + s[i];", leave = " { if (in[i] == 3) return i; }";
  EXPECT_THAT(written("for (size_t i = 0; i + n / 2 <= n; ++i)" + use + "\nreturn 0;", "normalise(i)"),
              HasSubstr("static_cast<unsigned long>(n >= (n / 2)) * (n - (n / 2) + 1);"));
  EXPECT_THAT(written("for (size_t i = 0; n > u + i; ++i)" + leave + "\nreturn 0;", "normalise(i)"),
              HasSubstr("rounds = static_cast<unsigned long>(n > u) * (n - u);"));
  EXPECT_THAT(written("for (int i = 0; i + m < 40; ++i)" + leave + "\nreturn 0;", "normalise(i)"),
              HasSubstr("rounds = static_cast<long>(40) - m;"));
  EXPECT_THAT(written("unsigned i = 0; for (; i + u <= 40u; ++i)" + use + "\nreturn i;", "normalise(loop)"),
              HasSubstr("(static_cast<unsigned long>(40u) - u + 1);"));
  EXPECT_THAT(written("int i = 0; for (; i + m <= 40; ++i)" + use + "\nreturn i;", "normalise(loop)"),
              HasSubstr(" > 0 ? "));
  EXPECT_THAT(why("for (size_t i = 1; i + u <= n; ++i)" + use, "i"), HasSubstr("'u' is added to 'i' in the condition"));
  EXPECT_THAT(why("for (size_t i = 0; i + m <= n; ++i)" + use, "i"), HasSubstr("'m' is added to 'i' in the condition"));
  EXPECT_THAT(why("for (size_t i = 0; i + u <= n; i += 2)" + use, "i"), HasSubstr("'u' is added to 'i'"));
  EXPECT_THAT(why("for (size_t i = 0; i + u != n; ++i)" + use, "i"), HasSubstr("'u' is added to 'i'"));
  EXPECT_THAT(why("for (size_t i = 0; i + u <= n; ++i) { out[i] = 1; ++u; }", "i"),
              HasSubstr("which the loop changes"));
  EXPECT_THAT(why("for (size_t i = 0; i + *in <= n; ++i)" + use, "i"), HasSubstr("reads memory"));
  EXPECT_THAT(why("for (unsigned i = 0; i + u <= 40u; ++i)" + leave, "i"), HasSubstr("may wrap around before"));
}

TEST(Normalise, BreaksSayHowManyRoundsAreDone) {
  EXPECT_EQ(written("int i;\nfor (i = 0; i < m; i++)\n  if (in[i] == 3)\n    break;\nreturn i;", "normalise(loop)"),
            R"(  int i;
  i = 0;
  const int rounds = m > 0 ? m : 0;
  int done = rounds;
  for (int i_2 = 0; i_2 < rounds; ++i_2)
    if (in[i_2] == 3) {
      done = i_2;
      break;
    }
  i = i + done;

  return i;
}
)");
  EXPECT_THAT(written("while (in != end) { if (*in == m) break; ++in; }\nreturn *in;", "normalise(in)"),
              HasSubstr("if (in[i] == m) {\n      done = i;\n      break;\n    }"));
  EXPECT_THAT(written("for (size_t k = 0; k < n; ++k) { if (in[0] > m) break; in += 2; }\nreturn *in;", "normalise(k)"),
              HasSubstr("in += done * 2;"));
}

TEST(Normalise, WhatElseATestDemandsLeavesEarlier) {
  EXPECT_EQ(written("size_t i = 0;\nwhile (i < n && in[i] != 3 && s[i])\n  ++i;\nreturn i;", "normalise(i)"),
            R"(  size_t i = 0;
  const unsigned long rounds = n;
  unsigned long done = rounds;
  for (unsigned long i_2 = 0; i_2 < rounds; ++i_2) {
    if (!(in[i_2] != 3)) {
      done = i_2;
      break;
    }
    if (!(s[i_2])) {
      done = i_2;
      break;
    }
  }
  i = i + done;

  return i;
}
)");
  EXPECT_THAT(
      written("long sum = 0;\nfor (int i = 0; i < m && in[i] > 0; ++i)\n  sum += in[i];\nreturn sum;", "normalise(i)"),
      HasSubstr("if (!(in[i] > 0))\n      break;\n    sum += in[i];"));
  EXPECT_THAT(why("for (int i = 0; i < m && in[i] > 0; ++i)\n  out[i] = in[i];", "i"), HasSubstr("writes memory"));
  EXPECT_THAT(
      why("int steps = 0;\nfor (int k = 0; k < m; ++k) { if (in[k] > 9) break; ++steps; }\nout[0] = steps;", "k"),
      HasSubstr("'steps' only counts in the loop 'k'"));
  EXPECT_THAT(why("while (n-- && *in) ++in;\nout[0] = *in;\nout[1] = n;", "n"), HasSubstr("has stepped where"));
}

TEST(Normalise, WindowsHaveAConstantNumberOfRounds) {
  const auto window = [](const std::string &head, const std::string &outer = "size_t y = 1; y < n; ++y") {
    return written("long sum = 0;\nfor (" + outer + ")\n  for (" + head + ")\n    sum += in[i];\nreturn sum;",
                   "normalise(i)");
  };
  EXPECT_THAT(window("size_t i = y - 1; i <= y + 1; ++i"), HasSubstr("for (unsigned long i_2 = 0; i_2 < 3; ++i_2)"));
  EXPECT_THAT(window("size_t i = y - 1; i <= y + 1; ++i"), HasSubstr("sum += in[(y - 1) + i_2];"));
  EXPECT_THAT(window("size_t i = y - 1; i <= y + 2; ++i"), HasSubstr("? ")) << "y + 2 may wrap around";
  EXPECT_THAT(window("size_t i = y - 2; i <= y + 1; ++i"), HasSubstr("? ")) << "y - 2 may wrap around";
  EXPECT_THAT(window("size_t i = y - 1; i <= y + 1; ++i", "size_t y = 0; y < n; ++y"), HasSubstr("? "));
  EXPECT_THAT(window("size_t i = y - 1; i <= n - 1; ++i"), HasSubstr("? "));
}

TEST(Normalise, NumbersThatCountDown) {
  EXPECT_THAT(written("while (n--)\n  *out++ = *in++ * 2;\nreturn 0;", "normalise(n)"),
              HasSubstr("for (unsigned long i = 0; i < n; ++i)\n    out[i] = in[i] * 2;"));
  EXPECT_THAT(written("while (m-- > 0) out[m] = 1;\nreturn 0;", "normalise(m)"),
              HasSubstr("for (int i = 0; i < m; ++i)\n    out[m - i - 1] = 1;"));
  EXPECT_THAT(written("do { *out++ = s[0] ^ s[1]; s += 2; } while (--u);\nreturn 0;", "normalise(u)"),
              HasSubstr("out[i] = s[i * 2] ^ s[i * 2 + 1];"));
  EXPECT_THAT(written("for (;;) { if (m <= 0) break; *--out = *in++; m -= 3; }\nreturn m;", "normalise(loop)"),
              HasSubstr("const int rounds = m >= 1 ? (m - 1) / 3 + 1 : 0;"));
  EXPECT_THAT(written("for (;;) { *--out = *in++; m -= 3; if (m < 3) break; }\nreturn 0;", "normalise(loop)"),
              HasSubstr("+ 1;\n")); // the first round is not tested
}

TEST(Normalise, IndicesWithOtherSteps) {
  EXPECT_THAT(written("for (int i = 0; i < m - 3; i += 4) { out[i] = in[i]; out[i + 3] = in[i + 3] * i; }\nreturn 0;",
                      "normalise(i)"),
              HasSubstr("const int rounds = m / 4;\n  for (int i = 0; i < rounds; ++i) {\n    out[i * 4] = in[i * 4];\n"
                        "    out[i * 4 + 3] = in[i * 4 + 3] * (i * 4);"));
  EXPECT_THAT(written("for (unsigned i = 0; i < u; i += 2) out[i] = in[i + 1] + i;\nreturn 0;", "normalise(i)"),
              HasSubstr("const unsigned long rounds = u / 2 + (u % 2 != 0);\n  for (unsigned long i = 0; i < rounds; "
                        "++i)\n    out[i * 2] = in[i * 2 + 1] + static_cast<unsigned int>(i * 2);"));
  EXPECT_THAT(written("for (int i = m; i >= 0; i--) out[i] = in[i];\nreturn 0;", "normalise(i)"),
              HasSubstr("const int rounds = i + 1;"));
}

TEST(Normalise, NoMemoryHasTheElementsUntilAnIndexWraps) {
  EXPECT_THAT(
      written("for (size_t i = 0; i + 4 <= n; i += 4) { if (s[i] == 0) return 1; *out++ = s[i + 3]; }\nreturn 0;",
              "normalise(i)"),
      HasSubstr("const unsigned long rounds = n / 4;\n  for (unsigned long i = 0; i < rounds; ++i) {\n    if (s[i "
                "* 4] == 0)\n      return 1;\n    out[i] = s[i * 4 + 3];"));
  EXPECT_THAT(why("for (size_t i = 0; i + 4 <= n; i += 4) if (m && s[i]) return 1;", "i"),
              HasSubstr("'i' may wrap around"))
      << "it need not read anything";
  EXPECT_THAT(why("for (size_t i = 0; i + 4 <= n; i += 4) if (s[i / 2]) return 1;", "i"),
              HasSubstr("'i' may wrap around"));
  EXPECT_THAT(why("for (unsigned i = 0; i + 4 <= u; i += 4) if (s[i]) return 1;", "i"),
              HasSubstr("'i' may wrap around"));
}

TEST(Normalise, IndicesOfAnotherWidth) {
  EXPECT_THAT(written("for (unsigned i = 0; i < n; ++i) out[i] = in[i] + i;\nreturn 0;", "normalise(i)"),
              HasSubstr("for (unsigned long i = 0; i < n; ++i)\n    out[i] = in[i] + static_cast<unsigned int>(i);"));
  EXPECT_THAT(written("for (unsigned char c = 0; c < m; c++) out[c] = in[c];\nreturn 0;", "normalise(c)"),
              HasSubstr("for (int c = 0; c < m; ++c)\n    out[c] = in[c];"));
  EXPECT_THAT(
      written("std::vector<int> v{}; for (unsigned i = 0; i < v.size(); ++i) v[i] = 3;\nreturn 0;", "normalise(i)"),
      HasSubstr("const unsigned long rounds = (v.size());"));
}

TEST(Normalise, PointersThatMeetTheirBound) {
  EXPECT_THAT(written("while (in != end) { *out++ = in[0] + in[1]; in += 2; }\nreturn 0;", "normalise(in)"),
              HasSubstr("const long rounds = (end - in) / 2;"));
  EXPECT_THAT(
      written("while (end - in >= 4) { out[0] = in[3]; in += 4, out++; }\nreturn 0;", "normalise(in)"),
      HasSubstr("const long rounds = (end - in) / 4;\n  for (long i = 0; i < rounds; ++i) {\n    out[i] = in[i * "
                "4 + 3];\n  }"));
  EXPECT_THAT(written("for (const int *p = in; p != end; ++p) if (*p == m) return p - in;\nreturn -1;", "normalise(p)"),
              HasSubstr("return (p + i) - in;"));
}

TEST(Normalise, OtherThingsWalkWhereTheHeaderCounts) {
  EXPECT_THAT(
      written("for (size_t i = 1; i < n; ++i) { *out++ = in[0]; in += 3; }\nreturn *out;", "normalise(i)"),
      HasSubstr("    out[static_cast<long>(i) - 1] = in[static_cast<long>(i) * 3 - 3];\n  }\n  out += rounds;"));
}

TEST(Normalise, AVariableOfAnOuterHeaderLivesOn) {
  const std::string text =
      written("for (size_t i = 0; i < n;) { const size_t last = i + 40 < n ? i + 40 : n; for (; i < "
              "last; i += 2) out[i] = in[i]; }\nreturn 0;",
              "normalise(loop)");
  EXPECT_THAT(text, HasSubstr("out[i + i_2 * 2] = in[i + i_2 * 2];")) << "it does not begin at 0 each time";
  EXPECT_THAT(text, HasSubstr("i = i + rounds * 2;"));
}

TEST(Normalise, SubscriptsOfUnknownSignAreSigned) {
  EXPECT_THAT(written("while (n--) { *out++ = in[m]; in += 2; }\nreturn 0;", "normalise(n)"),
              HasSubstr("out[i] = (in + i * 2)[m];"));
  EXPECT_THAT(written("while (n--) { *out++ = in[-1]; in += 2; }\nreturn 0;", "normalise(n)"),
              HasSubstr("out[i] = in[static_cast<long>(i) * 2 - 1];"));
}

TEST(Normalise, NamesOfTheBodyAreNotTaken) {
  EXPECT_THAT(written("for (int i = 0; i < m; i += 2) { for (int i = 0; i < 3; ++i) *out = i; ++out; }\nreturn 0;",
                      "normalise(i)"),
              HasSubstr("for (int i_2 = 0; i_2 < rounds; ++i_2)"));
  EXPECT_THAT(why("for (int i = 0; i < m; ++i) { for (int i = 0; i < 3; ++i) *out = i; ++out; }", "i"),
              HasSubstr("'i' is the name of another variable"));
}

TEST(Normalise, IsNotMadeTwice) {
  const std::string loop = "while (n--) *out++ = *in++ * 2;\nreturn 0;";
  EXPECT_THAT(written(loop, "normalise(n); normalise(i)"), HasSubstr("there is no loop 'i' whose variables walk"));
  EXPECT_THAT(written(loop, "normalise(n); normalise(n)"), HasSubstr("there is no loop 'n' whose variables walk"));
  EXPECT_EQ(why("for (size_t i = 0; i < n; ++i) out[i] = in[i];", "i"), "not mentioned");
}

TEST(Normalise, OtherMovesFollow) {
  EXPECT_THAT(
      written("unsigned sum = 0;\nwhile (n--) sum += *s++;\nreturn sum;", "normalise(n); split-reduction(i, lanes=4)"),
      Not(HasSubstr("does not apply")));
  EXPECT_EQ(refusalOf(specOf("while (n--) *out++ = *in++;\nreturn 0;"), "normalise", "n"), "offered");
}

/// Returns the verdict on a move after every loop of the body was normalised.
std::string verdictAfter(const std::string &body, const std::string &forming, const std::string &move,
                         const std::string &target, const Contract &contract = {}) {
  KernelSpec spec = specOf(body + "\nreturn 0;");
  spec.contract = contract;
  const auto transformer = Transformer::create(spec, {});
  const Result<Recipe> recipe = forming.empty() ? Recipe() : parseRecipe(forming);
  EXPECT_TRUE(transformer && recipe);
  const auto offers = (*transformer)->offers(*recipe);
  if (!offers)
    return "error: " + offers.error().message;
  for (const MoveOffer &offer : *offers)
    if (offer.move == move && offer.target == target)
      return "offered";
  for (const MoveRefusal &refusal : (*transformer)->refusals())
    if (refusal.move == move && refusal.target == target)
      return refusal.reason;
  return "not mentioned";
}

/// What strip-mine says of an innermost loop whose iterations are independent of each other.
const auto kIsIndependent = HasSubstr("has no loop inside that could go outside of its lanes");

const std::string kCopyAndGoOn = "while (n >= 4) {\n  out[0] = in[3];\n  out += 4, in += 4;\n  n -= 4;\n}\n"
                                 "while (n--)\n  *out++ = *in++;\n";

TEST(Normalise, PointersThatLiveOnKeepTheirArray) {
  const std::string both = "normalise(n); normalise(n)";
  for (const char *loop : {"i", "i_2"})
    EXPECT_THAT(verdictAfter(kCopyAndGoOn, both, "strip-mine", loop), kIsIndependent) << loop;
  Contract overlap;
  overlap.mayAlias = {{"in", "out"}};
  EXPECT_THAT(verdictAfter(kCopyAndGoOn, both, "strip-mine", "i", overlap), HasSubstr("may be the same memory"))
      << "the roots are what may overlap";
  EXPECT_THAT(verdictAfter("const int *p = &in[m]; for (int k = 0; k < 3; ++k) { for (int i = 0; i < m; ++i) "
                           "{ *out++ = *p++; } p += m; }",
                           "normalise(i)", "strip-mine", "i"),
              kIsIndependent);
}

TEST(Normalise, IndicesThatLiveOnAreTheSameWhileALoopRuns) {
  const std::string two = "size_t k = 0; while (k < 40) { out[k] = in[k + 3]; k += 4; }\n"
                          "for (; k < n; ++k) out[k] = in[k];\nout[0] = static_cast<int>(k);";
  for (const char *loop : {"i", "i_2"})
    EXPECT_THAT(verdictAfter(two, "normalise(k); normalise(loop)", "strip-mine", loop), kIsIndependent) << loop;
  const std::string rows =
      "int at = 0; for (int k = 0; k < 9; ++k) { for (int i = 0; i < m; ++i) out[at + i] = in[i]; ";
  EXPECT_THAT(verdictAfter(rows + "at += m; }", "", "strip-mine", "i"), kIsIndependent);
  EXPECT_THAT(verdictAfter(rows + "at += m; }", "", "strip-mine", "k"), HasSubstr("'at' carries a value"));
  EXPECT_THAT(
      verdictAfter("int at = 0; for (int i = 0; i < m; ++i) { out[at] = in[i]; at += 1; }", "", "strip-mine", "i"),
      HasSubstr("'at' carries a value"));
}

TEST(Normalise, PointersIntoOneArrayMayMeet) {
  const std::string loop = "while (n--) { *p++ = *q++; }\nout[0] = *p + *q;";
  EXPECT_THAT(verdictAfter("int *p = out, *q = out + m;\n" + loop, "normalise(n)", "strip-mine", "i"),
              HasSubstr("may be an element that another iteration"))
      << "both come from 'out'";
  EXPECT_THAT(verdictAfter("int *p = out; const int *q = in;\n" + loop, "normalise(n)", "strip-mine", "i"),
              kIsIndependent);
  for (const char *from : {"m > 3 ? in : out", "shared > 3 ? q : in", "reinterpret_cast<const int *>(s)"})
    EXPECT_THAT(verdictAfter("const int *q = out;\nq = " + std::string(from) + "; int *p = out;\n" + loop,
                             "normalise(n)", "strip-mine", "i"),
                HasSubstr("may be memory that the loop writes"))
        << from;
}

TEST(Normalise, PointersThatMoveAreNotTheSameEverywhere) {
  const std::string first = "for (int k = 0; k < 40; ++k) {\n", inner = "for (int i = 0; i < m; ++i) out[i] = in[i];\n";
  EXPECT_THAT(verdictAfter(first + inner + "++out; }", "", "strip-mine", "k"),
              HasSubstr("'out' carries a value from one iteration of 'k' to the next"));
  EXPECT_THAT(verdictAfter(first + inner + "++out; }", "", "strip-mine", "i"), kIsIndependent);
  EXPECT_THAT(
      verdictAfter(first + "int *p = out + in[k];\nfor (int i = 0; i < m; ++i) p[i] = i; }", "", "strip-mine", "k"),
      HasSubstr("the subscript of 'p[i]' is not a sum"))
      << "where 'p' begins hangs on 'k'";
  EXPECT_THAT(
      verdictAfter(first + "int *p = out + in[k];\nfor (int i = 0; i < m; ++i) p[i] = i; }", "", "strip-mine", "i"),
      kIsIndependent);
}

TEST(Normalise, LoopsOfANestBeginAtZero) {
  const std::string nest =
      "for (int y = 1; y < m - 1; ++y)\n  for (int x = 1; x < m - 1; ++x)\n    out[y * m + x] = in[y * "
      "m + x - 1] + in[y * m + x + 1];\nreturn 0;";
  EXPECT_EQ(why(nest, "y"), "offered");
  EXPECT_EQ(why(nest, "x"), "offered");
  const std::string text = written(nest, "normalise(y); normalise(x); unroll-and-jam(y, rows=4)");
  EXPECT_THAT(text, HasSubstr("const int rounds = (m - 1) >= 2 ? (m - 1) - 1 : 0;"));
  EXPECT_THAT(text, HasSubstr("kBlockY = 4;"));
  EXPECT_EQ(why("for (int i = 1; i < m; ++i)\n  out[i] = in[i - 1];", "i"), "not mentioned"); // it is no nest
}

TEST(Normalise, Refusals) {
  EXPECT_THAT(why("while (n) { if (*in > 3) n -= 1; ++in; }", "n"),
              HasSubstr("no comparison of a variable that steps"));
  EXPECT_THAT(why("while (in < end) { in += m; }", "in"), HasSubstr("no variable in the condition 'in < end'"));
  EXPECT_THAT(why("for (int i = 0; i < m; i += 2) { out[i] = 1; --m; }", "i"),
              HasSubstr("the bound 'm' of the loop 'i' holds 'm', which the loop changes"));
  EXPECT_THAT(why("for (int i = 0; i < *s; i += 2) out[i] = 1;", "i"), HasSubstr("reads memory or calls a function"));
  EXPECT_THAT(why("for (int i = 0; i < shared; i += 2) out[i] = 1;", "i"),
              HasSubstr("'shared', which may change unseen"));
  EXPECT_THAT(why("for (unsigned i = 0; i < u; i += 3) out[i] = 1;", "i"), HasSubstr("'i' may wrap around"));
  EXPECT_THAT(why("for (unsigned i = 0; i < u; i += 4) if (in[i]) return 1;", "i"), HasSubstr("'i' may wrap around"));
  EXPECT_THAT(why("for (unsigned i = 0; i < n; ++i) g();", "i"), HasSubstr("'i' may wrap around"));
  EXPECT_THAT(why("while (in != end) { if (*in == m) return 1; in += 2; }", "in"), HasSubstr("without meeting it"));
  EXPECT_THAT(why("while (n--) { if (*in++ == m) break; }\nout[0] = *in;", "n"),
              HasSubstr("'in' is read after the loop 'n', and has stepped where a 'break' leaves it"));
  EXPECT_THAT(why("do { if (*in++ == m) return 1; } while (--n);", "n"), HasSubstr("'n' may be 0 before the loop 'n'"));
  EXPECT_THAT(why("for (int i = 0; i > m; i += 2) out[i] = 1;", "i"), HasSubstr("'i' steps away from its bound"));
  EXPECT_THAT(why("while (n--) {\n#define X\n*out++ = 1; }", "n"), HasSubstr("preprocessor directives"));
  EXPECT_THAT(why("while (n--) { *out++ = 1; if (m) goto done; }\ndone:", "n"),
              HasSubstr("a statement that is not understood (GotoStmt)"));
  EXPECT_THAT(why("for (int i = m; i < m + 9; g(), i += 2) out[i] = 1;", "i"), HasSubstr("does more than step"));
}

} // namespace
} // namespace agentic
