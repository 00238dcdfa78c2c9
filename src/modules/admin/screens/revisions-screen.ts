import type { Problem, ViewModel } from '../../../framework';
import type { Change, Restoration } from '../changes/change';
import type { AdminPage, PageContext, PageResult } from '../pages/admin-page';
import type { AdminServices } from '../services';
import { fieldErrorsOf } from '../pages/forms/form-errors';

const LIST = '/revisions';
/** Later revisions that are offered to be undone first. */
const MAX_LATER = 10;
/** Why a revision cannot be undone before later ones: these have changed its values, or depend on them. */
const REASONS: readonly (string | undefined)[] = ['changed_since', 'configuration_refused'];
const NUMBER = `${LIST}/:number(\\d+)`;

/** The pages of the revisions, with undo and restore. */
export function revisionsScreen({ revisions }: AdminServices): readonly AdminPage[] {
  const show = async (context: PageContext, problem?: Problem, hasLater = false): Promise<ViewModel> => {
    const number = numberOf(context);
    return context.show('revision', {
      revision: await revisions.get(number),
      later: hasLater ? (await revisions.later(number)).slice(0, MAX_LATER) : [],
      errors: problem === undefined ? [] : fieldErrorsOf(problem),
    });
  };
  const propose = (
    context: PageContext,
    prepare: (number: number) => Promise<Change | Restoration>,
    blocking: typeof REASONS = [],
  ): Promise<PageResult> =>
    context.propose(() => prepare(numberOf(context)), {
      done: LIST,
      invalid: (problem) => show(context, problem, blocking.includes(problem.code)),
    });
  return [
    {
      name: 'revisions',
      role: 'editor',
      pattern: LIST,
      GET: async (context) =>
        context.show('revisions', { revisions: await revisions.list(), byHand: await revisions.byHand() }),
    },
    { name: 'revision', pattern: NUMBER, role: 'editor', GET: (context) => show(context) },
    {
      name: 'revision-undo',
      role: 'editor',
      pattern: `${NUMBER}/undo`,
      POST: (context) => propose(context, (number) => revisions.prepareUndo(number), REASONS),
    },
    {
      name: 'revision-restore',
      role: 'editor',
      pattern: `${NUMBER}/restore`,
      POST: (context) => propose(context, (number) => revisions.prepareRestore(number)),
    },
  ];
}

function numberOf({ parameters }: PageContext): number {
  return Number(parameters.number);
}
