module remitgraph/webhooks

go 1.20
