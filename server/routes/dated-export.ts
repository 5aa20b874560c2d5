import { type TProperties, Type } from 'typebox';
import type { Core } from '#core';
import type { PageRequest } from '#core/database';
import type { Actor, Permission } from '#core/kernel';
import { type Column, type Route, route, sendPages } from '#server/http';
import { datedPageFrom, oneOf } from '#server/schemas';
import type { ExportArea } from '#shared/permission-areas';
import { withLocalDate } from './local-date.ts';

interface DatedExport<Filter, Row> {
  readonly surface: 'admin' | 'public';
  readonly tag: string;
  readonly permission: Permission;
  readonly exports: ExportArea;
  /** Path of the list, to which `/export` is added. */
  readonly path: `/${string}`;
  readonly id: string;
  readonly summary: string;
  /** Name of one row, for the description. */
  readonly noun: string;
  /** Sentences about the columns, for the description. */
  readonly notes?: string;
  /** Query parameters of the list, with its days. */
  readonly filters: TProperties;
  readonly columns: readonly Column<Row>[];
  /** Time by which the days of the filter select. */
  readonly timeOf: (row: Row) => string;
  readonly fileName: string;
  readonly filterOf: (query: Readonly<Record<string, string | undefined>>) => Filter;
  readonly lines: (core: Core, actor: Actor, filter: Filter, created: PageRequest['created']) => AsyncGenerator<readonly Row[]>;
}

/** Declares the export of a list with a filter by days as CSV, in the scope of a merchant. */
export function datedExport<Filter, Row extends { readonly merchantId: string }>(of: DatedExport<Filter, Row>): Route {
  const { surface, tag, permission, exports, path, id, summary, noun, notes, filters, columns, fileName, filterOf, lines, timeOf } = of;
  return route({
    surface,
    tag,
    scope: 'merchant',
    method: 'GET',
    permission,
    exports,
    path: `${path}/export`,
    id,
    summary,
    description: [`Every ${noun} of the filter, newest first, streamed.`, ...(notes === undefined ? [] : [notes])].join(' '),
    query: Type.Object({ ...filters, format: oneOf('csv') }),
    contentType: 'text/csv',
    response: Type.String(),
    errors: ['INVALID_DATE', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
    run: async ({ core, actor, query, reply }) => {
      const given = query as Readonly<Record<string, string | undefined>>;
      const { created }: PageRequest = await datedPageFrom(core, actor, given);
      await sendPages(reply, fileName, await withLocalDate(core, actor, columns, timeOf), lines(core, actor, filterOf(given), created));
    },
  });
}
