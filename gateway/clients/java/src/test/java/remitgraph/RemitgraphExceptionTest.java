package remitgraph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemitgraphExceptionTest {
    private static final List<RemitgraphException.Detail> DETAILS =
            List.of(new RemitgraphException.Detail("amount", "must be above 0"));

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", value = {
        "400 | {'reason':'Wrong.','code':'ERROR_INVALID_AMOUNT_ERROR'} | none | ERROR_INVALID_AMOUNT_ERROR | Wrong.",
        "404 | {'reason':'No user.'} | none | NOT_FOUND | No user.",
        "404 | {'reason':'No user.'} | ERROR_SUBSCRIBER_NOT_FOUND | ERROR_SUBSCRIBER_NOT_FOUND | No user.",
        "400 | {'reason':'No.'} | none | INVALID_REQUEST | No.",
        "401 | {'message':'A key.'} | none | UNAUTHENTICATED | A key.",
        "403 | {'code':'OFAC_HIT','message':'Listed.'} | none | OFAC_HIT | Listed.",
        "404 | {'error':'not_found','message':'None.'} | none | NOT_FOUND | None.",
        "409 | {'error':{'code':'LEGACY_REFERENCE_EXISTS','message':'Used.'}} | none | LEGACY_REFERENCE_EXISTS | Used.",
        "422 | {'message':'Used.','details':[],'error':{'code':'IDEMPOTENCY_KEY_REUSED'}} | none | IDEMPOTENCY_KEY_REUSED | Used.",
        "403 | {'success':false,'error':{'code':'FORBIDDEN','message':'No.','details':null}} | none | FORBIDDEN | No.",
        "502 | <html>Bad gateway</html> | none | SERVICE_UNAVAILABLE | HTTP status 502",
        "503 | '' | none | SERVICE_UNAVAILABLE | HTTP status 503",
        "400 | {'error':[1],'message':{'a':1},'code':null} | none | INVALID_REQUEST | HTTP status 400",
        "302 | '' | none | UNEXPECTED_ANSWER | HTTP status 302",
        "200 | <html> | none | UNEXPECTED_ANSWER | HTTP status 200",
        "200 | '' | none | UNEXPECTED_ANSWER | HTTP status 200",
        "200 | {'status': | none | UNEXPECTED_ANSWER | HTTP status 200",
    })
    void hasTheCodeOfItsBodyOrStatus(int status, String body, String header, String code, String message) throws Exception {
        RemitgraphException found = refusedWith(status, body.replace('\'', '"'), header == null ? "X-None: 1" : "X-Error-Code: " + header);
        assertEquals(
                List.of(status, code, message, "req_1", List.of(), body.replace('\'', '"')),
                List.of(found.status(), found.code(), found.getMessage(), found.requestId(), found.details(), found.body()));
    }

    @Test
    void namesTheFieldsOfBothDocuments() throws Exception {
        String details = "\"message\":\"Invalid.\",\"details\":[{\"path\":\"amount\",\"message\":\"must be above 0\"}]";
        RemitgraphException second = refusedWith(422, "{" + details + "}", "X-None: 1");
        assertEquals(ErrorCode.VALIDATION_FAILED, second.code());
        assertEquals(DETAILS, second.details());
        String coded = details.replace("}]", "},7,null,{}]") + ",\"error\":{\"code\":\"ROUTE_NOT_AVAILABLE\"}";
        RemitgraphException both = refusedWith(422, "{" + coded + "}", "X-None: 1");
        assertEquals(ErrorCode.ROUTE_NOT_AVAILABLE, both.code());
        assertEquals(DETAILS, both.details());
        RemitgraphException third = refusedWith(400, "{\"error\":{\"code\":\"INVALID_REQUEST\"," + details + "}}", "X-None: 1");
        assertEquals(ErrorCode.INVALID_REQUEST, third.code());
        assertEquals(DETAILS, third.details());
    }

    @Test
    void aVeryLongRetryAfterStaysLong() {
        assertEquals(Duration.ofSeconds(999_999_999), RemitgraphException.readRetryAfter("99999999999999999999", Instant.now()));
    }

    @Test
    void retryAfterMayBeADate() {
        Instant now = Instant.parse("2026-11-27T12:00:00Z");
        Map.of("Fri, 27 Nov 2026 12:00:09 GMT", 9, "Fri, 27 Nov 2026 11:00:00 GMT", 0, "soon", 0, "-1", 0, "", 0, "3", 3)
                .forEach((value, seconds) -> assertEquals(
                        Duration.ofSeconds(seconds), RemitgraphException.readRetryAfter(value, now), value));
    }

    private static RemitgraphException refusedWith(int status, String body, String header) throws Exception {
        Retries once = new Retries(1, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        try (Stand stand = new Stand(once, Stand.answer(status, body, "X-Request-Id: req_1", header))) {
            return assertThrows(RemitgraphException.class, () -> stand.send("POST", "/v1/x", Map.of()));
        }
    }
}
