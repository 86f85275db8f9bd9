#include "tool/source/coverage/coverage_ast.h"

#include "tool/base/text.h"
#include "tool/source/parse/kernel_parse.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace agentic {
namespace {

using coverage::Found;
using coverage::Insertion;

/// Plain C++11 without includes, because it comes first in the unit. Byte 0 is for code that does not count. A
/// condition that is not bool (a vector's `!`) stays as it is.
constexpr std::string_view kHead = R"(extern "C" char *agentic_coverage_getenv(const char *) __asm__("getenv");
extern "C" int agentic_coverage_open(const char *, int, ...) __asm__("open");
extern "C" int agentic_coverage_close(int) __asm__("close");
extern "C" void *agentic_coverage_mmap(void *, unsigned long, int, int, int, long) __asm__("mmap");
static unsigned char agentic_coverage_nowhere[@BYTES@];
static unsigned char *agentic_coverage_ran = agentic_coverage_nowhere;
__attribute__((__constructor__)) static void agentic_coverage_begin() {
  const char *file = agentic_coverage_getenv("@VARIABLE@");
  const int descriptor = file ? agentic_coverage_open(file, 2) : -1;
  if (descriptor < 0)
    return;
  void *bytes = agentic_coverage_mmap(nullptr, sizeof agentic_coverage_nowhere, 3, 1, descriptor, 0);
  agentic_coverage_close(descriptor);
  if (bytes != reinterpret_cast<void *>(-1))
    agentic_coverage_ran = static_cast<unsigned char *>(bytes);
}
static inline bool agentic_coverage_set(unsigned place, bool value) {
  agentic_coverage_ran[place] = 1;
  return value;
}
__attribute__((__always_inline__)) static inline constexpr bool agentic_coverage_at(unsigned place) {
  return __builtin_is_constant_evaluated() || agentic_coverage_set(place, true);
}
__attribute__((__always_inline__)) static inline constexpr bool agentic_coverage_if(unsigned yes, unsigned no,
                                                                                    bool value) {
  return __builtin_is_constant_evaluated() ? value : agentic_coverage_set(value ? yes : no, value);
}
template <class V>
__attribute__((__always_inline__)) static inline constexpr const V &agentic_coverage_if(unsigned, unsigned,
                                                                                        const V &value) {
  return value;
}
)";

/// The same for a unit in C, which evaluates no function at compile time.
constexpr std::string_view kHeadC = R"(extern char *agentic_coverage_getenv(const char *) __asm__("getenv");
extern int agentic_coverage_open(const char *, int, ...) __asm__("open");
extern int agentic_coverage_close(int) __asm__("close");
extern void *agentic_coverage_mmap(void *, unsigned long, int, int, int, long) __asm__("mmap");
static unsigned char agentic_coverage_nowhere[@BYTES@];
static unsigned char *agentic_coverage_ran = agentic_coverage_nowhere;
__attribute__((__constructor__)) static void agentic_coverage_begin(void) {
  const char *file = agentic_coverage_getenv("@VARIABLE@");
  const int descriptor = file ? agentic_coverage_open(file, 2) : -1;
  void *bytes;
  if (descriptor < 0)
    return;
  bytes = agentic_coverage_mmap(0, sizeof agentic_coverage_nowhere, 3, 1, descriptor, 0);
  agentic_coverage_close(descriptor);
  if (bytes != (void *)-1)
    agentic_coverage_ran = (unsigned char *)bytes;
}
__attribute__((__always_inline__)) static __inline__ int agentic_coverage_at(unsigned place) {
  agentic_coverage_ran[place] = 1;
  return 1;
}
__attribute__((__always_inline__)) static __inline__ int agentic_coverage_if(unsigned yes, unsigned no, int value) {
  agentic_coverage_ran[value ? yes : no] = 1;
  return value;
}
)";

std::string head(std::size_t places, Language language) {
  const std::string_view text = language == Language::C ? kHeadC : kHead;
  return replaceAll(replaceAll(std::string(text), "@BYTES@", std::to_string(emptyCoverage(places).size())),
                    "@VARIABLE@", kCoverageVariable);
}

/// Orders insertions at one place: closing texts come first, from the innermost on; then opening texts, from the
/// outermost on.
std::string inserted(const std::string &text, std::vector<Insertion> insertions) {
  std::ranges::sort(insertions, [](const Insertion &a, const Insertion &b) {
    return std::tuple(a.at, !a.closes, b.peer) < std::tuple(b.at, !b.closes, a.peer);
  });
  std::string result;
  std::size_t done = 0;
  for (const Insertion &insertion : insertions) {
    result += text.substr(done, insertion.at - done) + insertion.text;
    done = insertion.at;
  }
  return result + text.substr(done);
}

/// Returns one remark for each line.
std::vector<std::string> atLines(const std::vector<std::size_t> &offsets,
                                 const std::function<unsigned(std::size_t)> &lineOf, const std::string &what) {
  std::set<unsigned> lines;
  for (const std::size_t offset : offsets)
    lines.insert(lineOf(offset));
  std::vector<std::string> texts;
  for (const unsigned line : lines)
    texts.push_back("line " + std::to_string(line) + ": " + what);
  return texts;
}

bool isOwn(const CandidateUnit &unit, std::size_t offset) {
  return std::ranges::any_of(unit.own, [&](const TextSpan &s) { return s.begin <= offset && offset < s.end; });
}

} // namespace

Result<InstrumentedUnit> instrumentCoverage(const KernelSpec &spec, const CandidateUnit &unit) {
  Found found;
  const auto own = [&](std::size_t offset) { return isOwn(unit, offset); };
  const auto lineOf = [&](std::size_t offset) { return candidatePosition(unit, offset).line; };
  const Result<void> parsed = parseUnit(spec, unit.text, "coverage", [&](const clang::ASTContext &context) {
    const coverage::Reach reach = coverage::findReach(context);
    found = coverage::findPlaces(context, reach, own, lineOf);
  });
  if (!parsed)
    return std::unexpected(parsed.error());

  InstrumentedUnit result;
  result.text = head(found.places.size(), spec.language) + inserted(unit.text, std::move(found.insertions));
  for (Found::Place &place : found.places) {
    const CandidatePosition position = candidatePosition(unit, place.at);
    result.places.push_back(
        {position.line, position.column, std::move(place.what), place.guarded.begin, place.guarded.end});
  }
  result.remarks = atLines(found.unmeasured, lineOf,
                           "not measured, because a macro's body or a condition with a declaration stands there");
  result.hidden = atLines(found.hidden, lineOf, "a macro of its own hides a choice or a function: write it out");
  return result;
}

std::string emptyCoverage(std::size_t places) {
  return std::string(places + 1, '\0');
}

bool addCoverage(std::string_view file, std::vector<bool> &ran) {
  if (file.size() != emptyCoverage(ran.size()).size())
    return false;
  for (std::size_t i = 0; i < ran.size(); ++i)
    if (file[i + 1] != '\0')
      ran[i] = true;
  return true;
}

} // namespace agentic
