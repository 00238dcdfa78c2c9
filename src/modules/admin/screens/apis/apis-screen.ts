import type { ViewModel } from '../../../../framework';
import type { FieldError } from '../../changes/field-errors';
import type { AdminPage, PageContext, PageResult } from '../../pages/admin-page';
import type { AdminServices } from '../../services';
import { apiTextsPages } from './api-texts-pages';
import { proposeChange } from '../change-form';
import { chosenAdapters, defaultFields, mapFields } from './map-form';
import { rulesIn, ruleRows } from './rule-form';

const LIST = '/apis';
/** An API and its version, as a part of a pattern. */
const VERSION = ':api-v:version(\\d+)';

/** APIs: the adapters that guard them, who may do what, and the texts of their documentation. */
export function apiScreen(services: AdminServices): readonly AdminPage[] {
  return [
    {
      name: 'apis',
      pattern: LIST,
      GET: async (context) => (await listPage(context, services))([]),
      POST: (context) => setDefaultAdapters(context, services),
    },
    {
      name: 'api',
      pattern: `${LIST}/${VERSION}`,
      GET: async (context) => (await adapterPage(context, services))([]),
      POST: (context) => setAdapters(context, services),
    },
    {
      name: 'api-authorization',
      pattern: `${LIST}/${VERSION}/authorization`,
      GET: async (context) => (await gridPage(context, services))([]),
      POST: (context) => authorize(context, services),
    },
    ...apiTextsPages(services, `${LIST}/${VERSION}/texts`),
  ];
}

function scopeOf({ parameters: { api = '', version = '' } }: PageContext): {
  readonly api: string;
  readonly version: number;
  readonly path: string;
} {
  return { api, version: Number(version), path: `${LIST}/${api}-v${Number(version)}` };
}

/** The page of all APIs, to be shown with what is wrong with its form. */
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
  const fieldsOf = (typed?: URLSearchParams): ReturnType<typeof defaultFields> =>
    defaultFields(access.common(), typed);
  return proposeChange(context, {
    make: async () => access.prepareMapEntries(chosenAdapters(fieldsOf, context.form)),
    done: LIST,
    again: await listPage(context, services),
  });
}

/** The page of a version with its adapters, to be shown with what is wrong with its form. */
async function adapterPage(
  context: PageContext,
  { access }: AdminServices,
): Promise<(errors: readonly FieldError[]) => ViewModel> {
  const { api, version, path } = scopeOf(context);
  const view = await access.get(api, version);
  const typed = context.form.size === 0 ? undefined : context.form;
  return (errors) => context.show('api', { view, path, fields: mapFields(view, typed), errors });
}

async function setAdapters(context: PageContext, services: AdminServices): Promise<PageResult> {
  const { api, version, path } = scopeOf(context);
  const view = await services.access.get(api, version);
  return proposeChange(context, {
    make: async () =>
      services.access.prepareMapEntries(chosenAdapters((typed) => mapFields(view, typed), context.form)),
    done: path,
    again: await adapterPage(context, services),
  });
}

/** The grid of a version, to be shown with what is wrong with its form. */
async function gridPage(
  context: PageContext,
  { access }: AdminServices,
): Promise<(errors: readonly FieldError[]) => ViewModel> {
  const { api, version, path } = scopeOf(context);
  const view = await access.get(api, version);
  const typed = context.form.size === 0 ? undefined : context.form;
  return (errors) => context.show('api-authorization', { view, path, rows: ruleRows(view, typed), errors });
}

async function authorize(context: PageContext, services: AdminServices): Promise<PageResult> {
  const { api, version, path } = scopeOf(context);
  const view = await services.access.get(api, version);
  return proposeChange(context, {
    make: async () => services.access.prepareRules(api, version, rulesIn(view, context.form)),
    done: `${path}/authorization`,
    again: await gridPage(context, services),
  });
}
