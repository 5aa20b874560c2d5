import { requestFile } from '#renderer/client';
import { saveAs } from './save-as.ts';

/** A file that the service makes: a list as CSV. */
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

/** Saves a file whole, however long it is. False when the person changed their mind in the dialog. */
export async function saveCsv(of: CsvFile): Promise<boolean> {
  const page: Window = window;
  if (of.rows > ROWS_IN_MEMORY_MAX && hasSavePicker(page)) return toChosenFile(page, of);
  const csv = await (await ask(of)).blob();
  saveAs(csv, of.name);
  return true;
}

/** The file is chosen first: a browser shows the dialog only right after a click. */
async function toChosenFile(page: SavePicker, of: CsvFile): Promise<boolean> {
  const file = await page.showSaveFilePicker({ suggestedName: of.name }).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') return undefined;
    throw cause;
  });
  if (!file) return false;
  const { body } = await ask(of);
  await body?.pipeTo(await file.createWritable());
  return true;
}

function ask({ path, query }: CsvFile): Promise<Response> {
  const given = Object.entries({ ...query, format: 'csv' }).filter(([, value]) => value !== undefined);
  const params = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return requestFile(`${path}?${params}`);
}
