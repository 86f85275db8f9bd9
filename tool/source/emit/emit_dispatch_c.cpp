// The text of <name>.dispatch.inc for a kernel in C. It says what emit_dispatch.cpp says in C++, for a C compiler from
// C99 on: no namespaces, so that all of our names end with the kernel's; no references, templates or constant
// functions.
#include "tool/source/emit/emit_choices.h"
#include "tool/source/emit/emit_cpu.h"
#include "tool/source/emit/emit_guards.h"
#include "tool/source/emit/emit_overlap.h"
#include "tool/source/emit/emit_quiet.h"
#include "tool/source/emit/emit_signature.h"

#include "tool/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace agentic {
namespace {

// libc under names of our own, so that the declarations agree with all headers that SOURCE may have included. A second
// kernel of the same SOURCE repeats them.
constexpr const char *kLibcC = R"(extern char *agentic_kernel_getenv(const char *) __asm__("secure_getenv");
extern int agentic_kernel_strcmp(const char *, const char *) __asm__("strcmp");
extern int agentic_kernel_dprintf(int, const char *, ...) __asm__("dprintf");
extern int agentic_kernel_open(const char *, int, ...) __asm__("open");
extern int agentic_kernel_close(int) __asm__("close");
extern __attribute__((__noreturn__)) void agentic_kernel_exit(int) __asm__("_exit");
)";

// 02002101 = O_WRONLY|O_CREAT|O_APPEND|O_CLOEXEC on Linux.
constexpr const char *kTraceC = R"(static void ak_trace_@KERNEL@(const char *ak_chosen) {
  const char *ak_where = agentic_kernel_getenv("AGENTIC_KERNEL_TRACE");
  int ak_descriptor = 0, ak_is_path;
  const char *ak_digit = ak_where;
  if (!ak_where || !*ak_where)
    return;
  for (; *ak_digit >= '0' && *ak_digit <= '9'; ++ak_digit)
    ak_descriptor = ak_descriptor * 10 + (*ak_digit - '0');
  ak_is_path = *ak_digit != '\0';
  if (ak_is_path)
    ak_descriptor = agentic_kernel_open(ak_where, 02002101, 0666);
  if (ak_descriptor >= 0)
    agentic_kernel_dprintf(ak_descriptor, "%s %s\n", "@KERNEL@", ak_chosen);
  if (ak_is_path && ak_descriptor >= 0)
    agentic_kernel_close(ak_descriptor);
}
)";

constexpr const char *kRefuseC =
    R"(__attribute__((__noreturn__)) static void ak_refuse_@KERNEL@(const char *ak_forced, int ak_known) {
  unsigned ak_i;
  agentic_kernel_dprintf(2, "agentic-kernel: AGENTIC_KERNEL_@KERNEL@=%s: %s; available here:", ak_forced,
                         !agentic_kernel_fresh_@KERNEL@ ? "its variants are stale in this build, as the compiler's warning said"
                         : ak_known ? "this CPU lacks that level" : "this program has no such variant of kernel '@KERNEL@'");
  for (ak_i = 0; ak_i < sizeof ak_choices_@KERNEL@ / sizeof ak_choices_@KERNEL@[0]; ++ak_i)
    if (ak_choices_@KERNEL@[ak_i].ak_is_usable && ak_choices_@KERNEL@[ak_i].ak_supported())
      agentic_kernel_dprintf(2, " %s", ak_choices_@KERNEL@[ak_i].ak_name);
  agentic_kernel_dprintf(2, "\n");
  agentic_kernel_exit(78);
}
)";

constexpr const char *kHookLibcC = R"(#if defined(AGENTIC_KERNEL_HOOK_@KERNEL@)
extern void *agentic_kernel_dlopen(const char *, int) __asm__("dlopen");
extern void *agentic_kernel_dlsym(void *, const char *) __asm__("dlsym");
extern char *agentic_kernel_dlerror(void) __asm__("dlerror");
/* A candidate's shared object; 2 = RTLD_NOW | RTLD_LOCAL. */
static agentic_kernel_function_@KERNEL@ ak_load_@KERNEL@(const char *ak_path) {
  void *ak_object = agentic_kernel_dlopen(ak_path, 2);
  void *ak_entry = ak_object ? agentic_kernel_dlsym(ak_object, "agentic_kernel_entry_@KERNEL@") : 0;
  if (!ak_entry) {
    agentic_kernel_dprintf(2, "agentic-kernel: kernel '@KERNEL@': %s\n", agentic_kernel_dlerror());
    agentic_kernel_exit(97);
  }
  return (agentic_kernel_function_@KERNEL@)((void *(*)(void *))ak_entry)((void *)&agentic_kernel_baseline_@KERNEL@);
}
#endif
)";

constexpr const char *kResolveC =
    R"(__attribute__((__noinline__, __cold__)) static agentic_kernel_function_@KERNEL@ ak_resolve_@KERNEL@(void) {
  const char *ak_forced = agentic_kernel_getenv("AGENTIC_KERNEL_@KERNEL@");
  unsigned ak_i;
#if defined(AGENTIC_KERNEL_HOOK_@KERNEL@)
  const char *ak_c;
#endif
  agentic_kernel_explain_@KERNEL@(); /* first: a compiler that doubles paths would say it twice */
  if (ak_forced && !*ak_forced)
    ak_forced = 0;
#if defined(AGENTIC_KERNEL_HOOK_@KERNEL@)
  for (ak_c = ak_forced; ak_c && *ak_c; ++ak_c)
    if (*ak_c == '/') {
      ak_trace_@KERNEL@(ak_forced);
      return ak_load_@KERNEL@(ak_forced);
    }
#endif
  for (ak_i = 0; ak_i < sizeof ak_choices_@KERNEL@ / sizeof ak_choices_@KERNEL@[0]; ++ak_i) {
    const ak_choice_@KERNEL@ *ak_one = &ak_choices_@KERNEL@[ak_i];
    if (ak_forced && agentic_kernel_strcmp(ak_forced, ak_one->ak_name) != 0)
      continue;
    if (ak_one->ak_is_usable && ak_one->ak_supported()) {
      ak_trace_@KERNEL@(ak_one->ak_name);
      return ak_one->ak_function;
    }
    if (ak_forced)
      ak_refuse_@KERNEL@(ak_forced, 1);
  }
  ak_refuse_@KERNEL@(ak_forced, 0);
}
)";

constexpr const char *kSelectC = R"(static agentic_kernel_function_@KERNEL@ agentic_kernel_pointer_@KERNEL@ = 0;
static __inline__ agentic_kernel_function_@KERNEL@ agentic_kernel_select_@KERNEL@(void) {
  agentic_kernel_function_@KERNEL@ ak_chosen = __atomic_load_n(&agentic_kernel_pointer_@KERNEL@, __ATOMIC_RELAXED);
  if (__builtin_expect(ak_chosen == 0, 0)) {
    ak_chosen = ak_resolve_@KERNEL@();
    __atomic_store_n(&agentic_kernel_pointer_@KERNEL@, ak_chosen, __ATOMIC_RELAXED);
  }
  return ak_chosen;
}
)";

std::string tableC(const std::string &kernel, const std::vector<Choice> &choices) {
  std::string text = forKernel("typedef struct {\n  const char *ak_name;\n  int ak_is_usable;\n"
                               "  int (*ak_supported)(void);\n  agentic_kernel_function_@KERNEL@ ak_function;\n"
                               "} ak_choice_@KERNEL@;\nstatic int ak_always_@KERNEL@(void) { return 1; }\n"
                               "static const ak_choice_@KERNEL@ ak_choices_@KERNEL@[] = {\n",
                               kernel);
  const auto row = [&](const Choice &choice, const std::string &condition) {
    return fmt::format("#if {}\n    {{\"{}\", agentic_kernel_fresh_{}, {}, {}}},\n#endif\n", condition,
                       choice.level->name, kernel, cpuPredicateC(*choice.level, kernel), choice.symbol);
  };
  for (const Choice &choice : choices)
    text += row(choice, choice.condition + (choice.isTuned ? "" : " && defined(" + untunedMacro(kernel) + ")"));
  text += fmt::format("    {{\"baseline\", 1, ak_always_{}, {}}}", kernel, baselineName(kernel));
  if (std::ranges::all_of(choices, &Choice::isTuned))
    return text + "};\n";
  text += ",\n";
  // The first that the CPU has is taken, and the baseline runs anywhere: later choices only run if forced.
  for (const Choice &choice : choices)
    if (!choice.isTuned)
      text += row(choice, choice.condition + " && !defined(" + untunedMacro(kernel) + ")");
  return text + "};\n";
}

std::string staticSelectC(const std::string &kernel, const std::vector<Choice> &choices) {
  std::string text = fmt::format("static __inline__ agentic_kernel_function_{0} agentic_kernel_select_{0}(void) {{\n"
                                 "  agentic_kernel_explain_{0}();\n",
                                 kernel);
  for (const Choice &choice : choices)
    text += fmt::format("#{} {}\n  return agentic_kernel_fresh_{} ? {} : {};\n",
                        &choice == &choices.front() ? "if" : "elif", staticCondition(kernel, choice), kernel,
                        choice.symbol, baselineName(kernel));
  const std::string last = fmt::format("  return {};\n", baselineName(kernel));
  return text + (choices.empty() ? last : "#else\n" + last + "#endif\n") + "}\n";
}

std::string declarationsC(const KernelSpec &spec, const std::vector<Choice> &choices) {
  std::string text =
      fmt::format("typedef __typeof__(&{1}) agentic_kernel_function_{0};\n", spec.kernel, baselineName(spec.kernel));
  for (const Choice &choice : choices)
    text += fmt::format("#if {}\nextern __attribute__((__visibility__(\"hidden\"))) __typeof__({}) {};\n#endif\n",
                        choice.condition, baselineName(spec.kernel), choice.symbol);
  return text;
}

/// Emits the guards in front of the baseline, if a variant is compiled in at all (emit_dispatch.cpp).
std::string freshnessC(const KernelSpec &spec, const std::vector<Choice> &choices) {
  const std::string none = forKernel("enum { agentic_kernel_fresh_@KERNEL@ = 1 };\n"
                                     "static __inline__ void agentic_kernel_explain_@KERNEL@(void) {}\n",
                                     spec.kernel);
  if (choices.empty())
    return none;
  std::vector<std::string> macros;
  for (const Choice &choice : choices)
    macros.push_back("defined(" + choice.macro + ")");
  return "#if " + join(macros, " || ") + "\n" + emitQuiet(Language::C) + emitGuards(spec) +
         "#pragma GCC diagnostic pop\n#else\n" + none + "#endif\n";
}

std::string dispatcherC(const KernelSpec &spec, const Dispatcher &parts) {
  const bool isVoid = spec.canonicalType.starts_with("void (");
  const std::string arguments = join(parts.arguments, ", "), overlaps = overlapCondition(spec);
  std::string text = parts.signature + "\n{\n";
  if (!overlaps.empty())
    text += fmt::format("  if (__builtin_expect({}, 0)) /* variants are for disjoint arguments */\n", overlaps) +
            (isVoid ? fmt::format("  {{\n    {}({});\n    return;\n  }}\n", baselineName(spec.kernel), arguments)
                    : fmt::format("    return {}({});\n", baselineName(spec.kernel), arguments));
  return text +
         fmt::format("  {}agentic_kernel_select_{}()({});\n}}\n", isVoid ? "" : "return ", spec.kernel, arguments);
}

} // namespace

Result<std::string> emitDispatchC(const KernelSpec &spec, const std::vector<Choice> &choices,
                                  std::string_view toolVersion) {
  const std::string &kernel = spec.kernel;
  auto parts = TRY(dispatcherSignature(spec));
  auto cpu = TRY(emitCpuProbeC(levelsOf(choices), kernel));
  return dispatchHeader(spec, choices, toolVersion) + "#pragma GCC diagnostic push\n" +
         "#pragma GCC diagnostic ignored \"-Wunused-function\"\n#pragma GCC diagnostic ignored \"-Wattributes\"\n" +
         freshnessC(spec, choices) + kBaselineMark + baselineText(spec) + "\n" + kGeneratedMark +
         emitQuiet(Language::C) + declarationsC(spec, choices) + "#if defined(AGENTIC_KERNEL_STATIC_" + kernel +
         ") && !defined(AGENTIC_KERNEL_HOOK_" + kernel + ")\n" + staticSelectC(kernel, choices) + "#else\n" + kLibcC +
         cpu + tableC(kernel, choices) + forKernel(kTraceC, kernel) + forKernel(kRefuseC, kernel) +
         forKernel(kHookLibcC, kernel) + forKernel(kResolveC, kernel) + forKernel(kSelectC, kernel) + "#endif\n" +
         emitOverlap(spec) + dispatcherC(spec, parts) + "#pragma GCC diagnostic pop\n#pragma GCC diagnostic pop\n";
}

} // namespace agentic
