// Merges the pieces of a stream to a message, unknown members included: it has to go back as it came.
#pragma once

#include "tool/base/wire_json.h"

namespace agentic {

/// Joins strings (but takes names, ids and types once), merges objects, and merges arrays by the elements' `index` or
/// `id`. Linear in its input: keeps 256 elements of an array.
class DeltaMerge {
public:
  void add(const Json &delta);
  Json take(); ///< always an object

private:
  Json merged_ = Json::object();
};

} // namespace agentic
