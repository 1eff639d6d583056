/* global GraphiQL, React, ReactDOM, graphqlWs */
// Starts GraphiQL. A file of its own because the page's policy runs no inline script.

const { defaultQuery, defaultHeaders } = JSON.parse(document.getElementById('settings').textContent);
const endpoint = new URL('graphql', document.baseURI);
const socketEndpoint = Object.assign(new URL(endpoint), {
  protocol: endpoint.protocol === 'https:' ? 'wss:' : 'ws:',
});
/** Source: IANA, WebSocket close codes. */
const NORMAL_CLOSURE = 1000;

/** Queries and mutations by fetch, subscriptions by WebSocket; both take the key from the headers editor. */
function fetcher(operation, options) {
  const wsClient = graphqlWs.createClient({
    url: socketEndpoint.href,
    connectionParams: options?.headers,
    // A resubscription would miss what happened in between without a word: show the end instead.
    retryAttempts: 0,
    on: {
      // graphql-ws takes this code for a wish to reconnect, whatever `retryAttempts` says.
      closed: ({ code }) => code === NORMAL_CLOSURE && wsClient.terminate(),
    },
  });
  const send = GraphiQL.createFetcher({ url: endpoint.href, wsClient, enableIncrementalDelivery: false });
  return send(operation, options);
}

/** The browser's storage, without keys: the history, as GraphiQL keeps it, has the headers of every query. */
function createStorage() {
  const storage = GraphiQL.createLocalStorage({ namespace: 'remitgraph' });
  const { getItem, setItem } = storage;
  const replaceHeaders = (name, value, headers) =>
    value && /:(queries|favorites)$/.test(name)
      ? JSON.stringify(JSON.parse(value, (key, kept) => (key === 'headers' ? headers : kept)))
      : value;
  return Object.assign(storage, {
    getItem: (name) => replaceHeaders(name, getItem(name), defaultHeaders),
    setItem: (name, value) => setItem(name, replaceHeaders(name, value, '')),
  });
}

ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, {
    fetcher,
    defaultQuery,
    defaultHeaders,
    storage: createStorage(),
    // false also takes the setting away: keys stay out of the browser's storage.
    shouldPersistHeaders: false,
    defaultEditorToolsVisibility: 'headers',
  }),
);
