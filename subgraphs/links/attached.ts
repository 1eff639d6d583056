import type { z } from 'zod';
import { keysOf } from '../kernel/objects.ts';
import { jsonObject } from './json-object.ts';

/**
 * The data that a partner attaches to a link, with the schemas that read it. It is stored only sealed, each field for itself,
 * and erased with the user.
 */
export const ATTACHED = {
  metadata: jsonObject.optional(),
} as const;

/** The names of the fields, at rest too. */
export const ATTACHED_FIELDS = keysOf(ATTACHED);

/** The data that the partner attached to a link. */
export type Attached = {
  readonly [Field in keyof typeof ATTACHED]?: Exclude<z.output<(typeof ATTACHED)[Field]>, undefined>;
};
