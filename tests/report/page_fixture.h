// Reports for the tests of the page: a usual one, a hostile one, and a long one.
#pragma once

#include "tool/report/page_model.h"

#include <cstddef>
#include <memory>
#include <string>

namespace agentic {

struct PageFixture {
  PageModel page;
  std::shared_ptr<const std::string> texts[4]; ///< owners of the page's views
  std::shared_ptr<const std::vector<std::string>> owned;
};

/// Has two agents, 60 attempts of all verdicts, a winner with a lineage, a changed source, assembly and remarks.
PageFixture usualPage();

/// Has two runs of one kernel: that one, and one that cost nothing and found nothing.
PageFixture pageOfRuns();

/// Has script tags, handlers, control characters, bytes that are not UTF-8, a line of 1 MB: in every text.
PageFixture hostilePage();

/// Gives each attempt a source of its own of about 3 KB.
PageFixture longPage(std::size_t attempts);

} // namespace agentic
