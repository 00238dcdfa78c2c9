import type { ConfigObject, Problem, ViewModel } from '../../../../framework';
import type { CheckResult } from '../../actions/adapters/file-checks';
import { HTTP_ADAPTER, type AdapterKind } from '../../actions/adapters/adapter-kinds';
import { invalid, type FieldError } from '../../changes/field-errors';
import { secretOptions } from '../../actions/adapters/option-secrets';
import type { PageContext } from '../../pages/admin-page';
import type { AdminServices } from '../../services';
import { fieldErrorsOf } from '../../pages/forms/form-errors';
import { httpFields, withReadableMessages } from './http-fields';
import { optionFields, type OptionField } from './option-field';
import { groupFields } from './option-groups';
import { errorsAtFields, fillFromForm, fillFromOptions } from './option-values';
import { readOptions } from './read-options';

/** The adapter that a form edits or creates. */
export interface FormSubject {
  /** Undefined for a new adapter. */
  readonly name?: string;
  readonly kind: AdapterKind;
  /** The active options with masked secrets, or the initial options of a new adapter. */
  readonly options: ConfigObject;
  /** Further variables of the page. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The form of an adapter: shows it, and reads the submitted options. */
export class AdapterForm {
  readonly #services: AdminServices;
  readonly #context: PageContext;
  readonly #subject: FormSubject;
  readonly #fields: readonly OptionField[];

  constructor(services: AdminServices, context: PageContext, subject: FormSubject) {
    const { configuration } = services.changes;
    const { name, schema } = subject.kind;
    this.#services = services;
    this.#context = context;
    this.#subject = subject;
    this.#fields =
      name === HTTP_ADAPTER
        ? httpFields()
        : optionFields(schema, secretOptions(configuration, name, subject.name), subject.options);
  }

  /** Shows the form with the current options. */
  async show(): Promise<ViewModel> {
    const { name, kind, options } = this.#subject;
    const findings = name === undefined ? [] : await this.#services.adapters.check(kind.name, options, name);
    return this.#page(findings, []);
  }

  /** Returns the submitted options. @throws Problem 422 if values cannot be parsed, with the errors of the others */
  async submittedOptions(): Promise<ConfigObject> {
    const { options, errors } = this.#read();
    if (errors.length > 0) throw invalid([...this.#nameErrors(), ...(await this.#checked()).errors]);
    return options;
  }

  /** Shows the submitted options with check results. */
  async showChecked(): Promise<ViewModel> {
    const { findings, errors } = await this.#checked();
    return this.#page(findings, [...this.#nameErrors(), ...errors]);
  }

  /** Checks the submitted options, as far as they can be parsed. */
  async #checked(): Promise<{
    readonly findings: readonly CheckResult[];
    readonly errors: readonly FieldError[];
  }> {
    const { name, kind } = this.#subject;
    const { options, errors } = this.#read();
    const findings = await this.#services.adapters.check(kind.name, options, name);
    const failed = findings.filter(({ level }) => level === 'error');
    if (errors.length === 0) return { findings, errors: failed };
    // Those of the form as a whole may be due to the missing options.
    const known = ['', ...errors.map(({ pointer }) => pointer)];
    const others = this.#atFields(failed).filter(({ pointer }) => !known.includes(pointer));
    return { findings: [], errors: [...errors, ...others] };
  }

  /** Shows the submitted options with the errors of a problem. */
  showErrors(problem: Problem): ViewModel {
    return this.#page([], fieldErrorsOf(problem));
  }

  #nameErrors(): readonly FieldError[] {
    const { form } = this.#context;
    const { adapters } = this.#services;
    const message = this.#subject.name === undefined ? adapters.nameError(form.get('name') ?? '') : undefined;
    return message === undefined ? [] : [{ pointer: '/name', message }];
  }

  #read(): ReturnType<typeof readOptions> {
    return readOptions(this.#fields, this.#context.form, this.#subject.options);
  }

  #page(findings: readonly CheckResult[], fieldErrors: readonly FieldError[]): ViewModel {
    const { options, variables, kind, name } = this.#subject;
    const { form, show } = this.#context;
    const isSubmitted = form.size > 0;
    const errors = this.#atFields(fieldErrors);
    const filled = isSubmitted
      ? fillFromForm(this.#fields, form, options)
      : fillFromOptions(this.#fields, options);
    return show('adapter-form', {
      ...variables,
      kind: kind.name,
      isNew: name === undefined,
      name: name ?? form.get('name') ?? '',
      groups: groupFields(filled, errors),
      errors: errors.map((error) => ({ ...error, label: this.#labelOf(error) })),
      findings: findings.map((finding) => ({
        ...finding,
        label: finding.level === 'error' ? this.#labelOf(finding) : undefined,
      })),
    });
  }

  #atFields(errors: readonly FieldError[]): readonly FieldError[] {
    const isHttp = this.#subject.kind.name === HTTP_ADAPTER;
    return errorsAtFields(this.#fields, isHttp ? withReadableMessages(errors) : errors);
  }

  /** Errors are displayed with the label of their field where they are not next to it. */
  #labelOf({ pointer }: FieldError): string | undefined {
    return this.#fields.find(({ name }) => name === pointer)?.label;
  }
}
