import { existsSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '../../framework';
import { isAssetFile, type Assets } from './assets';
import { accentStyles, contrast, LEAST_CONTRAST, PAPER } from './colour';
import { DOCUMENTATION_KEY, type DocumentationSettings } from './settings';
import { markdown } from './view-helpers/markdown';

/** What templates know of the pages as a whole. */
export interface Site {
  readonly name: string;
  /** The address of the logo; undefined for none. */
  readonly logo: string | undefined;
  /** The address of the style sheet with the accent; undefined for the platform's own. */
  readonly styles: string | undefined;
  /** HTML; empty for none. */
  readonly footer: string;
}

/**
 * The site that the settings describe, its files among the assets.
 * @param root files start there
 * @throws StartError for a logo that is not there, or of a kind that browsers do not show
 */
export function makeSite(settings: DocumentationSettings, root: string, assets: Assets): Site {
  const { name, logo, accent, footer = '' } = settings;
  if (logo !== undefined) assets.add({ [logoName(logo)]: logoFile(logo, root) });
  if (accent !== undefined) assets.addText('documentation/accent.css', accentStyles(accent));
  return {
    name,
    logo: logo === undefined ? undefined : assets.urlOf(logoName(logo)),
    styles: accent === undefined ? undefined : assets.urlOf('documentation/accent.css'),
    footer: markdown(footer),
  };
}

/** Accents that are hard to read. */
export function accentWarnings({ accent }: DocumentationSettings): readonly string[] {
  if (accent === undefined) return [];
  return (['light', 'dark'] as const).flatMap((theme) => {
    const found = contrast(accent[theme], PAPER[theme]);
    if (found >= LEAST_CONTRAST) return [];
    return [
      `${DOCUMENTATION_KEY}.accent.${theme} is ${accent[theme]}, which stands out from its paper ${PAPER[theme]} by ` +
        `${found.toFixed(1)} to 1 only: links are hard to read. Choose one of at least ${LEAST_CONTRAST} to 1.`,
    ];
  });
}

function logoName(logo: string): string {
  return `documentation/logo${path.extname(logo).toLowerCase()}`;
}

function logoFile(logo: string, root: string): string {
  const file = path.resolve(root, logo);
  const found = `${DOCUMENTATION_KEY}.logo is "${logo}"`;
  if (!isAssetFile(file)) {
    throw new StartError(`${found}, which browsers do not show. Take a file of svg, png, jpg or webp.`);
  }
  if (!existsSync(file)) {
    throw new StartError(`${found}, but there is no file ${file}. Put it there, or take the setting away.`);
  }
  return file;
}
