package remitgraph

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// delayAfter says whether a request is sent again after this fault of an attempt, and when. The delay is random, between 0 and
// a bound that doubles, so that clients that failed together do not come back together. Retry-After comes on top.
func (c *Client) delayAfter(request *http.Request, fault error, attempt int) (time.Duration, bool) {
	var refused *Error
	isAnswer := errors.As(fault, &refused)
	switch {
	case attempt >= c.options.Attempts || request.Context().Err() != nil:
		return 0, false
	case isAnswer && refused.Status == http.StatusTooManyRequests:
		// It was not looked at, whatever it is.
	case isAnswer && refused.Status != http.StatusServiceUnavailable:
		return 0, false
	case !isRepeatable(request):
		// It may have taken effect.
		return 0, false
	}
	delay := rand.N(c.boundOf(attempt) + 1)
	if isAnswer {
		delay += refused.RetryAfter
		if refused.RetryAfter > c.options.MaxDelay {
			return 0, false
		}
	}
	return delay, true
}

func (c *Client) boundOf(attempt int) time.Duration {
	bound := c.options.MinDelay
	for doubled := 1; doubled < attempt && bound < c.options.MaxDelay; doubled++ {
		bound *= 2
	}
	return min(bound, c.options.MaxDelay)
}

func isRepeatable(request *http.Request) bool {
	return request.Method == http.MethodGet || request.Header.Get(idempotencyKey) != ""
}

// readRetryAfter reads seconds or a date; 0 if there is neither.
func readRetryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

func sleep(context context.Context, delay time.Duration) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-context.Done():
		return context.Err()
	}
}
