"""comparisons.csv: one judge's verdict on two outputs a row. It shares readers, layouts, profiles and staging with
results.csv, and differs in what a row must hold and in what it means beside the others.
"""
