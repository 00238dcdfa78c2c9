import { isObject } from '../../framework';
import { UsageError } from '../usage-error';

/**
 * Refuses references to other documents: the generator would read files of this machine, and fetch URLs, that a
 * document from elsewhere names.
 * @throws UsageError
 */
export function assertSelfContained(document: unknown, label: string): void {
  const reference = findExternal(document);
  if (reference === undefined) return;
  throw new UsageError(
    `${label} refers to another document: ${JSON.stringify(reference)}. Bundle it into one document first, such as with: npx @redocly/cli bundle`,
  );
}

function findExternal(value: unknown): string | undefined {
  if (Array.isArray(value)) return firstOf(value);
  if (!isObject(value)) return undefined;
  const { $ref: reference, discriminator, externalValue } = value;
  if (typeof reference === 'string' && !reference.startsWith('#')) return reference;
  // Those of examples have been removed.
  if (typeof externalValue === 'string') return externalValue;
  // A mapping has names of schemas, or references.
  const mapping = isObject(discriminator) && isObject(discriminator.mapping) ? discriminator.mapping : {};
  const mapped = Object.values(mapping).find(
    (one): one is string => typeof one === 'string' && !/^#|^[\w-]+$/.test(one),
  );
  return mapped ?? firstOf(Object.values(value));
}

function firstOf(values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const found = findExternal(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
