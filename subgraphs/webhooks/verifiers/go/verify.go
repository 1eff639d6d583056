// Package webhooks checks signatures of remitgraph webhooks. Standard library only: copy this one file.
package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Scheme says which document describes the webhook. You know it by the URL that you gave us.
type Scheme string

const (
	// RequestMoney is document 2's, with X-Webhook-Signature.
	RequestMoney Scheme = "request_money"
	// Partner is document 3's, with X-RAAS-Signature.
	Partner Scheme = "partner"
	// Outcome is document 1's, with x-raas-signature and without a time.
	Outcome Scheme = "outcome"
)

// VerificationError says why a webhook must not be trusted. It holds no secret and no signature.
type VerificationError struct {
	// Code is MISSING_HEADER, MALFORMED_HEADER, MISMATCH, TOO_OLD or IN_FUTURE.
	Code    string
	Message string
}

func (e *VerificationError) Error() string { return e.Message }

// Options of Verify; the zero value means the defaults.
type Options struct {
	// Tolerance is how far the time of the webhook may be from Now, before or after it; nil for 5 minutes.
	Tolerance *time.Duration
	// Now is your clock; the zero time for the present.
	Now time.Time
}

// DefaultTolerance is what document 2 recommends to receivers.
const DefaultTolerance = 5 * time.Minute

type claim struct {
	time       string // Unix seconds as written; empty where the scheme has none
	candidates []string
	encode     func([]byte) string
}

// Verify returns nil when the webhook was signed with one of the secrets, over exactly this body, and not long ago.
// headers is an http.Header, body the bytes as received, before they are parsed. The error is a *VerificationError when
// the webhook must not be trusted, another one when the call itself is wrong, such as an empty secret.
func Verify(scheme Scheme, headers map[string][]string, body []byte, secrets []string, options Options) error {
	tolerance, now := DefaultTolerance, options.Now
	if options.Tolerance != nil {
		tolerance = *options.Tolerance
	}
	if now.IsZero() {
		now = time.Now()
	}
	if err := checkCall(secrets, tolerance); err != nil {
		return err
	}
	claimed, err := read(scheme, headers)
	if err != nil {
		return err
	}
	if !isSigned(claimed, body, secrets) {
		// The signature before the time: an unsigned time says nothing.
		return &VerificationError{"MISMATCH", "the signature is of another body, secret or time"}
	}
	if claimed.time == "" {
		return nil
	}
	return checkTime(claimed.time, now, tolerance)
}

func checkCall(secrets []string, tolerance time.Duration) error {
	if len(secrets) == 0 {
		return errors.New("webhooks: there must be a secret")
	}
	for _, secret := range secrets {
		if secret == "" {
			return errors.New("webhooks: a secret must not be empty")
		}
	}
	if tolerance < 0 {
		return errors.New("webhooks: the tolerance must be 0 or more")
	}
	return nil
}

func read(scheme Scheme, headers map[string][]string) (claim, error) {
	switch scheme {
	case RequestMoney:
		header, err := requireHeader(headers, "X-Webhook-Signature", isSignatureList)
		if err != nil {
			return claim{}, err
		}
		elements := strings.Split(header, ",")
		found := claim{time: elements[0][2:], encode: hex.EncodeToString}
		for _, element := range elements[1:] {
			// An element of another name is of a later version, and says nothing here.
			if strings.HasPrefix(element, "v1=") {
				found.candidates = append(found.candidates, element[3:])
			}
		}
		return found, nil
	case Partner:
		signature, err := requireHeader(headers, "X-RAAS-Signature", isHex)
		if err != nil {
			return claim{}, err
		}
		at, err := requireHeader(headers, "X-RAAS-Timestamp", isSeconds)
		return claim{at, []string{signature}, hex.EncodeToString}, err
	case Outcome:
		signature, err := requireHeader(headers, "x-raas-signature", isBase64)
		return claim{"", []string{signature}, base64.StdEncoding.EncodeToString}, err
	}
	return claim{}, fmt.Errorf("webhooks: there is no scheme %q", scheme)
}

func requireHeader(headers map[string][]string, name string, isGood func(string) bool) (string, error) {
	var values []string
	for key, some := range headers {
		if strings.EqualFold(key, name) {
			values = append(values, some...)
		}
	}
	if len(values) == 0 || values[0] == "" {
		return "", &VerificationError{"MISSING_HEADER", "the header " + name + " is missing"}
	}
	if len(values) > 1 || !isGood(values[0]) {
		return "", &VerificationError{"MALFORMED_HEADER", "the header " + name + " is malformed"}
	}
	return values[0], nil
}

func isSigned(claimed claim, body []byte, secrets []string) bool {
	found := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		if claimed.time != "" {
			mac.Write([]byte(claimed.time + "."))
		}
		mac.Write(body)
		expected := []byte(claimed.encode(mac.Sum(nil)))
		for _, candidate := range claimed.candidates {
			// All pairs, so that the time taken does not reveal the good one.
			found = hmac.Equal(expected, []byte(candidate)) || found
		}
	}
	return found
}

func checkTime(at string, now time.Time, tolerance time.Duration) error {
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return &VerificationError{"MALFORMED_HEADER", "the time is malformed"}
	}
	signed := time.Unix(seconds, 0)
	if now.After(signed.Add(tolerance)) {
		return &VerificationError{"TOO_OLD", fmt.Sprintf("signed more than %v ago", tolerance)}
	}
	if now.Before(signed.Add(-tolerance)) {
		return &VerificationError{"IN_FUTURE", fmt.Sprintf("signed more than %v in the future", tolerance)}
	}
	return nil
}

const maxElements = 16

// isSignatureList accepts t=SECONDS,v1=HEX with more elements behind it, one of which is a v1.
func isSignatureList(text string) bool {
	elements := strings.Split(text, ",")
	if !strings.HasPrefix(elements[0], "t=") || !isSeconds(elements[0][2:]) || len(elements)-1 > maxElements {
		return false
	}
	signatures := 0
	for _, element := range elements[1:] {
		name, value, found := strings.Cut(element, "=")
		switch {
		case !found || name == "t":
			return false
		case name == "v1":
			if !isHex(value) {
				return false
			}
			signatures++
		case !isName(name) || len(value) > 256 || strings.ContainsAny(value, " \t\r\n\v\f"):
			return false
		}
	}
	return signatures > 0
}

func isName(text string) bool {
	return len(text) >= 1 && len(text) <= 16 && text[0] >= 'a' && text[0] <= 'z' &&
		isOf(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
}

func isSeconds(text string) bool {
	return len(text) >= 1 && len(text) <= 12 && isOf(text, "0123456789")
}

func isHex(text string) bool {
	return len(text) == 64 && isOf(text, "0123456789abcdef")
}

func isBase64(text string) bool {
	return len(text) == 44 && text[43] == '=' &&
		isOf(text[:43], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}

func isOf(text, letters string) bool {
	return strings.Trim(text, letters) == ""
}
