"""The player in the browser: frames, pictures by reader, decision card, mount."""
