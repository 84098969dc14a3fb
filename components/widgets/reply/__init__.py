"""Writing a reply by hand, or changing a recorded reply or text. What becomes of it, a fork or a label, is the page's concern."""
