import type { FastifyRequest } from 'fastify';
import { isStorable, ServiceError } from '#core/kernel';
import { storeUpload, type UploadedFile } from '#core/reconciliation';
import { parseJson } from './validation.ts';

const FIELD_MAX = 20_000;
const FILENAME_MAX = 200;

/** Limits of a form, except the size of its file. */
export const UPLOAD_LIMITS = { files: 2, fields: 10, parts: 12, fieldSize: FIELD_MAX, fieldNameSize: 100, headerPairs: 100 };

/** A received form. Its file is on disk until `dispose()` is called. */
export interface Upload {
  readonly file: UploadedFile;
  readonly filename: string | null;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Reads a form and writes its file to disk as it arrives. @throws REQUIRED_FIELD_MISSING without the file, VALIDATION_ERROR (413) if it is
 * too large.
 */
export async function receiveUpload(
  request: FastifyRequest,
  options: { readonly tenantId: string; readonly file: string; readonly bytesMax: number },
): Promise<Upload> {
  const isForm = typeof request.isMultipart === 'function' && request.isMultipart();
  if (!isForm) throw new ServiceError('VALIDATION_ERROR', 'Send the form as multipart/form-data.', { field: 'Content-Type' });
  request.bodyDeadline?.extendForUpload();
  const fields: Record<string, string> = {};
  let file: UploadedFile | null = null;
  let filename: string | null = null;
  try {
    for await (const part of request.parts()) {
      const name = part.fieldname;
      const isKnown = name in fields || (name === options.file && file !== null);
      if (isKnown) throw new ServiceError('VALIDATION_ERROR', `\`${name}\` is given more than once.`, { field: name });
      if (part.type === 'file' && name === options.file) {
        file = await storeUpload(options.tenantId, part.file);
        filename = part.filename === undefined ? null : plainName(part.filename);
        if (part.file.truncated) throw tooLarge(name, options.bytesMax);
      } else if (part.type === 'file') fields[name] = await textOf(part.file, name);
      else if (part.valueTruncated) throw tooLarge(name, FIELD_MAX);
      else fields[name] = checkStorable(String(part.value), name);
    }
    if (file === null) throw new ServiceError('REQUIRED_FIELD_MISSING', `\`${options.file}\` is required.`, { field: options.file });
    return { file, filename, fields };
  } catch (error) {
    await file?.dispose();
    throw error;
  }
}

/** A file of a form that is read as it arrives, with the fields before it. */
export interface StreamedUpload {
  readonly filename: string | null;
  readonly fields: Readonly<Record<string, string>>;
  /** Content of the file, which is held in memory piece by piece and never written to disk. */
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Passes the file of a form to `read` as it arrives, for files that must not be written to disk. Returns what `read` returns.
 * @throws REQUIRED_FIELD_MISSING without the file; from the content, VALIDATION_ERROR if the file is too large (413), or if a field follows it,
 * because `read` has used the fields by then.
 */
export async function readUpload<Result>(
  request: FastifyRequest,
  options: { readonly file: string; readonly bytesMax: number },
  read: (upload: StreamedUpload) => Promise<Result>,
): Promise<Result> {
  const isForm = typeof request.isMultipart === 'function' && request.isMultipart();
  if (!isForm) throw new ServiceError('VALIDATION_ERROR', 'Send the form as multipart/form-data.', { field: 'Content-Type' });
  request.bodyDeadline?.extendForUpload();
  const fields: Record<string, string> = {};
  const parts = request.parts();
  for await (const part of parts) {
    const name = part.fieldname;
    if (name in fields) throw new ServiceError('VALIDATION_ERROR', `\`${name}\` is given more than once.`, { field: name });
    if (part.type !== 'file') fields[name] = checkStorable(String(part.value), name);
    else if (name !== options.file) fields[name] = await textOf(part.file, name);
    else
      return await read({ filename: part.filename === undefined ? null : plainName(part.filename), fields, content: contentOf(part.file) });
  }
  throw new ServiceError('REQUIRED_FIELD_MISSING', `\`${options.file}\` is required.`, { field: options.file });

  async function* contentOf(file: AsyncIterable<Uint8Array> & { readonly truncated: boolean }): AsyncGenerator<Uint8Array> {
    yield* file;
    if (file.truncated) throw tooLarge(options.file, options.bytesMax);
    const { value: late } = await parts.next();
    if (late === undefined) return;
    const { fieldname: field } = late;
    const isRepeated = field === options.file || field in fields;
    const message = isRepeated ? `\`${field}\` is given more than once.` : `Send \`${field}\` before \`${options.file}\` in the form.`;
    throw new ServiceError('VALIDATION_ERROR', message, { field });
  }
}

/** Reads a text field that the client sent as a file, as some do with JSON. */
async function textOf(content: AsyncIterable<Buffer>, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > FIELD_MAX) throw tooLarge(name, FIELD_MAX);
    chunks.push(chunk);
  }
  return checkStorable(Buffer.concat(chunks).toString('utf8'), name);
}

function checkStorable(text: string, field: string): string {
  if (isStorable(text)) return text;
  throw new ServiceError('VALIDATION_ERROR', 'Text must not contain NUL or an unpaired surrogate.', { field });
}

const plainName = (name: string) =>
  name
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, FILENAME_MAX)
    .toWellFormed();

function tooLarge(field: string, bytes: number): ServiceError {
  return new ServiceError('VALIDATION_ERROR', `\`${field}\` is larger than ${bytes} bytes.`, { field, status: 413 });
}

/** Returns the JSON value of a form field; undefined if the field is absent. */
export function jsonField(fields: Upload['fields'], name: string): unknown {
  const text = fields[name];
  if (text === undefined) return undefined;
  try {
    return parseJson(text);
  } catch (cause) {
    throw new ServiceError('VALIDATION_ERROR', `\`${name}\` must be JSON.`, { field: name, cause });
  }
}
