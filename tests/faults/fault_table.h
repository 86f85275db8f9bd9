// The table of faults. The code that judges candidates must be judged, too: each row of faults.json is one mistake in
// one line of it (a comparison reversed, a limit dropped, a check left out), and names the test that must fail by it.
//
//   name    of the fault
//   file    that gets it
//   from    text that occurs there exactly once
//   to      what replaces it
//   test    executable
//   filter  GoogleTest filter of the named tests: at least one of them must fail
#pragma once

#include "tool/base/files.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace agentic {

struct Fault {
  std::string name, file, from, to, test, filter;
};

inline std::string contentOf(const fs::path &file) {
  const auto text = readFile(file);
  return text ? *text : std::string();
}

inline std::vector<Fault> faults() {
  std::vector<Fault> out;
  for (const nlohmann::json &row : nlohmann::json::parse(contentOf(fs::path(AGENTIC_TEST_DATA) / "faults.json")))
    out.push_back({row.at("name"), row.at("file"), row.at("from"), row.at("to"), row.at("test"), row.at("filter")});
  return out;
}

} // namespace agentic
