import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, type Readable, Transform } from 'node:stream';
import { pipeline as finished } from 'node:stream/promises';
import iconv from 'iconv-lite';
import { ServiceError } from '#core/kernel';
import { temporaryFolder } from './temporary-folder.ts';

/** Limits of parallel uploads, per tenant and in total, so that they do not fill the disk. */
const OF_TENANT = 4;
const OF_ALL = 16;
const HEAD_BYTES = 65_536;

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** A file that was taken in, on disk until it is thrown away. */
export interface Spooled {
  readonly bytes: number;
  /** SHA-256 of its bytes. */
  readonly fingerprint: string;
  readonly encoding: Encoding;
  /** Text in pieces. */
  text(): AsyncIterable<string>;
  dispose(): Promise<void>;
}

const open = new Map<string, number>();

function begin(tenantId: string): () => void {
  const own = open.get(tenantId) ?? 0;
  const all = [...open.values()].reduce((sum, each) => sum + each, 0);
  if (own >= OF_TENANT || all >= OF_ALL) throw new ServiceError('SERVICE_UNAVAILABLE', 'Too many files are being read. Try again later.');
  open.set(tenantId, own + 1);
  return () => {
    const left = (open.get(tenantId) ?? 1) - 1;
    if (left > 0) open.set(tenantId, left);
    else open.delete(tenantId);
  };
}

/**
 * Writes an upload to a file without holding it in memory: its hash and encoding are known only at its end, and it arrives at another speed
 * than the database writes. The caller disposes of it. @throws ServiceError SERVICE_UNAVAILABLE while the tenant has too many uploads.
 */
export async function spool(tenantId: string, content: Readable): Promise<Spooled> {
  const end = begin(tenantId);
  const folder = await temporaryFolder('import').catch((cause: unknown) => {
    end();
    throw cause;
  });
  const path = join(folder, 'file');
  let isThere = true;
  const dispose = async () => {
    if (!isThere) return;
    isThere = false;
    end();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const hash = createHash('sha256');
    const utf8 = new TextDecoder('utf-8', { fatal: true });
    let head = Buffer.alloc(0);
    let bytes = 0;
    let isUtf8 = true;
    const look = new Transform({
      transform(chunk: Buffer, _, done) {
        hash.update(chunk);
        bytes += chunk.length;
        if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
        isUtf8 &&= canDecode(utf8, chunk);
        done(null, chunk);
      },
    });
    await finished(content, look, createWriteStream(path, { mode: 0o600 }));
    const encoding = encodingOf(head, isUtf8 && canDecode(utf8));
    return { bytes, fingerprint: hash.digest('hex'), encoding, text: () => decoded(path, encoding), dispose };
  } catch (error) {
    await dispose();
    const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    throw isFull ? new ServiceError('DATABASE_ERROR', 'The disk is full. The file was not stored.', { cause: error }) : error;
  }
}

function decoded(path: string, encoding: Encoding): AsyncIterable<string> {
  // If either end fails, the other one is closed.
  return pipeline(createReadStream(path), iconv.decodeStream(encoding, { stripBOM: true }), () => {}) as unknown as AsyncIterable<string>;
}

function canDecode(decoder: Pick<InstanceType<typeof TextDecoder>, 'decode'>, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false;
  }
}

/** UTF-16 shows by its mark, or by zeros in every second byte; of the others, what is valid UTF-8 is hardly ever anything else. */
export function encodingOf(head: Buffer, isUtf8: boolean): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  head.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] as number) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (odd > head.length / 4 && even < odd / 4) return 'utf-16le';
  if (even > head.length / 4 && odd < even / 4) return 'utf-16be';
  return isUtf8 ? 'utf-8' : 'windows-1252';
}
