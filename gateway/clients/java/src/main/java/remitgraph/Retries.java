package remitgraph;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How often a call is sent again, and when. A delay is random, between 0 and a bound that doubles, so that clients that failed
 * together do not come back together. {@code Retry-After} comes on top.
 *
 * @param attempts how often a call is sent at most
 * @param minDelay the longest delay before the second attempt; it doubles with each further one
 * @param maxDelay the longest delay
 * @param maxWait the longest {@code Retry-After}: a call that should wait longer fails at once
 */
public record Retries(int attempts, Duration minDelay, Duration maxDelay, Duration maxWait) {
    /** Four attempts, 500 ms, 8 s, 60 s. */
    public static final Retries DEFAULTS =
            new Retries(4, Duration.ofMillis(500), Duration.ofSeconds(8), Duration.ofSeconds(60));

    /** @throws IllegalArgumentException for a number below 1, or a delay below 0 */
    public Retries {
        if (attempts < 1 || minDelay.isNegative() || maxDelay.isNegative() || maxWait.isNegative()) {
            throw new IllegalArgumentException("There must be 1 or more attempts, and no delay below 0");
        }
    }

    /** The delay before the next attempt; empty if there is none. */
    Optional<Duration> delayAfter(RemitgraphException failed, int attempt, boolean isRepeatable) {
        if (attempt >= attempts || failed.retryAfter().compareTo(maxWait) > 0) {
            return Optional.empty();
        }
        // The server has not acted after 429. It may have acted after 503, and after a connection was lost.
        boolean mayHaveActed = failed.status() == 503 || failed.code().equals(ErrorCode.CONNECTION_LOST);
        if (failed.status() != 429 && !(mayHaveActed && isRepeatable)) {
            return Optional.empty();
        }
        long jitter = ThreadLocalRandom.current().nextLong(boundOf(attempt).toMillis() + 1);
        return Optional.of(failed.retryAfter().plusMillis(jitter));
    }

    private Duration boundOf(int attempt) {
        Duration bound = minDelay;
        for (int doubled = 1; doubled < attempt && bound.compareTo(maxDelay) < 0; doubled++) {
            bound = bound.multipliedBy(2);
        }
        return bound.compareTo(maxDelay) < 0 ? bound : maxDelay;
    }
}
