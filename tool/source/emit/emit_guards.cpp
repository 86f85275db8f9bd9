#include "tool/source/emit/emit_guards.h"

#include "tool/base/text.h"

#include <fmt/format.h>

namespace agentic {
namespace {

// C++11. The text of a macro after expansion is its meaning; that of an undefined one is its name.
constexpr const char *kHelpers = R"(#define AGENTIC_KERNEL_TEXT(...) AGENTIC_KERNEL_AS_TEXT(__VA_ARGS__)
#define AGENTIC_KERNEL_AS_TEXT(...) #__VA_ARGS__
#define AGENTIC_KERNEL_STALE(ak_why)                                                                               \
  "agentic kernel '@KERNEL@': its variants are stale (" ak_why " when they were made), so the function as "         \
  "written is used; 'agentic-kernel relock' proves them again for this build, the target optimize-@KERNEL@ makes " \
  "new ones"
namespace agentic_kernel_guards_@KERNEL@ {
constexpr bool ak_equal(const char *ak_one, const char *ak_other) {
  return *ak_one == *ak_other && (*ak_one == '\0' || ak_equal(ak_one + 1, ak_other + 1));
}
constexpr const char *ak_word(const char *ak_text) { return *ak_text == ' ' ? ak_word(ak_text + 1) : ak_text; }
constexpr bool ak_same_words(const char *ak_one, const char *ak_other) {
  return *ak_word(ak_one) == *ak_word(ak_other) &&
         (*ak_word(ak_one) == '\0' || ak_same_words(ak_word(ak_one) + 1, ak_word(ak_other) + 1));
}
template <class ak_one, class ak_other> struct ak_same { static constexpr bool ak_value = false; };
template <class ak_one> struct ak_same<ak_one, ak_one> { static constexpr bool ak_value = true; };
template <class ak_any> struct ak_bare { using ak_type = ak_any; };
template <class ak_any> struct ak_bare<ak_any *> { using ak_type = typename ak_bare<ak_any>::ak_type; };
template <class ak_any> struct ak_bare<ak_any *const> { using ak_type = typename ak_bare<ak_any>::ak_type; };
template <class ak_any> struct ak_bare<ak_any &> { using ak_type = typename ak_bare<ak_any>::ak_type; };
template <class ak_any> struct ak_bare<ak_any &&> { using ak_type = typename ak_bare<ak_any>::ak_type; };
template <class ak_any> struct ak_bare<ak_any[]> { using ak_type = typename ak_bare<ak_any>::ak_type; };
template <class ak_any, __SIZE_TYPE__ ak_size> struct ak_bare<ak_any[ak_size]> {
  using ak_type = typename ak_bare<ak_any>::ak_type;
};
template <int> struct ak_differs { static constexpr bool ak_fresh() { return true; } };
)";

// The compiler warns at the one use of the first reason, and it remains a warning under -Werror.
constexpr const char *kAnswer = R"(#if defined(AGENTIC_KERNEL_REQUIRE_@KERNEL@)
@REQUIRED@#endif
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wdeprecated-declarations"
static constexpr bool ak_fresh = ak_differs<
    @FIRST@>::ak_fresh();
#pragma GCC diagnostic pop
} // namespace agentic_kernel_guards_@KERNEL@
#undef AGENTIC_KERNEL_TEXT
#undef AGENTIC_KERNEL_AS_TEXT
#undef AGENTIC_KERNEL_STALE
static constexpr bool agentic_kernel_fresh_@KERNEL@ = agentic_kernel_guards_@KERNEL@::ak_fresh;
)";

// C has no compile-time functions: enumerators hold the answers, and both compilers fold the comparison of texts. The
// call of a function with the attribute `warning` is what the compiler warns of; where the guard holds, it goes.
constexpr const char *kHelpersC = R"(#define AGENTIC_KERNEL_TEXT(...) AGENTIC_KERNEL_AS_TEXT(__VA_ARGS__)
#define AGENTIC_KERNEL_AS_TEXT(...) #__VA_ARGS__
#define AGENTIC_KERNEL_STALE(ak_why)                                                                               \
  "agentic kernel '@KERNEL@': its variants are stale (" ak_why " when they were made), so the function as "         \
  "written is used; 'agentic-kernel relock' proves them again for this build, the target optimize-@KERNEL@ makes " \
  "new ones"
#define ak_equal(ak_one, ak_other) (__builtin_strcmp(ak_one, ak_other) == 0)
)";

constexpr const char *kAnswerC = R"(#if defined(AGENTIC_KERNEL_REQUIRE_@KERNEL@)
@REQUIRED@#endif
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wattribute-warning"
static __inline__ void agentic_kernel_explain_@KERNEL@(void) {
@FIRST@}
#pragma GCC diagnostic pop
#undef AGENTIC_KERNEL_TEXT
#undef AGENTIC_KERNEL_AS_TEXT
#undef AGENTIC_KERNEL_STALE
#undef ak_equal
)";

std::string literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c >= ' ' && c <= '~' ? c : '?';
  }
  return result + "\"";
}

std::string reason(const Guard &guard) {
  return fmt::format("AGENTIC_KERNEL_STALE({})", literal(guard.what + " was " + guard.value));
}

/// Returns the macro that tells the language's standard.
const char *standardMacro(const KernelSpec &spec) {
  return spec.language == Language::C ? "__STDC_VERSION__" : "__cplusplus";
}

std::string filled(std::string text, const KernelSpec &spec, const std::string &required, const std::string &first) {
  for (const auto &[mark, value] :
       {std::pair<std::string, std::string>{"@KERNEL@", spec.kernel}, {"@REQUIRED@", required}, {"@FIRST@", first}})
    text = replaceAll(text, mark, value);
  return text;
}

std::string guardsInC(const KernelSpec &spec, const std::vector<Guard> &guards) {
  std::string answers = "enum {\n", all = "1", functions, required, first;
  for (std::size_t i = 1; i <= guards.size(); ++i) {
    const std::string name = fmt::format("agentic_kernel_guard_{}_{}", spec.kernel, i);
    const std::string stale = fmt::format("agentic_kernel_stale_{}_{}", spec.kernel, i);
    answers += fmt::format("  {} = ({}) ? 1 : 0,\n", name, guards[i - 1].expression);
    all += " && " + name;
    functions += fmt::format("static __attribute__((__noinline__, __warning__({}))) void {}(void) {{ "
                             "__asm__ __volatile__(\"\"); }}\n",
                             reason(guards[i - 1]), stale);
    first += fmt::format("  {}if (!{})\n    {}();\n", i > 1 ? "else " : "", name, stale);
    required += fmt::format("_Static_assert({}, {});\n", name, reason(guards[i - 1]));
  }
  answers += fmt::format("  agentic_kernel_fresh_{} = {}\n}};\n", spec.kernel, all);
  return filled(kHelpersC + answers + functions + kAnswerC, spec, required, first);
}

} // namespace

std::string variantCondition(const KernelSpec &spec, const Level &level) {
  std::string condition(level.guard);
  if (spec.languageStandard > 0)
    condition += fmt::format(" && {} >= {}L", standardMacro(spec), spec.languageStandard);
  return condition;
}

std::string emitGuards(const KernelSpec &spec) {
  std::vector<Guard> guards = spec.guards;
  if (spec.languageStandard > 0)
    guards.push_back({standardMacro(spec), fmt::format("({} >= {}L)", standardMacro(spec), spec.languageStandard),
                      fmt::format("at least {}", spec.languageStandard)});
  if (spec.language == Language::C)
    return guardsInC(spec, guards);
  std::string reasons, first = "0", required;
  for (std::size_t i = guards.size(); i > 0; --i)
    first = fmt::format("!({}) ? {} :\n    {}", guards[i - 1].expression, i, first);
  for (std::size_t i = 1; i <= guards.size(); ++i) {
    const Guard &guard = guards[i - 1];
    // A function, because g++ would warn twice of a variable or a type.
    reasons += fmt::format("template <> struct ak_differs<{}> {{\n  __attribute__((__deprecated__({})))\n  static "
                           "constexpr bool ak_fresh() {{ return false; }}\n}};\n",
                           i, reason(guard));
    required += fmt::format("static_assert({}, {});\n", guard.expression, reason(guard));
  }
  return filled(kHelpers + reasons + kAnswer, spec, required, first);
}

} // namespace agentic
