"""`python3 check_vectors.py`: prints what each vector comes to; ends with 1 when one comes to something else."""

import base64
import json
import pathlib
import sys

from verify_webhook import WebhookVerificationError, verify_webhook


def outcome(vector):
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
        return "OK"
    except WebhookVerificationError as error:
        return error.code
    except (TypeError, ValueError):
        return "WRONG_CALL"


path = pathlib.Path(__file__).parent.parent / "vectors.json"
vectors = json.loads(path.read_text(encoding="utf-8"))["vectors"]
outcomes = [outcome(vector) for vector in vectors]
for vector, found in zip(vectors, outcomes):
    print(f"{found}\t{vector['name']}")
sys.exit(int(outcomes != [vector["result"] for vector in vectors]))
