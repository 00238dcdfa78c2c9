import type { ViewModel } from '../../../../framework';
import type { AccessView, RuleChange } from '../../actions/access/access-view';
import type { Change } from '../../changes/change';
import type { FieldError } from '../../changes/field-errors';
import type { AdminPage, PageContext, PageResult } from '../../pages/admin-page';
import { pageOf, searchIn } from '../../pages/paging';
import type { AdminServices } from '../../services';
import { apiTextsPages } from './api-texts-pages';
import { proposeChange } from '../change-form';
import { chosenAdapters, defaultFields, mapFields, type MapFields } from './map-form';
import { operationFilter } from './operation-filter';
import { BULK, bulkRules, rulesIn, ruleRows } from './rule-form';

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
      edit: async (context) => (await listPage(context, services))([]),
    },
    versionPage('api', services, {
      template: 'api',
      suffix: '',
      variables: adapterVariables,
      prepare: ({ accessChanges }, view, { form }) =>
        accessChanges.prepareMapEntries(chosenAdapters((submitted) => mapFields(view, submitted), form)),
    }),
    versionPage('api-authorization', services, {
      template: 'api-authorization',
      suffix: '/authorization',
      variables: ruleVariables,
      prepare: ({ accessChanges }, view, context) =>
        accessChanges.prepareRules(view.api, view.version, submittedRules(view, context)),
    }),
    ...apiTextsPages(services, `${LIST}/${VERSION}/texts`),
  ];
}

/** A page of a version with a form that changes its access. */
interface VersionForm {
  readonly template: string;
  /** The path of the page, below that of the version. */
  readonly suffix: string;
  readonly variables: (view: AccessView, context: PageContext) => Readonly<Record<string, unknown>>;
  readonly prepare: (services: AdminServices, view: AccessView, context: PageContext) => Promise<Change>;
}

function versionPage(
  name: string,
  services: AdminServices,
  { template, suffix, variables, prepare }: VersionForm,
): AdminPage {
  const load = async (context: PageContext) => {
    const { api = '', version = '' } = context.parameters;
    const view = await services.access.get(api, Number(version));
    const path = `${LIST}/${view.api}-v${view.version}`;
    // After a change, the same page of the list is shown.
    const target = `${path}${suffix}${context.query.size === 0 ? '' : `?${context.query.toString()}`}`;
    const own = variables(view, context);
    const page = (errors: readonly FieldError[]): ViewModel =>
      context.show(template, { view, path, target, tag: context.form.get('tag'), ...own, errors });
    return { view, target, page };
  };
  return {
    name,
    pattern: `${LIST}/${VERSION}${suffix}`,
    hasLongForm: true,
    GET: async (context) => (await load(context)).page([]),
    edit: async (context) => (await load(context)).page([]),
    POST: async (context) => {
      const { view, target, page } = await load(context);
      return proposeChange(context, {
        prepare: async () => prepare(services, view, context),
        done: target,
        showForm: page,
      });
    },
  };
}

/** The maximum number of items on a page. */
const PAGE_SIZE = { services: 50, operations: 100 };

/** Returns the adapters of a version and of the services that match the query. */
function adapterVariables(view: AccessView, { query, form }: PageContext): Readonly<Record<string, unknown>> {
  const fields = mapFields(view, form.size === 0 ? undefined : form);
  const search = searchIn(query);
  const found = fields.filter(({ kind, label }) => kind === 'service' && search.matches(label));
  const paging = pageOf(query, found.length, PAGE_SIZE.services);
  return {
    fields: fields.filter(({ kind }) => kind !== 'service'),
    services: found.slice(paging.from, paging.to),
    search: search.text,
    isLong: view.services.length > PAGE_SIZE.services,
    paging,
  };
}

/** Returns the rules of the operations that match the query, by service. */
function ruleVariables(view: AccessView, { query, form }: PageContext): Readonly<Record<string, unknown>> {
  const all = ruleRows(view, form.size === 0 ? undefined : form);
  const filter = operationFilter(query, view);
  const found = all.filter(filter.matches);
  const paging = pageOf(query, found.length, PAGE_SIZE.operations);
  const rows = found.slice(paging.from, paging.to);
  return {
    services: view.services.flatMap((service) => {
      const own = rows.filter((row) => row.service === service.name);
      return own.length === 0 ? [] : [{ ...service, rows: own }];
    }),
    filter,
    paging,
    isLong: all.length > PAGE_SIZE.operations / 4,
    isFiltered: found.length < all.length,
    bulk: { ...BULK, chosen: form.get(BULK.choice) ?? 'unset', names: form.get(BULK.names) ?? '' },
  };
}

/** Reads the rules of a form: one for all operations that match the query, or those of single operations. */
function submittedRules(view: AccessView, { query, form }: PageContext): readonly RuleChange[] {
  if (!form.has(BULK.field)) return rulesIn(view, form);
  return bulkRules(ruleRows(view).filter(operationFilter(query, view).matches), form);
}

/** Returns a function that shows the list of APIs with the errors of its form. */
async function listPage(
  { show, form }: PageContext,
  { access }: AdminServices,
): Promise<(errors: readonly FieldError[]) => ViewModel> {
  const apis = await access.list();
  const common = access.common();
  const fields = defaultFields(common, form.size === 0 ? undefined : form);
  return (errors) => show('apis', { apis, common, fields, tag: form.get('tag'), errors });
}

async function setDefaultAdapters(context: PageContext, services: AdminServices): Promise<PageResult> {
  const { access, accessChanges } = services;
  const fieldsOf: MapFields = (submitted) => defaultFields(access.common(), submitted);
  return proposeChange(context, {
    prepare: async () => accessChanges.prepareMapEntries(chosenAdapters(fieldsOf, context.form)),
    done: LIST,
    showForm: await listPage(context, services),
  });
}
