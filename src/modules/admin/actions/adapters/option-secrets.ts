import {
  formatKeyPath,
  hasKeyPrefix,
  isList,
  isObject,
  isSecretSchema,
  objectOf,
  referencedNames,
  valueAt,
  type ConfigEdit,
  type Configuration,
  type ConfigObject,
  type ConfigValue,
  type KeyPath,
} from '../../../../framework';
import { masked, MASK } from '../../changes/comparison/difference';
import type { FieldError } from '../../changes/field-errors';
import { isSameValue } from '../../changes/comparison/same-value';
import { ADAPTERS_PATH, HTTP_ADAPTER } from './adapter-kinds';

/** Whether an option is secret, without knowing its schema; `path` starts at the options. */
export type SecretOption = (path: KeyPath) => boolean;

/**
 * Detects secret options of an adapter by their key names and by environment variables. The built-in kind has no
 * secrets.
 *
 * @param name of an existing adapter
 */
export function secretOptions(configuration: Configuration, kind: string, name = ''): SecretOption {
  if (kind === HTTP_ADAPTER) return () => false;
  const at = [...ADAPTERS_PATH, name, 'options'];
  return (path) => configuration.isSecret([...at, ...path]);
}

/** Masks every secret in options. */
export function maskSecrets(schema: unknown, options: ConfigObject, isSecret: SecretOption): ConfigObject {
  const isHidden = (path: KeyPath): boolean =>
    isSecretSchema(path.reduce<unknown>(memberSchema, schema)) || isSecret(path);
  return mapMembers(options, (value, key) => masked(value, [key], isHidden));
}

/** Replaces masks with the current secrets; drops a mask without a current secret. */
export function keepSecrets(
  schema: unknown,
  options: ConfigObject,
  current: ConfigObject,
  isSecret: SecretOption,
): ConfigObject {
  const shown = maskSecrets(schema, current, isSecret);
  return mapMembers(options, (value, key) => unmasked(value, { shown, current }, key));
}

/**
 * Returns an error for each kept secret that is sent to another host than before: who can change the host could read the
 * secret there. A text with a reference to an environment variable keeps the secret as a mask does.
 * @param options with masks
 * @param kept the same options with the current secrets
 */
export function movedSecrets(
  schema: unknown,
  { options, kept, current }: Readonly<Record<'options' | 'kept' | 'current', ConfigObject>>,
): readonly FieldError[] {
  return Object.entries(objectOf(objectOf(schema).properties)).flatMap(([key, member]) => {
    const { sentTo } = objectOf(member);
    if (typeof sentTo !== 'string' || !isKept(options[key]) || current[key] === undefined) return [];
    if (originOf(kept[sentTo]) === originOf(current[sentTo])) return [];
    const message = `Enter it again: "${sentTo}" is the URL of another host, to which it would be sent.`;
    return [{ pointer: `/options/${key}`, message }];
  });
}

/** A secret option, and the option with the URL that it is sent to. */
interface SentSecret {
  readonly secret: ConfigValue | undefined;
  readonly url: ConfigValue | undefined;
}

/**
 * Returns the key paths of options whose later changes an undo would combine with a secret, or a URL, of before: the
 * secret would be sent to a host for which nobody has entered it.
 * @param schemas of the options of all kinds
 * @param before the state that the undo restores in part
 */
export function secretsMovedByUndo(
  schemas: readonly unknown[],
  edits: readonly ConfigEdit[],
  { before, current }: Readonly<Record<'before' | 'current', ConfigObject>>,
): readonly string[] {
  const after = (path: KeyPath): ConfigValue | undefined => {
    const edit = edits.find((one) => hasKeyPrefix(path, one.path));
    return edit === undefined
      ? valueAt(current, path)
      : valueAt(edit.value ?? null, path.slice(edit.path.length));
  };
  const names = [before, current].flatMap((tree) => Object.keys(objectOf(valueAt(tree, ADAPTERS_PATH))));
  const members = schemas.flatMap((schema) => Object.entries(objectOf(objectOf(schema).properties)));
  const found = members.flatMap(([key, member]) => {
    const { sentTo } = objectOf(member);
    if (typeof sentTo !== 'string') return [];
    return names.flatMap((name) => {
      const [secret, url] = [key, sentTo].map((option) => [...ADAPTERS_PATH, name, 'options', option]);
      if (secret === undefined || url === undefined) return [];
      const sent = (valueOf: (path: KeyPath) => ConfigValue | undefined): SentSecret => ({
        secret: valueOf(secret),
        url: originOf(valueOf(url)),
      });
      const [now, undone] = [sent((path) => valueAt(current, path)), sent(after)];
      if (
        isSameSent(undone, now) ||
        isSameSent(
          undone,
          sent((path) => valueAt(before, path)),
        )
      )
        return [];
      return [formatKeyPath(isSameValue(undone.secret, now.secret) ? secret : url)];
    });
  });
  return [...new Set(found)];
}

function isSameSent(one: SentSecret, other: SentSecret): boolean {
  return isSameValue(one.secret, other.secret) && isSameValue(one.url, other.url);
}

function isKept(given: ConfigValue | undefined): boolean {
  return given === MASK || (typeof given === 'string' && referencedNames(given).length > 0);
}

function originOf(url: ConfigValue | undefined): ConfigValue | undefined {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : url;
}

/** The current value that contains another one, as it is and as it was shown. */
interface Holder {
  readonly shown: ConfigValue;
  readonly current: ConfigValue;
}

function unmasked(value: ConfigValue, holder: Holder, key: string | number): ConfigValue | undefined {
  const current = valueAt(holder.current, [key]);
  if (value === MASK) return current;
  const inner = { shown: valueAt(holder.shown, [key]) ?? null, current: current ?? null };
  if (isObject(value)) return mapMembers(value, (member, name) => unmasked(member, inner, name));
  if (!isList(value)) return value;
  const places = formerPlaces(value, isList(inner.shown) ? inner.shown : []);
  return value.flatMap((item, at) => unmasked(item, inner, places[at] ?? -1) ?? []);
}

/**
 * Returns where the items of a list were, by what was shown of them: others may have been added, removed or moved, whose
 * secrets they must not get. An item that has changed is looked for at its own place, in a list of the same length.
 */
function formerPlaces(items: readonly ConfigValue[], shown: readonly ConfigValue[]): readonly number[] {
  const free = new Set(shown.keys());
  const take = (place: number): number => (free.delete(place) ? place : -1);
  const places = items.map((item) =>
    take(shown.findIndex((one, at) => free.has(at) && isSameValue(one, item))),
  );
  return places.map((place, at) => (place < 0 && items.length === shown.length ? take(at) : place));
}

function mapMembers(
  members: ConfigObject,
  map: (value: ConfigValue, key: string) => ConfigValue | undefined,
): ConfigObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([key, value]): [string, ConfigValue][] => {
      const mapped = map(value, key);
      return mapped === undefined ? [] : [[key, mapped]];
    }),
  );
}

function memberSchema(schema: unknown, key: string | number): unknown {
  if (!isObject(schema)) return undefined;
  if (typeof key === 'number') return schema.items;
  const { properties, additionalProperties, patternProperties } = schema;
  if (isObject(properties) && isObject(properties[key])) return properties[key];
  if (isObject(patternProperties)) {
    const [first] = Object.values(patternProperties);
    if (isObject(first)) return first;
  }
  return additionalProperties;
}
