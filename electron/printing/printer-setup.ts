import { join } from 'node:path';
import { CODE_PAGES, PAPER_SIZES, type PrinterAddress, type PrinterSetup } from '../bridge/printing.ts';
import { readJson, writeJson } from '../shell-settings.ts';
import { isHost } from './network-location.ts';
import { hostOfShare, isQueueName } from './spooler.ts';

const FILE = 'printer.json';
const NAME_MAX = 40;
const SYSTEM_NAME_MAX = 256;
const PORT_MAX = 65_535;
const COLUMNS_MIN = 24;
const COLUMNS_MAX = 48;
const COPIES_MAX = 3;
const ALLOWED_MAX = 20;

/** File with the receipt printer of this workstation. It is separate from the page's storage, which changes with the server's port. */
export class PrinterFile {
  private readonly file: string;
  private content: { readonly setup: PrinterSetup | null; readonly allowed: readonly string[] };

  constructor(folder: string) {
    this.file = join(folder, FILE);
    this.content = parseFile(readJson(this.file));
  }

  get setup(): PrinterSetup | null {
    return this.content.setup;
  }

  /** Returns true if a person has allowed receipts to this destination, a host or `host:port`. */
  isAllowed(destination: string): boolean {
    return this.content.allowed.includes(destination);
  }

  allow(destination: string): void {
    const others = this.content.allowed.filter((known) => known !== destination);
    this.write({ ...this.content, allowed: [...others, destination].slice(-ALLOWED_MAX) });
  }

  save(setup: PrinterSetup | null): void {
    this.write({ ...this.content, setup });
  }

  private write(content: PrinterFile['content']): void {
    this.content = content;
    writeJson(this.file, content);
  }
}

/** Returns the rule that a setup breaks; undefined if the setup is valid. */
export function validateSetup(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'a printer is an object';
  const { name, address, paper, columns, codePage, cuts, copies, pausesToTear, drawerPin } = value as Record<keyof PrinterSetup, unknown>;
  if (!isName(name, NAME_MAX)) return `name has 1 to ${NAME_MAX} characters`;
  if (!PAPER_SIZES.some((known) => known === paper)) return `paper is one of ${PAPER_SIZES.join(', ')}`;
  if (!isCount(columns, COLUMNS_MIN, COLUMNS_MAX)) return `columns is ${COLUMNS_MIN} to ${COLUMNS_MAX}`;
  if (!CODE_PAGES.some((known) => known === codePage)) return `codePage is one of ${CODE_PAGES.join(', ')}`;
  if (typeof cuts !== 'boolean' || typeof pausesToTear !== 'boolean') return 'cuts and pausesToTear are true or false';
  if (drawerPin !== null && drawerPin !== 2 && drawerPin !== 5) return 'drawerPin is 2, 5 or null';
  const { customer, merchant } = (typeof copies === 'object' && copies !== null ? copies : {}) as Record<string, unknown>;
  if (!isCount(customer, 1, COPIES_MAX) || !isCount(merchant, 1, COPIES_MAX)) return `copies are 1 to ${COPIES_MAX}`;
  return validateAddress(address);
}

/** Copies the known members of a valid setup. */
export function copySetup(value: PrinterSetup): PrinterSetup {
  const { name, address, paper, columns, codePage, cuts, copies, pausesToTear, drawerPin } = value;
  const { customer, merchant } = copies;
  return {
    name: name.trim(),
    address: copyAddress(address),
    paper,
    columns,
    codePage,
    cuts,
    copies: { customer, merchant },
    pausesToTear,
    drawerPin,
  };
}

function copyAddress(value: PrinterAddress): PrinterAddress {
  switch (value.kind) {
    case 'network':
      return { kind: 'network', host: value.host.toLowerCase(), port: value.port };
    case 'queue':
      return { kind: 'queue', queue: value.queue };
    case 'share':
      return { kind: 'share', share: value.share };
    case 'system':
      return { kind: 'system', printer: value.printer, usesOwnPage: value.usesOwnPage };
  }
}

function validateAddress(value: unknown): string | undefined {
  const { kind, host, port, queue, share, printer, usesOwnPage } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  switch (kind) {
    case 'network':
      if (typeof host !== 'string' || !isHost(host)) return 'host is the name or the address of a printer';
      return isCount(port, 1, PORT_MAX) ? undefined : `port is 1 to ${PORT_MAX}`;
    case 'queue':
      return typeof queue === 'string' && isQueueName(queue) ? undefined : 'queue is the name of a CUPS queue';
    case 'share':
      return typeof share === 'string' && hostOfShare(share) !== undefined ? undefined : String.raw`share is written as \\computer\printer`;
    case 'system':
      if (!isName(printer, SYSTEM_NAME_MAX)) return 'printer is the name of a printer';
      return typeof usesOwnPage === 'boolean' ? undefined : 'usesOwnPage is true or false';
    default:
      return 'address is of the kind network, queue, share or system';
  }
}

export function isName(value: unknown, charactersMax: number): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= charactersMax && !/\p{Cc}/u.test(value);
}

export function isCount(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}

function parseFile(content: unknown): PrinterFile['content'] {
  const { setup, allowed } = (typeof content === 'object' && content !== null ? content : {}) as Record<string, unknown>;
  return {
    setup: validateSetup(setup) === undefined ? copySetup(setup as PrinterSetup) : null,
    allowed: Array.isArray(allowed) ? allowed.filter((destination): destination is string => typeof destination === 'string') : [],
  };
}
