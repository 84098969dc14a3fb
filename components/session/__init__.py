"""The only door to Store, Jobs, session state and the address.

Here is what all visitors share: what a process caches, and the samples and recordings that come with Palimpsest. The folders have
the rest: `visitor/`, `demo/`, `page/` and `work/`. Nothing is drawn but messages.
"""
