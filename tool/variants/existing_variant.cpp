#include "tool/variants/existing_variant.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/text.h"

#include <algorithm>
#include <cctype>

namespace agentic {
namespace {

std::string normalizedHash(const fs::path &path) {
  auto text = readFile(path);
  return text ? sha256(normalizeLineEnds(*text)) : std::string();
}

/// Staleness level 1 (design §6), as AgenticKernel.cmake decides it, and level 2, as the compiler does.
std::string staleReason(const std::string &variantDir, const Lock &lock, const KernelSpec &spec) {
  auto source = readFile(spec.source);
  if (!source)
    return source.error().message;
  const std::string text = normalizeLineEnds(*source);
  if (lock.kernelText != spec.written.text)
    return "the kernel's text changed";
  if (!lock.directives.empty() && lock.directives != directivesHash(text, lock.kernelText))
    return "preprocessor directives before the kernel changed in " + spec.source;
  // Each fragment must belong to the same closure; CMake can only test that it is somewhere in SOURCE.
  for (const Lock::Fragment &fragment : lock.fragments)
    if (std::ranges::none_of(spec.closure, [&](const Fragment &now) {
          return now.name == fragment.name && normalizeLineEnds(now.text) == fragment.text;
        }))
      return "'" + fragment.name + "' changed in " + spec.source;
  if (lock.fragments.size() != spec.closure.size())
    return "the kernel uses more of " + spec.source + " than before";
  for (const Lock::File &header : lock.headers)
    if (normalizedHash(fs::path(spec.source).parent_path() / header.path) != header.sha256)
      return "header " + header.path + " changed";
  for (const Guard &then : lock.guards)
    if (const auto now = std::ranges::find(spec.guards, then.what, &Guard::what);
        now == spec.guards.end() || now->value != then.value)
      return then.what + " was '" + then.value + "' when the variants were made" +
             (now == spec.guards.end() ? "" : ", and is '" + now->value + "'");
  if (normalizedHash(fs::path(variantDir) / lock.dispatch.path) != lock.dispatch.sha256)
    return lock.dispatch.path + " was edited";
  for (const Lock::Variant &variant : lock.variants)
    if (normalizedHash(fs::path(variantDir) / variant.file.path) != variant.file.sha256)
      return variant.file.path + " was edited";
  return {};
}

/// Returns the text after the header, without blanks and without line ends that mean nothing.
std::string code(const std::string &text) {
  std::string joined;
  bool isHeader = true;
  for (std::string line : split(text, '\n')) {
    isHeader = isHeader && line.starts_with("//");
    std::erase_if(line, [](char c) { return c == ' ' || c == '\t'; });
    if (isHeader || line.empty())
      continue;
    const bool isDirective = line.starts_with('#');
    if (isDirective)
      joined += '\n';
    joined += line;
    if (isDirective || line.find("//") != std::string::npos)
      joined += '\n';
  }
  return joined;
}

} // namespace

ExistingVariants readExisting(const std::string &variantDir, const KernelSpec &spec) {
  ExistingVariants existing;
  const std::string path = variantDir + "/" + spec.kernel + ".lock.json";
  auto text = readFile(path);
  if (!text)
    return existing;
  auto lock = parseLock(*text, path);
  if (!lock) {
    existing.staleReason = lock.error().message;
    return existing;
  }
  existing.staleReason = staleReason(variantDir, *lock, spec);
  existing.lock = std::move(*lock);
  return existing;
}

std::string nameOf(const Lock::Variant &variant) {
  return variant.provenance.level + " " + variant.provenance.family;
}

Result<VariantSource> sourceOf(const std::string &variantDir, const Lock::Variant &variant) {
  auto text = TRY(readFile(fs::path(variantDir) / variant.file.path));
  return VariantSource{variant.provenance, normalizeLineEnds(text), variant.own};
}

std::optional<Candidate> candidateOf(const std::string &variantDir, const Lock::Variant &variant,
                                     const KernelSpec &spec) {
  auto file = readFile(fs::path(variantDir) / variant.file.path);
  if (!file)
    return std::nullopt;
  const std::string text = normalizeLineEnds(*file);
  if (sha256(text) != variant.file.sha256 || variant.own.empty())
    return std::nullopt;
  std::string candidate;
  std::size_t previousEnd = variant.own.front().first;
  for (const auto &[begin, end] : variant.own) {
    if (begin < previousEnd || end < begin || end > text.size())
      return std::nullopt; // not a lock of ours
    // Between two own pieces there is either the kernel's symbol, where the candidate wrote its name, or text of ours.
    const bool renamed = text.substr(previousEnd, begin - previousEnd).find(variant.symbol) != std::string::npos;
    // No new blank or line: a text that is read back and written again stays as it is.
    const std::string_view own = std::string_view(text).substr(begin, end - begin);
    const bool isApart = candidate.empty() || std::isspace(static_cast<unsigned char>(candidate.back()));
    candidate += renamed ? (isApart ? "" : " ") + spec.identifier : (isApart || own.starts_with('\n') ? "" : "\n");
    candidate += own;
    previousEnd = end;
  }
  // The first origin: a variant made from a variant keeps the recipe, not the history.
  const std::string &origin = variant.provenance.origin;
  const std::size_t recipe = origin.starts_with("variant ") ? origin.find(": ") : std::string::npos;
  return makeCandidate(candidate, "variant " + variant.provenance.level + "/" + variant.provenance.family + ": " +
                                      (recipe == std::string::npos ? origin : origin.substr(recipe + 2)));
}

bool isAsEmitted(const std::string &variantDir, const Lock::Variant &variant, const KernelSpec &spec,
                 const Candidate &candidate) {
  const Level *level = findLevel(variant.provenance.level);
  auto file = readFile(fs::path(variantDir) / variant.file.path);
  if (!level || !file)
    return false;
  const Family family = familyNamed(variant.provenance.family);
  const CandidateUnit unit = buildCandidateUnit({spec, *level, family, variant.provenance.candidate}, candidate.text);
  return unit.findings.empty() && code(normalizeLineEnds(*file)) == code(emitVariant(spec, variant.provenance, unit));
}

} // namespace agentic
