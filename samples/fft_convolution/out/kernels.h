// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/complex.cuh"
#include "device/launch.cuh"

namespace fft_convolution_kernels {

namespace fft_1 {
cudaError_t
enqueue(const float* signal, Complex<float>* fft, cudaStream_t stream);
}  // namespace fft_1

namespace fft_2 {
cudaError_t
enqueue(const float* kernel, Complex<float>* fft, cudaStream_t stream);
}  // namespace fft_2

namespace fft_3 {
cudaError_t
enqueue(const Complex<float>* fft,
        const Complex<float>* constant,
        const Complex<float>* fft_1,
        const Complex<float>* fft_2,
        const Complex<float>* constant_1,
        float* slice,
        cudaStream_t stream);
}  // namespace fft_3

}  // namespace fft_convolution_kernels
