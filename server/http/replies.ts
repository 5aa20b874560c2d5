import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { Page } from '#core/database';
import { count, nullable, type RecordOf, record, text } from '#core/platform/fields';
import { withNumbers } from './amounts.ts';
import { inSdkNaming, schemaInSdkNaming } from './naming.ts';

/**
 * Schema of a response that wraps what its route returns or shows: `Shown` is the type of that value. A field of a record that is renamed in the core or in the
 * record alone does not compile.
 */
export interface Reply<Shown> extends TSchema {
  /** Exists for the compiler only. */
  readonly '~shown': (shown: Shown) => void;
}

/** The part of a response around its records. */
interface Envelope {
  readonly schemaOf: (record: TSchema) => TSchema;
  /** Returns the complete response; `write` converts a record to the form of the surface. */
  readonly wrap: (shown: never, write: (record: unknown) => unknown) => unknown;
}

interface Writer extends Envelope {
  readonly record: TSchema;
  readonly write: (record: unknown) => unknown;
}

const writers = new WeakMap<TSchema, Writer>();

function reply<Shown>(record: TSchema, envelope: Envelope, write = (value: unknown) => withNumbers(record, value)): Reply<Shown> {
  const schema = envelope.schemaOf(record);
  writers.set(schema, { ...envelope, record, write });
  return schema as Reply<Shown>;
}

/** Returns true for the schema of a response that wraps the result of its route. */
export const isReply = (response: TSchema): boolean => writers.has(response);

/** Returns the complete response for what a route shows, with its amounts in the form of the surface. */
export function wrapped(response: TSchema, shown: unknown): unknown {
  const writer = writers.get(response);
  return writer === undefined ? withNumbers(response, shown) : writer.wrap(shown as never, writer.write);
}

const ofSdk = new WeakMap<TSchema, TSchema>();

/** Returns the response in the naming of the SDK surface: fields in PascalCase, amounts as decimal texts. The envelope stays. */
export function replyInSdkNaming(response: TSchema): TSchema {
  const writer = writers.get(response);
  if (writer === undefined) return response;
  const known = ofSdk.get(response);
  if (known !== undefined) return known;
  const renamed = reply(schemaInSdkNaming(writer.record) as TSchema, writer, inSdkNaming);
  ofSdk.set(response, renamed);
  return renamed;
}

/** Returns the success envelope. */
export function success(data: unknown): { success: true; data: unknown } {
  return { success: true, data };
}

const Succeeded = Type.Literal(true, { description: 'always true' });
const Declined = Type.Literal(false, { description: 'always false' });
const RESULT = { description: 'The result' };

/** Returns a name for the envelope of a record that has one. */
const titleOf = (inner: TSchema, suffix: string) => {
  const { title } = inner as { title?: string };
  return title === undefined ? {} : { title: `${title}${suffix}` };
};

/** A field of an envelope with a record. */
const dataOf = (inner: TSchema) => Type.Union([inner], RESULT);

export const Pagination = record('Pagination', {
  page: count('Number of the page, from 1', 1),
  limit: count('Largest number of items in a page', 50),
  total: count('Number of items in all pages', 1),
  pages: count('Number of pages', 1),
  nextCursor: nullable(text('`cursor` of the next page; null on the last one', null)),
});

/** Schema of the success envelope. */
export const successBody = (data: TSchema) => Type.Object({ success: Succeeded, data: dataOf(data) }, titleOf(data, 'Response'));

/** Schema of a declined payment: HTTP 200, `success` false, the reason in `data`. */
const declinedBody = (data: TSchema) => Type.Object({ success: Declined, data: dataOf(data) }, titleOf(data, 'Declined'));

/** Schema of a page of a list. */
export const pageBody = (item: TSchema) =>
  Type.Object(
    {
      success: Succeeded,
      data: Type.Array(item, RESULT),
      pagination: Type.Union([Pagination], { description: 'Position of the page in the list' }),
    },
    titleOf(item, 'Page'),
  );

/** Response with one record, or with another value. */
export const Success = <Schema extends TSchema>(inner: Schema): Reply<RecordOf<Schema>> =>
  reply(inner, {
    schemaOf: successBody,
    wrap: (shown, write) => success(write(shown)),
  });

/** Response with a record as the whole body. */
export const Bare = <Fields extends TProperties>(inner: TObject<Fields>): Reply<RecordOf<TObject<Fields>>> =>
  reply(inner, { schemaOf: () => Type.Object(inner.properties), wrap: (shown, write) => write(shown) });

/** Response with one of two records. */
export const SuccessOfEither = <One extends TSchema, Other extends TSchema>(one: One, other: Other): Reply<RecordOf<One | Other>> =>
  reply(Type.Union([one, other]), {
    schemaOf: () => Type.Union([successBody(one), successBody(other)]),
    wrap: (shown, write) => success(write(shown)),
  });

/** Response of an operation on a record that a payment changes: the record, or the declined payment with `success` false. */
export const SuccessOrDeclined = <One extends TSchema, Payment extends TSchema>(
  one: One,
  payment: Payment,
): Reply<{ readonly done: RecordOf<One> } | { readonly declined: RecordOf<Payment> }> =>
  reply(Type.Union([one, payment]), {
    schemaOf: () => Type.Union([successBody(one), declinedBody(payment)]),
    wrap: (shown: { readonly done: unknown } | { readonly declined: unknown }, write) =>
      'done' in shown ? success(write(shown.done)) : { success: false, data: write(shown.declined) },
  });

/** Results without success; a payment that was canceled on its card reader is `failed`. */
const UNSUCCESSFUL: ReadonlySet<string> = new Set(['declined', 'failed']);

/** Response of an operation that a processor decides: a decline is HTTP 200 with `success` false. */
export const Outcome = <Schema extends TSchema>(inner: Schema): Reply<RecordOf<Schema> & { readonly status: string }> =>
  reply(inner, {
    schemaOf: (data) => Type.Union([successBody(data), declinedBody(data)], titleOf(data, 'Outcome')),
    wrap: (shown: { readonly status: string }, write) => ({ success: !UNSUCCESSFUL.has(shown.status), data: write(shown) }),
  });

/** Response with further parts beside `data`, which its route shows together. */
export const SuccessWith = <Fields extends TProperties>(name: string, parts: Fields): Reply<RecordOf<TObject<Fields>>> =>
  reply(record(name, { success: Succeeded, ...parts }), {
    schemaOf: (whole) => whole,
    wrap: (shown: object, write) => write({ success: true, ...shown }),
  });

/** Returns the position of a page; an empty list has 0 pages. */
export const paginationOf = ({ page, limit, total, nextCursor }: Page<unknown>) => ({
  page,
  limit,
  total,
  pages: Math.ceil(total / limit),
  nextCursor,
});

/** Response with a page of records. */
export const Paginated = <Schema extends TSchema>(item: Schema): Reply<Page<RecordOf<Schema>>> =>
  reply(item, {
    schemaOf: pageBody,
    wrap: (page: Page<Static<Schema>>, write) => ({ success: true, data: page.items.map(write), pagination: paginationOf(page) }),
  });

/** Response with a page of records and further parts beside it. */
export const PaginatedWith = <Item extends TSchema, Parts extends TProperties>(
  item: Item,
  parts: Parts,
): Reply<{ readonly page: Page<RecordOf<Item>> } & RecordOf<TObject<Parts>>> =>
  reply(Type.Object({ ...pageBody(item).properties, ...parts }), {
    schemaOf: (whole) => whole,
    wrap: ({ page, ...rest }: { readonly page: Page<Static<Item>> }, write) =>
      write({ success: true, data: page.items, pagination: paginationOf(page), ...rest }),
  });

/** Position of a page in a list without numbers of pages. */
const CursorPagination = record('CursorPagination', {
  limit: Pagination.properties.limit,
  total: Pagination.properties.total,
  nextCursor: Pagination.properties.nextCursor,
});

/** Response with a page of a list that is read by cursor only. */
export const CursorPaginated = <Item extends TSchema>(
  item: Item,
): Reply<{ readonly items: readonly RecordOf<Item>[] } & RecordOf<typeof CursorPagination>> =>
  reply(item, {
    schemaOf: () => {
      const position = Type.Union([CursorPagination], { description: 'Position of the page in the list' });
      return Type.Object({ ...pageBody(item).properties, pagination: position }, titleOf(item, 'Page'));
    },
    wrap: ({ items, ...pagination }: { readonly items: readonly Static<Item>[] }, write) => ({
      success: true,
      data: items.map(write),
      pagination,
    }),
  });
