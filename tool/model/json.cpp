#include "tool/model/json.h"

#include "tool/base/text.h"
#include "tool/model/words.h"

#include <concepts>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace agentic {
namespace {

using nlohmann::json;

/// Writes each field. JSON has no NaN and no infinity: they become null when the text is made.
struct Writer {
  json &object;
  template <class T> void operator()(const char *name, const T &value) const {
    if constexpr (std::is_enum_v<T>) {
      object[name] = wordOf(value);
    } else {
      object[name] = value;
    }
  }
  template <class T> void operator()(const char *name, const std::optional<T> &value) const {
    object[name] = value ? json(*value) : json();
  }
};

/// Reads each field; a missing one, or null, keeps its default.
struct Reader {
  const json &object;
  template <class T> void operator()(const char *name, T &value) const {
    const auto found = object.find(name);
    if (found == object.end() || found->is_null())
      return;
    if constexpr (std::is_enum_v<T>)
      readEnum(name, *found, value);
    else if constexpr (std::same_as<T, Repetitions>)
      for (const json &element : *found)
        value.push_back(element.is_null() ? std::numeric_limits<double>::quiet_NaN() : element.get<double>());
    else
      found->get_to(value);
  }
  template <class T> void operator()(const char *name, std::optional<T> &value) const {
    T present;
    (*this)(name, present);
    const auto found = object.find(name);
    if (found != object.end() && !found->is_null())
      value = std::move(present);
  }
  template <class E> static void readEnum(const char *name, const json &text, E &value) {
    for (const auto &word : words(value))
      if (text == word.text)
        return void(value = word.value);
    throw json::type_error::create(302, "unknown value " + text.dump() + " of '" + name + "'", &text);
  }
};

// Lists the fields of each struct once, for both directions.
template <class T, class U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

void fields(Is<Finding> auto &v, auto visit) {
  visit("check", v.check), visit("file", v.file), visit("line", v.line), visit("column", v.column);
  visit("message", v.message);
}
void fields(Is<CompileCommand> auto &v, auto visit) {
  visit("directory", v.directory), visit("file", v.file), visit("arguments", v.arguments), visit("output", v.output);
}
void fields(Is<Compiler> auto &v, auto visit) {
  visit("path", v.path), visit("family", v.family), visit("version", v.version), visit("major", v.major);
  visit("description", v.description), visit("defaultStd", v.defaultStd), visit("defaultStdC", v.defaultStdC),
      visit("machine", v.machine);
}
void fields(Is<ProgramTarget> auto &v, auto visit) {
  visit("target", v.target), visit("file", v.file);
}
void fields(Is<Manifest> auto &v, auto visit) {
  visit("schema", v.schema), visit("kernel", v.kernel), visit("source", v.source);
  visit("compiledSource", v.compiledSource), visit("function", v.function), visit("targets", v.targets);
  visit("tests", v.tests), visit("testFilter", v.testFilter), visit("testArgs", v.testArgs);
  visit("testData", v.testData), visit("benchmarks", v.benchmarks), visit("benchmarkFilter", v.benchmarkFilter);
  visit("benchmarkArgs", v.benchmarkArgs), visit("benchmarkMetric", v.benchmarkMetric);
  visit("endToEnd", v.endToEnd), visit("endToEndMetric", v.endToEndMetric);
  visit("endToEndDirectory", v.endToEndDirectory);
  visit("architectures", v.architectures), visit("families", v.families);
  visit("variantDir", v.variantDir), visit("dispatch", v.dispatch), visit("runner", v.runner);
  visit("onStale", v.onStale), visit("mode", v.mode), visit("state", v.state), visit("config", v.config);
  visit("sourceDir", v.sourceDir), visit("buildDir", v.buildDir), visit("generator", v.generator);
  visit("makeProgram", v.makeProgram), visit("cmakeCommand", v.cmakeCommand), visit("language", v.language);
  visit("compiler", v.compiler);
  visit("compilerId", v.compilerId), visit("compilerVersion", v.compilerVersion), visit("processor", v.processor);
  visit("clang", v.clang), visit("gcc", v.gcc);
  visit("labels", v.labels), visit("licences", v.licences), visit("agent", v.agent), visit("strategy", v.strategy);
  visit("memory", v.memory), visit("shorten", v.shorten);
  visit("budgetUsd", v.budgetUsd), visit("maxIterations", v.maxIterations);
  visit("maxSeconds", v.maxSeconds), visit("maxTotalSeconds", v.maxTotalSeconds);
}
void fields(Is<Parameter> auto &v, auto visit) {
  visit("name", v.name), visit("type", v.type), visit("canonicalType", v.canonicalType);
}
void fields(Is<Fragment> auto &v, auto visit) {
  visit("kind", v.kind), visit("name", v.name), visit("text", v.text), visit("namespaces", v.namespaces);
  visit("inSignature", v.inSignature), visit("copy", v.copy);
}
void fields(Is<ExternalFunction> auto &v, auto visit) {
  visit("name", v.name), visit("mangled", v.mangled);
}
void fields(Is<Guard> auto &v, auto visit) {
  visit("what", v.what), visit("expression", v.expression), visit("value", v.value);
}
void fields(Is<WrittenText> auto &v, auto visit) {
  visit("text", v.text), visit("nameBegin", v.nameBegin), visit("nameEnd", v.nameEnd);
  visit("bodyBegin", v.bodyBegin);
}
void fields(Is<CallingThreads> auto &v, auto visit) {
  visit("most", v.most), visit("areSideBySide", v.areSideBySide);
}
void fields(Is<DecidedConditional> auto &v, auto visit) {
  visit("directives", v.directives), visit("taken", v.taken);
}
void fields(Is<Loop> auto &v, auto visit) {
  visit("line", v.line), visit("column", v.column), visit("depth", v.depth), visit("header", v.header);
}
void fields(Is<Extent> auto &v, auto visit) {
  visit("parameter", v.parameter), visit("direction", v.direction), visit("text", v.text);
}
void fields(Is<AliasPair> auto &v, auto visit) {
  visit("first", v.first), visit("second", v.second);
}
void fields(Is<Tolerance> auto &v, auto visit) {
  visit("kind", v.kind), visit("value", v.value);
}
void fields(Is<Contract> auto &v, auto visit) {
  visit("extents", v.extents), visit("requirements", v.requirements), visit("mayAlias", v.mayAlias);
  visit("tolerance", v.tolerance), visit("floatingPoint", v.floatingPoint), visit("specialValues", v.specialValues);
  visit("isFinite", v.isFinite);
}
void fields(Is<PolicyRules> auto &v, auto visit) {
  visit("checks", v.checks), visit("functions", v.functions), visit("headers", v.headers);
  visit("attributes", v.attributes), visit("pragmas", v.pragmas);
}
void fields(Is<PolicyLimits> auto &v, auto visit) {
  visit("minSpeedup", v.minSpeedup), visit("maxCodeBytes", v.maxCodeBytes), visit("maxLevels", v.maxLevels);
}
void fields(Is<Policy> auto &v, auto visit) {
  visit("allow", v.allow), visit("forbid", v.forbid), visit("limits", v.limits), visit("hash", v.hash);
}
void fields(Is<Permission> auto &v, auto visit) {
  visit("check", v.check), visit("form", v.form), visit("text", v.text), visit("line", v.line);
  visit("column", v.column), visit("helper", v.helper);
}
void fields(Is<KernelSpec> auto &v, auto visit) {
  visit("schema", v.schema), visit("kernel", v.kernel), visit("source", v.source), visit("function", v.function);
  visit("language", v.language);
  visit("identifier", v.identifier), visit("mangled", v.mangled), visit("classes", v.classes);
  visit("namespaces", v.namespaces);
  visit("returnType", v.returnType), visit("canonicalType", v.canonicalType), visit("parameters", v.parameters);
  visit("isNoexcept", v.isNoexcept), visit("isStatic", v.isStatic), visit("isExternC", v.isExternC);
  visit("text", v.text), visit("written", v.written), visit("line", v.line), visit("column", v.column),
      visit("signature", v.signature);
  visit("body", v.body), visit("nameBegin", v.nameBegin), visit("nameEnd", v.nameEnd), visit("prelude", v.prelude);
  visit("conditionals", v.conditionals);
  visit("closure", v.closure), visit("externals", v.externals), visit("macros", v.macros);
  visit("projectHeaders", v.projectHeaders), visit("includes", v.includes), visit("loops", v.loops);
  visit("parseArguments", v.parseArguments), visit("workingDirectory", v.workingDirectory);
  visit("guards", v.guards), visit("languageStandard", v.languageStandard);
  visit("fingerprint", v.fingerprint), visit("contract", v.contract), visit("policy", v.policy);
  visit("permissions", v.permissions), visit("overlaps", v.overlaps), visit("callers", v.callers);
}
void fields(Is<Candidate> auto &v, auto visit) {
  visit("id", v.id), visit("text", v.text), visit("origin", v.origin), visit("parent", v.parent);
}
void fields(Is<Pair> auto &v, auto visit) {
  visit("reference", v.reference), visit("candidate", v.candidate);
}
void fields(Is<Speedup> auto &v, auto visit) {
  visit("ratio", v.ratio), visit("low", v.low), visit("high", v.high), visit("isInterval", v.isInterval);
  visit("isConfirmed", v.isConfirmed);
}
void fields(Is<BenchmarkMeasurement> auto &v, auto visit) {
  visit("benchmark", v.benchmark), visit("comparison", v.comparison), visit("speedup", v.speedup);
  visit("referenceNs", v.referenceNs), visit("candidateNs", v.candidateNs), visit("pairs", v.pairs);
}
void fields(Is<Measurement> auto &v, auto visit) {
  visit("comparison", v.comparison), visit("speedup", v.speedup), visit("referenceNs", v.referenceNs);
  visit("candidateNs", v.candidateNs), visit("benchmarks", v.benchmarks), visit("reason", v.reason);
}
void fields(Is<EndToEnd> auto &v, auto visit) {
  visit("outcome", v.outcome), visit("application", v.application), visit("metric", v.metric);
  visit("printed", v.printed), visit("kernelShare", v.kernelShare), visit("speedup", v.speedup);
  visit("spread", v.spread), visit("pairs", v.pairs), visit("reason", v.reason);
}
void fields(Is<StageTime> auto &v, auto visit) {
  visit("name", v.name), visit("seconds", v.seconds);
}
void fields(Is<Evaluation> auto &v, auto visit) {
  visit("kernel", v.kernel), visit("candidate", v.candidate), visit("verdict", v.verdict), visit("stage", v.stage);
  visit("findings", v.findings), visit("notes", v.notes), visit("detail", v.detail);
  visit("measurement", v.measurement);
  visit("againstIncumbent", v.againstIncumbent), visit("review", v.review), visit("sameCodeAs", v.sameCodeAs);
  visit("tuning", v.tuning), visit("insight", v.insight), visit("traits", v.traits), visit("objectHash", v.objectHash),
      visit("codeBytes", v.codeBytes), visit("times", v.times), visit("seconds", v.seconds), visit("host", v.host);
}
void fields(Is<Ask> auto &v, auto visit) {
  visit("strategy", v.strategy), visit("parent", v.parent), visit("tried", v.tried), visit("beside", v.beside);
  visit("round", v.round), visit("plan", v.plan), visit("file", v.file), visit("idea", v.idea);
  visit("population", v.population), visit("draw", v.draw), visit("plans", v.plans), visit("fixes", v.fixes);
}
void fields(Is<Opinion> auto &v, auto visit) {
  visit("candidate", v.candidate), visit("objection", v.objection), visit("why", v.why);
  visit("isDropped", v.isDropped), visit("seconds", v.seconds);
}
void fields(Is<Summary> auto &v, auto visit) {
  visit("candidate", v.candidate), visit("parent", v.parent), visit("title", v.title), visit("what", v.what);
  visit("why", v.why), visit("ratio", v.ratio), visit("low", v.low), visit("high", v.high);
}
void fields(Is<ModelConfig> auto &v, auto visit) {
  visit("budgetUsd", v.budgetUsd), visit("spentBeforeUsd", v.spentBeforeUsd);
  visit("unforeseenUsd", v.unforeseenUsd);
  visit("maxFailures", v.maxFailures), visit("history", v.history);
  visit("protocol", v.protocol), visit("promptDir", v.promptDir), visit("hint", v.hint), visit("blind", v.blind);
  visit("hypotheses", v.hypotheses);
  visit("prices", v.prices);
  visit("contextTokens", v.contextTokens), visit("stopFile", v.stopFile);
  visit("allowUnknownPrice", v.allowUnknownPrice), visit("watts", v.watts);
  visit("usdPerKwh", v.usdPerKwh), visit("maxOutputTokens", v.maxOutputTokens), visit("callSeconds", v.callSeconds);
  visit("temperature", v.temperature), visit("effort", v.effort);
  visit("feedback", v.feedback), visit("strategy", v.strategy), visit("memory", v.memory);
  visit("roles", v.roles), visit("rolesAreCut", v.rolesAreCut), visit("parallel", v.parallel);
  visit("roleTemperatures", v.roleTemperatures), visit("menuDropouts", v.menuDropouts);
}
void fields(Is<RunConfig> auto &v, auto visit) {
  visit("agent", v.agent), visit("maxIterations", v.maxIterations), visit("maxSeconds", v.maxSeconds);
  visit("maxTotalSeconds", v.maxTotalSeconds);
  visit("seed", v.seed), visit("write", v.write), visit("shorten", v.shorten), visit("patchFile", v.patchFile),
      visit("resume", v.resume);
  visit("allowUnoptimized", v.allowUnoptimized), visit("threshold", v.threshold);
  visit("startRecipes", v.startRecipes), visit("recalled", v.recalled), visit("startFrom", v.startFrom),
      visit("cold", v.cold);
  visit("adequacy", v.adequacy), visit("uncovered", v.uncovered), visit("farm", v.farm), visit("farmRun", v.farmRun),
      visit("runsOnHosts", v.runsOnHosts), visit("measuredOn", v.measuredOn), visit("model", v.model);
  visit("agentIsCut", v.agentIsCut), visit("agents", v.agents), visit("agentChoice", v.agentChoice);
  visit("seedWith", v.seedWith);
  visit("optimization", v.optimization);
}

template <class T> void writeObject(json &object, const T &value) {
  object = json::object();
  fields(value, Writer{object});
}
template <class T> void readObject(const json &object, T &value) {
  if (!object.is_object())
    throw json::type_error::create(302, std::string("expected an object, not ") + object.type_name(), &object);
  value = T{};
  fields(value, Reader{object});
}

} // namespace

#define AGENTIC_JSON(Type)                                                                                             \
  void to_json(json &object, const Type &value) {                                                                      \
    writeObject(object, value);                                                                                        \
  }                                                                                                                    \
  void from_json(const json &object, Type &value) {                                                                    \
    readObject(object, value);                                                                                         \
  }
AGENTIC_JSON(Finding)
AGENTIC_JSON(Compiler)
AGENTIC_JSON(ProgramTarget)
AGENTIC_JSON(Manifest)
AGENTIC_JSON(Parameter)
AGENTIC_JSON(Fragment)
AGENTIC_JSON(ExternalFunction)
AGENTIC_JSON(Guard)
AGENTIC_JSON(WrittenText)
AGENTIC_JSON(CallingThreads)
AGENTIC_JSON(DecidedConditional)
AGENTIC_JSON(Loop)
AGENTIC_JSON(Extent)
AGENTIC_JSON(AliasPair)
AGENTIC_JSON(Tolerance)
AGENTIC_JSON(Contract)
AGENTIC_JSON(PolicyRules)
AGENTIC_JSON(PolicyLimits)
AGENTIC_JSON(Policy)
AGENTIC_JSON(Permission)
AGENTIC_JSON(KernelSpec)
AGENTIC_JSON(Candidate)
AGENTIC_JSON(Pair)
AGENTIC_JSON(Speedup)
AGENTIC_JSON(BenchmarkMeasurement)
AGENTIC_JSON(Measurement)
AGENTIC_JSON(EndToEnd)
AGENTIC_JSON(StageTime)
AGENTIC_JSON(Evaluation)
AGENTIC_JSON(Ask)
AGENTIC_JSON(Opinion)
AGENTIC_JSON(Summary)
AGENTIC_JSON(ModelConfig)
AGENTIC_JSON(RunConfig)
#undef AGENTIC_JSON

void to_json(json &object, const CompileCommand &value) {
  writeObject(object, value);
}

void from_json(const json &object, CompileCommand &value) {
  readObject(object, value);
  const auto command = object.find("command"); // one shell line, as CMake writes it
  if (value.arguments.empty() && command != object.end())
    value.arguments = splitCommandLine(command->get<std::string>());
  if (!value.file.empty())
    value.file = (std::filesystem::path(value.directory) / value.file).lexically_normal().string();
}

template <class T> Result<T> parseJson(std::string_view text, std::string_view what) {
  try {
    return json::parse(text).template get<T>();
  } catch (const json::exception &error) {
    return userError("cannot read " + std::string(what) + ": " + error.what(),
                     "delete it if it was changed by hand, and configure the build again: it is then written anew");
  }
}

template <class T> std::string dumpJson(const T &value) {
  return json(value).dump(-1, ' ', false, json::error_handler_t::replace);
}

#define AGENTIC_JSON(Type)                                                                                             \
  template Result<Type> parseJson(std::string_view, std::string_view);                                                 \
  template std::string dumpJson(const Type &);
AGENTIC_JSON(Manifest)
AGENTIC_JSON(PolicyRules)
AGENTIC_JSON(Policy)
AGENTIC_JSON(KernelSpec)
AGENTIC_JSON(Evaluation)
AGENTIC_JSON(RunConfig)
AGENTIC_JSON(Measurement)
AGENTIC_JSON(Candidate)
AGENTIC_JSON(Finding)
AGENTIC_JSON(Compiler)
AGENTIC_JSON(std::vector<Finding>)
AGENTIC_JSON(std::vector<CompileCommand>)
#undef AGENTIC_JSON

} // namespace agentic
