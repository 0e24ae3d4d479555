"""Steps of loops, functions inside of functions, comprehensions."""


def dynamics(x, v, *, push=0.0, **others):
    acceleration = push - x
    return x + v, v + acceleration


def rollout(size):
    def run(state, actions):
        def step(t, carry):
            state, (count, total) = carry
            state = dynamics(*state)
            return state, (count + 1, total)

        return jax.lax.fori_loop(0, 10, step, (state, (0, 0)))

    return run


def scanned(h, xs):
    def step(h, x):
        new_h = jnp.tanh(h + x)
        return new_h, new_h

    h, history = jax.lax.scan(step, h, xs)
    return h


class Model:
    async def __call__(self, x: "Array", y=(1, 2)) -> "Array":
        layers = [w @ x for w in self.weights]
        pairs = tuple(a * b for a, b in zip(x, y))
        return jax.lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 2), (0, x))


@decorated(key=lambda a: a)
def twice(x): return x * 2
