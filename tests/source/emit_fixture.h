// Hand-made kernel specs, as extraction would fill them, for tests that only need emitted files.
#pragma once

#include "tool/source/emit/emit.h"

#include <string>
#include <vector>

namespace agentic::test {

/// `declarator` is the name as written in `text` ("dot" or "bmm::dot"); `names` the parameters' names, "" if unnamed.
inline KernelSpec makeSpec(std::string kernel, std::string source, std::vector<std::string> namespaces,
                           const std::string &declarator, std::string text, std::vector<std::string> names) {
  KernelSpec spec;
  spec.kernel = std::move(kernel);
  spec.source = std::move(source);
  spec.namespaces = std::move(namespaces);
  spec.nameBegin = text.find(declarator + "(");
  spec.nameEnd = spec.nameBegin + declarator.size();
  spec.identifier = declarator.substr(declarator.rfind(':') + 1);
  for (const std::string &name : spec.namespaces)
    spec.function += name + "::";
  spec.function += spec.identifier;
  for (std::string &name : names)
    spec.parameters.push_back({std::move(name), "", ""});
  const std::size_t brace = text.find("\n{", spec.nameEnd) != std::string::npos ? text.find("\n{", spec.nameEnd) + 1
                                                                                : text.find('{', spec.nameEnd);
  spec.signature = text.substr(0, brace);
  spec.body = text.substr(brace);
  spec.isExternC = text.find("extern \"C\"") != std::string::npos;
  spec.isStatic = text.find("static ") != std::string::npos;
  spec.written = {text, spec.nameBegin, spec.nameEnd, brace};
  spec.text = std::move(text);
  return spec;
}

inline Provenance makeProvenance(std::string level, std::string family) {
  Provenance p;
  p.level = std::move(level);
  p.family = std::move(family);
  p.agent = "builtin";
  p.origin = "strip-mine(j, block=16)";
  p.candidate = "c0123456789";
  p.ratio = 3.14159;
  p.low = 3.1;
  p.high = 3.2;
  p.baselineNs = 1234567;
  p.variantNs = 392700;
  p.cpu = "Imaginary CPU 9000";
  p.compiler = p.family == "clang" ? "Debian clang version 19.1.7" : "g++ (Debian 12.2.0-14) 12.2.0";
  p.compilerVersion = p.family == "clang" ? "19.1.7" : "12.2.0";
  p.flags = "-O3 -march=native";
  p.date = "2026-11-20T09:05:11Z";
  p.toolVersion = "0.1.0";
  p.assumptions = {"pointer arguments do not overlap"};
  return p;
}

/// A variant file whose function is `signature` with SYMBOL for its name, and `body`.
inline VariantSource makeVariant(const KernelSpec &spec, const std::string &level, const std::string &family,
                                 std::string unitText) {
  Provenance provenance = makeProvenance(level, family);
  CandidateUnit unit;
  unit.symbol = variantSymbol(spec.kernel, *findLevel(level), family == "clang" ? Family::Clang : Family::Gcc);
  for (std::size_t at; (at = unitText.find("SYMBOL")) != std::string::npos;)
    unitText.replace(at, 6, unit.symbol);
  unit.text = std::move(unitText);
  return {provenance, emitVariant(spec, provenance, unit)};
}

} // namespace agentic::test
