"""Who acts: accounts, where their secrets lie, sessions at their servers."""
