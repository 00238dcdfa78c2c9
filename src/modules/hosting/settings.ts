import { Type } from '@sinclair/typebox';
import type { ConfigObject } from '../../framework';
import type { ServiceKind } from './definition/service-kind';
import { HOSTING_KEY } from './hosting-key';
import { corsSettings } from './cors/cors-settings';
import {
  authorization,
  heartbeat,
  hooks,
  serviceSettings,
  sharedSchema,
  text,
  timeout,
  visibility,
} from './service-settings';

/** The names of APIs: configuration keys, and parts of URLs. */
export const API_NAME = /^[A-Za-z][A-Za-z0-9_.]*$/;

/** Settings of an API. Declarations in code are validated by the same schema (`assertDeclarations`). */
export const apiSettings = (kinds: readonly ServiceKind[]) =>
  Type.Object(
    {
      description: text('Purpose of the API.'),
      license: Type.Optional(
        Type.Object(
          {
            name: Type.String({ description: 'Name of the license.' }),
            url: Type.Optional(Type.String({ description: 'URL of the license.' })),
          },
          { additionalProperties: false, description: 'The license of the API.' },
        ),
      ),
      contact: Type.Optional(
        Type.Object(
          {
            name: text('Name of the person or organization.'),
            url: text('URL of a contact page.'),
            email: text('Email address.'),
          },
          { additionalProperties: false, description: 'Contact for users of the API.' },
        ),
      ),
      base_path: text('A path before the version, e.g. /geo for /geo/v1/countries.'),
      visibility: visibility('API'),
      default_version: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'Version for requests that name none; defaults to the highest.',
        }),
      ),
      authorization,
      cors: Type.Optional(corsSettings),
      timeout,
      heartbeat,
      hooks,
      versions: Type.Optional(
        Type.Record(
          Type.String({ pattern: '^[1-9]\\d*$' }),
          Type.Object(
            {
              inherits: Type.Optional(
                Type.Integer({ minimum: 1, description: 'Version whose services it inherits.' }),
              ),
              deprecated: text('Date from which it is deprecated, e.g. 2026-12-31.'),
              sunset: text('Date on which it will be removed.'),
              successor: Type.Optional(
                Type.Integer({ minimum: 1, description: 'Version that replaces it; defaults to the next.' }),
              ),
              release_date: text('Date on which it was or will be released, e.g. 2026-12-31.'),
              release_notes: text('What changes for its clients, as CommonMark; shown in the changelog.'),
              schemas: Type.Optional(
                Type.Record(Type.String({ pattern: '^[A-Za-z0-9_.-]+$' }), sharedSchema, {
                  additionalProperties: false,
                  secret: false,
                  description: 'Shared JSON Schemas by name: { "$ref": "#/schemas/<name>" }.',
                }),
              ),
              services: Type.Optional(
                Type.Record(Type.String(), serviceSettings(kinds), { description: 'Services by name.' }),
              ),
            },
            { additionalProperties: false },
          ),
          { additionalProperties: false, description: 'Versions by number.' },
        ),
      ),
    },
    { additionalProperties: false },
  );

/**
 * Settings `platform-hosting`: APIs, or changes to those declared in code. The same object for the same kinds: what
 * matches a schema is remembered across reloads.
 */
export const hostingSettings = (kinds: readonly ServiceKind[]): HostingSettings => {
  const isSame = last?.kinds.length === kinds.length && kinds.every((kind, at) => kind === last?.kinds[at]);
  if (last === undefined || !isSame) last = { kinds, settings: settingsWith(kinds) };
  return last.settings;
};

export type HostingSettings = ReturnType<typeof settingsWith>;

let last: { readonly kinds: readonly ServiceKind[]; readonly settings: HostingSettings } | undefined;

const settingsWith = (kinds: readonly ServiceKind[]) =>
  Type.Object(
    {
      timeout,
      heartbeat,
      check_responses: Type.Optional(
        Type.Union([Type.Literal('report'), Type.Literal('count'), Type.Literal('off')], {
          description:
            'Responses that do not match their schema: "report" in the log (default with display_exceptions), "count" (default otherwise), or "off".',
        }),
      ),
      context_storage: Type.Optional(
        Type.Boolean({
          description: 'Enables currentContext(); costs some time per request.',
        }),
      ),
      apis: Type.Record(Type.String({ pattern: API_NAME.source }), apiSettings(kinds), {
        additionalProperties: false,
        description: 'APIs by name, with their versions and services.',
      }),
    },
    { additionalProperties: false, description: 'APIs, or changes to those declared in code.' },
  );

export const hostingDefaults: ConfigObject = { [HOSTING_KEY]: { apis: {} } };
