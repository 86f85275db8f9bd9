// A kernel's glue: builds the shared object by which the runner and the recorder call the kernel, and reads its
// description of the parameters.
#pragma once

#include "tool/base/error.h"
#include "tool/build/compile.h"
#include "tool/build/sandbox.h"

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// agentic_parameter of tool/runner/glue_abi.h, for the parent process.
struct GlueParameter {

  enum class Kind { Scalar, Pointer, Object, Range, Opaque };
  enum class Element { Bytes, Signed, Unsigned, Floating };
  enum class Direction { In, Out, InOut };
  /// A number in a struct, or some of a kind one behind the other.
  struct Member {
    std::string name;
    Element element = Element::Bytes;
    std::size_t offset = 0, size = 0; ///< bytes; of one of them
    std::size_t count = 1;
  };

  std::string name; ///< "" if unnamed
  Kind kind = Kind::Opaque;
  Element element = Element::Bytes;
  Direction direction = Direction::In;
  bool isDeclared = false; ///< the contract says the direction
  bool hasExtent = false;  ///< the contract declares the number of elements behind the pointer
  bool isReference = false;
  std::size_t size = 0, alignment = 0;               ///< of the argument's own storage, bytes
  std::size_t elementSize = 0, elementAlignment = 0; ///< bytes; 0 if it has no elements
  std::vector<Member> members; ///< numbers in an element that is a struct; the glue does not know them
};

struct GlueDescription {
  std::vector<GlueParameter> parameters; ///< in the kernel's order
  GlueParameter result;                  ///< size 0 = void
  bool hasRequirements = false;
  /// The reason why calls of this kernel cannot be captured: "parameter 'f' is of a type that …". Empty if they can.
  std::string opaque;
};

/// One text of source/emit_glue.h, and the way in which the project's units are compiled.
struct GlueRequest {
  std::string kernel;
  std::string text;
  CompileRequest compile;       ///< request for any unit of the kernel: unitFile and objectFile do not count
  std::string directory;        ///< gets glue-<key>.so or entry-<key>.o; absolute
  std::string cacheKey;         ///< key of the included inputs: headers, compiler
  bool needsCxxLibrary = false; ///< the compiler links C (build/compile.h)
};

struct BuiltGlue {
  std::string library; ///< empty: it did not compile or link, and `problem` has the reason
  std::string problem; ///< the compiler's first error; not the user's fault
};

/// Compiles and links the glue (emitGlue) unless the same text was built before; ~0.5 s. Errors: only failures of the
/// machinery.
Result<BuiltGlue> buildGlue(const GlueRequest &request);

/// Returns the entry of all candidates of a kernel (emitEntry) as an object file, from the cache if the same text was
/// compiled before. Empty if it does not compile: then the plain entry serves. ~0.5 s, from the cache ~0.1 ms.
Result<std::string> buildEntry(const GlueRequest &request);

/// Asks the glue for its table in a process of its own under the sandbox (agentic-kernel-runner --describe); ~10 ms.
Result<GlueDescription> describeGlue(const Sandbox &sandbox, const std::string &library, const std::string &kernel);
/// Parses the output of that process; hostile input.
Result<GlueDescription> parseGlueDescription(std::string_view json);

/// Returns the path of a program or library of the tool in libexec/agentic-kernel/ beside the folder of the running
/// program: "agentic-kernel-runner", "libagentic-kernel-recorder.so". Errors: it is not there (a damaged installation).
Result<std::string> helperFile(std::string_view name);
inline constexpr const char *kRunnerProgram = "agentic-kernel-runner";
inline constexpr const char *kRecorderLibrary = "libagentic-kernel-recorder.so";
inline constexpr const char *kSamplerLibrary = "libagentic-kernel-sampler.so";

} // namespace agentic
