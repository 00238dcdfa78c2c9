import type { SampleLanguage } from '../languages';

/** What is coloured in a language. The patterns are alternatives, in this order. */
export interface Grammar {
  readonly comment?: RegExp;
  /** Names that are not plain identifiers: keys of JSON, options of commands, variables. */
  readonly name?: RegExp;
  readonly string: RegExp;
  readonly keywords: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const SINGLE = /'(?:[^'\\\n]|\\.)*'/;
const DOUBLE = /"(?:[^"\\\n]|\\.)*"/;
const SLASHES = /(?<!:)\/\/[^\n]*/;
const HASH = /(?<![^\s])#[^\n]*/;

/** The first of several patterns that matches. */
const either = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join('|'));

/** Quoted arguments have no escapes: a quote ends them, and is added by `\''`. Addresses may be unquoted. */
const shell: Grammar = {
  name: /(?<=\s)--?[a-zA-Z][\w-]*/,
  string: either(/'[^']*'(?:\\''[^']*')*/, /https?:\/\/[^\s']+/),
  keywords: words('curl http GET HEAD POST PUT PATCH DELETE OPTIONS'),
};

export const GRAMMARS: Readonly<Record<SampleLanguage | 'json', Grammar>> = {
  json: {
    name: /"(?:[^"\\\n]|\\.)*"(?=\s*:)/,
    string: DOUBLE,
    keywords: words('true false null'),
  },
  curl: shell,
  httpie: shell,
  javascript: {
    comment: SLASHES,
    // A regular expression is an argument, after a parenthesis.
    string: either(SINGLE, DOUBLE, /(?<=\()\/(?:[^/\\\n]|\\.)+\/g?/),
    keywords: words(
      'async await const false for from function if import let new null of return true undefined',
    ),
  },
  python: {
    comment: HASH,
    string: either(/\b[bfr]?"(?:[^"\\\n]|\\.)*"/, /\b[bfr]?'(?:[^'\\\n]|\\.)*'/, DOUBLE, SINGLE),
    keywords: words('None True False and as def except for if import in lambda not or raise return try with'),
  },
  php: {
    name: /\$\w+/,
    string: either(/<<<'JSON'[\s\S]*?\n *JSON\b/, /'(?:[^'\\]|\\[\s\S])*'/, DOUBLE),
    keywords: words('as echo false foreach null true'),
  },
  go: {
    comment: SLASHES,
    string: either(/`[^`]*`/, DOUBLE),
    keywords: words('defer false func if import map nil package range return string true var'),
  },
  java: {
    comment: SLASHES,
    string: either(/"""\n(?:[^\\]|\\[\s\S])*?"""/, DOUBLE),
    keywords: words(
      'char class false if import int new null public return static throws true var void while',
    ),
  },
  csharp: {
    comment: SLASHES,
    string: either(/(?<fence>"{3,})\n[\s\S]*?\k<fence>/, /\$?"(?:[^"\\\n]|\\.)*"/),
    keywords: words('await false new null true using var'),
  },
  ruby: {
    comment: HASH,
    string: either(
      /<<~'JSON'\n[\s\S]*?\nJSON\b/,
      /'(?:[^'\\]|\\[\s\S])*'/,
      DOUBLE,
      /%\([^)\n]*\)/,
      /(?<=\()\/(?:[^/\\\n]|\\.)+\//,
    ),
    keywords: words('def do end false if nil require return true unless'),
  },
  powershell: {
    name: /\$\w+/,
    string: either(/@'\n[\s\S]*?\n'@/, /'(?:[^'])*'/, DOUBLE),
    keywords: words('Get-Credential Invoke-WebRequest Resolve-Path'),
  },
};
