package webhooks

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"
)

type vector struct {
	Name             string
	Scheme           Scheme
	Headers          map[string]string
	Body             string
	BodyBase64       *string
	Secrets          []string
	Now              int64
	ToleranceSeconds float64
	Result           string
}

func outcome(t *testing.T, v vector) string {
	body := []byte(v.Body)
	if v.BodyBase64 != nil {
		decoded, err := base64.StdEncoding.DecodeString(*v.BodyBase64)
		if err != nil {
			t.Fatal(err)
		}
		body = decoded
	}
	headers := map[string][]string{}
	for name, value := range v.Headers {
		headers[name] = []string{value}
	}
	tolerance := time.Duration(v.ToleranceSeconds * float64(time.Second))
	err := Verify(v.Scheme, headers, body, v.Secrets, Options{Tolerance: &tolerance, Now: time.Unix(v.Now, 0)})
	var rejected *VerificationError
	switch {
	case err == nil:
		return "OK"
	case errors.As(err, &rejected):
		return rejected.Code
	}
	return "WRONG_CALL"
}

// `go test -v` prints what each vector comes to.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile("../vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, v := range file.Vectors {
		found := outcome(t, v)
		fmt.Printf("%s\t%s\n", found, v.Name)
		if found != v.Result {
			t.Errorf("%s: %s instead of %s", v.Name, found, v.Result)
		}
	}
}
