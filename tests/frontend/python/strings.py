"""A docstring with x = 1 in it, and "quotes"."""
a = "x = 2"  # y = 3
b = 'it\'s' "joined"
c = f"{a['k']!r:>{width}} {{x = 4}}" + a
d = """
e = 5
""" + b
g = r"\n" + a
h = a[1:2] + a
i = {"k": a, 'l': b}
