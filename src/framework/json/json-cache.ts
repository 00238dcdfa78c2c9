import { isList, isObject, type ConfigObject, type ConfigValue } from '../values/config-object';
import type { Steps } from '../values/steps';
import { decodeJson, parseJsonInSteps, type JsonFile } from './json-file';
import { ownValue } from '../values/own-members';

/** Cached texts per file: the active one, that of a change under review, and an earlier one. */
const MAX_TEXTS = 3;

/** Members compared per step. */
const MEMBERS_PER_STEP = 2000;

interface Entry {
  readonly text: string;
  /** The file as it was read, which is compared a hundred times faster than it is decoded. */
  readonly bytes: Buffer | undefined;
  readonly file: JsonFile;
}

/**
 * Caches parsed files by their text, so that a change of one configuration file does not parse the others again. Texts of
 * a file share their equal parts, so that what is known of a part (that it is valid, what was compiled from it) holds
 * for the next text. Cached values must not be modified.
 */
export class JsonCache {
  readonly #entries = new Map<string, readonly Entry[]>();

  /** @throws ConfigurationError as `parseJsonText`, and for bytes that are not UTF-8 */
  *parse(content: string | Buffer, shown: string): Steps<JsonFile> {
    const known = this.#entries.get(shown) ?? [];
    const bytes = typeof content === 'string' ? undefined : content;
    const same = bytes && known.find((one) => one.bytes?.equals(bytes));
    const text = same?.text ?? decodeJson(content, shown);
    yield;
    const found = same ?? known.find((one) => one.text === text);
    const previous = known[0]?.file.value;
    const adapt = previous && ((value: ConfigObject) => withSharedParts(value, previous));
    const file = found?.file ?? (yield* parseJsonInSteps(text, shown, adapt));
    const entry = { text, bytes: bytes ?? found?.bytes, file };
    const others = (this.#entries.get(shown) ?? []).filter((one) => one.text !== text);
    this.#entries.set(shown, [entry, ...others].slice(0, MAX_TEXTS));
    return file;
  }
}

/** Returns an equal object, with the equal parts of another one in place of its own. */
export function* withSharedParts(value: ConfigObject, other: ConfigObject): Steps<ConfigObject> {
  let count = 0;
  function* shared(mine: ConfigValue, theirs: ConfigValue | undefined): Steps<ConfigValue> {
    if (isObject(mine) && isObject(theirs)) return yield* sharedObject(mine, theirs);
    return isList(mine) && isList(theirs) && isEqualList(mine, theirs) ? theirs : mine;
  }
  function* sharedObject(mine: ConfigObject, theirs: ConfigObject): Steps<ConfigObject> {
    const entries = Object.entries(mine);
    const names = Object.keys(theirs);
    let isSame = entries.length === names.length;
    const members: [string, ConfigValue][] = [];
    for (const [at, [name, member]] of entries.entries()) {
      if (++count % MEMBERS_PER_STEP === 0) yield;
      const counterpart = ownValue(theirs, name);
      const one = yield* shared(member, counterpart);
      // The order of keys matters: it is that of what is displayed.
      isSame &&= one === counterpart && names[at] === name;
      members.push([name, one]);
    }
    return isSame ? theirs : Object.fromEntries(members);
  }
  return yield* sharedObject(value, other);
}

function isEqualList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && JSON.stringify(one) === JSON.stringify(other);
}
