import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  api,
  type CustomerExport,
  type CustomerImport,
  type CustomerImportLine,
  queryClient,
  takeData,
  takePage,
} from '#renderer/base/client';

/** Lines of a report at a time. */
export const PAGE_SIZE = 50;
/** Imports that the screen lists. */
const IMPORTS_MAX = 5;

export type Action = CustomerImportLine['action'];

const pathOf = (id: string) => ({ params: { path: { id } } });

/** Transfer keys of the account, newest first. */
export const keysQuery = queryOptions({
  queryKey: ['customers', 'transfer-keys'],
  queryFn: () => takeData(api.GET('/api/v1/customers/transfer-keys')),
});

/** Newest imports of the merchant. */
export const importsQuery = (merchantId: string) =>
  queryOptions({
    queryKey: ['customers', 'imports', merchantId],
    queryFn: () => takePage(api.GET('/api/v1/customers/imports', { params: { query: { merchantId, limit: IMPORTS_MAX } } })),
  });

/** One import with its progress. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['customers', 'import', id],
    queryFn: () => takeData(api.GET('/api/v1/customers/imports/{id}', pathOf(id))),
    // The last change of a running import is published at most ten times a second; the page asks as well, in case a message is lost.
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 2_000 : false),
  });

/** A page of the report of an import; of all actions, or of one. */
export const linesQuery = (id: string, action: Action | null, page: number) =>
  queryOptions({
    queryKey: ['customers', 'import', id, 'lines', action, page],
    queryFn: () =>
      takePage(
        api.GET('/api/v1/customers/imports/{id}/lines', {
          params: { path: { id }, query: { limit: PAGE_SIZE, page, ...(action && { action }) } },
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** Columns of a list of customers, by field. */
export type CustomerMapping = Readonly<
  Partial<
    Record<
      | 'name'
      | 'firstName'
      | 'lastName'
      | 'company'
      | 'email'
      | 'phone'
      | 'street'
      | 'city'
      | 'state'
      | 'zip'
      | 'country'
      | 'notes'
      | 'customerId'
      | 'number'
      | 'expiry',
      string
    >
  >
>;

interface ImportedFile {
  readonly merchantId: string;
  readonly file: File;
  /** Null for a file whose layout is recognized. */
  readonly mapping: CustomerMapping | null;
}

/** Sends a file as a dry run. The browser reads it from its disk while it is sent. */
export function readFile({ merchantId, file, mapping }: ImportedFile): Promise<CustomerImport> {
  const form = new FormData();
  form.set('merchantId', merchantId);
  if (mapping) form.set('mapping', JSON.stringify(mapping));
  form.set('file', file);
  return takeData(api.POST('/api/v1/customers/imports', { body: { merchantId, file: file.name }, bodySerializer: () => form }));
}

export const createKey = (name: string) => takeData(api.POST('/api/v1/customers/transfer-keys', { body: { name } }));
export const destroyKey = (id: string) => takeData(api.DELETE('/api/v1/customers/transfer-keys/{id}', pathOf(id)));
export const runImport = (id: string, choice: Pick<CustomerImport, 'sharedCards' | 'unreadableCards'>) =>
  takeData(api.POST('/api/v1/customers/imports/{id}/run', { ...pathOf(id), body: choice }));
export const stopImport = (id: string) => takeData(api.POST('/api/v1/customers/imports/{id}/stop', pathOf(id)));
export const discardImport = (id: string) => takeData(api.DELETE('/api/v1/customers/imports/{id}', pathOf(id)));

export interface NewExport {
  readonly publicKey: string;
  readonly layout: CustomerExport['layout'];
  readonly merchantId: string;
  readonly currentPassword: string;
  readonly currentCode?: string;
}

export const createExport = (body: NewExport) => takeData(api.POST('/api/v1/customers/exports', { body }));

/** Refreshes everything of this screen and the list of customers. */
export const refreshTransfers = () => queryClient.invalidateQueries({ queryKey: ['customers'] });
