/** A part of an installation, as a person recognizes it, and the ID of its installation. */
interface InstallationPart {
  readonly name: string;
  readonly installationId: string;
}

/** Thrown when a part belongs to another installation than the rest. */
export class MixedInstallation extends Error {
  override name = 'MixedInstallation';

  constructor(part: InstallationPart, rest: InstallationPart) {
    super(
      `${part.name} belongs to the installation ${part.installationId}, but ${rest.name} belongs to the installation ${rest.installationId}. Put back the part that belongs to the other ones, or restore a backup into an empty data directory. Nothing was changed.`,
    );
  }
}

/** Thrown when a PostgreSQL database is empty, or has lost the ledger of the sandbox processor, although other parts of an installation exist. */
export class LostInstallation extends Error {
  override name = 'LostInstallation';

  constructor(key: InstallationPart | null) {
    super(
      key === null
        ? 'The schema sandbox_gateway of this database is missing or empty, but the database contains an installation. Restore a backup into an empty database with "npx paydesk restore". Nothing was changed.'
        : `This database contains no installation, but ${key.name} belongs to the installation ${key.installationId}. Check the address of the database. If its data are lost, restore a backup with "npx paydesk restore". Nothing was changed.`,
    );
  }
}
