import { api, takeData } from '#renderer/base/client';

export interface ReaderFields {
  readonly name: string;
  /** Drawer of the workstation that uses the reader first; null for none. */
  readonly workstation: string | null;
  readonly asksTip: boolean;
}

export const pairReader = (body: ReaderFields & { code: string; merchantId: string; gatewayId?: string }) =>
  takeData(api.POST('/api/v1/terminals', { body }));

export const changeReader = (id: string, body: ReaderFields) =>
  takeData(api.PUT('/api/v1/terminals/{id}', { params: { path: { id } }, body }));

export const removeReader = (id: string) => takeData(api.DELETE('/api/v1/terminals/{id}', { params: { path: { id } } }));
