import { de } from './de';
import { deScripts } from './de-scripts';
import { en, type MessageKey, type Messages } from './en';
import { enScripts, type ScriptMessages } from './en-scripts';
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

const SCRIPTS: Readonly<Record<LanguageTag, ScriptMessages>> = { en: enScripts, de: deScripts };

/** Returns the module `documentation/messages.js`: the texts of scripts in a language. */
export function messagesScript(tag: LanguageTag): string {
  // The search page and the search dialog name the kinds of results.
  const kinds = Object.entries(LANGUAGES[tag]).filter(([key]) => key.startsWith('search.kind.'));
  const messages = JSON.stringify({ ...SCRIPTS[tag], ...Object.fromEntries(kinds) }, null, 2);
  return `export const language = ${JSON.stringify(tag)};\nexport const messages = ${messages};\n`;
}

/** The default, and the language of formats other than pages. */
export const ENGLISH = pageLanguage('en');
