import { createHash } from 'node:crypto';
import { createReadStream, rmSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '#core/kernel';
import { type SealedFormat, SealedReader, SealedWriter, syncFolder } from '#core/records/backup';
import { type ArchivedFrameRow, CONTENTS, type Contents } from './schema.ts';
import type { Sources } from './sources.ts';

/** Pause after each frame that is written or verified, in which payments are processed. */
const PAUSE_MS = 4;
const MAGIC = 'PAYDESK ARCHIVE1';

/** A frame of a new file, before the archive is recorded. */
export type NewFrame = Omit<ArchivedFrameRow, 'year'>;

interface WrittenArchive {
  readonly frames: readonly NewFrame[];
  /** Number of rows of each kind. */
  readonly counts: Readonly<Record<Contents, number>>;
  readonly bytes: number;
  /** Hash of the file. */
  readonly sha256: string;
}

/** First line of a file. */
interface Manifest {
  readonly year: number;
}

const fault = (year: number, reason: string) => new ServiceError('RESOURCE_CONFLICT', `The archive of ${year} cannot be used: ${reason}.`);

export const missingFile = (year: number, name: string | null) =>
  fault(year, `the file ${name ?? ''} is not in its folder on this computer. Copy it there, or use the workstation that has it`);

function formatOf(year: number): SealedFormat {
  return {
    magic: MAGIC,
    context: 'paydesk/archive/file',
    damaged: (detail) => fault(year, `the file is damaged: ${detail}`),
    wrongKey: () => fault(year, 'the file belongs to another installation'),
    unknownFormat: () => fault(year, 'the file is not a Paydesk archive, or it has an unknown format'),
  };
}

/** Opens a file. @throws ServiceError RESOURCE_CONFLICT if it is missing, belongs to another installation, or its beginning was changed. */
export function openArchive(path: string, key: Buffer, year: number): SealedReader {
  try {
    return new SealedReader(path, key, formatOf(year));
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw missingFile(year, path.split(/[\\/]/).at(-1) ?? null);
    throw fault(
      year,
      code === 'EACCES' || code === 'EPERM' ? 'the user who runs Paydesk may not read the file' : `the file cannot be read (${code})`,
    );
  }
}

/** Returns the rows of a frame. */
export const rowsOf = <Row>(lines: readonly string[]): Row[] => lines.map((line) => JSON.parse(line) as Row);

/** Returns the hash of a file. */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

interface WriteInput {
  readonly year: number;
  readonly path: string;
  readonly key: Buffer;
  readonly version: string;
  readonly database: 'sqlite' | 'postgres';
  readonly sources: Sources;
  readonly tenantIds: readonly string[];
  /** Throws if the work must stop. Called between frames. */
  readonly check: () => void;
}

/**
 * Writes the oldest entries of every tenant into a new file: those before the first entry that was written after the year. Reads the file
 * back, compares it with what was read from the database, and moves it to its path. Leaves no file if it fails.
 */
export async function writeArchive(input: WriteInput): Promise<WrittenArchive> {
  const partial = `${input.path}.partial`;
  rmSync(partial, { force: true });
  try {
    const written = await writeFrames(partial, input);
    const readBack = await contentsOf(partial, input);
    if (readBack.rows !== written.counts.audit + written.counts.events || readBack.contents !== written.contents)
      throw fault(input.year, 'the written file differs from the database');
    const sha256 = await hashOfFile(partial);
    const { size } = statSync(partial);
    await rename(partial, input.path);
    syncFolder(input.path);
    return { frames: written.frames, counts: written.counts, bytes: size, sha256 };
  } finally {
    rmSync(partial, { force: true });
  }
}

async function writeFrames(partial: string, { year, key, version, database, sources, tenantIds, check }: WriteInput) {
  const header = { createdAt: new Date().toISOString(), version, database, schema: '' } as const;
  const writer = new SealedWriter(partial, key, header, formatOf(year));
  const frames: NewFrame[] = [];
  const counts: Record<Contents, number> = { audit: 0, events: 0 };
  const hash = createHash('sha256');
  try {
    writer.frame([JSON.stringify({ year } satisfies Manifest)]);
    for (const contents of CONTENTS) {
      const source = sources[contents];
      for (const tenantId of tenantIds) {
        let last = await source.start(tenantId);
        for (;;) {
          check();
          const rows = await source.take(tenantId, last, source.frameRows, year);
          const [first, newest] = [rows[0], rows.at(-1)];
          if (!first || !newest) break;
          await turn();
          const lines = rows.map((row) => JSON.stringify(row));
          for (const line of lines) hash.update(line).update('\n');
          const end = source.pointOf(newest);
          const range = { first_n: first.n, last_n: end.n, previous_hash: last.hash, last_hash: end.hash };
          frames.push({ tenant_id: tenantId, contents, ...writer.frame(lines), ...range });
          counts[contents] += rows.length;
          last = end;
          await pause(PAUSE_MS);
          if (rows.length < source.frameRows) break;
        }
      }
    }
    await writer.finishInBackground();
  } finally {
    writer.close();
  }
  return { frames, counts, contents: hash.digest('hex') };
}

/** Returns the calendar year of an ISO 8601 time, in UTC. */
export const yearOf = (at: string) => Number(at.slice(0, 4));

async function contentsOf(path: string, { key, year, check }: WriteInput) {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const { lines } of framesOf(path, key, year)) {
    check();
    for (const line of lines) hash.update(line).update('\n');
    rows += lines.length;
  }
  return { rows, contents: hash.digest('hex') };
}

/** Yields every frame of a file with rows, and lets other work run between frames. The file is complete only at the end. */
export async function* framesOf(path: string, key: Buffer, year: number): AsyncGenerator<{ frame: number; lines: readonly string[] }> {
  const reader = openArchive(path, key, year);
  try {
    for (let frame = 0; ; frame += 1) {
      const { lines, isLast } = reader.frame(frame);
      if (frame === 0) {
        if ((JSON.parse(lines[0] ?? '{}') as Partial<Manifest>).year !== year) throw fault(year, 'the file is the archive of another year');
      } else if (lines.length > 0) yield { frame, lines };
      if (isLast) return;
      await pause(PAUSE_MS);
    }
  } finally {
    reader.close();
  }
}
