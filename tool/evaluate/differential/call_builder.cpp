#include "tool/evaluate/differential/call_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace agentic {
namespace {

constexpr std::uint64_t kApart = std::uint64_t{1} << 40; ///< arguments of generated calls do not touch each other

bool isPointer(const GlueParameter &parameter) {
  return parameter.kind == GlueParameter::Kind::Pointer || parameter.kind == GlueParameter::Kind::Range;
}

void setScalar(const GlueParameter &parameter, const CallValues &values, std::vector<std::byte> &bytes) {
  const auto value = values.find(parameter.name);
  if (value == values.end() || parameter.element == GlueParameter::Element::Floating || bytes.size() > 8)
    return;
  const std::int64_t integer = static_cast<std::int64_t>(value->second);
  std::memcpy(bytes.data(), &integer, bytes.size());
}

} // namespace

std::string CallBuilder::prepare() {
  for (const GlueParameter &parameter : *request_.parameters) {
    if (parameter.kind == GlueParameter::Kind::Opaque)
      return fmt::format("values of '{}' cannot be made", parameter.name);
    if (parameter.kind != GlueParameter::Kind::Pointer)
      continue;
    const Extent *extent = extentOf(*request_.contract, parameter.name);
    if (!extent)
      return fmt::format("the extent of '{}' is not declared", parameter.name);
    Result<Expression> expression = parseExpression(extent->text);
    if (!expression)
      return fmt::format("the extent of '{}' cannot be computed", parameter.name);
    extents_.emplace(parameter.name, std::move(*expression));
  }
  return {};
}

bool CallBuilder::isComparedScalar(const GlueParameter &parameter) const {
  return parameter.kind == GlueParameter::Kind::Scalar && !rules_.isSize(parameter.name);
}

std::optional<PlannedCall> CallBuilder::build(const PlannedCall &model, const CallValues &values, Content content,
                                              std::size_t limit) {
  const RecordedCall &base = model.call;
  PlannedCall planned{
      .call = {.header = base.header, .arguments = {}, .result = {}}, .isHeldOut = true, .origin = "generated"};
  if (!isWithin(limit, base, values))
    return std::nullopt;
  for (std::size_t i = 0; i < base.arguments.size(); ++i) {
    const GlueParameter &parameter = (*request_.parameters)[i];
    RecordedArgument argument = base.arguments[i];
    if (parameter.kind == GlueParameter::Kind::Scalar)
      setScalar(parameter, values, argument.bytes);
    if (parameter.kind == GlueParameter::Kind::Pointer && !setElements(parameter, values, content, argument))
      return std::nullopt;
    if (parameter.kind == GlueParameter::Kind::Range && argument.header.role != wire::Role::Out &&
        content != Content::Recorded)
      rotate(argument.bytes, parameter.elementSize);
    if (isPointer(parameter) && argument.header.role != wire::Role::Null)
      argument.header.address = kApart * (i + 1);
    planned.call.arguments.push_back(std::move(argument));
  }
  if (content == Content::EqualEnds)
    makeAlike(planned.call);
  const double growth = double(payloadBytes(planned.call)) / double(std::max<std::size_t>(1, payloadBytes(base)));
  planned.seconds = model.seconds * growth; // an estimate, so that a plan keeps its time limit
  return planned;
}

/// Checked before anything is made: it takes minutes to fill and sort buffers that are too large.
bool CallBuilder::isWithin(std::size_t limit, const RecordedCall &base, const CallValues &values) const {
  double total = 0;
  for (std::size_t i = 0; i < base.arguments.size(); ++i) {
    const GlueParameter &parameter = (*request_.parameters)[i];
    const RecordedArgument &argument = base.arguments[i];
    if (parameter.kind != GlueParameter::Kind::Pointer || argument.header.role == wire::Role::Null)
      total += double(argument.bytes.size());
    else if (const std::optional<double> extent = extentIn(parameter, values); extent && *extent >= 0)
      total += *extent * double(std::max<std::size_t>(1, parameter.elementSize));
    else
      return false;
  }
  return total <= double(limit);
}

std::optional<double> CallBuilder::extentIn(const GlueParameter &parameter, const CallValues &values) const {
  return valueOf(extents_.find(parameter.name)->second, lookupIn(values));
}

/// Returns the value that elements are compared with, or 0.
double CallBuilder::comparedScalar(const CallValues &values) const {
  for (const GlueParameter &parameter : *request_.parameters)
    if (const auto value = values.find(parameter.name); isComparedScalar(parameter) && value != values.end())
      return value->second;
  return 0;
}

/// False: there are no elements to take.
bool CallBuilder::setElements(const GlueParameter &parameter, const CallValues &values, Content content,
                              RecordedArgument &argument) {
  if (argument.header.role == wire::Role::Null)
    return true;
  const std::size_t size = std::max<std::size_t>(1, parameter.elementSize);
  const std::vector<std::byte> old = std::move(argument.bytes);
  const std::size_t count = std::size_t(*extentIn(parameter, values)), oldCount = old.size() / size;
  argument.bytes.assign(count * size, std::byte{0});
  if (count == 0)
    return true;
  if (oldCount == 0)
    return argument.header.role == wire::Role::Out;
  const std::size_t start = content == Content::Recorded ? 0 : below(oldCount);
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(argument.bytes.data() + i * size,
                old.data() + (content == Content::Constant ? start : (start + i) % oldCount) * size, size);
  if (argument.header.role != wire::Role::Out)
    arrange(argument.bytes, content,
            {parameter.element, size, request_.specialValues, request_.extremes, comparedScalar(values)}, random_);
  return true;
}

void CallBuilder::rotate(std::vector<std::byte> &bytes, std::size_t size) {
  if (size > 0 && bytes.size() >= 2 * size)
    std::ranges::rotate(bytes, bytes.begin() + std::ptrdiff_t(below(bytes.size() / size) * size));
}

/// Makes inputs of one size agree in their first and last quarter.
void CallBuilder::makeAlike(RecordedCall &call) const {
  const RecordedArgument *model = nullptr;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    RecordedArgument &argument = call.arguments[i];
    if (!isPointer((*request_.parameters)[i]) || argument.header.role != wire::Role::In)
      continue;
    const std::size_t size = std::max<std::size_t>(1, (*request_.parameters)[i].elementSize);
    const std::size_t quarter = argument.bytes.size() / size / 4 * size;
    if (model && model->bytes.size() == argument.bytes.size()) {
      std::memcpy(argument.bytes.data(), model->bytes.data(), quarter);
      std::memcpy(argument.bytes.data() + argument.bytes.size() - quarter,
                  model->bytes.data() + argument.bytes.size() - quarter, quarter);
    }
    model = model ? model : &argument;
  }
}

} // namespace agentic
