"""What the verbs do that ask servers while somebody looks: `guests`, `body`, `image`."""
