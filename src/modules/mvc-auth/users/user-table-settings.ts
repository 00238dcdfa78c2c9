import { Type, type Static } from '@sinclair/typebox';

const column = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));

/** The option `users` of an `HttpAdapter`: the users are rows of a table. */
export const userTableSettings = Type.Object(
  {
    db: Type.String({ minLength: 1, description: 'The database: a name of platform-db.adapters.' }),
    table: Type.String({ minLength: 1, description: 'The table or view.' }),
    name: Type.String({ minLength: 1, description: 'The column of user names.' }),
    hash: column('The column of password hashes, for Basic; of every kind that password files take.'),
    ha1: Type.Optional(
      Type.Object(
        {
          MD5: column('The column of H(name:realm:password) with MD5.'),
          'SHA-256': column('The column of H(name:realm:password) with SHA-256.'),
          'SHA-512-256': column('The column of H(name:realm:password) with SHA-512-256.'),
        },
        {
          additionalProperties: false,
          minProperties: 1,
          description:
            'The columns of Digest secrets, in hexadecimal, by algorithm. Digest offers these algorithms.',
          hint: 'Name columns by algorithm: "MD5", "SHA-256" or "SHA-512-256".',
        },
      ),
    ),
    groups: column(
      'The column of groups: text with spaces or commas, a JSON array, or an array. Defaults to no groups.',
    ),
    enabled: column(
      'The column that enables users, a boolean or a number; false, 0 and NULL disable. Defaults to all enabled.',
    ),
  },
  {
    additionalProperties: false,
    description: 'A database table that contains the users, in place of password files.',
    hint: 'Users of a table need "db", "table" and "name", with "hash" for Basic and "ha1" for Digest.',
  },
);

export type UserTableSettings = Static<typeof userTableSettings>;
