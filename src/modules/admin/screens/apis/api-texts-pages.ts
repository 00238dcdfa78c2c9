import { problem, type ViewModel } from '../../../../framework';
import type { FieldError } from '../../changes/field-errors';
import {
  textsOfService,
  type EditableText,
  type SchemaTextsView,
  type ServiceTextsView,
  type TextsView,
} from '../../actions/texts/documentation-texts';
import type { AdminPage, PageContext, PageResult } from '../../pages/admin-page';
import { versionPath } from '../../pages/admin-paths';
import type { AdminServices } from '../../services';
import { pageOf, searchIn, type Paging } from '../../pages/paging';
import { proposeChange } from '../change-form';

/** The form value that restores the declared visibility. */
const UNSET = 'unset';

/** The button that shows rendered texts without saving them. */
const PREVIEW = 'preview';

/** The maximum number of names on a page. */
const PAGE_SIZE = 200;

/** A page of the services and shared schemas of a version. */
interface NameList {
  /** The search. */
  readonly text: string;
  readonly services: readonly string[];
  readonly schemas: readonly string[];
  readonly paging: Paging;
  /** Whether to show the search. */
  readonly isLong: boolean;
}

/** The part of a version's documentation that a page edits. */
interface TextsTarget {
  readonly texts: TextsView;
  /** The path of the version, below the admin. */
  readonly path: string;
  /** The service or shared schema of the page; both undefined on the page of the API. */
  readonly service: ServiceTextsView | undefined;
  readonly schema: SchemaTextsView | undefined;
}

/**
 * The pages of the documentation texts of a version: of the API, of each service and of each shared schema.
 * @param pattern of the page of the API
 */
export function apiTextsPages(services: AdminServices, pattern: string): readonly AdminPage[] {
  const page = (name: string, where: string): AdminPage => ({
    name,
    pattern: where,
    role: 'editor',
    hasLongForm: true,
    GET: async (context) => textsPage(context, await textsTargetOf(context, services))([]),
    POST: (context) => write(context, services),
    edit: async (context) => textsPage(context, await textsTargetOf(context, services))([]),
  });
  return [
    page('api-texts', pattern),
    page('api-service-texts', `${pattern}/:service`),
    page('api-schema-texts', `${pattern}/schemas/:schema`),
  ];
}

/** @throws Problem 404 */
async function textsTargetOf(
  { parameters: { api = '', version = '', service: serviceName, schema: schemaName } }: PageContext,
  { texts }: AdminServices,
): Promise<TextsTarget> {
  const view = await texts.get(api, Number(version), { service: serviceName, schema: schemaName });
  const [service] = view.services;
  if (serviceName !== undefined && service === undefined) {
    const { services } = view.names;
    throw problem('documented_service_not_found', {
      api: `${api}-v${version}`,
      service: serviceName,
      services,
    });
  }
  const [schema] = view.schemas;
  if (schemaName !== undefined && schema === undefined) {
    throw problem('name_not_found', { kind: 'schema', name: schemaName, names: view.names.schemas });
  }
  return { texts: view, path: versionPath({ api, version: view.version }), service, schema };
}

/** Returns a function that shows the page with the errors of its form. */
function textsPage(
  { show, form, query }: PageContext,
  target: TextsTarget,
): (errors: readonly FieldError[]) => ViewModel {
  const typed = (text: EditableText): string => form.get(text.key) ?? text.text;
  const visibility = visibilityOn(target);
  const chosen = visibility && (form.get(visibility.key) ?? visibility.own ?? UNSET);
  const previewed = form.has(PREVIEW);
  const list = namesOn(target, query);
  return (errors) =>
    show('api-texts', {
      ...target,
      tag: form.get('tag'),
      visibility,
      chosen,
      typed,
      errors,
      previewed,
      list,
    });
}

/** Returns the services and shared schemas that match a query. */
function namesOn({ texts: { names } }: TextsTarget, query: URLSearchParams): NameList {
  const search = searchIn(query);
  const [services, schemas] = [names.services, names.schemas].map((all) => all.filter(search.matches));
  const paging = pageOf(query, Math.max(services?.length ?? 0, schemas?.length ?? 0), PAGE_SIZE);
  const slice = (all: readonly string[] = []): readonly string[] => all.slice(paging.from, paging.to);
  const isLong = names.services.length + names.schemas.length > PAGE_SIZE / 4;
  return { text: search.text, services: slice(services), schemas: slice(schemas), paging, isLong };
}

/** Shared schemas are visible wherever they are used. */
function visibilityOn({ texts, service, schema }: TextsTarget): TextsView['visibility'] | undefined {
  return schema === undefined ? (service ?? texts).visibility : undefined;
}

function textsOn({ texts, service, schema }: TextsTarget): readonly EditableText[] {
  if (schema !== undefined) return schema.texts;
  return service === undefined ? [texts.description] : textsOfService(service);
}

async function write(context: PageContext, services: AdminServices): Promise<PageResult> {
  const { form } = context;
  const target = await textsTargetOf(context, services);
  const page = textsPage(context, target);
  if (form.has(PREVIEW)) return page([]);
  const { texts, path, service, schema } = target;
  const newTexts = new Map(
    textsOn(target).flatMap(({ key }) => {
      const text = form.get(key);
      return text === null ? [] : [[key, text] as const];
    }),
  );
  const key = visibilityOn(target)?.key;
  const chosen = key === undefined ? null : form.get(key);
  const visibilities = new Map(
    key === undefined || chosen === null ? [] : [[key, chosen === UNSET ? undefined : chosen]],
  );
  const part =
    schema === undefined
      ? service && encodeURIComponent(service.name)
      : `schemas/${encodeURIComponent(schema.name)}`;
  return proposeChange(context, {
    prepare: () =>
      services.texts.prepareChange(texts.api, texts.version, newTexts, visibilities, {
        service: service?.name,
        schema: schema?.name,
      }),
    done: part === undefined ? `${path}/texts` : `${path}/texts/${part}`,
    showForm: page,
  });
}
