import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './factories/platform';

/** Wording that must not return, and what to write instead. */
const REPLACEMENTS: readonly (readonly [wording: RegExp, replacement: string])[] = [
  [/\bunless told\b/i, 'defaults to …'],
  [/\bThere (is|are): /, 'Available: …'],
  [/\bis not taken here\b|\bTaken: /, 'is not supported. Supported: …'],
  [/\b(taken|takes?|taking) (it |its \w+ |the \w+ )?up\b/i, 'reload; Requires a restart: …'],
  [/\b(put|puts|putting) away\b/i, 'dispose; discard'],
  [/\bgood for anything\b/i, 'valid'],
  [/\b(has|have) to be mended\b|\bmend(s|ed|ing)?\b/i, 'fix; correct'],
  [/\b(is|are|was|were) told\b/i, 'is reported; is notified; receives'],
  [/\bstands? in\b|\bin the place of\b/i, 'is configured in; instead of'],
  [/\bmakes of it\b|\bmade of it\b/i, 'becomes; results in'],
  [/\b(for|by|of|to) who\b/i, 'for clients that …'],
  [/\bin force\b/i, 'active; effective; takes effect'],
  [/\bnot permitted to do\b|\byou are known\b/i, 'You do not have permission to do this.'],
  [/\bcome in by\b/i, 'sign in with'],
  [/\bwish(es)?\b/i, 'Accept header; media range'],
  [/\bis what counts\b|\bwhat counts now\b|\bcounts now\b/i, 'is the gate; effective'],
  [/\bup to date\b.*\bNeither\b|\bNeither repeats\b/i, 'Both skip steps that are up to date.'],
  [/\bas RFC \d+ means it\b/i, 'RFC …, complete'],
  [/\bOnce more to stop\b/i, 'Press Ctrl+C again to force.'],
  [/\bAdmin, once\b/i, 'First administrator (one-time link)'],
  [
    /\bchanged meanwhile\b|\bdecide again\b/i,
    'has changed since you loaded it. Fetch the current version and retry.',
  ],
  [/\bis not a known member\b/i, 'unknown query parameter; unknown member'],
  [/\btaken by another program\b/i, 'is already in use'],
  [/\bbegin an existing file anew\b|\bmade anew\b|\bwritten anew\b/i, 'overwrite; regenerate'],
  [
    /\btake it along\b|\bheld to (its|the) word\b|\bhold it to its word\b/i,
    'export the documentation; verify it',
  ],
  [/\bcould keep busy\b|\bkeeps? (the|a) service busy\b/i, 'is vulnerable to ReDoS'],
  [/\bnonce is good for\b/i, 'nonce lifetime in seconds'],
  [/\bmap of the house\b|\blife of a request\b/i, 'Code map; Request lifecycle'],
  [/\bbrings? (it|them) about\b|\bbrought about\b/i, 'causes'],
  [/\bSee what it writes\b|\bWhat a look at it finds\b/i, 'Review changes; Check results'],
  [/\bSomebody (was|else was) faster\b/i, 'This was changed by someone else'],
  [
    /\bGo on with mine\b|\bStart from theirs\b|\bLeave it as it is\b/i,
    'Keep my change; Load their version; Cancel',
  ],
  [/\bBecome the administrator\b/i, 'Create administrator'],
  [/\bThe password again\b|\bYour password now\b/, 'Confirm password; Current password'],
  [/\bNothing here differs\b/i, 'No changes to save'],
  [/\bAdapters beyond a single API\b|\bAPIs without an entry\b/i, 'Default adapters; All other APIs'],
  [/\bWhom the documentation tells\b/i, 'Documentation visibility'],
  [/\bNo adapter names it yet\b/i, 'Not used by any adapter'],
  [/\bcan sign in from now on\b/i, 'Added. Connect an adapter to enable sign-in.'],
  [/\bstands behind \/|\bWhat stands in brackets\b/i, 'Base path: …; Brackets mark optional parts'],
  [/\bFormats that there are\b|\bthose there are\b/i, 'Available formats; the available ones'],
  [/\bmay not survive\b/i, 'Breaking changes may stop … clients from working'],
  [/\bpublished passwords\b/i, 'Sample passwords: replace them'],
  [/\bNothing was changed here yet\b/i, 'Recent changes: none yet'],
  [/\bComes as\b|\bSent as\b/, 'Response media types; Request media types'],
  [/\bcomes to nothing\b|\bcame to nothing\b/i, 'failed'],
  [/\bpassed over\b/i, 'ignored; skipped'],
  [/\bwhich there is not\b|\bthat there is not\b/i, 'that does not exist'],
  [/\bforeign_form\b/, 'cross_origin_form'],
  [/\bstill_used\b/, 'in_use'],
  [/\boutside_networks\b/, 'address_not_allowed'],
  [/\bclaim_refused\b/, 'claim_link_invalid'],
];

const SEARCHED: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...filesIn('docs', /\.(md|json)$/),
];

function filesIn(folder: string, names: RegExp): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => names.test(name))
    .sort()
    .map((name) => `${folder}/${name}`);
}

/** Returns `file:line: "wording". Write: replacement` for each match in a text. */
function findingsIn(file: string, text: string): readonly string[] {
  return text.split('\n').flatMap((line, at) =>
    REPLACEMENTS.flatMap(([wording, replacement]) => {
      const match = wording.exec(line);
      return match === null ? [] : [`${file}:${at + 1}: "${match[0]}". Write: ${replacement}`];
    }),
  );
}

/** Blanks comments and statements of a Nunjucks template, but keeps its lines. */
function textOf(template: string): string {
  return template.replace(/\{#[\s\S]*?#\}/g, (comment) => comment.replace(/[^\n]/g, ''));
}

const TEMPLATES = filesIn('templates', /\.njk$/);

describe('the vocabulary', () => {
  it.each(SEARCHED)('uses the standard terms in %s', (file) => {
    expect(findingsIn(file, readFileSync(path.join(ROOT, file), 'utf8'))).toEqual([]);
  });

  it('uses the standard terms in the templates', () => {
    const findings = TEMPLATES.flatMap((file) =>
      findingsIn(file, textOf(readFileSync(path.join(ROOT, file), 'utf8'))),
    );
    expect(findings).toEqual([]);
  });

  it('reports file, line and replacement', () => {
    expect(findingsIn('docs/wrong.md', 'Fine.\nThe configuration is in force.\n')).toEqual([
      'docs/wrong.md:2: "in force". Write: active; effective; takes effect',
    ]);
  });
});
