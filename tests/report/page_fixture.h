// Reports for the tests of the page: what a run looks like, what a hostile one looks like, and a long one.
#pragma once

#include "tool/report/page_model.h"

#include <cstddef>
#include <memory>
#include <string>

namespace agentic {

struct PageFixture {
  PageModel page;
  std::shared_ptr<const std::string> texts[4]; ///< what the page has views of
  std::shared_ptr<const std::vector<std::string>> owned;
};

/// Two agents, 60 attempts of all verdicts, a winner with a lineage, a changed source, assembly and remarks.
PageFixture usualPage();

/// Two runs of one kernel: that one, and one that cost nothing and found nothing.
PageFixture pageOfRuns();

/// Script tags, handlers, control characters, bytes that are not UTF-8, a line of 1 MB: in every text that there is.
PageFixture hostilePage();

/// Each attempt with a source of its own of about 3 KB.
PageFixture longPage(std::size_t attempts);

} // namespace agentic
