"""The player in the browser: the data it gets for a reading, and mounting it; `pictures/` is by reader. How it draws is in
`assets/js`."""
