import { isLosslessNumber, isSafeNumber } from 'lossless-json';
import { z } from 'zod';
import { isRecord } from '../kernel/objects.ts';
import { findTextIssue } from '../kernel/text.ts';
import type { JsonObject } from './user-data.ts';

export const MOST_BYTES = 16 * 1024;
const MOST_LEVELS = 16;

/**
 * An object with a partner's own shape, with plain numbers: at most 16 levels and 16 KiB as compact JSON, no number with more
 * digits than a JSON number carries exactly, and names and texts as {@link findTextIssue} takes them.
 */
export const jsonObject = z
  .unknown()
  .transform((value, context): JsonObject => {
    const plain = toPlain(value, 1);
    const issue = typeof plain === 'string' ? plain : issueOfSize(plain.value);
    if (issue === undefined && typeof plain === 'object' && isRecord(plain.value)) {
      return plain.value;
    }
    context.issues.push({ code: 'custom', message: issue ?? NOT_AN_OBJECT, input: value });
    return z.NEVER;
  })
  .meta({ type: 'object', description: 'At most 16 KiB and 16 levels.' });

const NOT_AN_OBJECT = 'must be an object';

function issueOfSize(value: unknown): string | undefined {
  return Buffer.byteLength(JSON.stringify(value)) > MOST_BYTES
    ? `must have at most ${MOST_BYTES} bytes as JSON`
    : undefined;
}

/** The value with plain numbers, or what is wrong with it. */
function toPlain(value: unknown, level: number): { value: unknown } | string {
  if (isLosslessNumber(value)) {
    const text = value.toString();
    return level === 1 ? NOT_AN_OBJECT : toPlainNumber(text);
  }
  if (typeof value !== 'object' || value === null || (level === 1 && Array.isArray(value))) {
    return level === 1 ? NOT_AN_OBJECT : toPlainText(value);
  }
  if (level > MOST_LEVELS) {
    return `must have at most ${MOST_LEVELS} levels`;
  }
  const members: [string, unknown][] = [];
  for (const [key, child] of Object.entries(value)) {
    const name = toPlainText(key);
    const plain = typeof name === 'string' ? name : toPlain(child, level + 1);
    if (typeof plain === 'string') {
      return plain;
    }
    members.push([key, plain.value]);
  }
  return { value: Array.isArray(value) ? members.map(([, child]) => child) : Object.fromEntries(members) };
}

/** The value, which is no number and has no members, or what is wrong with it. */
function toPlainText(value: unknown): { value: unknown } | string {
  const issue = typeof value === 'string' ? findTextIssue(value) : undefined;
  return issue === undefined ? { value } : `has a text or name that ${issue}`;
}

function toPlainNumber(text: string): { value: number } | string {
  return isSafeNumber(text)
    ? { value: Number(text) }
    : 'has a number with more digits than a JSON number carries exactly';
}
