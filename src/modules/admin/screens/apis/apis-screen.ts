import type { ViewModel } from '../../../../framework';
import type { AccessView } from '../../actions/access/access-view';
import type { Change } from '../../changes/change';
import type { FieldError } from '../../changes/field-errors';
import type { AdminPage, PageContext, PageResult } from '../../pages/admin-page';
import type { AdminServices } from '../../services';
import { apiTextsPages } from './api-texts-pages';
import { proposeChange } from '../change-form';
import { chosenAdapters, defaultFields, mapFields, type MapFields } from './map-form';
import { rulesIn, ruleRows } from './rule-form';

const LIST = '/apis';
/** The path segment of an API version in patterns. */
const VERSION = ':api-v:version(\\d+)';

/** The pages of APIs: their adapters, access rules and documentation texts. */
export function apiScreen(services: AdminServices): readonly AdminPage[] {
  return [
    {
      name: 'apis',
      pattern: LIST,
      GET: async (context) => (await listPage(context, services))([]),
      POST: (context) => setDefaultAdapters(context, services),
    },
    versionPage('api', services, {
      template: 'api',
      suffix: '',
      variables: (view, submitted) => ({ fields: mapFields(view, submitted) }),
      prepare: ({ access }, view, form) =>
        access.prepareMapEntries(chosenAdapters((submitted) => mapFields(view, submitted), form)),
    }),
    versionPage('api-authorization', services, {
      template: 'api-authorization',
      suffix: '/authorization',
      variables: (view, submitted) => ({ rows: ruleRows(view, submitted) }),
      prepare: ({ access }, view, form) => access.prepareRules(view.api, view.version, rulesIn(view, form)),
    }),
    ...apiTextsPages(services, `${LIST}/${VERSION}/texts`),
  ];
}

/** A page of a version with a form that changes its access. */
interface VersionForm {
  readonly template: string;
  /** The path of the page, below that of the version. */
  readonly suffix: string;
  /** @param submitted undefined on GET */
  readonly variables: (
    view: AccessView,
    submitted: URLSearchParams | undefined,
  ) => Readonly<Record<string, unknown>>;
  readonly prepare: (services: AdminServices, view: AccessView, form: URLSearchParams) => Promise<Change>;
}

function versionPage(
  name: string,
  services: AdminServices,
  { template, suffix, variables, prepare }: VersionForm,
): AdminPage {
  const load = async ({ parameters: { api = '', version = '' }, form, show }: PageContext) => {
    const view = await services.access.get(api, Number(version));
    const path = `${LIST}/${view.api}-v${view.version}`;
    const own = variables(view, form.size === 0 ? undefined : form);
    const page = (errors: readonly FieldError[]): ViewModel => show(template, { view, path, ...own, errors });
    return { view, path, page };
  };
  return {
    name,
    pattern: `${LIST}/${VERSION}${suffix}`,
    GET: async (context) => (await load(context)).page([]),
    POST: async (context) => {
      const { view, path, page } = await load(context);
      return proposeChange(context, {
        prepare: async () => prepare(services, view, context.form),
        done: `${path}${suffix}`,
        showForm: page,
      });
    },
  };
}

/** Returns a function that shows the list of APIs with the errors of its form. */
async function listPage(
  { show, form }: PageContext,
  { access }: AdminServices,
): Promise<(errors: readonly FieldError[]) => ViewModel> {
  const apis = await access.list();
  const common = access.common();
  const fields = defaultFields(common, form.size === 0 ? undefined : form);
  return (errors) => show('apis', { apis, common, fields, errors });
}

async function setDefaultAdapters(context: PageContext, services: AdminServices): Promise<PageResult> {
  const { access } = services;
  const fieldsOf: MapFields = (submitted) => defaultFields(access.common(), submitted);
  return proposeChange(context, {
    prepare: async () => access.prepareMapEntries(chosenAdapters(fieldsOf, context.form)),
    done: LIST,
    showForm: await listPage(context, services),
  });
}
