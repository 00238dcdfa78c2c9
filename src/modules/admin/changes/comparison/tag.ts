import { createHash } from 'node:crypto';
import { isObject, runSync, type ConfigValue } from '../../../../framework';

/** The tags of frozen values, which the whole configuration consists of. */
const known = new WeakMap<object, string>();

/** Texts are hashed in pieces of about this many characters; between them, other work runs. */
const PIECE_LENGTH = 32_768;

/**
 * Returns the strong validator of a configuration value, without quotes (RFC 9110, 8.8.3). The order of keys does not
 * matter.
 */
export function tagOf(value: ConfigValue | undefined): string {
  return runSync(tagSteps(value));
}

/** The same in steps, for a value that may be large. */
export function* tagSteps(value: ConfigValue | undefined): Generator<undefined, string, void> {
  const isMemoizable = typeof value === 'object' && value !== null && Object.isFrozen(value);
  const before = isMemoizable ? known.get(value) : undefined;
  if (before !== undefined) return before;
  const hash = createHash('sha256');
  if (value !== undefined) {
    for (const piece of pieces(value)) {
      hash.update(piece);
      yield;
    }
  }
  const tag = hash.digest('hex').slice(0, 24);
  if (isMemoizable) known.set(value, tag);
  return tag;
}

/** The JSON text of a value with sorted keys, in pieces. */
function* pieces(value: ConfigValue): Generator<string, void, void> {
  let text = '';
  function* write(one: ConfigValue): Generator<string, void, void> {
    if (typeof one !== 'object' || one === null) text += JSON.stringify(one);
    else if (isObject(one)) {
      const keys = Object.keys(one).filter((key) => one[key] !== undefined);
      for (const [at, key] of keys.sort().entries()) {
        text += `${at === 0 ? '{' : ','}${JSON.stringify(key)}:`;
        yield* write(one[key] ?? null);
      }
      text += keys.length === 0 ? '{}' : '}';
    } else {
      text += '[';
      for (const [at, item] of one.entries()) {
        if (at > 0) text += ',';
        yield* write(item);
      }
      text += ']';
    }
    if (text.length < PIECE_LENGTH) return;
    yield text;
    text = '';
  }
  yield* write(value);
  yield text;
}
