// embedding_lookup.hpp: the C++ interfaces of all programs of embedding_lookup.

#pragma once

#include "embedding_lookup_embedding_lookup/embedding_lookup_embedding_lookup.hpp"
#include "embedding_lookup_places/embedding_lookup_places.hpp"
