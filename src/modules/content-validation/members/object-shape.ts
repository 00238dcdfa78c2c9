/** Which parts of a value are kept; `any` for all of it. */
export type Shape = 'any' | ObjectShape;

/** The declared members of an object, or items of an array. */
export interface ObjectShape {
  /** By name. */
  readonly members: ReadonlyMap<string, Shape>;
  /** The visible members in declaration order, which most objects follow. */
  readonly names: readonly string[];
  readonly shapes: readonly Shape[];
  /** Names that responses do not have (`writeOnly`). */
  readonly hidden: ReadonlySet<string>;
  readonly patterns: readonly (readonly [pattern: RegExp, shape: Shape])[];
  /** Patterns of further names that responses do not have. */
  readonly hiddenPatterns: readonly RegExp[];
  /** Whether responses have no members but those that are declared by name or pattern. */
  readonly hidesOthers: boolean;
  /** The shape of a name that matches several patterns, by the positions of these. */
  readonly ofPatterns: (positions: readonly number[]) => Shape;
  /** Shape of other members; undefined if they are not allowed. */
  readonly others: Shape | undefined;
  /** Shape of array items; undefined if no array is declared. */
  readonly items: Shape | undefined;
  readonly prefix: readonly Shape[];
  /** Whether only arrays are declared: an object in place of one is treated as an item. */
  readonly isList: boolean;
}

/** The shape of scalars. */
export const NO_MEMBERS: ObjectShape = Object.freeze({
  members: new Map<string, Shape>(),
  names: [],
  shapes: [],
  hidden: new Set<string>(),
  patterns: [],
  hiddenPatterns: [],
  hidesOthers: false,
  ofPatterns: () => 'any',
  others: undefined,
  items: undefined,
  prefix: [],
  isList: false,
});

/** Whether responses do not have a member of this name. */
export function isHidden(name: string, shape: ObjectShape): boolean {
  const { hidden, hiddenPatterns, hidesOthers, members, patterns } = shape;
  if (hidden.has(name) || hiddenPatterns.some((pattern) => pattern.test(name))) return true;
  return hidesOthers && !members.has(name) && !patterns.some(([pattern]) => pattern.test(name));
}

/** Returns the shape of a member that matches patterns; undefined if it matches none. */
export function shapeByPattern(name: string, { patterns, ofPatterns }: ObjectShape): Shape | undefined {
  if (patterns.length === 0) return undefined;
  const matching = [...patterns.keys()].filter((at) => patterns[at]?.[0].test(name) === true);
  const [first] = matching;
  if (first === undefined) return undefined;
  return matching.length === 1 ? patterns[first]?.[1] : ofPatterns(matching);
}
