// Package partner has the types and calls of document 3, the partner API. They are generated into this folder:
//
//	REMITGRAPH_URL=https://your.server go generate ./...
package partner

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config ../oapi-codegen.yaml -package partner $REMITGRAPH_URL/partner/openapi.json
