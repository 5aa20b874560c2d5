import { statfs, writeFile } from 'node:fs/promises';
import { freemem, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { app, type BrowserWindow, dialog } from 'electron';
import type { Diagnostics, SaveOutcome, UpdateState } from '../bridge/index.ts';
import { t } from '../language/index.ts';
import type { ServiceState } from '../server-process/server-supervisor.ts';
import { readJson, type ShellSettings } from '../shell-settings.ts';
import type { LogFile } from './log-file.ts';
import { redact } from './redaction.ts';

const LOG_LINES = 2_000;
const HEALTH_TIMEOUT_MS = 5_000;

interface DiagnosticsSources {
  readonly dataDir: string;
  readonly log: LogFile;
  settings(): ShellSettings;
  service(): ServiceState;
  update(): UpdateState;
}

/** Diagnostics file for support: versions, settings, status and the latest log entries, redacted. It is never sent automatically. */
export class DiagnosticsFile {
  private readonly sources: DiagnosticsSources;
  private latest: Diagnostics | undefined;

  constructor(sources: DiagnosticsSources) {
    this.sources = sources;
  }

  /** Collects the current contents, so that a person can read them before saving. */
  async create(): Promise<Diagnostics> {
    const { dataDir, log } = this.sources;
    const service = this.sources.service();
    const now = new Date().toISOString();
    const content = {
      madeAt: now,
      versions: {
        paydesk: app.getVersion(),
        electron: process.versions.electron ?? '',
        chrome: process.versions.chrome ?? '',
        node: process.versions.node,
      },
      system: {
        platform: process.platform,
        release: release(),
        arch: process.arch,
        memory: totalmem(),
        memoryFree: freemem(),
        upForS: Math.round(process.uptime()),
      },
      settings: { ...this.sources.settings(), database: databaseKind(dataDir) },
      disk: await diskOf(dataDir),
      service,
      health: service.kind === 'running' ? await healthOf(service.baseUrl) : null,
      update: this.sources.update(),
      log: log.lines(LOG_LINES),
    };
    const name = `paydesk-diagnostics-${now.slice(0, 16).replace(/[-:]/g, '').replace('T', '-')}.json`;
    this.latest = { name, text: redactDiagnostics(content) };
    return this.latest;
  }

  /** Saves the contents of the last `create` unchanged, to a file that the person chooses. */
  async save(window: BrowserWindow | undefined): Promise<SaveOutcome> {
    const { latest } = this;
    if (latest === undefined) return { saved: false, problem: 'There is nothing to save yet.' };
    const options = {
      title: t('Save diagnostics'),
      defaultPath: join(app.getPath('downloads'), latest.name),
      filters: [{ name: 'JSON', extensions: ['json'] }],
    };
    const { canceled, filePath } = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options));
    if (canceled || filePath === '') return { saved: false };
    try {
      await writeFile(filePath, latest.text, { mode: 0o600 });
      return { saved: true };
    } catch (cause) {
      return { saved: false, problem: `The file could not be written: ${(cause as Error).message}` };
    }
  }
}

/** Redacts each string, so that the result is valid JSON, and then the whole text, for secrets that only the surrounding names reveal. */
function redactDiagnostics(content: object): string {
  return `${redact(JSON.stringify(content, (_name, value: unknown) => (typeof value === 'string' ? redact(value) : value), 2))}\n`;
}

/** Returns the kind of database, without its address, which may contain a password. */
function databaseKind(dataDir: string): string {
  const { databaseUrl } = (readJson(join(dataDir, 'config.json')) ?? {}) as { databaseUrl?: unknown };
  return databaseUrl === undefined ? 'SQLite' : 'PostgreSQL';
}

async function diskOf(folder: string): Promise<object | null> {
  try {
    const { bsize, bavail, blocks } = await statfs(folder);
    return { free: bsize * bavail, total: bsize * blocks };
  } catch {
    return null;
  }
}

async function healthOf(baseUrl: string): Promise<unknown> {
  try {
    return await (await fetch(`${baseUrl}/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })).json();
  } catch (cause) {
    return { problem: (cause as Error).message };
  }
}
