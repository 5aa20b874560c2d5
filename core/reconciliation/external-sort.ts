import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '#core/kernel';
import { pause } from './dependencies.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Items sorted in memory and written as one run: a few milliseconds of work. */
const RUN = 10_000;
/** Items of a page that is handed on. */
const PAGE = 2_000;
const READ_BYTES = 32_768;

export const compareTexts = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

/** Items in order, page by page, to be read once; on disk where they are many. */
export interface Sorted<Item> {
  readonly pages: AsyncIterable<readonly Item[]>;
  dispose(): Promise<void>;
}

type Order<Item> = (left: Item, right: Item) => number;

/**
 * Sorts items without holding them all in memory: sorted runs go to a file and are merged while reading. Stable. The caller disposes of the
 * result.
 */
export async function sorted<Item>(from: AsyncIterable<readonly Item[]>, order: Order<Item>, runLength = RUN): Promise<Sorted<Item>> {
  let held: Item[] = [];
  const spill = new Spill<Item>();
  try {
    for await (const page of from) {
      for (const item of page) {
        held.push(item);
        if (held.length < runLength) continue;
        await spill.write(held.sort(order));
        held = [];
      }
    }
    held.sort(order);
    if (spill.isEmpty) return { pages: inPages(held), dispose: async () => {} };
    if (held.length > 0) await spill.write(held);
    held = [];
  } catch (error) {
    await spill.dispose();
    const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    throw isFull ? new ServiceError('DATABASE_ERROR', 'The disk is full; the report was not compared.', { cause: error }) : error;
  }
  return { pages: merged(spill.runs(), order), dispose: () => spill.dispose() };
}

async function* inPages<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let at = 0; at < items.length; at += PAGE) yield items.slice(at, at + PAGE);
}

/** Runs of items, one after the other in a file of lines. */
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
    for (let at = 0; at < items.length; at += PAGE) {
      const lines = items.slice(at, at + PAGE).map((item) => `${JSON.stringify(item)}\n`);
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

/** Reads a run back, some lines at a time. */
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

  /** The first item that was not taken; asked for after `load`. */
  get head(): Item | undefined {
    return this.#items[this.#next];
  }

  /** Takes the first item. Returns true while another one is available. */
  take(): boolean {
    this.#next += 1;
    return this.#next < this.#items.length;
  }

  /** Reads on; false at the end of the run. */
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

/** The runs as one, in order. The readers stand in the order of their heads, so that the first has the next item. */
async function* merged<Item>(runs: readonly RunReader<Item>[], order: Order<Item>): AsyncGenerator<readonly Item[]> {
  const line: { readonly run: RunReader<Item>; readonly nth: number }[] = [];
  type Waiting = (typeof line)[number];
  const isBefore = (left: Waiting, right: Waiting) => (order(left.run.head as Item, right.run.head as Item) || left.nth - right.nth) < 0;
  const queue = (waiting: Waiting) => {
    let [low, high] = [0, line.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(line[middle] as Waiting, waiting)) low = middle + 1;
      else high = middle;
    }
    line.splice(low, 0, waiting);
  };
  for (const [nth, run] of runs.entries()) if (await run.load()) queue({ run, nth });
  let page: Item[] = [];
  for (let first = line.shift(); first; first = line.shift()) {
    page.push(first.run.head as Item);
    if (first.run.take() || (await first.run.load())) queue(first);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
    await pause();
  }
  if (page.length > 0) yield page;
}
