import { pluralize } from '../../../framework';
import type { ApiChange, ComparisonContent } from '../../documentation';
import { code, plain, table } from './text';

/** Renders the changes between two versions of an API, with a table per service. */
export function* comparisonDocument(comparison: ComparisonContent): Generator<string, void> {
  const { documentation, base, service, changes, services, breaking } = comparison;
  const of = service === undefined ? '' : ` ${plain(service)}:`;
  const count = `${pluralize(changes.length, 'change')}, ${breaking} breaking.`;
  yield `# ${plain(documentation.getName())}:${of} version ${documentation.getVersion()} compared with version ${base}`;
  yield changes.length === 0 ? 'No changes.' : count;
  for (const one of services) {
    yield `## ${plain(one.service)}`;
    yield table(['Change', 'Where', 'What', 'Detail', 'Breaking'], one.changes.map(row));
  }
}

/** Renders the changes of several services as a table. */
export function changeRows(changes: readonly ApiChange[]): string {
  return table(
    ['Service', 'Change', 'Where', 'What', 'Detail', 'Breaking'],
    changes.map((change) => [plain(change.service), ...row(change)]),
  );
}

function row({ kind, subject, operation, name, detail, breaking }: ApiChange): readonly string[] {
  const what = name === '' ? plain(subject) : `${plain(subject)} ${code(name)}`;
  return [kind, operation === null ? '' : code(operation), what, plain(detail), breaking ? '**yes**' : 'no'];
}
