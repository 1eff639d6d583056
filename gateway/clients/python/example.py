"""Asks for money, lets the payer of the sandbox pay, and waits for the verified webhook that says so.

Needs `remitgraph_api` beside it, which remitgraph-generate makes. Takes KEY, WEBHOOK_SECRET, REMITGRAPH_URL and PORT from the environment.
"""

import os
import queue
import secrets
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from remitgraph_api.request_money import Client
from remitgraph_api.request_money.api.request_money import create_request_money
from remitgraph_api.request_money.api.sandbox import simulate_request_money_status
from remitgraph_api.request_money.models import CreateRequestMoney, SimulateRequestMoneyStatus

from remitgraph_client import RestClient, WebhookVerificationError, verify_webhook
from remitgraph_client.exact_json import loads

WAIT_SECONDS = 60
url = os.environ.get("REMITGRAPH_URL", "http://localhost:4000")
client = Client(base_url=url).set_httpx_client(RestClient(url, os.environ["KEY"]))
webhooks: "queue.Queue[dict]" = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    """Verifies the raw bytes, answers at once, and leaves the work to others."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            verify_webhook("request_money", self.headers, body, os.environ["WEBHOOK_SECRET"])
        except WebhookVerificationError as error:
            self.send_error(401, error.code)
            return
        self.send_response(204)
        self.end_headers()
        webhooks.put(loads(body))

    def log_message(self, format: str, *_args: object) -> None:
        """Prints nothing."""


def main() -> None:
    receiver = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8765"))), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    reference_id = secrets.token_hex(4)
    body = CreateRequestMoney.from_dict(
        {
            "referenceId": reference_id,
            "amount": loads("1500.50"),
            "currency": "MXN",
            "requestData": {
                "userReferenceId": "u-77",
                "name": {"firstName": "Ana", "lastName": "Ruiz"},
                "address": {"country": "MX", "state": "CDMX"},
                "payoutMethod": "bank_account",
                "bankAccount": {"accountNumber": "032180000118359719"},
            },
        }
    )
    created = create_request_money.sync(client=client, body=body)
    print(f"The payer pays at {created.fund_request_link}")
    paid = SimulateRequestMoneyStatus.from_dict({"status": "completed"})
    simulate_request_money_status.sync(reference_id, client=client, body=paid)
    while True:
        webhook = webhooks.get(timeout=WAIT_SECONDS)
        data = webhook["data"]
        if data.get("referenceId") == reference_id and data.get("status") == "completed":
            print(f"Verified webhook {webhook['event']}: {reference_id} is completed, {data['amount']} {data['currency']}")
            sys.exit(0)


if __name__ == "__main__":
    main()
