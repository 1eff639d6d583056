import type { WebhookIssue } from '../../../../subgraphs/webhooks/verifiers/verify-webhook.ts';
import type { ErrorWords } from './words.ts';

/** Codes of a `LiveError` that `remitgraph/client` itself gives; it passes the server's codes on. */
export const CLIENT_WORDS = {
  CONNECTION_LOST: {
    cause: 'The connection broke off, or could not be opened.',
    fix: 'The client resumes by itself.',
  },
  CONNECTION_ENDED: {
    cause: 'The server ended the subscription, for example because it restarts.',
    fix: 'The client resumes by itself.',
  },
  UNRESPONSIVE: { cause: 'The server sends nothing, not even a ping.', fix: 'The client resumes by itself.' },
  SLOW_READER: {
    cause: 'Your program reads more slowly than events come, and `buffer` items wait.',
    fix: 'The client resumes when half of them are read. Do less in the loop, or raise `buffer`.',
  },
  NO_CREDENTIAL: {
    cause: 'The function `browserToken` failed.',
    fix: "The client tries again. To stop it, throw `new LiveError('SIGNED_OUT', '…')` in the function.",
  },
  BAD_DOCUMENT: {
    cause:
      'The list does not select `latestEventCursor`, or the subscription has no `cursor` or no variable for `after`.',
    fix: 'Change the document as the message says.',
  },
  UNEXPECTED_ANSWER: {
    cause: 'The answer is not a GraphQL answer.',
    fix: 'Check `url`, and proxies between you and the server.',
  },
  PROTOCOL_ERROR: {
    cause: 'The server closed the socket with 4400 to 4499.',
    fix: 'Check `url`, and use compatible versions of client and server.',
  },
} satisfies Readonly<Record<string, ErrorWords>>;

/**
 * The close codes of a WebSocket of `/graphql`. Source: GraphQL over WebSocket protocol; IANA, WebSocket close codes.
 */
export const CLOSE_WORDS: Readonly<Record<number, ErrorWords>> = {
  1001: {
    cause: 'The other side shuts down.',
    fix: 'Connect again after a random time, and subscribe after the last cursor.',
  },
  1012: {
    cause: 'The server restarts.',
    fix: 'Connect again after a random time, and subscribe after the last cursor.',
  },
  1013: {
    cause: 'The key, or all keys of its partner together, has too many sockets open (`SOCKETS_PER_KEY`).',
    fix: 'Follow several things over one socket, and close those that nobody reads. Connect again after a random time.',
  },
  4400: {
    cause:
      'A message does not follow the protocol, has a key more than once in an object, or has more than 256 levels. The reason of the close says which.',
    fix: 'Use a client of `graphql-transport-ws`, and JSON whose objects have each key once.',
  },
  4401: {
    cause: 'A subscription came before the connection was acknowledged.',
    fix: 'Wait for `connection_ack`.',
  },
  4403: {
    cause: 'The key in `connectionParams` is missing, wrong or revoked, or the browser token has ended.',
    fix: 'With a token: get a new one, connect, and subscribe after the last cursor. With a key: do not connect again.',
  },
  4406: { cause: 'The protocol is not `graphql-transport-ws`.', fix: 'Request this subprotocol.' },
  4408: {
    cause: '`connection_init` did not come in time.',
    fix: 'Send it as the first message, and try again.',
  },
  4409: { cause: 'Two open operations have the same id.', fix: 'Give each its own id on the socket.' },
  4429: { cause: '`connection_init` came twice.', fix: 'Send it once.' },
  4500: {
    cause: 'An error on our side.',
    fix: 'Connect again after a random time; if the error persists, inform your operator.',
  },
};

/** The reasons for which `verifyWebhook` rejects a webhook. */
export const WEBHOOK_WORDS: Readonly<Record<WebhookIssue, ErrorWords>> = {
  MISSING_HEADER: {
    cause: 'The request has no signature: it does not come from us, or the partner has no secret.',
    fix: 'Answer 401. If your secret is not set, set one.',
  },
  MALFORMED_HEADER: {
    cause: 'The header does not have the form of a signature.',
    fix: 'Answer 401. Check that no proxy changes headers.',
  },
  MISMATCH: {
    cause: 'The signature belongs to a different body, secret or time.',
    fix: 'Verify the raw bytes, not a body that was parsed and serialised again. Check that secret and scheme belong to this URL.',
  },
  TOO_OLD: {
    cause: 'The webhook was signed more than 5 minutes ago: it may be a replay of a recorded request.',
    fix: 'Answer 401. See that your clock is right.',
  },
  IN_FUTURE: {
    cause: 'The time of the signature is more than 5 minutes in the future.',
    fix: 'Answer 401. See that your clock is right.',
  },
};
