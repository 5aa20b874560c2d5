import { DamagedDatabase } from './damaged-database.ts';

interface IntegrityOptions {
  /** Returns the path of the last backup whose check succeeded, or null. */
  readonly lastBackup?: () => string | null;
  /** Called once, with the first fault. */
  readonly onDamage?: (file: string, detail: string) => void;
}

/** State of the SQLite files of one installation. Damage in one of them stops writes to all, until the process ends. */
export class Integrity {
  readonly #options: IntegrityOptions;
  #damage: DamagedDatabase | null = null;
  /** ID of the installation, for the marks of a clean stop; empty until it is known. */
  installationId = '';

  constructor(options: IntegrityOptions = {}) {
    this.#options = options;
  }

  get damage(): DamagedDatabase | null {
    return this.#damage;
  }

  /** Returns the path of the last backup whose check succeeded, or null. */
  lastBackup(): string | null {
    return this.#options.lastBackup?.() ?? null;
  }

  /** Records a fault of a file and returns the error to throw. The first fault decides. */
  report(file: string, detail: string): DamagedDatabase {
    if (this.#damage) return this.#damage;
    this.#damage = new DamagedDatabase(file, this.lastBackup(), { cause: new Error(detail) });
    this.#options.onDamage?.(file, detail);
    return this.#damage;
  }

  /** @throws DamagedDatabase after a fault was reported. */
  assertIntact(): void {
    if (this.#damage) throw this.#damage;
  }
}
