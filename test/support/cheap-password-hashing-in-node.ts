// Like cheap-password-hashing.ts, for projects whose modules Node loads itself. Runs before the service is loaded, which then gets these functions.
import { createRequire } from 'node:module';
import type * as Argon2 from '@node-rs/argon2';
import { passwordCheckAllowed } from './password-checks.ts';

const CHEAP = Symbol.for('paydesk cheap hash');

const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as {
  hash: typeof Argon2.hash & { [CHEAP]?: true };
  verify: typeof Argon2.verify;
};
const { hash, verify } = argon2;
// Test files of a worker share its modules, and run this file each.
if (!(CHEAP in hash)) {
  argon2.hash = Object.assign(
    (password: string | Uint8Array, options?: Argon2.Options | null) => hash(password, { ...options, memoryCost: 64, timeCost: 1 }),
    { [CHEAP]: true as const },
  );
  argon2.verify = async (...given) => {
    await passwordCheckAllowed();
    return verify(...given);
  };
}
