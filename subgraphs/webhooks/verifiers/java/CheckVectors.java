import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** `java CheckVectors ../vectors.json`: prints what each vector comes to; ends with 1 when one comes to something else. */
final class CheckVectors {
    public static void main(String[] args) throws IOException {
        Map<?, ?> file = (Map<?, ?>) new Json(Files.readString(Path.of(args[0]))).read();
        boolean isGood = true;
        StringBuilder lines = new StringBuilder();
        for (Object one : (List<?>) file.get("vectors")) {
            Map<?, ?> vector = (Map<?, ?>) one;
            String found = outcome(vector);
            lines.append(found).append('\t').append(vector.get("name")).append('\n');
            isGood &= found.equals(vector.get("result"));
        }
        System.out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
        System.out.flush();
        System.exit(isGood ? 0 : 1);
    }

    private static String outcome(Map<?, ?> vector) {
        String encoded = (String) vector.get("bodyBase64");
        byte[] body = encoded == null
                ? ((String) vector.get("body")).getBytes(StandardCharsets.UTF_8)
                : Base64.getDecoder().decode(encoded);
        Map<String, List<String>> headers = new LinkedHashMap<>();
        ((Map<?, ?>) vector.get("headers")).forEach((name, value) -> headers.put((String) name, List.of((String) value)));
        List<String> secrets = ((List<?>) vector.get("secrets")).stream().map(String.class::cast).toList();
        try {
            VerifyWebhook.verify(
                    VerifyWebhook.Scheme.valueOf(((String) vector.get("scheme")).toUpperCase()),
                    headers,
                    body,
                    secrets,
                    Duration.ofSeconds((Long) vector.get("toleranceSeconds")),
                    Instant.ofEpochSecond((Long) vector.get("now")));
            return "OK";
        } catch (VerifyWebhook.VerificationException error) {
            return error.issue().name();
        } catch (IllegalArgumentException error) {
            return "WRONG_CALL";
        }
    }

    /** Reads objects, lists, texts and whole numbers: what the vectors have. Java brings no reader of JSON. */
    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Object read() {
            char next = peek();
            if (next == '{') {
                Map<String, Object> object = new LinkedHashMap<>();
                readEach('}', () -> {
                    String name = (String) read();
                    expect(':');
                    object.put(name, read());
                });
                return object;
            }
            if (next == '[') {
                List<Object> list = new ArrayList<>();
                readEach(']', () -> list.add(read()));
                return list;
            }
            return next == '"' ? readText() : (Object) readNumber();
        }

        private void readEach(char end, Runnable one) {
            at++;
            while (peek() != end) {
                one.run();
                if (peek() != end) {
                    expect(',');
                }
            }
            at++;
        }

        private String readText() {
            StringBuilder read = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                if (text.charAt(at) != '\\') {
                    read.append(text.charAt(at));
                    continue;
                }
                at++;
                switch (text.charAt(at)) {
                    case 'n' -> read.append('\n');
                    case 't' -> read.append('\t');
                    case 'r' -> read.append('\r');
                    case 'u' -> {
                        read.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                        at += 4;
                    }
                    default -> read.append(text.charAt(at));
                }
            }
            at++;
            return read.toString();
        }

        private Long readNumber() {
            int from = at;
            while ("-0123456789".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            return Long.valueOf(text.substring(from, at));
        }

        private char peek() {
            while (Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return text.charAt(at);
        }

        private void expect(char wanted) {
            if (peek() != wanted) {
                throw new IllegalStateException("expected " + wanted + " at " + at);
            }
            at++;
        }
    }
}
