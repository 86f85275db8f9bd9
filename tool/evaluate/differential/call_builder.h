// Makes one generated call: a recorded one with other sizes, whose arrays are filled from recorded elements.
#pragma once

#include "tool/evaluate/differential/call_values.h"
#include "tool/evaluate/differential/contents.h"
#include "tool/evaluate/differential/generated_calls.h"

#include <cstddef>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace agentic {

class CallBuilder {
public:
  CallBuilder(const GenerationRequest &request, std::mt19937_64 &random)
      : request_(request), rules_(*request.contract), random_(random) {}

  /// Comes first. Empty, or why no call can be made.
  std::string prepare();

  /// Nothing: there are no elements to take, or more than `limit` bytes are needed. Its time is an estimate.
  std::optional<PlannedCall> build(const PlannedCall &model, const CallValues &values, Content content,
                                   std::size_t limit);

  /// Returns whether it is a number but no size: elements may be compared or combined with it.
  bool isComparedScalar(const GlueParameter &parameter) const;

private:
  bool isWithin(std::size_t limit, const RecordedCall &base, const CallValues &values) const;
  std::optional<double> extentIn(const GlueParameter &parameter, const CallValues &values) const;
  double comparedScalar(const CallValues &values) const;
  bool setElements(const GlueParameter &parameter, const CallValues &values, Content content,
                   RecordedArgument &argument);
  void rotate(std::vector<std::byte> &bytes, std::size_t size);
  void makeAlike(RecordedCall &call) const;
  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }

  const GenerationRequest &request_;
  ContractRules rules_;
  std::mt19937_64 &random_;
  std::map<std::string, Expression, std::less<>> extents_;
};

} // namespace agentic
