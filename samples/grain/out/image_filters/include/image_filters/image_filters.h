// image_filters.h: the C interfaces of all programs of image_filters.

#pragma once

#include "image_filters_bilateral/image_filters_bilateral.h"
#include "image_filters_box/image_filters_box.h"
