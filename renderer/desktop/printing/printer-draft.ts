import { t } from '#renderer/base/language';
import type { CodePage, PrinterAddress, PrinterSetup } from '#renderer/desktop/bridge';

export type PrinterKind = PrinterAddress['kind'];

/** Values of the printer form. */
export interface PrinterDraft {
  readonly kind: PrinterKind;
  readonly name: string;
  readonly host: string;
  readonly port: string;
  readonly queue: string;
  readonly share: string;
  readonly printer: string;
  readonly usesOwnPage: boolean;
  readonly paper: PrinterSetup['paper'];
  readonly columns: string;
  readonly codePage: CodePage;
  readonly cuts: boolean;
  readonly customerCopies: number;
  readonly merchantCopies: number;
  readonly pausesToTear: boolean;
  readonly drawerPin: PrinterSetup['drawerPin'];
}

export type DraftField = keyof PrinterDraft;
export type DraftProblems = Partial<Record<DraftField, string>>;

const STANDARD_PORT = 9100;
const NAME_MAX = 40;
export const COPY_CHOICES = [1, 2, 3] as const;
/** Columns of printers by paper size, the most common first. */
export const COLUMN_CHOICES: Readonly<Record<PrinterSetup['paper'], readonly number[]>> = {
  '58mm': [32],
  '80mm': [48, 42, 44],
  letter: [48],
};
const COLUMNS_MIN = 24;
const COLUMNS_MAX = 48;

const DEFAULT_DRAFT: PrinterDraft = {
  kind: 'network',
  name: t('Front desk'),
  host: '',
  port: String(STANDARD_PORT),
  queue: '',
  share: '',
  printer: '',
  usesOwnPage: false,
  paper: '80mm',
  columns: '48',
  codePage: 'cp858',
  cuts: true,
  customerCopies: 1,
  merchantCopies: 1,
  pausesToTear: true,
  drawerPin: null,
};

/** Returns the form of a configured printer, or of a new one. */
export function draftOf(setup: PrinterSetup | null): PrinterDraft {
  if (setup === null) return DEFAULT_DRAFT;
  const { address, copies, columns, ...rest } = setup;
  const shared = { ...DEFAULT_DRAFT, ...rest, columns: String(columns), customerCopies: copies.customer, merchantCopies: copies.merchant };
  switch (address.kind) {
    case 'network':
      return { ...shared, kind: 'network', host: address.host, port: String(address.port) };
    case 'queue':
      return { ...shared, kind: 'queue', queue: address.queue };
    case 'share':
      return { ...shared, kind: 'share', share: address.share };
    case 'system':
      return { ...shared, kind: 'system', printer: address.printer, usesOwnPage: address.usesOwnPage };
  }
}

/** Returns the problems of a form by field. The desktop application validates again, and decides. */
export function problemsOf(draft: PrinterDraft): DraftProblems {
  const { kind, name, host, port, queue, share, printer, columns } = draft;
  const problems: [DraftField, boolean, string][] = [
    ['name', name.trim() === '' || name.length > NAME_MAX, t('Enter a name of up to {{max}} characters.', { max: NAME_MAX })],
    [
      'host',
      kind === 'network' && !/^[a-z0-9_:]([a-z0-9_:.-]*[a-z0-9_:])?$/i.test(host.trim()),
      t('Enter the printer’s address, such as 192.168.1.50.'),
    ],
    ['port', kind === 'network' && !isWithin(port, 1, 65_535), t('Enter a port, usually 9100.')],
    [
      'queue',
      kind === 'queue' && !/^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,126}$/.test(queue.trim()),
      t('Enter the queue name as shown by lpstat -p.'),
    ],
    [
      'share',
      kind === 'share' && !/^\\\\[^\\/]+\\[^\\/:]+$/.test(share.trim()),
      t('Enter it as {{example}}.', { example: String.raw`\\COMPUTER\Printer` }),
    ],
    ['printer', kind === 'system' && printer === '', t('Choose a printer.')],
    [
      'columns',
      kind !== 'system' && !isWithin(columns, COLUMNS_MIN, COLUMNS_MAX),
      t('Enter {{min}} to {{max}}.', { min: COLUMNS_MIN, max: COLUMNS_MAX }),
    ],
  ];
  return Object.fromEntries(problems.flatMap(([field, isWrong, message]) => (isWrong ? [[field, message]] : [])));
}

/** Returns the printer settings of a valid form. */
export function setupOf(draft: PrinterDraft): PrinterSetup {
  const { name, paper, columns, codePage, cuts, customerCopies, merchantCopies, pausesToTear, drawerPin } = draft;
  const isSystem = draft.kind === 'system';
  return {
    name: name.trim(),
    address: addressOf(draft),
    paper,
    columns: isSystem ? (COLUMN_CHOICES[paper][0] ?? COLUMNS_MAX) : Number(columns),
    codePage,
    // The driver of a system printer controls the cutter; a drawer requires raw bytes.
    cuts,
    copies: { customer: customerCopies, merchant: merchantCopies },
    pausesToTear,
    drawerPin: isSystem ? null : drawerPin,
  };
}

function addressOf({ kind, host, port, queue, share, printer, usesOwnPage }: PrinterDraft): PrinterAddress {
  switch (kind) {
    case 'network':
      return { kind, host: host.trim(), port: Number(port) };
    case 'queue':
      return { kind, queue: queue.trim() };
    case 'share':
      return { kind, share: share.trim() };
    case 'system':
      return { kind, printer, usesOwnPage };
  }
}

function isWithin(text: string, minimum: number, maximum: number): boolean {
  return /^\d{1,5}$/.test(text.trim()) && Number(text) >= minimum && Number(text) <= maximum;
}
