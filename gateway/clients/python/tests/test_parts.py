import base64
import json
import os
import pickle
import unittest
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx

from remitgraph_client import WebhookVerificationError, each_item, verify_webhook
from remitgraph_client.api_error import FieldIssue, read_error, read_retry_after
from remitgraph_client.exact_json import dumps, loads


class ExactJsonTest(unittest.TestCase):
    def test_digits_stay_as_they_are(self) -> None:
        text = '{"data":{"amount":{"send":1,"receive":20.10,"rate":18.250,"fee":0}},"total":999999999999.99}'
        parsed = loads(text)
        self.assertEqual(dumps(parsed), text)
        self.assertTrue(all(isinstance(one, Decimal) for one in parsed["data"]["amount"].values()))

    def test_numbers_that_are_no_amounts_stay_integers(self) -> None:
        self.assertEqual([type(one) for one in loads('{"page":1,"amount":true}').values()], [int, bool])

    def test_a_text_that_cannot_be_read_is_a_value_error(self) -> None:
        for text in ("", "{", "[" * 100_000, '{"amount":1e99999999999999999999}'):
            with self.subTest(text[:20]), self.assertRaises(ValueError):
                loads(text)

    def test_a_number_that_is_not_finite_is_no_json(self) -> None:
        for value in (Decimal("NaN"), Decimal("Infinity"), float("nan")):
            with self.assertRaises(ValueError):
                dumps({"amount": value})
        with self.assertRaises(TypeError):
            dumps({"amount": object()})


def answer(status: int, body: Any, headers: dict[str, str] | None = None) -> httpx.Response:
    return httpx.Response(status, json=body, headers={"x-request-id": "r-1", **(headers or {})})


class ApiErrorTest(unittest.TestCase):
    def test_each_documented_shape_has_a_code_and_a_message(self) -> None:
        for status, body, code, message in [
            (409, {"error": {"code": "INVALID_TRANSITION", "message": "m"}}, "INVALID_TRANSITION", "m"),
            (403, {"code": "OFAC_HIT", "message": "m"}, "OFAC_HIT", "m"),
            (401, {"message": "m"}, "UNAUTHENTICATED", "m"),
            (404, {"error": "not_found", "message": "m"}, "NOT_FOUND", "m"),
            (422, {"message": "m", "details": [], "error": {"code": "NO_PRICE"}}, "NO_PRICE", "m"),
            (400, {"reason": "r", "code": "ERROR_TENANT_NOT_FOUND"}, "ERROR_TENANT_NOT_FOUND", "r"),
            (400, {"reason": "r"}, "INVALID_REQUEST", "r"),
            (404, {"success": False, "error": {"code": "LINK_NOT_FOUND", "message": "m"}}, "LINK_NOT_FOUND", "m"),
            (418, {"tea": True}, "UNEXPECTED_ANSWER", "The server answers with status 418"),
        ]:
            with self.subTest(code):
                error = read_error(answer(status, body))
                self.assertEqual([error.code, error.message, error.status], [code, message, status])
                self.assertEqual([error.body, error.request_id], [body, "r-1"])

    def test_an_error_has_the_faults_of_the_request(self) -> None:
        faults = {"message": "m", "details": [{"path": "amount", "message": "d"}, {"path": "", "message": "of the body"}, 7]}
        expected = (FieldIssue("amount", "d"), FieldIssue("", "of the body"))
        for body in (faults, {"error": faults}, {**faults, "error": {"code": "ROUTE_NOT_AVAILABLE"}}):
            with self.subTest(body):
                self.assertEqual(read_error(answer(422, body)).issues, expected)

    def test_a_copy_as_another_process_gets_it_is_the_same(self) -> None:
        error = read_error(answer(422, {"message": "m", "details": []}, {"Retry-After": "7"}))
        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual([str(copy), vars(copy)], ["VALIDATION_FAILED: m", vars(error)])

    def test_a_body_without_a_code_has_the_one_of_the_header(self) -> None:
        headers = {"x-error-code": "REQUEST_MONEY_NOT_FOUND"}
        bare = httpx.Response(404, json={"error": "not_found", "message": "m"}, headers=headers)
        self.assertEqual(read_error(bare).code, "REQUEST_MONEY_NOT_FOUND")
        coded = httpx.Response(403, json={"code": "OFAC_HIT", "message": "m"}, headers=headers)
        self.assertEqual(read_error(coded).code, "OFAC_HIT")

    def test_the_page_of_a_proxy_is_the_body_as_it_stands(self) -> None:
        error = read_error(httpx.Response(502, text="<html>"))
        self.assertEqual([error.code, error.body], ["SERVICE_UNAVAILABLE", "<html>"])

    def test_retry_after_is_seconds_or_a_date(self) -> None:
        self.assertEqual([read_retry_after(one) for one in ("7", None, "soon", "-1")], [7, None, None, None])
        self.assertIsNone(read_retry_after("Sun, 06 Nov 99999999999999999999 08:49:37 GMT"))
        self.assertGreater(read_retry_after("9" * 400) or 0, 1e6)
        self.assertEqual(read_retry_after("Sun, 06 Nov 1994 08:49:37 GMT"), 0)
        self.assertGreater(read_retry_after("Fri, 06 Nov 2093 08:49:37 GMT") or 0, 1e6)


class PagesTest(unittest.TestCase):
    def items(self, pages: list[list[str]]) -> tuple[list[int], Any]:
        read: list[int] = []

        def read_page(page: int) -> Any:
            read.append(page)
            items = pages[page - 1] if pages else []
            pagination = SimpleNamespace(total_pages=len(pages))
            return SimpleNamespace(data=SimpleNamespace(items=items, pagination=pagination))

        return read, each_item(read_page)

    def test_all_items_come_in_their_order(self) -> None:
        for pages, expected in [([["a", "b"], ["c"]], ["a", "b", "c"]), ([], [])]:
            self.assertEqual(list(self.items(pages)[1]), expected)

    def test_a_page_is_read_only_when_the_caller_gets_to_it(self) -> None:
        read, items = self.items([["a"], ["b"], ["c"]])
        self.assertEqual([next(items), next(items), read], ["a", "b", [1, 2]])


class VerifierTest(unittest.TestCase):
    def test_the_installed_verifier_passes_the_vectors(self) -> None:
        vectors = json.loads(Path(os.environ["VECTORS"]).read_text(encoding="utf-8"))["vectors"]
        for vector in vectors:
            with self.subTest(vector["name"]):
                self.assertEqual(self.outcome(vector), vector["result"])
        self.assertGreater(len(vectors), 10)

    def outcome(self, vector: dict[str, Any]) -> str:
        body = base64.b64decode(vector["bodyBase64"]) if "bodyBase64" in vector else vector["body"].encode()
        try:
            verify_webhook(
                vector["scheme"],
                vector["headers"],
                body,
                vector["secrets"],
                tolerance_seconds=vector["toleranceSeconds"],
                now=vector["now"],
            )
        except WebhookVerificationError as error:
            return error.code
        except (TypeError, ValueError):
            return "WRONG_CALL"
        return "OK"
