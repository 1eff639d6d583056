// A program that makes calls with the generated clients and the layer. It reads a call a line, and writes its answer as a
// line. Its argument is the address of the server.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"remitgraph"
	"remitgraph/partner"
	"remitgraph/remittance"
	"remitgraph/requestmoney"
	"remitgraph/webhooks"
)

type call struct {
	Operation string
	Key       string
	// ID is the parameter in the path.
	ID string
	// IdempotencyKey is "" for none.
	IdempotencyKey string
	// Body is the text of a body, "" for none.
	Body string
	// Headers and Secret are those of a webhook.
	Headers map[string][]string
	Secret  string
}

type answer struct {
	// Value is the typed answer.
	Value any `json:"value,omitempty"`
	// The other three are those of an error.
	Status  int             `json:"status,omitempty"`
	Code    remitgraph.Code `json:"code,omitempty"`
	Message string          `json:"message,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	output := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked call
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		if err := output.Encode(answerTo(asked)); err != nil {
			panic(err)
		}
	}
}

func answerTo(asked call) answer {
	value, err := perform(asked)
	var refused *remitgraph.Error
	switch {
	case errors.As(err, &refused):
		return answer{Status: refused.Status, Code: refused.Code, Message: refused.Message}
	case err != nil:
		return answer{Message: err.Error()}
	}
	return answer{Value: value}
}

func perform(asked call) (any, error) {
	client, err := remitgraph.New(os.Args[1], asked.Key, remitgraph.Options{MinDelay: 10 * time.Millisecond})
	if err != nil {
		return nil, err
	}
	money, err := requestmoney.NewClientWithResponses(client.Address(), requestmoney.WithHTTPClient(client))
	if err != nil {
		return nil, err
	}
	users, err := remittance.NewClientWithResponses(client.Address(), remittance.WithHTTPClient(client))
	if err != nil {
		return nil, err
	}
	account, err := partner.NewClientWithResponses(client.Address(), partner.WithHTTPClient(client))
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	switch asked.Operation {
	case "createRequestMoney":
		params := &requestmoney.CreateRequestMoneyParams{}
		if asked.IdempotencyKey != "" {
			params.IdempotencyKey = &asked.IdempotencyKey
		}
		reply, err := money.CreateRequestMoneyWithResponse(ctx, params, read[requestmoney.CreateRequestMoney](asked))
		return pick(err, func() any { return reply.JSON201 })
	case "getRequestMoney":
		reply, err := money.GetRequestMoneyWithResponse(ctx, asked.ID)
		return pick(err, func() any { return reply.JSON200 })
	case "cancelRequestMoney":
		if asked.Body == "" {
			reply, err := money.CancelRequestMoneyWithBodyWithResponse(ctx, asked.ID, "application/json", nil)
			return pick(err, func() any { return reply.JSON200 })
		}
		body := read[requestmoney.CancelRequestMoney](asked)
		reply, err := money.CancelRequestMoneyWithResponse(ctx, asked.ID, body)
		return pick(err, func() any { return reply.JSON200 })
	case "simulateRequestMoneyStatus":
		body := read[requestmoney.SimulateRequestMoneyStatus](asked)
		reply, err := money.SimulateRequestMoneyStatusWithResponse(ctx, asked.ID, body)
		return pick(err, func() any { return reply.JSON200 })
	case "requestMoneyFull":
		reply, err := users.RequestMoneyFullWithResponse(ctx, read[remittance.RequestMoneyFull](asked))
		return pick(err, func() any { return reply.JSON200 })
	case "getMe":
		reply, err := account.GetMeWithResponse(ctx)
		return pick(err, func() any { return reply.JSON200 })
	case "preQuoteLite":
		reply, err := account.PreQuoteLiteWithResponse(ctx, read[partner.PreQuoteLite](asked))
		return pick(err, func() any { return reply.JSON200 })
	case "createLink":
		reply, err := account.CreateLinkWithResponse(ctx, read[partner.CreateLink](asked))
		return pick(err, func() any { return reply.JSON201 })
	case "getLink":
		reply, err := account.GetLinkWithResponse(ctx, asked.ID)
		return pick(err, func() any { return reply.JSON200 })
	case "allLinks":
		return allLinks(ctx, account)
	case "verifyWebhook":
		secrets := []string{asked.Secret}
		return "verified", webhooks.Verify(webhooks.RequestMoney, asked.Headers, []byte(asked.Body), secrets, webhooks.Options{})
	}
	return nil, fmt.Errorf("the program has no operation %s", asked.Operation)
}

// allLinks gives the references of all links, by pages of one.
func allLinks(ctx context.Context, account *partner.ClientWithResponses) (any, error) {
	limit := 1
	var references []string
	for link, err := range remitgraph.Pages(func(page int) ([]partner.Links_Data_Items, int, error) {
		reply, err := account.ListLinksWithResponse(ctx, &partner.ListLinksParams{Page: &page, Limit: &limit})
		if err != nil {
			return nil, 0, err
		}
		data := reply.JSON200.Data
		return data.Items, data.Pagination.TotalPages, nil
	}) {
		if err != nil {
			return nil, err
		}
		references = append(references, link.ReferenceId)
	}
	return references, nil
}

func read[Body any](asked call) Body {
	var body Body
	if err := json.Unmarshal([]byte(asked.Body), &body); err != nil {
		panic(err)
	}
	return body
}

func pick(err error, value func() any) (any, error) {
	if err != nil {
		return nil, err
	}
	return value(), nil
}
