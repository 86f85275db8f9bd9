#include "tool/model/json.h"
#include "tool/model/stages.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

/// Gives every field of an object a value that is not the default, whatever the struct: a field that only one direction
/// knows, or that two directions spell differently, then shows as a difference.
json withoutDefaults(const json &object, int &counter) {
  json result = object;
  for (auto &[name, value] : result.items()) {
    ++counter;
    if (value.is_string())
      value = "text " + std::to_string(counter);
    else if (value.is_boolean())
      value = !value.get<bool>();
    else if (value.is_number_unsigned() || value.is_number_integer())
      value = counter;
    else if (value.is_number_float())
      value = counter + 0.1;
    else if (value.is_object())
      value = withoutDefaults(value, counter);
  }
  return result;
}

/// Converts T → JSON → T → JSON, with the given words for its enums and lists.
template <class T> void expectRoundTrip(const json &special = json::object()) {
  int counter = 0;
  json first = withoutDefaults(json(T{}), counter);
  first.update(special);
  const json second = first.get<T>();
  EXPECT_EQ(first, second) << typeid(T).name();
  EXPECT_FALSE(first.empty());
}

TEST(Json, EveryStructRoundTrips) {
  const json speedup = {{"ratio", 2.5}, {"low", 2.0}, {"high", 3.0}, {"isInterval", true}, {"isConfirmed", true}};
  const json pair = {{"reference", {1.5, 2.5}}, {"candidate", {0.5}}};
  const json benchmark = {{"benchmark", "BM_x"}, {"comparison", "slower"}, {"speedup", speedup},
                          {"referenceNs", 1.5},  {"candidateNs", 2.5},     {"pairs", {pair, pair}}};
  const json measurement = {{"comparison", "too-noisy"}, {"speedup", speedup}, {"referenceNs", 1.5},
                            {"candidateNs", 2.5},        {"reason", "why"},    {"benchmarks", {benchmark}}};
  const json finding = {{"check", "c"}, {"file", "f"}, {"line", 3}, {"column", 4}, {"message", "m"}};
  const json fragment = {{"kind", "macro"},         {"name", "n"},         {"text", "t"},
                         {"namespaces", {"a", ""}}, {"inSignature", true}, {"copy", "u"}};
  const json program = {{"target", "t"}, {"file", "f"}};

  expectRoundTrip<Finding>();
  expectRoundTrip<CompileCommand>({{"file", "/d/a.cpp"}, {"arguments", {"g++", "-c"}}});
  expectRoundTrip<Compiler>({{"family", "gcc"}});
  expectRoundTrip<ProgramTarget>();
  expectRoundTrip<Manifest>({{"targets", {"a", "b"}},
                             {"tests", {program}},
                             {"testArgs", {"x"}},
                             {"testData", {"y"}},
                             {"benchmarks", {program, program}},
                             {"benchmarkArgs", {"z"}},
                             {"architectures", {"x86-64-v3"}},
                             {"families", {"gcc"}},
                             {"runner", {"qemu"}}});
  expectRoundTrip<Parameter>();
  expectRoundTrip<Fragment>(fragment);
  expectRoundTrip<ExternalFunction>();
  expectRoundTrip<CallingThreads>();
  expectRoundTrip<Loop>();
  const json contract = {{"extents", {{{"parameter", "p"}, {"direction", "inout"}, {"text", "n * 2"}}}},
                         {"requirements", {"n > 0"}},
                         {"mayAlias", {{{"first", "p"}, {"second", "q"}}}},
                         {"tolerance", {{"kind", "ulp"}, {"value", 2.5}}},
                         {"floatingPoint", "reassociate"},
                         {"specialValues", true},
                         {"isFinite", true}};
  expectRoundTrip<Extent>({{"direction", "out"}});
  expectRoundTrip<AliasPair>();
  expectRoundTrip<Tolerance>({{"kind", "relative"}});
  expectRoundTrip<Contract>(contract);
  expectRoundTrip<KernelSpec>(
      {{"language", "c"},
       {"namespaces", {"a"}},
       {"contract", contract},
       {"parameters", {{{"name", "n"}, {"type", "t"}, {"canonicalType", "c"}}}},
       {"prelude", {"#include <a>"}},
       {"closure", {fragment}},
       {"externals", {{{"name", "n"}, {"mangled", "m"}}}},
       {"macros", {"M"}},
       {"projectHeaders", {"/h"}},
       {"includes", {"<a>"}},
       {"overlaps", {{{"first", "a"}, {"second", "b"}}}},
       {"callers", {{"most", 4}, {"areSideBySide", true}}},
       {"permissions", {{{"check", "c"}, {"form", "f"}, {"text", "t"}, {"line", 1}, {"column", 2}, {"helper", "h"}}}},
       {"loops", {{{"line", 1}, {"column", 2}, {"depth", 3}, {"header", "for"}}}},
       {"parseArguments", {"-O2"}}});
  expectRoundTrip<Candidate>();
  expectRoundTrip<Pair>(pair);
  expectRoundTrip<Speedup>(speedup);
  expectRoundTrip<BenchmarkMeasurement>(benchmark);
  expectRoundTrip<Measurement>(measurement);
  expectRoundTrip<StageTime>();
  expectRoundTrip<Evaluation>({{"verdict", "not-faster"},
                               {"stage", "benchmark"},
                               {"findings", {finding}},
                               {"measurement", measurement},
                               {"againstIncumbent", nullptr},
                               {"times", {{{"name", "check"}, {"seconds", 0.5}}}}});
  expectRoundTrip<RunConfig>({{"seed", std::numeric_limits<std::uint64_t>::max()}});
}

/// Counts the members of an aggregate: the most initialisers it takes.
struct Anything {
  template <class T> operator T() const { return T{}; }
};
template <class T, class... Initializers> constexpr std::size_t memberCount() {
  if constexpr (requires { T{Initializers{}..., Anything{}}; })
    return memberCount<T, Initializers..., Anything>();
  else
    return sizeof...(Initializers);
}

template <class T> void expectAllMembersWritten() {
  EXPECT_EQ(json(T{}).size(), memberCount<T>())
      << typeid(T).name() << ": its list in tool/model/json.cpp is incomplete";
}

TEST(Json, EveryMemberOfEveryStructIsWritten) {
  expectAllMembersWritten<Finding>();
  expectAllMembersWritten<CompileCommand>();
  expectAllMembersWritten<Compiler>();
  expectAllMembersWritten<ProgramTarget>();
  expectAllMembersWritten<Manifest>();
  expectAllMembersWritten<Parameter>();
  expectAllMembersWritten<Fragment>();
  expectAllMembersWritten<ExternalFunction>();
  expectAllMembersWritten<CallingThreads>();
  expectAllMembersWritten<Loop>();
  expectAllMembersWritten<Extent>();
  expectAllMembersWritten<AliasPair>();
  expectAllMembersWritten<Tolerance>();
  expectAllMembersWritten<Contract>();
  expectAllMembersWritten<Permission>();
  expectAllMembersWritten<KernelSpec>();
  expectAllMembersWritten<Candidate>();
  expectAllMembersWritten<Pair>();
  expectAllMembersWritten<Speedup>();
  expectAllMembersWritten<BenchmarkMeasurement>();
  expectAllMembersWritten<Measurement>();
  expectAllMembersWritten<StageTime>();
  expectAllMembersWritten<Evaluation>();
  expectAllMembersWritten<RunConfig>();
}

TEST(Json, EveryWordOfEveryEnumRoundTrips) {
  for (const auto &[stage, name, rejected, next] : kStages)
    for (const Verdict verdict : {Verdict::Accepted, Verdict::Rejected, Verdict::NotFaster}) {
      Evaluation evaluation;
      evaluation.verdict = verdict;
      evaluation.stage = stage;
      const json object = evaluation;
      EXPECT_EQ(object["stage"], name);
      EXPECT_EQ(object["verdict"], verdictName(verdict));
      EXPECT_EQ(object.get<Evaluation>().stage, stage);
      EXPECT_EQ(object.get<Evaluation>().verdict, verdict);
    }
  for (const Comparison comparison : {Comparison::Faster, Comparison::Slower, Comparison::Same, Comparison::TooNoisy}) {
    Measurement measurement;
    measurement.comparison = comparison;
    EXPECT_EQ(json(measurement).get<Measurement>().comparison, comparison);
  }
  for (int kind = 0; kind <= static_cast<int>(Fragment::Kind::Directive); ++kind) {
    Fragment fragment;
    fragment.kind = static_cast<Fragment::Kind>(kind);
    EXPECT_EQ(json(fragment).get<Fragment>().kind, fragment.kind);
  }
}

TEST(Json, EveryWordOfAContractRoundTrips) {
  for (const Direction direction : {Direction::In, Direction::Out, Direction::InOut}) {
    const Extent extent{"p", direction, "1"};
    const json object = extent;
    EXPECT_EQ(object["direction"], directionName(direction));
    EXPECT_EQ(object.get<Extent>().direction, direction);
  }
  for (const Tolerance::Kind kind : {Tolerance::Kind::Absolute, Tolerance::Kind::Relative, Tolerance::Kind::Ulp})
    for (const FloatingPoint policy :
         {FloatingPoint::Unspecified, FloatingPoint::Strict, FloatingPoint::Contract, FloatingPoint::Reassociate}) {
      Contract contract;
      contract.tolerance = Tolerance{kind, 3};
      contract.floatingPoint = policy;
      const json object = contract;
      EXPECT_EQ(object["tolerance"]["kind"].get<std::string>() + " 3", toleranceText(*contract.tolerance));
      EXPECT_EQ(object.get<Contract>().tolerance->kind, kind);
      EXPECT_EQ(object.get<Contract>().floatingPoint, policy);
    }
}

TEST(Json, MissingNullAndUnknownFieldsLeaveTheDefaults) {
  const auto manifest = parseJson<Manifest>(R"({"kernel":"k","maxIterations":null,"fromTheFuture":[1]})", "it");
  ASSERT_TRUE(manifest) << manifest.error().message;
  EXPECT_EQ(manifest->kernel, "k");
  EXPECT_EQ(manifest->maxIterations, 50);
  EXPECT_EQ(manifest->agent, "builtin");
}

TEST(Json, ErrorsNameTheInputAndTheReason) {
  for (const char *text : {"", "{", "[]", "null", R"({"kernel":3})", R"({"targets":"a"})", R"({"tests":[1]})"}) {
    const auto manifest = parseJson<Manifest>(text, "the manifest m.json");
    ASSERT_FALSE(manifest) << text;
    EXPECT_EQ(manifest.error().kind, ErrorKind::User);
    EXPECT_THAT(manifest.error().message, HasSubstr("the manifest m.json"));
    EXPECT_FALSE(manifest.error().next.empty());
  }
  const auto evaluation = parseJson<Evaluation>(R"({"verdict":"maybe"})", "x");
  ASSERT_FALSE(evaluation);
  EXPECT_THAT(evaluation.error().message, HasSubstr("\"maybe\""));
}

TEST(Json, NonFiniteNumbersSurviveAsNull) {
  Measurement measurement;
  measurement.speedup.ratio = std::numeric_limits<double>::infinity();
  measurement.benchmarks.emplace_back().pairs = {{.reference = {1, std::nan(""), 3}, .candidate = {}}};
  const std::string text = dumpJson(measurement);
  EXPECT_THAT(text, HasSubstr("\"ratio\":null"));
  const auto read = parseJson<Measurement>(text, "x");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->speedup.ratio, 1);
  ASSERT_EQ(read->benchmarks.at(0).pairs.at(0).reference.size(), 3U);
  EXPECT_TRUE(std::isnan(read->benchmarks[0].pairs[0].reference[1]));
}

TEST(Json, NumbersRoundTripExactly) {
  for (const double value : {0.1, 1.0 / 3, 1e-300, 123456789.123456789}) {
    Evaluation evaluation;
    evaluation.seconds = value;
    const auto read = parseJson<Evaluation>(dumpJson(evaluation), "x");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->seconds, value);
  }
}

TEST(Json, InvalidUtf8IsReplacedNotThrownOn) {
  Evaluation evaluation;
  evaluation.detail = "a\xff b\n\x01";
  const std::string text = dumpJson(evaluation);
  EXPECT_EQ(text.find('\n'), std::string::npos) << "one line";
  const auto read = parseJson<Evaluation>(text, "x");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->detail, "a\xEF\xBF\xBD b\n\x01");
}

TEST(Json, CompileCommandsInBothForms) {
  const auto commands = parseJson<std::vector<CompileCommand>>(R"([
    {"directory":"/b","command":"/usr/bin/g++ -DX=\\\"a b\\\" -I\"/i j\" -o a.o -c /s/a.cpp","file":"/s/a.cpp","output":"a.o"},
    {"directory":"/b","arguments":["clang++","-c","../s/b.cpp"],"file":"../s/b.cpp"}])",
                                                               "compile_commands.json");
  ASSERT_TRUE(commands) << commands.error().message;
  ASSERT_EQ(commands->size(), 2U);
  EXPECT_THAT(commands->at(0).arguments,
              ElementsAre("/usr/bin/g++", "-DX=\"a", "b\"", "-I/i j", "-o", "a.o", "-c", "/s/a.cpp"));
  EXPECT_EQ(commands->at(0).output, "a.o");
  EXPECT_THAT(commands->at(1).arguments, ElementsAre("clang++", "-c", "../s/b.cpp"));
  EXPECT_EQ(commands->at(1).file, "/s/b.cpp");
  EXPECT_FALSE(parseJson<std::vector<CompileCommand>>("{}", "x"));
  EXPECT_FALSE(parseJson<std::vector<CompileCommand>>(R"([{"command":1}])", "x"));
}

} // namespace
} // namespace agentic
