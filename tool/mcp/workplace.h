// Where the tools of one server work: the kernels of a build tree, a session each.
#pragma once

#include "tool/mcp/kernel_session.h"
#include "tool/model/manifest.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace agentic::mcp {

struct WorkplaceOptions {
  SessionSettings session; ///< options.target.kernel: this kernel only; empty: all of the tree
  /// Returns the page of a check, Markdown; empty: there is none.
  std::string_view (*checkPage)(std::string_view check) = nullptr;
  std::vector<std::string> checks; ///< names of all checks
  std::string knowledgeCommand{};  ///< the user's program that search_knowledge asks, too; empty: none
};

/// Thread-safe.
class Workplace {
public:
  explicit Workplace(WorkplaceOptions options) : options_(std::move(options)) {}
  ~Workplace() { stop(); }

  const WorkplaceOptions &options() const { return options_; }

  /// Returns the kernels as CMake wrote them last.
  Result<std::vector<Manifest>> manifests() const;
  /// Returns a kernel; an empty name means the only one.
  Result<Manifest> manifestOf(const std::string &kernel) const;
  /// Returns the session of a kernel, a new one if needed; an empty name means the only kernel.
  Result<KernelSession *> session(const std::string &kernel);
  /// Returns nullptr if nobody has asked for this kernel yet.
  KernelSession *known(const std::string &kernel);
  /// Begins to prepare the kernel if there is only one.
  void begin();
  void stop(); ///< ends whatever is in work; does not wait

private:
  const WorkplaceOptions options_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<KernelSession>> sessions_;
};

} // namespace agentic::mcp
