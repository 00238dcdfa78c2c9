/** The least contrast of text (WCAG 2.2, 1.4.3). */
export const MIN_CONTRAST = 4.5;

/** The background colours of `platform.css`. */
export const PAPER = { light: '#ffffff', dark: '#0f1419' } as const;

/** Returns the contrast ratio of two colours, from 1 to 21 (WCAG 2.2). @param a, b `#rrggbb` */
export function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((one, other) => other - one);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** A style sheet that replaces the accent of `platform.css`. */
export function accentStyles({ light, dark }: { readonly light: string; readonly dark: string }): string {
  const tokens = (colour: string, paper: string): string =>
    `--accent: ${colour}; --accent-wash: color-mix(in srgb, ${colour} 12%, ${paper});`;
  return `:root:not([data-theme='none']) { ${tokens(light, PAPER.light)} }
@media screen and (prefers-color-scheme: dark) { :root:not([data-theme='light']) { ${tokens(dark, PAPER.dark)} } }
@media screen { :root[data-theme='light'][data-theme] { ${tokens(light, PAPER.light)} } :root[data-theme='dark'][data-theme] { ${tokens(dark, PAPER.dark)} } }
`;
}
