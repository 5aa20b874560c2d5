import type { DamagedDatabase } from '#core/platform/integrity';
import type { Certificates } from './certificate.ts';
import type { ClockWatch } from './clock-watch.ts';
import type { Asked, Dependencies, StatusStation } from './dependencies.ts';
import { counted, fact, item, lengthText, moment, type StatusItem, sizeText } from './item.ts';

const DAY_MS = 86_400_000;
/** A daily backup that is two hours late did not happen. */
const BACKUP_LATE_MS = 26 * 3_600_000;
/** Codes and leases begin to suffer. */
const SKEW_MS = 5_000;
const STEP_TOLD_MS = DAY_MS;
const CERTIFICATE_WARNING_MS = 21 * DAY_MS;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export function serverItem(station: StatusStation, environment: 'sandbox' | 'live'): StatusItem {
  const uptimeMs = process.uptime() * 1_000;
  return item('server', { message: `Paydesk ${station.version} has been running for ${lengthText(uptimeMs)}.` }, [
    fact('Address', station.address() ?? 'none'),
    fact('Environment', environment),
    ...moment('Since', new Date(Date.now() - uptimeMs).toISOString()),
  ]);
}

function damageItem({ message, instructions, file }: DamagedDatabase): StatusItem {
  return item('database', { state: 'problem', message: `${message} ${instructions}`, action: 'open-backup' }, [fact('File', file)]);
}

export async function databaseAndClock(deps: Dependencies, clock: ClockWatch): Promise<StatusItem[]> {
  const { damage } = deps.database.health();
  if (damage) return [damageItem(damage), clockItem(0, clock, false)];
  const { bytes, stations, nowMs } = await deps.database.status();
  const isShared = deps.database.kind === 'postgres';
  const kind = isShared ? 'PostgreSQL' : 'SQLite';
  const desks = isShared ? [fact('Stations', counted(stations, 'station', 'stations'))] : [];
  return [
    item('database', { message: `${kind} answers.` }, [fact('Kind', kind), fact('Size', sizeText(bytes)), ...desks]),
    clockItem(isShared ? Date.now() - nowMs : 0, clock, isShared),
  ];
}

function clockItem(skewMs: number, clock: ClockWatch, isShared: boolean): StatusItem {
  const step = clock.look();
  const facts = [
    ...(isShared ? [fact('Against the database', `${(skewMs / 1_000).toFixed(1)} s`)] : []),
    ...(step === null ? [] : moment('Set back', step.seenAt)),
  ];
  if (Math.abs(skewMs) > SKEW_MS) {
    const message = `This computer’s clock is ${lengthText(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} the database’s: set both by a time server.`;
    return item('clock', { state: 'problem', message }, facts);
  }
  if (step !== null && Date.now() - Date.parse(step.seenAt) < STEP_TOLD_MS) {
    const message = `This computer’s clock was set back by ${lengthText(-step.byMs)}: times around then are out of order.`;
    return item('clock', { state: 'warning', message }, facts);
  }
  return item('clock', { message: 'The clock keeps its pace.' }, facts);
}

export async function backupItem(deps: Dependencies, { by }: Asked): Promise<StatusItem> {
  const [{ schedule, last, isUnderWay }, { items }] = await Promise.all([
    deps.backups.overview(by),
    deps.backups.page(by, {}, { page: 1, limit: 1 }),
  ]);
  const [newest] = items;
  const facts = [...moment('Last', last?.createdAt ?? null), ...moment('Next', schedule.nextAt), fact('Folder', schedule.folder)];
  const finding = (state: 'warning' | 'problem', message: string) => item('backup', { state, message, action: 'open-backup' }, facts);
  if (newest?.status === 'failed') return finding('problem', `The last backup failed: ${newest.message ?? 'the log says why.'}`);
  if (last === null) return finding('warning', isUnderWay ? 'The first backup is being made.' : 'No backup has been made yet.');
  if (last.check.status === 'bad')
    return finding('problem', `The last backup cannot be restored: ${last.check.message ?? 'it could not be opened.'}`);
  const ageMs = Date.now() - Date.parse(last.createdAt);
  if (!schedule.isOn) return finding('warning', `Backups are made by hand only; the last one is ${lengthText(ageMs)} old.`);
  if (ageMs > BACKUP_LATE_MS) return finding('problem', `The last backup is ${lengthText(ageMs)} old.`);
  const { transactions, status } = last.check;
  const opened = status === 'good' ? ` and opened: ${counted(transactions ?? 0, 'transaction', 'transactions')}, audit log valid` : '';
  return item('backup', { message: `The last backup was made ${lengthText(Math.max(0, ageMs))} ago${opened}.` }, facts);
}

export async function keysItem(deps: Dependencies): Promise<StatusItem> {
  const { recoveryFileSavedAt, keptIn } = await deps.custody.state();
  if (recoveryFileSavedAt === null && keptIn !== 'memory') {
    const message = 'The recovery file is not saved: if this computer is lost, every stored card is lost with it.';
    return item('keys', { state: 'warning', message, action: 'save-recovery-file' });
  }
  return item('keys', { message: keptIn === 'memory' ? 'The master key is kept outside of Paydesk.' : 'The recovery file is saved.' }, [
    ...moment('Saved', recoveryFileSavedAt),
  ]);
}

export async function addressItem(deps: Dependencies, certificates: Certificates, { by, environment }: Asked): Promise<StatusItem> {
  const own = (await deps.merchants.merchantsOf(by)).flatMap(({ publicUrl }) => publicUrl ?? []);
  const origins = [...new Set([...(deps.publicUrl ? [deps.publicUrl] : []), ...own])];
  const facts = origins.map((origin) => fact('Address', origin));
  const finding = (state: 'warning' | 'problem', message: string) =>
    item('public-address', { state, message, action: 'open-settings' }, facts);
  if (origins.length === 0) {
    const message = 'Payment links open on this computer alone: no public address is set.';
    return environment === 'live' ? finding('warning', message) : item('public-address', { message });
  }
  for (const origin of origins) {
    const { protocol, hostname, host } = new URL(origin);
    if (protocol === 'http:') {
      if (!LOOPBACK.test(hostname))
        return finding('problem', `${host} is reached without encryption: payers would type cards in the clear.`);
      continue;
    }
    const certificate = certificates.of(origin);
    if (certificate === null) continue;
    if ('problem' in certificate) return finding('problem', `${host} cannot be reached as payers reach it: ${certificate.problem}.`);
    const leftMs = certificate.validUntilMs - Date.now();
    facts.push(...moment('Certificate until', new Date(certificate.validUntilMs).toISOString()));
    if (leftMs <= 0) return finding('problem', `The certificate of ${host} has expired.`);
    if (leftMs < CERTIFICATE_WARNING_MS) return finding('warning', `The certificate of ${host} expires in ${lengthText(leftMs)}.`);
  }
  return item('public-address', { message: 'Payers reach their pages.' }, facts);
}
