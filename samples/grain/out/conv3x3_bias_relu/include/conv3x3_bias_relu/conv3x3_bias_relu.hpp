// conv3x3_bias_relu.hpp: the C++ interfaces of all programs of conv3x3_bias_relu.

#pragma once

#include "conv3x3_bias_relu_conv3x3_bias_relu/conv3x3_bias_relu_conv3x3_bias_relu.hpp"
#include "conv3x3_bias_relu_conv_pool/conv3x3_bias_relu_conv_pool.hpp"
