// A C++ file as the lint rules see it: includes, and identifiers outside comments and literals.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agentic::lint {

struct Include {
  unsigned line = 0;
  std::string path; ///< between the quotes or angle brackets
  bool isQuoted = false;
};

struct Identifier {
  unsigned line = 0;
  std::string text;
  bool isCalled = false;  ///< a '(' follows
  bool isForeign = false; ///< a member, or qualified by anything but std
};

struct SourceText {
  std::vector<Include> includes;
  std::vector<Identifier> identifiers;
  std::vector<unsigned> bareAssertions; ///< lines of GoogleTest's EXPECT_… and ASSERT_… that are all that an `if` does
  std::vector<unsigned> droppedOwners; ///< lines of TRY statements that drop a lock or a folder as soon as they have it
  unsigned lines = 0;
  bool hasPragmaOnce = false;
};

SourceText readSource(std::string_view text);

} // namespace agentic::lint
