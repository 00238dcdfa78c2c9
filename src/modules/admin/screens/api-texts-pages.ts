import { problem, type ViewModel } from '../../../framework';
import type { FormError } from '../accounts/form-errors';
import {
  textsOfService,
  type EditableText,
  type ServiceTextsView,
  type TextsView,
} from '../actions/texts/documentation-texts';
import type { AdminPage, PageContext, PageResult } from '../pages/admin-page';
import type { AdminServices } from '../services';
import { proposeChange } from './change-form';

/** What a form answers where what is declared is to count. */
const UNSET = 'unset';

/** The button that shows the texts as they would read, and changes nothing. */
const PREVIEW = 'preview';

interface Scene {
  readonly texts: TextsView;
  /** Of the API's version, below the admin. */
  readonly path: string;
  /** Undefined on the page of the API itself. */
  readonly service: ServiceTextsView | undefined;
}

/** The texts of a version's documentation: a page for the API, and one for each service. @param pattern of the first */
export function apiTextsPages(services: AdminServices, pattern: string): readonly AdminPage[] {
  return [
    {
      name: 'api-texts',
      pattern,
      GET: async (context) => textsPage(context, await sceneOf(context, services))([]),
      POST: (context) => write(context, services),
    },
    {
      name: 'api-service-texts',
      pattern: `${pattern}/:service`,
      GET: async (context) => textsPage(context, await sceneOf(context, services))([]),
      POST: (context) => write(context, services),
    },
  ];
}

/** @throws Problem 404 */
async function sceneOf(
  { parameters: { api = '', version = '', service: name } }: PageContext,
  { texts }: AdminServices,
): Promise<Scene> {
  const view = await texts.get(api, Number(version));
  const service = view.services.find((one) => one.name === name);
  if (name !== undefined && service === undefined) {
    const services = view.services.map((one) => one.name);
    throw problem('documented_service_not_found', { api: `${api}-v${version}`, service: name, services });
  }
  return { texts: view, path: `/apis/${api}-v${view.version}`, service };
}

/** The page, to be shown with what is wrong with its form. */
function textsPage(
  { show, form }: PageContext,
  { texts, path, service }: Scene,
): (errors: readonly FormError[]) => ViewModel {
  const typed = (text: EditableText): string => form.get(text.key) ?? text.text;
  const { visibility } = service ?? texts;
  const chosen = form.get(visibility.key) ?? visibility.own ?? UNSET;
  const previewed = form.has(PREVIEW);
  return (errors) =>
    show('api-texts', { texts, path, service, visibility, chosen, typed, errors, previewed });
}

async function write(context: PageContext, services: AdminServices): Promise<PageResult> {
  const { form } = context;
  const scene = await sceneOf(context, services);
  const page = textsPage(context, scene);
  if (form.has(PREVIEW)) return page([]);
  const { texts, path, service } = scene;
  const shown = service === undefined ? [texts.description] : textsOfService(service);
  const wanted = new Map(
    shown.flatMap(({ key }) => {
      const text = form.get(key);
      return text === null ? [] : [[key, text] as const];
    }),
  );
  const { key } = (service ?? texts).visibility;
  const chosen = form.get(key);
  const visibilities = new Map(chosen === null ? [] : [[key, chosen === UNSET ? undefined : chosen]]);
  return proposeChange(context, {
    make: () => services.texts.toChange(texts.api, texts.version, wanted, visibilities),
    done: service === undefined ? `${path}/texts` : `${path}/texts/${encodeURIComponent(service.name)}`,
    again: page,
  });
}
