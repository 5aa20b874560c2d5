import fc from 'fast-check';
import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import { disarmFormulas, restoreFormulas } from '../../../core/platform/csv/index.ts';
import { sendCsv } from '../../../server/http/csv.ts';

/** Returns the file for cells of one column. */
async function fileOf(cells: readonly string[]): Promise<string> {
  let file = '';
  const reply = {
    type: () => reply,
    header: () => reply,
    send: async (content: AsyncIterable<Buffer>) => {
      for await (const chunk of content) file += chunk.toString();
    },
  };
  await sendCsv(reply as unknown as FastifyReply, 'cells.csv', [['cell', (cell: string) => cell]], cells);
  return file;
}

const SIGNS = ['=', '+', '-', '@', ';', '\uFF1D', '\uFF0B', '\uFF0D', '\uFF20'];
const BEFORE = ['', '\t', '\r', '\n', ' ', '\u00A0', '\uFEFF', '\u200B', '\u200D', '\u2060', '\u00AD', '\u0000', '\u202E', '\uFEFF\u200B '];

test('escapes every cell that a spreadsheet could evaluate', async () => {
  for (const before of BEFORE) {
    for (const sign of SIGNS) {
      const cell = `${before}${sign}SUM(A1)`;
      const line = (await fileOf([cell])).slice('cell\r\n'.length, -2);
      expect(line.replace(/^"/, ''), JSON.stringify(cell)).toMatch(/^'/);
    }
  }
  expect(await fileOf(['\tx'])).toBe("cell\r\n'\tx\r\n");
});

test('leaves other cells as they are', async () => {
  expect(await fileOf(['a=b', 'Harbor; Sons', '12;30', '\uFEFFplain', ' plain'])).toBe(
    'cell\r\na=b\r\nHarbor; Sons\r\n12;30\r\n\uFEFFplain\r\n plain\r\n',
  );
});

test('escapes a formula after a separator at which some spreadsheets split a cell', async () => {
  const cells: [cell: string, escaped: string][] = [
    ['x;=1+1;y', "x;'=1+1;y"],
    ['x; =1', "x;' =1"],
    ['x\t@A1', "x\t'@A1"],
    ['x\n-1\r\n+2', "x\n'-1\r\n'+2"],
    ['x;"=1', 'x;\'"=1'],
    ['x;\uFEFF=1', "x;'\uFEFF=1"],
    ['x\uFF1B\uFF1D1', "x\uFF1B'\uFF1D1"],
    ['=1;=2', "'=1;'=2"],
    ['x;y=1', 'x;y=1'],
    ["x;'=1", "x;''=1"],
  ];
  for (const [cell, escaped] of cells) expect(disarmFormulas(cell), JSON.stringify(cell)).toBe(escaped);
  expect(await fileOf(['x;=1', 'x;"=1'])).toBe('cell\r\nx;\'=1\r\n"x;\'""=1"\r\n');
});

test('restores every text from its escaped form', () => {
  const part = fc.constantFrom(...SIGNS, ...BEFORE, '"', "'", '\r\n', 'x', '1', ',');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const text = parts.join('');
      expect(restoreFormulas(disarmFormulas(text))).toBe(text);
    }),
    { numRuns: 3_000 },
  );
});
