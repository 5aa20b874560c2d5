import { requestFile } from '#renderer/base/client';
import { saveAs } from './save-as.ts';

/** A list that the service exports as CSV. */
export interface CsvFile {
  readonly path: `/api/v1/${string}`;
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly name: string;
  /** Number of rows, which decides how to download them. */
  readonly rows: number;
}

/** Up to this number the file is held in memory; larger files are streamed to disk. */
const ROWS_IN_MEMORY_MAX = 20_000;

interface SavePicker {
  showSaveFilePicker(options: { suggestedName: string }): Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>;
}

function hasSavePicker(page: Window): page is Window & SavePicker {
  return 'showSaveFilePicker' in page;
}

/** Saves a file of any length. Returns false if the user canceled the dialog. */
export async function saveCsv(csvFile: CsvFile): Promise<boolean> {
  const page: Window = window;
  if (csvFile.rows > ROWS_IN_MEMORY_MAX && hasSavePicker(page)) return saveToChosenFile(page, csvFile);
  const csv = await (await requestCsv(csvFile)).blob();
  saveAs(csv, csvFile.name);
  return true;
}

/** Asks for the file first, because a browser shows the dialog only right after a click. */
async function saveToChosenFile(page: SavePicker, csvFile: CsvFile): Promise<boolean> {
  const file = await page.showSaveFilePicker({ suggestedName: csvFile.name }).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') return undefined;
    throw cause;
  });
  if (!file) return false;
  const { body } = await requestCsv(csvFile);
  await body?.pipeTo(await file.createWritable());
  return true;
}

function requestCsv({ path, query }: CsvFile): Promise<Response> {
  const given = Object.entries({ ...query, format: 'csv' }).filter(([, value]) => value !== undefined);
  const params = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return requestFile(`${path}?${params}`);
}
