"""Acts: what a person writes into their own repo, from the words of a command line to signed records."""
