"""What a team makes of its notes: the board, and the versions of the codebook."""
