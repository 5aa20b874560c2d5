import type { TriggerRun } from './trigger-run.ts';

const FILE_FORMAT = { format: 'paydesk-customers', version: 1 };

/** Imports a file with one customer. */
export async function importCustomer(run: TriggerRun): Promise<void> {
  const customer = run.main({ customerId: crypto.randomUUID(), firstName: 'Robin', lastName: 'Example', paymentMethods: [] });
  const form = new FormData();
  form.set('merchantId', await run.merchantId());
  form.set('file', new Blob([`${JSON.stringify(FILE_FORMAT)}\n${JSON.stringify(customer)}\n`]), 'customers.jsonl');
  const send = await run.connection.fileRequest();
  const response = await send('/customers/imports', { method: 'POST', body: form });
  const { data } = (await response.json()) as { data: { importId: string } };
  await run.office.post('/customers/imports/{id}/run', {}, { params: { id: data.importId } });
}

/** Exports the customers for a recipient whose private key is thrown away, so that nobody can open the file. */
export async function exportCustomers(run: TriggerRun): Promise<void> {
  const { generateKey } = await import('openpgp');
  const { publicKey } = await generateKey({ type: 'ecc', userIDs: [{ name: 'Made by paydesk trigger' }], format: 'armored' });
  const body = run.main({ publicKey, layout: 'paydesk', merchantId: await run.merchantId(), ...run.confirmation() });
  const { exportId } = await run.office.post<{ exportId: string }>('/customers/exports', body);
  const send = await run.connection.fileRequest();
  const file = await send(`/customers/exports/${exportId}/file`, { method: 'POST' });
  await file.arrayBuffer();
}
