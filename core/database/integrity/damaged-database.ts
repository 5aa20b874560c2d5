import { basename, dirname, join } from 'node:path';
import { ServiceError } from '#core/kernel';

/** A database file that is missing or empty, although other parts of its installation exist. */
interface LostFile {
  readonly state: 'missing' | 'empty';
  /** Name of a file that the installation has left. */
  readonly evidence: string;
}

const damagedText = (name: string) => `The database file ${name} is damaged. Payments and all other changes are stopped.`;

function lostText(name: string, { state, evidence }: LostFile): string {
  return state === 'missing'
    ? `The database file ${name} is missing, but ${evidence} shows that this data directory contained an installation. Nothing was changed.`
    : `The database file ${name} is empty, but ${evidence} shows that this data directory contained an installation. Nothing was changed.`;
}

/** Thrown for every write once a database file is known to be damaged, and for reads that meet the damage. */
export class DamagedDatabase extends ServiceError {
  override name = 'DamagedDatabase';
  readonly file: string;
  /** Steps that restore the data, for the people who run the installation. */
  readonly instructions: string;

  /** `backup` is the last backup whose check succeeded; null if it is unknown. `lost` describes a file without contents. */
  constructor(file: string, backup: string | null, { cause, lost }: { readonly cause?: unknown; readonly lost?: LostFile } = {}) {
    const name = basename(file);
    super('SERVICE_UNAVAILABLE', lost === undefined ? damagedText(name) : lostText(name, lost), {
      details: { reason: 'database_damaged', file: name },
      cause,
    });
    this.file = file;
    this.instructions = instructionsFor(dirname(file), backup);
  }
}

function instructionsFor(dataDir: string, backup: string | null): string {
  const source =
    backup === null
      ? `Use the newest backup that passed its check. Unless another folder was set, backups are in ${join(dataDir, 'backups')}.`
      : `The last backup that passed its check is ${backup}.`;
  return [
    `${source} To restore it:`,
    '1. Stop Paydesk.',
    `2. Move every file whose name begins with paydesk.sqlite or sandbox-gateway.sqlite from ${dataDir} to another folder. Keep these files, and leave the key file where it is.`,
    `3. Run "npx paydesk restore ${backup ?? 'BACKUP'} --data-dir ${dataDir}", or start Paydesk with an empty data directory and choose "Restore from a backup" on its first screen.`,
    '4. Before you take payments again, have the disk of this computer checked.',
  ].join(' ');
}
