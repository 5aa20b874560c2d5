import type { Actor } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import type { CustomerMapping } from './files/index.ts';
import { decryptionKeys } from './keys.ts';
import { decryptContent, isEncrypted } from './openpgp.ts';
import type { CustomerImport } from './records.ts';
import { stageImport } from './stage.ts';

/** Bytes by which an encrypted file is recognized. */
const HEAD_BYTES = 64;

export interface ReceivedFile {
  readonly merchantId?: string | undefined;
  readonly filename: string | null;
  readonly mapping?: CustomerMapping | undefined;
  /** Content as it arrives, encrypted or plain. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Reads a file from a provider, which is decrypted first if it is an OpenPGP message. See `stageImport`. */
export async function receiveImport(
  deps: Dependencies,
  actor: Actor,
  { merchantId, filename, mapping, content }: ReceivedFile,
): Promise<CustomerImport> {
  const { head, all } = await peek(content);
  if (!isEncrypted(head)) return stageImport(deps, actor, { merchantId, filename, mapping, transferKeyId: null, content: all });
  const isArmored = (head[0] ?? 0) < 0x80 || head[0] === 0xef;
  const { keyId, content: plain } = await decryptContent(all, isArmored, await decryptionKeys(deps, actor.tenantId));
  return stageImport(deps, actor, { merchantId, filename, mapping, transferKeyId: keyId, content: plain });
}

/** Returns the first bytes of a content, and the whole content. */
async function peek(content: AsyncIterable<Uint8Array>): Promise<{ head: Uint8Array; all: AsyncIterable<Uint8Array> }> {
  const pieces = content[Symbol.asyncIterator]();
  let head: Uint8Array = Buffer.alloc(0);
  let isDone = false;
  while (head.length < HEAD_BYTES && !isDone) {
    const next = await pieces.next();
    isDone = next.done === true;
    if (!isDone) head = Buffer.concat([head, next.value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield head;
    for (let next = isDone ? null : await pieces.next(); next !== null && !next.done; next = await pieces.next()) yield next.value;
  }
  return { head, all: all() };
}
