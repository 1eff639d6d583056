import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../kernel/project-root.ts';
import {
  type ReceivedWebhook,
  verifyWebhook,
  type WebhookIssue,
  type WebhookScheme,
  WebhookVerificationError,
} from './verify-webhook.ts';

/** Where the verifiers of all languages and their vectors are. */
export const VERIFIERS = join(projectRoot(), 'subgraphs', 'webhooks', 'verifiers');

/** A webhook as it comes in, and what each verifier must say to it. */
interface Vector {
  readonly name: string;
  readonly scheme: WebhookScheme;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly bodyBase64?: string;
  readonly secrets: readonly string[];
  /** Unix seconds. */
  readonly now: number;
  readonly toleranceSeconds: number;
  readonly result: VectorResult;
}

/** `WRONG_CALL`: the call itself is wrong. */
type VectorResult = 'OK' | WebhookIssue | 'WRONG_CALL';

export function readVectors(): Vector[] {
  return JSON.parse(readFileSync(join(VERIFIERS, 'vectors.json'), 'utf8')).vectors;
}

export function inputOf({ now, body, bodyBase64, ...vector }: Vector): ReceivedWebhook {
  const bytes = bodyBase64 === undefined ? Buffer.from(String(body)) : Buffer.from(bodyBase64, 'base64');
  return { ...vector, body: bytes, now: new Date(now * 1000) };
}

/** The exports of `remitgraph/webhooks`. */
export interface Verifier {
  readonly verifyWebhook: typeof verifyWebhook;
  readonly WebhookVerificationError: typeof WebhookVerificationError;
}

/** The result of the verifier in TypeScript. */
export function outcomeOf(
  vector: Vector,
  verifier: Verifier = { verifyWebhook, WebhookVerificationError },
): VectorResult {
  try {
    verifier.verifyWebhook(inputOf(vector));
    return 'OK';
  } catch (error) {
    if (error instanceof verifier.WebhookVerificationError) {
      return error.code;
    }
    if (error instanceof TypeError) {
      return 'WRONG_CALL';
    }
    throw error;
  }
}
