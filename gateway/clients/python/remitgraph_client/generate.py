"""`remitgraph-generate URL FOLDER`: makes the Python client of the three OpenAPI documents that a server has."""

import argparse
import sys
from pathlib import Path

from openapi_python_client import generate
from openapi_python_client.config import Config, ConfigFile, MetaType
from openapi_python_client.parser.errors import ErrorLevel
from openapi_python_client.parser.properties.float import FloatProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol

# The package of each document, and where a server has the document.
DOCUMENTS = {
    "request_money": "/v1/openapi.json",
    "remittance": "/v1/user/openapi.json",
    "partner": "/partner/openapi.json",
}


class _DecimalProperty(FloatProperty):
    """Instead of `float`, which has not all digits of an amount."""

    _type_string = "Decimal"
    _json_type_string = "Decimal"

    def get_imports(self, *, prefix: str) -> set[str]:
        return PropertyProtocol.get_imports(self, prefix=prefix) | {"from decimal import Decimal"}


def use_decimals() -> None:
    """Has the generator make numbers with a fraction `Decimal`."""
    FloatProperty._type_string = _DecimalProperty._type_string
    FloatProperty._json_type_string = _DecimalProperty._json_type_string
    FloatProperty.get_imports = _DecimalProperty.get_imports


def generate_clients(url: str, folder: Path) -> list[str]:
    """Makes a package for each document in the folder, in the place of an older one. Returns the faults."""
    use_decimals()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").write_text('"""Made by remitgraph-generate."""\n', encoding="utf-8")
    faults = []
    for name, path in DOCUMENTS.items():
        config = Config.from_sources(
            ConfigFile(post_hooks=[]),
            MetaType.NONE,
            document_source=url.rstrip("/") + path,
            file_encoding="utf-8",
            overwrite=True,
            output_path=folder / name,
        )
        for error in generate(config=config):
            if error.level == ErrorLevel.ERROR:
                faults.append(f"{name}: {error.header} {error.detail or ''}")
            else:
                print(f"{name}: {error.header} {error.detail or ''}", file=sys.stderr)
    return faults


def main() -> None:
    """Reads the command line. Exits with 1 if a client cannot be made."""
    parser = argparse.ArgumentParser(prog="remitgraph-generate", description=__doc__)
    parser.add_argument("url", help="the address of the server, such as http://localhost:4000")
    parser.add_argument("folder", type=Path, help="the package to write, such as remitgraph_api")
    arguments = parser.parse_args()
    faults = generate_clients(arguments.url, arguments.folder)
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
