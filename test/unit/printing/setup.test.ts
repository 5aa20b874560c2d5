import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PrinterSetup } from '../../../electron/bridge/printing.ts';
import { copySetup, PrinterFile, validateSetup } from '../../../electron/printing/printer-setup.ts';
import { draftOf, problemsOf, setupOf } from '../../../renderer/desktop/printing/printer-draft.ts';

const SETUP: PrinterSetup = {
  name: 'Front desk',
  address: { kind: 'network', host: '192.168.1.50', port: 9100 },
  paper: '58mm',
  columns: 35,
  codePage: 'cp850',
  cuts: false,
  copies: { customer: 1, merchant: 2 },
  pausesToTear: true,
  drawerPin: 5,
};
const ADDRESSES: PrinterSetup['address'][] = [
  SETUP.address,
  { kind: 'queue', queue: 'Front_Desk' },
  { kind: 'share', share: String.raw`\\FRONT-PC\Receipts` },
  { kind: 'system', printer: 'Office printer', usesOwnPage: true },
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-printer-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('restores the setup and the allowed destinations at the next start', () => {
  const first = new PrinterFile(folder);
  first.save(SETUP);
  first.allow('printer.example:4000');
  const next = new PrinterFile(folder);
  expect(next.setup).toEqual(SETUP);
  expect(next.isAllowed('printer.example:4000')).toBe(true);
  expect(next.isAllowed('printer.example')).toBe(false);
  next.save(null);
  expect(new PrinterFile(folder).setup).toBeNull();
});

test.each(['', '{', 'null', '{"setup":{"name":"x"},"allowed":"y"}', '{"setup":{"name":"x","columns":4000},"allowed":[1,"a b"]}'])(
  'treats a damaged record as no printer: %s',
  async (text) => {
    await writeFile(join(folder, 'printer.json'), text);
    const file = new PrinterFile(folder);
    expect(file.setup).toBeNull();
    expect(file.isAllowed('y')).toBe(false);
  },
);

test.each(ADDRESSES)('accepts in the desktop shell what the form sends for a $kind printer, and shows it in the form again', (address) => {
  const setup: PrinterSetup = address.kind === 'system' ? { ...SETUP, address, columns: 32, drawerPin: null } : { ...SETUP, address };
  const draft = draftOf(setup);
  expect(problemsOf(draft)).toEqual({});
  expect(validateSetup(setupOf(draft))).toBeUndefined();
  expect(copySetup(setupOf(draft))).toEqual(setup);
});

test('reports missing fields of the chosen kind only', () => {
  const fresh = draftOf(null);
  expect(Object.keys(problemsOf(fresh))).toEqual(['host']);
  expect(Object.keys(problemsOf({ ...fresh, kind: 'queue' }))).toEqual(['queue']);
  expect(Object.keys(problemsOf({ ...fresh, kind: 'system', columns: '' }))).toEqual(['printer']);
  expect(Object.keys(problemsOf({ ...fresh, host: 'x', port: '70000', columns: '60', name: ' ' }))).toEqual(['name', 'port', 'columns']);
});
