// Numbers of the elementary functions; written by tools/make_elementary_constants.py.
// Behind a polynomial's meaning stands the largest relative error of what is made of it; powers ascend.
#pragma once

#include <cstdint>

namespace actio::elementary::constants {

// clang-format off
inline constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
// pi/2, exactly enough for multiples up to 2^20
inline constexpr double half_pi[] = {0x1.921fb54442d18p+0, 0x1.1a62633200000p-54, -0x1.747f23e32ed70p-87};
// pi/2 as a sum of two
inline constexpr double half_pi_pair[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
// sin r = r + r^3 S(r^2), |r| <= pi/4; 2^-57.14
inline constexpr double sine[] = {-0x1.5555555555555p-3, 0x1.1111111111110p-7, -0x1.a01a01a019938p-13, 0x1.71de3a546095bp-19, -0x1.ae645412c560cp-26, 0x1.61217f0b800d5p-33, -0x1.ab17d404de5b3p-41};
// cos r = 1 - r^2/2 + r^4 C(r^2); 2^-59.47
inline constexpr double cosine[] = {0x1.5555555555555p-5, -0x1.6c16c16c16967p-10, 0x1.a01a019f4eb01p-16, -0x1.27e4fa17da09ep-22, 0x1.1eeb68e93b64cp-29, -0x1.907da367a37cbp-37};
// Bits of 2/pi behind the point, 64 a word, behind one word of zeros
inline constexpr std::uint64_t two_over_pi_bits[] = {0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};
inline constexpr double one_over_ln2 = 0x1.71547652b82fep+0;
// ln 2; multiples up to 2^13 of the first are exact
inline constexpr double ln2[] = {0x1.62e42fefa4000p-1, -0x1.8432a1b0e2634p-43};
// exp r - 1 = r + r^2/2 + r^3 E(r), |r| <= ln(2)/2; 2^-58.49
inline constexpr double exponential[] = {0x1.5555555555556p-3, 0x1.5555555555555p-5, 0x1.11111111109b3p-7, 0x1.6c16c16c167e1p-10, 0x1.a01a01a7c41d5p-13, 0x1.a01a01a47b054p-16, 0x1.71de0dae63bb3p-19, 0x1.27e4e1f48534fp-22, 0x1.af38a9b0ec855p-26, 0x1.1f66df7fca49fp-29};
inline constexpr double root_half = 0x1.6a09e667f3bcdp-1;
// log((1 + s/2)/(1 - s/2)) = s + s^3 L(s^2), |s| <= 0.3432; 2^-60.67
inline constexpr double logarithm[] = {0x1.5555555555555p-4, 0x1.9999999999998p-7, 0x1.249249249295ap-9, 0x1.c71c71c64c6c3p-12, 0x1.745d17d365b46p-14, 0x1.3b137b2ece4bcp-16, 0x1.111d2832da632p-18, 0x1.debeb0e5d974ap-21, 0x1.e6b14bf9246a8p-23};
inline constexpr double logarithm_0_low = 0x1.55758b31cb90dp-58;  // what L's first two coefficients lose by rounding
inline constexpr double logarithm_1_low = 0x1.fbd471031fd20p-62;
// pi/4; multiples up to 8 of the first are exact
inline constexpr double quarter_pi[] = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
// atan t = t + t^3 A(t^2), |t| <= 1/2; 2^-57.66
inline constexpr double arctangent[] = {-0x1.5555555555555p-2, 0x1.999999999998ep-3, -0x1.2492492491932p-3, 0x1.c71c71c68a0c5p-4, -0x1.745d172701e87p-4, 0x1.3b13ad5571f07p-4, -0x1.1110befb7253cp-4, 0x1.e1d8a9bad8600p-5, -0x1.aecb542412942p-5, 0x1.837a52499d8b8p-5, -0x1.56b2f82e012ddp-5, 0x1.166a8732cc738p-5, -0x1.633de283fb773p-6, 0x1.f5c3523066ab0p-8};
// asin t = t + t^3 B(t^2), |t| <= 1/2; 2^-58.69
inline constexpr double arcsine[] = {0x1.5555555555555p-3, 0x1.333333333332dp-4, 0x1.6db6db6db7c7fp-5, 0x1.f1c71c70ee54ap-6, 0x1.6e8ba31c9dc09p-6, 0x1.1c4ebd7735bf2p-6, 0x1.c99afe79266f3p-7, 0x1.7a70c2a695fe0p-7, 0x1.40e38d543d8d2p-7, 0x1.0a9849ba5937fp-7, 0x1.2031dbbbbad45p-7, 0x1.8f5a75293b096p-12, 0x1.7184808eff5eep-6, -0x1.898d77b6dddb2p-6, 0x1.f74bdb0d4b5bep-6};
// 2/sqrt(pi)
inline constexpr double two_over_root_pi[] = {0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56};
// -2/(3 sqrt(pi))
inline constexpr double third_of_that[] = {-0x1.812746b0379e7p-2, 0x1.ee12e49cab700p-57};
// erf x = (2/sqrt(pi)) (x - x^3/3) + x^5 F(x^2), |x| <= 1; 2^-57.98
inline constexpr double error[] = {0x1.ce2f21a042be2p-4, -0x1.b82ce31288b4ep-6, 0x1.565bcd0e6a2f8p-8, -0x1.c02db4002b715p-11, 0x1.f9a326f349f2cp-14, -0x1.f4d25b17f54c2p-17, 0x1.b9e6a8811781cp-20, -0x1.5f71af7b88120p-23, 0x1.fc855264f4898p-27, -0x1.4fb34a81fbaaap-30, 0x1.86e3e38000677p-34, -0x1.3e449f9d0ee2dp-38};
inline constexpr double error_centre = 0x1.0000000000000p+1;
// erfc x = exp(-x^2) G((x - c)/(x + c)), 1 <= x <= 6; 2^-52.7
inline constexpr double error_complement[] = {0x1.058671b52c776p-2, -0x1.b57034efd3f72p-2, 0x1.eeea7dc8a78b7p-3, -0x1.437f0b68c0bdcp-4, 0x1.e947159797158p-9, 0x1.ca95ed532b26cp-8, -0x1.bc25a4763b3cap-11, -0x1.016b5cdbae621p-10, 0x1.6d5ef188bff89p-15, 0x1.6da9701b2c57cp-13, 0x1.cdcd09b79ebebp-16, -0x1.ceb69de6e21dbp-16, -0x1.d4b0d3d3aaf27p-17, 0x1.75d432f39d289p-20, 0x1.fc947548a0e7cp-19, 0x1.3c3cdeef1f68fp-20, -0x1.1dc296ab25c2bp-21, -0x1.c49d5026d94f3p-22};
inline constexpr double error_complement_0_low = -0x1.43cea32440e0ap-58;  // what G's first coefficient loses by rounding
// clang-format on

}  // namespace actio::elementary::constants
