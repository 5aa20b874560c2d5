import { vi } from 'vitest';

// A password's hash takes a tenth of a second and 64 MiB by design. Servers inside the tests' own process hash cheaply; `passwords.test.ts` holds the real cost.
vi.mock('@node-rs/argon2', async (load) => {
  const real = await load<typeof import('@node-rs/argon2')>();
  return { ...real, hash: (password: string, options: object) => real.hash(password, { ...options, memoryCost: 64, timeCost: 1 }) };
});
