#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

TEST(InlineAsm, FindsEveryForm) {
  Unit unit;
  unit.mocks = "#define BARRIER() __asm__ volatile(\"\" ::: \"memory\")";
  expectFindings(R"cpp(asm("nop");
namespace {
void statement() { asm volatile("nop"); }
void gnu() { __asm__("nop"); }
int labelled(int) asm("other");
template <class T> void generic() { asm("nop"); }
void macro() { BARRIER(); }
void mention() { const char *asmText = "asm volatile"; (void)asmText; /* asm("nop") */ }
}
)cpp",
                 {{"inline-asm", 1},
                  {"inline-asm", 3},
                  {"inline-asm", 4},
                  {"inline-asm", 5},
                  {"inline-asm", 6},
                  {"inline-asm", 7}},
                 unit);
}

TEST(InlineAsm, MacroOfOwnTextUsedElsewhere) {
  // The candidate's macro would reach the tool's text after it: the definition is rejected, whatever it holds.
  expectFindings("#define agentic_kernel_other asm\n", {{"directives", 1}});
}

} // namespace
} // namespace agentic::checks
