"""The only door to Store, Jobs, session state and the address: who is looking, what they may do, what is cached."""
