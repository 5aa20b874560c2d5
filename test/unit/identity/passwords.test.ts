import { expect, test, vi } from 'vitest';

vi.unmock('@node-rs/argon2');
vi.resetModules();
const { hashPassword, hashSecretSlowly, verifyPassword } = await import('../../../core/access/identity/passwords.ts');

test('hashes a password with Argon2id at 64 MiB and three passes, and accepts only the same password', async () => {
  const kept = await hashPassword('three loaves rising');
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
  expect(kept).not.toContain('loaves');
  expect(await verifyPassword(kept, 'three loaves rising')).toBe(true);
  expect(await verifyPassword(kept, 'three loaves risen')).toBe(false);
  expect(await verifyPassword(null, 'three loaves rising')).toBe(false);
});

test('accepts a password in every form of its letters, also against a hash of the typed form', async () => {
  const [composed, decomposed] = ['Pässwörd-mañana-12', 'Pa\u0308sswo\u0308rd-man\u0303ana-12'];
  for (const form of [composed, decomposed]) {
    const kept = await hashPassword(form);
    expect(await verifyPassword(kept, composed)).toBe(true);
    expect(await verifyPassword(kept, decomposed)).toBe(true);
    expect(await verifyPassword(kept, 'Password-manana-12')).toBe(false);
  }
  // Earlier versions hashed the password as it was typed.
  const earlier = await hashSecretSlowly(decomposed);
  expect(await verifyPassword(earlier, decomposed)).toBe(true);
  expect(await verifyPassword(null, decomposed)).toBe(false);
});
