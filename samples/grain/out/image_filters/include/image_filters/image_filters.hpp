// image_filters.hpp: the C++ interfaces of all programs of image_filters.

#pragma once

#include "image_filters_bilateral/image_filters_bilateral.hpp"
#include "image_filters_box/image_filters_box.hpp"
