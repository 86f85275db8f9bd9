// A kernel that a recorder audits, for audited_program.cpp and the candidates of it.
#pragma once

/// out[i] = 2 * in[i] + i. The contract: reads n of `in`, reads and writes n of `out`, absolute tolerance.
using AuditedKernel = void(const float *in, float *out, long n);
