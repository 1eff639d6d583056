import type { Failure } from '../../kernel/errors/result.ts';
import { findNameIssue } from '../../kernel/person/name.ts';

const LONGEST_LABEL = 100;

/** The fault that keeps a text from being the label of a key or a console session; INVALID_REQUEST, at most one. */
export function findLabelIssues(label: string): Failure[] {
  return label.length <= LONGEST_LABEL && (label === '' || findNameIssue(label) === undefined)
    ? []
    : [
        {
          code: 'INVALID_REQUEST',
          message: `label must have at most ${LONGEST_LABEL} characters, one of them visible, none of them a control character.`,
          path: ['label'],
        },
      ];
}
