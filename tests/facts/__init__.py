"""Facts and what models wrote of them, each pair labelled twice: what the matcher is measured on (`make bench-facts`).

`pairs.json` holds 421 sentences of the samples with a summary, gist, memory or relation that rests on them. The labels are
*carried*, *altered*, *partly* and *lost*. They were given by reading, twice and independently, by a large language model that
did not know the matcher's verdict; people have not labelled them. A verdict is right where both labels say it.

The pairs are drawn by the share of words that fact and text have in common, so that hard ones are many: figures over a reading
are higher. The thresholds were set on the first half; no carrier has pairs in both.
"""
