import unittest
from decimal import Decimal
from typing import Any

import httpx

from remitgraph_client import ApiError, RestClient

from .small_server import Answer, SmallServer

BROKEN = Answer(None)
BUSY = Answer(503, '{"error":{"code":"SERVICE_UNAVAILABLE","message":"m"}}')
DONE = Answer(200, '{"amount":1500.50,"page":2}')
CREATE = "/v1/request-money"


class Call:
    """What became of a call: its answer or error, the requests that the server got, and the waits between them."""

    def __init__(self, answers: list[Answer], method: str, path: str, random: float = 1.0, below: str = "", timeout: float = 60.0, **options: Any) -> None:
        self.waits: list[float] = []
        self.error: ApiError | None = None
        self.answer: Any = None
        with SmallServer(*answers) as server:
            client = RestClient(
                server.url + below, "raas_sandbox_k", timeout=timeout, random=lambda: random, sleep=self.waits.append
            )
            with client:
                try:
                    self.answer = client.request(method, path, **options).json()
                except ApiError as error:
                    self.error = error
        self.received = server.received


class RestClientTest(unittest.TestCase):
    def test_a_call_sends_the_key_and_exact_decimals(self) -> None:
        call = Call([DONE], "POST", CREATE, json={"amount": Decimal("10.10"), "list": [True, None, "é"]})
        self.assertEqual(call.received[0].headers["x-api-key"], "raas_sandbox_k")
        self.assertEqual(call.received[0].headers["content-type"], "application/json")
        self.assertEqual(call.received[0].body, '{"amount":10.10,"list":[true,null,"é"]}')

    def test_half_a_surrogate_pair_is_sent_as_its_escape(self) -> None:
        call = Call([DONE], "POST", CREATE, json={"referenceId": "é\ud800"})
        self.assertEqual(call.received[0].body, '{"referenceId":"é\\ud800"}')

    def test_an_answer_has_exact_decimals(self) -> None:
        call = Call([DONE], "GET", CREATE + "/a")
        self.assertEqual([str(call.answer["amount"]), call.answer["page"]], ["1500.50", 2])

    def test_a_repeated_create_sends_the_same_idempotency_key_and_body(self) -> None:
        call = Call([BROKEN, BUSY, DONE], "POST", CREATE, json={"amount": Decimal("10.10")})
        self.assertEqual(len(call.received), 3)
        keys = {one.headers["idempotency-key"] for one in call.received}
        self.assertEqual([len(keys), {one.body for one in call.received}], [1, {'{"amount":10.10}'}])
        self.assertRegex(keys.pop(), "^[0-9a-f-]{36}$")

    def test_a_create_below_a_path_is_repeated_with_its_key(self) -> None:
        call = Call([BUSY, DONE], "POST", CREATE, json={}, below="/pay")
        self.assertEqual([one.path for one in call.received], ["/pay" + CREATE] * 2)
        self.assertEqual(len({one.headers["idempotency-key"] for one in call.received}), 1)

    def test_another_create_has_another_idempotency_key_and_the_callers_own_is_kept(self) -> None:
        keys = [Call([DONE], "POST", CREATE, json={}).received[0].headers["idempotency-key"] for _ in range(2)]
        self.assertNotEqual(*keys)
        mine = Call([DONE], "POST", CREATE, json={}, headers={"Idempotency-Key": "mine"})
        self.assertEqual(mine.received[0].headers["idempotency-key"], "mine")

    def test_waits_are_random_up_to_a_bound_that_doubles(self) -> None:
        self.assertEqual(Call([BUSY, BUSY, BUSY, DONE], "GET", "/partner/me").waits, [0.5, 1, 2])
        self.assertEqual(Call([BUSY, BUSY, DONE], "GET", "/partner/me", random=0.5).waits, [0.25, 0.5])

    def test_retry_after_is_the_least_wait_and_every_limited_call_is_repeated(self) -> None:
        call = Call([Answer(429, "{}", {"Retry-After": "7"}), DONE], "POST", "/partner/links", json={})
        self.assertEqual([call.waits, len(call.received)], [[7.5], 2])

    def test_a_wait_that_is_too_long_is_the_callers_decision(self) -> None:
        call = Call([Answer(429, "{}", {"Retry-After": "61"})], "POST", CREATE, json={})
        assert call.error
        self.assertEqual([call.error.code, call.error.retry_after, call.waits], ["RATE_LIMITED", 61, []])

    def test_calls_after_which_the_server_may_have_acted_are_not_repeated(self) -> None:
        for method, path in [
            ("POST", "/partner/links"),
            ("POST", "/v1/user/register-v2"),
            ("POST", "/v1/user/operations/request-money-full"),
            ("PUT", "/partner/data-requests/dr_1"),
        ]:
            with self.subTest(path):
                call = Call([BROKEN], method, path, json={})
                assert call.error
                self.assertEqual([call.error.code, call.error.status], ["CONNECTION_LOST", None])
                self.assertEqual(len(call.received), 1)

    def test_calls_that_give_the_same_answer_again_are_repeated(self) -> None:
        for method, path in [
            ("GET", "/partner/links"),
            ("POST", "/v1/user/operations/request-money-v2/usr_1"),
            ("POST", "/v1/request-money/AB12cd34/cancel"),
            ("POST", "/partner/users/usr_1/block"),
            ("POST", "/partner/pre-quote-lite"),
        ]:
            with self.subTest(path):
                self.assertEqual(len(Call([BROKEN, DONE], method, path).received), 2)

    def test_the_last_attempt_gives_its_error(self) -> None:
        call = Call([BUSY, BUSY, BUSY, BUSY], "GET", "/partner/me")
        assert call.error
        self.assertEqual([call.error.code, call.error.status], ["SERVICE_UNAVAILABLE", 503])

    def test_an_answer_that_is_not_complete_in_time_is_a_lost_connection(self) -> None:
        call = Call([Answer(200, "1" * 1_000, pause=0.02)], "POST", "/partner/links", json={}, timeout=0.3)
        assert call.error
        self.assertEqual(call.error.code, "CONNECTION_LOST")
        self.assertIsInstance(call.error.__cause__, httpx.ReadTimeout)

    def test_an_answer_that_cannot_be_decoded_is_a_lost_connection(self) -> None:
        call = Call([Answer(200, "plain", {"Content-Encoding": "gzip"})], "POST", "/partner/links", json={})
        assert call.error
        self.assertEqual(call.error.code, "CONNECTION_LOST")

    def test_a_successful_answer_that_is_not_json_is_an_error(self) -> None:
        for text in ("<html>", "", '{"referenceId":'):
            with self.subTest(text):
                call = Call([Answer(200, text)], "POST", CREATE, json={})
                assert call.error
                self.assertEqual([call.error.code, call.error.status], ["UNEXPECTED_ANSWER", 200])
                self.assertEqual(call.error.body, text)

    def test_a_file_comes_as_it_is(self) -> None:
        for file in ('"date","amount"\r\n"2026-11-21","10.10"\r\n', ""):
            with self.subTest(file), SmallServer(Answer(200, file, {"Content-Type": "text/csv; charset=utf-8"})) as server:
                with RestClient(server.url, "k") as client:
                    self.assertEqual(client.get("/v1/statements/st_1.csv").text, file)

    def test_an_answer_that_is_too_large_is_an_error(self) -> None:
        largest = "1" + " " * (16 * 1024 * 1024 - 1)
        self.assertEqual(Call([Answer(200, largest)], "GET", "/partner/me").answer, 1)
        for kind in ("application/json", "text/csv"):
            with self.subTest(kind):
                call = Call([Answer(200, largest + " ", {"Content-Type": kind})], "GET", "/partner/me")
                assert call.error
                self.assertEqual([call.error.code, call.error.status, call.error.body], ["UNEXPECTED_ANSWER", 200, ""])
                self.assertEqual(len(call.received), 1)

    def test_the_key_goes_to_no_other_address(self) -> None:
        with RestClient("https://api.test/below", "k") as client:
            for url in ("https://other.test/below/partner/me", "http://api.test/below/partner/me"):
                with self.assertRaisesRegex(ValueError, "The key is for api.test"):
                    client.get(url)

    def test_an_address_that_is_neither_https_nor_local_is_rejected(self) -> None:
        for url in ("http://api.test", "http://127.api.test", "api.test", "ftp://127.0.0.1", ""):
            with self.subTest(url), self.assertRaisesRegex(ValueError, "url must be https"):
                RestClient(url, "k")
        for url in ("https://api.test/below", "http://localhost:4000", "http://127.0.0.1:4000", "http://[::1]:4000"):
            RestClient(url, "k").close()

    def test_a_key_that_cannot_be_sent_is_rejected_and_not_shown(self) -> None:
        for key in ("", "secret\n", "secret\r\nHost: x", "secret\u2026"):
            with self.subTest(key), self.assertRaisesRegex(ValueError, "api_key must be one line") as raised:
                RestClient("https://api.test", key)
            self.assertNotIn("secret", str(raised.exception))

    def test_a_redirection_is_not_followed(self) -> None:
        call = Call([Answer(307, "", {"Location": "http://127.0.0.1:1/"})], "GET", "/partner/me")
        assert call.error
        self.assertEqual([call.error.code, call.error.status], ["UNEXPECTED_ANSWER", 307])
