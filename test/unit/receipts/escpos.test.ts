import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PRINTER_CODE_PAGES } from '../../../core/billing/receipts/code-pages.ts';
import { type ReceiptSubject, receiptContent } from '../../../core/billing/receipts/content.ts';
import { drawerEscpos, linesEscpos, receiptEscpos, sampleOf } from '../../../core/billing/receipts/escpos.ts';
import { readEscpos } from '../../support/fake-printer.ts';
import { sized } from '../../support/tier.ts';
import { SUBJECT, withFooter, withMerchant, withTransaction } from './receipt-subject.ts';

const bytesOf = (subject: ReceiptSubject, columns = 48) => receiptEscpos(receiptContent(subject), columns);
test('begins with a reset and the code page, and ends with a cut', () => {
  const { commands } = readEscpos(bytesOf(SUBJECT));
  expect(commands[0]).toBe('ESC @');
  expect(commands).toContain('ESC t 19');
  expect(commands.at(-1)).toBe('GS V 1');
});

test('prints Spanish letters and the euro sign in the selected code page', () => {
  const description = 'Ñandú, café, pingüino: 5 € — ¿sí?';
  const { lines } = readEscpos(bytesOf(withTransaction({ description })));
  const wanted = Buffer.from([
    0xa5, 0x61, 0x6e, 0x64, 0xa3, 0x2c, 0x20, 0x63, 0x61, 0x66, 0x82, 0x2c, 0x20, 0x70, 0x69, 0x6e, 0x67, 0x81, 0x69, 0x6e, 0x6f, 0x3a,
    0x20, 0x35, 0x20, 0xd5, 0x20, 0x2d, 0x20, 0xa8, 0x73, 0xa1, 0x3f,
  ]);
  expect(lines.some((line) => line.includes(wanted))).toBe(true);
});

test('prints a question mark for each character that the code page lacks', () => {
  const { lines } = readEscpos(bytesOf(withTransaction({ description: '中文 👍🏽 Łódź Žižek' })));
  expect(lines.map((line) => line.toString('latin1'))).toContain('Description: ?? ? L\u00a2dz Zizek');
});

test('prints headings and texts in Spanish', () => {
  const { lines } = readEscpos(bytesOf(withMerchant({ language: 'es' }, { isDuplicate: true })));
  expect(lines.map((line) => line.toString('latin1').trim())).toContain('*** DUPLICADO ***');
});

test.each([
  ['cp858', 'ESC t 19', [0x82, 0xd5]],
  ['windows1252', 'ESC t 16', [0xe9, 0x80]],
  ['cp850', 'ESC t 2', [0x82, 0x45, 0x55, 0x52]],
  ['cp437', 'ESC t 0', [0x82, 0x45, 0x55, 0x52]],
] as const)('encodes text for a printer with the code page %s, and writes EUR if it has no euro sign', (codePage, command, wanted) => {
  const { lines, commands } = readEscpos(linesEscpos([{ text: 'é€', isBold: false }], 32, { codePage, cuts: true }));
  expect(commands).toContain(command);
  expect([...(lines[0] ?? [])]).toEqual(wanted);
  expect(sampleOf(codePage)).toContain('áéíóúñÑ');
});

test.each(PRINTER_CODE_PAGES)('sends a printer with the code page %s no control byte for any character', (codePage) => {
  // All Latin, Greek, Cyrillic, Hebrew and Arabic letters; of the other characters every sixteenth one, in the siege tier all of them.
  const codes = Array.from({ length: 0x3000 }, (_, code) => code).filter((code) => code < 0x800 || code % sized(16, 1) === 0);
  const signs = codes.map((code) => String.fromCharCode(code));
  // The reader throws on a control byte and on an unknown command.
  const { lines } = readEscpos(
    linesEscpos(
      signs.map((text) => ({ text, isBold: false })),
      32,
      { codePage, cuts: true },
    ),
  );
  expect(lines.length).toBeGreaterThanOrEqual(signs.length);
});

test('feeds the paper to the tear bar without a cutter', () => {
  const torn = receiptEscpos(receiptContent(SUBJECT), 42, { codePage: 'cp858', cuts: false });
  const { lines, commands } = readEscpos(torn);
  expect(commands.some((command) => command.startsWith('GS V'))).toBe(false);
  expect(lines.slice(-5).every((line) => line.length === 0)).toBe(true);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(42);
});

test.each([
  [2, 'ESC p 0 50 250'],
  [5, 'ESC p 1 50 250'],
] as const)('opens the drawer on pin %d and prints nothing', (pin, pulse) => {
  const { lines, commands } = readEscpos(drawerEscpos(pin));
  expect(commands.filter((command) => command.startsWith('ESC p'))).toEqual([pulse]);
  expect(Buffer.concat(lines)).toHaveLength(0);
});

test('sends no printer command from record data, and no line wider than the paper', () => {
  const bytes = fc.string({ unit: 'binary', maxLength: 80 });
  const commands = fc.constantFrom('\u001b@', '\u001dV\u0000', '\u001bp\u0000\u0019\u00fa', '\u001b', '\u009b', '\u0010\u0014', '\r\n');
  const text = fc
    .array(fc.oneof(bytes, commands, fc.string({ unit: 'grapheme', maxLength: 60 })), { maxLength: 5 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, text, fc.constantFrom(32, 48), (description, orderId, footer, columns) => {
      const { lines, commands: found } = readEscpos(bytesOf(withFooter(footer, withTransaction({ description, orderId })), columns));
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
      expect(found.filter((command) => command.startsWith('GS'))).toEqual(['GS V 1']);
      expect(found.filter((command) => command === 'ESC @')).toHaveLength(1);
      expect(found.filter((command) => /^ESC [ap]/.test(command))).toEqual([]);
    }),
    { numRuns: sized(20, 500) },
  );
});
