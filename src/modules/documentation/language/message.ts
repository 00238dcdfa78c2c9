import { lazily, ownValue } from '../../../framework';
import { escapeHtml } from '../text/escape';

/**
 * A text of the pages. `{name}` is replaced by an argument. `one` and `other` depend on the argument `count`
 * (Intl.PluralRules).
 */
export type Message = string | { readonly one: string; readonly other: string };

/** Numbers are formatted for the language: identifiers such as versions are passed as text. */
export type MessageArguments = Readonly<Record<string, unknown>>;

/** The texts of pages in one language. */
export class Language<Key extends string> {
  /** The language tag (BCP 47), e.g. `de`. */
  readonly tag: string;
  readonly #messages: Readonly<Record<Key, Message>>;
  // Created by the first page: they read the data of the language.
  readonly #plurals = lazily(() => new Intl.PluralRules(this.tag));
  readonly #numbers = lazily(() => new Intl.NumberFormat(this.tag));
  readonly #lists = lazily(() => new Intl.ListFormat(this.tag, { type: 'disjunction' }));

  constructor(tag: string, messages: Readonly<Record<Key, Message>>) {
    this.tag = tag;
    this.#messages = messages;
  }

  /** Returns a message as text. @throws RangeError for an unknown key */
  text(key: Key, values: MessageArguments = {}): string {
    return this.#format(key, values, (value) => this.#textOf(value));
  }

  /**
   * Returns a message as HTML. Message and arguments are escaped, except for markup: strings of Nunjucks that are
   * marked as safe, which are `String` objects.
   * @throws RangeError for an unknown key
   */
  html(key: Key, values: MessageArguments = {}): string {
    const text = (value: unknown): string => this.#htmlOf(value);
    return this.#format(key, values, text, escapeHtml);
  }

  /** Joins alternatives, text or markup, as HTML: `Digest or Basic`. */
  anyOf(items: readonly unknown[]): string {
    return this.#lists().format(items.map((item) => this.#htmlOf(item)));
  }

  #format(
    key: Key,
    values: MessageArguments,
    format: (value: unknown) => string,
    escape = (text: string): string => text,
  ): string {
    const message = ownValue(this.#messages, key);
    if (message === undefined) throw new RangeError(`The language "${this.tag}" has no message "${key}".`);
    return escape(this.#formOf(message, values.count)).replace(/\{(\w+)\}/g, (_, name: string) =>
      format(values[name]),
    );
  }

  #formOf(message: Message, count: unknown): string {
    if (typeof message === 'string') return message;
    return this.#plurals().select(Number(count)) === 'one' ? message.one : message.other;
  }

  #textOf(value: unknown): string {
    if (typeof value === 'number') return this.#numbers().format(value);
    return typeof value === 'string' || value instanceof String ? String(value) : '';
  }

  #htmlOf(value: unknown): string {
    return value instanceof String ? String(value) : escapeHtml(this.#textOf(value));
  }
}
