import type { WebhookIssue } from '../../../../subgraphs/platform/webhooks/verifiers/verify-webhook.ts';
import type { ErrorWords } from './words.ts';

/** Codes of a `LiveError` that `remitgraph/client` itself gives; it passes the server's codes on. */
export const CLIENT_WORDS = {
  CONNECTION_LOST: {
    cause: 'The connection broke off, or could not be opened.',
    fix: 'The client resumes by itself.',
  },
  CONNECTION_ENDED: {
    cause: 'The server has ended the subscription, as it does when it restarts.',
    fix: 'The client resumes by itself.',
  },
  UNRESPONSIVE: { cause: 'Nothing comes any more, not even a ping.', fix: 'The client resumes by itself.' },
  SLOW_READER: {
    cause: 'Your program reads more slowly than events come, and `buffer` items wait.',
    fix: 'The client resumes when half of them are read. Do less in the loop, or raise `buffer`.',
  },
  NO_CREDENTIAL: {
    cause: 'The function `browserToken` has failed.',
    fix: "The client tries again. To stop it, throw `new LiveError('SIGNED_OUT', '…')` in the function.",
  },
  BAD_DOCUMENT: {
    cause:
      'The list does not select `latestEventCursor`, or the subscription has no `cursor` or no variable for `after`.',
    fix: 'Change the document as the message says.',
  },
  UNEXPECTED_ANSWER: {
    cause: 'What came is no answer of a graph.',
    fix: 'Check `url`, and what stands between you and the server.',
  },
  PROTOCOL_ERROR: {
    cause: 'The server closed the socket with 4400 to 4499.',
    fix: 'Check `url`; bring client and server to versions that fit.',
  },
} satisfies Readonly<Record<string, ErrorWords>>;

/** What closes a WebSocket of `/graphql`. Source: GraphQL over WebSocket protocol; IANA, WebSocket close codes. */
export const CLOSE_WORDS: Readonly<Record<number, ErrorWords>> = {
  1001: {
    cause: 'The other side goes away.',
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
    cause: 'A message is no message of the protocol.',
    fix: 'Use a client of `graphql-transport-ws`.',
  },
  4401: {
    cause: 'A subscription came before the connection was acknowledged.',
    fix: 'Wait for `connection_ack`.',
  },
  4403: {
    cause: 'The key in `connectionParams` is missing, wrong or revoked, or the browser token has ended.',
    fix: 'With a token: get a new one, connect, and subscribe after the last cursor. With a key: do not connect again.',
  },
  4406: { cause: 'The protocol is not `graphql-transport-ws`.', fix: 'Ask for this subprotocol.' },
  4408: {
    cause: '`connection_init` did not come in time.',
    fix: 'Send it as the first message, and try again.',
  },
  4409: { cause: 'Two open operations have the same id.', fix: 'Give each its own id on the socket.' },
  4429: { cause: '`connection_init` came twice.', fix: 'Send it once.' },
  4500: {
    cause: 'A fault of ours.',
    fix: 'Connect again after a random time; if it stays, tell your operator.',
  },
};

/** Why `verifyWebhook` does not trust a webhook. */
export const WEBHOOK_WORDS: Readonly<Record<WebhookIssue, ErrorWords>> = {
  MISSING_HEADER: {
    cause: 'There is no signature: the post is not ours, or the partner has no secret.',
    fix: 'Answer 401. If your secret is not set, set one.',
  },
  MALFORMED_HEADER: {
    cause: 'The header does not have the form of a signature.',
    fix: 'Answer 401. See that no proxy changes headers.',
  },
  MISMATCH: {
    cause: 'The signature is of another body, another secret or another time.',
    fix: 'Check the raw bytes, not what was parsed and written again; check that secret and scheme are those of this URL.',
  },
  TOO_OLD: {
    cause: 'It was signed more than 5 minutes ago: somebody may have recorded it.',
    fix: 'Answer 401. See that your clock is right.',
  },
  IN_FUTURE: {
    cause: 'Its time is more than 5 minutes ahead.',
    fix: 'Answer 401. See that your clock is right.',
  },
};
