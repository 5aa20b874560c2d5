import { ApiFailure, authorizedFetch, type TransactionQuery } from '#renderer/client';

/** Up to here the whole file fits into memory without a thought; beyond it goes to disk as it comes. */
const ROWS_IN_MEMORY_MAX = 20_000;
const FILE_NAME = 'transactions.csv';

interface SavePicker {
  showSaveFilePicker(options: { suggestedName: string }): Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>;
}

function hasSavePicker(page: Window): page is Window & SavePicker {
  return 'showSaveFilePicker' in page;
}

/** Saves all transactions of the filter as CSV. False when the person changed their mind in the dialog. */
export async function exportTransactions(query: TransactionQuery, rows: number): Promise<boolean> {
  const page: Window = window;
  if (rows > ROWS_IN_MEMORY_MAX && hasSavePicker(page)) return toChosenFile(page, query);
  const csv = await (await ask(query)).blob();
  const address = URL.createObjectURL(csv);
  const link = document.createElement('a');
  link.href = address;
  link.download = FILE_NAME;
  link.click();
  URL.revokeObjectURL(address);
  return true;
}

/** The file is chosen first: a browser shows the dialog only right after a click. */
async function toChosenFile(page: SavePicker, query: TransactionQuery): Promise<boolean> {
  const file = await page.showSaveFilePicker({ suggestedName: FILE_NAME }).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') return undefined;
    throw cause;
  });
  if (!file) return false;
  const { body } = await ask(query);
  await body?.pipeTo(await file.createWritable());
  return true;
}

async function ask(query: TransactionQuery): Promise<Response> {
  const given = Object.entries({ ...query, format: 'csv' }).filter(([, value]) => value !== undefined);
  const params = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const response = await authorizedFetch(new Request(`/api/v1/transactions/export?${params}`));
  if (response.ok) return response;
  throw new ApiFailure(`HTTP_${response.status}`, 'The file could not be made.', {
    status: response.status,
    requestId: response.headers.get('X-Request-Id') ?? undefined,
  });
}
