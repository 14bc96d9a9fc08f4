#ifndef DATACTL_CSHA256_SHIM_H
#define DATACTL_CSHA256_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>

// Returns whether the processor has instructions for SHA-256.
static inline int datactl_has_sha256(void) {
  unsigned int a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1)) return 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

// Adds blocks of 64 bytes to the eight words of a state, by the instructions of the processor.
__attribute__((target("sha,sse4.1"))) static inline void datactl_add_to_sha256(
    uint32_t *state, const uint32_t *constants, const uint8_t *blocks, size_t count) {
  // The instructions expect the words of the state as ABEF and CDGH, with A and C in the highest
  // position.
  enum { reversed = 0x1B, upper_half = 0x0E };
  __m128i *parts = (__m128i *)state;
  __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128(parts), reversed);
  __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(parts + 1), reversed);
  __m128i abef = _mm_unpackhi_epi64(efgh, abcd);
  __m128i cdgh = _mm_unpacklo_epi64(efgh, abcd);
  const __m128i big_endian =
      _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
  for (const uint8_t *block = blocks; block < blocks + count * 64; block += 64) {
    const __m128i old_abef = abef, old_cdgh = cdgh;
    // The last 16 words of the schedule.
    __m128i words[4];
#pragma clang loop unroll(full)
    for (int group = 0; group < 16; group++) {
      __m128i *next = &words[group % 4];
      if (group < 4) {
        const __m128i *input = (const __m128i *)block + group;
        *next = _mm_shuffle_epi8(_mm_loadu_si128(input), big_endian);
      } else {
        const __m128i last = words[(group + 3) % 4];
        *next = _mm_sha256msg1_epu32(*next, words[(group + 1) % 4]);
        *next = _mm_add_epi32(*next, _mm_alignr_epi8(last, words[(group + 2) % 4], 4));
        *next = _mm_sha256msg2_epu32(*next, last);
      }
      const __m128i *added = (const __m128i *)constants + group;
      const __m128i sums = _mm_add_epi32(*next, _mm_loadu_si128(added));
      // Each instruction computes two rounds. After them, the old ABEF is CDGH.
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sums);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sums, upper_half));
    }
    abef = _mm_add_epi32(abef, old_abef);
    cdgh = _mm_add_epi32(cdgh, old_cdgh);
  }
  abcd = _mm_unpackhi_epi64(cdgh, abef);
  efgh = _mm_unpacklo_epi64(cdgh, abef);
  _mm_storeu_si128(parts, _mm_shuffle_epi32(abcd, reversed));
  _mm_storeu_si128(parts + 1, _mm_shuffle_epi32(efgh, reversed));
}
#else
static inline int datactl_has_sha256(void) { return 0; }

static inline void datactl_add_to_sha256(
    uint32_t *state, const uint32_t *constants, const uint8_t *blocks, size_t count) {
  (void)state;
  (void)constants;
  (void)blocks;
  (void)count;
}
#endif

#endif
