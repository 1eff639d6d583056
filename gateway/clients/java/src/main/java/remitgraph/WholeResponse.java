package remitgraph;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Flow;
import javax.net.ssl.SSLSession;

/** An answer that was read whole, as the caller's handler reads its body. */
record WholeResponse<T>(HttpResponse<?> whole, T body) implements HttpResponse<T>, HttpResponse.ResponseInfo {

    static <T> HttpResponse<T> of(HttpResponse<byte[]> whole, BodyHandler<T> handler) {
        BodySubscriber<T> subscriber = handler.apply(new WholeResponse<>(whole, whole.body()));
        subscriber.onSubscribe(new Flow.Subscription() {
            // Everything is there already.
            @Override
            public void request(long count) {}

            @Override
            public void cancel() {}
        });
        if (whole.body().length > 0) {
            subscriber.onNext(List.of(ByteBuffer.wrap(whole.body())));
        }
        subscriber.onComplete();
        return new WholeResponse<>(whole, subscriber.getBody().toCompletableFuture().join());
    }

    @Override
    public int statusCode() {
        return whole.statusCode();
    }

    @Override
    public HttpRequest request() {
        return whole.request();
    }

    @Override
    public Optional<HttpResponse<T>> previousResponse() {
        return Optional.empty();
    }

    @Override
    public HttpHeaders headers() {
        return whole.headers();
    }

    @Override
    public Optional<SSLSession> sslSession() {
        return whole.sslSession();
    }

    @Override
    public URI uri() {
        return whole.uri();
    }

    @Override
    public HttpClient.Version version() {
        return whole.version();
    }
}
