import type { ViewModel } from '../../../../framework';
import { toVerificationProblem, type Throttle } from '../../../mvc-auth';
import type { AdminPage, PageContext, PageResult } from '../../pages/admin-page';
import type { PageDependencies } from '../../pages/page-dependencies';
import { shownAgain } from '../../pages/forms/form-errors';
import { invalid, type FieldError } from '../../changes/field-errors';
import { auditedChange } from '../../changes/file-change';
import type { AuditAction } from '../../audit/audit-entry';
import type { SecondFactor } from '../files/account-details';
import { verifyAdministrator } from '../sign-in';
import { enrolmentUri, isSecret, newSecret, qrCode } from './one-time-passwords';
import { SECOND_FACTOR_PATH } from './path';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes';
import type { SecondFactorCheck } from './second-factor-check';

interface Verification {
  readonly throttle: Throttle;
  readonly check: SecondFactorCheck;
}

/** The pages on which administrators set up and remove their own second factor. Each change requires the password. */
export function secondFactorPages(
  dependencies: PageDependencies,
  verification: Verification,
): readonly AdminPage[] {
  const pages = new SecondFactorPages(dependencies, verification);
  return [
    {
      name: 'account-second-factor',
      pattern: SECOND_FACTOR_PATH,
      role: 'viewer',
      GET: (context) => pages.show(context),
      POST: (context) => pages.setUp(context),
    },
    {
      name: 'account-second-factor-codes',
      pattern: `${SECOND_FACTOR_PATH}/recovery-codes`,
      role: 'viewer',
      GET: ({ redirect }) => redirect(SECOND_FACTOR_PATH),
      POST: (context) => pages.replaceCodes(context),
    },
    {
      name: 'account-second-factor-removal',
      pattern: `${SECOND_FACTOR_PATH}/remove`,
      role: 'viewer',
      GET: ({ redirect }) => redirect(SECOND_FACTOR_PATH),
      POST: (context) => pages.remove(context),
    },
  ];
}

class SecondFactorPages {
  readonly #dependencies: PageDependencies;
  readonly #throttle: Throttle;
  readonly #check: SecondFactorCheck;

  constructor(dependencies: PageDependencies, { throttle, check }: Verification) {
    this.#dependencies = dependencies;
    this.#throttle = throttle;
    this.#check = check;
  }

  async show(
    context: PageContext,
    errors: readonly FieldError[] = [],
    secret = newSecret(),
  ): Promise<ViewModel> {
    const { session, show, event } = context;
    const factor = await this.#dependencies.administrators.secondFactorOf(session.user);
    if (factor !== undefined)
      return show('second-factor', { codesLeft: factor.recovery_codes.length, errors });
    const service = event.request.host ?? 'API platform';
    const svg = qrCode(enrolmentUri(secret, session.user, service));
    const { require_second_factor: isRequired } = this.#dependencies.settings;
    const grouped = secret.replaceAll(/.{4}(?!$)/g, '$& ');
    return show('second-factor-setup', { secret, grouped, svg, isRequired, errors });
  }

  async setUp(context: PageContext): Promise<PageResult> {
    const { form, session } = context;
    const sent = form.get('secret') ?? '';
    const secret = isSecret(sent) ? sent : newSecret();
    return this.#corrected(context, secret, async () => {
      if ((await this.#dependencies.administrators.secondFactorOf(session.user)) !== undefined)
        throw invalid([{ pointer: '', message: 'A second factor is already set up. Remove it first.' }]);
      if (!(await this.#isFirstUse(secret, form.get('code') ?? '')))
        throw invalid([
          {
            pointer: '/code',
            message: 'Wrong code. Check that the clock of the device is correct, and try the next one.',
          },
        ]);
      return await this.#save(context, 'second_factor_add', secret);
    });
  }

  async #isFirstUse(secret: string, code: string): Promise<boolean> {
    try {
      return (await this.#check.claim(secret, code)) === true;
    } catch (error) {
      throw toVerificationProblem(error);
    }
  }

  replaceCodes(context: PageContext): Promise<PageResult> {
    return this.#corrected(context, undefined, async () => {
      const factor = await this.#dependencies.administrators.secondFactorOf(context.session.user);
      if (factor === undefined) return context.redirect(SECOND_FACTOR_PATH);
      return await this.#save(context, 'recovery_codes_change', factor.secret);
    });
  }

  remove(context: PageContext): Promise<PageResult> {
    const work = async (): Promise<PageResult> => {
      await this.#apply(context, 'second_factor_remove', undefined);
      return context.redirect('/account', 'Second factor removed.');
    };
    return this.#corrected(context, undefined, work, '/removal-password');
  }

  /** Shows the recovery codes, this one time. */
  async #save(context: PageContext, action: AuditAction, secret: string): Promise<PageResult> {
    const codes = newRecoveryCodes();
    await this.#apply(context, action, {
      secret,
      recovery_codes: codes.map((code) => recoveryCodeHash(code)),
    });
    return context.show('recovery-codes', { codes });
  }

  async #apply(
    { session, actor }: PageContext,
    action: AuditAction,
    factor: SecondFactor | undefined,
  ): Promise<void> {
    const { administrators, audit } = this.#dependencies;
    const change = administrators.setSecondFactor(session.user, factor, actor);
    await auditedChange(audit, { action, actor, target: session.user }, change).apply();
  }

  /**
   * Verifies the password, and shows the page again with the errors that the administrator can correct.
   * @param field of the password: the page has two forms
   */
  async #corrected(
    context: PageContext,
    secret: string | undefined,
    work: () => Promise<PageResult>,
    field = '/password',
  ): Promise<PageResult> {
    const { event, form, session } = context;
    try {
      const sent = { name: session.user, password: form.get('password') ?? '' };
      const { administrators } = this.#dependencies;
      if ((await verifyAdministrator(this.#throttle, event, administrators, sent)) === undefined)
        throw invalid([{ pointer: field, message: 'Wrong password.' }]);
      return await work();
    } catch (error) {
      return await shownAgain(event, error, (errors) => this.show(context, errors, secret));
    }
  }
}
