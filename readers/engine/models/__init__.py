"""One call in, one reply out: litellm, the offline model, the local server, scorers; and which model id means what."""
