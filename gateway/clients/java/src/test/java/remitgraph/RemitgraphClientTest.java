package remitgraph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemitgraphClientTest {
    private static final Map<String, String> NONE = Map.of();

    @Test
    void aCreateIsRepeatedWithTheSameKeyAndBody() throws Exception {
        try (Stand stand = new Stand(Stand.UNAVAILABLE, Stand.RESET, Stand.HALF_AN_ANSWER, Stand.FINE)) {
            assertEquals("{\"status\":\"pending\"}", stand.send("POST", "/v1/request-money", NONE));
            Stand.Served first = stand.requests.get(0);
            assertEquals("raas_sandbox_1", first.headers().get("x-api-key"));
            assertEquals("{\"amount\":1500.50}", first.body());
            assertTrue(first.headers().get("idempotency-key").length() > 20);
            assertEquals(List.of(first, first, first, first), stand.requests);
        }
    }

    @Test
    void eachCreateHasAKeyOfItsOwnUnlessTheCallerSetsOne() throws Exception {
        try (Stand stand = new Stand(Stand.FINE)) {
            stand.send("POST", "/v1/request-money", NONE);
            stand.send("POST", "/v1/request-money", NONE);
            stand.send("POST", "/v1/request-money", Map.of("Idempotency-Key", "mine"));
            List<String> keys = stand.requests.stream().map(one -> one.headers().get("idempotency-key")).toList();
            assertNotEquals(keys.get(0), keys.get(1));
            assertEquals("mine", keys.get(2));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, reset, 4", "GET, half, 4", "GET, 503, 4", "GET, 500, 1",
        "POST, reset, 1", "POST, half, 1", "POST, 503, 1", "POST, 429, 4",
        "repeatable POST, reset, 4", "repeatable POST, 503, 4", "repeatable POST, 409, 1",
    })
    void onlyRepeatableCallsAreRepeatedAfterAFault(String call, String fault, int requests) throws Exception {
        String answer = switch (fault) {
            case "reset" -> Stand.RESET;
            case "half" -> Stand.HALF_AN_ANSWER;
            default -> Stand.answer(Integer.parseInt(fault), "{}");
        };
        boolean isRepeatable = call.startsWith("repeatable ");
        try (Stand stand = new Stand(answer)) {
            assertThrows(Exception.class, () -> stand.send(
                    call.replace("repeatable ", ""),
                    "/v1/request-money/AB12cd34/cancel",
                    isRepeatable ? RemitgraphClient.repeatable() : NONE));
            assertEquals(requests, stand.delays.size() + 1);
            // Java itself may repeat a GET at once when a connection ends without an answer.
            assertTrue(call.equals("GET") || stand.requests.size() == requests, stand.requests.toString());
        }
    }

    @Test
    void delaysAreRandomDoubleAndComeOnTopOfRetryAfter() throws Exception {
        Retries retries = new Retries(8, Duration.ofSeconds(1), Duration.ofSeconds(10));
        try (Stand stand = new Stand(retries, Stand.answer(429, "{}", "Retry-After: 7"))) {
            Set<Long> different = new HashSet<>();
            long longest = 0;
            for (int call = 0; call < 20; call++) {
                stand.delays.clear();
                RemitgraphException refused =
                        assertThrows(RemitgraphException.class, () -> stand.send("GET", "/partner/me", NONE));
                assertEquals(Duration.ofSeconds(7), refused.retryAfter());
                assertEquals(7, stand.delays.size());
                for (int index = 0; index < 7; index++) {
                    long jitter = stand.delays.get(index).toMillis() - 7_000;
                    assertTrue(jitter >= 0 && jitter <= Math.min(10_000, 1_000L << index), "delay " + index + ": " + jitter);
                    different.add(jitter);
                    longest = Math.max(longest, jitter);
                }
            }
            assertTrue(different.size() > 100 && longest > 2_000, different.toString());
        }
    }

    @Test
    void aLongRetryAfterIsTheCallers() throws Exception {
        try (Stand stand = new Stand(Stand.answer(429, "{}", "Retry-After: 31"))) {
            RemitgraphException refused =
                    assertThrows(RemitgraphException.class, () -> stand.send("GET", "/partner/me", NONE));
            assertEquals(Duration.ofSeconds(31), refused.retryAfter());
            assertEquals(1, stand.requests.size());
        }
    }

    @Test
    void anAnswerThatDoesNotComeInTimeIsAFault() throws Exception {
        try (Stand stand = new Stand(Stand.STALLS)) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(stand.address)).timeout(Duration.ofMillis(200)).build();
            assertThrows(HttpTimeoutException.class, () -> stand.client.send(request, BodyHandlers.ofString()));
            assertEquals(3, stand.delays.size());
        }
    }

    @Test
    void theKeyGoesToNoOtherAddress() throws Exception {
        try (Stand other = new Stand(Stand.FINE);
                Stand stand = new Stand(Stand.answer(302, "", "Location: " + other.address))) {
            RemitgraphException refused =
                    assertThrows(RemitgraphException.class, () -> stand.send("GET", "/partner/me", NONE));
            assertEquals(302, refused.status());
            HttpRequest request = HttpRequest.newBuilder(URI.create(other.address)).build();
            assertThrows(IllegalArgumentException.class, () -> stand.client.send(request, BodyHandlers.ofString()));
            assertEquals(List.of(), other.requests);
        }
    }

    @Test
    void sendAsyncDoesTheSame() throws Exception {
        try (Stand stand = new Stand(Stand.RESET, Stand.FINE, Stand.answer(409, "{}"))) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(stand.address)).build();
            assertEquals("{\"status\":\"pending\"}", stand.client.sendAsync(request, BodyHandlers.ofString()).join().body());
            CompletionException failed = assertThrows(
                    CompletionException.class, () -> stand.client.sendAsync(request, BodyHandlers.ofString()).join());
            assertEquals(409, ((RemitgraphException) failed.getCause()).status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://api.example.com", "http://127.example.com", "api.example.com", "ftp://127.0.0.1", "https:///x"})
    void anAddressThatIsNeitherHttpsNorLocalIsRejected(String address) {
        assertThrows(IllegalArgumentException.class, () -> new RemitgraphClient(address, "k"));
    }

    @Test
    void otherArgumentsThatCannotBeUsedAreRejected() {
        HttpClient follows = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
        String address = "https://api.example.com";
        assertThrows(IllegalArgumentException.class, () -> new RemitgraphClient(address, "k", Retries.DEFAULTS, follows));
        assertThrows(IllegalArgumentException.class, () -> new RemitgraphClient(address, ""));
        assertThrows(IllegalArgumentException.class, () -> new RemitgraphClient(address, "k\r\nHost: x"));
        assertThrows(IllegalArgumentException.class, () -> new Retries(0, Duration.ZERO, Duration.ZERO));
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://api.example.com/below", "http://localhost:4000", "http://[::1]:4000"})
    void anAddressStaysAsItWasGiven(String address) {
        assertEquals(address, new RemitgraphClient(address, "k").address());
    }
}
