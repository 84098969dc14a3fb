"""`watch`: record how somebody else's program reads, through a server on this machine that passes its calls on."""
