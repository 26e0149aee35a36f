// One function a built-in problem; each is in the file of its name and in the list of catalogue.cpp.
#pragma once

#include "problems/problem.hpp"

namespace actio::problems {

problem harmonic_oscillator();
problem pendulum();
problem double_pendulum();
problem linear_double_pendulum();
problem spring_pendulum();
problem spherical_pendulum();
problem foucault_pendulum();
problem damped_driven_pendulum();
problem lagrange_top();
problem cusped_lagrange_top();
problem reduced_lagrange_top();
problem kepler();
problem outer_solar_system();
problem pythagorean_three_body();
problem arenstorf();
problem pleiades();
problem henon_heiles();
problem toda_lattice();
problem charged_particle();
problem relativistic_oscillator();
problem spherical_pendulum_rod();
problem double_spherical_pendulum();
problem triple_pendulum();
problem bead_on_parabola();
problem four_bar_linkage();
problem ellipsoid_geodesic();
problem torus_geodesic();
problem free_rigid_body();
problem tennis_racket();
problem heavy_top();
problem satellite();
problem jointed_bodies();
problem bouncing_ball();
problem woodpecker();
problem thermostat();
problem circle_billiard();
problem stadium_billiard();
problem eccentric_kepler();
problem fput_lattice();
problem star_cluster();
problem sine_gordon();
problem phi_four_field();
problem planar_truss();
problem cloth();
problem hanging_chain();
problem chain_in_angles();
problem inextensible_string();
problem rod_tree();
problem elastic_rod();

}  // namespace actio::problems
