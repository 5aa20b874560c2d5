import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '#core/kernel';
import { pause } from './dependencies.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Number of items sorted in memory and written as one sorted run: a few milliseconds of work. */
const RUN_ITEMS = 10_000;
/** Number of items of a page of the result. */
const PAGE_ITEMS = 2_000;
const READ_BYTES = 32_768;

export const compareTexts = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

/** Sorted items in pages, to be read once. They are on disk if there are many. */
export interface SortedItems<Item> {
  readonly pages: AsyncIterable<readonly Item[]>;
  dispose(): Promise<void>;
}

type Order<Item> = (left: Item, right: Item) => number;

/**
 * Sorts items without holding them all in memory: sorted runs go to a file and are merged while reading. Stable. The caller disposes of the
 * result.
 */
export async function sorted<Item>(
  source: AsyncIterable<readonly Item[]>,
  order: Order<Item>,
  runLength = RUN_ITEMS,
): Promise<SortedItems<Item>> {
  let buffer: Item[] = [];
  const spill = new Spill<Item>();
  try {
    for await (const page of source) {
      for (const item of page) {
        buffer.push(item);
        if (buffer.length < runLength) continue;
        await spill.write(buffer.sort(order));
        buffer = [];
      }
    }
    buffer.sort(order);
    if (spill.isEmpty) return { pages: inPages(buffer), dispose: async () => {} };
    if (buffer.length > 0) await spill.write(buffer);
    buffer = [];
  } catch (error) {
    await spill.dispose();
    const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    throw isFull ? new ServiceError('DATABASE_ERROR', 'The disk is full. The report was not compared.', { cause: error }) : error;
  }
  return { pages: merged(spill.runs(), order), dispose: () => spill.dispose() };
}

async function* inPages<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let at = 0; at < items.length; at += PAGE_ITEMS) yield items.slice(at, at + PAGE_ITEMS);
}

/** File of sorted runs, one after the other, with one item per line. */
class Spill<Item> {
  #folder: string | undefined;
  #file: FileHandle | undefined;
  #end = 0;
  readonly #runs: { readonly from: number; readonly to: number }[] = [];

  get isEmpty(): boolean {
    return this.#runs.length === 0;
  }

  async write(items: readonly Item[]): Promise<void> {
    this.#folder ??= await temporaryFolder('report');
    this.#file ??= await open(join(this.#folder, 'lines'), 'wx+', 0o600);
    const from = this.#end;
    for (let at = 0; at < items.length; at += PAGE_ITEMS) {
      const lines = items.slice(at, at + PAGE_ITEMS).map((item) => `${JSON.stringify(item)}\n`);
      const bytes = Buffer.from(lines.join(''));
      await this.#file.writev([bytes], this.#end);
      this.#end += bytes.length;
    }
    this.#runs.push({ from, to: this.#end });
  }

  runs(): RunReader<Item>[] {
    const file = this.#file as FileHandle;
    return this.#runs.map(({ from, to }) => new RunReader<Item>(file, from, to));
  }

  async dispose(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}

/** Reads a sorted run in blocks of lines. */
class RunReader<Item> {
  readonly #file: FileHandle;
  readonly #to: number;
  #at: number;
  #rest: Buffer = Buffer.alloc(0);
  #items: Item[] = [];
  #next = 0;

  constructor(file: FileHandle, from: number, to: number) {
    this.#file = file;
    this.#at = from;
    this.#to = to;
  }

  /** First item that was not taken. Call `load()` before. */
  get head(): Item | undefined {
    return this.#items[this.#next];
  }

  /** Takes the first item. Returns true while another one is available. */
  take(): boolean {
    this.#next += 1;
    return this.#next < this.#items.length;
  }

  /** Reads the next items. Returns false at the end of the run. */
  async load(): Promise<boolean> {
    this.#items = [];
    this.#next = 0;
    while (this.#items.length === 0 && this.#at < this.#to) {
      const { bytesRead, buffer } = await this.#file.read(
        Buffer.alloc(Math.min(READ_BYTES, this.#to - this.#at)),
        0,
        Math.min(READ_BYTES, this.#to - this.#at),
        this.#at,
      );
      if (bytesRead === 0) throw new Error('the file of a report is shorter than it was written');
      this.#at += bytesRead;
      const bytes = Buffer.concat([this.#rest, buffer.subarray(0, bytesRead)]);
      const end = bytes.lastIndexOf('\n') + 1;
      this.#rest = bytes.subarray(end);
      for (const line of bytes.toString('utf8', 0, end).split('\n')) if (line !== '') this.#items.push(JSON.parse(line) as Item);
    }
    return this.#items.length > 0;
  }
}

/** Merges sorted runs. The readers are kept in the order of their first items, so that the first reader has the next item. */
async function* merged<Item>(runs: readonly RunReader<Item>[], order: Order<Item>): AsyncGenerator<readonly Item[]> {
  const heads: { readonly run: RunReader<Item>; readonly nth: number }[] = [];
  type Head = (typeof heads)[number];
  const isBefore = (left: Head, right: Head) => (order(left.run.head as Item, right.run.head as Item) || left.nth - right.nth) < 0;
  const insert = (head: Head) => {
    let [low, high] = [0, heads.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(heads[middle] as Head, head)) low = middle + 1;
      else high = middle;
    }
    heads.splice(low, 0, head);
  };
  for (const [nth, run] of runs.entries()) if (await run.load()) insert({ run, nth });
  let page: Item[] = [];
  for (let first = heads.shift(); first; first = heads.shift()) {
    page.push(first.run.head as Item);
    if (first.run.take() || (await first.run.load())) insert(first);
    if (page.length < PAGE_ITEMS) continue;
    yield page;
    page = [];
    await pause();
  }
  if (page.length > 0) yield page;
}
