// embedding_lookup.h: the C interfaces of all programs of embedding_lookup.

#pragma once

#include "embedding_lookup_embedding_lookup/embedding_lookup_embedding_lookup.h"
#include "embedding_lookup_places/embedding_lookup_places.h"
