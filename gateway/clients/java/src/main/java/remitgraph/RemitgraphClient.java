package remitgraph;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Sends the calls of the generated clients: with the key, again after faults, and with errors as {@link RemitgraphException}.
 * Threads may share it.
 *
 * <p>A call is sent again after 429 always; after 503 and network faults if it is a GET or has an {@code Idempotency-Key},
 * which stays the same. {@code createRequestMoney} gets one if it has none.
 */
public final class RemitgraphClient extends HttpClient {
    private static final String KEY = "X-API-Key";
    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    /** Of each attempt, answer included, unless the request has another one. */
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /** Waits; replaced in tests. */
    @FunctionalInterface
    interface Sleeper {
        void sleep(Duration delay) throws InterruptedException;
    }

    private final URI address;
    private final String key;
    private final Retries retries;
    private final HttpClient http;
    private final Sleeper sleeper;

    /** With the default {@link Retries}, and a client of its own for the requests. */
    public RemitgraphClient(String address, String key) {
        // HTTP/1.1: an offer of HTTP/2 over http is an upgrade, which a server of WebSockets may take for one to them.
        this(address, key, Retries.DEFAULTS, HttpClient.newBuilder().version(Version.HTTP_1_1).build());
    }

    /**
     * @param address scheme and host of the server, such as https://api.example.com, and a path if a proxy adds one. The key
     *     is sent to it alone. It must be https, unless the host is this machine
     * @param http sends the requests. It must not follow redirects: they would take the key to another address
     * @throws IllegalArgumentException for an address, a key or a client that cannot be used
     */
    public RemitgraphClient(String address, String key, Retries retries, HttpClient http) {
        this(address, key, retries, http, delay -> Thread.sleep(delay.toMillis()));
    }

    RemitgraphClient(String address, String key, Retries retries, HttpClient http, Sleeper sleeper) {
        this.address = URI.create(address);
        boolean isLocal = "http".equals(this.address.getScheme()) && isLoopback(this.address.getHost());
        if (this.address.getHost() == null || !("https".equals(this.address.getScheme()) || isLocal)) {
            throw new IllegalArgumentException("The address must be https, or http of this machine");
        }
        if (key.isEmpty() || key.contains("\r") || key.contains("\n")) {
            throw new IllegalArgumentException("The key must be one line that is not empty");
        }
        if (http.followRedirects() != Redirect.NEVER) {
            throw new IllegalArgumentException("The client must not follow redirects");
        }
        this.key = key;
        this.retries = retries;
        this.http = http;
        this.sleeper = sleeper;
    }

    /** The address as it was given, for the generated clients. */
    public String address() {
        return address.toString();
    }

    /**
     * Headers that let a call be sent again after a network fault or a 503. Give them to a generated call that has the same
     * effect twice as once, such as {@code cancelRequestMoney}. {@code createRequestMoney} does not need them.
     */
    public static Map<String, String> repeatable() {
        return Map.of(IDEMPOTENCY_KEY, UUID.randomUUID().toString());
    }

    /**
     * @throws RemitgraphException for an answer whose status is not 2xx
     * @throws IOException the network fault of the last attempt
     */
    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        HttpRequest prepared = prepare(request);
        for (int attempt = 1; ; attempt++) {
            try {
                return WholeResponse.of(attempt(prepared), handler);
            } catch (IOException | RemitgraphException fault) {
                boolean isRepeatable = prepared.method().equals("GET")
                        || prepared.headers().firstValue(IDEMPOTENCY_KEY).isPresent();
                Optional<Duration> delay = retries.delayAfter(fault, attempt, isRepeatable);
                if (delay.isEmpty()) {
                    throw fault;
                }
                sleeper.sleep(delay.get());
            }
        }
    }

    private HttpRequest prepare(HttpRequest request) {
        URI uri = request.uri();
        if (!uri.getScheme().equals(address.getScheme())
                || !uri.getHost().equals(address.getHost())
                || uri.getPort() != address.getPort()) {
            throw new IllegalArgumentException("The key is for " + address.getAuthority() + ", not for " + uri.getAuthority());
        }
        HttpRequest.Builder prepared = HttpRequest.newBuilder(request, (name, value) -> true).setHeader(KEY, key);
        boolean isCreate = request.method().equals("POST") && uri.getPath().endsWith("/v1/request-money");
        if (isCreate && request.headers().firstValue(IDEMPOTENCY_KEY).isEmpty()) {
            repeatable().forEach(prepared::setHeader);
        }
        return prepared.build();
    }

    /** Sends the request once, and reads the whole answer: a connection that breaks meanwhile is a fault of this attempt. */
    private HttpResponse<byte[]> attempt(HttpRequest request) throws IOException, InterruptedException {
        Duration timeout = request.timeout().orElse(TIMEOUT);
        CompletableFuture<HttpResponse<byte[]>> sent = http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
        HttpResponse<byte[]> response;
        try {
            response = sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            sent.cancel(true);
            throw new HttpTimeoutException("There is no whole answer after " + timeout);
        } catch (InterruptedException interrupted) {
            sent.cancel(true);
            throw interrupted;
        } catch (ExecutionException failed) {
            throw new IOException(failed.getCause().getMessage(), failed.getCause());
        }
        if (response.statusCode() < 200 || response.statusCode() > 299) {
            throw RemitgraphException.of(response);
        }
        return response;
    }

    private static boolean isLoopback(String host) {
        return host != null && host.matches("localhost|127(\\.[0-9]{1,3}){3}|\\[::1]");
    }

    /** As {@link #send}, in a thread of the executor. */
    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return send(request, handler);
                    } catch (IOException fault) {
                        throw new CompletionException(fault);
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                        throw new CompletionException(interrupted);
                    }
                },
                http.executor().orElseGet(ForkJoinPool::commonPool));
    }

    /** The product pushes nothing: the handler of pushes is never called. */
    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, HttpResponse.BodyHandler<T> handler, HttpResponse.PushPromiseHandler<T> pushes) {
        return sendAsync(request, handler);
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return http.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return http.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return http.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return http.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return http.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return http.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return http.authenticator();
    }

    @Override
    public Version version() {
        return http.version();
    }

    @Override
    public Optional<Executor> executor() {
        return http.executor();
    }
}
