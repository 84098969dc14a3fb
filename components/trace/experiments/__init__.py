"""What is tried on a reading over and over, on Trace: experiments on a call, what a reply stands on, ratings, mending."""
