#include "tool/build/audit_rules.h"

#include "tool/base/text.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <utility>

namespace agentic {
namespace {

const std::set<std::string_view> &runtimeSymbols() {
  static const std::set<std::string_view> names = {
      "memcpy", "memmove", "memset", "memcmp", "bcmp", "__memcpy_chk", "__memmove_chk", "__memset_chk",
      "__stack_chk_fail", "__stack_chk_guard", "__assert_fail", "_GLOBAL_OFFSET_TABLE_",
      // Emitted for noexcept functions and for destructors of locals; throwing itself needs __cxa_throw.
      "__gxx_personality_v0", "_Unwind_Resume", "__cxa_begin_catch", "_ZSt9terminatev",
      "_ZSt21__glibcxx_assert_failPKciS0_S0_",
      // libgcc and compiler-rt: arithmetic without an instruction of its own.
      "__popcountdi2", "__popcountsi2", "__clzdi2", "__ctzdi2", "__parityh2", "__multi3", "__divti3", "__udivti3",
      "__modti3", "__umodti3", "__divmodti4", "__udivmodti4", "__ashlti3", "__ashrti3", "__lshrti3", "__mulsc3",
      "__muldc3", "__mulxc3", "__divsc3", "__divdc3", "__divxc3", "__powisf2", "__powidf2", "__powixf2",
      "__extendhfsf2", "__extendhfdf2", "__truncsfhf2", "__truncdfhf2", "__extendbfsf2", "__truncsfbf2", "__truncdfbf2",
      "__gnu_h2f_ieee", "__gnu_f2h_ieee", "__floattisf", "__floattidf", "__floatuntisf", "__floatuntidf", "__fixsfti",
      "__fixdfti", "__fixunssfti", "__fixunsdfti"};
  return names;
}

const std::set<std::string_view> &mathSymbols() {
  static const std::set<std::string_view> names = {
      "acos",      "acosh", "asin",      "asinh", "atan",   "atan2",     "atanh",   "cbrt",   "ceil",  "copysign",
      "cos",       "cosh",  "erf",       "erfc",  "exp",    "exp10",     "exp2",    "expm1",  "fabs",  "fdim",
      "floor",     "fma",   "fmax",      "fmin",  "fmod",   "frexp",     "hypot",   "ilogb",  "ldexp", "llrint",
      "llround",   "log",   "log10",     "log1p", "log2",   "logb",      "lrint",   "lround", "modf",  "nearbyint",
      "nextafter", "pow",   "remainder", "rint",  "round",  "roundeven", "scalbln", "scalbn", "sin",   "sincos",
      "sinh",      "sqrt",  "tan",       "tanh",  "tgamma", "trunc"};
  return names;
}

bool isMath(std::string_view symbol) {
  if (symbol.starts_with("__") && symbol.ends_with("_finite"))
    symbol = symbol.substr(2, symbol.size() - 2 - std::string_view("_finite").size());
  if (mathSymbols().contains(symbol))
    return true;
  return !symbol.empty() && (symbol.back() == 'f' || symbol.back() == 'l') &&
         mathSymbols().contains(symbol.substr(0, symbol.size() - 1));
}

/// Vector functions of libmvec: _ZGV<isa><mask><lanes><parameters>_<name>.
bool isVectorMath(std::string_view symbol) {
  if (!symbol.starts_with("_ZGV"))
    return false;
  const std::size_t underscore = symbol.find('_', 4);
  return underscore != std::string_view::npos && isMath(symbol.substr(underscore + 1));
}

using namespace instruction_reasons;

constexpr std::array kForbidden = {
    std::pair{std::string_view("syscall"), kKernelCall}, std::pair{std::string_view("sysenter"), kKernelCall},
    std::pair{std::string_view("sysret"), kKernelCall},  std::pair{std::string_view("sysexit"), kKernelCall},
    std::pair{std::string_view("int"), kKernelCall},     std::pair{std::string_view("int1"), kKernelCall},
    std::pair{std::string_view("into"), kKernelCall},    std::pair{std::string_view("icebp"), kKernelCall},
    std::pair{std::string_view("rdtsc"), kClock},        std::pair{std::string_view("rdtscp"), kClock},
    std::pair{std::string_view("rdpmc"), kClock},        std::pair{std::string_view("rdpid"), kMachine},
    std::pair{std::string_view("rdpru"), kClock},        std::pair{std::string_view("ldmxcsr"), kMode},
    std::pair{std::string_view("vldmxcsr"), kMode},      std::pair{std::string_view("fldcw"), kMode},
    std::pair{std::string_view("fldenv"), kMode},        std::pair{std::string_view("frstor"), kMode},
    std::pair{std::string_view("xsetbv"), kMode},        std::pair{std::string_view("std"), kMode},
    std::pair{std::string_view("wrpkru"), kMode},        std::pair{std::string_view("wrfsbase"), kMode},
    std::pair{std::string_view("wrgsbase"), kMode},      std::pair{std::string_view("rdfsbase"), kMachine},
    std::pair{std::string_view("rdgsbase"), kMachine},   std::pair{std::string_view("hlt"), kMachine},
    std::pair{std::string_view("in"), kMachine},         std::pair{std::string_view("out"), kMachine},
    std::pair{std::string_view("cpuid"), kMachine},      std::pair{std::string_view("rdrand"), kMachine},
    std::pair{std::string_view("rdseed"), kMachine},     std::pair{std::string_view("xgetbv"), kMachine},
    std::pair{std::string_view("xbegin"), kMode},        std::pair{std::string_view("xabort"), kMode},
    std::pair{std::string_view("tpause"), kCache},       std::pair{std::string_view("umwait"), kCache},
    std::pair{std::string_view("umonitor"), kCache},     std::pair{std::string_view("clwb"), kCache},
    std::pair{std::string_view("cldemote"), kCache},     std::pair{std::string_view("lcall"), kMode},
    std::pair{std::string_view("ljmp"), kMode},          std::pair{std::string_view("(bad)"), kMachine},
    std::pair{std::string_view("stmxcsr"), kMachine},    std::pair{std::string_view("vstmxcsr"), kMachine},
    std::pair{std::string_view("fnstenv"), kMachine},    std::pair{std::string_view("pushf"), kMachine},
    std::pair{std::string_view("pushfq"), kMachine},     std::pair{std::string_view("popf"), kMode},
    std::pair{std::string_view("popfq"), kMode},         std::pair{std::string_view("rdpkru"), kMachine},
    std::pair{std::string_view("sgdt"), kMachine},       std::pair{std::string_view("sidt"), kMachine},
    std::pair{std::string_view("sldt"), kMachine},       std::pair{std::string_view("str"), kMachine},
    std::pair{std::string_view("smsw"), kMachine},       std::pair{std::string_view("clzero"), kCache},
    std::pair{std::string_view("ptwrite"), kMachine},    std::pair{std::string_view("ldtilecfg"), kMode},
    std::pair{std::string_view("wrssq"), kMode},         std::pair{std::string_view("serialize"), kCache},
};

} // namespace

bool isAllowedUndefined(std::string_view symbol) {
  return runtimeSymbols().contains(symbol) || isMath(symbol) || isVectorMath(symbol);
}

std::string undefinedSymbolAdvice(std::string_view symbol) {
  if (startsWithAny(symbol, {"_Znw", "_Zna", "_Zdl", "_Zda"}) || symbol == "malloc" || symbol == "calloc" ||
      symbol == "realloc" || symbol == "free" || symbol == "aligned_alloc" || symbol == "posix_memalign")
    return "allocates memory; use local arrays of fixed size";
  if (startsWithAny(symbol, {"__cxa_throw", "__cxa_rethrow", "__cxa_allocate_exception", "_ZSt2", "_ZSt1"}))
    return "throws exceptions; a kernel must not throw";
  if (startsWithAny(symbol, {"pthread_", "_ZNSt6thread", "__cxa_guard", "GOMP_", "omp_", "__kmpc_", "__cxa_thread"}))
    return "uses threads or guarded statics; a kernel runs on the calling thread and keeps no state";
  if (startsWithAny(symbol, {"__tls_get_addr", "__emutls"}))
    return "uses thread-local storage; keep values in local variables";
  if (startsWithAny(symbol, {"clock", "gettimeofday", "time", "_ZNSt6chrono"}))
    return "reads a clock; a kernel may only compute";
  if (startsWithAny(symbol, {"__cpu_", "getauxval", "getenv", "secure_getenv"}))
    return "looks at the machine or environment; the dispatcher already chose this level";
  return "is not among the functions a kernel may call; use its own helpers, the functions the baseline calls, <cmath> "
         "or "
         "intrinsics";
}

std::string_view forbiddenInstruction(std::string_view mnemonic) {
  if (startsWithAny(mnemonic, {"clflush", "xrstor", "fxrstor", "monitor", "mwait"}))
    return mnemonic.starts_with("clflush") || mnemonic.starts_with("m") ? kCache : kMode;
  if (mnemonic == "insb" || mnemonic == "insl" || mnemonic == "insw" || mnemonic.starts_with("outs"))
    return kMachine;
  for (const auto &[name, reason] : kForbidden)
    if (mnemonic == name)
      return reason;
  return {};
}

bool isUnorderedStore(std::string_view mnemonic) {
  if (mnemonic.starts_with('v'))
    mnemonic.remove_prefix(1);
  return startsWithAny(mnemonic, {"movntp", "movnti", "movntq", "movnts"}) || mnemonic == "movntdq" ||
         mnemonic == "maskmovdqu" || mnemonic == "maskmovq";
}

bool isFence(std::string_view mnemonic) {
  return mnemonic == "sfence" || mnemonic == "mfence";
}

std::string functionName(const std::string &symbol) {
  const std::string full = demangle(symbol);
  std::string name;
  int depth = 0;
  for (char c : full) {
    if (c == '(' && depth == 0)
      break;
    depth += (c == '<') - (c == '>');
    if (depth == 0 && c != '>')
      name += c;
  }
  return name.substr(name.rfind(' ') + 1); // npos + 1 = 0; a template's has its result in front
}

std::string demangle(const std::string &symbol) {
  if (!symbol.starts_with("_Z"))
    return symbol;
  int status = 0;
  char *text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string out = status == 0 && text != nullptr ? text : symbol;
  std::free(text);
  return out;
}

} // namespace agentic
