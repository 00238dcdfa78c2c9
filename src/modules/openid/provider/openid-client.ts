import { createRequire } from 'node:module';
import type * as Client from 'openid-client';
import { lazily } from '../../../framework';

const load = createRequire(__filename);

/** Loaded with the first sign-in. */
export const openidClient = lazily(() => load('openid-client') as typeof Client);
