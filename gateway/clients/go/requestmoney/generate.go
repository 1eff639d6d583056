// Package requestmoney has the types and calls of document 2, money requests. They are generated into this folder:
//
//	REMITGRAPH_URL=https://your.server go generate ./...
package requestmoney

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config ../oapi-codegen.yaml -package requestmoney $REMITGRAPH_URL/v1/openapi.json
