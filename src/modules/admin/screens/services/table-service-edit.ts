import { Problem, type ConfigObject, type ViewModel } from '../../../../framework';
import { readOnlySchemaKey, type TableProposal } from '../../../database';
import { toEdited, type EditedTableService } from '../../actions/services/table-service-edit';
import type { ServiceView } from '../../actions/services/service-view';
import { invalid, type FieldError } from '../../changes/field-errors';
import type { PageContext, PageResult } from '../../pages/admin-page';
import type { AdminServices } from '../../services';
import { proposeChange } from '../change-form';
import {
  ACCESS_CHOICES,
  identifierChoices,
  identifierText,
  KEPT_ACCESS,
  OPERATION_CHOICES,
  readTableService,
  toColumnRows,
} from '../databases/table-service-form';
import { parseObject } from './parse-object';

/** The page that edits a service over a table, by the form that creates one. */
export interface TableServiceEdit {
  readonly show: (errors: readonly FieldError[]) => ViewModel;
  readonly save: () => Promise<PageResult>;
}

/**
 * Prepares the form of a service over a table.
 * @returns undefined for other services, and for one whose table cannot be read
 */
export async function tableServiceEdit(
  context: PageContext,
  service: ServiceView | undefined,
  path: string,
  services: AdminServices,
): Promise<TableServiceEdit | undefined> {
  if (service?.isEditable !== true || service.kind !== 'table') return undefined;
  const { form } = context;
  const declaration = withTable(service);
  const before = toEdited(service, declaration);
  const proposal = await proposalOf(before, services);
  if (proposal === undefined) return undefined;
  const edited = form.size > 0 ? submitted(form, before, service) : before;
  const show = (errors: readonly FieldError[]): ViewModel =>
    context.show('table-service', variablesOf(context, service, proposal, { before, edited, path, errors }));
  return {
    show,
    save: () =>
      proposeChange(context, {
        prepare: async () =>
          services.configuredServices.prepareReplace(
            service,
            await services.tableServices.editedDeclaration(declaration, withOthers(form, edited)),
            edited.input.name,
          ),
        done: `${path}/services`,
        showForm: show,
      }),
  };
}

/** Returns the declaration with its database and its table, which references to environment variables may name. */
function withTable({ declaration, values }: ServiceView): ConfigObject {
  const names = Object.entries(values).filter(([key]) => key === 'adapter_name' || key === 'table_name');
  return { ...declaration, ...Object.fromEntries(names) };
}

async function proposalOf(
  { input }: EditedTableService,
  { tableServices }: AdminServices,
): Promise<TableProposal | undefined> {
  try {
    return await tableServices.proposalFor(input);
  } catch (error) {
    // The table does not exist any more, or its database is not configured.
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}

function submitted(
  form: URLSearchParams,
  before: EditedTableService,
  { api, version }: ServiceView,
): EditedTableService {
  const { adapter, table, identifier } = before.input;
  const input = readTableService(form, { adapter, table });
  return {
    input: { ...input, api, version, identifier: form.has('identifier') ? input.identifier : identifier },
    keeps: {
      read: form.get('read_access') === KEPT_ACCESS.value,
      write: form.get('write_access') === KEPT_ACCESS.value,
    },
    others: before.others,
  };
}

/** @throws Problem 422 for text that is not an object */
function withOthers(form: URLSearchParams, edited: EditedTableService): EditedTableService {
  const others = parseObject(form.get('others') ?? '');
  if (others === undefined) throw invalid([{ pointer: '/others', message: 'Write a JSON object.' }]);
  return { ...edited, others };
}

function variablesOf(
  { form }: PageContext,
  service: ServiceView,
  proposal: TableProposal,
  {
    before,
    edited: { input, keeps },
    path,
    errors,
  }: {
    readonly before: EditedTableService;
    readonly edited: EditedTableService;
    readonly path: string;
    readonly errors: readonly FieldError[];
  },
): Readonly<Record<string, unknown>> {
  const missing = before.input.columns.filter((name) => proposal.columns.every((one) => one.name !== name));
  const isFixed = service.declaration.entity_identifier_name !== undefined;
  const choices = (isMixed: boolean) => [...(isMixed ? [KEPT_ACCESS] : []), ...ACCESS_CHOICES];
  return {
    service,
    path,
    table: input.table,
    proposal,
    missing,
    input: {
      ...input,
      readAccess: keeps.read ? KEPT_ACCESS.value : input.readAccess,
      writeAccess: keeps.write ? KEPT_ACCESS.value : input.writeAccess,
    },
    typed: {
      pageSize: form.get('page_size') ?? input.pageSize,
      identifier: identifierText(input.identifier),
    },
    rows: toColumnRows(withReadOnly(proposal, service), input, before.input.filters),
    identifiers: isFixed ? [] : identifierChoices(proposal.identifiers, before.input.identifier),
    isFixed,
    operations: OPERATION_CHOICES.filter(({ isWrite }) => proposal.isWritable || !isWrite),
    readChoices: choices(before.keeps.read),
    writeChoices: choices(before.keeps.write),
    others: form.get('others') ?? othersText(before.others),
    tag: form.get('tag') ?? service.tag,
    errors,
  };
}

/** A column that its schema excludes from requests cannot be made writable in the form. */
function withReadOnly(proposal: TableProposal, { declaration }: ServiceView): TableProposal {
  const columns = proposal.columns.map((column) => ({
    ...column,
    isReadOnly: column.isReadOnly || readOnlySchemaKey(declaration, column.name) !== undefined,
  }));
  return { ...proposal, columns };
}

function othersText(others: ConfigObject): string {
  return Object.keys(others).length === 0 ? '' : JSON.stringify(others, null, 2);
}
