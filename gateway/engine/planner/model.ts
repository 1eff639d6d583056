import type { DocumentNode } from 'graphql';
import { type Entrance, type Place, ROOTS, readTypes, type TypeModel } from './read-model.ts';
import { remember } from './remember.ts';

/**
 * A supergraph as the planner sees it: a graph whose nodes are types in subgraphs. Objects are of classes. A class is an
 * object type; or an interface, for the objects of a subgraph with an interface object, which does not know their types.
 */
export class Model {
  private readonly types: ReadonlyMap<string, TypeModel>;
  private readonly ownKeys = new Map<string, string>();
  private readonly knownPlaces = new Map<string, readonly Place[]>();
  private readonly knownEntrances = new Map<string, readonly Entrance[]>();
  private readonly knownTypes = new Map<string, readonly string[]>();

  /** @throws when the supergraph uses `@fromContext`, which is not supported. */
  constructor(document: DocumentNode) {
    this.types = readTypes(document);
  }

  isInterface(type: string): boolean {
    return this.types.get(type)?.kind === 'interface';
  }

  isAbstract(type: string): boolean {
    return this.isInterface(type) || this.types.get(type)?.kind === 'union';
  }

  isLeaf(type: string): boolean {
    const kind = this.types.get(type)?.kind;
    return kind === undefined || kind === 'leaf';
  }

  isRoot(type: string): boolean {
    return ROOTS.has(type);
  }

  /** Object types behind a type, in any subgraph. */
  possibleTypes(type: string): readonly string[] {
    return remember(this.knownTypes, type, () => this.findPossibleTypes(type));
  }

  private findPossibleTypes(type: string): readonly string[] {
    const model = this.types.get(type);
    if (model === undefined || !this.isAbstract(type)) {
      return [type];
    }
    const members = [...model.members.values()].flatMap((some) => [...some]);
    return [...new Set(members.flatMap((member) => this.possibleTypes(member)))];
  }

  /** Classes of the objects that a subgraph returns for a type. */
  classes(type: string, subgraph: string): readonly string[] {
    const model = this.types.get(type);
    const isObject = !this.isAbstract(type) || model?.interfaceObjects.has(subgraph) === true;
    return isObject ? [type] : [...(model?.members.get(subgraph) ?? [])];
  }

  /** The field of a type in a subgraph; undefined where the subgraph does not name it. */
  place(type: string, field: string, subgraph: string): Place | undefined {
    return this.types.get(type)?.fields.get(field)?.places.get(subgraph);
  }

  /** The type that a field returns in the supergraph, by name. */
  returns(type: string, field: string): string | undefined {
    return this.types.get(type)?.fields.get(field)?.type;
  }

  /** The places that resolve a field of objects of a class: its own, and those of interface objects. */
  places(cls: string, field: string): readonly Place[] {
    return remember(this.knownPlaces, `${cls} ${field}`, () =>
      this.ownersOf(cls, (owner) => [...(owner.fields.get(field)?.places.values() ?? [])]).filter(
        ({ isExternal }) => !isExternal,
      ),
    );
  }

  /** Ways into subgraphs for objects of a class. */
  entrances(cls: string): readonly Entrance[] {
    return remember(this.knownEntrances, cls, () => this.ownersOf(cls, ({ entrances }) => entrances));
  }

  /** The fields of a class itself, and those that interface objects have for it. */
  private ownersOf<Own extends { readonly subgraph: string }>(
    cls: string,
    read: (owner: TypeModel) => readonly Own[],
  ): Own[] {
    return [cls, ...(this.types.get(cls)?.interfaces ?? [])].flatMap((name) => {
      const owner = this.types.get(name);
      const found = owner === undefined ? [] : read(owner);
      return found.filter(({ subgraph }) => name === cls || owner?.interfaceObjects.has(subgraph) === true);
    });
  }

  isInterfaceObject(type: string, subgraph: string): boolean {
    return this.types.get(type)?.interfaceObjects.has(subgraph) === true;
  }

  /** The key under which plans hold a field that they fetch for themselves. `args` is as the document has it, or ''. */
  ownKey(field: string, args: string): string {
    if (args === '') {
      return field;
    }
    return remember(this.ownKeys, `${field}(${args})`, () => `_own${this.ownKeys.size}`);
  }
}
