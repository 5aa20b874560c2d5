import { type FileHandle, open, rename } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Place } from './place.ts';

/** Size above which the next entries begin a new file. */
const ROTATED_ABOVE_BYTES = 100_000_000;
const BLOCK_BYTES = 65_536;
const NEWLINE = 0x0a;

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

/** Removes what a write that did not end has left after the last line. Its entries are sent again. */
async function cutTornLine(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  const block = Buffer.alloc(BLOCK_BYTES);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - BLOCK_BYTES);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    const last = block.subarray(0, bytesRead).lastIndexOf(NEWLINE);
    if (last >= 0) {
      if (start + last + 1 < size) await file.truncate(start + last + 1);
      return;
    }
    end = start;
  }
  if (size > 0) await file.truncate(0);
}

async function rotate(path: string): Promise<void> {
  // Two files never have the same millisecond in their names.
  await wait(1);
  await rename(path, `${path}.${new Date().toISOString().replaceAll(/[-:.]/g, '')}`);
}
