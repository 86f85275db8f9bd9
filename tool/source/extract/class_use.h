// What a member function's text uses of its object and of its class, for a free function with the same text.
#pragma once

#include "tool/source/extract/extract_unit.h"
#include "tool/source/extract/source_edits.h"

#include <string>
#include <vector>

namespace agentic {

class ClassUse {
public:
  struct Field {
    const clang::FieldDecl *declaration;
    bool isOnlyRead = true; ///< and never through its address
    bool mayChange = false; ///< while the function runs, by another way
  };

  /// Looks at the whole definition. What means nothing outside the class is edited: `this->` is left out, and names of
  /// the class are qualified.
  ClassUse(const ParsedUnit &unit, const clang::FunctionDecl &function, SourceEdits &edits);

  const std::vector<Field> &fields() const { return fields_; } ///< of `this`, in the order of their first use
  const std::string &name() const { return name_; }            ///< the first name of the class; empty if there is none
  /// Why a free function cannot do the same, with its place; empty if it can.
  const std::string &problem() const { return problem_; }

private:
  std::vector<Field> fields_;
  std::string name_, problem_;
};

} // namespace agentic
