"""HLO text from JAX: names, weights, constants; and of programs in other forms."""

import dataclasses
import io
import pathlib
import re
import unittest

import jax
import jax.experimental
import jax.export
import jax.numpy as jnp
import numpy as np
import sinter
from jaxlib import _hlo
from sinter import safetensors
from sinter.program import run


def policy(params, observation, scale):
    table = np.arange(40, dtype=np.float32)
    hidden = jnp.tanh(observation @ params["layers"][0]["w"] + params["bias"] * scale)
    return {"action": jnp.argmax(hidden, axis=-1), "value": hidden.sum(axis=-1) + table[:2]}


PARAMS = {"bias": np.zeros(5, np.float32), "layers": [{"w": np.ones((3, 5), np.float32)}],
          "unused": np.zeros(2, np.float32)}
OBSERVATION = np.ones((2, 3), np.float32)


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    position: jax.Array
    speed: jax.Array


def interface(path, direction="in "):
    """Names and types of the inputs or results in the header of what is compiled."""
    folder = sinter.compile(path, "interface", no_verify=True, force=True)
    header = next((folder / "include").glob("*/*.h")).read_text()
    return [f"{name} {shape}" for name, shape in re.findall(rf"^//   {direction}  (\w+) +(\S+)$", header, re.MULTILINE)]


class Export(unittest.TestCase):
    def test_names_of_arguments(self):
        path = sinter.jax.export(policy, PARAMS, OBSERVATION, 2.0, path="policy.hlo")
        self.assertEqual(path, pathlib.Path("policy.hlo"))
        self.assertEqual(interface(path), ["params_bias f32[5]", "params_layers_0_w f32[3,5]", "params_unused f32[2]",
                                           "observation f32[2,3]", "scale f32[]"])

    def test_names_of_fields(self):
        def step(state: State, dt):
            return State(state.position + dt * state.speed, state.speed)

        state = State(np.ones(4, np.float32), np.ones(4, np.float32))
        self.assertEqual(interface(sinter.jax.export(step, state, 0.5, path="step.hlo")),
                         ["state_position f32[4]", "state_speed f32[4]", "dt f32[]"])

    def test_names_of_results(self):
        path = sinter.jax.export(policy, PARAMS, OBSERVATION, 2.0, path="policy.hlo")
        self.assertEqual(interface(path, "out"), ["action s32[2]", "value f32[2]"])
        x = np.ones(4, np.float32)
        for fn, names in [(lambda x: {"state": (x + 1, x * 2), "a b": x - 3}, ["a_b", "state_0", "state_1"]),
                          (lambda x: State(x + 1, jnp.tanh(x)), ["position", "speed"]),
                          (lambda x: {"only": x + 1}, ["only"])]:
            path = sinter.jax.export(fn, x, path="named.hlo")
            self.assertEqual(interface(path, "out"), [f"{name} f32[4]" for name in names])
            _hlo.hlo_module_from_text(path.read_text())  # XLA reads it, too
        # Beside results without one, of a result that is an input, and of one that is two.
        path = sinter.jax.export(lambda x: (x * 3, {"aux": x + 1, "same": x, "z": x + 1}), x, path="aux.hlo")
        self.assertEqual(interface(path, "out")[1:], ["aux f32[4]", "same f32[4]", "z f32[4]"])
        text = sinter.jax.export(lambda x: (x + 1, x * 2), x, path="unnamed.hlo").read_text()
        self.assertNotIn("sinter_results", text)

    def test_constants_and_files(self):
        big = np.arange(300, dtype=np.float32)
        text = sinter.jax.export(lambda x: x + big, big, path="big.hlo").read_text()
        self.assertIn("298, 299}", text)
        self.assertNotIn("{...}", text)
        # Only what packages and this folder's files are called, so that the text is the same everywhere.
        self.assertIn('"sinter/jax.py"', text)
        self.assertNotIn(f'"{pathlib.Path.cwd()}', text)
        self.assertIsNone(jax.config.jax_hlo_source_file_canonicalization_regex)

    def test_weights(self):
        sinter.jax.export(policy, PARAMS, OBSERVATION, 2.0, path="policy.hlo", weights="policy.safetensors")
        arrays, metadata = safetensors.read("policy.safetensors")
        self.assertEqual(list(arrays), ["params.bias", "params.layers.0.w", "params.unused"])
        np.testing.assert_array_equal(arrays["params.layers.0.w"], PARAMS["layers"][0]["w"])
        self.assertEqual(metadata, {"sinter_inputs": '{"params.bias": 0, "params.layers.0.w": 1, "params.unused": 2}'})
        for chosen in ([1, 2], ["observation", "scale"]):
            sinter.jax.export(policy, PARAMS, OBSERVATION, 2.0, path="policy.hlo", weights="rest.safetensors",
                              weight_arguments=chosen)
            arrays, metadata = safetensors.read("rest.safetensors")
            self.assertEqual(metadata, {"sinter_inputs": '{"observation": 3, "scale": 4}'})
        with self.assertRaisesRegex(ValueError, "'weights' is none of the arguments params, observation, scale"):
            sinter.jax.export(policy, PARAMS, OBSERVATION, 2.0, path="policy.hlo", weights="rest.safetensors",
                              weight_arguments=["weights"])
        sinter.jax.export(policy, PARAMS, OBSERVATION, 2.0, path="policy.hlo", weights="rest.safetensors",
                          weight_arguments="observation")
        self.assertEqual(list(safetensors.read("rest.safetensors")[0]), ["observation"])

    def test_weights_of_one_name(self):
        x = np.ones(3, np.float32)
        with self.assertRaisesRegex(ValueError, "weights: two arrays would be p.a.b in the file: rename one"):
            sinter.jax.export(lambda p: p["a.b"] + p["a"]["b"], {"a.b": x, "a": {"b": x}}, path="one.hlo",
                              weights="one.safetensors")

    def test_arguments_by_name(self):
        # JAX sorts them behind the others.
        path = sinter.jax.export(policy, PARAMS, scale=2.0, observation=OBSERVATION, path="named.hlo",
                                 weights="named.safetensors", weight_arguments=["scale", "params"],
                                 inputs="in.safetensors", expected="out.safetensors")
        self.assertEqual(interface(path), ["params_bias f32[5]", "params_layers_0_w f32[3,5]", "params_unused f32[2]",
                                           "observation f32[2,3]", "scale f32[]"])
        self.assertIn('"scale": 4', safetensors.read("named.safetensors")[1]["sinter_inputs"])
        run(["eval", "named.hlo", "--inputs", "in.safetensors", "--expect", "out.safetensors", "--rtol", "1e-6"])
        with self.assertRaisesRegex(TypeError, "weigths is no option .*, and no argument .* has params, observation"):
            sinter.jax.export(policy, PARAMS, OBSERVATION, 2.0, path="named.hlo", weigths="named.safetensors")

    def test_values_are_needed(self):
        shape = jax.ShapeDtypeStruct((2, 3), np.float32)
        sinter.jax.export(policy, PARAMS, shape, 2.0, path="shape.hlo", weights="shape.safetensors")
        for files in [{"weights": "none.safetensors", "weight_arguments": 1}, {"inputs": "none.safetensors"},
                      {"expected": "none.safetensors"}]:
            with self.assertRaisesRegex(TypeError, f"{list(files)[0]}: observation is a ShapeDtypeStruct"):
                sinter.jax.export(policy, PARAMS, shape, 2.0, path="none.hlo", **files)
        self.assertEqual(list(pathlib.Path.cwd().glob("none.*")), [])

    def test_callbacks_are_told(self):
        def printed(x):
            jax.debug.print("x {}", x.sum())
            return jax.lax.map(lambda row: jax.pure_callback(np.sin, row, row), x)

        with self.assertRaisesRegex(sinter.Error, "printed calls back into Python, .*: take jax.debug.print and "
                                                  "jax.pure_callback out$"):
            sinter.jax.export(printed, OBSERVATION, path="printed.hlo")
        with self.assertRaisesRegex(sinter.Error, "take jax.experimental.io_callback out"):
            sinter.explain(lambda x: jax.experimental.io_callback(np.sin, x, x, ordered=True), OBSERVATION)

    def test_a_function_is_wanted(self):
        jitted = jax.jit(lambda x: x + 1)
        lowered = jitted.lower(OBSERVATION)
        for given in (lowered, lowered.compile(), jitted.trace(OBSERVATION), jax.make_jaxpr(jitted)(OBSERVATION),
                      jax.export.export(jitted)(OBSERVATION), "policy"):
            with self.assertRaisesRegex(TypeError, f"^{type(given).__name__} is no function of JAX's: .*jax.convert"):
                sinter.jax.export(given, OBSERVATION, path="given.hlo")

    def test_inputs_and_expected_results(self):
        def draw(key, scale):
            return {"drawn": scale * jax.random.uniform(key, (4,)), "half": jnp.bfloat16(0.5) * scale}

        sinter.jax.export(draw, jax.random.key(7), 3.0, path="draw.hlo", inputs="in.safetensors",
                          expected="out.safetensors")
        self.assertEqual([array.dtype for array in safetensors.read("in.safetensors")[0].values()],
                         [np.dtype("uint32"), np.dtype("float32")])
        command = ["eval", "draw.hlo", "--inputs", "in.safetensors", "--expect"]
        run([*command, "out.safetensors", "--rtol", "1e-6"])
        with self.assertRaises(sinter.Error):  # they are compared
            run([*command, "in.safetensors"])

    def test_jitted_functions_keep_their_options(self):
        dropping = jax.jit(policy, static_argnums=2)
        path = sinter.jax.export(dropping, PARAMS, OBSERVATION, 2.0, path="dropping.hlo")
        self.assertEqual(interface(path), ["params_bias f32[5]", "params_layers_0_w f32[3,5]", "observation f32[2,3]"])
        with self.assertRaisesRegex(ValueError, "has 3 inputs, but the arguments hold 5 arrays: .*keep_unused=True"):
            sinter.jax.export(dropping, PARAMS, OBSERVATION, 2.0, path="dropping.hlo", weights="w.safetensors")

    def test_explain(self):
        plan = sinter.explain(policy, PARAMS, OBSERVATION, 2.0)
        self.assertTrue(plan.startswith("program policy {"), plan)
        self.assertIn("launches per run", plan)


class Convert(unittest.TestCase):
    def test_other_forms(self):
        lowered = jax.jit(lambda x: jnp.tanh(x) + 1).lower(OBSERVATION)
        module, bytecode = lowered.compiler_ir(), io.BytesIO()
        module.operation.write_bytecode(bytecode)
        forms = {"text": lowered.as_text().encode(), "bytecode": bytecode.getvalue(),
                 "places": module.operation.get_asm(enable_debug_info=True).encode(),
                 "proto": lowered.compiler_ir("hlo").as_serialized_hlo_module_proto()}
        self.assertTrue(forms["places"].startswith(b"#loc"))
        self.assertEqual(forms["bytecode"][:4], b"ML\xEFR")
        for name, data in forms.items():
            source = pathlib.Path(f"other.{name}")
            source.write_bytes(data)
            with self.assertRaisesRegex(sinter.Error, r"E0130.*not HLO text(.|\n)*sinter\.jax\.convert"):
                sinter.compile(source, "other")
            text = sinter.jax.convert(source, "other.hlo").read_text()
            self.assertIn("tanh", text)
            # StableHLO's plain text has no names.
            self.assertEqual(interface("other.hlo"), ["Arg_0 f32[2,3]" if name == "text" else "x f32[2,3]"])

    def test_what_is_neither(self):
        for data in (b"\n\x02hm", b"module {", b"", str(jax.make_jaxpr(jnp.tanh)(1.0)).encode()):
            pathlib.Path("neither").write_bytes(data)
            with self.assertRaisesRegex(sinter.Error, "neither holds no StableHLO and no protocol buffer of HLO"):
                sinter.jax.convert("neither", "neither.hlo")
        self.assertFalse(pathlib.Path("neither.hlo").exists())

    def test_other_forms_are_told(self):
        jaxpr = str(jax.make_jaxpr(policy)(PARAMS, OBSERVATION, 2.0))
        for text, what in [(jaxpr, "a jaxpr"), (pathlib.Path(__file__).read_text(), "Python")]:
            pathlib.Path("other.hlo").write_text(text)
            with self.assertRaisesRegex(sinter.Error, f"E0130.*this is {what}, not HLO text"):
                sinter.compile("other.hlo", "other")


if __name__ == "__main__":
    unittest.main()
