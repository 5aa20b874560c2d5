import { ServiceError } from '#core/kernel';
import { DocumentThreads, FILE_REFUSED } from './document-threads.ts';
import type { DocumentTasks, TaskName } from './document-worker.ts';
import type { DocumentType, Exhibit, Pages } from './pages.ts';
import { pictureOf } from './picture.ts';

export type { DocumentType, Exhibit, Pages } from './pages.ts';
export { isDrawable, type Picture, pictureOf } from './picture.ts';
export { FILE_REFUSED };

/**
 * Reads files of strangers: the only place where pictures and PDF files are decoded. Each file is read once, when it is uploaded, in a thread with
 * limits of time and memory; what is stored is safe to use.
 */
const threads = new DocumentThreads();

/** Takes the script of the threads from the folder of a bundle, which a thread loads in a third of the time of its sources. */
export const takeDocumentScriptFrom = (folder: string): void => threads.takeScriptFrom(folder);

const run = <Name extends TaskName>(tenantId: string, name: Name, input: DocumentTasks[Name]['input']) =>
  threads.run<DocumentTasks[Name]['result']>(tenantId, { name, ...input } as never);

const SIGNATURES: readonly (readonly [DocumentType, Buffer])[] = [
  ['application/pdf', Buffer.from('%PDF-')],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
];

/** Returns the type of a document by its content, never by its name, and its pages as a PDF. @throws ServiceError VALIDATION_ERROR. */
export async function readDocument(tenantId: string, content: Uint8Array): Promise<Pages & { readonly type: DocumentType }> {
  const type = SIGNATURES.find(([, signature]) => signature.equals(content.subarray(0, signature.length)))?.[0];
  if (type === undefined) throw new ServiceError('VALIDATION_ERROR', '`file` must be a PDF, PNG or JPEG file.', { field: 'file' });
  return { type, ...(await run(tenantId, 'pages', { type, content })) };
}

/**
 * Returns a logo as it is stored: an https address as it is, and a picture checked and in the size that documents draw.
 * @throws ServiceError VALIDATION_ERROR.
 */
export async function readLogo(tenantId: string, url: string): Promise<string> {
  const picture = pictureOf(url);
  if (picture === null) return url;
  const { type, bytes } = picture;
  try {
    const logo = await run(tenantId, 'logo', { type, content: bytes });
    return `data:${type};base64,${Buffer.from(logo).toString('base64')}`;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError(error.code, error.message, { field: 'logoUrl', details: error.details });
  }
}

/** Adds the pages of read documents behind a document of Paydesk's own, and numbers them. */
export const mergeDocuments = (tenantId: string, first: Uint8Array, exhibits: readonly Exhibit[]): Promise<Pages> =>
  run(tenantId, 'merge', { first, exhibits });
