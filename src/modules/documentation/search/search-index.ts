import type { Api } from '../model/api';
import type { FieldData } from '../model/data';
import type { Field } from '../model/field';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { docAnchor } from '../view-helpers/anchor';
import { answerFields } from '../view-helpers/answer-fields';

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

/** What stands deeper in the answers of procedures is not searched: some answers have thousands of fields. */
const LEVELS_OF_ANSWERS = 1;

/**
 * Everything of the given APIs that has a place on their pages.
 * @param home the address of the list, e.g. `/platform/documentation`
 */
export function* searchIndexOf(apis: readonly Api[], home: string): Generator<SearchEntry, void> {
  for (const api of apis) {
    const here = `${home}/${encodeURIComponent(api.getName())}-v${api.getVersion()}`;
    const within = `${api.getName()} v${api.getVersion()}`;
    const aside = api.getVersion() === api.getDefaultVersion() ? {} : { aside: true as const };
    yield {
      kind: 'api',
      title: api.getName(),
      within: `v${api.getVersion()}`,
      url: here,
      names: '',
      text: plainText(api.getDescription()),
      ...aside,
    };
    for (const service of api.getServices()) {
      for (const entry of entriesOf(service, here, within)) yield { ...entry, ...aside };
    }
  }
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
    ...namesOf(answerFields(service, operation, LEVELS_OF_ANSWERS)),
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

/** Every name of a tree. */
function namesOf(fields: readonly FieldData[]): readonly string[] {
  return fields.flatMap(({ name, fields: inner = [] }) => [name, ...namesOf(inner)]);
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
  // More would be looked at for nothing; marks and addresses go.
  const text = markdown
    .slice(0, 16 * LONGEST_TEXT)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*_#>]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(text);
  return characters.length > LONGEST_TEXT ? `${characters.slice(0, LONGEST_TEXT).join('')}…` : text;
}
