/** A filter of MongoDB. */
export type Filter = Readonly<Record<string, unknown>>;

/** The conditions of a filter, as a planner sees them. */
export interface Conditions {
  /** Fields with one value, or one of several, and how many. */
  readonly points: ReadonlyMap<string, number>;
  readonly ranges: ReadonlySet<string>;
  /** Fields with a lower and an upper bound. */
  readonly spans: ReadonlySet<string>;
  /** Every field that a condition names, and those of branches. */
  readonly named: ReadonlySet<string>;
  /** All conditions on a field that hold at once. */
  readonly all: readonly (readonly [field: string, condition: unknown])[];
  /** Each `$or` that holds at once. */
  readonly alternatives: readonly (readonly Filter[])[];
}

export function readConditions(filter: Filter): Conditions {
  const entries = flatten(filter);
  const all = entries.filter(([field]) => !field.startsWith('$'));
  const points = new Map<string, number>();
  for (const [field, condition] of all) {
    const values = valuesOf(condition);
    if (values) {
      points.set(field, Math.min(values.length, points.get(field) ?? values.length));
    }
  }
  const boundBy = (...operators: readonly string[]) =>
    all.filter(([, condition]) => operators.some(hasOperator(condition))).map(([field]) => field);
  const [above, below] = [boundBy('$gt', '$gte'), boundBy('$lt', '$lte')];
  return {
    points,
    ranges: new Set([...above, ...below].filter((field) => !points.has(field))),
    spans: new Set(above.filter((field) => below.includes(field))),
    named: new Set(entries.flatMap(([field, condition]) => fieldsOf(field, condition))),
    all,
    alternatives: entries.flatMap(([field, condition]) => (field === '$or' ? [condition as Filter[]] : [])),
  };
}

/** All conditions that hold at once. */
export function flatten(filter: Filter): (readonly [field: string, condition: unknown])[] {
  return Object.entries(filter).flatMap(([field, condition]) =>
    field === '$and' ? (condition as Filter[]).flatMap(flatten) : [[field, condition] as const],
  );
}

function fieldsOf(field: string, condition: unknown): string[] {
  if (!field.startsWith('$')) {
    return [field];
  }
  const parts = Array.isArray(condition) ? (condition as Filter[]) : [];
  return parts.flatMap(flatten).flatMap(([inner, one]) => fieldsOf(inner, one));
}

/** The operators of a condition; undefined for a value. */
export function operatorsOf(condition: unknown): Filter | undefined {
  const isOperators =
    typeof condition === 'object' &&
    condition !== null &&
    Object.getPrototypeOf(condition) === Object.prototype &&
    Object.keys(condition).some((key) => key.startsWith('$'));
  return isOperators ? (condition as Filter) : undefined;
}

function hasOperator(condition: unknown): (name: string) => boolean {
  const operators = operatorsOf(condition) ?? {};
  return (name) => name in operators;
}

/** The values that a condition allows, null for an absent field; undefined when it is none of equality. */
function valuesOf(condition: unknown): readonly unknown[] | undefined {
  const operators = operatorsOf(condition);
  if (!operators) {
    return condition instanceof RegExp ? undefined : [condition];
  }
  if ('$eq' in operators) {
    return [operators.$eq];
  }
  if (operators.$exists === false) {
    return [null];
  }
  return Array.isArray(operators.$in) ? operators.$in : undefined;
}

const COMPARISONS = ['$gt', '$gte', '$lt', '$lte'];

/**
 * Whether a condition of a query implies one of a partial index, as far as MongoDB sees that: from equality, ranges and
 * `$exists: true`, not from `$ne`.
 */
export function implies(condition: unknown, wanted: unknown): boolean {
  const values = valuesOf(condition);
  return Object.entries(operatorsOf(wanted) ?? { $eq: wanted }).every(([operator, value]) => {
    if (operator === '$exists') {
      return values ? !values.includes(null) : isPresent(condition);
    }
    if (operator === '$eq') {
      return values?.every((one) => isSame(one, value)) ?? false;
    }
    return values
      ? values.every((one) => isWithin(one, operator, value))
      : Object.entries(operatorsOf(condition) ?? {}).some(([own, bound]) =>
          isTighter([own, bound], [operator, value]),
        );
  });
}

function isPresent(condition: unknown): boolean {
  return COMPARISONS.some(hasOperator(condition)) || operatorsOf(condition)?.$exists === true;
}

/** Whether two conditions say the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isWithin(value: unknown, operator: string, bound: unknown): boolean {
  const [one, other] = [value as number, bound as number];
  const isBeyond = operator.startsWith('$gt') ? one > other : one < other;
  return COMPARISONS.includes(operator) && (isBeyond || (operator.endsWith('e') && isSame(value, bound)));
}

/** Whether a bound of a range leaves nothing beyond another. */
function isTighter(
  [own, bound]: readonly [operator: string, bound: unknown],
  [operator, value]: readonly [operator: string, bound: unknown],
): boolean {
  const isSameSide = own.slice(0, 3) === operator.slice(0, 3);
  return isSameSide && (isWithin(bound, operator, value) || (own === operator && isSame(bound, value)));
}
