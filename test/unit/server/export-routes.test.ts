import { expect, test } from 'vitest';
import { urlOf } from '../../../server/http/index.ts';
import { allRoutes } from '../../../server/routes/index.ts';

const absent = () => {
  throw new Error('no server is running');
};

/** Operations that send a file or have "export" in their path, but hand out no list of records, by the reason. */
const NO_EXPORTS: Readonly<Record<string, readonly string[]>> = {
  'a document about one record, or the figures of one period': [
    ...['admin.receiptPdf', 'admin.invoicePdf', 'admin.getShiftReport', 'public.getShiftReport', 'admin.periodClosePdf'],
    ...['admin.getEvidencePack', 'public.getEvidencePack', 'admin.customerStatementPdf', 'public.customerStatementPdf'],
  ],
  'the list of earlier exports': ['admin.listJournalExports'],
  'requests of a sandbox that the caller recorded': ['admin.downloadSandboxRecording'],
};

const routes = allRoutes({} as never, absent);
const isFile = ({ contentType }: (typeof routes)[number]) => contentType !== undefined && !/\/json$|event-stream$|html$/.test(contentType);
const namesExport = (route: (typeof routes)[number]) => /export|\/report$/.test(urlOf(route));

test('requires the right to export from every operation that hands out records as a file', () => {
  const excepted = Object.values(NO_EXPORTS).flat();
  const without = routes
    .filter((route) => isFile(route) || namesExport(route))
    // The permission of an owner is more than the right to export.
    .filter(({ exports, permission }) => exports === undefined && !permission?.startsWith('owner:'))
    .map(({ id }) => id);
  expect(without.sort()).toEqual(excepted.sort());
});
