import fc from 'fast-check';
import type { FastifyReply } from 'fastify';
import { describe, expect, test } from 'vitest';
import { disarmFormulas, restoreFormulas } from '../../../core/platform/csv/index.ts';
import { sendCsv, sendPages } from '../../../server/http/csv.ts';

type Content = AsyncIterable<Buffer> & { destroy(): void };

/** Returns a reply that passes its content to `receive`, and the exports that were recorded. */
function replyTo(receive: (content: Content) => Promise<void>) {
  const recorded: { rows: number; isComplete: boolean }[] = [];
  const reply = {
    request: {
      query: { bom: 'false' },
      recordExport: async (rows: number, isComplete: boolean) => void recorded.push({ rows, isComplete }),
    },
    type: () => reply,
    header: () => reply,
    send: receive,
  };
  return { reply: reply as unknown as FastifyReply, recorded };
}

/** Returns the file for cells of one column. */
async function fileOf(cells: readonly string[]): Promise<string> {
  let file = '';
  const { reply } = replyTo(async (content) => {
    for await (const chunk of content) file += chunk.toString();
  });
  await sendCsv(reply, 'cells.csv', [['cell', (cell: string) => cell]], cells);
  return file;
}

async function* manyPages(failsAfter = Number.POSITIVE_INFINITY) {
  for (let page = 0; page < 10_000; page += 1) {
    if (page === failsAfter) throw new Error('the database is gone');
    yield Array.from({ length: 100 }, () => 'x'.repeat(100));
  }
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

test('writes telephone numbers as numbers', async () => {
  expect(await fileOf(['+12075550142', '+1-207', '+1+1'])).toBe("cell\r\n+12075550142\r\n'+1-207\r\n'+1+1\r\n");
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

describe('record of an export', () => {
  const columns: [[string, (cell: string) => string]] = [['cell', (cell) => cell]];

  test('has all rows of a complete file before its end', async () => {
    const { reply, recorded } = replyTo(async (content) => {
      for await (const _ of content);
      expect(recorded).toHaveLength(1);
    });
    await sendCsv(
      reply,
      'cells.csv',
      columns,
      Array.from({ length: 450 }, () => 'x'),
    );
    expect(recorded).toEqual([{ rows: 450, isComplete: true }]);
  });

  test('has the rows that were read when the caller hangs up', async () => {
    const { reply, recorded } = replyTo(async (content) => {
      for await (const _ of content) break;
    });
    await sendPages(reply, 'cells.csv', columns, manyPages());
    await expect.poll(() => recorded).toEqual([{ rows: expect.any(Number), isComplete: false }]);
    expect(recorded[0]?.rows).toBeGreaterThan(0);
    expect(recorded[0]?.rows).toBeLessThan(1_000_000);
  });

  test('has the rows that were read before a failure', async () => {
    const { reply, recorded } = replyTo(async (content) => {
      await expect(
        (async () => {
          for await (const _ of content);
        })(),
      ).rejects.toThrow('the database is gone');
    });
    await sendPages(reply, 'cells.csv', columns, manyPages(3));
    expect(recorded).toEqual([{ rows: 300, isComplete: false }]);
  });
});
