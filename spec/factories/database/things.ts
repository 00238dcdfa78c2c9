/** A row of the table `things`. */
export interface Thing {
  readonly id: number;
  readonly name: string | null;
  readonly size: number | null;
}

/** Names that queries and patterns could misread. */
export const NAMES = [
  null,
  '',
  'a',
  'A',
  'ab',
  'a_b',
  'a%b',
  "it's",
  '*',
  '[x]',
  '?',
  '"q"',
  'é',
  '日本',
  '\\',
  '--',
  ';',
  "') OR 1=1",
];
const SIZES = [null, -1, 0, 1, 2, 3];

/** Things with the identifiers from 1 on, in the order of these. */
export function things(count: number): readonly Thing[] {
  return Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    name: NAMES[(at * 7) % NAMES.length] ?? null,
    // Of each name there are several sizes, and several rows of some: 6 divides 18, so that the name would decide the size.
    size: SIZES[(at * 5 + Math.floor(at / (2 * NAMES.length))) % SIZES.length] ?? null,
  }));
}

/** A value in SQL. */
export function literal(value: string | number | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

/** A condition in JavaScript. */
export type ThingTest = (thing: Thing) => boolean;

export const nameTests: Readonly<Record<'eq' | 'ne' | 'starts' | 'contains', (value: string) => ThingTest>> =
  {
    eq: (value) => (thing) => thing.name === value,
    ne: (value) => (thing) => thing.name !== value,
    starts: (value) => (thing) => thing.name?.startsWith(value) === true,
    contains: (value) => (thing) => thing.name?.includes(value) === true,
  };

export const sizeTests: Readonly<
  Record<'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte', (value: number) => ThingTest>
> = {
  eq: (value) => (thing) => thing.size === value,
  ne: (value) => (thing) => thing.size !== value,
  lt: (value) => (thing) => thing.size !== null && thing.size < value,
  lte: (value) => (thing) => thing.size !== null && thing.size <= value,
  gt: (value) => (thing) => thing.size !== null && thing.size > value,
  gte: (value) => (thing) => thing.size !== null && thing.size >= value,
};
