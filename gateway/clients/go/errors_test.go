package remitgraph

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"testing"
)

func TestErrorsHaveTheCodeOfTheirBodyOrStatus(t *testing.T) {
	details := []Detail{{"amount", "must be above 0"}}
	for _, one := range []struct {
		status  int
		body    string
		header  string
		code    Code
		message string
		details []Detail
	}{
		{400, `{"reason":"The amount is wrong.","code":"ERROR_INVALID_AMOUNT_ERROR"}`, "", ErrorInvalidAmountError, "The amount is wrong.", nil},
		{404, `{"reason":"There is no such user."}`, "", NotFound, "There is no such user.", nil},
		{404, `{"reason":"There is no such user."}`, "ERROR_SUBSCRIBER_NOT_FOUND", ErrorSubscriberNotFound, "There is no such user.", nil},
		{400, `{"reason":"No."}`, "", InvalidRequest, "No.", nil},
		{401, `{"message":"A valid API key is required."}`, "", Unauthenticated, "A valid API key is required.", nil},
		{403, `{"code":"OFAC_HIT","message":"Listed."}`, "", OFACHit, "Listed.", nil},
		{404, `{"error":"not_found","message":"None."}`, "", NotFound, "None.", nil},
		{409, `{"error":{"code":"LEGACY_REFERENCE_EXISTS","message":"Used."}}`, "", LegacyReferenceExists, "Used.", nil},
		{409, `{"error":{"code":"OF_NEXT_YEAR","message":"New."}}`, "", "OF_NEXT_YEAR", "New.", nil},
		{422, `{"message":"Invalid.","details":[{"path":"amount","message":"must be above 0"}]}`, "", ValidationFailed, "Invalid.", details},
		{422, `{"message":"Used.","details":[],"error":{"code":"IDEMPOTENCY_KEY_REUSED"}}`, "", IdempotencyKeyReused, "Used.", nil},
		{422, `{"message":"None.","details":[{"path":"amount","message":"must be above 0"},7,null,{}],"error":{"code":"ROUTE_NOT_AVAILABLE"}}`, "", RouteNotAvailable, "None.", details},
		{400, `{"error":{"code":"INVALID_REQUEST","message":"Invalid.","details":{"path":7}}}`, "", InvalidRequest, "Invalid.", nil},
		{400, `{"success":false,"error":{"code":"INVALID_REQUEST","message":"Invalid.","details":[{"path":"amount","message":"must be above 0"}]}}`, "", InvalidRequest, "Invalid.", details},
		{403, `{"success":false,"error":{"code":"FORBIDDEN","message":"No.","details":null}}`, "", Forbidden, "No.", nil},
		{502, `<html>Bad gateway</html>`, "", ServiceUnavailable, "502 Bad Gateway", nil},
		{503, ``, "", ServiceUnavailable, "503 Service Unavailable", nil},
		{400, `{"error":[1],"message":{"a":1}}`, "", InvalidRequest, "400 Bad Request", nil},
		{200, `<html>`, "", UnexpectedAnswer, "200 OK", nil},
		{302, ``, "", UnexpectedAnswer, "302 Found", nil},
	} {
		response := &http.Response{StatusCode: one.status, Header: http.Header{}}
		response.Status = fmt.Sprint(one.status, " ", http.StatusText(one.status))
		response.Header.Set("X-Request-Id", "req_1")
		if one.header != "" {
			response.Header.Set("X-Error-Code", one.header)
		}
		found := readError(response, []byte(one.body))
		expected := &Error{Status: one.status, Code: one.code, Message: one.message, Details: one.details, RequestID: "req_1", Body: []byte(one.body)}
		if !reflect.DeepEqual(found, expected) {
			t.Errorf("%s\nfound    %+v\nexpected %+v", one.body, found, expected)
		}
		if !errors.Is(found, one.code) || errors.Is(found, Code("ANOTHER")) {
			t.Error(one.code)
		}
	}
}
