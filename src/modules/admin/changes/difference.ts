import {
  isObject,
  formatKeyPath,
  valueAt,
  type ConfigObject,
  type ConfigValue,
  type KeyPath,
} from '../../../framework';
import { tagOf } from './tag';

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
  return compare([], before, after, isSecret);
}

function compare(
  path: KeyPath,
  before: ConfigValue | undefined,
  after: ConfigValue | undefined,
  isSecret: (path: KeyPath) => boolean,
): readonly DifferenceLine[] {
  if (tagOf(before) === tagOf(after)) return [];
  if (!isBranch(before) && !isBranch(after)) return [differenceLine(path, before, after, isSecret)];
  const [lower, upper] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const leaves = [
    ...(before !== undefined && !isObject(before) ? [differenceLine(path, before, undefined, isSecret)] : []),
    ...[...new Set([...Object.keys(lower), ...Object.keys(upper)])].flatMap((key) =>
      compare([...path, key], valueAt(lower, [key]), valueAt(upper, [key]), isSecret),
    ),
    ...(after !== undefined && !isObject(after) ? [differenceLine(path, undefined, after, isSecret)] : []),
  ];
  return leaves;
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
  const shown = (value: ConfigValue): string => (isSecret(path) ? MASK : JSON.stringify(value));
  return {
    path: formatKeyPath(path),
    ...(before === undefined ? {} : { before: shown(before) }),
    ...(after === undefined ? {} : { after: shown(after) }),
  };
}
