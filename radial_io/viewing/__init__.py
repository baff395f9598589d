"""What is looked up while somebody looks, and kept out of everything that is folded."""
