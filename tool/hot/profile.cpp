#include "tool/hot/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace agentic {
namespace {

constexpr double kGreatestGain = 100;

/// The same function may be known by its place, by its symbol, or by both.
std::string keyOf(const SymbolFrame &frame, const std::string &module) {
  if (frame.line > 0)
    return frame.file + ":" + std::to_string(frame.line);
  return frame.linkageName + "@" + (frame.file.empty() ? module : frame.file);
}

struct Sum {
  HotFunction function;
  std::map<std::string, double> holders; ///< "": the function itself
};

class Adder {
public:
  Adder(const FramesAt &framesAt, const IsProjectFile &isProjectFile)
      : framesAt_(framesAt), isProjectFile_(isProjectFile) {}

  void add(const std::string &file, std::uint64_t offset, double samples) {
    total_ += samples;
    std::vector<SymbolFrame> frames = framesAt_(file, offset);
    if (frames.empty())
      frames.emplace_back();    // counts for the file
    std::set<std::string> seen; // recursion that is inlined in itself counts once
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const bool isHolder = i + 1 == frames.size();
      const SymbolFrame &frame = frames[i];
      if (!isHolder && (frame.file.empty() || !isProjectFile_(frame.file)))
        continue;
      const std::string key = keyOf(frame, file);
      if (!seen.insert(key).second)
        continue;
      Sum &sum = sums_[key];
      if (sum.function.linkageName.empty() || isHolder) // of inlined copies a compiler may tell the short name alone
        sum.function = {.name = frame.name,
                        .linkageName = frame.linkageName,
                        .file = frame.file,
                        .line = frame.line,
                        .module = file,
                        .holder = {},
                        .samples = sum.function.samples,
                        .own = sum.function.own,
                        .share = 0};
      sum.function.samples += samples;
      sum.function.own += seen.size() == 1 ? samples : 0;
      sum.holders[isHolder ? std::string() : frames.back().name] += samples;
    }
  }

  Profile take() {
    Profile profile{.samples = total_, .functions = {}};
    for (auto &[key, sum] : sums_) {
      sum.function.share = total_ > 0 ? sum.function.samples / total_ : 0;
      if (sum.holders.size() == 1)
        sum.function.holder = sum.holders.begin()->first;
      profile.functions.push_back(std::move(sum.function));
    }
    std::ranges::sort(profile.functions, [](const HotFunction &a, const HotFunction &b) {
      return std::tie(b.samples, b.own, a.file, a.line, a.linkageName, a.module) <
             std::tie(a.samples, a.own, b.file, b.line, b.linkageName, b.module);
    });
    return profile;
  }

private:
  const FramesAt &framesAt_;
  const IsProjectFile &isProjectFile_;
  std::map<std::string, Sum> sums_;
  double total_ = 0;
};

} // namespace

Profile profileOf(const std::vector<ProcessSamples> &processes, const FramesAt &framesAt,
                  const IsProjectFile &isProjectFile) {
  Adder adder(framesAt, isProjectFile);
  for (const ProcessSamples &process : processes)
    for (const auto &[place, count] : process.places) // those that were not kept are where the others are
      adder.add(place.first, place.second, double(count) * double(process.taken) / double(process.kept));
  return adder.take();
}

std::string shortNameOf(const std::string &name) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  std::string result;
  int depth = 0; // of template arguments
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::string_view rest = std::string_view(name).substr(i);
    if (rest.starts_with(kAnonymous)) {
      result += depth == 0 ? kAnonymous : std::string_view();
      i += kAnonymous.size() - 1;
    } else if (rest.starts_with("operator")) { // what follows may be brackets and blanks
      return result + std::string(rest.substr(0, rest.find('(', std::string_view("operator()").size() - 1)));
    } else if (name[i] == '<') {
      ++depth;
    } else if (name[i] == '>') {
      --depth;
    } else if (depth == 0 && name[i] == '(') {
      break;
    } else if (depth == 0 && name[i] == ' ') {
      result.clear(); // it was the return type
    } else if (depth == 0) {
      result += name[i];
    }
  }
  return result.empty() ? name : result;
}

double bestGain(double share) {
  return share >= 1 ? std::numeric_limits<double>::infinity() : 1 / (1 - std::max(share, 0.0));
}

std::string bestGainText(double share) {
  const double gain = bestGain(share);
  return gain > kGreatestGain ? fmt::format("more than {:.0f}x", kGreatestGain) : fmt::format("{:.2f}x", gain);
}

} // namespace agentic
