// Like cheap-password-hashing.ts, for projects whose modules Node loads itself. Runs before the service is loaded, which then gets this function.
import { createRequire } from 'node:module';
import type * as Argon2 from '@node-rs/argon2';

const CHEAP = Symbol.for('paydesk cheap hash');

const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as { hash: typeof Argon2.hash & { [CHEAP]?: true } };
const { hash } = argon2;
// Test files of a worker share its modules, and run this file each.
if (!(CHEAP in hash)) {
  argon2.hash = Object.assign(
    (password: string | Uint8Array, options?: Argon2.Options | null) => hash(password, { ...options, memoryCost: 64, timeCost: 1 }),
    { [CHEAP]: true as const },
  );
}
