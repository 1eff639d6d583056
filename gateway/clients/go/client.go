// Package remitgraph is the part of a client that generators do not bring: key, address, retries, errors by code and pages.
// It needs the standard library only. The packages beside it have the types and calls, generated from the documents.
package remitgraph

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options of a Client. Zero values mean the defaults.
type Options struct {
	// Attempts is how often a call is sent at most. Default: 4.
	Attempts int
	// MinDelay is the longest delay before the second attempt; it doubles with each further one. Default: 500 ms.
	MinDelay time.Duration
	// MaxDelay is the longest delay. Default: 8 s. Retry-After comes on top.
	MaxDelay time.Duration
	// MaxWait bounds Retry-After: a call that should wait longer fails at once. Default: 60 s.
	MaxWait time.Duration
	// HTTP sends the requests. Default: one with 60 s for each attempt. Redirects are never followed: they would take the
	// key to another address.
	HTTP *http.Client
}

// Client sends the calls of the generated clients, which take it by WithHTTPClient. Goroutines may share it.
type Client struct {
	address *url.URL
	key     string
	options Options
	http    http.Client
	// Replaced in tests.
	sleep func(context.Context, time.Duration) error
}

const (
	idempotencyKey = "Idempotency-Key"
	keyHeader      = "X-API-Key"
	// mostBytes is the size of the largest answer that is read.
	mostBytes = 16 << 20
)

// New makes a client.
//
// address is scheme and host of the server, such as https://api.example.com, and a path if a proxy adds one. The key is sent
// to it alone. It must be https, unless the host is this machine. New fails for an address or a key that cannot be used.
func New(address, key string, options Options) (*Client, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("remitgraph: the address is no URL: %w", err)
	}
	if parsed.Host == "" || (parsed.Scheme != "https" && !(parsed.Scheme == "http" && isLoopback(parsed.Hostname()))) {
		return nil, errors.New("remitgraph: the address must be https, or http of this machine")
	}
	if key == "" || strings.ContainsFunc(key, func(one rune) bool { return one < ' ' || one > '~' }) {
		return nil, errors.New("remitgraph: the key must be one line of ASCII characters that is not empty")
	}
	client := &Client{address: parsed, key: key, options: withDefaults(options), sleep: sleep}
	client.http = *client.options.HTTP
	client.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return client, nil
}

// Address is the address as it was given, for the generated clients.
func (c *Client) Address() string { return c.address.String() }

// Do sends a request with the key, and again as Options say: after 429 always; after 503 and lost connections if it reads, or if
// its call gives the same answer again. createRequestMoney gets an Idempotency-Key, unless it has one; each attempt sends the same.
//
// The error is an *Error, or that of the context.
func (c *Client) Do(request *http.Request) (*http.Response, error) {
	if request.URL.Scheme != c.address.Scheme || request.URL.Host != c.address.Host {
		return nil, fmt.Errorf("remitgraph: the key is for %s, not for %s", c.address.Host, request.URL.Host)
	}
	body, err := readBody(request)
	if err != nil {
		return nil, err
	}
	prepared := request.Clone(request.Context())
	prepared.Header.Set(keyHeader, c.key)
	if c.isCreate(request) && request.Header.Get(idempotencyKey) == "" {
		prepared.Header.Set(idempotencyKey, rand.Text())
	}
	for attempt := 1; ; attempt++ {
		response, err := c.attempt(prepared, body)
		if err == nil {
			return response, nil
		}
		delay, again := c.delayAfter(prepared, err, attempt)
		if !again {
			return nil, err
		}
		if stopped := c.sleep(request.Context(), delay); stopped != nil {
			return nil, errors.Join(stopped, err)
		}
	}
}

// attempt sends the request once. It reads the whole answer, so that a connection that breaks meanwhile is a fault of this
// attempt.
func (c *Client) attempt(prepared *http.Request, body []byte) (*http.Response, error) {
	request := prepared.Clone(prepared.Context())
	if body != nil {
		request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		request.Body, _ = request.GetBody()
		request.ContentLength = int64(len(body))
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, connectionLost(request.Context(), err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, mostBytes+1))
	if err != nil {
		return nil, connectionLost(request.Context(), err)
	}
	if len(answer) > mostBytes {
		return nil, readError(response, nil)
	}
	isSuccess := response.StatusCode >= 200 && response.StatusCode <= 299
	isFile := strings.HasPrefix(response.Header.Get("Content-Type"), "text/csv")
	if !isSuccess || !(request.Method == http.MethodHead || isFile || json.Valid(answer)) {
		return nil, readError(response, answer)
	}
	response.Body = io.NopCloser(bytes.NewReader(answer))
	return response, nil
}

func readBody(request *http.Request) ([]byte, error) {
	if request.Body == nil || request.Body == http.NoBody {
		return nil, nil
	}
	defer request.Body.Close()
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, fmt.Errorf("remitgraph: the body cannot be read: %w", err)
	}
	return body, nil
}

func withDefaults(options Options) Options {
	if options.Attempts <= 0 {
		options.Attempts = 4
	}
	if options.MinDelay <= 0 {
		options.MinDelay = 500 * time.Millisecond
	}
	if options.MaxDelay <= 0 {
		options.MaxDelay = 8 * time.Second
	}
	if options.MaxWait <= 0 {
		options.MaxWait = time.Minute
	}
	if options.HTTP == nil {
		options.HTTP = &http.Client{Timeout: time.Minute}
	}
	return options
}

func isLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}
