// Package remittance has the types and calls of document 1, remittances. They are generated into this folder:
//
//	REMITGRAPH_URL=https://your.server go generate ./...
package remittance

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config ../oapi-codegen.yaml -package remittance $REMITGRAPH_URL/v1/user/openapi.json
