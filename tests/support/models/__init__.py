"""Models that play a part, know the answer or note what they are asked, and calls to the offline model."""
