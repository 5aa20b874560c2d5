import { createSecretKey, randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { newId, ServiceError } from '#core/kernel';
import type { SigningKey } from '../../../core/access/identity/caches.ts';
import { ACCESS_TOKEN_SECONDS, readAccessToken, readClientToken, signAccessToken } from '../../../core/access/identity/tokens.ts';

const CLAIMS = { tenantId: 'tnt_1', userId: 'usr_1', sessionId: 'ses_1' };

function signingKeys() {
  const id = newId('sig', Date.now());
  const key: SigningKey = { id, tenantId: CLAIMS.tenantId, key: createSecretKey(randomBytes(32)), createdMs: Date.now() };
  const present = new Map([[id, key]]);
  const find = async (named: string) => {
    const found = present.get(named);
    if (found === undefined) throw new ServiceError('TOKEN_INVALID', 'The token is signed with an unknown key.');
    return found;
  };
  return { key, present, find };
}

afterEach(() => void vi.useRealTimers());

describe('an access token that was read before', () => {
  test('has the same claims until it expires', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-18T17:00:00.000Z') });
    const keys = signingKeys();
    const token = await signAccessToken(keys.key, CLAIMS);
    for (let nth = 0; nth < 3; nth += 1) expect(await readAccessToken(keys.find, token)).toEqual(CLAIMS);
    vi.setSystemTime(Date.now() + ACCESS_TOKEN_SECONDS * 1_000 - 1);
    expect(await readAccessToken(keys.find, token)).toEqual(CLAIMS);
    vi.setSystemTime(Date.now() + 1);
    for (let nth = 0; nth < 2; nth += 1) await expect(readAccessToken(keys.find, token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
  });

  test('is not accepted with another signature or other claims', async () => {
    const keys = signingKeys();
    const token = await signAccessToken(keys.key, CLAIMS);
    await readAccessToken(keys.find, token);
    const other = await signAccessToken(keys.key, { ...CLAIMS, userId: 'usr_2' });
    const [head, body, signature] = token.split('.');
    const [, otherBody, otherSignature] = other.split('.');
    for (const forged of [`${head}.${body}.${otherSignature}`, `${head}.${otherBody}.${signature}`, `${head}.${body}.`])
      await expect(readAccessToken(keys.find, forged)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
  });

  test('is not accepted as a client token', async () => {
    const keys = signingKeys();
    const token = await signAccessToken(keys.key, CLAIMS);
    await readAccessToken(keys.find, token);
    await expect(readClientToken(keys.find, token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
  });

  test('is not accepted after its key was removed, or replaced by another key with the same ID', async () => {
    const keys = signingKeys();
    const token = await signAccessToken(keys.key, CLAIMS);
    await readAccessToken(keys.find, token);
    keys.present.set(keys.key.id, { ...keys.key, key: createSecretKey(randomBytes(32)) });
    await expect(readAccessToken(keys.find, token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    keys.present.delete(keys.key.id);
    await expect(readAccessToken(keys.find, token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
  });
});

test('accepts every token of more than are kept', async () => {
  const keys = signingKeys();
  const tokens: string[] = [];
  for (let nth = 0; nth < 1_100; nth += 1) tokens.push(await signAccessToken(keys.key, { ...CLAIMS, userId: `usr_${nth}` }));
  for (let round = 0; round < 2; round += 1)
    for (const [nth, token] of tokens.entries()) expect((await readAccessToken(keys.find, token)).userId).toBe(`usr_${nth}`);
});
