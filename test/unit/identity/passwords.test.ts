import { expect, test, vi } from 'vitest';

vi.unmock('@node-rs/argon2');
vi.resetModules();
const { hashPassword, verifyPassword } = await import('../../../core/access/identity/passwords.ts');

test('hashes a password with Argon2id at 64 MiB and three passes, and accepts only the same password', async () => {
  const kept = await hashPassword('three loaves rising');
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
  expect(kept).not.toContain('loaves');
  expect(await verifyPassword(kept, 'three loaves rising')).toBe(true);
  expect(await verifyPassword(kept, 'three loaves risen')).toBe(false);
  expect(await verifyPassword(null, 'three loaves rising')).toBe(false);
});
