// Lossy join: (alpha,k)-anonymity published as projections that share the number of a class.
//
// Wong, Liu, Yin, Huang, Fu, Pei: (alpha,k)-anonymity Based Privacy Preservation by Lossy Join, 2007.
#pragma once

#include "release/method.h"

namespace anon_seq::lossy_join {

// What quasi columns show, column by column, each label or range once; nothing where they are as in the source.
std::string select_cut(Release const& release);

// Of topdown: how many rows went on from a value to its children, and how many stayed.
std::string select_trace(Release const& release);

extern Method const kMethod;

}  // namespace anon_seq::lossy_join
