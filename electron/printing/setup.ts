import { join } from 'node:path';
import { CODE_PAGES, PAPERS, type PrinterAddress, type PrinterSetup } from '../bridge/printing.ts';
import { readJson, writeJson } from '../shell-settings.ts';
import { isHost } from './reach.ts';
import { isQueue, shareHost } from './spooler.ts';

const FILE = 'printer.json';
const NAME_MAX = 40;
const SYSTEM_NAME_MAX = 256;
const PORT_MAX = 65_535;
const COLUMNS_MIN = 24;
const COLUMNS_MAX = 48;
const COPIES_MAX = 3;
const OUTSIDE_MAX = 20;

/** Receipt printer of this workstation, in a separate file, so that another port of the server does not lose it. */
export class PrinterFile {
  private readonly file: string;
  private kept: { readonly setup: PrinterSetup | null; readonly outside: readonly string[] };

  constructor(folder: string) {
    this.file = join(folder, FILE);
    this.kept = contentIn(readJson(this.file));
  }

  get setup(): PrinterSetup | null {
    return this.kept.setup;
  }

  /** Returns true if a person has allowed receipts to this host outside of the private networks. */
  isAllowed(host: string): boolean {
    return this.kept.outside.includes(host);
  }

  allow(host: string): void {
    this.keep({ ...this.kept, outside: [...this.kept.outside.filter((known) => known !== host), host].slice(-OUTSIDE_MAX) });
  }

  save(setup: PrinterSetup | null): void {
    this.keep({ ...this.kept, setup });
  }

  private keep(content: PrinterFile['kept']): void {
    this.kept = content;
    writeJson(this.file, content);
  }
}

/** The rule that a set-up breaks, in words; undefined for a good one. */
export function problemOf(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null) return 'a printer is an object';
  const { name, address, paper, columns, codePage, cuts, copies, pausesToTear, drawerPin } = given as Record<keyof PrinterSetup, unknown>;
  if (!isName(name, NAME_MAX)) return `name has 1 to ${NAME_MAX} characters`;
  if (!PAPERS.some((known) => known === paper)) return `paper is one of ${PAPERS.join(', ')}`;
  if (!isCount(columns, COLUMNS_MIN, COLUMNS_MAX)) return `columns is ${COLUMNS_MIN} to ${COLUMNS_MAX}`;
  if (!CODE_PAGES.some((known) => known === codePage)) return `codePage is one of ${CODE_PAGES.join(', ')}`;
  if (typeof cuts !== 'boolean' || typeof pausesToTear !== 'boolean') return 'cuts and pausesToTear are true or false';
  if (drawerPin !== null && drawerPin !== 2 && drawerPin !== 5) return 'drawerPin is 2, 5 or null';
  const { customer, merchant } = (typeof copies === 'object' && copies !== null ? copies : {}) as Record<string, unknown>;
  if (!isCount(customer, 1, COPIES_MAX) || !isCount(merchant, 1, COPIES_MAX)) return `copies are 1 to ${COPIES_MAX}`;
  return problemOfAddress(address);
}

/** Copies the known members of a valid setup. */
export function setupFrom(given: PrinterSetup): PrinterSetup {
  const { name, address, paper, columns, codePage, cuts, copies, pausesToTear, drawerPin } = given;
  const { customer, merchant } = copies;
  return {
    name: name.trim(),
    address: addressFrom(address),
    paper,
    columns,
    codePage,
    cuts,
    copies: { customer, merchant },
    pausesToTear,
    drawerPin,
  };
}

function addressFrom(given: PrinterAddress): PrinterAddress {
  switch (given.kind) {
    case 'network':
      return { kind: 'network', host: given.host.toLowerCase(), port: given.port };
    case 'queue':
      return { kind: 'queue', queue: given.queue };
    case 'share':
      return { kind: 'share', share: given.share };
    case 'system':
      return { kind: 'system', printer: given.printer, usesOwnPage: given.usesOwnPage };
  }
}

function problemOfAddress(given: unknown): string | undefined {
  const { kind, host, port, queue, share, printer, usesOwnPage } = (typeof given === 'object' && given !== null ? given : {}) as Record<
    string,
    unknown
  >;
  switch (kind) {
    case 'network':
      if (typeof host !== 'string' || !isHost(host)) return 'host is the name or the address of a printer';
      return isCount(port, 1, PORT_MAX) ? undefined : `port is 1 to ${PORT_MAX}`;
    case 'queue':
      return typeof queue === 'string' && isQueue(queue) ? undefined : 'queue is the name of a CUPS queue';
    case 'share':
      return typeof share === 'string' && shareHost(share) !== undefined ? undefined : String.raw`share is written as \\computer\printer`;
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

export function isCount(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

function contentIn(content: unknown): PrinterFile['kept'] {
  const { setup, outside } = (typeof content === 'object' && content !== null ? content : {}) as Record<string, unknown>;
  return {
    setup: problemOf(setup) === undefined ? setupFrom(setup as PrinterSetup) : null,
    outside: Array.isArray(outside) ? outside.filter((host): host is string => typeof host === 'string' && isHost(host)) : [],
  };
}
