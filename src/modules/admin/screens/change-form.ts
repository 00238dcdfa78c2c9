import type { FieldError } from '../changes/field-errors';
import { toFormErrors } from '../pages/form-errors';
import { invalid } from '../changes/field-errors';
import type { Change } from '../changes/change';
import type { Problem, ViewModel } from '../../../framework';
import type { PageContext, PageResult } from '../pages/admin-page';

/** A change that a form asks for, and where it leads. */
export interface ChangeForm {
  readonly make: () => Promise<Change>;
  /** Below the admin. */
  readonly done: string;
  /** The form again, with what is wrong. */
  readonly again: (errors: readonly FieldError[]) => ViewModel;
}

/** Proposes the change of a form, which carries the tag of what it edits as `tag`. One that changes nothing is said so. */
export function proposeChange(context: PageContext, { make, done, again }: ChangeForm): Promise<PageResult> {
  return context.propose(
    async () => {
      const change = await make();
      if (change.edits.length > 0) return change;
      throw invalid([{ pointer: '', message: 'No changes to save.' }]);
    },
    {
      done,
      ifMatch: context.form.get('tag') ?? undefined,
      invalid: (problem: Problem) => again(toFormErrors(problem)),
    },
  );
}
