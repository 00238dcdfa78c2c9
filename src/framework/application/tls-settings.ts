import { Type } from '@sinclair/typebox';

/** `server.tls`: HTTPS instead of HTTP. */
export const tlsSettings = Type.Object(
  {
    certificate: Type.String({
      minLength: 1,
      description:
        'The PEM file with the certificate, followed by those of intermediate authorities; relative to the project root.',
    }),
    key: Type.String({
      minLength: 1,
      description: 'The PEM file with the private key; relative to the project root.',
    }),
    passphrase: Type.Optional(
      Type.String({
        secret: true,
        description: 'The passphrase of an encrypted key: an environment variable, e.g. "${TLS_PASSPHRASE}".',
      }),
    ),
    minimum_version: Type.Optional(
      Type.Union([Type.Literal('TLSv1.2'), Type.Literal('TLSv1.3')], {
        description: 'The oldest version of TLS that is accepted; defaults to TLSv1.2.',
      }),
    ),
    client_certificates: Type.Optional(
      Type.Object(
        {
          ca: Type.String({
            minLength: 1,
            description:
              'The PEM file with the authorities that issue the certificates of clients; relative to the project root.',
          }),
          required: Type.Optional(
            Type.Boolean({
              description: 'Whether clients without a valid certificate are refused; defaults to false.',
            }),
          ),
        },
        { additionalProperties: false, description: 'Asks clients for certificates.' },
      ),
    ),
  },
  {
    additionalProperties: false,
    description: 'Serves HTTPS. The files are read again when they change.',
  },
);
