import type { FastifyRequest } from 'fastify';
import { type Static, type TObject, Type } from 'typebox';
import { storeUpload, type UploadedFile } from '#core/books/reconciliation';
import { isStorable, ServiceError } from '#core/kernel';
import { keepKnownFields } from './request-input.ts';
import type { Form } from './route.ts';
import { check, parseJson } from './validation.ts';

const FIELD_MAX = 20_000;
const FILENAME_MAX = 200;

/** Limits of a form, except the size of its file. */
export const UPLOAD_LIMITS = { files: 2, fields: 10, parts: 12, fieldSize: FIELD_MAX, fieldNameSize: 100, headerPairs: 100 };

/** A received form. Its file is on disk until `dispose()` is called. */
interface Upload<Fields extends TObject> {
  readonly file: UploadedFile;
  readonly filename: string | null;
  readonly fields: Static<Fields>;
}

type Texts = Readonly<Record<string, string>>;

/**
 * Reads a form, writes its file to disk as it arrives, and checks its other fields. @throws REQUIRED_FIELD_MISSING without the file, VALIDATION_ERROR (413) if
 * it is too large, and the API error of the first invalid field.
 */
export async function receiveUpload<Fields extends TObject>(
  request: FastifyRequest,
  tenantId: string,
  form: Form<Fields>,
): Promise<Upload<Fields>> {
  const isForm = typeof request.isMultipart === 'function' && request.isMultipart();
  if (!isForm) throw new ServiceError('VALIDATION_ERROR', 'Send the form as multipart/form-data.', { field: 'Content-Type' });
  request.bodyDeadline?.extendForUpload();
  const fields: Record<string, string> = {};
  let file: UploadedFile | null = null;
  let filename: string | null = null;
  try {
    for await (const part of request.parts()) {
      const name = part.fieldname;
      const isKnown = name in fields || (name === form.file && file !== null);
      if (isKnown) throw new ServiceError('VALIDATION_ERROR', `\`${name}\` is given more than once.`, { field: name });
      if (part.type === 'file' && name === form.file) {
        file = await storeUpload(tenantId, part.file);
        filename = part.filename === undefined ? null : plainName(part.filename);
        if (part.file.truncated) throw tooLarge(name, form.bytesMax);
      } else if (part.type === 'file') fields[name] = await textOf(part.file, name);
      else if (part.valueTruncated) throw tooLarge(name, FIELD_MAX);
      else fields[name] = checkStorable(String(part.value), name);
    }
    if (file === null) throw new ServiceError('REQUIRED_FIELD_MISSING', `\`${form.file}\` is required.`, { field: form.file });
    return { file, filename, fields: checkedFields(request, form, fields) };
  } catch (error) {
    await file?.dispose();
    throw error;
  }
}

/** A file of a form that is read as it arrives, with the fields before it. */
interface StreamedUpload<Fields extends TObject> {
  readonly filename: string | null;
  readonly fields: Static<Fields>;
  /** Content of the file, which is held in memory piece by piece and never written to disk. */
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Passes the file of a form to `read` as it arrives, for files that must not be written to disk. Returns what `read` returns.
 * @throws REQUIRED_FIELD_MISSING without the file; from the content, VALIDATION_ERROR if the file is too large (413), or if a field follows it,
 * because `read` has used the fields by then.
 */
export async function readUpload<Fields extends TObject, Result>(
  request: FastifyRequest,
  form: Form<Fields>,
  read: (upload: StreamedUpload<Fields>) => Promise<Result>,
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
    else if (name !== form.file) fields[name] = await textOf(part.file, name);
    else
      return await read({
        filename: part.filename === undefined ? null : plainName(part.filename),
        fields: checkedFields(request, form, fields),
        content: contentOf(part.file),
      });
  }
  throw new ServiceError('REQUIRED_FIELD_MISSING', `\`${form.file}\` is required.`, { field: form.file });

  async function* contentOf(file: AsyncIterable<Uint8Array> & { readonly truncated: boolean }): AsyncGenerator<Uint8Array> {
    yield* file;
    if (file.truncated) throw tooLarge(form.file, form.bytesMax);
    const { value: late } = await parts.next();
    if (late === undefined) return;
    const { fieldname: field } = late;
    const isRepeated = field === form.file || field in fields;
    const message = isRepeated ? `\`${field}\` is given more than once.` : `Send \`${field}\` before \`${form.file}\` in the form.`;
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

const isText = (schema: TObject['properties'][string] | undefined) => {
  const { type, anyOf = [] } = (schema ?? { type: 'string' }) as { type?: string; anyOf?: readonly { type?: string }[] };
  return type === 'string' || anyOf.some((choice) => choice.type === 'string');
};

/** Returns the fields of a form that its operation has, with the objects among them parsed. @throws the API error of the first problem. */
function checkedFields<Fields extends TObject>(request: FastifyRequest, { fields: schema }: Form<Fields>, texts: Texts): Static<Fields> {
  const entries = Object.entries(texts).map(([name, text]) => [name, isText(schema.properties[name]) ? text : jsonOf(text, name)]);
  const fields = keepKnownFields(request, { method: 'POST', response: Type.Unknown(), body: schema }, Object.fromEntries(entries));
  check(schema, fields);
  return fields as Static<Fields>;
}

function jsonOf(text: string, name: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new ServiceError('VALIDATION_ERROR', `\`${name}\` must be JSON.`, { field: name, cause });
  }
}
