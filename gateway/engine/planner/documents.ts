import type { Alternatives } from '../conditions.ts';
import { alternativesText, type ConditionWriter } from './conditions.ts';
import type { Model } from './model.ts';
import type { KeyRename, PlanPath, PlanPathSegment } from './plan.ts';
import { remember } from './remember.ts';
import type { FieldSelection, Group, Selection, Site } from './tree.ts';

/** A selection set as text, without its braces, and what it needs. */
interface WrittenSelection {
  readonly text: string;
  readonly variables: ReadonlySet<string>;
}

interface Writing {
  readonly variables: Set<string>;
  /** Selections that are written already: types may share them. */
  readonly known: Map<Selection, Map<string, string>>;
}

/** The conditions of a field that are left inside of something that is only there under conditions. */
function relativeTo(enclosing: Alternatives, own: Alternatives): Alternatives {
  const [first] = enclosing;
  if (first === undefined || alternativesText(enclosing) === alternativesText(own)) {
    return [[]];
  }
  if (enclosing.length > 1) {
    return own;
  }
  const decided = new Set(first.map((one) => alternativesText([[one]])));
  return own.map((conditions) => conditions.filter((one) => !decided.has(alternativesText([[one]]))));
}

const knownPaths = new WeakMap<Site, PlanPath>();

/** The place of a site in the data, once the plan is built. Selects `__typename` where the place depends on types. */
export function pathOf(site: Site): PlanPath {
  return remember(knownPaths, site, () => findPath(site));
}

function findPath({ parent, refines }: Site): PlanPath {
  if (refines !== null) {
    return pathOf(refines);
  }
  if (parent === null) {
    return [];
  }
  const { site, selection, key } = parent;
  const classes = site.classes.filter((cls) => {
    const known = selection.fields.get(cls)?.get(key)?.site;
    return known !== undefined && known !== null && known.parent === parent;
  });
  const condition: PlanPathSegment[] =
    classes.length < site.classes.length ? [{ TypeCondition: classes }] : [];
  if (condition.length > 0 && site.selection !== null) {
    site.selection.typename = true;
  }
  return [...pathOf(site), ...condition, { Field: key }, ...(parent.isList ? (['@'] as const) : [])];
}

/** The place of the objects that groups of entities add to. */
export function pathOfGroup({
  site,
  references,
}: Pick<Group, 'site'> & { readonly references: ReadonlyMap<string, unknown> }): PlanPath {
  const path = pathOf(site);
  // Objects whose types could not be found out stay behind.
  return site.refines === null ? path : [...path, { TypeCondition: [...references.keys()] }];
}

function shapeText({ place, site }: FieldSelection): string {
  return site === null ? place.shape : place.shape.replace(/[_A-Za-z0-9]+/, '{}');
}

function* selectionsBelow(fields: readonly FieldSelection[]): Generator<Selection> {
  for (const site of new Set(fields.map((field) => field.site))) {
    if (site?.selection !== undefined && site.selection !== null) {
      yield site.selection;
    }
  }
}

/**
 * Gives fields aliases where fields of other types have the same key in the same place of a document, and values of another
 * shape: GraphQL forbids that. Most keys differ already, by field and arguments; types may differ between subgraphs.
 *
 * @returns a function that gives the values their keys back
 */
export function assignAliases(selections: readonly Selection[], path: readonly string[] = []): KeyRename[] {
  const byKey = new Map<string, FieldSelection[]>();
  for (const field of selections.flatMap(({ fields }) =>
    [...fields.values()].flatMap((some) => [...some.values()]),
  )) {
    remember(byKey, field.key, () => []).push(field);
  }
  const renames: KeyRename[] = [];
  for (const [key, fields] of byKey) {
    const shapes = new Set(fields.map(shapeText));
    for (const [number, shape] of [...shapes].entries()) {
      const alike = fields.filter((field) => shapeText(field) === shape);
      const alias = number === 0 ? null : `_s${number}_${key}`;
      for (const field of alike) {
        field.alias = alias;
      }
      const own = [...path, alias ?? key];
      renames.push(...assignAliases([...selectionsBelow(alike)], own));
      if (alias !== null) {
        renames.push({ path: own, to: key });
      }
    }
  }
  return renames;
}

/** Writes the selections of one operation. */
export class DocumentWriter {
  /** How many fields were written. */
  fields = 0;

  constructor(
    private readonly model: Model,
    private readonly conditions: ConditionWriter,
  ) {}

  /** @param enclosing when the fetch is made */
  write(selection: Selection, enclosing: Alternatives): WrittenSelection {
    const writing: Writing = { variables: new Set(), known: new Map() };
    return { text: this.writeSelection(writing, selection, enclosing), variables: writing.variables };
  }

  /** The fields of objects of one class. */
  writeClass(selection: Selection, cls: string, enclosing: Alternatives): WrittenSelection {
    const writing: Writing = { variables: new Set(), known: new Map() };
    const texts = [...(selection.fields.get(cls)?.values() ?? [])].map((field) =>
      this.writeField(writing, field, enclosing),
    );
    return { text: texts.length === 0 ? '__typename' : texts.join(' '), variables: writing.variables };
  }

  private writeSelection(writing: Writing, selection: Selection, enclosing: Alternatives): string {
    const texts = remember(writing.known, selection, () => new Map<string, string>());
    return remember(texts, alternativesText(enclosing), () =>
      this.writeFields(writing, selection, enclosing),
    );
  }

  private writeFields(writing: Writing, selection: Selection, enclosing: Alternatives): string {
    const { type, subgraph, classes, fields } = selection;
    const byClass = classes.map((cls) => ({
      cls,
      fields: [...(fields.get(cls)?.values() ?? [])].map((field) => ({
        field,
        text: this.writeField(writing, field, enclosing),
      })),
    }));
    const textsOf = byClass.map((one) => new Set(one.fields.map(({ text }) => text)));
    const isOne = type !== null && classes.length === 1 && classes[0] === type;
    const shared = new Set(
      (byClass[0]?.fields ?? [])
        .filter(
          ({ field, text }) =>
            isOne ||
            (this.isOfInterface(type ?? '', field, subgraph) && textsOf.every((texts) => texts.has(text))),
        )
        .map(({ text }) => text),
    );
    const fragments = byClass.flatMap(({ cls, fields: own }) => {
      const texts = own.map(({ text }) => text).filter((text) => !shared.has(text));
      return texts.length === 0 ? [] : [`...on ${cls}{${texts.join(' ')}}`];
    });
    const texts = [...(selection.typename ? ['__typename'] : []), ...shared, ...fragments];
    return texts.length === 0 ? '__typename' : texts.join(' ');
  }

  private isOfInterface(type: string, { field }: FieldSelection, subgraph: string): boolean {
    const place = this.model.isInterface(type) ? this.model.place(type, field, subgraph) : undefined;
    return place !== undefined && !place.isExternal;
  }

  private writeField(writing: Writing, selected: FieldSelection, enclosing: Alternatives): string {
    this.fields += 1;
    const { key, alias, field, args, variables, site, reasons } = selected;
    for (const variable of variables) {
      writing.variables.add(variable);
    }
    const own = this.conditions.simplify(reasons.anyOf);
    const condition = this.conditions.conditionFor(this.conditions.simplify(relativeTo(enclosing, own)));
    if (condition !== null) {
      writing.variables.add(condition.variable);
    }
    const name = (alias ?? key) === field ? field : `${alias ?? key}:${field}`;
    const directive =
      condition === null ? '' : ` @${condition.equals ? 'include' : 'skip'}(if:$${condition.variable})`;
    const inner = condition === null ? enclosing : own;
    const below =
      site?.selection === undefined || site.selection === null
        ? ''
        : `{${this.writeSelection(writing, site.selection, inner)}}`;
    return `${name}${args === '' ? '' : `(${args})`}${directive}${below}`;
  }
}
