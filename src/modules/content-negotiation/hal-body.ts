import { isObject } from '../../framework';

/**
 * Converts a HAL document that a client sends back to plain data: drops links and merges embedded resources into the
 * members.
 */
export function stripHypermedia(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripHypermedia);
  if (!isObject(value)) return value;
  const { _links, _embedded, ...members } = value;
  if (!isObject(_embedded)) return members;
  const embedded = Object.entries(_embedded).map(([name, one]) => [name, stripHypermedia(one)]);
  return { ...members, ...Object.fromEntries(embedded) };
}
