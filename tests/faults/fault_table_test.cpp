// Tests that the table of faults still fits the sources: takes milliseconds, where faults_test needs minutes.
#include "tests/faults/fault_table.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

std::size_t countOf(const std::string &text, const std::string &part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(FaultTable, HasAtLeastTwentyFiveRows) {
  EXPECT_GE(faults().size(), 25u);
}

TEST(FaultTable, EachTextStandsExactlyOnceInItsFile) {
  for (const Fault &fault : faults())
    EXPECT_EQ(countOf(contentOf(fs::path(FAULTS_ROOT) / fault.file), fault.from), 1u)
        << fault.name << ": " << fault.file << " must hold once: " << fault.from;
}

TEST(FaultTable, EachNamedTestIsThere) {
  for (const Fault &fault : faults())
    EXPECT_TRUE(fs::exists(fs::path(FAULTS_BIN) / fault.test)) << fault.name << ": no test " << fault.test;
}

} // namespace
} // namespace agentic
