// A file the tool wrote or wants to write.
#pragma once

#include <string>

namespace agentic {

struct GeneratedFile {
  std::string name; ///< file name within VARIANT_DIR
  std::string text;
};

} // namespace agentic
