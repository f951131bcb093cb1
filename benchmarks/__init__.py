"""The performance measurements and simulations. Each module of a room below has `measure() -> Figures`."""
