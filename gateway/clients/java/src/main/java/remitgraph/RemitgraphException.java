package remitgraph;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** An answer whose status is not 2xx, that is neither JSON nor a CSV file, or that has more than 16 MiB; or a lost connection. */
public final class RemitgraphException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The codes of answers that have none in their body. */
    private static final Map<Integer, String> CODES_BY_STATUS = Map.ofEntries(
            Map.entry(400, ErrorCode.INVALID_REQUEST),
            Map.entry(401, ErrorCode.UNAUTHENTICATED),
            Map.entry(403, ErrorCode.FORBIDDEN),
            Map.entry(404, ErrorCode.NOT_FOUND),
            Map.entry(413, ErrorCode.PAYLOAD_TOO_LARGE),
            Map.entry(415, ErrorCode.UNSUPPORTED_MEDIA_TYPE),
            Map.entry(422, ErrorCode.VALIDATION_FAILED),
            Map.entry(429, ErrorCode.RATE_LIMITED),
            Map.entry(500, ErrorCode.INTERNAL_SERVER_ERROR),
            Map.entry(502, ErrorCode.SERVICE_UNAVAILABLE),
            Map.entry(503, ErrorCode.SERVICE_UNAVAILABLE),
            Map.entry(504, ErrorCode.SERVICE_UNAVAILABLE));

    /** A field of the request that is missing or invalid. */
    public record Detail(String path, String message) implements java.io.Serializable {}

    private final int status;
    private final String code;
    private final ArrayList<Detail> details;
    private final String requestId;
    private final Duration retryAfter;
    private final String body;

    private RemitgraphException(HttpResponse<byte[]> response, String code, String message, List<Detail> details) {
        super(message);
        this.status = response.statusCode();
        this.code = code;
        this.details = new ArrayList<>(details);
        this.requestId = response.headers().firstValue("X-Request-Id").orElse("");
        this.retryAfter = readRetryAfter(response.headers().firstValue("Retry-After").orElse(""), Instant.now());
        this.body = new String(response.body(), StandardCharsets.UTF_8);
    }

    private RemitgraphException(Throwable cause) {
        super("The server cannot be reached, or its answer did not arrive", cause);
        this.status = 0;
        this.code = ErrorCode.CONNECTION_LOST;
        this.details = new ArrayList<>();
        this.requestId = "";
        this.retryAfter = Duration.ZERO;
        this.body = "";
    }

    static RemitgraphException ofLostConnection(Throwable cause) {
        return new RemitgraphException(cause);
    }

    /** Whatever the body is: a proxy may have written it. */
    static RemitgraphException of(HttpResponse<byte[]> response) {
        JsonNode outer = read(response.body());
        JsonNode inner = outer.path("error");
        String code = firstOf(
                textOf(inner.path("code")),
                textOf(outer.path("code")),
                response.headers().firstValue("X-Error-Code").orElse(""),
                CODES_BY_STATUS.getOrDefault(response.statusCode(), ErrorCode.UNEXPECTED_ANSWER));
        String text = firstOf(
                textOf(inner.path("message")),
                textOf(outer.path("message")),
                textOf(outer.path("reason")),
                "HTTP status " + response.statusCode());
        List<Detail> details = new ArrayList<>();
        for (JsonNode list : List.of(outer.path("details"), inner.path("details"))) {
            for (JsonNode detail : list) {
                String message = textOf(detail.path("message"));
                if (!message.isEmpty()) {
                    details.add(new Detail(textOf(detail.path("path")), message));
                }
            }
        }
        return new RemitgraphException(response, code, text, details);
    }

    static boolean isJson(byte[] body) {
        return !read(body).isMissingNode();
    }

    private static JsonNode read(byte[] body) {
        try {
            return JSON.readTree(new String(body, StandardCharsets.UTF_8));
        } catch (JsonProcessingException notJson) {
            return MissingNode.getInstance();
        }
    }

    private static String textOf(JsonNode node) {
        return node.isTextual() ? node.textValue() : "";
    }

    private static String firstOf(String... texts) {
        return Stream.of(texts).filter(text -> !text.isEmpty()).findFirst().orElse("");
    }

    /** Reads seconds or a date; zero if there is neither. A number of more than 9 digits is the largest of 9. */
    static Duration readRetryAfter(String value, Instant now) {
        if (value.matches("[0-9]+")) {
            return Duration.ofSeconds(value.length() > 9 ? 999_999_999 : Long.parseLong(value));
        }
        try {
            Instant at = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            return at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO;
        } catch (DateTimeException neither) {
            return Duration.ZERO;
        }
    }

    /** 0 for a lost connection. */
    public int status() {
        return status;
    }

    /** One of {@link ErrorCode}, or a newer one of the server. Answers without a code have the one of their status. */
    public String code() {
        return code;
    }

    /** The fields that are missing or invalid; empty if the answer names none. */
    public List<Detail> details() {
        return List.copyOf(details);
    }

    /** For your operator; empty if the answer has none. */
    public String requestId() {
        return requestId;
    }

    /** Zero if the answer does not say when to send the call again. */
    public Duration retryAfter() {
        return retryAfter;
    }

    /** As it came. It may repeat what you sent: do not log it. */
    public String body() {
        return body;
    }
}
