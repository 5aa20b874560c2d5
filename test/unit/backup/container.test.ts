import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BackupRefused } from '../../../core/records/backup/backup-refused.ts';
import { readHeader, readLines, SealedWriter } from '../../../core/records/backup/container.ts';
import { nextTime } from '../../../core/records/backup/index.ts';
import { tarEnd, tarEntry } from '../../../core/records/backup/tar.ts';

const folder = mkdtempSync(join(tmpdir(), 'paydesk-container-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const key = randomBytes(32);
const HEADER = { createdAt: '2026-11-22T00:00:00.000Z', version: '0.1.0', database: 'sqlite', schema: 'Payments1' } as const;
/** Lines for several frames, with texts that do not compress. */
const LINES = Array.from({ length: 3_000 }, (_, at) =>
  JSON.stringify([at, randomBytes(90).toString('base64'), 'canary 4111111111111111 ä\n']),
);

let made = 0;
function write(lines = LINES): string {
  made += 1;
  const path = join(folder, `${made}.paydesk-backup`);
  const writer = new SealedWriter(path, key, HEADER);
  for (const line of lines) writer.line(line);
  writer.finish();
  writer.close();
  return path;
}

const read = (path: string, readKey = key) => [...readLines(path, readKey)];
function readBytes(bytes: Buffer): string[] {
  const path = join(folder, 'changed');
  writeFileSync(path, bytes);
  return read(path);
}

test('reads back what was written, the header without a key, and nothing in clear text', () => {
  const path = write();
  expect(read(path)).toEqual(LINES);
  expect(readHeader(path)).toMatchObject(HEADER);
  const bytes = readFileSync(path).toString('latin1');
  for (const clear of ['canary', '4111111111111111', key.toString('hex'), key.toString('latin1')]) expect(bytes).not.toContain(clear);
  expect(read(write([]))).toEqual([]);
});

test('distinguishes a wrong key from damage', () => {
  expect(() => read(write(), randomBytes(32))).toThrow(/another installation/);
});

test('refuses a flipped bit at 300 positions, including every byte of the header', () => {
  const bytes = readFileSync(write());
  const head = 20 + bytes.readUInt32BE(16);
  const places = [
    ...Array.from({ length: head }, (_, at) => at),
    ...Array.from({ length: 300 }, () => Math.floor(Math.random() * bytes.length)),
  ];
  for (const at of places) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] as number) ^ (1 << Math.floor(Math.random() * 8));
    expect(() => readBytes(changed), `byte ${at}`).toThrow(BackupRefused);
  }
});

test('refuses a file that is cut or extended, or whose frames are moved or repeated', () => {
  const bytes = readFileSync(write());
  for (let nth = 0; nth < 100; nth += 1)
    expect(() => readBytes(bytes.subarray(0, Math.floor(Math.random() * bytes.length)))).toThrow(BackupRefused);
  expect(() => readBytes(Buffer.concat([bytes, Buffer.from([0])]))).toThrow(/added at the end/);
  const starts: number[] = [];
  for (let at = 20 + bytes.readUInt32BE(16); at < bytes.length; at += 4 + (bytes.readUInt32BE(at) & 0x7fff_ffff) + 16) starts.push(at);
  expect(starts.length).toBeGreaterThan(1);
  const [first = 0, second = 0] = starts;
  const third = starts[2] ?? bytes.length;
  const [head, one, two, rest] = [
    bytes.subarray(0, first),
    bytes.subarray(first, second),
    bytes.subarray(second, third),
    bytes.subarray(third),
  ];
  for (const frames of [[two, one, rest], [one, one, two, rest], [two, rest], [one]])
    expect(() => readBytes(Buffer.concat([head, ...frames]))).toThrow(BackupRefused);
});

test('refuses frames of another backup with the same key', () => {
  const [one, other] = [readFileSync(write()), readFileSync(write())];
  const [oneHead, otherHead] = [20 + one.readUInt32BE(16), 20 + other.readUInt32BE(16)];
  expect(() => readBytes(Buffer.concat([one.subarray(0, oneHead), other.subarray(otherHead)]))).toThrow(BackupRefused);
});

test.each([
  ['2026-11-22T01:59:59Z', 'UTC', '02:00', '2026-11-22T02:00:00.000Z'],
  ['2026-11-22T02:00:00Z', 'UTC', '02:00', '2026-11-23T02:00:00.000Z'],
  // The clocks jump from 02:00 to 03:00 on this night.
  ['2027-03-27T12:00:00Z', 'Europe/Berlin', '02:30', '2027-03-28T01:00:00.000Z'],
] as const)('computes the daily time after %s in %s at %s', (after, zone, time, expected) => {
  expect(new Date(nextTime(zone, time, Date.parse(after))).toISOString()).toBe(expected);
});

test('writes archive entries that tar can read', () => {
  const entry = tarEntry('payments/00001.jsonl', Buffer.from('{"a":1}\n'), new Date(1_000));
  expect(entry.length).toBe(1_024);
  expect(entry.subarray(257, 262).toString()).toBe('ustar');
  const sum = [...entry.subarray(0, 512)].reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  expect(Number.parseInt(entry.subarray(148, 154).toString(), 8)).toBe(sum);
  expect(tarEnd().every((byte) => byte === 0)).toBe(true);
});
