// times t_*_matmul, t_*_skinny_matmul, t_contractions_*, m_tensor_*: cuBLASLt, which is not by this hand, but whose kernels are by one. It is
// built in where there is a cublasLt.h (SINTER_CUBLASLT).
#include "bench/handwritten/yardstick.h"

#ifndef SINTER_CUBLASLT

int main(int, char**) {
  std::fprintf(stderr, "built without cuBLASLt\n");
  return yardstick::kNotBuilt;
}

#else

#include <cublasLt.h>

namespace {

using yardstick::Array;

void must(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s: cuBLASLt status %d\n", what, static_cast<int>(status));
  std::exit(yardstick::kWrong);
}

// C = A B of row-major arrays, which to cuBLASLt is C^T = B^T A^T of column-major ones. f32 is multiplied as f32.
class Product {
 public:
  Product(cudaDataType_t type, int64_t m, int64_t n, int64_t k) : workspace_(kWorkspace / 4) {
    must(cublasLtCreate(&handle_), "create");
    must(cublasLtMatmulDescCreate(&product_, CUBLAS_COMPUTE_32F, CUDA_R_32F), "description");
    must(cublasLtMatrixLayoutCreate(&a_, type, k, m, k), "layout");
    must(cublasLtMatrixLayoutCreate(&b_, type, n, k, n), "layout");
    must(cublasLtMatrixLayoutCreate(&c_, type, n, m, n), "layout");
    cublasLtMatmulPreference_t preference;
    must(cublasLtMatmulPreferenceCreate(&preference), "preference");
    const size_t bytes = kWorkspace;
    must(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes),
         "preference");
    int found = 0;
    must(cublasLtMatmulAlgoGetHeuristic(handle_, product_, b_, a_, c_, c_, preference, 1, &chosen_, &found), "heuristic");
    if (found == 0) must(CUBLAS_STATUS_NOT_SUPPORTED, "heuristic");
  }
  cudaError_t run(const void* a, const void* b, void* c) const {
    const float one = 1, zero = 0;
    const cublasStatus_t status = cublasLtMatmul(handle_, product_, &one, b, b_, a, a_, &zero, c, c_, c, c_, &chosen_.algo,
                                                 workspace_.get(), kWorkspace, nullptr);
    return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
  }

 private:
  static constexpr size_t kWorkspace = 32 << 20;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t product_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr, b_ = nullptr, c_ = nullptr;
  cublasLtMatmulHeuristicResult_t chosen_ = {};
  Array<float> workspace_;
};

int check() {
  constexpr int kM = 48, kN = 32, kK = 64;
  const Array<float> a(kM * kK), b(kK * kN), c(kM * kN);
  yardstick::must(Product(CUDA_R_32F, kM, kN, kK).run(a.get(), b.get(), c.get()), "matmul");
  std::vector<double> wanted;
  for (int i = 0; i < kM; ++i) {
    for (int j = 0; j < kN; ++j) {
      double sum = 0;
      for (int k = 0; k < kK; ++k) sum += static_cast<double>(a.host()[i * kK + k]) * b.host()[k * kN + j];
      wanted.push_back(sum);
    }
  }
  return yardstick::compare(c.now(), wanted, 1e-5);
}

}  // namespace

int main(int argc, char** argv) {
  const yardstick::Call call = yardstick::read_call(argc, argv);
  if (call.check) return check();
  const bool two = call.shapes.size() == 2 && call.shapes[0].dims.size() == 2 && call.shapes[1].dims.size() == 2;
  if (!two || (call.shapes[0].type != "f32" && call.shapes[0].type != "bf16")) {
    return yardstick::refuse("matmul takes two matrices of f32 or bf16");
  }
  const int64_t m = call.shapes[0].dims[0], k = call.shapes[0].dims[1], n = call.shapes[1].dims[1];
  const bool wide = call.shapes[0].type == "f32";
  const Product product(wide ? CUDA_R_32F : CUDA_R_16BF, m, n, k);
  // Of bf16 arrays half of these bytes are read: any bits of f32 are two numbers of bf16.
  const Array<float> a(m * k), b(k * n), c(m * n);
  return yardstick::print_time([&] { return product.run(a.get(), b.get(), c.get()); }, call.repeat);
}

#endif
