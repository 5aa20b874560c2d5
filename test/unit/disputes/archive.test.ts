import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { createArchive } from '../../../core/books/disputes/evidence/archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'paydesk-pack-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { bytes } = createArchive(
  [
    { name: 'letter.txt', content: 'Dear acquirer\n' },
    { name: 'exhibits/exhibit-2.pdf', content: Buffer.from([0x25, 0x50, 0x44, 0x46, 0x00, 0xff]) },
  ],
  [
    { id: 'aud_1', action: 'transaction.sale' },
    { id: 'aud_2', action: 'dispute.opened' },
  ],
  { disputeId: 'dsp_1' },
);
const FILES = unzipSync(bytes);

/** Unpacks the archive with a change, and runs its program. */
function verify(change: (files: Record<string, Uint8Array>) => void = () => {}) {
  rmSync(folder, { recursive: true, force: true });
  const files = Object.fromEntries(Object.entries(FILES).map(([name, content]) => [name, content.slice()]));
  change(files);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'verify.mjs')], { encoding: 'utf8', env: {} });
  return { status, stderr };
}

test('accepts an unchanged pack', () => {
  expect(verify()).toEqual({ status: 0, stderr: '' });
});

test.each(Object.keys(FILES).filter((name) => name !== 'verify.mjs'))('names %s if a byte of it was changed', (name) => {
  for (const at of [0, 0.5, 0.99]) {
    const result = verify((files) => {
      const content = files[name] as Uint8Array;
      const index = Math.min(content.length - 1, Math.floor(content.length * at));
      content[index] = (content[index] ?? 0) ^ 1;
    });
    expect(result.status).toBe(1);
    expect(result.stderr).toContain(name);
  }
});

test('names a file that was removed, added, or whose program was changed', () => {
  expect(verify((files) => delete files['letter.txt']).stderr).toContain('letter.txt: missing');
  expect(verify((files) => Object.assign(files, { 'extra.txt': new Uint8Array([1]) })).stderr).toContain('extra.txt: not part');
  expect(
    verify((files) => Object.assign(files, { 'verify.mjs': Buffer.concat([files['verify.mjs'] ?? new Uint8Array(), Buffer.from('\n')]) }))
      .stderr,
  ).toContain('verify.mjs: changed');
});
