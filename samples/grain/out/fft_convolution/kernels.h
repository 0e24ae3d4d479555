// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/complex.cuh"
#include "device/launch.cuh"

namespace fft_convolution_kernels {

namespace a {
cudaError_t
enqueue(const float* signal, Complex<float>* a_out, cudaStream_t stream);
}  // namespace a

namespace response {
cudaError_t
enqueue(const float* kernel, Complex<float>* response_out, cudaStream_t stream);
}  // namespace response

namespace y {
cudaError_t
enqueue(const Complex<float>* a, const Complex<float>* constant, const Complex<float>* response,
        const Complex<float>* response_1, const Complex<float>* constant_2, float* y_out,
        cudaStream_t stream);
}  // namespace y

}  // namespace fft_convolution_kernels
