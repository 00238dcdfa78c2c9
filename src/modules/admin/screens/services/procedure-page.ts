import type { ConfigObject, ViewModel } from '../../../../framework';
import type { ServiceView } from '../../actions/services/service-view';
import type { FieldError } from '../../changes/field-errors';
import type { PageContext, PageResult } from '../../pages/admin-page';
import type { AdminServices } from '../../services';
import { proposeChange } from '../change-form';
import { FIELD_TYPES } from './field-rows';
import {
  NEW_PROCEDURE,
  RESULTS,
  submittedProcedure,
  toProcedure,
  toProcedureForm,
  type ProcedureForm,
} from './procedure-form';

/** The page that creates or edits a service over a statement. */
export interface ProcedurePage {
  readonly show: (errors: readonly FieldError[]) => ViewModel;
  readonly save: () => Promise<PageResult>;
}

/**
 * Prepares the form of a service over a statement.
 * @param service undefined for a new one
 * @throws Problem 404 for an unknown version
 */
export async function procedurePage(
  context: PageContext,
  service: ServiceView | undefined,
  { api, version, path }: { readonly api: string; readonly version: number; readonly path: string },
  { configuredServices, databases }: AdminServices,
): Promise<ProcedurePage> {
  const { form } = context;
  const view = await configuredServices.list(api, version);
  const names = (await databases.list()).map(({ name }) => name);
  const declaration: ConfigObject = service?.declaration ?? {
    ...NEW_PROCEDURE,
    ...(names.length === 1 ? { adapter_name: names.join() } : {}),
  };
  // It may be a reference to an environment variable.
  const declared = typeof declaration.adapter_name === 'string' ? [declaration.adapter_name] : [];
  const values: ProcedureForm =
    form.size > 0 ? submittedProcedure(form) : toProcedureForm(service?.name ?? '', declaration);
  const show = (errors: readonly FieldError[]): ViewModel =>
    context.show('api-procedure', {
      view,
      path,
      service,
      values,
      databases: [...new Set([...(names.length === 1 ? [] : ['']), ...names, ...declared])].map((value) => ({
        value,
        label: value,
      })),
      hasDatabases: names.length > 0,
      results: RESULTS,
      types: [...FIELD_TYPES.map((value) => ({ value })), { value: '', label: 'other' }],
      tag: form.get('tag') ?? service?.tag,
      errors,
    });
  const save = (): Promise<PageResult> =>
    proposeChange(context, {
      prepare: async () => {
        const target = toProcedure(values, declaration);
        return service === undefined
          ? configuredServices.prepareCreate(api, version, values.name, target)
          : configuredServices.prepareReplace(service, target, values.name);
      },
      done: `${path}/services`,
      showForm: show,
    });
  return { show, save };
}
