import type { Api } from '../model/api';
import type { FieldData } from '../model/data';
import type { Field } from '../model/field';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { docAnchor, fragmentOf } from '../view-helpers/addresses';
import { responseFields } from '../view-helpers/response-fields';

/** An entry of the search index. */
export interface SearchEntry {
  readonly kind: 'api' | 'service' | 'operation' | 'field' | 'guide';
  /** A name, or method and path. */
  readonly title: string;
  /** The parent, e.g. `Atlas v2`; empty at the top level. */
  readonly within: string;
  /** The URL path. */
  readonly url: string;
  /** Further searchable names: fields, parameters. */
  readonly names: string;
  /** The beginning of the description, without markup. */
  readonly text: string;
  /** True for versions other than the default. */
  readonly aside?: true;
}

/** Characters of a description in the index. */
const MAX_TEXT_LENGTH = 240;

/** Levels of RPC response fields in the index: some responses have thousands of fields. */
const RESPONSE_LEVELS = 1;

/**
 * Yields the search entries of APIs, their services, operations and fields.
 * @param home the URL path of the list, e.g. `/platform/documentation`
 */
export function* searchIndexOf(apis: readonly Api[], home: string): Generator<SearchEntry, void> {
  for (const api of apis) {
    const versionUrl = `${home}/${encodeURIComponent(api.getName())}-v${api.getVersion()}`;
    const within = `${api.getName()} v${api.getVersion()}`;
    const aside = api.getVersion() === api.getDefaultVersion() ? {} : { aside: true as const };
    yield {
      kind: 'api',
      title: api.getName(),
      within: `v${api.getVersion()}`,
      url: versionUrl,
      names: '',
      text: plainText(api.getDescription()),
      ...aside,
    };
    for (const service of api.getServices()) {
      for (const entry of entriesOf(service, versionUrl, within)) yield { ...entry, ...aside };
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
      names: [service.getRoute(), ...service.getTags()].join(' '),
      text: plainText(service.getDescription()),
    },
    ...[...service.getOperations(), ...service.getEntityOperations()].map((operation) =>
      entryOf(service, operation, url, inside),
    ),
    ...fieldsOf(service.getKind() === 'rpc' ? [] : service.getFields(), '').map(({ path, id, field }) => ({
      kind: 'field' as const,
      title: path,
      within: inside,
      url: `${url}#${id}`,
      names: field.getType(),
      text: plainText(field.getDescription()),
    })),
  ];
}

function entryOf(service: Service, operation: Operation, url: string, within: string): SearchEntry {
  const names = [
    ...operation.getQueryParameters().map(({ name }) => name),
    ...fieldsOf(operation.getFields(), '').map(({ path }) => path),
    ...namesOf(responseFields(service, operation, RESPONSE_LEVELS)),
  ];
  return {
    kind: 'operation',
    title: `${operation.getHttpMethod()} ${service.getPaths(operation).at(-1) ?? ''}`,
    within,
    url: `${url}#${docAnchor(service, operation)}`,
    names: [...new Set(names)].join(' '),
    text: plainText(summaryAndDescription(operation)),
  };
}

function summaryAndDescription(operation: Operation): string {
  const [summary, description] = [operation.getSummary(), operation.getDescription()];
  return summary === '' ? description : `${summary}${/[.!?]$/.test(summary) ? '' : '.'} ${description}`;
}

/** Returns every name of a tree. */
function namesOf(fields: readonly FieldData[]): readonly string[] {
  return fields.flatMap(({ name, fields: inner = [] }) => [name, ...namesOf(inner)]);
}

/** A field with its path, and its fragment in the page of its service. */
interface FieldPlace {
  readonly path: string;
  readonly id: string;
  readonly field: Field;
}

/** Flattens a tree of fields. */
function fieldsOf(fields: readonly Field[], above: string, aboveId = 'fields'): readonly FieldPlace[] {
  return fields.flatMap((field) => {
    const path = `${above}${field.getName()}`;
    const id = `${aboveId}.${fragmentOf(field.getName())}`;
    return [{ path, id, field }, ...fieldsOf(field.getFields(), `${path}.`, id + itemsOf(field.getType()))];
  });
}

/** The fragment of the items of an array, or of the values of a map. */
function itemsOf(type: string): string {
  const [lists = ''] = /^(array of |map of )*/.exec(type) ?? [];
  return lists.replaceAll('array of ', '.items').replaceAll('map of ', '.values1');
}

/** A code span (CommonMark 6.1): its content is literal. */
const CODE_SPAN = /(?<!`)(`+)(?!`)([^]*?[^`])\1(?!`)/;

/** Strips the markup of CommonMark for a line of text. */
export function plainText(markdown: string): string {
  // Markup and URLs are removed, so a multiple of the length is read.
  const text = markdown
    .slice(0, 16 * MAX_TEXT_LENGTH)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(CODE_SPAN)
    // The parts alternate: text, fence, content of the code span.
    .map((part, at) => (at % 3 === 0 ? withoutMarkup(part) : at % 3 === 1 ? '' : part))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(text);
  return characters.length > MAX_TEXT_LENGTH ? `${characters.slice(0, MAX_TEXT_LENGTH).join('')}…` : text;
}

/** An underscore within a word is literal (CommonMark 6.2). */
function withoutMarkup(text: string): string {
  return text.replace(/[`*#>]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '');
}
