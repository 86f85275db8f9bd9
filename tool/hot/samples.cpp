#include "tool/hot/samples.h"

#include "tool/base/text.h"
#include "tool/runner/sample_file.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <vector>

namespace agentic {
namespace {

using sampler::Header;

struct Mapping {
  std::uint64_t begin = 0, end = 0, offset = 0;
  std::string file;
};

std::optional<std::uint64_t> hexadecimal(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// "7f00-7f10 r-xp 00001000 fe:00 12345      /usr/lib/lib x.so": fields have one blank between, the path has several
/// before it.
std::optional<Mapping> mappingOf(std::string_view line) {
  std::string_view fields[5];
  for (std::string_view &field : fields) {
    const std::size_t blank = line.find(' ');
    field = line.substr(0, blank);
    line.remove_prefix(blank == std::string_view::npos ? line.size() : blank + 1);
  }
  const std::size_t dash = fields[0].find('-');
  if (dash == std::string_view::npos || fields[1].size() != 4)
    return std::nullopt;
  const auto begin = hexadecimal(fields[0].substr(0, dash)), end = hexadecimal(fields[0].substr(dash + 1)),
             offset = hexadecimal(fields[2]);
  if (!begin || !end || !offset || *begin >= *end)
    return std::nullopt;
  return Mapping{*begin, *end, *offset, std::string(trim(line))};
}

/// Returns the mappings, the newest reading first: in it an address means what it meant last.
std::vector<Mapping> mappingsOf(std::string_view text) {
  std::vector<std::vector<Mapping>> readings(1);
  for (const std::string &line : split(text, '\n')) {
    if (line == "@")
      readings.emplace_back();
    else if (auto mapping = mappingOf(line))
      readings.back().push_back(std::move(*mapping));
  }
  std::vector<Mapping> all;
  for (auto reading = readings.rbegin(); reading != readings.rend(); ++reading)
    all.insert(all.end(), reading->begin(), reading->end());
  return all;
}

} // namespace

Result<ProcessSamples> parseSamples(std::string_view bytes) {
  const auto bad = [](const std::string &why) {
    return userError("a file of samples " + why, "run the same command again; do not write below its folder meanwhile");
  };
  Header header;
  if (bytes.size() != sampler::kFileBytes)
    return bad("has an unexpected size");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != sampler::kMagic || header.capacity != sampler::kCapacity ||
      header.mapsCapacity != sampler::kMapsCapacity || header.mapsSize > sampler::kMapsCapacity)
    return bad("contradicts itself");
  ProcessSamples result;
  result.program.assign(header.program, ::strnlen(header.program, sizeof header.program));
  result.taken = header.count;
  result.kept = std::min(header.count, sampler::kCapacity);
  result.endedEarly = header.flags & sampler::kSignalTaken;
  result.lacksTimers = header.flags & sampler::kNoTimer;
  const std::vector<Mapping> mappings = mappingsOf(bytes.substr(sizeof header, header.mapsSize));
  const char *samples = bytes.data() + sizeof header + sampler::kMapsCapacity;
  std::map<std::uint64_t, std::uint64_t> counters;
  for (std::uint64_t i = 0; i < result.kept; ++i) {
    std::uint64_t place = 0;
    std::memcpy(&place, samples + i * sizeof place, sizeof place);
    ++counters[place];
  }
  for (const auto &[place, count] : counters) {
    const auto mapping = std::ranges::find_if(
        mappings, [&](const Mapping &mapping) { return mapping.begin <= place && place < mapping.end; });
    if (mapping == mappings.end())
      result.places[{"", 0}] += count;
    else
      result.places[{mapping->file, place - mapping->begin + mapping->offset}] += count;
  }
  return result;
}

} // namespace agentic
