import {
  isObject,
  formatKeyPath,
  valueAt,
  type ConfigObject,
  type ConfigValue,
  type KeyPath,
} from '../../../framework';
import { tagOf } from './tag';

/** One value that changes; a side that is undefined says that there is none. */
export interface DifferenceLine {
  /** The key path, as displayed. */
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

/** What stands for a secret wherever values are shown. */
export const MASK = '••••••';

/**
 * What differs between two configurations, leaf by leaf, in the order of the keys.
 * @param isSecret whether the value at a path must not be shown
 */
export function differenceOf(
  before: ConfigObject,
  after: ConfigObject,
  isSecret: (path: KeyPath) => boolean,
): readonly DifferenceLine[] {
  return between([], before, after, isSecret);
}

function between(
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
      between([...path, key], valueAt(lower, [key]), valueAt(upper, [key]), isSecret),
    ),
    ...(after !== undefined && !isObject(after) ? [differenceLine(path, undefined, after, isSecret)] : []),
  ];
  return leaves;
}

/** A map that holds something: an empty one is shown as the value that it is. */
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
