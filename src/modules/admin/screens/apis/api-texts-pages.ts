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
import type { AdminServices } from '../../services';
import { proposeChange } from '../change-form';

/** What a form answers where what is declared is to count. */
const UNSET = 'unset';

/** The button that shows the texts as they would read, and changes nothing. */
const PREVIEW = 'preview';

interface Scene {
  readonly texts: TextsView;
  /** Of the API's version, below the admin. */
  readonly path: string;
  /** The service or the shared schema of the page; neither on that of the API itself. */
  readonly service: ServiceTextsView | undefined;
  readonly schema: SchemaTextsView | undefined;
}

/**
 * The texts of a version's documentation: a page for the API, and one for each service and each schema that operations
 * share.
 * @param pattern of the first
 */
export function apiTextsPages(services: AdminServices, pattern: string): readonly AdminPage[] {
  const page = (name: string, where: string): AdminPage => ({
    name,
    pattern: where,
    GET: async (context) => textsPage(context, await textsTargetOf(context, services))([]),
    POST: (context) => write(context, services),
  });
  return [
    page('api-texts', pattern),
    page('api-service-texts', `${pattern}/:service`),
    page('api-schema-texts', `${pattern}/schemas/:schema`),
  ];
}

/** @throws Problem 404 */
async function textsTargetOf(
  { parameters: { api = '', version = '', service: called, schema: named } }: PageContext,
  { texts }: AdminServices,
): Promise<Scene> {
  const view = await texts.get(api, Number(version));
  const service = view.services.find((one) => one.name === called);
  if (called !== undefined && service === undefined) {
    const services = view.services.map((one) => one.name);
    throw problem('documented_service_not_found', { api: `${api}-v${version}`, service: called, services });
  }
  const schema = view.schemas.find((one) => one.name === named);
  if (named !== undefined && schema === undefined) {
    const names = view.schemas.map((one) => one.name);
    throw problem('name_not_found', { kind: 'schema', name: named, names });
  }
  return { texts: view, path: `/apis/${api}-v${view.version}`, service, schema };
}

/** The page, to be shown with what is wrong with its form. */
function textsPage({ show, form }: PageContext, scene: Scene): (errors: readonly FieldError[]) => ViewModel {
  const typed = (text: EditableText): string => form.get(text.key) ?? text.text;
  const visibility = visibilityOn(scene);
  const chosen = visibility && (form.get(visibility.key) ?? visibility.own ?? UNSET);
  const previewed = form.has(PREVIEW);
  return (errors) => show('api-texts', { ...scene, visibility, chosen, typed, errors, previewed });
}

/** Schemas are told of where they are used. */
function visibilityOn({ texts, service, schema }: Scene): TextsView['visibility'] | undefined {
  return schema === undefined ? (service ?? texts).visibility : undefined;
}

function textsOn({ texts, service, schema }: Scene): readonly EditableText[] {
  if (schema !== undefined) return schema.texts;
  return service === undefined ? [texts.description] : textsOfService(service);
}

async function write(context: PageContext, services: AdminServices): Promise<PageResult> {
  const { form } = context;
  const scene = await textsTargetOf(context, services);
  const page = textsPage(context, scene);
  if (form.has(PREVIEW)) return page([]);
  const { texts, path, service, schema } = scene;
  const wanted = new Map(
    textsOn(scene).flatMap(({ key }) => {
      const text = form.get(key);
      return text === null ? [] : [[key, text] as const];
    }),
  );
  const key = visibilityOn(scene)?.key;
  const chosen = key === undefined ? null : form.get(key);
  const visibilities = new Map(
    key === undefined || chosen === null ? [] : [[key, chosen === UNSET ? undefined : chosen]],
  );
  const part =
    schema === undefined
      ? service && encodeURIComponent(service.name)
      : `schemas/${encodeURIComponent(schema.name)}`;
  return proposeChange(context, {
    make: () => services.texts.prepareChange(texts.api, texts.version, wanted, visibilities),
    done: part === undefined ? `${path}/texts` : `${path}/texts/${part}`,
    again: page,
  });
}
