#include "tests/ast-checks/expect_findings.h"

#include <gtest/gtest.h>

namespace agentic::checks {
namespace {

const std::string kNarrowCounters = "narrow-counters";

Unit wide() {
  Unit unit;
  unit.baseline = "uint64_t f(const uint64_t *p, size_t n) { uint64_t s = 0; for (size_t i = 0; i < n; ++i) s += p[i]; "
                  "return s; }";
  return unit;
}
std::string code(const std::string &body) {
  return "#include <cstddef>\n#include <cstdint>\nnamespace { std::uint64_t f(const std::uint64_t *p, std::size_t n) "
         "{\n" +
         body + "\n} }\n";
}

TEST(NarrowCounters, NotesIndicesAndSums) {
  expectNotes(code("std::uint64_t s = 0;\nfor (std::uint32_t i = 0; i < n; ++i)\n  s += p[i];\nreturn s;"),
              {{kNarrowCounters, 5}}, wide());
  expectNotes(code("std::uint32_t s = 0;\nfor (std::size_t i = 0; i < n; ++i)\n  s += p[i] & 1;\nreturn s;"),
              {{kNarrowCounters, 7}}, wide());
  expectNotes(code("unsigned s = 0;\nfor (std::size_t i = 0; n > i; ++i)\n  if (p[i])\n    s++;\n"
                   "return std::uint64_t(s);"),
              {{kNarrowCounters, 8}}, wide());
}

TEST(NarrowCounters, BlocksAndConstantsAreNotNoted) {
  for (const char *body : {
           "std::uint64_t s = 0; for (std::size_t i = 0; i < n; ++i) { std::uint32_t c = 0;\n"
           "for (int k = 0; k < 8; ++k) c += (p[i] >> k) & 1;\ns += c; } return s;",
           "std::uint64_t s = 0; std::uint32_t c = 0; for (std::size_t i = 0; i < n; ++i) { c = 0;\n"
           "for (int k = 0; k < 8; ++k) c += (p[i] >> k) & 1;\ns += c; } return s;",
           "std::uint64_t s = 0; for (std::size_t i = 0; i < n; ++i) s += p[i]; return s;",
       })
    expectNotes(code(body), {}, wide());
}

TEST(NarrowCounters, ABaselineThatCountsInIntMakesItLegal) {
  Unit unit;
  unit.baseline = "uint64_t f(const uint64_t *p, size_t n) { unsigned s = 0; for (size_t i = 0; i < n; ++i) s += p[i]; "
                  "return s; }";
  const std::string narrow = code("unsigned s = 0; for (std::size_t i = 0; i < n; ++i) s += p[i] & 1; return s;");
  expectNotes(narrow, {}, unit);
  expectNotes(narrow, {}); // without a baseline nothing can be compared
}

} // namespace
} // namespace agentic::checks
