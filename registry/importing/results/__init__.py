"""results.csv: one published value of one contract for one configuration a row."""
