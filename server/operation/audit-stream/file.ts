import { type FileHandle, open, rename } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Place } from './place.ts';

/** Size above which the next entries begin a new file. */
const ROTATED_ABOVE_BYTES = 100_000_000;
const BLOCK_BYTES = 65_536;
const NEWLINE = 0x0a;
const LINE_START = '{"tenantId":';

/**
 * Returns a file of JSON lines, which only its owner may read. A full file gets the time as an ending, and is kept. Lines are on the disk when `send`
 * resolves.
 */
export function filePlace(path: string, rotatedAboveBytes = ROTATED_ABOVE_BYTES): Place {
  return {
    kind: 'file',
    // Each computer writes a file of its own.
    name: `file ${hostname()} ${resolve(path)}`,
    async send(entries) {
      const file = await open(path, 'a+', 0o600);
      let size = 0;
      try {
        await cutTornLine(file);
        await file.appendFile(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
        await file.sync();
        ({ size } = await file.stat());
      } finally {
        await file.close();
      }
      if (size > rotatedAboveBytes) await rotate(path);
    },
  };
}

/**
 * Removes what a write that did not end has left after the last line. Its entries are sent again. @throws Error for a file that ends with anything else,
 * because it was not written here.
 */
async function cutTornLine(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  const end = await endOfLines(file, size);
  if (end === size) return;
  const start = Buffer.alloc(Math.min(LINE_START.length, size - end));
  await file.read(start, 0, start.length, end);
  if (!LINE_START.startsWith(start.toString('latin1')))
    throw new Error('the file contains something else than audit entries, and was not changed. Choose another file.');
  await file.truncate(end);
}

/** Returns the position after the last newline of a file; 0 if it has none. */
async function endOfLines(file: FileHandle, size: number): Promise<number> {
  const block = Buffer.alloc(BLOCK_BYTES);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - BLOCK_BYTES);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    const last = block.subarray(0, bytesRead).lastIndexOf(NEWLINE);
    if (last >= 0) return start + last + 1;
    end = start;
  }
  return 0;
}

async function rotate(path: string): Promise<void> {
  // Two files never have the same millisecond in their names.
  await wait(1);
  await rename(path, `${path}.${new Date().toISOString().replaceAll(/[-:.]/g, '')}`);
}
