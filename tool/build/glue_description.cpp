#include "tool/base/text.h"
#include "tool/build/glue.h"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

using nlohmann::json;

constexpr double kDescribeSeconds = 10;
constexpr std::size_t kMostParameters = 256;

/// Accepts only values that the enumeration has: the text comes from a process that is not trusted.
template <class T> T enumeratorOf(const json &value, T last) {
  const int number = value.get<int>();
  if (number < 0 || number > static_cast<int>(last))
    throw json::other_error::create(599, "a number that means nothing", nullptr);
  return static_cast<T>(number);
}

GlueParameter parameterOf(const json &row) {
  GlueParameter parameter;
  parameter.name = row.at("name").get<std::string>();
  parameter.kind = enumeratorOf(row.at("kind"), GlueParameter::Kind::Opaque);
  parameter.element = enumeratorOf(row.at("element"), GlueParameter::Element::Floating);
  parameter.direction = enumeratorOf(row.at("direction"), GlueParameter::Direction::InOut);
  parameter.isDeclared = row.at("declared").get<int>() != 0;
  parameter.isReference = row.at("reference").get<int>() != 0;
  parameter.hasExtent = row.at("extent").get<int>() != 0;
  parameter.size = row.at("size").get<std::size_t>();
  parameter.alignment = row.at("alignment").get<std::size_t>();
  parameter.elementSize = row.at("elementSize").get<std::size_t>();
  parameter.elementAlignment = row.at("elementAlignment").get<std::size_t>();
  return parameter;
}

std::string opaqueReason(const GlueDescription &description) {
  for (const GlueParameter &parameter : description.parameters)
    if (parameter.kind == GlueParameter::Kind::Opaque)
      return "parameter '" + parameter.name + "' is of a type whose values cannot be copied as bytes";
  if (description.result.kind == GlueParameter::Kind::Opaque)
    return "the result is of a type whose values cannot be copied as bytes";
  return {};
}

} // namespace

Result<GlueDescription> parseGlueDescription(std::string_view text) {
  try {
    const json object = json::parse(text);
    GlueDescription description;
    if (object.at("parameters").size() > kMostParameters)
      return bugError("the description of a kernel's glue has too many parameters");
    for (const json &row : object.at("parameters"))
      description.parameters.push_back(parameterOf(row));
    description.result = parameterOf(object.at("result"));
    description.hasRequirements = object.at("requirements").get<int>() != 0;
    description.opaque = opaqueReason(description);
    return description;
  } catch (const json::exception &error) {
    return bugError(std::string("the description of a kernel's glue cannot be read: ") + error.what());
  }
}

Result<GlueDescription> describeGlue(const Sandbox &sandbox, const std::string &library, const std::string &kernel) {
  std::string runner = TRY(helperFile(kRunnerProgram));
  ProcessSpec spec;
  spec.argv = {runner, "--describe", library, kernel};
  spec.timeoutSeconds = kDescribeSeconds;
  Sandbox::View view;
  view.readOnly = {runner, library};
  ProcessResult done = TRY(sandbox.run(std::move(spec), view));
  if (done.end == ProcessResult::End::Cancelled)
    return interruptedError();
  if (!done.ok())
    return bugError("the glue of kernel '" + kernel + "' cannot be loaded: the runner " + done.describe() + "\n" +
                    std::string(trim(done.err)));
  return parseGlueDescription(done.out);
}

} // namespace agentic
