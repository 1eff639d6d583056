import { authorize } from '../../platform/graphql/authorize.ts';
import { type ReferenceResolver, referenceBy } from '../../platform/graphql/subgraph.ts';
import type { LinkService } from '../service.ts';
import type { Operation, PresentLink } from './link.type.ts';

/** `Link @key(id)`: all links of a batch in one read. */
export function resolveLinks(links: Pick<LinkService, 'findByIds'>, present: PresentLink): ReferenceResolver {
  return referenceBy('id', (ids, context) => links.findByIds(authorize(context), ids), present);
}

/** `Operation @key(id)`, for its link: the links of all operations of a batch in one read. */
export function resolveOperations(
  links: Pick<LinkService, 'findByOperations'>,
  present: PresentLink,
): ReferenceResolver {
  return async (representations, context) => {
    const ids = representations.map(({ id }) => String(id));
    const found = await links.findByOperations(authorize(context), ids);
    return ids.map((id): Operation => {
      const link = found.get(id);
      return { id, link: link ? present(link) : null };
    });
  };
}
