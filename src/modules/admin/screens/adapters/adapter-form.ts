import type { ConfigObject, Problem, ViewModel } from '../../../../framework';
import type { CheckResult } from '../../actions/adapters/file-checks';
import { HTTP_ADAPTER, type AdapterKind } from '../../actions/adapters/adapter-kinds';
import type { FieldError } from '../../changes/field-errors';
import { secretOptions } from '../../actions/adapters/option-secrets';
import type { PageContext } from '../../pages/admin-page';
import type { AdminServices } from '../../services';
import { fieldErrorsOf } from '../../pages/form-errors';
import { httpFields, withReadableMessages } from './http-fields';
import { optionFields, type OptionField } from './option-field';
import { groupFields } from './option-groups';
import { errorsAtFields, filledAsTyped, filledWith } from './option-values';
import { readOptions } from './read-options';

/** What a form for an adapter is about. */
export interface FormSubject {
  /** Undefined for a new one. */
  readonly name?: string;
  readonly kind: AdapterKind;
  /** Options in force, secrets masked, or those that a new one begins with. */
  readonly options: ConfigObject;
  /** What the page needs beside. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The form of one adapter, from the page that shows it to the options that were typed. */
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
        : optionFields(schema, secretOptions(configuration, name, subject.name));
  }

  /** As it is, before anything was typed. */
  async show(): Promise<ViewModel> {
    const { name, kind, options } = this.#subject;
    const findings = name === undefined ? [] : await this.#services.adapters.check(kind.name, options, name);
    return this.#page(findings, []);
  }

  /** The options that were typed. @throws Problem 422 for what no option can be */
  typed(refuse: (errors: readonly FieldError[]) => Problem): ConfigObject {
    const { options, errors } = this.#read();
    if (errors.length > 0) throw refuse(errors);
    return options;
  }

  /** What was typed, with what a look at it has found. */
  async checked(): Promise<ViewModel> {
    const { name, kind } = this.#subject;
    const { options, errors } = this.#read();
    const findings = errors.length > 0 ? [] : await this.#services.adapters.check(kind.name, options, name);
    const wrong = findings.filter(({ level }) => level === 'error');
    return this.#page(findings, [...errors, ...wrong]);
  }

  /** What was typed, with what is wrong with it. */
  refused(problem: Problem): ViewModel {
    return this.#page([], fieldErrorsOf(problem));
  }

  #read(): ReturnType<typeof readOptions> {
    return readOptions(this.#fields, this.#context.form, this.#subject.options);
  }

  #page(findings: readonly CheckResult[], wrong: readonly FieldError[]): ViewModel {
    const { options, variables, kind, name } = this.#subject;
    const { form, show } = this.#context;
    const isTyped = form.size > 0;
    const errors = errorsAtFields(
      this.#fields,
      kind.name === HTTP_ADAPTER ? withReadableMessages(wrong) : wrong,
    );
    const filled = isTyped ? filledAsTyped(this.#fields, form, options) : filledWith(this.#fields, options);
    return show('adapter-form', {
      ...variables,
      kind: kind.name,
      isNew: name === undefined,
      name: name ?? form.get('name') ?? '',
      groups: groupFields(filled, errors),
      errors,
      findings: findings.map((finding) => ({ ...finding, label: this.#labelOf(finding) })),
    });
  }

  /** What is wrong is told with the name of its field. */
  #labelOf({ level, pointer }: CheckResult): string {
    if (level !== 'error') return '';
    return this.#fields.find(({ name }) => name === pointer)?.label ?? '';
  }
}
