// Serves one page while a run goes on: on 127.0.0.1, on a free port, below a path that holds 128 random bits, to
// requests that name this host (a page elsewhere whose name was turned to 127.0.0.1 does not), GET and HEAD. All else
// is 404, 403 or 405, without a hint of what is there. One thread, ended with the object.
#pragma once

#include "tool/base/error.h"

#include <functional>
#include <memory>
#include <string>

namespace agentic {

/// Called by the server's thread, one call at a time.
struct ServedReport {
  std::function<std::string()> state;                        ///< another text when the page is another; cheap
  std::function<std::string(const std::string &state)> page; ///< HTML; asked for again only after the state has changed
};

class ReportServer {
public:
  /// Fails when no port can be opened.
  static Result<std::unique_ptr<ReportServer>> start(ServedReport report);
  virtual ~ReportServer() = default;
  virtual const std::string &url() const = 0; ///< "http://127.0.0.1:39599/6b1f…/"
};

} // namespace agentic
