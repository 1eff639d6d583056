"""Makes the calls of contract cases through the generated client: a JSON request on each line of standard input, a JSON answer on each
line of standard output. `remitgraph_api` must be importable. The one argument is the address of the server."""

import datetime
import enum
import importlib
import inspect
import json
import pkgutil
import re
import sys
import typing
from typing import Any

import httpx

from remitgraph_client import ApiError, RestClient
from remitgraph_client.exact_json import dumps, loads


class NotExpressible(Exception):
    """The generated client has no such call."""


TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)")


def comparable(value: Any) -> str:
    """JSON with keys in order, and each instant in one spelling. Digits of decimals count."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{comparable(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(comparable(one) for one in value) + "]"
    if isinstance(value, str) and TIME.fullmatch(value):
        return datetime.datetime.fromisoformat(value).isoformat()
    return dumps(value)


def find_modules(package: str) -> dict[str, Any]:
    """The modules of all calls of a document, by the operation's id in lower case."""
    api = importlib.import_module(f"remitgraph_api.{package}.api")
    found = {}
    for tag in pkgutil.iter_modules(api.__path__):
        calls = importlib.import_module(f"{api.__name__}.{tag.name}")
        for call in pkgutil.iter_modules(calls.__path__):
            name = call.name.replace("_", "")
            found[name] = importlib.import_module(f"{calls.__name__}.{call.name}")
    return found


def argument_of(hint: Any, text: str) -> Any:
    """A parameter as the function takes it."""
    types = typing.get_args(hint) or (hint,)
    for one in types:
        if isinstance(one, type) and issubclass(one, enum.Enum):
            return one(text)
    if bool in types:
        return {"true": True, "false": False}[text]
    return int(text) if int in types else text


def arguments_of(call: Any, request: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call, without its client."""
    hints = typing.get_type_hints(call)
    given = {name.replace("-", "").lower(): text for name, text in request["parameters"].items()}
    arguments = {}
    for name, parameter in inspect.signature(call).parameters.items():
        key = name.replace("_", "")
        if name == "body" and request["body"] is not None:
            arguments[name] = body_of(hints[name], request["body"])
        elif key in given:
            arguments[name] = argument_of(hints[name], given.pop(key))
        elif name != "client" and parameter.default is inspect.Parameter.empty:
            raise NotExpressible(f"{name} is required")
    if given:
        raise NotExpressible(f"no parameter {', '.join(given)}")
    if request["body"] is not None and "body" not in arguments:
        raise NotExpressible("no body")
    return arguments


def body_of(hint: Any, text: str) -> Any:
    """The typed body that is sent as this text; a dict, where the generator takes anything."""
    types = typing.get_args(hint) or (hint,)
    value = loads(text)
    if Any in types:
        return value
    model = next(one for one in types if hasattr(one, "from_dict"))
    body = model.from_dict(value)
    if comparable(body.to_dict()) != comparable(value):
        raise NotExpressible("another body")
    return body


class Caller:
    def __init__(self, url: str) -> None:
        self._url = url
        packages = ("request_money", "remittance", "partner")
        self._modules = {name: find_modules(name) for name in packages}
        self._clients = {name: importlib.import_module(f"remitgraph_api.{name}").Client for name in packages}
        self._https: dict[str, RestClient] = {}
        self._received: list[httpx.Response] = []

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        package = request["package"]
        module = self._modules[package][request["operation"].lower()]
        client = self._clients[package](base_url=self._url).set_httpx_client(self._http_of(request["key"]))
        try:
            arguments = arguments_of(module.sync_detailed, request)
        except (NotExpressible, AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
            return {"notExpressible": f"{type(error).__name__}: {error}"}
        self._received.clear()
        problem = None
        try:
            parsed = module.sync_detailed(client=client, **arguments).parsed
            [response] = self._received
            problem = self._problem_of(parsed, response)
        except ApiError as error:
            [response] = self._received
            problem = problem_of(error, response)
        except UnicodeEncodeError as error:
            # httpx sends no header that is not ASCII.
            return {"notExpressible": str(error)}
        headers = {name: value for name, value in response.headers.items()}
        return {"status": response.status_code, "headers": headers, "text": response.text, "problem": problem}

    @staticmethod
    def _problem_of(parsed: Any, response: httpx.Response) -> str | None:
        """How a parsed answer differs from its bytes."""
        if isinstance(parsed, str):
            return None if parsed == response.text else f"the text is {parsed}"
        shown = comparable([one.to_dict() for one in parsed] if isinstance(parsed, list) else parsed.to_dict())
        return None if shown == comparable(loads(response.content)) else f"the parsed answer is {shown}"

    def _http_of(self, key: str) -> RestClient:
        http = self._https.get(key)
        if http is None:
            http = self._https[key] = RestClient(self._url, key, attempts=1)
            http.event_hooks = {"response": [self._keep]}
        return http

    def _keep(self, response: httpx.Response) -> None:
        response.read()
        self._received.append(response)


def problem_of(error: ApiError, response: httpx.Response) -> str | None:
    """How an error differs from its answer."""
    body = loads(response.content)
    code = body.get("code") or (body["error"].get("code") if isinstance(body.get("error"), dict) else None)
    is_whole = error.body == body and len(error.issues) == response.text.count('{"path":')
    is_right = error.status == response.status_code and is_whole and (code is None or error.code == code)
    return None if is_right else f"the error is {error}"


def main() -> None:
    caller = Caller(sys.argv[1])
    for line in sys.stdin:
        print(json.dumps(caller.answer(json.loads(line))), flush=True)


main()
