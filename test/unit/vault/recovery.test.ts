import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { keyIdOf, makeRecoveryFile, newRecoveryCode, openRecoveryFile, recoveryFileKeyId } from '#core/records/vault';

const KEY = randomBytes(32);
const PASSPHRASE = 'correct horse battery';

test('returns the key of a recovery file for its passphrase only', async () => {
  const file = await makeRecoveryFile(KEY, PASSPHRASE, Date.now());
  for (const form of ['hex', 'base64'] as const) expect(file).not.toContain(KEY.toString(form));
  expect(recoveryFileKeyId(Buffer.from(file))).toBe(keyIdOf(KEY));
  expect(await openRecoveryFile(Buffer.from(file), PASSPHRASE)).toEqual(KEY);
  await expect(openRecoveryFile(Buffer.from(file), `${PASSPHRASE} `.repeat(2))).rejects.toMatchObject({ field: 'passphrase' });
});

test('accepts a code however it is typed, also after email programs wrapped the lines', async () => {
  const code = newRecoveryCode();
  expect(code).toMatch(/^([0-9A-Z]{4}-){5}[0-9A-Z]{4}$/);
  const file = (await makeRecoveryFile(KEY, code, Date.now())).replaceAll('\n', '\r\n');
  const typed = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
  expect(await openRecoveryFile(Buffer.from(file), ` ${typed} `)).toEqual(KEY);
});

test('refuses a recovery file with any changed, missing or added byte as damaged', async () => {
  const file = Buffer.from(await makeRecoveryFile(KEY, PASSPHRASE, Date.now()));
  const damaged = [file.subarray(0, -3), Buffer.concat([file, Buffer.from('{}')]), Buffer.alloc(0), Buffer.alloc(5_000, 0x20)];
  for (let at = 0; at < file.length - 1; at += 1) {
    const copy = Buffer.from(file);
    copy.writeUInt8(file.readUInt8(at) ^ (1 << (at % 7)), at);
    damaged.push(copy);
  }
  for (const bytes of damaged) await expect(openRecoveryFile(bytes, PASSPHRASE)).rejects.toMatchObject({ field: 'recoveryFile' });
});

test.each(['keyId', 'createdAt', 'sealed'] as const)('refuses a recovery file with a changed %s and a matching check', async (field) => {
  const [one, other] = [await makeRecoveryFile(KEY, PASSPHRASE, 0), await makeRecoveryFile(randomBytes(32), PASSPHRASE, 1)];
  const { check: _, ...mixed } = {
    ...(JSON.parse(one) as object),
    [field]: (JSON.parse(other) as Record<string, string>)[field],
  } as Record<string, string>;
  const check = createHash('sha256').update(JSON.stringify(mixed)).digest('hex').slice(0, 16);
  const forged = Buffer.from(JSON.stringify({ ...mixed, check }, null, 2));
  await expect(openRecoveryFile(forged, PASSPHRASE)).rejects.toMatchObject({ field: 'passphrase' });
});

test.each(['memoryKiB', 'passes', 'lanes'])('refuses a file with another cost (%s) before paying it', async (field) => {
  const file = JSON.parse(await makeRecoveryFile(KEY, PASSPHRASE, Date.now())) as Record<string, unknown>;
  const greedy = JSON.stringify({ ...file, [field]: 4_000_000 }, null, 2);
  await expect(openRecoveryFile(Buffer.from(greedy), PASSPHRASE)).rejects.toMatchObject({ field: 'recoveryFile' });
});
