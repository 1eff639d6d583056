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
 * @param maxDelay the longest delay. A call whose {@code Retry-After} is longer is not sent again
 */
public record Retries(int attempts, Duration minDelay, Duration maxDelay) {
    /** Four attempts, 500 ms, 30 s. */
    public static final Retries DEFAULTS = new Retries(4, Duration.ofMillis(500), Duration.ofSeconds(30));

    /** @throws IllegalArgumentException for a number below 1, or a delay below 0 */
    public Retries {
        if (attempts < 1 || minDelay.isNegative() || maxDelay.isNegative()) {
            throw new IllegalArgumentException("There must be 1 or more attempts, and no delay below 0");
        }
    }

    /** The delay before the next attempt; empty if there is none. */
    Optional<Duration> delayAfter(Exception fault, int attempt, boolean isRepeatable) {
        Duration retryAfter = Duration.ZERO;
        boolean mayHaveTakenEffect = true;
        if (fault instanceof RemitgraphException refused) {
            if (refused.status() != 429 && refused.status() != 503) {
                return Optional.empty();
            }
            mayHaveTakenEffect = refused.status() == 503;
            retryAfter = refused.retryAfter();
        }
        boolean isOver = attempt >= attempts || retryAfter.compareTo(maxDelay) > 0;
        if (isOver || (mayHaveTakenEffect && !isRepeatable)) {
            return Optional.empty();
        }
        long bound = boundOf(attempt).toMillis();
        return Optional.of(retryAfter.plusMillis(ThreadLocalRandom.current().nextLong(bound + 1)));
    }

    private Duration boundOf(int attempt) {
        Duration bound = minDelay;
        for (int doubled = 1; doubled < attempt && bound.compareTo(maxDelay) < 0; doubled++) {
            bound = bound.multipliedBy(2);
        }
        return bound.compareTo(maxDelay) < 0 ? bound : maxDelay;
    }
}
