import { Type, type Static } from '@sinclair/typebox';
import type { ConfigTree } from '../../framework';

export const DOCUMENTATION_KEY = 'platform-documentation';

const colour = (on: string) =>
  Type.String({
    pattern: '^#[0-9A-Fa-f]{6}$',
    hint: 'Write six hexadecimal digits behind a #, e.g. "#0b5c6b".',
    description: `On ${on}.`,
  });

/** `platform-documentation`: what makes the pages one's own. */
export const documentationSettings = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      description: 'What the pages are called, e.g. the name of the company.',
    }),
    logo: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'A picture beside the name (svg, png, jpg or webp), from the project root.',
      }),
    ),
    accent: Type.Optional(
      Type.Object(
        { light: colour('white paper'), dark: colour('dark paper') },
        { additionalProperties: false, description: 'The colour of links and of what is chosen.' },
      ),
    ),
    footer: Type.Optional(
      Type.String({ description: 'CommonMark at the foot of every page, e.g. a link to the imprint.' }),
    ),
    guides: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'A folder of Markdown files that are listed beside the APIs, from the project root.',
      }),
    ),
  },
  { additionalProperties: false, description: 'The pages of the documentation.' },
);

export type DocumentationSettings = Static<typeof documentationSettings>;

export const documentationDefaults: ConfigTree = { [DOCUMENTATION_KEY]: { name: 'API documentation' } };
