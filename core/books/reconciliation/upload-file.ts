import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, type Readable, Transform } from 'node:stream';
import { pipeline as finished } from 'node:stream/promises';
import iconv from 'iconv-lite';
import { ServiceError } from '#core/kernel';
import { temporaryFolder } from './temporary-folder.ts';

/** Limits of parallel uploads, per tenant and in total, so that they do not fill the disk. */
const UPLOADS_PER_TENANT = 4;
const UPLOADS_MAX = 16;
const HEAD_BYTES = 65_536;

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** An uploaded file, stored on disk until it is disposed of. */
export interface UploadedFile {
  readonly bytes: number;
  /** SHA-256 of its bytes. */
  readonly fingerprint: string;
  readonly encoding: Encoding;
  /** The whole file, for formats of limited size. */
  content(): Promise<Buffer>;
  /** Text in pieces. */
  text(): AsyncIterable<string>;
  dispose(): Promise<void>;
}

const uploads = new Map<string, number>();

function reserveUpload(tenantId: string): () => void {
  const ownUploads = uploads.get(tenantId) ?? 0;
  const all = [...uploads.values()].reduce((sum, each) => sum + each, 0);
  if (ownUploads >= UPLOADS_PER_TENANT || all >= UPLOADS_MAX)
    throw new ServiceError('SERVICE_UNAVAILABLE', 'Too many files are being read. Try again later.');
  uploads.set(tenantId, ownUploads + 1);
  return () => {
    const remaining = (uploads.get(tenantId) ?? 1) - 1;
    if (remaining > 0) uploads.set(tenantId, remaining);
    else uploads.delete(tenantId);
  };
}

/**
 * Writes an upload to a file without holding it in memory: its hash and encoding are known only at its end, and it arrives at another speed
 * than the database writes. The caller disposes of it. @throws ServiceError SERVICE_UNAVAILABLE while the tenant has too many uploads.
 */
export async function storeUpload(tenantId: string, content: Readable): Promise<UploadedFile> {
  const releaseUpload = reserveUpload(tenantId);
  const folder = await temporaryFolder('import').catch((cause: unknown) => {
    releaseUpload();
    throw cause;
  });
  const path = join(folder, 'file');
  let exists = true;
  const dispose = async () => {
    if (!exists) return;
    exists = false;
    releaseUpload();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const hash = createHash('sha256');
    const utf8 = new TextDecoder('utf-8', { fatal: true });
    let head = Buffer.alloc(0);
    let bytes = 0;
    let isUtf8 = true;
    const inspect = new Transform({
      transform(chunk: Buffer, _, done) {
        hash.update(chunk);
        bytes += chunk.length;
        if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
        isUtf8 &&= canDecode(utf8, chunk);
        done(null, chunk);
      },
    });
    await finished(content, inspect, createWriteStream(path, { mode: 0o600 }));
    const encoding = encodingOf(head, isUtf8 && canDecode(utf8));
    return {
      bytes,
      fingerprint: hash.digest('hex'),
      encoding,
      content: () => readFile(path),
      text: () => decoded(path, encoding),
      dispose,
    };
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

/** Detects the encoding: UTF-16 by its byte order mark or by zeros in every second byte, UTF-8 by its validity, otherwise Windows-1252. */
export function encodingOf(head: Buffer, isUtf8: boolean): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  head.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] as number) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (odd > head.length / 4 && even < odd / 4) return 'utf-16le';
  if (even > head.length / 4 && odd < even / 4) return 'utf-16be';
  return isUtf8 ? 'utf-8' : 'windows-1252';
}
