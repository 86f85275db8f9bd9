#include "tests/llm/fuzz_mutations.h"

#include "tool/base/text.h"
#include "tool/base/wire_json.h"

#include <algorithm>

namespace agentic {
namespace {

void changeBytes(std::string &text, const std::string &other, Random &random) {
  if (text.empty())
    return;
  const std::size_t at = random.below(text.size());
  const std::size_t size = 1 + random.below(std::min<std::size_t>(64, text.size() - at));
  switch (random.below(7)) {
  case 0:
    text[at] = static_cast<char>(random.next());
    break;
  case 1:
    text.insert(at, random.bytes(1 + random.below(8)));
    break;
  case 2:
    text.erase(at, size);
    break;
  case 3:
    text.insert(at, text.substr(at, size));
    break;
  case 4:
    text.resize(at);
    break;
  case 5:
    text = text.substr(0, at) + other.substr(random.below(other.size() + 1));
    break;
  default:
    text[at] ^= static_cast<char>(1u << random.below(8));
    break;
  }
}

Json randomValue(Random &random) {
  switch (random.below(14)) {
  case 0:
    return nullptr;
  case 1:
    return true;
  case 2:
    return -1;
  case 3:
    return 1e308;
  case 4:
    return std::uint64_t{18446744073709551615u};
  case 5:
    return std::int64_t{-9223372036854775807 - 1};
  case 6:
    return "";
  case 7:
    return random.bytes(random.below(20)); // also what is no UTF-8
  case 8:
    return Json::array();
  case 9:
    return Json::object();
  case 10:
    return Json::array({Json::object({{"index", -1}, {"id", 7}})});
  case 11:
    return "<think>";
  case 12:
    return Json{{"error", {{"code", 400 + random.below(200)}, {"message", "hostile-secret-0123456789"}}}};
  default:
    return std::string(1000, '\\') + "\"\n";
  }
}

/// Returns a random node below `node`, by a random walk down.
Json &someNode(Json &node, Random &random) {
  Json *current = &node;
  while (current->is_structured() && !current->empty() && random.below(4) != 0) {
    auto element = current->begin();
    std::advance(element, static_cast<std::ptrdiff_t>(random.below(current->size())));
    current = &*element;
  }
  return *current;
}

void changeJson(Json &json, Random &random) {
  Json &node = someNode(json, random);
  switch (random.below(5)) {
  case 0:
    if (node.is_object() && !node.empty()) {
      node.erase(node.begin());
      return;
    }
    break;
  case 1:
    if (node.is_array() && !node.empty()) {
      node.push_back(node[random.below(node.size())]);
      return;
    }
    break;
  case 2: {
    const Json copy = someNode(json, random);
    node = copy;
    return;
  }
  case 3:
    if (node.is_object()) {
      constexpr const char *kNames[] = {"error", "type",  "index", "delta", "content", "tool_calls",
                                        "done",  "usage", "id",    "input", "choices", "output"};
      node[kNames[random.below(std::size(kNames))]] = randomValue(random);
      return;
    }
    break;
  default:
    break;
  }
  node = randomValue(random);
}

/// Changes the JSON of one line, whatever text is before it.
void changeOneLine(std::string &text, Random &random) {
  std::vector<std::string> lines = split(text, '\n');
  std::string &line = lines[random.below(lines.size())];
  const std::size_t begin = line.find_first_of("{[");
  if (begin == std::string::npos)
    return;
  if (auto json = parseWireJson(trim(line.substr(begin)))) {
    changeJson(*json, random);
    line = line.substr(0, begin) + dumpWireJson(*json);
  }
  text = join(lines, "\n");
}

void changeFraming(std::string &text, Random &random) {
  constexpr const char *kPieces[] = {"\n",
                                     "\r",
                                     "\r\n\r\n",
                                     "\n\n",
                                     ": ping\n\n",
                                     "data:",
                                     "event: error\n",
                                     "data: [DONE]\n\n",
                                     "\xEF\xBB\xBF",
                                     "id: 1\n",
                                     "data: {}\n\n",
                                     "data: \n",
                                     "retry: 5\n",
                                     "{\"error\":\"x\"}\n"};
  const std::string piece = kPieces[random.below(std::size(kPieces))];
  std::vector<std::string> lines = split(text, '\n');
  const std::size_t at = random.below(lines.size());
  switch (random.below(5)) {
  case 0:
    text.insert(random.below(text.size() + 1), piece);
    return;
  case 1:
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
    break;
  case 2:
    std::swap(lines[at], lines[random.below(lines.size())]);
    break;
  case 3:
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), lines[random.below(lines.size())]);
    break;
  default:
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), piece);
    break;
  }
  text = join(lines, "\n");
}

} // namespace

std::uint64_t Random::next() {
  state_ += 0x9E3779B97F4A7C15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

std::string Random::bytes(std::size_t count) {
  std::string text(count, '\0');
  for (char &c : text)
    c = static_cast<char>(next());
  return text;
}

std::string mutated(std::string text, const std::string &other, Random &random) {
  for (std::size_t changes = 1 + random.below(4); changes > 0; --changes)
    switch (random.below(4)) {
    case 0:
      changeBytes(text, other, random);
      break;
    case 1:
      changeFraming(text, random);
      break;
    default:
      changeOneLine(text, random);
      break;
    }
  return text;
}

std::vector<std::string> split(const std::string &text, Random &random) {
  switch (random.below(3)) {
  case 0:
    return {text};
  case 1: {
    const std::size_t at = random.below(text.size() + 1);
    return {text.substr(0, at), text.substr(at)};
  }
  default:
    break;
  }
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = random.below(9);
    pieces.push_back(text.substr(at, size));
    at += size;
  }
  return pieces;
}

} // namespace agentic
