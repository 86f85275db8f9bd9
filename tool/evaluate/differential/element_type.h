// Maps the glue's description of an element to its C++ type.
#pragma once

#include "tool/build/glue.h"

#include <cstddef>
#include <cstdint>

namespace agentic {

/// Calls `use` with a value of the element's type, if it is a number of one of the usual sizes.
template <class Use> void withElementType(GlueParameter::Element element, std::size_t size, const Use &use) {
  const bool isSigned = element == GlueParameter::Element::Signed;
  if (element == GlueParameter::Element::Floating)
    return size == 4 ? use(float()) : size == 8 ? use(double()) : void();
  if (element != GlueParameter::Element::Unsigned && !isSigned)
    return;
  switch (size) {
  case 1:
    return isSigned ? use(std::int8_t()) : use(std::uint8_t());
  case 2:
    return isSigned ? use(std::int16_t()) : use(std::uint16_t());
  case 4:
    return isSigned ? use(std::int32_t()) : use(std::uint32_t());
  case 8:
    return isSigned ? use(std::int64_t()) : use(std::uint64_t());
  default:
    return;
  }
}

} // namespace agentic
