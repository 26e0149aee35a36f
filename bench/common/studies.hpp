// All studies. To add one: a folder with an actio.cpp, and one line in main.cpp.
#pragma once

#include "common/write.hpp"

namespace actio::bench {

// How the energy error of the Kepler problem grows over ten million steps of gauss-8.
study energy_walk(bool quick);
// Time of a step against the number of coordinates, and against the order.
study cost_of_coordinates(bool quick);
study cost_of_order(bool quick);
// Of many coordinates, and of many bodies that attract one another, beside loops written by hand.
study cost_of_size(bool quick);
study cost_of_pairs(bool quick);
// Of terms that are written out one by one; and what the energy does in long runs of many coordinates.
study cost_of_texts(bool quick);
study energy_of_size(bool quick);
// Of many links of a chain, beside a loop written by hand, and of many bodies on joints.
study cost_of_links(bool quick);
study cost_of_bodies(bool quick);
// Of many rods in angles, whose ends are found one after the other.
study cost_of_recursions(bool quick);

}  // namespace actio::bench
