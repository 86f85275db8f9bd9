// What a kernel's baseline does with addresses that no rule permits: its candidates may do the same, and only that.
#pragma once

#include <string>

namespace agentic {

struct Permission {
  std::string check;             ///< the check that would find it: "forged-pointers"
  std::string form;              ///< what makes an expression of a candidate the same (ast-checks/address_forms.h)
  std::string text;              ///< the baseline's expression as written, on one line
  unsigned line = 0, column = 0; ///< in SOURCE, or where a candidate does it
  std::string helper{}; ///< the function of SOURCE that does it, which a candidate may call; "" = the kernel itself
  bool operator==(const Permission &) const = default;
};

/// Returns its line of a list: "line 12: '(uintptr_t)p & ~15' [forged-pointers]", and whose it is if not the kernel's.
inline std::string describe(const Permission &permission) {
  return "line " + std::to_string(permission.line) + ": '" + permission.text + "' [" + permission.check + "]" +
         (permission.helper.empty() ? "" : ", in '" + permission.helper + "'");
}

} // namespace agentic
