// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/complex.cuh"
#include "device/launch.cuh"

namespace fft_convolution_kernels {

namespace fft {
cudaError_t
enqueue(const float* signal, Complex<float>* fft_4, cudaStream_t stream);
}  // namespace fft

namespace fft_2 {
cudaError_t
enqueue(const float* kernel, Complex<float>* fft_2_out, cudaStream_t stream);
}  // namespace fft_2

namespace fft_3 {
cudaError_t
enqueue(const Complex<float>* fft_4, const Complex<float>* constant, const Complex<float>* fft_2,
        const Complex<float>* constant_2, const Complex<float>* constant_3, float* fft,
        cudaStream_t stream);
}  // namespace fft_3

}  // namespace fft_convolution_kernels
