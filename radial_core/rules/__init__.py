"""The protocol's rules, a module for each family; none imports another, and `radial_core.fold` joins them."""
