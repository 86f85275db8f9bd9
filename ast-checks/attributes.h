// Finds attributes outside a short list, as tokens: known, unknown and ignored ones alike.
#pragma once

#include "ast-checks/check.h"

#include <string>
#include <vector>

namespace agentic::checks {

class Attributes : public Check {
public:
  void token(const clang::Token &, Context &) override;

private:
  enum class Syntax { None, Gnu, Standard }; ///< __attribute__((…)), [[…]]
  struct Part {
    std::string spelling;
    unsigned location = 0; ///< raw clang::SourceLocation
  };
  void open(Syntax syntax);
  void judge(Context &context) const;
  void judgeItem(const std::vector<Part> &item, const std::string &usingScope, Context &context) const;

  Syntax syntax_ = Syntax::None;
  int depth_ = 0; ///< depth of brackets and parentheses since the specifier began
  bool afterSquare_ = false;
  std::vector<Part> parts_;
};

} // namespace agentic::checks
