import { authorize } from '../../graph/authorize.ts';
import { type ReferenceResolver, referenceBy } from '../../graph/subgraph.ts';
import type { LinkService } from '../service.ts';
import type { PresentLink } from './link.type.ts';

/** `Link @key(id)`: all links of a batch in one read. */
export function resolveLinks(links: Pick<LinkService, 'findByIds'>, present: PresentLink): ReferenceResolver {
  return referenceBy('id', (ids, context) => links.findByIds(authorize(context), ids), present);
}
