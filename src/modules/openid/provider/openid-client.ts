import type * as Client from 'openid-client';
import { lazily } from '../../../framework';

const load = require;

/** Loaded with the first sign-in. */
export const openidClient = lazily(() => load('openid-client') as typeof Client);
