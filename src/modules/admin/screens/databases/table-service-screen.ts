import type { ViewModel } from '../../../../framework';
import type { FieldError } from '../../changes/field-errors';
import type { AdminPage, PageContext, PageResult } from '../../pages/admin-page';
import type { AdminServices } from '../../services';
import { proposeChange } from '../change-form';
import {
  ACCESS_CHOICES,
  identifierChoices,
  identifierText,
  OPERATION_CHOICES,
  readTableService,
  toColumnRows,
} from './table-service-form';

const PATTERN = '/databases/:name/tables/:table/service';

/** The page that creates a service over a table. */
export function tableServiceScreen(services: AdminServices): readonly AdminPage[] {
  return [
    {
      name: 'table-service-new',
      pattern: PATTERN,
      hasLongForm: true,
      GET: async (context) => (await formPage(context, services))([]),
      edit: async (context) => (await formPage(context, services))([]),
      POST: (context) => create(context, services),
    },
  ];
}

/** Returns a function that shows the form with the errors of its fields. */
async function formPage(
  { show, form, parameters: { name: adapter = '', table = '' } }: PageContext,
  { tableServices }: AdminServices,
): Promise<(errors: readonly FieldError[]) => ViewModel> {
  const proposed = await tableServices.propose({ adapter, table });
  const isSubmitted = form.size > 0;
  const { proposal, input, apis } = isSubmitted
    ? { ...proposed, input: { ...proposed.input, ...readTableService(form, { adapter, table }) } }
    : proposed;
  const path = `/databases/${encodeURIComponent(adapter)}`;
  return (errors) =>
    show('table-service', {
      database: adapter,
      table,
      path,
      tablePath: `${path}/tables/${encodeURIComponent(table)}`,
      proposal,
      input,
      // What was typed, even if it is not a number.
      typed: {
        version: form.get('version') ?? input.version,
        pageSize: form.get('page_size') ?? input.pageSize,
        identifier: identifierText(input.identifier),
      },
      rows: toColumnRows(proposal, input),
      identifiers: identifierChoices(proposal.identifiers),
      operations: OPERATION_CHOICES.filter(({ isWrite }) => proposal.isWritable || !isWrite),
      readChoices: ACCESS_CHOICES,
      writeChoices: ACCESS_CHOICES,
      apis,
      errors,
    });
}

async function create(context: PageContext, services: AdminServices): Promise<PageResult> {
  const {
    form,
    parameters: { name: adapter = '', table = '' },
  } = context;
  const page = await formPage(context, services);
  return proposeChange(context, {
    prepare: () => services.tableServices.prepareCreate(readTableService(form, { adapter, table })),
    done: `/databases/${encodeURIComponent(adapter)}/tables/${encodeURIComponent(table)}`,
    showForm: page,
  });
}
