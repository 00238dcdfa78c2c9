import type { ConfigObject, ViewModel } from '../../../../framework';
import type { ServiceView } from '../../actions/services/service-view';
import type { FieldError } from '../../changes/field-errors';
import type { AdminPage, PageContext, PageResult } from '../../pages/admin-page';
import { versionPath } from '../../pages/admin-paths';
import { pageOf, searchIn } from '../../pages/paging';
import { isVersionNumber, parseVersionNumber } from '../../../hosting';
import type { AdminServices } from '../../services';
import { proposeChange } from '../change-form';
import { FIELD_TYPES } from './field-rows';
import { procedurePage, type ProcedurePage } from './procedure-page';
import { tableServiceEdit, type TableServiceEdit } from './table-service-edit';
import { hasFields, NEW_SERVICE, submittedForm, toDeclaration, toForm } from './service-form';

const LIST = '/apis/:api-v:version(\\d+)/services';

/** The maximum number of services on a page. */
const PAGE_SIZE = 50;

/** The pages that create, change and remove the services of a version, and copy the version. */
export function servicesScreen(services: AdminServices): readonly AdminPage[] {
  const form = async (context: PageContext) => (await formPage(context, services))([]);
  return [
    {
      name: 'api-services',
      pattern: LIST,
      GET: async (context) => (await listPage(context, services))([]),
      edit: async (context) => (await listPage(context, services))([]),
      POST: (context) => addVersion(context, services),
    },
    {
      name: 'api-version-remove',
      pattern: '/apis/:api-v:version(\\d+)/remove',
      GET: async (context) => (await removeVersionPage(context, services))([]),
      POST: (context) => removeVersion(context, services),
    },
    {
      name: 'api-service-new',
      pattern: `${LIST}/new`,
      hasLongForm: true,
      GET: form,
      edit: form,
      POST: (context) => save(context, services),
    },
    {
      name: 'api-procedure-new',
      pattern: `${LIST}/procedures/new`,
      hasLongForm: true,
      GET: async (context) => (await newProcedure(context, services)).show([]),
      edit: async (context) => (await newProcedure(context, services)).show([]),
      POST: async (context) => (await newProcedure(context, services)).save(),
    },
    {
      name: 'api-service-edit',
      pattern: `${LIST}/:service/edit`,
      hasLongForm: true,
      GET: form,
      edit: form,
      POST: (context) => save(context, services),
    },
    {
      name: 'api-service-remove',
      pattern: `${LIST}/:service/remove`,
      GET: async (context) => (await removePage(context, services))([]),
      POST: (context) => remove(context, services),
    },
  ];
}

/** The version of a page. */
function versionOf({ parameters: { api = '', version = '' } }: PageContext) {
  return { api, version: Number(version), path: versionPath({ api, version: Number(version) }) };
}

type ShowForm = (errors: readonly FieldError[]) => ViewModel;

async function listPage(context: PageContext, { configuredServices }: AdminServices): Promise<ShowForm> {
  const { show, query, form } = context;
  const { api, version, path } = versionOf(context);
  const view = await configuredServices.list(api, version);
  const search = searchIn(query);
  const found = view.services.filter(({ name, route }) => search.matches(`${name} ${route}`));
  const paging = pageOf(query, found.length, PAGE_SIZE);
  return (errors) =>
    show('api-services', {
      view,
      path,
      services: found.slice(paging.from, paging.to),
      search: search.text,
      paging,
      isLong: view.services.length > PAGE_SIZE / 2,
      to: form.get('to') ?? nextVersion(view.versions),
      isDefaultKept: form.size === 0 || form.has('keep'),
      tag: form.get('tag'),
      errors,
    });
}

/** The version after the highest one; empty if there cannot be any. */
function nextVersion(versions: readonly number[]): number | '' {
  const next = Math.max(...versions) + 1;
  return isVersionNumber(next) ? next : '';
}

async function addVersion(context: PageContext, services: AdminServices): Promise<PageResult> {
  const { form } = context;
  const { api, version } = versionOf(context);
  const to = parseVersionNumber(form.get('to') ?? '') ?? NaN;
  return proposeChange(context, {
    prepare: () => services.configuredServices.prepareVersion(api, version, to, form.has('keep')),
    done: `${versionPath({ api, version: to })}/services`,
    showForm: await listPage(context, services),
  });
}

/** The service that a form edits; undefined for a new one. */
async function serviceOf(
  context: PageContext,
  { configuredServices }: AdminServices,
): Promise<ServiceView | undefined> {
  const { api, version } = versionOf(context);
  const { service } = context.parameters;
  return service === undefined ? undefined : configuredServices.get(api, version, service);
}

function newProcedure(context: PageContext, services: AdminServices): Promise<ProcedurePage> {
  return procedurePage(context, undefined, versionOf(context), services);
}

/** The form of a service over a table or a statement; undefined for others. */
async function specialForm(
  context: PageContext,
  service: ServiceView | undefined,
  services: AdminServices,
): Promise<TableServiceEdit | ProcedurePage | undefined> {
  if (service?.isEditable === true && service.kind === 'procedure')
    return procedurePage(context, service, versionOf(context), services);
  return tableServiceEdit(context, service, versionOf(context).path, services);
}

function declarationOf(service: ServiceView | undefined): ConfigObject {
  return service === undefined ? NEW_SERVICE : service.declaration;
}

async function formPage(context: PageContext, services: AdminServices): Promise<ShowForm> {
  const { show, form } = context;
  const { api, version, path } = versionOf(context);
  // Checks that the version exists.
  const view = await services.configuredServices.list(api, version);
  const service = await serviceOf(context, services);
  const special = await specialForm(context, service, services);
  if (special !== undefined) return special.show;
  const declaration = declarationOf(service);
  const values = form.size > 0 ? submittedForm(form, declaration) : toForm(service?.name ?? '', declaration);
  return (errors) =>
    show('api-service', {
      view,
      path,
      service,
      values,
      hasFields: hasFields(declaration),
      types: [...FIELD_TYPES.map((value) => ({ value })), { value: '', label: 'other' }],
      tag: form.get('tag') ?? service?.tag,
      errors,
    });
}

async function save(context: PageContext, services: AdminServices): Promise<PageResult> {
  const { configuredServices } = services;
  const { api, version, path } = versionOf(context);
  const service = await serviceOf(context, services);
  const special = await specialForm(context, service, services);
  if (special !== undefined) return special.save();
  const declaration = declarationOf(service);
  const values = submittedForm(context.form, declaration);
  return proposeChange(context, {
    prepare: async () => {
      const target = toDeclaration(values, declaration);
      return service === undefined
        ? configuredServices.prepareCreate(api, version, values.name, target)
        : configuredServices.prepareReplace(service, target, values.name);
    },
    done: `${path}/services`,
    showForm: await formPage(context, services),
  });
}

async function removePage(context: PageContext, services: AdminServices): Promise<ShowForm> {
  const { api, version, path } = versionOf(context);
  const { service: name = '' } = context.parameters;
  const service = await services.configuredServices.get(api, version, name);
  const access = await services.configuredServices.accessOf(api, version, name);
  return (errors) => context.show('api-service-remove', { service, path, access, errors });
}

async function remove(context: PageContext, services: AdminServices): Promise<PageResult> {
  const { api, version, path } = versionOf(context);
  const { service = '' } = context.parameters;
  return proposeChange(context, {
    prepare: () => services.configuredServices.prepareRemove(api, version, service),
    done: `${path}/services`,
    showForm: await removePage(context, services),
  });
}

async function removeVersionPage(context: PageContext, services: AdminServices): Promise<ShowForm> {
  const { api, version, path } = versionOf(context);
  const view = await services.configuredServices.reviewVersionRemoval(api, version);
  return (errors) => context.show('api-version-remove', { view, path, errors });
}

async function removeVersion(context: PageContext, services: AdminServices): Promise<PageResult> {
  const { api, version } = versionOf(context);
  return proposeChange(context, {
    prepare: () => services.configuredServices.prepareRemoveVersion(api, version),
    done: '/apis',
    showForm: await removeVersionPage(context, services),
  });
}
