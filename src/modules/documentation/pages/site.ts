import { existsSync } from 'node:fs';
import path from 'node:path';
import { ConfigurationError } from '../../../framework';
import { isAssetFile } from '../routes/asset-files';
import type { Assets } from '../routes/assets';
import { accentStyles, contrast, MIN_CONTRAST, PAPER } from './colour';
import { DOCUMENTATION_KEY, type DocumentationSettings } from '../settings';
import { markdown } from '../text/markdown';

/** The settings of the pages for templates. */
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
 * Returns the site for the settings, and adds its files to the assets.
 * @param root the folder that file names are relative to
 * @throws ConfigurationError for a missing logo, or an unsupported image type
 */
export function createSite(settings: DocumentationSettings, root: string, assets: Assets): Site {
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

/** Warns about accents with low contrast. */
export function accentWarnings({ accent }: DocumentationSettings): readonly string[] {
  if (accent === undefined) return [];
  return (['light', 'dark'] as const).flatMap((theme) => {
    const found = contrast(accent[theme], PAPER[theme]);
    if (found >= MIN_CONTRAST) return [];
    return [
      `${DOCUMENTATION_KEY}.accent.${theme} is ${accent[theme]}, whose contrast to the background ${PAPER[theme]} is only ` +
        `${found.toFixed(1)}:1, so links are hard to read. Choose a colour with at least ${MIN_CONTRAST}:1.`,
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
    throw new ConfigurationError(
      `${found}, which is not a supported image type. Supported: svg, png, jpg, webp.`,
    );
  }
  if (!existsSync(file)) {
    throw new ConfigurationError(
      `${found}, but the file ${file} does not exist. Create it, or remove the setting.`,
    );
  }
  return file;
}
