import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { StreamedEntry } from '#core/records/audit';
import { filePlace } from '../../../server/operation/audit-stream/file.ts';

const entry = (position: number) => ({ tenantId: 'ten_1', position, actor: 'x'.repeat(100) }) as unknown as StreamedEntry;
const positionsIn = async (file: string) =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as StreamedEntry).position);

test('begins a new file when one is full, keeps the old ones, and removes a torn line of any length', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-audit-file-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'audit.jsonl');
  await writeFile(file, `${JSON.stringify(entry(1))}\n{"tenantId":"${'torn'.repeat(40_000)}`);
  const place = filePlace(file, 300);
  for (let position = 2; position <= 7; position += 1) await place.send([entry(position)]);
  const files = (await readdir(folder)).toSorted();
  expect(files[0]).toBe('audit.jsonl');
  expect(files.slice(1).every((name) => /^audit\.jsonl\.\d{8}T\d{9}Z$/.test(name))).toBe(true);
  const found = await Promise.all([...files.slice(1), 'audit.jsonl'].map((name) => positionsIn(join(folder, name))));
  expect(found.flat()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(found.length).toBeGreaterThan(2);
});

test.each(['card numbers of the shop', 'a list\nof something else', '\u0000'.repeat(70_000)])(
  'changes no file that was written by others',
  async (content) => {
    const folder = await mkdtemp(join(tmpdir(), 'paydesk-audit-file-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'other');
    await writeFile(file, content);
    await expect(filePlace(file).send([entry(1)])).rejects.toThrow('contains something else than audit entries');
    expect(await readFile(file, 'utf8')).toBe(content);
  },
);
