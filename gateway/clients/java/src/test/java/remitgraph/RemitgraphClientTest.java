package remitgraph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
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
        "GET /partner/me, reset, CONNECTION_LOST, 4",
        "GET /partner/me, half, CONNECTION_LOST, 4",
        "GET /partner/me, 503, SERVICE_UNAVAILABLE, 4",
        "GET /partner/me, 500, INTERNAL_SERVER_ERROR, 1",
        "POST /partner/links, reset, CONNECTION_LOST, 1",
        "POST /partner/links, half, CONNECTION_LOST, 1",
        "POST /partner/links, 503, SERVICE_UNAVAILABLE, 1",
        "POST /partner/links, 429, RATE_LIMITED, 4",
        "POST /v1/request-money, reset, CONNECTION_LOST, 4",
        "POST /v1/request-money, 409, UNEXPECTED_ANSWER, 1",
        "POST /v1/request-money/AB12cd34/cancel, reset, CONNECTION_LOST, 4",
        "POST /v1/user/operations/request-money-v2/token, 503, SERVICE_UNAVAILABLE, 4",
        "POST /v1/user/operations/request-money-full, 503, SERVICE_UNAVAILABLE, 1",
        "POST /partner/users/usr_1/unblock, 503, SERVICE_UNAVAILABLE, 4",
        "POST /partner/users/usr_1/unblock/more, 503, SERVICE_UNAVAILABLE, 1",
        "POST /partner/pre-quote-lite, 503, SERVICE_UNAVAILABLE, 4",
    })
    void onlyRepeatableCallsAreRepeatedAfterAFault(String call, String fault, String code, int requests) throws Exception {
        String answer = switch (fault) {
            case "reset" -> Stand.RESET;
            case "half" -> Stand.HALF_AN_ANSWER;
            default -> Stand.answer(Integer.parseInt(fault), "{}");
        };
        String[] parts = call.split(" ");
        try (Stand stand = new Stand(answer)) {
            RemitgraphException failed =
                    assertThrows(RemitgraphException.class, () -> stand.send(parts[0], parts[1], NONE));
            assertEquals(code, failed.code());
            assertEquals(requests, stand.delays.size() + 1);
            // Java itself may repeat a GET at once when a connection ends without an answer.
            assertTrue(parts[0].equals("GET") || stand.requests.size() == requests, stand.requests.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"date\",\"amount\"\r\n\"2026-11-21\",\"10.10\"\r\n", ""})
    void aFileComesAsItIs(String file) throws Exception {
        try (Stand stand = new Stand(Stand.answer(200, file, "Content-Type: text/csv; charset=utf-8"))) {
            assertEquals(file, stand.send("GET", "/v1/statements/st_1.csv", NONE));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/csv"})
    void anAnswerThatIsTooLargeIsAnError(String type) throws Exception {
        String largest = "1" + " ".repeat(LimitedBody.MOST_BYTES - 1);
        String header = "Content-Type: " + type;
        try (Stand stand = new Stand(Stand.answer(200, largest, header), Stand.answer(200, largest + " ", header))) {
            assertEquals(largest, stand.send("GET", "/partner/me", NONE));
            RemitgraphException refused =
                    assertThrows(RemitgraphException.class, () -> stand.send("GET", "/partner/me", NONE));
            assertEquals(ErrorCode.UNEXPECTED_ANSWER, refused.code());
            assertEquals(200, refused.status());
            assertEquals(0, stand.delays.size());
        }
    }

    @Test
    void theProductMayBeBelowAPath() throws Exception {
        try (Stand stand = new Stand(Stand.UNAVAILABLE)) {
            int[] delays = {0};
            RemitgraphClient client = new RemitgraphClient(
                    stand.address + "/below/", "k", Retries.DEFAULTS, HttpClient.newHttpClient(), delay -> delays[0]++);
            HttpRequest request = HttpRequest.newBuilder(URI.create(stand.address + "/below/v1/request-money"))
                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                    .build();
            assertThrows(RemitgraphException.class, () -> client.send(request, BodyHandlers.ofString()));
            assertEquals(3, delays[0]);
        }
    }

    @Test
    void delaysAreRandomDoubleAndComeOnTopOfRetryAfter() throws Exception {
        Retries retries = new Retries(8, Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(60));
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
        try (Stand stand = new Stand(Stand.answer(429, "{}", "Retry-After: 61"))) {
            RemitgraphException refused =
                    assertThrows(RemitgraphException.class, () -> stand.send("GET", "/partner/me", NONE));
            assertEquals(Duration.ofSeconds(61), refused.retryAfter());
            assertEquals(1, stand.requests.size());
        }
    }

    @Test
    void anAnswerThatDoesNotComeInTimeIsAFault() throws Exception {
        try (Stand stand = new Stand(Stand.STALLS)) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(stand.address)).timeout(Duration.ofMillis(200)).build();
            RemitgraphException lost = assertThrows(
                    RemitgraphException.class, () -> stand.client.send(request, BodyHandlers.ofString()));
            assertEquals(ErrorCode.CONNECTION_LOST, lost.code());
            assertInstanceOf(TimeoutException.class, lost.getCause());
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
        for (String key : List.of("secret\n", "secret\r\nHost: x", "secret\u2026")) {
            IllegalArgumentException rejected =
                    assertThrows(IllegalArgumentException.class, () -> new RemitgraphClient(address, key));
            assertFalse(rejected.getMessage().contains("secret"));
        }
        assertThrows(IllegalArgumentException.class, () -> new Retries(0, Duration.ZERO, Duration.ZERO, Duration.ZERO));
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://api.example.com/below", "http://localhost:4000", "http://[::1]:4000"})
    void anAddressStaysAsItWasGiven(String address) {
        assertEquals(address, new RemitgraphClient(address, "k").address());
    }
}
