// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/complex.cuh"
#include "device/launch.cuh"

namespace fft_convolution_kernels {

cudaError_t
launch_fft(const float* signal, Complex<float>* fft_out, cudaStream_t stream);

cudaError_t
launch_fft_2(const float* kernel, Complex<float>* fft, cudaStream_t stream);

cudaError_t
launch_fft_3(const Complex<float>* fft_in,
             const Complex<float>* constant,
             const Complex<float>* fft_1_in,
             const Complex<float>* fft_2_in,
             const Complex<float>* constant_1,
             float* fft_out,
             cudaStream_t stream);

}  // namespace fft_convolution_kernels
