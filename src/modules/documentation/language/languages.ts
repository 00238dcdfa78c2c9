import { de } from './de';
import { en, type MessageKey, type Messages } from './en';
import { Language } from './message';

/** The languages of the pages, by tag. */
const LANGUAGES = { en, de } satisfies Readonly<Record<string, Messages>>;

/** A language of the pages, e.g. `de`. */
export type LanguageTag = keyof typeof LANGUAGES;

/** The texts of the pages in one language. */
export type PageLanguage = Language<MessageKey>;

/** Returns the texts of the pages in a language. */
export function pageLanguage(tag: LanguageTag): PageLanguage {
  return new Language(tag, LANGUAGES[tag]);
}

/** The default, and the language of formats other than pages. */
export const ENGLISH = pageLanguage('en');
