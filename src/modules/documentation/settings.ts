import { Type, type Static } from '@sinclair/typebox';
import type { ConfigObject } from '../../framework';
import { SAMPLE_LANGUAGES, type SampleLanguage } from './samples/languages';

export const DOCUMENTATION_KEY = 'platform-documentation';

const colour = (on: string) =>
  Type.String({
    pattern: '^#[0-9A-Fa-f]{6}$',
    hint: 'Write # and six hexadecimal digits, e.g. "#0b5c6b".',
    description: `On a ${on} background.`,
  });

const sampleLanguage = Type.Union(
  (Object.keys(SAMPLE_LANGUAGES) as SampleLanguage[]).map((name) => Type.Literal(name)),
);

/** `platform-documentation`: the settings of the pages. */
export const documentationSettings = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      description: 'Name of the site, e.g. the name of the company.',
    }),
    language: Type.Union([Type.Literal('en'), Type.Literal('de')], {
      description: 'Language of the pages; defaults to "en".',
    }),
    logo: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Image next to the name (svg, png, jpg or webp); relative to the project root.',
      }),
    ),
    accent: Type.Optional(
      Type.Object(
        { light: colour('light'), dark: colour('dark') },
        { additionalProperties: false, description: 'Colour of links and selected items.' },
      ),
    ),
    footer: Type.Optional(
      Type.String({ description: 'Footer of every page as CommonMark, e.g. a link to the imprint.' }),
    ),
    guides: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Folder of Markdown guides, listed with the APIs; relative to the project root.',
      }),
    ),
    samples: Type.Array(sampleLanguage, {
      uniqueItems: true,
      description: 'Languages of the code samples, in their order; an empty list removes the samples.',
    }),
  },
  { additionalProperties: false, description: 'The pages of the documentation.' },
);

export type DocumentationSettings = Static<typeof documentationSettings>;

export const documentationDefaults: ConfigObject = {
  [DOCUMENTATION_KEY]: {
    name: 'API documentation',
    language: 'en',
    samples: ['curl', 'javascript', 'python', 'httpie'],
  },
};
