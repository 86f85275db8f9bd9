// Tests what is read from sanitizers' logs, and which part of it is shown.
#include "tool/evaluate/instruments/sanitize_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

/// Returns the first report.
SanitizerReport parseSanitizerReport(std::string_view log, std::string_view sharedObject) {
  const std::vector<SanitizerReport> reports = parseSanitizerReports(log, sharedObject);
  return reports.empty() ? SanitizerReport() : reports.front();
}

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(SanitizeReport, UndefinedBehaviour) {
  const SanitizerReport report = parseSanitizerReport(
      "/private/a/unit.cpp:23:14: runtime error: signed integer overflow: 2147483647 + -17 cannot be represented in "
      "type 'int'\nSUMMARY: UndefinedBehaviorSanitizer: undefined-behavior /private/a/unit.cpp:23:14 in \n",
      "candidate.so");
  EXPECT_EQ(report.summary, "signed integer overflow: ? + ? cannot be represented in type 'int'");
  EXPECT_EQ(report.file, "unit.cpp");
  EXPECT_EQ(report.line, 23u);
  EXPECT_EQ(report.column, 14u);
  EXPECT_THAT(report.frames, IsEmpty());
}

TEST(SanitizeReport, ValuesAreLeftOutAndSizesOfTypesAreNot) {
  const auto summary = [](const std::string &message) {
    return parseSanitizerReport("u.cpp:1:2: runtime error: " + message + "\n", "c.so").summary;
  };
  EXPECT_EQ(summary("shift exponent 40 is too large for 32-bit type 'int'"),
            "shift exponent ? is too large for 32-bit type 'int'");
  EXPECT_EQ(summary("index -17 out of bounds for type 'int [16]'"), "index ? out of bounds for type 'int [16]'");
  EXPECT_EQ(summary("load of misaligned address 0x7ffd5 for type 'int', which requires 4 byte alignment"),
            "load of misaligned address ? for type 'int', which requires 4 byte alignment");
  EXPECT_EQ(summary("-1.5e+20 is outside the range of representable values of type 'int'"),
            "? is outside the range of representable values of type 'int'");
  EXPECT_LE(summary(std::string(5000, 'x')).size(), 200u);
  EXPECT_THAT(summary("a\x1b[31m red"), Not(HasSubstr("\x1b")));
}

TEST(SanitizeReport, MemoryErrors) {
  const SanitizerReport report = parseSanitizerReport(
      "=================================================================\n"
      "==7==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7f12 at pc 0x55 bp 0x7f sp 0x7e\n"
      "READ of size 4 at 0x7f12 thread T0\n"
      "    #0 0x7f0000001234  (/usr/lib/libasan.so.8+0x5f3c)\n"
      "    #1 0x7f0000001234  (/tmp/x y/candidate.so+0x1234) (BuildId: 17)\n"
      "    #2 0x7f0000005678  (/tmp/x y/candidate.so+0xabcd)\n"
      "\n"
      "Address 0x7f12 is located in stack of thread T0 at offset 96 in frame\n"
      "    #0 0x7f0000001200  (/tmp/x y/candidate.so+0x9999)\n",
      "candidate.so");
  EXPECT_EQ(report.summary, "stack-buffer-overflow (a read)");
  EXPECT_THAT(report.frames, ElementsAre(0x1234u, 0xabcdu));
  EXPECT_THAT(report.file, IsEmpty());
}

TEST(SanitizeReport, UnsetValues) {
  const SanitizerReport report = parseSanitizerReport("==7==WARNING: MemorySanitizer: use-of-uninitialized-value\n"
                                                      "    #0 0x7f0000001234  (/tmp/x y/candidate.so+0x1234)\n"
                                                      "    #1 0x7f0000005678  (/tmp/x y/glue.so+0xabcd)\n"
                                                      "\n"
                                                      "SUMMARY: MemorySanitizer: use-of-uninitialized-value\n",
                                                      "candidate.so");
  EXPECT_EQ(report.summary, "use-of-uninitialized-value");
  EXPECT_THAT(report.frames, ElementsAre(0x1234u));
  EXPECT_EQ(parseSanitizerReport("==7==ERROR: MemorySanitizer: SEGV on unknown address 0x12\n", "c.so").summary,
            "SEGV");
}

TEST(SanitizeReport, SeveralInOneLog) {
  const auto reports = parseSanitizerReports("a.cpp:1:2: runtime error: x\n\nb.cpp:3:4: runtime error: y\n"
                                             "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n",
                                             "c.so");
  ASSERT_EQ(reports.size(), 3u);
  EXPECT_EQ(reports[1].file, "b.cpp");
  EXPECT_EQ(reports[2].summary, "heap-use-after-free");
}

TEST(SanitizeReport, OfWhatIsNone) {
  for (const std::string log :
       {"", "\n\n", "ERROR: AddressSanitizer", "#0 (/candidate.so+0x1)\n", ": runtime error", "=="})
    EXPECT_THAT(parseSanitizerReport(log, "candidate.so").summary, IsEmpty()) << log;
  EXPECT_EQ(parseSanitizerReport(": runtime error: x", "candidate.so").line, 0u);
}

TEST(SanitizeReport, Groups) {
  EXPECT_EQ(sanitizerGroup("signed integer overflow: ? + ? cannot be represented in type 'int'"),
            "signed-integer-overflow");
  EXPECT_EQ(sanitizerGroup("left shift of ? by ? places cannot be represented in type 'int'"), "shift");
  EXPECT_EQ(sanitizerGroup("load of null pointer of type 'int'"), "null");
  EXPECT_EQ(sanitizerGroup("null pointer passed as argument ?, which is declared to never be null"),
            "nonnull-attribute");
  EXPECT_EQ(sanitizerGroup("applying non-zero offset ? to null pointer"), "pointer-overflow");
  EXPECT_EQ(sanitizerGroup("stack-buffer-overflow (a read)"), "");
}

} // namespace
} // namespace agentic
