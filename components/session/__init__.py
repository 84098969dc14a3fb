"""The only door to Store, Jobs, session state and the address.

Nothing is drawn but messages.
"""
