import type { DamagedDatabase } from '#core/database/integrity';
import { sizeText } from '#shared/size-text';
import type { AddressChecks } from './address-checks.ts';
import type { ClockWatch } from './clock-watch.ts';
import type { Dependencies, StatusRequest, StatusServer } from './dependencies.ts';
import { counted, durationText, fact, item, timeFact } from './item.ts';
import { openFiles } from './open-files.ts';
import type { StatusItem } from './records.ts';
import { replicationItem } from './replication.ts';

const DAY_MS = 86_400_000;
/** Age at which the last backup is too old: a daily backup that is two hours late counts as missed. */
const BACKUP_LATE_MS = 26 * 3_600_000;
/** Clock difference from which one-time codes and leases become unreliable. */
const SKEW_MS = 5_000;
const STEP_REPORTED_MS = DAY_MS;
const CERTIFICATE_WARNING_MS = 21 * DAY_MS;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Share of the allowed open files above which the next connections may be refused. */
const FEW_DESCRIPTORS = 0.9;

export async function serverItem(server: StatusServer, environment: 'sandbox' | 'live', found = openFiles()): Promise<StatusItem> {
  const uptimeMs = process.uptime() * 1_000;
  const files = await found;
  const hasFew = files !== null && files.open > files.limit * FEW_DESCRIPTORS;
  const finding = hasFew
    ? {
        state: 'problem' as const,
        message: `The service has ${files.open} of at most ${files.limit} files and connections open, so it refuses new ones. Raise the limit of open files of its user or service.`,
      }
    : { message: `Paydesk ${server.version} has been running for ${durationText(uptimeMs)}.` };
  return item('server', finding, [
    fact('Address', server.address() ?? 'none'),
    fact('Environment', environment),
    ...timeFact('Since', new Date(Date.now() - uptimeMs).toISOString()),
    ...(files === null ? [] : [fact('Open files', `${files.open} of at most ${files.limit}`)]),
  ]);
}

function damageItem({ message, instructions, file }: DamagedDatabase): StatusItem {
  return item('database', { state: 'problem', message: `${message} ${instructions}`, action: 'open-backup' }, [fact('File', file)]);
}

export async function databaseAndClock(deps: Dependencies, clock: ClockWatch): Promise<StatusItem[]> {
  const { damage } = deps.database.health();
  if (damage) return [damageItem(damage), clockItem(0, clock, false)];
  const [{ bytes, servers, nowMs }, replication] = await Promise.all([deps.database.status(), deps.database.replication()]);
  const isShared = deps.database.kind === 'postgres';
  const kind = isShared ? 'PostgreSQL' : 'SQLite';
  const serverFacts = isShared ? [fact('Workstations', counted(servers, 'workstation', 'workstations'))] : [];
  return [
    item('database', { message: `The ${kind} database is reachable.` }, [
      fact('Kind', kind),
      fact('Size', sizeText(bytes)),
      ...serverFacts,
    ]),
    ...(replication === null ? [] : [replicationItem(replication)]),
    clockItem(isShared ? Date.now() - nowMs : 0, clock, isShared),
  ];
}

function clockItem(skewMs: number, clock: ClockWatch, isShared: boolean): StatusItem {
  const step = clock.check();
  const facts = [
    ...(isShared ? [fact('Difference from the database', `${(skewMs / 1_000).toFixed(1)} s`)] : []),
    ...(step === null ? [] : timeFact('Set back', step.seenAt)),
  ];
  if (Math.abs(skewMs) > SKEW_MS) {
    const message = `This computer’s clock is ${durationText(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} the database’s clock. Synchronize both with a time server.`;
    return item('clock', { state: 'problem', message }, facts);
  }
  if (step !== null && Date.now() - Date.parse(step.seenAt) < STEP_REPORTED_MS) {
    const message = `This computer’s clock was set back by ${durationText(-step.byMs)}. Times recorded around that moment are out of order.`;
    return item('clock', { state: 'warning', message }, facts);
  }
  return item('clock', { message: 'The clock is correct.' }, facts);
}

export async function backupItem(deps: Dependencies, { actor }: StatusRequest): Promise<StatusItem> {
  const [{ schedule, last, isUnderWay }, { items }] = await Promise.all([
    deps.backups.overview(actor),
    deps.backups.page(actor, {}, { page: 1, limit: 1 }),
  ]);
  const [newest] = items;
  const facts = [...timeFact('Last', last?.createdAt ?? null), ...timeFact('Next', schedule.nextAt), fact('Folder', schedule.folder)];
  const finding = (state: 'warning' | 'problem', message: string) => item('backup', { state, message, action: 'open-backup' }, facts);
  if (newest?.status === 'failed') return finding('problem', `The last backup failed: ${newest.message ?? 'see the log for the reason.'}`);
  if (last === null) return finding('warning', isUnderWay ? 'The first backup is being created.' : 'No backup has been created yet.');
  if (last.check.status === 'bad')
    return finding('problem', `The last backup cannot be restored: ${last.check.message ?? 'it could not be opened.'}`);
  const ageMs = Date.now() - Date.parse(last.createdAt);
  if (!schedule.isOn) return finding('warning', `Automatic backups are off. The last backup is ${durationText(ageMs)} old.`);
  if (ageMs > BACKUP_LATE_MS) return finding('problem', `The last backup is ${durationText(ageMs)} old.`);
  const { transactions, status } = last.check;
  const opened = status === 'good' ? ` and verified: ${counted(transactions ?? 0, 'transaction', 'transactions')}, audit log valid` : '';
  return item('backup', { message: `The last backup was created ${durationText(Math.max(0, ageMs))} ago${opened}.` }, facts);
}

/** Returns the item of the archives of old years; none if there is no archive. */
export async function archiveItem(deps: Dependencies, { actor }: StatusRequest): Promise<StatusItem[]> {
  const archives = await deps.archives.all(actor);
  const [newest] = archives;
  if (newest === undefined) return [];
  const facts = [...timeFact('Last', newest.createdAt), ...(newest.folder === null ? [] : [fact('Folder', newest.folder)])];
  const problem = (message: string) => [item('archive', { state: 'problem', message, action: 'open-archive' }, facts)];
  const { year, status, message } = newest;
  if (status === 'failed') return problem(`The archive of ${year} failed: ${message ?? 'see the log for the reason.'}`);
  if (status === 'stopped') return problem(`The archive of ${year} is not complete: ${message ?? 'see the log for the reason.'}`);
  const damaged = archives.find(({ check }) => check.status === 'bad');
  if (damaged) return problem(`The archive of ${damaged.year} is damaged: ${damaged.check.message ?? 'it could not be opened.'}`);
  const text = status === 'made' ? `The last archived year is ${year}.` : `The archive of ${year} is being created.`;
  return [item('archive', { message: text }, facts)];
}

export async function keysItem(deps: Dependencies): Promise<StatusItem> {
  const { recoveryFileSavedAt, keptIn } = await deps.keyManagement.state();
  if (recoveryFileSavedAt === null && keptIn !== 'memory') {
    const message = 'The recovery file is not saved. If this computer is lost, all stored cards are lost.';
    return item('keys', { state: 'warning', message, action: 'save-recovery-file' });
  }
  return item('keys', { message: keptIn === 'memory' ? 'The master key is stored outside of Paydesk.' : 'The recovery file is saved.' }, [
    ...timeFact('Saved', recoveryFileSavedAt),
  ]);
}

export async function addressItem(
  deps: Dependencies,
  addresses: AddressChecks,
  { actor, environment }: StatusRequest,
): Promise<StatusItem> {
  const merchantUrls = (await deps.merchants.merchantsOf(actor)).flatMap(({ publicUrl }) => publicUrl ?? []);
  const origins = [...new Set([...(deps.publicUrl ? [deps.publicUrl] : []), ...merchantUrls])];
  const facts = origins.map((origin) => fact('Address', origin));
  const finding = (state: 'warning' | 'problem', message: string) =>
    item('public-address', { state, message, action: 'open-settings' }, facts);
  if (origins.length === 0) {
    const message = 'Payment links open only on this computer, because no public address is set.';
    return environment === 'live' ? finding('warning', message) : item('public-address', { message });
  }
  for (const origin of origins) {
    const { protocol, hostname, host } = new URL(origin);
    if (protocol === 'http:' && !LOOPBACK.test(hostname))
      return finding('problem', `${host} does not use encryption, so card numbers of payers would be sent unencrypted.`);
    const found = addresses.lastOf(origin, environment === 'live');
    if (found === null) continue;
    if ('problem' in found) return finding('problem', `${host} cannot be reached by payers: ${found.problem}`);
    if (found.validUntilMs === null) continue;
    const leftMs = found.validUntilMs - Date.now();
    facts.push(...timeFact('Certificate until', new Date(found.validUntilMs).toISOString()));
    if (leftMs <= 0) return finding('problem', `The certificate of ${host} has expired.`);
    if (leftMs < CERTIFICATE_WARNING_MS) return finding('warning', `The certificate of ${host} expires in ${durationText(leftMs)}.`);
  }
  return item('public-address', { message: 'Payers can reach their pages.' }, facts);
}
