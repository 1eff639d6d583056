import type { Failure } from '../errors/result.ts';

const LONGEST_LABEL = 100;
/** Control characters, and halves of characters. */
const UNSHOWABLE = /[\p{Cc}\p{Cs}]/u;

/** What keeps a text from being the label of a key or a console session; INVALID_REQUEST, at most one. */
export function findLabelIssues(label: string): Failure[] {
  return label.length <= LONGEST_LABEL && !UNSHOWABLE.test(label)
    ? []
    : [
        {
          code: 'INVALID_REQUEST',
          message: `label must have at most ${LONGEST_LABEL} characters, none of them a control character.`,
          path: ['label'],
        },
      ];
}
