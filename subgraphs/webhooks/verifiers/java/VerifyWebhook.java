import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Checks signatures of remitgraph webhooks. Java 17 or newer, no libraries: copy this one file. */
public final class VerifyWebhook {
    /** Which document describes the webhook. You know it by the URL that you gave us. */
    public enum Scheme {
        /** Document 2's, with X-Webhook-Signature. */
        REQUEST_MONEY,
        /** Document 3's, with X-RAAS-Signature. */
        PARTNER,
        /** Document 1's, with x-raas-signature and without a time. */
        OUTCOME
    }

    /** Why a webhook was not accepted. */
    public enum Issue { MISSING_HEADER, MALFORMED_HEADER, MISMATCH, TOO_OLD, IN_FUTURE }

    /** The webhook must not be trusted. The message has no secret and no signature. */
    public static final class VerificationException extends Exception {
        private static final long serialVersionUID = 1;
        private final Issue issue;

        VerificationException(Issue issue, String message) {
            super(message);
            this.issue = issue;
        }

        public Issue issue() {
            return issue;
        }
    }

    /** What document 2 recommends to receivers. */
    public static final Duration DEFAULT_TOLERANCE = Duration.ofMinutes(5);

    private static final Pattern SIGNATURES = Pattern.compile(
            "t=[0-9]{1,12}(?=.*,v1=)(?:,(?:v1=[0-9a-f]{64}|(?!v1=|t=)[a-z]\\w{0,15}=[^,\\s]{0,256})){1,16}");
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}");
    private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]{43}=");

    private VerifyWebhook() {}

    /** As {@link #verify(Scheme, Map, byte[], List, Duration, Instant)}, now and with 5 minutes of tolerance. */
    public static void verify(Scheme scheme, Map<String, List<String>> headers, byte[] body, List<String> secrets)
            throws VerificationException {
        verify(scheme, headers, body, secrets, DEFAULT_TOLERANCE, Instant.now());
    }

    /**
     * Returns when the webhook was signed with one of the secrets, over exactly this body, and not long ago.
     *
     * @param headers such as HttpExchange.getRequestHeaders() gives
     * @param body the bytes as received, before they are parsed
     * @param secrets one or, while secrets are rotated, several
     * @param tolerance how far the time of the webhook may be from now, before or after it
     * @throws IllegalArgumentException when the call itself is wrong, such as an empty secret
     */
    public static void verify(
            Scheme scheme,
            Map<String, List<String>> headers,
            byte[] body,
            List<String> secrets,
            Duration tolerance,
            Instant now)
            throws VerificationException {
        if (secrets.isEmpty() || secrets.stream().anyMatch(String::isEmpty)) {
            throw new IllegalArgumentException("secrets must be one or more texts that are not empty");
        }
        if (tolerance.isNegative()) {
            throw new IllegalArgumentException("tolerance must be 0 or more");
        }
        Claim claim = read(scheme, headers);
        boolean isSigned = false;
        for (String secret : secrets) {
            byte[] digest = sign(secret, claim.time(), body);
            byte[] expected = ascii(scheme == Scheme.OUTCOME
                    ? Base64.getEncoder().encodeToString(digest)
                    : HexFormat.of().formatHex(digest));
            for (String candidate : claim.candidates()) {
                // All pairs, so that the time taken does not reveal the good one.
                isSigned |= MessageDigest.isEqual(expected, ascii(candidate));
            }
        }
        // The signature before the time: an unsigned time says nothing.
        if (!isSigned) {
            throw new VerificationException(Issue.MISMATCH, "The signature is of another body, secret or time");
        }
        if (claim.time() != null) {
            requireRecent(Instant.ofEpochSecond(Long.parseLong(claim.time())), now, tolerance);
        }
    }

    /** What the headers claim; time is in Unix seconds as written, null where the scheme has none. */
    private record Claim(String time, List<String> candidates) {}

    private static Claim read(Scheme scheme, Map<String, List<String>> headers) throws VerificationException {
        switch (scheme) {
            case REQUEST_MONEY: {
                String[] elements = requireHeader(headers, "X-Webhook-Signature", SIGNATURES).split(",", -1);
                // An element of another name is of a later version, and says nothing here.
                List<String> candidates = Arrays.stream(elements)
                        .filter(element -> element.startsWith("v1="))
                        .map(element -> element.substring(3))
                        .toList();
                return new Claim(elements[0].substring(2), candidates);
            }
            case PARTNER: {
                String signature = requireHeader(headers, "X-RAAS-Signature", HEX);
                return new Claim(requireHeader(headers, "X-RAAS-Timestamp", SECONDS), List.of(signature));
            }
            default:
                return new Claim(null, List.of(requireHeader(headers, "x-raas-signature", BASE64)));
        }
    }

    private static String requireHeader(Map<String, List<String>> headers, String name, Pattern pattern)
            throws VerificationException {
        List<String> values = headers.entrySet().stream()
                .filter(entry -> name.equalsIgnoreCase(entry.getKey()))
                .flatMap(entry -> entry.getValue().stream())
                .toList();
        if (values.isEmpty() || values.get(0).isEmpty()) {
            throw new VerificationException(Issue.MISSING_HEADER, "The header " + name + " is missing");
        }
        if (values.size() > 1 || !pattern.matcher(values.get(0)).matches()) {
            throw new VerificationException(Issue.MALFORMED_HEADER, "The header " + name + " is malformed");
        }
        return values.get(0);
    }

    private static byte[] sign(String secret, String time, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            if (time != null) {
                mac.update(ascii(time + "."));
            }
            return mac.doFinal(body);
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException("Every Java has HmacSHA256", error);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void requireRecent(Instant signed, Instant now, Duration tolerance) throws VerificationException {
        if (now.isAfter(signed.plus(tolerance))) {
            throw new VerificationException(Issue.TOO_OLD, "Signed more than " + tolerance.toSeconds() + " s ago");
        }
        if (now.isBefore(signed.minus(tolerance))) {
            throw new VerificationException(
                    Issue.IN_FUTURE, "Signed more than " + tolerance.toSeconds() + " s in the future");
        }
    }
}
