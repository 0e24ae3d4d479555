x = (a +
y = 2
def f(a, b
    return a
