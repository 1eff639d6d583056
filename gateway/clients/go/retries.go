package remitgraph

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Calls that give the same answer when they are repeated, besides those that read and creates, which have an Idempotency-Key.
var repeatable = regexp.MustCompile(`^(/v1/user/operations/request-money-v2/[^/]+` +
	`|/v1/request-money/[^/]+/cancel` +
	`|/partner/users/[^/]+/(un)?block` +
	`|/partner/pre-quote-lite)$`)

// delayAfter says whether a request is sent again after this fault of an attempt, and when. The delay is random, between 0 and
// a bound that doubles, so that clients that failed together do not come back together. Retry-After comes on top.
func (c *Client) delayAfter(request *http.Request, fault error, attempt int) (time.Duration, bool) {
	var failed *Error
	if !errors.As(fault, &failed) || attempt >= c.options.Attempts || failed.RetryAfter > c.options.MaxWait {
		return 0, false
	}
	// The server has not acted after 429. It may have acted after 503, and after a connection was lost.
	mayHaveActed := failed.Status == http.StatusServiceUnavailable || failed.Code == ConnectionLost
	if failed.Status != http.StatusTooManyRequests && !(mayHaveActed && c.isRepeatable(request)) {
		return 0, false
	}
	return failed.RetryAfter + rand.N(c.boundOf(attempt)+1), true
}

func (c *Client) boundOf(attempt int) time.Duration {
	bound := c.options.MinDelay
	for doubled := 1; doubled < attempt && bound < c.options.MaxDelay; doubled++ {
		bound *= 2
	}
	return min(bound, c.options.MaxDelay)
}

func (c *Client) isRepeatable(request *http.Request) bool {
	isRead := request.Method == http.MethodGet || request.Method == http.MethodHead
	return isRead || c.isCreate(request) || repeatable.MatchString(c.pathOf(request))
}

func (c *Client) isCreate(request *http.Request) bool {
	return request.Method == http.MethodPost && c.pathOf(request) == "/v1/request-money"
}

// pathOf is the path as the documents have it: the product may be below a path of its own.
func (c *Client) pathOf(request *http.Request) string {
	return strings.TrimPrefix(request.URL.Path, strings.TrimRight(c.address.Path, "/"))
}

// readRetryAfter reads seconds or a date; 0 if there is neither. More seconds than it can count are as many as it can count.
func readRetryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil || errors.Is(err, strconv.ErrRange) {
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
