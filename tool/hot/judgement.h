// Whether a hot function can be a kernel, and the lines that make it one.
#pragma once

#include "tool/hot/hot_project.h"
#include "tool/hot/profile.h"

#include <string>
#include <vector>

namespace agentic {

struct Prospect;

/// The lines to paste.
struct PasteLines {
  std::string markerFile;
  unsigned markerLine = 0; ///< `markerLines` go in front of this line …
  std::vector<std::string> markerLines;
  unsigned markerColumn = 0; ///< … and the marker in front of this column of it; 0: it is in markerLines
  std::string function;      ///< as FUNCTION takes it
  std::string cmakeFile;     ///< `cmakeLines` go to its end
  std::vector<std::string> cmakeLines;
  std::string command; ///< what to run then
};

struct Judgement {
  enum class Kind {
    Kernel,     ///< it can be one
    Wrapper,    ///< the tool moves its loops into one
    Findings,   ///< it can be one when what `reason` tells is mended
    Refused,    ///< it cannot; `reason` and `next`
    IsKernel,   ///< it is one already, `kernel`, or a variant of it
    NotProject, ///< `reason` says whose it is
    Unknown     ///< nobody can tell: `reason` and `next`
  };
  Kind kind = Kind::Unknown;
  std::string kernel; ///< of IsKernel; the proposed name where there are lines to paste
  std::string file;   ///< of the function; empty: unknown
  unsigned line = 0;  ///< 0: unknown
  std::string reason, next;
  PasteLines paste; ///< of Kernel, Wrapper and Findings
};

/// "can be a kernel", "needs a wrapper", …
std::string judgementText(const Judgement &judgement);
const char *judgementName(Judgement::Kind kind); ///< "kernel", "wrapper", … in JSON

/// Judges functions of one project. Not thread-safe.
class Judge {
public:
  explicit Judge(const HotProject &project) : project_(project), objects_(project) {}

  /// Returns the text of the function's file by symbols where no debug information tells it; else that.
  std::string fileOf(const HotFunction &function);
  /// Parses the function's file two or three times (0.1-2 s), unless it is none of the project's.
  Judgement judge(const HotFunction &function);

private:
  Judgement judgeIn(const std::string &file, const HotFunction &function);
  Judgement propose(Prospect &prospect, const std::string &file, const std::string &target);
  std::string freshName(const std::string &function);

  const HotProject &project_;
  ObjectSources objects_;
  std::vector<std::string> names_; ///< of kernels that are proposed
};

/// Returns a name for a kernel, [a-z][a-z0-9_]*, from a function's: "ns::Sum2D" → "sum2d". Pure.
std::string kernelNameOf(const std::string &function);

} // namespace agentic
