package remitgraph

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Code is the name of an error. It is an error itself, so that errors.Is(err, remitgraph.LegacyReferenceExists) asks for it.
type Code string

func (c Code) Error() string { return string(c) }

// Detail is a field of the request that is missing or invalid.
type Detail struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// Error is an answer whose status is not 2xx.
type Error struct {
	Status int
	// Code is from the body. The documents have answers without one. Those have the code of their status: NotFound for every
	// such 404, and "" for 400 and 500.
	Code Code
	// Message is for people, and may change.
	Message string
	Details []Detail
	// RequestID is for your operator.
	RequestID string
	// RetryAfter is 0 if the answer does not say when to send the call again.
	RetryAfter time.Duration
	// Body as it came. It may repeat what you sent: do not log it.
	Body []byte
}

func (e *Error) Error() string {
	return fmt.Sprintf("remitgraph: %d %s: %s (request %s)", e.Status, e.Code, e.Message, e.RequestID)
}

// Is reports whether target is the code of this error.
func (e *Error) Is(target error) bool {
	code, isCode := target.(Code)
	return isCode && e.Code == code
}

// The codes of answers that have none in their body.
var codesByStatus = map[int]Code{
	http.StatusUnauthorized:          Unauthenticated,
	http.StatusNotFound:              NotFound,
	http.StatusRequestEntityTooLarge: PayloadTooLarge,
	http.StatusUnsupportedMediaType:  UnsupportedMediaType,
	http.StatusUnprocessableEntity:   ValidationFailed,
	http.StatusTooManyRequests:       RateLimited,
	http.StatusServiceUnavailable:    ServiceUnavailable,
}

// body has the members of all error bodies of the three documents.
type body struct {
	// An object with code, message and details; a text in a 404 of document 2.
	Error   json.RawMessage `json:"error"`
	Code    Code            `json:"code"`
	Message string          `json:"message"`
	Reason  string          `json:"reason"`
	Details []Detail        `json:"details"`
}

// readError makes the error of an answer, whatever its body is: a proxy may have written it.
func readError(response *http.Response, answer []byte) *Error {
	refused := &Error{
		Status:     response.StatusCode,
		RequestID:  response.Header.Get("X-Request-Id"),
		RetryAfter: readRetryAfter(response.Header.Get("Retry-After"), time.Now()),
		Body:       answer,
	}
	var outer, inner body
	if json.Unmarshal(answer, &outer) == nil {
		if json.Unmarshal(outer.Error, &inner) != nil {
			inner = body{}
		}
	} else {
		outer = body{}
	}
	refused.Code = Code(firstOf(string(inner.Code), string(outer.Code), response.Header.Get("X-Error-Code")))
	if refused.Code == "" {
		refused.Code = codesByStatus[response.StatusCode]
	}
	refused.Message = firstOf(inner.Message, outer.Message, outer.Reason, response.Status)
	refused.Details = append(outer.Details, inner.Details...)
	return refused
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
