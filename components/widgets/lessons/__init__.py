"""The lessons as data, and the recorded readings that they show: for the page Learn, and for a class that is taught one."""
