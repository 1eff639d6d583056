package remitgraph

import (
	"context"
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

// Error is an answer whose status is not 2xx, or a lost connection.
type Error struct {
	// Status is 0 for a lost connection.
	Status int
	// Code is from the body. Answers without one have the code of their status. A newer server may have more codes than this file.
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
	// Of a lost connection.
	cause error
}

func (e *Error) Error() string {
	return fmt.Sprintf("remitgraph: %d %s: %s (request %s)", e.Status, e.Code, e.Message, e.RequestID)
}

// Unwrap is the fault of a lost connection, and nil for an answer.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is the code of this error.
func (e *Error) Is(target error) bool {
	code, isCode := target.(Code)
	return isCode && e.Code == code
}

// The codes of answers that have none in their body.
var codesByStatus = map[int]Code{
	http.StatusBadRequest:            InvalidRequest,
	http.StatusUnauthorized:          Unauthenticated,
	http.StatusForbidden:             Forbidden,
	http.StatusNotFound:              NotFound,
	http.StatusRequestEntityTooLarge: PayloadTooLarge,
	http.StatusUnsupportedMediaType:  UnsupportedMediaType,
	http.StatusUnprocessableEntity:   ValidationFailed,
	http.StatusTooManyRequests:       RateLimited,
	http.StatusInternalServerError:   InternalServerError,
	http.StatusBadGateway:            ServiceUnavailable,
	http.StatusServiceUnavailable:    ServiceUnavailable,
	http.StatusGatewayTimeout:        ServiceUnavailable,
}

// connectionLost is the fault itself once the caller has ended the context.
func connectionLost(context context.Context, fault error) error {
	if context.Err() != nil {
		return fault
	}
	return &Error{Code: ConnectionLost, Message: "the server cannot be reached, or its answer did not arrive", cause: fault}
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
	refused.Code = Code(firstOf(string(inner.Code), string(outer.Code), response.Header.Get("X-Error-Code"),
		string(codesByStatus[response.StatusCode]), string(UnexpectedAnswer)))
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
