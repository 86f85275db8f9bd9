// Splits a stream of bytes into lines of bounded length. Pure: it reads no file.
#pragma once

#include "tool/mcp/json_rpc.h"

#include <string>
#include <string_view>
#include <vector>

namespace agentic::mcp {

class LineReader {
public:
  struct Line {
    std::string text;       ///< without its end ("\n" or "\r\n"); empty if it was too long
    bool isTooLong = false; ///< longer than kMostLineBytes: its bytes were dropped
  };

  /// Returns the lines that end in these bytes. Blank lines are left out.
  std::vector<Line> take(std::string_view bytes);

private:
  std::string rest_;
  bool isSkipping_ = false;
};

} // namespace agentic::mcp
