import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
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
