#include "nbody_forces.h"

#include <agentic_kernel.h>
#include <cmath>

namespace nbody {

AGENTIC_KERNEL
AGENTIC_IN(x, count) AGENTIC_IN(y, count) AGENTIC_IN(z, count) AGENTIC_IN(m, count)
AGENTIC_OUT(ax, count) AGENTIC_OUT(ay, count) AGENTIC_OUT(az, count)
AGENTIC_REQUIRES(softening > 0)
AGENTIC_TOLERANCE(absolute 1e-4)
AGENTIC_FP(finite)
void accelerations(const float *x, const float *y, const float *z, const float *m, float *ax, float *ay, float *az,
                   std::size_t count, float softening) {
  for (std::size_t i = 0; i < count; ++i) {
    float sumX = 0.0f;
    float sumY = 0.0f;
    float sumZ = 0.0f;
    for (std::size_t j = 0; j < count; ++j) {
      const float dx = x[j] - x[i];
      const float dy = y[j] - y[i];
      const float dz = z[j] - z[i];
      const float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
      const float strength = m[j] * inverse * inverse * inverse;
      sumX += strength * dx;
      sumY += strength * dy;
      sumZ += strength * dz;
    }
    ax[i] = sumX;
    ay[i] = sumY;
    az[i] = sumZ;
  }
}

} // namespace nbody
