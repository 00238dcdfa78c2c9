import { titleOf, type ViewModel } from '../../../../framework';
import type { ApiSummary } from '../../actions/access/access-view';
import { versionPath } from '../../pages/admin-paths';
import { formatOperation, parseQuestion, type QuestionFields } from '../../actions/rule-tester/question';
import type { RuleTest } from '../../actions/rule-tester/rule-test';
import type { FieldError } from '../../changes/field-errors';
import { shownAgain } from '../../pages/forms/form-errors';
import type { AdminPage, PageContext } from '../../pages/admin-page';
import type { AdminServices } from '../../services';

/** The page that says whether a request would be permitted, and why. Its form is a GET: results can be bookmarked. */
export function ruleTesterScreen(services: AdminServices): readonly AdminPage[] {
  return [
    { name: 'rule-tester', pattern: '/rule-tester', GET: async (context) => await show(services, context) },
  ];
}

async function show(services: AdminServices, context: PageContext): Promise<ViewModel> {
  const { query } = context;
  const apis = await services.access.list();
  const fields = fieldsIn(query, apis);
  const { operations, names } = await operationsOf(services, fields.api_version);
  const page = (test?: RuleTest, errors: readonly FieldError[] = []): ViewModel =>
    context.show('rule-tester', {
      fields,
      versions: apis.flatMap(({ name, versions }) =>
        versions.map(({ version }) => ({ value: `${name}-v${version}`, label: `${name} v${version}` })),
      ),
      operations,
      isListed: fields.operation === '' || names.has(fields.operation),
      adapters: services.access.common().adapters,
      result: test && { ...test, ...outcomeOf(test) },
      rulesPath: test && rulesPathOf(test),
      errors,
    });
  if (!query.has('who')) return page();
  try {
    return page(await services.ruleTester.test(parseQuestion(fields), context.event.request));
  } catch (error) {
    return await shownAgain(context.event, error, (errors) => page(undefined, errors));
  }
}

/** The submitted fields, or those of the first operation. */
function fieldsIn(query: URLSearchParams, apis: readonly ApiSummary[]): Required<QuestionFields> {
  const of = (name: keyof QuestionFields): string => (query.get(name) ?? '').trim();
  const [first] = apis;
  const byDefault = first?.versions[0] && `${first.name}-v${first.versions[0].version}`;
  return {
    who: of('who') || 'guest',
    name: of('name'),
    groups: of('groups'),
    scopes: of('scopes'),
    adapter: of('adapter'),
    api_version: of('api_version') || (byDefault ?? ''),
    operation: of('operation'),
    method: of('method') || 'GET',
    what: of('what') || (of('path') === '' ? 'operation' : 'path'),
    path: of('path'),
  };
}

interface OperationGroup {
  readonly service: string;
  readonly operations: readonly string[];
}

/** The operations of a version, by service; none for a version that does not exist. */
async function operationsOf(
  { access }: AdminServices,
  key: string,
): Promise<{ readonly operations: readonly OperationGroup[]; readonly names: ReadonlySet<string> }> {
  const operations = (await access.operationsOf(key)).map((service) => ({
    service: service.name,
    operations: service.operations.map(formatOperation),
  }));
  return { operations, names: new Set(operations.flatMap((one) => one.operations)) };
}

const KINDS = { permitted: 'good', refused: 'bad', undecided: 'warn', 'not found': 'plain' } as const;

const OUTCOMES = {
  permitted: 'Permitted',
  refused: 'Refused',
  undecided: 'Depends on the policy',
  'not found': 'Not found',
} as const;

function outcomeOf({ verdict, status }: RuleTest): Readonly<Record<string, unknown>> {
  return {
    kind: KINDS[verdict],
    outcome: OUTCOMES[verdict],
    statusLine: status === null ? undefined : `${status} ${titleOf(status)}`,
  };
}

/** The page with the rule of the tested operation; undefined for other targets. */
function rulesPathOf({ operation }: RuleTest): string | undefined {
  return operation === null
    ? undefined
    : `${versionPath(operation)}/authorization?search=${encodeURIComponent(operation.service)}`;
}
