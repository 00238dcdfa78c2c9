import type { FormError } from '../accounts/form-errors';
import { formErrorsOf } from '../accounts/form-errors';
import { invalid } from '../actions/invalid';
import type { Change } from '../changes/change';
import type { Problem, ViewModel } from '../../../framework';
import type { PageContext, PageResult } from '../pages/admin-page';

/** A change that a form asks for, and where it leads. */
export interface ChangeForm {
  readonly make: () => Promise<Change>;
  /** Below the admin. */
  readonly done: string;
  /** The form again, with what is wrong. */
  readonly again: (errors: readonly FormError[]) => ViewModel;
}

/** Proposes the change of a form, which carries the tag of what it edits as `tag`. One that changes nothing is said so. */
export function proposeChange(context: PageContext, { make, done, again }: ChangeForm): Promise<PageResult> {
  return context.propose(
    async () => {
      const change = await make();
      if (change.edits.length > 0) return change;
      throw invalid([{ pointer: '', message: 'Nothing here differs from what is in force.' }]);
    },
    {
      done,
      ifMatch: context.form.get('tag') ?? undefined,
      invalid: (problem: Problem) => again(formErrorsOf(problem)),
    },
  );
}
