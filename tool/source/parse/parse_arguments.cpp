// An allow-list, not a deny-list: options that are not known to matter for parsing are dropped, so that no g++-only
// option (or one of a newer clang) can stop a parse.
#include "tool/source/parse/parse_arguments.h"

#include "tool/model/contract_clauses.h"

#include "llvm/TargetParser/X86TargetParser.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace agentic {
namespace {

// These are kept with their value, joined ("-Ifoo") or separate ("-I foo").
constexpr std::array<std::string_view, 12> kWithValue = {"-isystem", "-iquote",   "-idirafter", "-include",
                                                         "-imacros", "-isysroot", "--sysroot",  "-target",
                                                         "-I",       "-D",        "-U",         "-x"};

// Their separate value must not be taken for anything else.
constexpr std::array<std::string_view, 14> kSkippedWithValue = {"-o", "-MF",         "-MT",       "-MQ",  "-Xlinker",
                                                                "-L", "-Xassembler", "--param",   "-T",   "-u",
                                                                "-z", "-aux-info",   "-dumpbase", "-arch"};

constexpr std::array<std::string_view, 10> kPrefixes = {
    "-std=",  "-stdlib=",     "--sysroot=", "--target=",         "--gcc-toolchain=", "--gcc-install-dir=",
    "-mabi=", "-mfloat-abi=", "-mfpu=",     "-msve-vector-bits="};

constexpr std::array<std::string_view, 16> kExact = {"-ansi", "-pthread", "-undef", "-nostdinc", "-nostdinc++", "-O",
                                                     "-O0",   "-O1",      "-O2",    "-O3",       "-Os",         "-Og",
                                                     "-Oz",   "-Ofast",   "-m32",   "-m64"};

// These -f<name> and -fno-<name> change what the preprocessor or the language sees.
constexpr std::array<std::string_view, 35> kLanguage = {"exceptions",
                                                        "rtti",
                                                        "fast-math",
                                                        "signed-char",
                                                        "unsigned-char",
                                                        "wrapv",
                                                        "openmp",
                                                        "openmp-simd",
                                                        "math-errno",
                                                        "short-enums",
                                                        "finite-math-only",
                                                        "associative-math",
                                                        "reciprocal-math",
                                                        "signed-zeros",
                                                        "trapping-math",
                                                        "rounding-math",
                                                        "char8_t",
                                                        "strict-aliasing",
                                                        "unsafe-math-optimizations",
                                                        "short-wchar",
                                                        "freestanding",
                                                        "builtin",
                                                        "ms-extensions",
                                                        "sized-deallocation",
                                                        "PIC",
                                                        "pic",
                                                        "PIE",
                                                        "pie",
                                                        "threadsafe-statics",
                                                        "aligned-allocation",
                                                        "coroutines",
                                                        "gnu-keywords",
                                                        "operator-names",
                                                        "hosted",
                                                        "delete-null-pointer-checks"};

// -m<name> and -mno-<name>: the instruction sets that clang 16 … 19 and g++ name alike.
constexpr std::array<std::string_view, 56> kInstructionSets = {
    "mmx",        "sse",        "sse2",       "sse3",        "ssse3",      "sse4",         "sse4.1",
    "sse4.2",     "sse4a",      "avx",        "avx2",        "fma",        "fma4",         "f16c",
    "bmi",        "bmi2",       "lzcnt",      "movbe",       "popcnt",     "aes",          "pclmul",
    "gfni",       "vaes",       "vpclmulqdq", "adx",         "sha",        "rdrnd",        "rdseed",
    "fsgsbase",   "xsave",      "xsaveopt",   "xsavec",      "xsaves",     "cx16",         "sahf",
    "prfchw",     "clflushopt", "clwb",       "avx512f",     "avx512bw",   "avx512cd",     "avx512dq",
    "avx512vl",   "avx512ifma", "avx512vbmi", "avx512vbmi2", "avx512vnni", "avx512bitalg", "avx512vpopcntdq",
    "avx512bf16", "avx512fp16", "avxvnni",    "amx-tile",    "amx-int8",   "amx-bf16",     "xop"};

#if defined(__x86_64__)
constexpr std::string_view kTriple = "x86_64-linux-gnu";
#elif defined(__aarch64__)
constexpr std::string_view kTriple = "aarch64-linux-gnu";
#elif defined(__riscv)
constexpr std::string_view kTriple = "riscv64-linux-gnu";
#else
constexpr std::string_view kTriple = "";
#endif

template <std::size_t N> bool isOneOf(const std::array<std::string_view, N> &list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

template <std::size_t N> bool startsWithOneOf(const std::array<std::string_view, N> &list, std::string_view word) {
  return std::ranges::any_of(list, [&](std::string_view prefix) { return word.starts_with(prefix); });
}

std::string_view withoutNegation(std::string_view name) {
  return name.starts_with("no-") ? name.substr(3) : name;
}

std::string_view architectureOf(std::string_view machine) {
  return machine.substr(0, machine.find('-'));
}

/// Returns whether clang 16 … 19 have such a processor; an unknown one would end the parse.
bool isKnownProcessor(std::string_view name, std::string_view architecture) {
  if (architecture == "x86_64")
    return name == "native" || llvm::X86::parseArchX86(llvm::StringRef(name.data(), name.size())) != llvm::X86::CK_None;
  if (architecture == "aarch64")
    return startsWithOneOf(std::array<std::string_view, 5>{"armv8", "armv9", "cortex-a", "neoverse-", "generic"}, name);
  return name.starts_with("rv64");
}

bool isKept(std::string_view argument, std::string_view architecture) {
  if (isOneOf(kExact, argument) || startsWithOneOf(kPrefixes, argument))
    return true;
  for (const std::string_view option : {std::string_view("-march="), std::string_view("-mcpu=")})
    if (argument.starts_with(option))
      return isKnownProcessor(argument.substr(option.size()), architecture);
  if (argument.starts_with("-ffp-contract=") || argument.starts_with("-fvisibility="))
    return true;
  if (argument.starts_with("-f"))
    return isOneOf(kLanguage, withoutNegation(argument.substr(2)));
  return argument.starts_with("-m") && isOneOf(kInstructionSets, withoutNegation(argument.substr(2)));
}

/// The driver would use the precompiled file beside a header, and nobody would see what the header includes.
void include(const std::string &file, std::vector<std::string> &result) {
  if (isPrecompiledHeader(file))
    result.insert(result.end(), {"-Xclang", "-include", "-Xclang", file});
  else
    result.insert(result.end(), {"-include", file});
}

/// Keeps options inside other options: definitions in -Wp, and CMake's precompiled header after -Xclang.
void keepWrapped(const std::vector<std::string> &arguments, std::size_t i, std::vector<std::string> &result) {
  const std::string_view argument = arguments[i];
  if (argument.starts_with("-Wp,-D") || argument.starts_with("-Wp,-U"))
    result.emplace_back(argument.substr(4));
  if (argument == "-Xclang" && i + 3 < arguments.size() && arguments[i + 1] == "-include")
    include(arguments[i + 3], result);
}

std::vector<std::string> keptArguments(const std::vector<std::string> &arguments, std::string_view architecture) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    keepWrapped(arguments, i, result);
    if (argument == "-Xclang" || argument == "-Xpreprocessor" || isOneOf(kSkippedWithValue, argument)) {
      ++i;
      continue;
    }
    if (isOneOf(kWithValue, argument)) {
      if (++i < arguments.size() && argument == "-include")
        include(arguments[i], result);
      else if (i < arguments.size())
        result.insert(result.end(), {std::string(argument), arguments[i]});
      continue;
    }
    if (isKept(argument, architecture) ||
        (startsWithOneOf(kWithValue, argument) && !argument.starts_with("-include-pch")))
      result.emplace_back(argument);
  }
  return result;
}

/// Returns the machine that the command compiles for.
std::string machineOf(const CompileCommand &command, const Compiler &compiler) {
  constexpr std::string_view kTarget = "--target=";
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    if (command.arguments[i].starts_with(kTarget))
      return command.arguments[i].substr(kTarget.size());
    if (command.arguments[i] == "-target" && i + 1 < command.arguments.size())
      return command.arguments[i + 1];
  }
  const bool isHere = compiler.machine.empty() || architectureOf(compiler.machine) == architectureOf(kTriple);
  return isHere ? std::string(kTriple) : compiler.machine;
}

} // namespace

bool isPrecompiledHeader(std::string_view file) {
  return file.substr(file.rfind('/') + 1).starts_with("cmake_pch.h"); // npos + 1 = 0
}

std::vector<std::string> withoutPrecompiledHeader(const std::vector<std::string> &arguments) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i] == "-Xclang" && i + 3 < arguments.size() && arguments[i + 1] == "-include" &&
        isPrecompiledHeader(arguments[i + 3]))
      i += 3;
    else
      result.push_back(arguments[i]);
  return result;
}

std::string clangResourceDirectory() {
  return AGENTIC_CLANG_RESOURCE_DIR;
}

std::vector<std::string> parseArguments(const CompileCommand &command, const Compiler &compiler,
                                        const std::string &sourceDirectory) {
  // A plain -I could pick another header of the same name first, so SOURCE's folder goes in as -iquote before all else.
  std::vector<std::string> result = {"-resource-dir", clangResourceDirectory(), "-iquote", sourceDirectory};
  const std::string machine = machineOf(command, compiler);
  const Language language = languageOf(command);
  std::vector<std::string> kept = keptArguments(command.arguments, architectureOf(machine));
  const bool hasStandard = std::ranges::any_of(
      kept, [](const std::string &argument) { return argument.starts_with("-std=") || argument == "-ansi"; });
  if (language == Language::C) // whatever the parsed file is called
    kept.insert(kept.end(), {"-x", "c"});
  const std::string &defaultStd = language == Language::C ? compiler.defaultStdC : compiler.defaultStd;
  if (!hasStandard && !defaultStd.empty())
    result.push_back(defaultStd);
  const bool saysTarget = std::ranges::any_of(
      kept, [](const std::string &argument) { return argument.starts_with("--target=") || argument == "-target"; });
  if (!saysTarget && architectureOf(machine) != architectureOf(kTriple)) // a cross compiler is one program per machine
    result.push_back("--target=" + machine);
  result.insert(result.end(), kept.begin(), kept.end());
  // This comes last, so that it wins over a definition on the command line.
  result.emplace_back("-DAGENTIC_KERNEL=__attribute__((annotate(\"agentic_kernel\")))");
  for (const ContractMacro &macro : contractMacros())
    result.push_back("-D" + std::string(macro.name) + (macro.hasArguments ? "(...)" : "") +
                     "=__attribute__((annotate(\"" + std::string(macro.annotation) + ":\"" +
                     (macro.hasArguments ? " #__VA_ARGS__" : "") + ")))");
  // The driver finds g++'s library by itself; headers that only g++ ships (omp.h, quadmath.h) come after Clang's own.
  if (compiler.family == Family::Gcc && compiler.major > 0 && !machine.empty()) {
    const bool isCross = architectureOf(machine) != architectureOf(kTriple);
    result.insert(result.end(), {"-idirafter", "/usr/lib/gcc" + std::string(isCross ? "-cross/" : "/") + machine + "/" +
                                                   std::to_string(compiler.major) + "/include"});
  }
  return result;
}

} // namespace agentic
