import { ConfigurationError, describeValue } from '../../../../framework';
import type { RestServiceDefinition } from '../definition';

/** Members of a page besides its entities, in JSON and HAL. */
const RESERVED: readonly string[] = [
  'page',
  'page_size',
  'page_count',
  'total_items',
  'next_cursor',
  'previous_cursor',
  '_links',
  '_embedded',
];

/** Returns whether a page has a member with this name besides its entities. */
export function isPageMember(name: string): boolean {
  return RESERVED.includes(name);
}

/**
 * Rejects an invalid or reserved name for the member that holds the entities of a page.
 * @param where service name, for the message
 * @throws ConfigurationError
 */
export function assertCollectionName(
  { collection_name: name }: Pick<RestServiceDefinition, 'collection_name'>,
  where: string,
): void {
  if (name === undefined) return;
  if (typeof name !== 'string' || name === '') {
    throw new ConfigurationError(
      `${where}: collection_name is ${describeValue(name)}. Write the name of a member, such as "items".`,
    );
  }
  if (!isPageMember(name)) return;
  throw new ConfigurationError(
    `${where}: collection_name is "${name}", which is reserved. Write a name other than ${RESERVED.join(', ')}.`,
  );
}
