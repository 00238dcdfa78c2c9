import { StartError, whatIs } from '../../framework';
import type { RestServiceDefinition } from './definition';

/** What a page says beside its entities, in JSON and in HAL. */
const TAKEN: readonly string[] = [
  'page',
  'page_size',
  'page_count',
  'total_items',
  'next_cursor',
  'previous_cursor',
  '_links',
  '_embedded',
];

/**
 * Refuses a name for the entities of a page that is none, or that a page has for something else: one would hide the
 * other.
 * @param where names the service, for the message
 * @throws StartError
 */
export function assertCollectionName(
  { collection_name: name }: Pick<RestServiceDefinition, 'collection_name'>,
  where: string,
): void {
  if (name === undefined) return;
  if (typeof name !== 'string' || name === '') {
    throw new StartError(
      `${where}: collection_name is ${whatIs(name)}. Write the name of the member that holds the entities, such as "items".`,
    );
  }
  if (!TAKEN.includes(name)) return;
  throw new StartError(
    `${where}: collection_name is "${name}", a member that the platform gives to pages. Write a name other than ${TAKEN.join(', ')}.`,
  );
}
