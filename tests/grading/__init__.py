"""Free answers and what they are: what grading by rule is measured on (`make bench-grading`).

`answers.jsonl` holds a question, its known answers and an answer on each line. Questions are about the samples and about
invented people and places, in the manner of multi-hop questions. Answers are replies of small models and of the offline model in
readings of such texts (`source`), and answers written in the manner of larger ones, many of them made to be hard. The labels are
*right*, *partly*, *wrong*, and *open* where the answer does not commit itself. They were given by a large language model, a
second time without sight of the first labels and in another order for a part of the rows; people have not labelled them. The
rules were made on the other rows; those marked `kept` were written and labelled afterwards, and no rule rests on them.
"""
