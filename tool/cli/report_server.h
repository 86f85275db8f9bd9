// Serves one page while a run goes on: on 127.0.0.1, on a free port, below a path that holds 128 random bits, to
// requests that name this host (not from a foreign page whose name resolves to 127.0.0.1), GET and HEAD. All else gets
// 404, 403 or 405, without a hint of the content. One thread, ended with the object.
#pragma once

#include "tool/base/error.h"

#include <functional>
#include <memory>
#include <string>

namespace agentic {

/// The content. The server's thread calls it, one call at a time.
struct ServedReport {
  std::function<std::string()> state;                        ///< differs when the page differs; cheap
  std::function<std::string(const std::string &state)> page; ///< HTML; called again only after the state has changed
};

class ReportServer {
public:
  /// Starts a server. Fails when no port can be opened.
  static Result<std::unique_ptr<ReportServer>> start(ServedReport report);
  virtual ~ReportServer() = default;
  virtual const std::string &url() const = 0; ///< "http://127.0.0.1:39599/6b1f…/"
};

} // namespace agentic
