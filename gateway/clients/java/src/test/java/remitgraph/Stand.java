package remitgraph;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A server that gives prepared answers, one after the other and then the last one again, and a client of it that notes its
 * delays instead of waiting. An answer is the bytes of a connection: broken ones are possible.
 */
final class Stand implements AutoCloseable {
    /** A request as the server got it, with the names of headers in lower case. */
    record Served(String line, Map<String, String> headers, String body) {}

    static final String RESET = "";
    static final String HALF_AN_ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{\"status\"";
    /** As {@link #HALF_AN_ANSWER}, but the connection stays open. */
    static final String STALLS = HALF_AN_ANSWER + " ";
    static final String FINE = answer(200, "{\"status\":\"pending\"}");
    static final String UNAVAILABLE =
            answer(503, "{\"error\":{\"code\":\"SERVICE_UNAVAILABLE\",\"message\":\"Try again.\"}}", "Retry-After: 5");

    final List<Served> requests = Collections.synchronizedList(new ArrayList<>());
    final List<Duration> delays = new ArrayList<>();
    final RemitgraphClient client;
    final String address;
    private final ServerSocket socket;

    Stand(String... answers) throws IOException {
        this(Retries.DEFAULTS, answers);
    }

    Stand(Retries retries, String... answers) throws IOException {
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        address = "http://127.0.0.1:" + socket.getLocalPort();
        client = new RemitgraphClient(
                address, "raas_sandbox_1", retries, HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(), delays::add);
        Thread server = new Thread(() -> serve(answers));
        server.setDaemon(true);
        server.start();
    }

    static String answer(int status, String body, String... headers) {
        String more = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        return "HTTP/1.1 " + status + " x\r\nConnection: close\r\n" + more + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private void serve(String[] answers) {
        while (!socket.isClosed()) {
            try {
                Socket connection = socket.accept();
                requests.add(read(connection.getInputStream()));
                String answer = answers[Math.min(requests.size(), answers.length) - 1];
                connection.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
                if (!answer.equals(STALLS)) {
                    connection.close();
                }
            } catch (IOException error) {
                if (!socket.isClosed()) {
                    throw new UncheckedIOException(error);
                }
            }
        }
    }

    private static Served read(InputStream input) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
            head.write(input.read());
        }
        String[] lines = head.toString(StandardCharsets.UTF_8).split("\r\n");
        Map<String, String> headers = new TreeMap<>();
        for (int index = 1; index < lines.length; index++) {
            String[] header = lines[index].split(": ", 2);
            headers.put(header[0].toLowerCase(Locale.ROOT), header[1]);
        }
        byte[] body = input.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        return new Served(lines[0], headers, new String(body, StandardCharsets.UTF_8));
    }

    /** Makes a call, with a body unless it is a GET, and returns the body of the answer. */
    String send(String method, String path, Map<String, String> headers) throws IOException, InterruptedException {
        HttpRequest.BodyPublisher body = method.equals("GET")
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString("{\"amount\":1500.50}");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path)).method(method, body);
        headers.forEach(request::setHeader);
        // As the generated clients read.
        HttpResponse<InputStream> response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        return new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
