import type { ViewModel } from '../../../../framework';
import type { PageDependencies } from '../../pages/page-dependencies';
import { pageView } from '../../pages/page-view';

/** The page of the second step of signing in, below the admin. */
export const SIGN_IN_CODE_PATH = '/sign-in/code';

/** What the form of the second step carries. */
interface SignInStep {
  /** The sealed first step. */
  readonly pending: string;
  readonly back: string | null;
}

/** Creates the view of the second step of signing in. @param failure of the code that was sent */
export function signInCodeView(
  { paths }: PageDependencies,
  { pending, back }: SignInStep,
  failure?: string,
): ViewModel {
  const variables = { pending, back: back ?? '', failure };
  return pageView('sign-in-code', variables, {
    paths,
    currentPath: SIGN_IN_CODE_PATH,
    session: undefined,
    messages: [],
  });
}
