// A message put together from the pieces of a stream, unknown members included: it has to go back as it came.
#pragma once

#include "tool/base/wire_json.h"

namespace agentic {

/// Strings are joined (but names, ids and types are taken once), objects merged, arrays merged by the elements' `index`
/// or `id`. Linear in what it is given: of an array it keeps 256 elements.
class DeltaMerge {
public:
  void add(const Json &delta);
  Json take(); ///< always an object

private:
  Json merged_ = Json::object();
};

} // namespace agentic
