// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/complex.cuh"
#include "device/launch.cuh"

namespace fft_convolution_kernels {

cudaError_t
launch_dot_1(const float* signal, const float* constant, float* dot, cudaStream_t stream);

cudaError_t
launch_dot_2(const float* dot_in,
             const Complex<float>* constant,
             const Complex<float>* constant_1,
             Complex<float>* dot_out,
             cudaStream_t stream);

cudaError_t
launch_dot_3(const float* kernel, const float* constant, float* dot, cudaStream_t stream);

cudaError_t
launch_dot_4(const float* dot_in,
             const Complex<float>* fft,
             const Complex<float>* constant,
             Complex<float>* dot_out,
             cudaStream_t stream);

cudaError_t
launch_dot_5(const Complex<float>* dot_in,
             const Complex<float>* dot_in_1,
             const Complex<float>* constant,
             Complex<float>* dot_out,
             cudaStream_t stream);

cudaError_t
launch_dot_6(const Complex<float>* dot_in,
             const Complex<float>* constant,
             const Complex<float>* constant_1,
             Complex<float>* dot_out,
             cudaStream_t stream);

cudaError_t
launch_slice(const Complex<float>* dot, float* slice_out, cudaStream_t stream);

}  // namespace fft_convolution_kernels
