import { fail } from './run.mjs';
import { setUp } from './setup.mjs';

await setUp().catch(fail);
