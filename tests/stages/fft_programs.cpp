// fft_programs: Fourier transforms of all kinds and of lengths of all kinds, compared with the evaluator.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct FftSpec {
  std::string name, from, to, kind, lengths;
};

StageProgram fft_program(const FftSpec& spec) {
  return {spec.name,
          "HloModule " + spec.name + "\n\nENTRY main {\n  x = " + spec.from + " parameter(0)\n  ROOT y = " + spec.to +
              " fft(x), fft_type=" + spec.kind + ", fft_length={" + spec.lengths + "}\n}\n",
          few_values(1000, false)};
}

// A cyclic convolution: the product of the spectra is computed where the inverse reads it.
constexpr const char* kConvolution = R"(HloModule convolution

ENTRY main {
  x = f32[3,10000] parameter(0)
  y = f32[10000] parameter(1)
  fx = c64[3,5001] fft(x), fft_type=RFFT, fft_length={10000}
  fy = c64[5001] fft(y), fft_type=RFFT, fft_length={10000}
  spread = c64[3,5001] broadcast(fy), dimensions={1}
  product = c64[3,5001] multiply(fx, spread)
  ROOT z = f32[3,10000] fft(product), fft_type=IRFFT, fft_length={10000}
}
)";

std::vector<StageProgram> programs() {
  const std::vector<FftSpec> transforms = {
      {"one", "c64[3,1]", "c64[3,1]", "FFT", "1"},
      {"two", "c64[3,2]", "c64[3,2]", "FFT", "2"},
      {"few", "c64[100,5]", "c64[100,5]", "IFFT", "5"},
      {"radix_8", "c64[5,512]", "c64[5,512]", "FFT", "512"},
      {"radix_4", "c64[2,3,16]", "c64[2,3,16]", "IFFT", "16"},
      {"primes", "c64[2,2310]", "c64[2,2310]", "FFT", "2310"},
      {"thirteens", "c64[3,169]", "c64[3,169]", "IFFT", "169"},
      {"longest_row", "c64[4096]", "c64[4096]", "FFT", "4096"},
      {"two_passes", "c64[2,8192]", "c64[2,8192]", "FFT", "8192"},
      {"odd_passes", "c64[6075]", "c64[6075]", "IFFT", "6075"},
      {"chirp", "c64[2,131]", "c64[2,131]", "FFT", "131"},
      {"inverse_chirp", "c64[262]", "c64[262]", "IFFT", "262"},
      {"long_chirp", "c64[5003]", "c64[5003]", "FFT", "5003"},
      {"real_even", "f32[3,60]", "c64[3,31]", "RFFT", "60"},
      {"real_odd", "f32[3,45]", "c64[3,23]", "RFFT", "45"},
      {"real_two", "f32[3,2]", "c64[3,2]", "RFFT", "2"},
      {"real_one", "f32[3,1]", "c64[3,1]", "RFFT", "1"},
      {"to_real_even", "c64[3,33]", "f32[3,64]", "IRFFT", "64"},
      {"to_real_odd", "c64[3,33]", "f32[3,65]", "IRFFT", "65"},
      {"to_real_two", "c64[3,2]", "f32[3,2]", "IRFFT", "2"},
      {"to_real_one", "c64[3,1]", "f32[3,1]", "IRFFT", "1"},
      {"planes", "c64[2,30,24]", "c64[2,30,24]", "FFT", "30,24"},
      {"real_planes", "f32[2,30,24]", "c64[2,30,13]", "RFFT", "30,24"},
      {"to_real_planes", "c64[2,30,13]", "f32[2,30,24]", "IRFFT", "30,24"},
      {"nothing", "c64[0,8]", "c64[0,8]", "FFT", "8"},
      {"wide_row", "c128[3,720]", "c128[3,720]", "FFT", "720"},
      {"wide_passes", "c128[4096]", "c128[4096]", "IFFT", "4096"},
      {"wide_chirp", "c128[2,137]", "c128[2,137]", "FFT", "137"},
      {"wide_real", "f64[3,500]", "c128[3,251]", "RFFT", "500"},
      {"wide_to_real", "c128[3,251]", "f64[3,500]", "IRFFT", "500"},
  };
  std::vector<StageProgram> result;
  for (const FftSpec& spec : transforms) result.push_back(fft_program(spec));
  result.push_back({"convolution", kConvolution, few_values(1000, false)});
  return result;
}

double tolerance(DType dtype) { return dtype == DType::kF64 ? 1e-14 : 1e-6; }

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs(), sinter::tolerance); }
