import { queryOptions } from '@tanstack/react-query';
import { api, requestFile, takeData } from '#renderer/base/client';

/** Entries that the preview shows. */
const SHOWN_MAX = 200;

/** Days of a statement; empty ones are those of the service, from the first of the month until today. */
export interface StatementDays {
  readonly startDate: string;
  readonly endDate: string;
}

const queryOf = ({ startDate, endDate }: StatementDays) => ({ ...(startDate && { startDate }), ...(endDate && { endDate }) });
const pathOf = (id: string) => ({ params: { path: { id } } });

/** The statement of a customer with its first entries. The key belongs to the invoices, whose changes refresh it. */
export function statementQuery(customerId: string, days: StatementDays) {
  return queryOptions({
    queryKey: ['invoices', 'statement', customerId, days.startDate, days.endDate],
    queryFn: ({ signal }) => {
      const query = { ...queryOf(days), limit: SHOWN_MAX };
      return takeData(api.GET('/api/v1/customers/{id}/statement', { params: { path: { id: customerId }, query }, signal }));
    },
    staleTime: 0,
  });
}

/** Sends a statement to the address on file. */
export const sendStatement = (id: string, days: StatementDays, key: string) =>
  takeData(
    api.POST('/api/v1/customers/{id}/statement/email', {
      params: { ...pathOf(id).params, header: { 'Idempotency-Key': key } },
      body: queryOf(days),
    }),
  );

export async function statementPdf(id: string, days: StatementDays): Promise<Blob> {
  return (await requestFile(`/api/v1/customers/${encodeURIComponent(id)}/statement/pdf?${new URLSearchParams(queryOf(days))}`)).blob();
}
