package remitgraph

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// served is a request as the server got it.
type served struct {
	method, key, idempotencyKey, body string
}

// stand is a server that gives prepared answers, one after the other and then the last one again, and a client of it that
// notes its delays instead of waiting.
type stand struct {
	*Client
	url      string
	requests []served
	delays   []time.Duration
}

func newStand(t *testing.T, options Options, answers ...http.HandlerFunc) *stand {
	t.Helper()
	stand := &stand{}
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			t.Error(err)
		}
		header := request.Header
		stand.requests = append(stand.requests,
			served{request.Method, header.Get("X-API-Key"), header.Get("Idempotency-Key"), string(body)})
		answers[min(len(stand.requests), len(answers))-1](response, request)
	}))
	t.Cleanup(server.Close)
	client, err := New(server.URL, "raas_sandbox_1", options)
	if err != nil {
		t.Fatal(err)
	}
	client.sleep = func(_ context.Context, delay time.Duration) error {
		stand.delays = append(stand.delays, delay)
		return nil
	}
	stand.Client, stand.url = client, server.URL
	return stand
}

// send makes a call with a body unless it is a GET, and returns the body of the answer.
func (s *stand) send(t *testing.T, method, path string, change func(*http.Request)) (string, error) {
	t.Helper()
	request, err := http.NewRequest(method, s.url+path, strings.NewReader(`{"amount":1500.50}`))
	if err != nil {
		t.Fatal(err)
	}
	if method == http.MethodGet {
		request.Body = http.NoBody
	}
	if change != nil {
		change(request)
	}
	response, err := s.Do(request)
	if err != nil {
		return "", err
	}
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

func answer(status int, body string, headers ...string) http.HandlerFunc {
	return func(response http.ResponseWriter, _ *http.Request) {
		for index := 0; index < len(headers); index += 2 {
			response.Header().Set(headers[index], headers[index+1])
		}
		response.WriteHeader(status)
		_, _ = response.Write([]byte(body))
	}
}

// broken closes the connection, before the answer or in its middle.
func broken(beginning string) http.HandlerFunc {
	return func(response http.ResponseWriter, _ *http.Request) {
		connection, _, err := response.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = connection.Write([]byte(beginning))
		_ = connection.Close()
	}
}

var (
	fine         = answer(200, `{"status":"pending"}`)
	unavailable  = answer(503, `{"error":{"code":"SERVICE_UNAVAILABLE","message":"Try again."}}`, "Retry-After", "5")
	reset        = broken("")
	halfAnAnswer = broken("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{\"status\"")
)

func TestACreateIsRepeatedWithTheSameKeyAndBody(t *testing.T) {
	stand := newStand(t, Options{}, unavailable, reset, halfAnAnswer, fine)
	body, err := stand.send(t, http.MethodPost, "/v1/request-money", nil)
	if err != nil || body != `{"status":"pending"}` {
		t.Fatal(body, err)
	}
	if len(stand.requests) != 4 {
		t.Fatal(stand.requests)
	}
	first := stand.requests[0]
	if first.key != "raas_sandbox_1" || first.idempotencyKey == "" || first.body != `{"amount":1500.50}` {
		t.Error(first)
	}
	for _, request := range stand.requests {
		if request != first {
			t.Errorf("%v is not %v", request, first)
		}
	}
}

func TestEachCreateHasAKeyOfItsOwnUnlessTheCallerSetsOne(t *testing.T) {
	stand := newStand(t, Options{}, fine)
	for range 2 {
		if _, err := stand.send(t, http.MethodPost, "/v1/request-money", nil); err != nil {
			t.Fatal(err)
		}
	}
	setKey := func(request *http.Request) { request.Header.Set("Idempotency-Key", "mine") }
	if _, err := stand.send(t, http.MethodPost, "/v1/request-money", setKey); err != nil {
		t.Fatal(err)
	}
	if stand.requests[0].idempotencyKey == stand.requests[1].idempotencyKey {
		t.Error("two creates have one key")
	}
	if stand.requests[2].idempotencyKey != "mine" {
		t.Error(stand.requests[2])
	}
}

func TestOnlyRepeatableCallsAreRepeatedAfterAFault(t *testing.T) {
	conflict, wrong := answer(409, `{}`), answer(500, `{}`)
	for _, one := range []struct {
		call     string
		fault    http.HandlerFunc
		code     Code
		requests int
	}{
		{"GET /partner/me", reset, ConnectionLost, 4},
		{"GET /partner/me", halfAnAnswer, ConnectionLost, 4},
		{"GET /partner/me", unavailable, ServiceUnavailable, 4},
		{"GET /partner/me", wrong, InternalServerError, 1},
		{"POST /partner/links", reset, ConnectionLost, 1},
		{"POST /partner/links", halfAnAnswer, ConnectionLost, 1},
		{"POST /partner/links", unavailable, ServiceUnavailable, 1},
		{"POST /partner/links", answer(429, `{}`), RateLimited, 4},
		{"POST /v1/request-money", reset, ConnectionLost, 4},
		{"POST /v1/request-money", conflict, UnexpectedAnswer, 1},
		{"POST /v1/request-money", answer(200, `<html>`), UnexpectedAnswer, 1},
		{"POST /v1/request-money", answer(200, ``), UnexpectedAnswer, 1},
		{"GET /partner/me", answer(200, `{"success":`), UnexpectedAnswer, 1},
		{"POST /v1/request-money/AB12cd34/cancel", reset, ConnectionLost, 4},
		{"POST /v1/user/operations/request-money-v2/token", unavailable, ServiceUnavailable, 4},
		{"POST /v1/user/operations/request-money-full", unavailable, ServiceUnavailable, 1},
		{"POST /partner/users/usr_1/unblock", unavailable, ServiceUnavailable, 4},
		{"POST /partner/users/usr_1/unblock/more", unavailable, ServiceUnavailable, 1},
		{"POST /partner/pre-quote-lite", unavailable, ServiceUnavailable, 4},
	} {
		stand := newStand(t, Options{}, one.fault)
		method, path, _ := strings.Cut(one.call, " ")
		if _, err := stand.send(t, method, path, nil); !errors.Is(err, one.code) {
			t.Errorf("%s: %v is not %s", one.call, err, one.code)
		}
		if len(stand.requests) != one.requests {
			t.Errorf("%s after %s: sent %d times, not %d", one.call, one.code, len(stand.requests), one.requests)
		}
	}
}

func TestAFileComesAsItIs(t *testing.T) {
	const file = "\"date\",\"amount\"\r\n\"2026-11-21\",\"10.10\"\r\n"
	for _, text := range []string{file, ""} {
		stand := newStand(t, Options{}, answer(200, text, "Content-Type", "text/csv; charset=utf-8"))
		if body, err := stand.send(t, http.MethodGet, "/v1/statements/st_1.csv", nil); err != nil || body != text {
			t.Error(body, err)
		}
	}
	refused := answer(404, `{"error":{"code":"STATEMENT_NOT_FOUND","message":"None."}}`)
	if _, err := newStand(t, Options{}, refused).send(t, http.MethodGet, "/v1/statements/st_1.csv", nil); !errors.Is(err, StatementNotFound) {
		t.Error(err)
	}
	html := answer(200, "<html>", "Content-Type", "text/html")
	if _, err := newStand(t, Options{}, html).send(t, http.MethodGet, "/v1/statements/st_1.csv", nil); !errors.Is(err, UnexpectedAnswer) {
		t.Error(err)
	}
}

func TestAnAnswerThatIsTooLargeIsAnError(t *testing.T) {
	for _, kind := range []string{"application/json", "text/csv"} {
		whole := "1" + strings.Repeat(" ", mostBytes-1)
		if body, err := newStand(t, Options{}, answer(200, whole, "Content-Type", kind)).send(t, http.MethodGet, "/partner/me", nil); err != nil || body != whole {
			t.Error(len(body), err)
		}
		stand := newStand(t, Options{}, answer(200, whole+" ", "Content-Type", kind))
		if _, err := stand.send(t, http.MethodGet, "/partner/me", nil); !errors.Is(err, UnexpectedAnswer) {
			t.Error(err)
		}
		if len(stand.requests) != 1 {
			t.Error("it was sent again")
		}
	}
}

func TestALostConnectionHasItsCause(t *testing.T) {
	_, err := newStand(t, Options{}, reset).send(t, http.MethodPost, "/partner/links", nil)
	if !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

func TestTheProductMayBeBelowAPath(t *testing.T) {
	server := httptest.NewServer(unavailable)
	t.Cleanup(server.Close)
	client, err := New(server.URL+"/below/", "k", Options{})
	if err != nil {
		t.Fatal(err)
	}
	delays := 0
	client.sleep = func(context.Context, time.Duration) error { delays++; return nil }
	request, err := http.NewRequest(http.MethodPost, server.URL+"/below/v1/request-money", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Do(request); !errors.Is(err, ServiceUnavailable) || delays != 3 {
		t.Error(err, delays)
	}
}

func TestDelaysAreRandomDoubleAndComeOnTopOfRetryAfter(t *testing.T) {
	options := Options{Attempts: 8, MinDelay: time.Second, MaxDelay: 10 * time.Second}
	stand := newStand(t, options, answer(429, `{}`, "Retry-After", "7"))
	for range 20 {
		_, err := stand.send(t, http.MethodGet, "/partner/me", nil)
		var refused *Error
		if !errors.As(err, &refused) || refused.RetryAfter != 7*time.Second {
			t.Fatal(err)
		}
	}
	longest := make([]time.Duration, 7)
	different := map[time.Duration]bool{}
	for index, delay := range stand.delays {
		jitter := delay - 7*time.Second
		bound := min(10*time.Second, time.Second<<(index%7))
		if jitter < 0 || jitter > bound {
			t.Errorf("delay %d is %v", index%7, delay)
		}
		longest[index%7] = max(longest[index%7], jitter)
		different[jitter] = true
	}
	if len(stand.delays) != 140 || len(different) < 100 || longest[4] <= time.Second {
		t.Error(len(stand.delays), len(different), longest)
	}
}

func TestALongRetryAfterIsTheCallers(t *testing.T) {
	stand := newStand(t, Options{}, answer(429, `{}`, "Retry-After", "61"))
	_, err := stand.send(t, http.MethodGet, "/partner/me", nil)
	var refused *Error
	if !errors.As(err, &refused) || refused.RetryAfter != 61*time.Second || len(stand.requests) != 1 {
		t.Error(err, stand.requests)
	}
}

func TestRetryAfterMayBeADate(t *testing.T) {
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	for value, expected := range map[string]time.Duration{
		"Fri, 27 Nov 2026 12:00:09 GMT": 9 * time.Second,
		"Fri, 27 Nov 2026 11:00:00 GMT": 0,
		"soon":                          0, "-1": 0, "": 0, "3": 3 * time.Second,
		"99999999999999999999": (1<<31 - 1) * time.Second,
	} {
		if found := readRetryAfter(value, now); found != expected {
			t.Errorf("%q is %v", value, found)
		}
	}
}

func TestACancelledContextEndsTheCall(t *testing.T) {
	stand := newStand(t, Options{}, unavailable)
	stand.Client.sleep = sleep
	context, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := stand.send(t, http.MethodGet, "/partner/me", func(request *http.Request) {
		*request = *request.WithContext(context)
	})
	if !errors.Is(err, context.Err()) || !errors.Is(err, ServiceUnavailable) || len(stand.requests) != 1 {
		t.Error(err, stand.requests)
	}
}

func TestTheKeyGoesToNoOtherAddress(t *testing.T) {
	other := newStand(t, Options{}, fine)
	stand := newStand(t, Options{}, answer(302, "", "Location", other.url))
	_, err := stand.send(t, http.MethodGet, "/partner/me", nil)
	var refused *Error
	if !errors.As(err, &refused) || refused.Status != 302 {
		t.Error(err)
	}
	request, err := http.NewRequest(http.MethodGet, other.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stand.Do(request); err == nil || !strings.Contains(err.Error(), "the key is for") {
		t.Error(err)
	}
	if len(other.requests) != 0 {
		t.Error(other.requests)
	}
}

func TestNewRejectsWhatCannotBeUsed(t *testing.T) {
	for _, one := range [][2]string{
		{"http://api.example.com", "k"}, {"api.example.com", "k"}, {"ftp://127.0.0.1", "k"}, {"https://", "k"}, {"%", "k"},
		{"https://api.example.com", ""}, {"https://api.example.com", "k\r\nHost: x"},
		{"https://api.example.com", "k\x00"}, {"https://api.example.com", "k…"},
	} {
		if _, err := New(one[0], one[1], Options{}); err == nil {
			t.Error(one)
		}
	}
	for _, address := range []string{"https://api.example.com/below", "http://localhost:4000", "http://[::1]:4000"} {
		client, err := New(address, "k", Options{})
		if err != nil || client.Address() != address {
			t.Error(address, err)
		}
	}
}
