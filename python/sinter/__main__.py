"""python -m sinter: the command line."""

import os
import sys

from sinter.program import Error, find_program


def main() -> None:
    try:
        program = find_program()
    except Error as error:
        sys.exit(f"sinter: error: {error}")
    os.execv(program, ["sinter", *sys.argv[1:]])


if __name__ == "__main__":
    main()
