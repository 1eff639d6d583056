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

// Error is an answer whose status is not 2xx, that is neither JSON nor a CSV file, or that has more than 16 MiB; or a lost connection.
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

// readError makes the error of an answer, whatever its body is: a proxy may have written it. Some bodies have members both in
// error and beside it. An answer with status 2xx that is not JSON is an error too.
func readError(response *http.Response, answer []byte) *Error {
	refused := &Error{
		Status:     response.StatusCode,
		RequestID:  response.Header.Get("X-Request-Id"),
		RetryAfter: readRetryAfter(response.Header.Get("Retry-After"), time.Now()),
		Body:       answer,
	}
	outer := membersOf(answer)
	inner := membersOf(outer["error"])
	refused.Code = Code(firstOf(textOf(inner["code"]), textOf(outer["code"]), response.Header.Get("X-Error-Code"),
		string(codesByStatus[response.StatusCode]), string(UnexpectedAnswer)))
	refused.Message = firstOf(textOf(inner["message"]), textOf(outer["message"]), textOf(outer["reason"]), response.Status)
	refused.Details = append(detailsOf(outer["details"]), detailsOf(inner["details"])...)
	return refused
}

// membersOf gives the members of an object, and none of anything else.
func membersOf(value json.RawMessage) map[string]json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &members) != nil {
		return nil
	}
	return members
}

func textOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}

func detailsOf(value json.RawMessage) []Detail {
	var items []json.RawMessage
	if json.Unmarshal(value, &items) != nil {
		return nil
	}
	var details []Detail
	for _, item := range items {
		var detail Detail
		if json.Unmarshal(item, &detail) == nil && detail.Message != "" {
			details = append(details, detail)
		}
	}
	return details
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
