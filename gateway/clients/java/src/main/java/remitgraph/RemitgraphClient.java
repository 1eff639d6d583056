package remitgraph;

import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Sends the calls of the generated clients: with the key, again after faults, and with errors as {@link RemitgraphException}.
 * Threads may share it.
 *
 * <p>A call is sent again after 429 always; after 503 and lost connections if it reads, or if it gives the same answer again.
 * {@code createRequestMoney} gets an {@code Idempotency-Key}, unless it has one; each attempt sends the same.
 */
public final class RemitgraphClient extends HttpClient {
    private static final String KEY = "X-API-Key";
    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    /** Calls that give the same answer when they are repeated, besides those that read and creates. */
    private static final Pattern REPEATABLE = Pattern.compile("/v1/user/operations/request-money-v2/[^/]+"
            + "|/v1/request-money/[^/]+/cancel"
            + "|/partner/users/[^/]+/(un)?block"
            + "|/partner/pre-quote-lite");
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
        if (!key.matches("[\\x20-\\x7e]+")) {
            throw new IllegalArgumentException("The key must be one line of ASCII characters that is not empty");
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
     * @throws RemitgraphException for an answer whose status is not 2xx, that is neither JSON nor a CSV file, or that has more than 16 MiB;
     *     and for a lost connection
     * @throws IllegalArgumentException for a request to another address
     */
    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) throws InterruptedException {
        HttpRequest prepared = prepare(request);
        boolean isRepeatable = isRepeatable(request);
        for (int attempt = 1; ; attempt++) {
            try {
                return WholeResponse.of(attempt(prepared), handler);
            } catch (RemitgraphException failed) {
                Optional<Duration> delay = retries.delayAfter(failed, attempt, isRepeatable);
                if (delay.isEmpty()) {
                    throw failed;
                }
                sleeper.sleep(delay.get());
            }
        }
    }

    private boolean isRepeatable(HttpRequest request) {
        boolean isRead = request.method().equals("GET") || request.method().equals("HEAD");
        return isRead || isCreate(request) || REPEATABLE.matcher(pathOf(request)).matches();
    }

    private boolean isCreate(HttpRequest request) {
        return request.method().equals("POST") && pathOf(request).equals("/v1/request-money");
    }

    /** As the documents have it: the product may be below a path of its own. */
    private String pathOf(HttpRequest request) {
        String prefix = address.getPath().replaceAll("/+$", "");
        String path = request.uri().getPath();
        return path.startsWith(prefix + "/") ? path.substring(prefix.length()) : path;
    }

    private HttpRequest prepare(HttpRequest request) {
        URI uri = request.uri();
        if (!uri.getScheme().equals(address.getScheme())
                || !uri.getHost().equals(address.getHost())
                || uri.getPort() != address.getPort()) {
            throw new IllegalArgumentException("The key is for " + address.getAuthority() + ", not for " + uri.getAuthority());
        }
        HttpRequest.Builder prepared = HttpRequest.newBuilder(request, (name, value) -> true).setHeader(KEY, key);
        if (isCreate(request) && request.headers().firstValue(IDEMPOTENCY_KEY).isEmpty()) {
            prepared.setHeader(IDEMPOTENCY_KEY, UUID.randomUUID().toString());
        }
        return prepared.build();
    }

    /** Sends the request once, and reads the whole answer: a connection that breaks meanwhile is a fault of this attempt. */
    private HttpResponse<byte[]> attempt(HttpRequest request) throws InterruptedException {
        Duration timeout = request.timeout().orElse(TIMEOUT);
        CompletableFuture<HttpResponse<Optional<byte[]>>> sent = http.sendAsync(request, info -> new LimitedBody());
        HttpResponse<Optional<byte[]>> received;
        try {
            received = sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            sent.cancel(true);
            throw RemitgraphException.ofLostConnection(late);
        } catch (InterruptedException interrupted) {
            sent.cancel(true);
            throw interrupted;
        } catch (ExecutionException failed) {
            throw RemitgraphException.ofLostConnection(failed.getCause());
        }
        HttpResponse<byte[]> response = new WholeResponse<>(received, received.body().orElse(new byte[0]));
        boolean isSuccess = response.statusCode() >= 200 && response.statusCode() <= 299;
        boolean isFile = response.headers().firstValue("content-type").orElse("").startsWith("text/csv");
        boolean isReadable = received.body().isPresent()
                && (request.method().equals("HEAD") || isFile || RemitgraphException.isJson(response.body()));
        if (!(isSuccess && isReadable)) {
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
