// Another header of the same name, in front on the include path.
#pragma once

constexpr unsigned kStart = 1, kFactor = 2;
