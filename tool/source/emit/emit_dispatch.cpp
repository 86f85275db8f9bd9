// The text of <name>.dispatch.inc. All of our names are agentic_kernel_* or ak_*: the block comes after the user's
// includes, so a macro of theirs called `name` or `table` must not affect it.
#include "tool/source/emit/emit.h"
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

// libc under names of our own, so that the declarations agree with all headers that SOURCE may have included.
// secure_getenv: the environment of a set-user-id program's caller must not control it or make it write files.
constexpr const char *kLibc = R"(extern "C" {
char *agentic_kernel_getenv(const char *) __asm__("secure_getenv");
int agentic_kernel_strcmp(const char *, const char *) __asm__("strcmp");
int agentic_kernel_dprintf(int, const char *, ...) __asm__("dprintf");
int agentic_kernel_open(const char *, int, ...) __asm__("open");
int agentic_kernel_close(int) __asm__("close");
__attribute__((__noreturn__)) void agentic_kernel_exit(int) __asm__("_exit");
}
)";

// 02002101 = O_WRONLY|O_CREAT|O_APPEND|O_CLOEXEC on Linux.
constexpr const char *kTrace = R"(static void ak_trace(const char *ak_chosen) {
  const char *ak_where = agentic_kernel_getenv("AGENTIC_KERNEL_TRACE");
  if (!ak_where || !*ak_where)
    return;
  int ak_descriptor = 0;
  const char *ak_digit = ak_where;
  for (; *ak_digit >= '0' && *ak_digit <= '9'; ++ak_digit)
    ak_descriptor = ak_descriptor * 10 + (*ak_digit - '0');
  const bool ak_is_path = *ak_digit != '\0';
  if (ak_is_path)
    ak_descriptor = agentic_kernel_open(ak_where, 02002101, 0666);
  if (ak_descriptor >= 0)
    agentic_kernel_dprintf(ak_descriptor, "%s %s\n", "@KERNEL@", ak_chosen);
  if (ak_is_path && ak_descriptor >= 0)
    agentic_kernel_close(ak_descriptor);
}
)";

constexpr const char *kRefuse =
    R"(__attribute__((__noreturn__)) static void ak_refuse(const char *ak_forced, bool ak_known) {
  agentic_kernel_dprintf(2, "agentic-kernel: AGENTIC_KERNEL_@KERNEL@=%s: %s; available here:", ak_forced,
                         !agentic_kernel_fresh_@KERNEL@ ? "its variants are stale in this build, as the compiler's warning said"
                         : ak_known ? "this CPU lacks that level" : "this program has no such variant of kernel '@KERNEL@'");
  for (const ak_choice &ak_one : ak_choices)
    if (ak_one.ak_supported())
      agentic_kernel_dprintf(2, " %s", ak_one.ak_name);
  agentic_kernel_dprintf(2, "\n");
  agentic_kernel_exit(78);
}
)";

constexpr const char *kHookLibc = R"(#if defined(AGENTIC_KERNEL_HOOK_@KERNEL@)
extern "C" {
void *agentic_kernel_dlopen(const char *, int) __asm__("dlopen");
void *agentic_kernel_dlsym(void *, const char *) __asm__("dlsym");
char *agentic_kernel_dlerror() __asm__("dlerror");
}
// A candidate's shared object; 2 = RTLD_NOW | RTLD_LOCAL.
static agentic_kernel_function_@KERNEL@ ak_load(const char *ak_path) {
  void *ak_object = agentic_kernel_dlopen(ak_path, 2);
  void *ak_entry = ak_object ? agentic_kernel_dlsym(ak_object, "agentic_kernel_entry_@KERNEL@") : nullptr;
  if (!ak_entry) {
    agentic_kernel_dprintf(2, "agentic-kernel: kernel '@KERNEL@': %s\n", agentic_kernel_dlerror());
    agentic_kernel_exit(97);
  }
  return reinterpret_cast<agentic_kernel_function_@KERNEL@>(
      reinterpret_cast<void *(*)(void *)>(ak_entry)(reinterpret_cast<void *>(&agentic_kernel_baseline_@KERNEL@)));
}
#endif
)";

constexpr const char *kResolve =
    R"(__attribute__((__noinline__, __cold__)) static agentic_kernel_function_@KERNEL@ ak_resolve() {
  const char *ak_forced = agentic_kernel_getenv("AGENTIC_KERNEL_@KERNEL@");
  if (ak_forced && !*ak_forced)
    ak_forced = nullptr;
#if defined(AGENTIC_KERNEL_HOOK_@KERNEL@)
  for (const char *ak_c = ak_forced; ak_c && *ak_c; ++ak_c)
    if (*ak_c == '/') {
      ak_trace(ak_forced);
      return ak_load(ak_forced);
    }
#endif
  for (const ak_choice &ak_one : ak_choices) {
    if (ak_forced && agentic_kernel_strcmp(ak_forced, ak_one.ak_name) != 0)
      continue;
    if (ak_one.ak_supported()) {
      ak_trace(ak_one.ak_name);
      return ak_one.ak_function;
    }
    if (ak_forced)
      ak_refuse(ak_forced, true);
  }
  ak_refuse(ak_forced, false);
}
)";

// Not a static-storage object with a constructor: a kernel may be called before main. Two threads that resolve at once
// store the same value.
constexpr const char *kSelect = R"(static agentic_kernel_function_@KERNEL@ agentic_kernel_pointer_@KERNEL@ = nullptr;
static inline agentic_kernel_function_@KERNEL@ agentic_kernel_select_@KERNEL@() {
  agentic_kernel_function_@KERNEL@ ak_chosen = __atomic_load_n(&agentic_kernel_pointer_@KERNEL@, __ATOMIC_RELAXED);
  if (__builtin_expect(ak_chosen == nullptr, 0)) {
    ak_chosen = agentic_kernel_dispatch_@KERNEL@::ak_resolve();
    __atomic_store_n(&agentic_kernel_pointer_@KERNEL@, ak_chosen, __ATOMIC_RELAXED);
  }
  return ak_chosen;
}
)";

std::string table(const std::string &kernel, const std::vector<Choice> &choices) {
  std::string text =
      "struct ak_choice {\n  const char *ak_name;\n  bool (*ak_supported)();\n  agentic_kernel_function_" + kernel +
      " ak_function;\n};\nstatic bool ak_always() { return true; }\n" +
      "template <bool (*ak_probe)()> static bool ak_if_fresh() { return agentic_kernel_fresh_" + kernel +
      " && ak_probe(); }\nstatic const ak_choice ak_choices[] = {\n";
  const auto row = [](const Choice &choice, const std::string &condition) {
    return fmt::format("#if {}\n    {{\"{}\", ak_if_fresh<{}>, {}}},\n#endif\n", condition, choice.level->name,
                       cpuPredicate(*choice.level), choice.symbol);
  };
  for (const Choice &choice : choices)
    text += row(choice, choice.condition + (choice.isTuned ? "" : " && defined(" + untunedMacro(kernel) + ")"));
  text += fmt::format("    {{\"baseline\", ak_always, {}}}", baselineName(kernel));
  if (std::ranges::all_of(choices, &Choice::isTuned))
    return text + "};\n";
  text += ",\n";
  // The first that the CPU has is taken, and the baseline runs anywhere: later choices only run if forced.
  for (const Choice &choice : choices)
    if (!choice.isTuned)
      text += row(choice, choice.condition + " && !defined(" + untunedMacro(kernel) + ")");
  return text + "};\n";
}

std::string staticSelect(const std::string &kernel, const std::vector<Choice> &choices) {
  std::string text = fmt::format("static inline agentic_kernel_function_{0} agentic_kernel_select_{0}() {{\n", kernel);
  for (const Choice &choice : choices) {
    text += "#" + std::string(&choice == &choices.front() ? "if " : "elif ") + staticCondition(kernel, choice);
    text += fmt::format("\n  return agentic_kernel_fresh_{} ? {} : {};\n", kernel, choice.symbol, baselineName(kernel));
  }
  const std::string last = fmt::format("  return {};\n", baselineName(kernel));
  return text + (choices.empty() ? last : "#else\n" + last + "#endif\n") + "}\n";
}

std::string declarations(const KernelSpec &spec, const std::vector<Choice> &choices) {
  std::string text =
      fmt::format("using agentic_kernel_function_{} = decltype(&{});\n", spec.kernel, baselineName(spec.kernel));
  for (const Choice &choice : choices)
    text += fmt::format("#if {}\nextern \"C\" __attribute__((__visibility__(\"hidden\"))) decltype({}) {};\n#endif\n",
                        choice.condition, baselineName(spec.kernel), choice.symbol);
  return text;
}

/// Emits the guards, if a variant is compiled in at all. They come in front of the baseline: they ask what macros are
/// there, and its body may define and undefine some.
std::string freshness(const KernelSpec &spec, const std::vector<Choice> &choices) {
  const std::string none = fmt::format("static constexpr bool agentic_kernel_fresh_{} = true;\n", spec.kernel);
  if (choices.empty())
    return none;
  std::vector<std::string> macros;
  for (const Choice &choice : choices)
    macros.push_back("defined(" + choice.macro + ")");
  return "#if " + join(macros, " || ") + "\n" + emitQuiet(Language::Cxx) + emitGuards(spec) +
         "#pragma GCC diagnostic pop\n#else\n" + none + "#endif\n";
}

std::string dispatcher(const KernelSpec &spec, const Dispatcher &parts) {
  std::vector<std::string> forwarded;
  for (const std::string &name : parts.arguments)
    forwarded.push_back(fmt::format("static_cast<decltype({0}) &&>({0})", name));
  const std::string arguments = join(forwarded, ", "), overlaps = overlapCondition(spec);
  std::string text = parts.signature + "\n{\n";
  if (!overlaps.empty())
    text += fmt::format("  if (__builtin_expect({}, 0)) // variants are for disjoint arguments\n    return {}({});\n",
                        overlaps, baselineName(spec.kernel), arguments);
  return text + fmt::format("  return agentic_kernel_select_{}()({});\n}}\n", spec.kernel, arguments);
}

} // namespace

Result<std::string> emitDispatch(const KernelSpec &spec, const std::vector<Provenance> &variants,
                                 std::string_view toolVersion) {
  auto ordered = TRY(choicesOf(spec, variants));
  if (spec.language == Language::C)
    return emitDispatchC(spec, ordered, toolVersion);
  auto parts = TRY(dispatcherSignature(spec));
  auto cpu = TRY(emitCpuProbe(levelsOf(ordered)));

  std::string open, close;
  for (const std::string &name : qualifyingNamespaces(spec)) {
    open += "namespace " + name + " {\n";
    close += "}\n";
  }
  if (spec.isExternC) { // the definition may be in an extern "C" block, where the helpers would get C linkage
    open += "extern \"C++\" {\n";
    close += "}\n";
  }
  const std::string &kernel = spec.kernel;
  std::string text =
      dispatchHeader(spec, ordered, toolVersion) + "#pragma GCC diagnostic push\n" +
      "#pragma GCC diagnostic ignored \"-Wunused-function\"\n#pragma GCC diagnostic ignored \"-Wattributes\"\n" +
      "#if defined(__clang__)\n#pragma clang diagnostic ignored \"-Winline-namespace-reopened-noninline\"\n" +
      "#endif\n" + open + freshness(spec, ordered) + "namespace {\n" + kBaselineMark + baselineText(spec) + "\n" +
      kGeneratedMark + "} // namespace\n" + emitQuiet(Language::Cxx) + declarations(spec, ordered);
  text += "#if defined(AGENTIC_KERNEL_STATIC_" + kernel + ") && !defined(AGENTIC_KERNEL_HOOK_" + kernel + ")\n" +
          staticSelect(kernel, ordered) + "#else\nnamespace agentic_kernel_dispatch_" + kernel + " {\n" + kLibc + cpu +
          table(kernel, ordered) + forKernel(kTrace, kernel) + forKernel(kRefuse, kernel) +
          forKernel(kHookLibc, kernel) + forKernel(kResolve, kernel) + "} // namespace agentic_kernel_dispatch_" +
          kernel + "\n" + forKernel(kSelect, kernel) + "#endif\n";
  return text + emitOverlap(spec) + close + dispatcher(spec, parts) +
         "#pragma GCC diagnostic pop\n#pragma GCC diagnostic pop\n";
}

} // namespace agentic
