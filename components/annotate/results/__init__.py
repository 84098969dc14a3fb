"""What the labels of a project say: tables, import and export."""
