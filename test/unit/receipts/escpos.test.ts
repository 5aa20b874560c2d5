import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ReceiptSubject, receiptContent } from '../../../core/receipts/content.ts';
import { receiptEscpos } from '../../../core/receipts/escpos.ts';
import { SUBJECT, withFooter, withMerchant, withTransaction } from './subject.ts';

const bytesOf = (subject: ReceiptSubject, columns = 48) => receiptEscpos(receiptContent(subject), columns);
const ESC = 0x1b;
const GS = 0x1d;
const FS = 0x1c;

/** What a printer of the family makes of the bytes: its lines, and the commands. An unknown command throws, as it would eat what follows. */
function printed(bytes: Buffer): { lines: Buffer[]; commands: string[] } {
  const lines: Buffer[] = [];
  const commands: string[] = [];
  let line: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes.readUInt8(at);
    if (byte === ESC || byte === GS || byte === FS) {
      const name = `${byte === ESC ? 'ESC' : byte === GS ? 'GS' : 'FS'} ${String.fromCharCode(bytes.readUInt8(at + 1))}`;
      const args = { 'ESC @': 0, 'FS .': 0, 'ESC M': 1, 'ESC E': 1, 'ESC t': 1, 'GS V': 1 }[name];
      if (args === undefined) throw new Error(`the command ${name} is none of a receipt's`);
      commands.push([name, ...bytes.subarray(at + 2, at + 2 + args)].join(' '));
      at += 1 + args;
    } else if (byte === 0x0a) {
      lines.push(Buffer.from(line));
      line = [];
    } else if (byte !== 0x0d) {
      if (byte < 0x20) throw new Error(`the control byte ${byte} is printed`);
      line.push(byte);
    }
  }
  return { lines, commands };
}

test('begins with a reset and the code page, and ends with a cut', () => {
  const { commands } = printed(bytesOf(SUBJECT));
  expect(commands[0]).toBe('ESC @');
  expect(commands).toContain('ESC t 19');
  expect(commands.at(-1)).toBe('GS V 1');
});

test('prints the letters of Spanish and the euro in the page that was chosen', () => {
  const description = 'Ñandú, café, pingüino: 5 € — ¿sí?';
  const { lines } = printed(bytesOf(withTransaction({ description })));
  const wanted = Buffer.from([
    0xa5, 0x61, 0x6e, 0x64, 0xa3, 0x2c, 0x20, 0x63, 0x61, 0x66, 0x82, 0x2c, 0x20, 0x70, 0x69, 0x6e, 0x67, 0x81, 0x69, 0x6e, 0x6f, 0x3a,
    0x20, 0x35, 0x20, 0xd5, 0x20, 0x2d, 0x20, 0xa8, 0x73, 0xa1, 0x3f,
  ]);
  expect(lines.some((line) => line.equals(wanted))).toBe(true);
});

test('prints a question mark for each sign that the printer has no letter for', () => {
  const { lines } = printed(bytesOf(withTransaction({ description: '中文 👍🏽 Łódź Žižek' })));
  expect(lines.map((line) => line.toString('latin1'))).toContain('?? ? L\u00a2dz Zizek');
});

test('holds marks and words in Spanish', () => {
  const { lines } = printed(bytesOf(withMerchant({ language: 'es' }, { isDuplicate: true })));
  expect(lines.map((line) => line.toString('latin1').trim())).toContain('*** DUPLICADO ***');
});

test('gives a printer no command, whatever the record holds, and no line wider than the paper', () => {
  const bytes = fc.string({ unit: 'binary', maxLength: 80 });
  const commands = fc.constantFrom('\u001b@', '\u001dV\u0000', '\u001bp\u0000\u0019\u00fa', '\u001b', '\u009b', '\u0010\u0014', '\r\n');
  const text = fc
    .array(fc.oneof(bytes, commands, fc.string({ unit: 'grapheme', maxLength: 60 })), { maxLength: 5 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, text, fc.constantFrom(32, 48), (description, orderId, footer, columns) => {
      const { lines, commands: found } = printed(bytesOf(withFooter(footer, withTransaction({ description, orderId })), columns));
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
      expect(found.filter((command) => command.startsWith('GS'))).toEqual(['GS V 1']);
      expect(found.filter((command) => command === 'ESC @')).toHaveLength(1);
    }),
  );
});
