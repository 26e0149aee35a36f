// ACTIO_CPU_CLONES in front of a function compiles it for AVX-512, AVX2 and the baseline; the processor chooses when
// the program starts. Contraction to fused multiply-add is off everywhere, so that all clones give the same bits.
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ACTIO_CPU_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
// The same where fused operations are asked for.
#define ACTIO_FUSED_CLONES __attribute__((target_clones("avx512f", "arch=haswell", "default")))
#else
#define ACTIO_CPU_CLONES
#define ACTIO_FUSED_CLONES
#endif

// A kernel that must take the target of the clone it stands in.
#define ACTIO_ALWAYS_INLINE inline __attribute__((always_inline))
