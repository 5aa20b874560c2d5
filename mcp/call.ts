import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApprovalRequiredError, DeclinedError, type Paydesk, PaydeskError, type ResponseInfo } from '@paydesk/client';
import { containsCardNumber, maskCardNumbers } from '#shared/card-numbers';
import type { Tool } from './tools.ts';

type Given = Readonly<Record<string, unknown>>;
// The paths come from the document at run time, so the types of the client cannot check them.
type AnyCall = (path: string, ...rest: unknown[]) => Promise<unknown>;

const LIST_LIMIT = 10;
/** Longer texts are saved as a file. */
const TEXT_MAX = 20_000;
/** Longer texts of a record in a list are cut. */
const SHORT_TEXT_MAX = 100;
const REPLAYED = 'This call repeated an earlier one with the same key and had no further effect.';

/**
 * Returns the function that calls the operation of a tool. Each operation that takes an idempotency key gets one: the same for a repeated call with the
 * same arguments, until the service has refused it. An error of the API is a result that the agent can read.
 */
export function toolCaller(paydesk: Paydesk): (tool: Tool, given: Given) => Promise<CallToolResult> {
  const keys = new Map<string, string>();
  return async (tool, given) => {
    const problem = problemWith(tool, given);
    if (problem !== null) return failed(problem);
    // As for the service, another reason for the approver is no other operation.
    const { approvalReason: _, ...operation } = given;
    const name = `${tool.name} ${canonical(operation)}`;
    const key = tool.isIdempotent ? (textOf(given.idempotencyKey) ?? keys.get(name) ?? randomUUID()) : undefined;
    if (key !== undefined) keys.set(name, key);
    const responses: ResponseInfo[] = [];
    const client = paydesk.withOptions({ onResponse: (response) => responses.push(response) });
    const ignored = () => responses.at(-1)?.ignoredFields ?? [];
    const note = () => ({
      ...(key === undefined ? {} : { idempotencyKey: key, isReplayed: responses.at(-1)?.isReplayed === true }),
      ...(ignored().length > 0 && { ignoredFields: ignored() }),
    });
    try {
      const content = [await shown(tool, given, await send(client, tool, given, key))];
      if (key !== undefined) content.push(`Idempotency key: ${key}.${responses.at(-1)?.isReplayed ? ` ${REPLAYED}` : ''}`);
      if (ignored().length > 0) content.push(`Ignored, because the operation has no such field: ${ignored().join(', ')}.`);
      return { content: content.map((text) => ({ type: 'text', text })) };
    } catch (error) {
      if (error instanceof ApprovalRequiredError) return { content: [{ type: 'text', text: json({ ...error.data, ...note() }) }] };
      // An empty parameter of the path, or a file that cannot be read: nothing was sent.
      if (error instanceof TypeError || error instanceof FileError) return failed(error.message);
      if (!(error instanceof PaydeskError)) throw error;
      if (isFinal(error)) keys.delete(name);
      const { code, message, field, details, requestId } = error;
      const data = error instanceof DeclinedError ? { data: error.data } : {};
      return failed(json({ code, message, field, details, requestId, ...data, ...note() }));
    }
  };
}

/** Returns true if a refused operation had no effect, so that a repeated call must be sent again. A conflict may come from the call that still runs. */
const isFinal = (error: PaydeskError) =>
  error instanceof DeclinedError || (error.status >= 400 && error.status < 429 && error.code !== 'RESOURCE_CONFLICT');

/** Returns why the arguments of a call are refused before they are sent; null if they are not. The service checks their values. */
function problemWith({ name, inputSchema, isOpenRefund }: Tool, given: Given): string | null {
  const { properties, required } = inputSchema as unknown as { properties: Readonly<Record<string, unknown>>; required: readonly string[] };
  const unknown = Object.keys(given).find((each) => !(each in properties));
  if (unknown !== undefined) return `${name} has no argument \`${unknown}\`. Its arguments: ${Object.keys(properties).join(', ')}.`;
  const missing = required.find((each) => given[each] === undefined);
  if (missing !== undefined) return `\`${missing}\` is required.`;
  if (isOpenRefund && (given.amount === undefined) !== (given.full === true))
    return '`amount` is required. To refund all that remains, pass `full: true` without an amount.';
  if (containsCardNumber(JSON.stringify(given)))
    return 'An argument contains a card number. Card numbers are not accepted here: use a token, or create a payment link.';
  return null;
}

async function send(paydesk: Paydesk, tool: Tool, given: Given, idempotencyKey: string | undefined): Promise<unknown> {
  const { method, path, places, isList, file } = tool;
  const only = (names: readonly string[]) => Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
  const query = only(places.query);
  const options = {
    params: only(places.path),
    query: isList ? { limit: LIST_LIMIT, ...query } : query,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(given.approvalReason === undefined ? {} : { approvalReason: String(given.approvalReason) }),
  };
  const calls = paydesk as unknown as Readonly<Record<'get' | 'page' | 'post' | 'put' | 'delete', AnyCall>>;
  if (method === 'get') return isList ? calls.page(path, options) : calls.get(path, options);
  if (method === 'delete') return calls.delete(path, options);
  const body = only(places.body);
  return calls[method](path, file === undefined ? body : { ...body, [file]: await fileAt(String(given[file])) }, options);
}

class FileError extends Error {}

async function fileAt(path: string): Promise<File> {
  const content = await readFile(path).catch((cause: unknown) => {
    throw new FileError(`The file ${path} cannot be read. Pass the path of a file on this computer.`, { cause });
  });
  return new File([content], basename(path));
}

/** Returns the result of a call as text. */
async function shown(tool: Tool, given: Given, result: unknown): Promise<string> {
  if (result instanceof File) return shownFile(tool, result);
  if (!tool.isList || given.details === true) return json(result);
  const { items, pagination } = result as { items: object[]; pagination: object };
  return json({ items: items.map(shortRecord), pagination });
}

/** Returns the text of a short file. Another one is saved in a folder of its own. */
async function shownFile(tool: Tool, file: File): Promise<string> {
  if (file.type.startsWith('text/') && file.size <= TEXT_MAX) return maskCardNumbers(await file.text());
  const path = join(await mkdtemp(join(tmpdir(), 'paydesk-')), basename(file.name) || tool.name);
  await writeFile(path, new Uint8Array(await file.arrayBuffer()), { mode: 0o600 });
  return json({ savedAt: path, type: file.type, bytes: file.size });
}

const failed = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });
const json = (value: unknown) => maskCardNumbers(JSON.stringify(value));
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Returns arguments as text in which the order of names does not matter. */
function canonical(given: Given): string {
  return JSON.stringify(given, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).toSorted()) : part,
  );
}

/**
 * Returns a record of a list with the fields that an agent needs to choose one: those with a value, and of the objects in it those with a value. Arrays
 * of objects are replaced by their length, and long texts are cut. The tool that reads one record returns all of it.
 */
function shortRecord(record: object): Record<string, unknown> {
  return fieldsOf(record, (value) => (isObject(value) ? fieldsOf(value, short) : short(value)));
}

/** Returns the fields of an object that have a value after `change`. */
function fieldsOf(record: object, change: (value: unknown) => unknown): Record<string, unknown> {
  const fields = Object.entries(record).map(([name, value]) => [name, change(value)] as const);
  return Object.fromEntries(fields.filter(([, value]) => !isEmpty(value)));
}

function short(value: unknown): unknown {
  if (typeof value === 'string' && value.length > SHORT_TEXT_MAX) return `${value.slice(0, SHORT_TEXT_MAX)}…`;
  if (Array.isArray(value) && value.some((each) => typeof each === 'object')) return `${value.length} entries`;
  return isObject(value) ? undefined : value;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}
