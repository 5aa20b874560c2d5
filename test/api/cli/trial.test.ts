import { generateKeyPairSync, verify } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../../cli/main.ts';
import { startSimulator } from '../../../simulators/index.ts';

interface Report {
  readonly differences: number;
  readonly steps: readonly { readonly name: string; readonly expected: string; readonly actual: string; readonly isEqual: boolean }[];
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-trial-'));
  for (const name of ['stdout', 'stderr'] as const) vi.spyOn(process[name], 'write').mockReturnValue(true);
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await rm(folder, { recursive: true, force: true });
});

/** Runs a trial at a simulator in place of the processor, and returns the text of the report. */
async function trial(gateway: string, quirks: readonly string[], ...flags: readonly string[]): Promise<string> {
  const processor = await startSimulator(gateway, { quirks });
  const report = join(folder, 'report.json');
  writeFileSync(join(folder, 'credentials.json'), JSON.stringify(processor.credentials));
  const names = ['--gateway', gateway, '--credentials', join(folder, 'credentials.json'), '--report', report, '--origin', processor.origin];
  await main(['trial', ...names, ...flags]).finally(() => processor.stop());
  const text = readFileSync(report, 'utf8');
  for (const secret of Object.values(processor.credentials)) expect(text).not.toContain(secret);
  return text;
}

describe.each(['authorizenet', 'nmi'])('%s', (gateway) => {
  test('a processor that answers like its simulator has no differences, and the report is signed', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const key = join(folder, 'key.pem');
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const text = await trial(gateway, [], '--key', key);
    const { steps, differences } = JSON.parse(text) as Report;
    expect([differences, process.exitCode]).toEqual([0, undefined]);
    expect(steps.length).toBeGreaterThanOrEqual(40);
    const result = (name: string) => steps.find((step) => step.name === name)?.actual;
    expect(result('sale')).toMatch(/^approved/);
    expect(result('inquiry: sale')).toMatch(/^approved/);
    expect(result('sale, declined')).toMatch(/^declined/);
    expect(result('void, repeated')).toBe('no effect, ALREADY_VOIDED');
    expect(result('inquiry: a payment that was never sent')).toBe('not found');
    // Authorize.Net refuses a repeated request as a duplicate without naming the payment, which an inquiry finds.
    const odd = steps.filter(({ actual }) => /^(unconfirmed|not shown yet|unreadable)/.test(actual)).map(({ name }) => name);
    expect(odd).toEqual(gateway === 'authorizenet' ? ['sale, sent again'] : []);
    expect(verify(null, Buffer.from(text), publicKey, readFileSync(join(folder, 'report.json.sig')))).toBe(true);
  });
});

test('lists the answers that differ, with exit code 6', async () => {
  const { steps, differences } = JSON.parse(await trial('nmi', ['no-credits'])) as Report;
  expect(process.exitCode).toBe(6);
  expect(differences).toBe(steps.filter(({ isEqual }) => !isEqual).length);
  expect(steps.filter(({ isEqual }) => !isEqual).map(({ name }) => name)).toContain('credit');
});
