"""The method: evidence as arrays in, a ranking and the statistical checks of the gate out. Pure.

Read `method.py` first; it tells the five steps. `inputs.py` is what goes in, `results.py` what comes out,
`checks/` what the gate asks, `docs/method.md` the reasons and the formulas. Needs numpy, scipy and evalica; no Django.
"""
