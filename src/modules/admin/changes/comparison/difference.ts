import {
  isList,
  isObject,
  runSync,
  valueAt,
  type Steps,
  type ConfigObject,
  type ConfigValue,
  type KeyPath,
} from '../../../../framework';
import { isSameValue } from './same-value';

/** A changed value. */
export interface DifferenceLine {
  /** The key path, as displayed. */
  readonly path: string;
  /** Undefined for an added value. */
  readonly before?: string;
  /** Undefined for a removed value. */
  readonly after?: string;
}

/** Displayed instead of a secret. */
export const MASK = '••••••';

/**
 * Compares two configurations leaf by leaf, in the order of their keys.
 * @param isSecret whether the value at a path must not be shown
 */
export function differenceOf(
  before: ConfigObject,
  after: ConfigObject,
  isSecret: (path: KeyPath) => boolean,
): readonly DifferenceLine[] {
  return runSync(differenceSteps(before, after, isSecret));
}

/** The same in steps, for configurations of megabytes. Parts that both share are not compared. */
export function* differenceSteps(
  before: ConfigObject,
  after: ConfigObject,
  isSecret: (path: KeyPath) => boolean,
): Steps<readonly DifferenceLine[]> {
  const lines: DifferenceLine[] = [];
  yield* compare([], before, after, (path, lower, upper) => {
    lines.push(differenceLine(path, lower, upper, isSecret));
  });
  return lines;
}

/** Returns the paths of the leaves that differ, in steps. */
export function* changedPathSteps(before: ConfigObject, after: ConfigObject): Steps<readonly KeyPath[]> {
  const paths: KeyPath[] = [];
  yield* compare([], before, after, (path) => {
    paths.push(path);
  });
  return paths;
}

/** Receives a leaf that differs, with its values. */
type Report = (path: KeyPath, before: ConfigValue | undefined, after: ConfigValue | undefined) => void;

function* compare(
  path: KeyPath,
  before: ConfigValue | undefined,
  after: ConfigValue | undefined,
  report: Report,
): Steps<void> {
  if (before === after) return;
  const isEither = isBranch(before) || isBranch(after);
  if (!isEither && isSameValue(before, after)) return;
  if (!isEither) {
    report(path, before, after);
    return;
  }
  const [lower, upper] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  if (before !== undefined && !isObject(before)) report(path, before, undefined);
  for (const key of Object.keys({ ...lower, ...upper })) {
    const [one, other] = [valueAt(lower, [key]), valueAt(upper, [key])];
    if (one !== other) yield* compare([...path, key], one, other, report);
  }
  yield;
  if (after !== undefined && !isObject(after)) report(path, undefined, after);
}

/** Whether a value is compared member by member; an empty object is displayed as a value. */
function isBranch(value: ConfigValue | undefined): value is ConfigObject {
  return isObject(value) && Object.keys(value).length > 0;
}

function differenceLine(
  path: KeyPath,
  before: ConfigValue | undefined,
  after: ConfigValue | undefined,
  isSecret: (path: KeyPath) => boolean,
): DifferenceLine {
  const shown = (value: ConfigValue): string => {
    const visible = masked(value, path, isSecret);
    return visible === MASK ? MASK : JSON.stringify(visible);
  };
  return {
    path: displayPath(path),
    ...(before === undefined ? {} : { before: shown(before) }),
    ...(after === undefined ? {} : { after: shown(after) }),
  };
}

/** Masks a value, or what is secret inside it. */
export function masked(value: ConfigValue, path: KeyPath, isSecret: (path: KeyPath) => boolean): ConfigValue {
  if (isSecret(path)) return MASK;
  // A list of texts is secret as a whole or not at all.
  if (isList(value))
    return value.map((item, at) => (typeof item === 'object' ? masked(item, [...path, at], isSecret) : item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, masked(member, [...path, key], isSecret)]),
  );
}

/** Keys that would read as several, or as none, are in brackets and quotation marks. */
export function displayPath(path: KeyPath): string {
  return path.reduce<string>((parent, key) => {
    if (typeof key === 'string' && /^[^.[\]"\s]+$/.test(key)) return parent === '' ? key : `${parent}.${key}`;
    return `${parent}[${JSON.stringify(key)}]`;
  }, '');
}
