#include "tool/build/audit.h"

#include "tool/build/audit_rules.h"
#include "tool/build/code_hash.h"
#include "tool/build/elf.h"
#include "tool/build/instructions.h"
#include "tool/model/policy.h"

#include <elf.h>

#include <algorithm>
#include <set>

namespace agentic {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 20; // of code and constants: no cache holds more

class Auditor {
public:
  Auditor(const AuditRequest &request, const ElfFile &file) : request_(request), file_(file) {}

  void run() {
    checkDefinitions();
    checkUndefined();
    for (std::uint32_t i = 0; i < file_.sections.size(); ++i)
      checkSection(i);
    checkSize();
  }
  void add(std::string check, std::string message) {
    Finding finding{std::move(check), request_.candidateName, 0, 0, std::move(message)};
    if (std::find(findings_.begin(), findings_.end(), finding) == findings_.end())
      findings_.push_back(std::move(finding));
  }
  std::vector<Finding> take() { return std::move(findings_); }
  InstructionLimits limits() const {
    if (!request_.level)
      return {};
    InstructionLimits limits{request_.level->name, request_.level->features, {}};
    for (const ElfSymbol &symbol : file_.symbols)
      if (symbol.type == STT_FUNC && symbol.binding != STB_LOCAL && isDefined(symbol) && symbol.name != request_.symbol)
        limits.shared.insert(symbol.name);
    return limits;
  }

private:
  bool isDefined(const ElfSymbol &symbol) const { return symbol.section != SHN_UNDEF; }
  const ElfSection *sectionOf(const ElfSymbol &symbol) const {
    return symbol.section < file_.sections.size() ? &file_.sections[symbol.section] : nullptr;
  }

  /// Inline functions and constants of standard headers: the version script makes them local to the shared object.
  bool isHarmlessWeak(const ElfSymbol &symbol) const {
    const ElfSection *section = sectionOf(symbol);
    const bool weak = symbol.binding == STB_WEAK || symbol.binding == STB_GNU_UNIQUE;
    if (!weak || section == nullptr || (section->flags & SHF_GROUP) == 0)
      return false;
    return isPersonalityPointer(symbol, *section) || (section->flags & SHF_WRITE) == 0 ||
           section->name.starts_with(".data.rel.ro");
  }

  /// The pointer through which unwind tables reach the C++ personality routine. Writable by the ABI's choice.
  bool isPersonalityPointer(const ElfSymbol &symbol, const ElfSection &section) const {
    return symbol.name == "DW.ref.__gxx_personality_v0" && section.size == 8 &&
           section.name.ends_with(".DW.ref.__gxx_personality_v0");
  }

  void checkDefinitions() {
    bool found = false;
    for (const ElfSymbol &symbol : file_.symbols) {
      if (symbol.type == STT_GNU_IFUNC)
        add("object-init", "'" + demangle(symbol.name) +
                               "' is an ifunc, which runs code while the program loads; the "
                               "dispatcher chooses the variant");
      if (symbol.binding == STB_LOCAL || !isDefined(symbol) || symbol.type == STT_SECTION)
        continue;
      if (symbol.name == request_.symbol) {
        const ElfSection *section = sectionOf(symbol);
        found = symbol.type == STT_FUNC && section != nullptr && (section->flags & SHF_EXECINSTR) != 0;
        continue;
      }
      if (!isHarmlessWeak(symbol))
        add("object-symbols", "'" + demangle(symbol.name) +
                                  "' is visible outside the candidate; make helpers and "
                                  "constants static, or put them into an unnamed namespace");
    }
    if (!found)
      add("object-symbols", "the kernel's function '" + demangle(request_.symbol) +
                                "' is not defined; keep its name and "
                                "signature");
  }

  void checkUndefined() {
    for (const ElfSymbol &symbol : file_.symbols) {
      if (isDefined(symbol) || symbol.name.empty() || isAllowedUndefined(symbol.name))
        continue;
      const auto &allowed = request_.allowedUndefined;
      if (std::find(allowed.begin(), allowed.end(), symbol.name) == allowed.end() &&
          !isListed(request_.allowedFunctions, functionName(symbol.name)))
        add("object-symbols", "'" + demangle(symbol.name) + "' " + undefinedSymbolAdvice(symbol.name));
    }
  }

  void checkSize() {
    std::uint64_t total = 0; // no overflow: the reader bounds sizes by the file's, but for .bss
    for (const ElfSection &section : file_.sections)
      if ((section.flags & SHF_ALLOC) != 0)
        total += std::min(section.size, kMostBytes + 1);
    if (total > kMostBytes)
      add("object-size", "the object has more than " + std::to_string(kMostBytes >> 20) +
                             " MiB of code and constants; use smaller tables, or compute instead of looking up");
  }

  /// "'counter', 'cache'": what lies in the section; its own name if no symbol does.
  std::string contentsOf(std::uint32_t index) const {
    std::set<std::string> names;
    for (const ElfSymbol &symbol : file_.symbols)
      if (symbol.section == index && !symbol.name.empty() && symbol.type != STT_SECTION)
        names.insert("'" + demangle(symbol.name) + "'");
    std::string out;
    for (const std::string &name : names)
      out += (out.empty() ? "" : ", ") + name;
    return out.empty() ? "section " + file_.sections[index].name : out;
  }

  bool holdsOnlyPersonality(std::uint32_t index) const {
    const ElfSection &section = file_.sections[index];
    return std::any_of(file_.symbols.begin(), file_.symbols.end(), [&](const ElfSymbol &symbol) {
      return symbol.section == index && symbol.binding == STB_WEAK && isPersonalityPointer(symbol, section);
    });
  }

  bool isStartUpCode(const ElfSection &section) const {
    const std::string &name = section.name;
    return section.type == SHT_INIT_ARRAY || section.type == SHT_FINI_ARRAY || section.type == SHT_PREINIT_ARRAY ||
           name.starts_with(".init") || name.starts_with(".fini") || name.starts_with(".ctors") ||
           name.starts_with(".dtors") || name.starts_with(".preinit");
  }

  bool isReadOnlyAtRunTime(const ElfSection &section) const {
    if (section.name.starts_with(".data.rel.ro"))
      return true;
    if ((section.flags & SHF_WRITE) != 0)
      return false;
    for (std::string_view prefix :
         {".text", ".rodata", ".srodata", ".eh_frame", ".gcc_except_table", ".note.gnu.property", ".ltext", ".lrodata"})
      if (section.name.starts_with(prefix))
        return true;
    return false;
  }

  void checkSection(std::uint32_t index) {
    const ElfSection &section = file_.sections[index];
    if (section.name == ".note.GNU-stack" && (section.flags & SHF_EXECINSTR) != 0)
      add("object-data", "the candidate asks for an executable stack; do not take the address of nested functions");
    if ((section.flags & SHF_ALLOC) == 0 || section.type == SHT_GROUP)
      return;
    if (isStartUpCode(section))
      return add("object-init", contentsOf(index) +
                                    " runs before main or at exit; constants must be constexpr, without "
                                    "constructors");
    if (section.size == 0)
      return;
    if ((section.flags & SHF_TLS) != 0)
      return add("object-data", contentsOf(index) + " is thread-local and outlives the call; use local variables");
    const bool writable = (section.flags & SHF_WRITE) != 0;
    if (writable && (section.flags & SHF_EXECINSTR) != 0)
      return add("object-data", contentsOf(index) + " is code that can be overwritten; write plain functions");
    if (isReadOnlyAtRunTime(section))
      return;
    if (writable && !holdsOnlyPersonality(index))
      return add("object-data", contentsOf(index) + " can be modified and outlives the call; make tables constexpr and "
                                                    "keep other values in local variables");
    if (!writable)
      add("object-data",
          contentsOf(index) + " is in the unusual section '" + section.name + "'; remove section attributes");
  }

  const AuditRequest &request_;
  const ElfFile &file_;
  std::vector<Finding> findings_;
};

} // namespace

Result<AuditOutcome> auditObject(const AuditRequest &request) {
  auto file = TRY(readElf(request.objectFile));
  if (file.type != ET_REL)
    return userError("'" + request.objectFile + "' is not a relocatable object (link-time optimisation?)",
                     "compile it without -flto");
  Auditor auditor(request, file);
  auditor.run();
  auto uses = TRY(scanInstructions(request.objectFile, file.machine, auditor.limits()));
  for (const ForbiddenUse &use : uses)
    auditor.add(use.feature.empty() ? "object-instructions" : "object-level",
                "instruction '" + use.instruction + "' in '" + demangle(use.function) + "' " + use.reason +
                    (use.feature.empty() ? "; a kernel may only compute from its arguments" : ""));
  const std::size_t bytes = codeBytes(file);
  if (request.mostCodeBytes > 0 && bytes > request.mostCodeBytes)
    auditor.add("object-size", "the object has " + std::to_string(bytes) +
                                   " bytes of code and constants, and the project's limit (max_code_bytes) is " +
                                   std::to_string(request.mostCodeBytes) + "; unroll or specialise less");
  return AuditOutcome{auditor.take(), codeHash(file), bytes};
}

Result<std::vector<std::string>> undefinedSymbols(const std::string &objectFile) {
  auto file = TRY(readElf(objectFile));
  std::vector<std::string> names;
  for (const ElfSymbol &symbol : file.symbols)
    if (symbol.section == SHN_UNDEF && !symbol.name.empty())
      names.push_back(symbol.name);
  return names;
}

} // namespace agentic
