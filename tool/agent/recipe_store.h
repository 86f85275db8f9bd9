// Remembers winning recipes by the shape of their kernel, in one small file that all projects of a user share.
//
// A line of JSON per result, appended under a lock; a torn or foreign line is skipped. It only decides the order of
// trials: everything is evaluated again.
#pragma once

#include "tool/base/error.h"
#include "tool/model/kernel_spec.h"

#include <string>
#include <vector>

namespace agentic {

/// Returns the loops as they are written, with level and family: unchanged while a kernel's computations are edited,
/// and equal for kernels of the same structure.
std::string shapeOf(const KernelSpec &spec, const std::string &level, const std::string &family);

class RecipeStore {
public:
  /// `path`: the file; created by the first remember(). Empty: nothing is remembered.
  explicit RecipeStore(std::string path) : path_(std::move(path)) {}

  /// Returns the recipes that won on this shape, by speedup; at most four. Unreadable = none.
  std::vector<std::string> recall(const std::string &shape) const;

  /// Adds a result. Keeps the file below some 2,000 lines: the newest stay.
  Result<void> remember(const std::string &shape, const std::string &kernel, const std::string &recipe,
                        double ratio) const;

private:
  std::string path_;
};

} // namespace agentic
