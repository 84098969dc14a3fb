"""How far work under way is: a reading, a batch, and following the evidence of many readings. The work itself runs elsewhere."""
