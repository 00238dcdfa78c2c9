import type { Api } from '../model/api';
import type { Field } from '../model/field';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { docAnchor } from '../view-helpers/anchor';

/** Something that a reader may look for. */
export interface SearchEntry {
  readonly kind: 'api' | 'service' | 'operation' | 'field' | 'guide';
  /** What it is called by: a name, or method and path. */
  readonly title: string;
  /** What it is part of, e.g. `Atlas v2`; empty at the top. */
  readonly within: string;
  /** Its address, from the root of the origin. */
  readonly url: string;
  /** Further names: fields, parameters. */
  readonly names: string;
  /** The beginning of its description, without marks. */
  readonly text: string;
  /** Of an API's version that is not the default. */
  readonly aside?: true;
}

/** Characters of a description that are searched and shown. */
const LONGEST_TEXT = 240;

/**
 * Everything of the given APIs that has a place on their pages.
 * @param home the address of the list, e.g. `/platform/documentation`
 */
export function searchIndexOf(apis: readonly Api[], home: string): readonly SearchEntry[] {
  return apis.flatMap((api) => {
    const here = `${home}/${encodeURIComponent(api.getName())}-v${api.getVersion()}`;
    const within = `${api.getName()} v${api.getVersion()}`;
    const entries: readonly SearchEntry[] = [
      {
        kind: 'api',
        title: api.getName(),
        within: `v${api.getVersion()}`,
        url: here,
        names: '',
        text: plainText(api.getDescription()),
      },
      ...api.getServices().flatMap((service) => entriesOf(service, here, within)),
    ];
    return api.getVersion() === api.getDefaultVersion()
      ? entries
      : entries.map((entry) => ({ ...entry, aside: true as const }));
  });
}

function entriesOf(service: Service, above: string, within: string): readonly SearchEntry[] {
  const url = `${above}/${encodeURIComponent(service.getName())}`;
  const inside = `${within} › ${service.getName()}`;
  return [
    {
      kind: 'service',
      title: service.getName(),
      within,
      url,
      names: service.getRoute(),
      text: plainText(service.getDescription()),
    },
    ...[...service.getOperations(), ...service.getEntityOperations()].map((operation) =>
      entryOf(service, operation, url, inside),
    ),
    ...fieldsOf(service.getFields(), '').map(({ path, field }) => ({
      kind: 'field' as const,
      title: path,
      within: inside,
      url: `${url}#fields`,
      names: field.getType(),
      text: plainText(field.getDescription()),
    })),
  ];
}

function entryOf(service: Service, operation: Operation, url: string, within: string): SearchEntry {
  const names = [
    ...operation.getQueryParameters().map(({ name }) => name),
    ...fieldsOf(operation.getFields(), '').map(({ path }) => path),
  ];
  return {
    kind: 'operation',
    title: `${operation.getHttpMethod()} ${service.getPaths(operation).at(-1) ?? ''}`,
    within,
    url: `${url}#${docAnchor(service, operation)}`,
    names: [...new Set(names)].join(' '),
    text: plainText(operation.getDescription()),
  };
}

/** The fields of a tree, each with the names that lead to it. */
function fieldsOf(
  fields: readonly Field[],
  above: string,
): readonly { readonly path: string; readonly field: Field }[] {
  return fields.flatMap((field) => {
    const path = `${above}${field.getName()}`;
    return [{ path, field }, ...fieldsOf(field.getFields(), `${path}.`)];
  });
}

/** CommonMark without its marks, as far as a line in a list needs it. */
export function plainText(markdown: string): string {
  const text = markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*_#>]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(text);
  return characters.length > LONGEST_TEXT ? `${characters.slice(0, LONGEST_TEXT).join('')}…` : text;
}
