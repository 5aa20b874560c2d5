import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { LogLine } from '../bridge/index.ts';
import { redact } from './redaction.ts';

const FILE = 'paydesk.log';
const BYTES_MAX = 2 * 1024 * 1024;
/** Number of full files that are kept besides the current one. */
const ROTATED_FILES_MAX = 4;
const LINE_LENGTH_MAX = 4_000;

/** Lowest number of each level in the log lines of Pino. */
const LEVELS = [
  [50, 'error'],
  [40, 'warn'],
  [30, 'info'],
] as const;
const WARN = 40;

/** Log of the application: the redacted standard error output of the server and the shell, in files of limited size. */
export class LogFile {
  readonly folder: string;
  private readonly bytesMax: number;
  private descriptor: number | undefined;
  private bytes = 0;

  constructor(folder: string, bytesMax = BYTES_MAX) {
    this.folder = folder;
    this.bytesMax = bytesMax;
  }

  /** Redirects standard error from now on: the text is redacted, logged, and passed on to the terminal, which a window may not have. */
  captureStandardError(): void {
    const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = ((chunk: string | Uint8Array, ...rest: []) => {
      const text = redact(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
      this.add(text);
      return write(text, ...rest);
    }) as typeof process.stderr.write;
    // Without a terminal, writing to it fails; that must not end the application.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  }

  /** Adds log text: lines of JSON unchanged, anything else as one line. A log that cannot be written is skipped. */
  add(text: string): void {
    const lines = text.startsWith('{') ? text.trimEnd().split('\n') : [text.trimEnd()];
    for (const line of lines) {
      if (line === '') continue;
      const entry = isObject(line) ? line : JSON.stringify({ level: WARN, time: new Date().toISOString(), msg: line });
      try {
        this.write(`${truncate(redact(entry))}\n`);
      } catch {
        this.close();
      }
    }
  }

  /** Returns the newest lines, oldest first. */
  lines(limit: number): LogLine[] {
    const found: LogLine[] = [];
    for (let age = 0; age <= ROTATED_FILES_MAX && found.length < limit; age += 1) {
      const text = readOrEmpty(this.path(age));
      const lines = text.split('\n').filter((line) => line !== '');
      found.unshift(...lines.slice(-(limit - found.length)).map(parseLine));
    }
    return found;
  }

  private write(line: string): void {
    if (this.descriptor !== undefined && this.bytes + Buffer.byteLength(line) > this.bytesMax) this.rotate();
    this.descriptor ??= this.open();
    this.bytes += writeSync(this.descriptor, line);
  }

  private open(): number {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const descriptor = openSync(this.path(0), 'a', 0o600);
    this.bytes = fstatSync(descriptor).size;
    return descriptor;
  }

  private rotate(): void {
    this.close();
    for (let age = ROTATED_FILES_MAX - 1; age >= 0; age -= 1) {
      try {
        renameSync(this.path(age), this.path(age + 1));
      } catch {
        // Fewer files exist so far.
      }
    }
  }

  private close(): void {
    const { descriptor } = this;
    this.descriptor = undefined;
    try {
      if (descriptor !== undefined) closeSync(descriptor);
    } catch {
      // On a full disk even closing may fail; the descriptor is released nevertheless.
    }
  }

  private path(age: number): string {
    return join(this.folder, age === 0 ? FILE : `${FILE}.${age}`);
  }
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

/** Shortens a line that is too long. Its start is stored as a text, because a cut JSON object would be invalid. */
function truncate(line: string): string {
  if (line.length <= LINE_LENGTH_MAX) return line;
  const { level, time } = JSON.parse(isObject(line) ? line : '{}') as { level?: number; time?: string };
  return JSON.stringify({ level: level ?? WARN, time: time ?? '', msg: `${line.slice(0, LINE_LENGTH_MAX / 2)}…` });
}

function parseLine(line: string): LogLine {
  if (!isObject(line)) return { at: '', level: 'warn', text: line, detail: '' };
  const { level, time, msg, pid: _pid, hostname: _hostname, ...rest } = JSON.parse(line) as Record<string, unknown>;
  return {
    at: typeof time === 'string' ? time : '',
    level: LEVELS.find(([from]) => typeof level === 'number' && level >= from)?.[1] ?? 'debug',
    text: typeof msg === 'string' ? msg : '',
    detail: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest),
  };
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
