import { vi } from 'vitest';

// A password hash takes a tenth of a second and 64 MiB by design. Servers inside the process of the tests hash cheaply; `passwords.test.ts` tests the real cost.
vi.mock('@node-rs/argon2', async (load) => {
  const real = await load<typeof import('@node-rs/argon2')>();
  return { ...real, hash: (password: string, options: object) => real.hash(password, { ...options, memoryCost: 64, timeCost: 1 }) };
});
