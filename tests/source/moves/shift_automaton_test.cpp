#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

const std::string kTables = R"(
constexpr unsigned char kClass[256] = {0, 1, 2};
constexpr unsigned char kNext[3][3] = {{0, 1, 2}, {1, 2, 0}, {2, 2, 2}};
constexpr int kFlat[] = {0, 12, 24, 12, 24, 0, 24, 24, 24, 0, 0, 0, 0, 12, 24, 12, 12, 12, 12, 12, 12, 12, 12, 12, 0, 24, 24};
constexpr unsigned short kMany[20] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 19};
constexpr int kSmall[4] = {1, 2, 3, 4};
const unsigned char kPlain[3][3] = {{0, 1, 2}, {1, 2, 0}, {2, 2, 2}};
extern const unsigned char kUnseen[3];
)";

KernelSpec specOf(const std::string &body) {
  return kernelSpec("int f(const unsigned char *s, const signed char *t, const int *w, size_t n, int *out) {\n" + body +
                        "\n}",
                    {kTables});
}
std::string shifted(const std::string &body) {
  return transformedBy(specOf(body), "shift-automaton(i)");
}
std::string verdictOn(const std::string &statement, const std::string &declaration = "int state = 0;") {
  return refusalOf(specOf(declaration + "\nfor (size_t i = 0; i < n; ++i) {\n" + statement + "\n}\nreturn state;"),
                   "shift-automaton", "i");
}

TEST(ShiftAutomaton, Text) {
  EXPECT_EQ(shifted("int state = 0;\nfor (size_t i = 0; i < n; ++i)\n  state = kNext[state][kClass[s[i]]];\nreturn "
                    "state == 1;"),
            R"(// Moves: shift-automaton(i).
// From its start, 'state' reaches 3 states whatever the bytes are: one row of
// 64 bits holds what a byte makes of each of them, and a step waits for a shift
// instead of a load.
int f(const unsigned char *s, const signed char *t, const int *w, size_t n,
      int *out) {
  int state = 0;
  {
    // For every byte, at bit 6 * s: 6 times the state after s.
    static constexpr auto kRows = [] {
      constexpr int kStatesOfState[] = {0, 1, 2};
      struct {
        unsigned long long of[256] = {};
      } rows;
      for (unsigned value = 0; value < 256; ++value)
        for (const int from : kStatesOfState) {
          const auto input = static_cast<unsigned char>(value);
          const int next = kNext[from][kClass[input]];
          rows.of[value] |= 6ull * next << 6ull * from;
        }
      return rows;
    }();
    unsigned long long shift = 6ull * state;
    for (size_t i = 0; i < n; ++i)
      shift = kRows.of[s[i]] >> (shift & 63);
    state = static_cast<int>((shift & 63) / 6);
  }
  return state == 1;
}
)");
}

TEST(ShiftAutomaton, StaysInStepWhereTheStateIsSeen) {
  const std::string step = "shift = kRows.of[s[i]] >> (shift & 63);\n";
  const std::string decoded = "state = static_cast<int>((shift & 63) / 6);\n";
  const auto with = [&](const std::string &statements) {
    return shifted("int state = 0;\nfor (size_t i = 0; i < n; ++i) {\n" + statements + "\n}\nreturn state;");
  };
  for (const char *statements :
       {"state = kNext[state][kClass[s[i]]]; if (state == 2) return -1;",
        "out[i] = state; state = kNext[state][kClass[s[i]]];", "state = kNext[state][kClass[s[i]]]; if (w[i]) break;"})
    EXPECT_THAT(with(statements), HasSubstr(step + "      " + decoded)) << statements;
  EXPECT_THAT(with("state = kNext[state][kClass[s[i]]]; out[i] = 1;"), HasSubstr("}\n    " + decoded));
  EXPECT_THAT(shifted("int state = 0; for (size_t i = 0; i < n && state != 2; ++i) state = kNext[state][kClass[s[i]]]; "
                      "return state;"),
              HasSubstr("{\n      " + step + "      " + decoded));
}

TEST(ShiftAutomaton, GoesThroughConstantsOfTheLoop) {
  const std::string text =
      shifted("int state = 0; for (size_t i = 0; i < n; ++i) { const unsigned char byte = s[i]; const unsigned type = "
              "kClass[byte]; state = kFlat[state + type]; } return state;");
  EXPECT_THAT(text, HasSubstr("const unsigned int type = kClass[input];\n"));
  EXPECT_THAT(text, HasSubstr("const int next = kFlat[from + type];"));
  EXPECT_THAT(text, HasSubstr("constexpr int kStatesOfState[] = {0, 12, 24};"));
  EXPECT_THAT(text, HasSubstr("rows.of[value] |= 6ull * (next / 12) << 6ull * (from / 12);"));
  EXPECT_THAT(text, HasSubstr("const unsigned char byte = s[i];\n      shift = kRows.of[byte] >> (shift & 63);"));
  EXPECT_THAT(text, HasSubstr("(shift & 63) / 6 * 12"));
}

TEST(ShiftAutomaton, SignedBytes) {
  EXPECT_THAT(shifted("int state = 0; for (size_t i = 0; i < n; ++i) state = kNext[state][kClass[t[i] & 255]]; return "
                      "state;"),
              HasSubstr("kRows.of[static_cast<unsigned char>(t[i])]"));
  EXPECT_THAT(verdictOn("state = kNext[state][kClass[t[i]]];"), HasSubstr("is not known for the byte 128"));
}

TEST(ShiftAutomaton, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(verdictOn("state = kNext[state][kClass[s[i]]];"), "offered");
  EXPECT_THAT(verdictOn("state = kNext[state][kClass[s[i]]]; if (s[i] == 7) state = 0;"), HasSubstr("other places"));
  EXPECT_THAT(verdictOn("state = kNext[state][kClass[s[i]]];", "int state = n;"), HasSubstr("starts from"));
  EXPECT_THAT(verdictOn("state = kNext[state][kClass[s[i]]];", "int state = 0; int *p = &state; *p = 2;"),
              HasSubstr("other places"));
  EXPECT_THAT(verdictOn("state = kNext[state][kClass[s[i]]];", "static int state = 0;"), HasSubstr("other places"));
  EXPECT_THAT(verdictOn("state = kNext[state][s[i]];"), HasSubstr("is not known for the byte 3"));
  EXPECT_THAT(verdictOn("state = kNext[state][kClass[s[i]] + kClass[s[i + 1]]];"), HasSubstr("depends on both"));
  EXPECT_THAT(verdictOn("state = kNext[state][w[i] & 1];"), HasSubstr("is no byte of input"));
  EXPECT_THAT(verdictOn("state = kNext[state][m[i]];", "int state = 0; const int *m = w;"),
              HasSubstr("is no byte of input"));
  EXPECT_THAT(verdictOn("state = kMany[state] + (s[i] & 0);"), HasSubstr("more than 10 states"));
  EXPECT_THAT(verdictOn("state = kSmall[state & 3] * 1000 + 1 + (s[i] & 0);"), HasSubstr("not small numbers"));
  EXPECT_THAT(verdictOn("state = -kSmall[(-state) & 1] * (s[i] & 1);"), HasSubstr("not small numbers"));
  EXPECT_THAT(verdictOn("state = kPlain[state][kClass[s[i]]];"), HasSubstr("'kPlain' is not constexpr"));
  EXPECT_THAT(verdictOn("state = kUnseen[state] + (s[i] & 0);"), HasSubstr("no byte of input"));
  EXPECT_THAT(verdictOn("state = kSmall[state] + 2147483647 + (s[i] & 0);"), HasSubstr("is not known"));
  EXPECT_THAT(verdictOn("state = kNext[state][0];"), HasSubstr("does not depend on any input"));
  EXPECT_EQ(verdictOn("state = state * 2 + s[i];"), "not mentioned");
  EXPECT_EQ(verdictOn("state += kNext[state][kClass[s[i]]];"), "not mentioned");
}

TEST(ShiftAutomaton, ReadsNoByteThatWasNotRead) {
  EXPECT_THAT(verdictOn("state = state == 2 ? 2 : kNext[state][kClass[s[i]]];"), HasSubstr("only under a condition"));
  EXPECT_EQ(verdictOn("const unsigned char byte = s[i]; state = state == 2 ? 2 : kNext[state][kClass[byte]];"),
            "offered");
}

TEST(ShiftAutomaton, InputStaysUntilTheStateChanges) {
  const std::string bytes = "int state = 0; unsigned char m[64] = {};", step = "state = kNext[state][c];";
  EXPECT_EQ(verdictOn("const int c = kClass[m[i]]; " + step + " m[i] = 3;", bytes), "offered");
  EXPECT_THAT(verdictOn("const int c = kClass[m[i]]; m[i] = 3; " + step, bytes), HasSubstr("'m[i]' may change"));
  EXPECT_THAT(verdictOn("const int c = kClass[m[i]]; ++i; " + step, bytes), HasSubstr("'m[i]' may change"));
  EXPECT_THAT(verdictOn("unsigned char x = s[i]; const int c = kClass[x]; x = 3; " + step),
              HasSubstr("'x' may change"));
}

TEST(ShiftAutomaton, InputThatTheStateChoosesIsNone) {
  EXPECT_THAT(verdictOn("state = kNext[state][kClass[s[state]]];"), HasSubstr("no byte of input"));
}

} // namespace
} // namespace agentic
