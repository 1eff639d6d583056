package remitgraph;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Reads the body of an answer; empty for one that is larger than {@link #MOST_BYTES}, which it does not read to its end. */
final class LimitedBody implements HttpResponse.BodySubscriber<Optional<byte[]>> {
    static final int MOST_BYTES = 16 * 1024 * 1024;

    private final CompletableFuture<Optional<byte[]>> body = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private Flow.Subscription subscription;

    @Override
    public CompletionStage<Optional<byte[]>> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        for (ByteBuffer part : parts) {
            if (bytes.size() + part.remaining() > MOST_BYTES) {
                subscription.cancel();
                body.complete(Optional.empty());
                return;
            }
            byte[] read = new byte[part.remaining()];
            part.get(read);
            bytes.writeBytes(read);
        }
    }

    @Override
    public void onError(Throwable fault) {
        body.completeExceptionally(fault);
    }

    @Override
    public void onComplete() {
        body.complete(Optional.of(bytes.toByteArray()));
    }
}
