import { type StoredBytes, toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import type { OperationDocument, OperationRecord } from './model.ts';

/** Texts of an operation that people write. */
interface OperationTexts {
  reason?: string | undefined;
  failureReason?: string | undefined;
}

type Identified = Pick<OperationDocument, '_id' | 'accountId'>;

/** Seals texts of an operation; those that are absent stay absent. */
export function sealTexts(
  box: Box,
  operation: Identified,
  texts: OperationTexts,
): Partial<Record<keyof OperationTexts, Buffer>> {
  const seal = (field: keyof OperationTexts) => {
    const text = texts[field];
    return text === undefined ? {} : { [field]: box.seal(text, contextOf(operation, field)) };
  };
  return { ...seal('reason'), ...seal('failureReason') };
}

/** An operation with its texts readable. */
export function revealOperation(box: Box, document: OperationDocument): OperationRecord {
  const { reason, failureReason, ...rest } = document;
  const reveal = (field: keyof OperationTexts, stored: StoredBytes | undefined) =>
    stored === undefined
      ? {}
      : { [field]: box.open(toBuffer(stored), contextOf(document, field)).toString() };
  return { ...rest, ...reveal('reason', reason), ...reveal('failureReason', failureReason) };
}

function contextOf({ _id, accountId }: Identified, field: keyof OperationTexts): string {
  return `${accountId}|${field}|${_id}`;
}
