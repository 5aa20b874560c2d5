// Card readers in the cloud of NMI: registration, payments by asynchronous requests, their states, and the actions of a person at a reader.
import { centsOf, type Entry, textOfCents } from '../ledger.ts';
import type { ProtocolFault, ReaderInput, ReceivedRequest, SimulatorContext, SimulatorResponse } from '../simulator-server.ts';

/** Actions at a reader that waits for a card. */
const ACTIONS = ['approve', 'decline', 'partial', 'other_amount', 'authorize', 'reverse', 'cancel', 'time_out'];
/** Code that an unregistered reader shows. */
const CODE = 'A1B2C3';
const START_FIELDS = [
  'security_key',
  'type',
  'amount',
  'currency',
  'orderid',
  'tax',
  'tip',
  'processor_id',
  'poi_device_id',
  'response_method',
  'poi_prompt_tip',
  'poi_prompt_quicktip_percentages',
  'partial_payments',
];
/** Fields of a verification, which has no amount and stores the card under the given ID. */
const VERIFICATION_FIELDS = [
  'security_key',
  'type',
  'orderid',
  'processor_id',
  'poi_device_id',
  'response_method',
  'customer_vault',
  'customer_vault_id',
];
const PERCENTAGES = /^\d{1,3}(\.\d{1,2})?(,\d{1,3}(\.\d{1,2})?){2,3}$/;

interface Device {
  readonly deviceId: string;
  readonly deviceNickname: string;
  isConnected: boolean;
  isRegistered: boolean;
}

interface Dialog {
  readonly guid: string;
  readonly deviceId: string;
  readonly orderId: string;
  readonly type: 'sale' | 'auth' | 'credit' | 'validate';
  /** ID under which the vault of the account stores the card of a verification. */
  readonly vaultId?: string;
  readonly amountMinor: number;
  readonly asksTip: boolean;
  state: 'inFlight' | 'cancelledAtTerminal' | 'cancelledByTimeout' | 'cancelledByApi' | 'interactionComplete';
  entry?: Entry;
  /** True if the reader lost its power in the dialog, and with it the state. */
  isLost?: true;
}

interface Readers {
  readonly devices: Device[];
  readonly dialogs: Dialog[];
}

const readersByContext = new WeakMap<SimulatorContext, Readers>();

function readersOf(context: SimulatorContext): Readers {
  const known = readersByContext.get(context);
  if (known) return known;
  const made: Readers = { devices: [], dialogs: [] };
  readersByContext.set(context, made);
  return made;
}

const runningOn = ({ dialogs }: Readers, deviceId: string) =>
  dialogs.find((each) => each.deviceId === deviceId && each.state === 'inFlight' && !each.isLost);

/** The JSON API of devices and states. */
export function devices({ method, path, authorization, body }: ReceivedRequest, context: SimulatorContext): SimulatorResponse {
  if (authorization !== `Bearer ${context.credentials.securityKey}`)
    return json(401, { error: { message: 'Missing/Invalid Authentication' } });
  const [, , area = '', action = '', operation = '', id = ''] = path.split('/');
  const readers = readersOf(context);
  if (area === 'asyncstatus') return method === 'GET' ? stateOf(readers, action, context) : json(405, {});
  if (context.quirks.has('no-readers')) return json(403, { error: { message: 'Encrypted Devices service is not enabled' } });
  switch (`${method} ${operation}`) {
    case 'POST register':
      return register(readers, context.quirks, JSON.parse(body) as Record<string, unknown>);
    case 'POST deregister': {
      const device = readers.devices.find(({ deviceId }) => deviceId === (JSON.parse(body) as { deviceId?: string }).deviceId);
      if (!device) return json(400, { error: { message: 'Missing device ID' } });
      device.isRegistered = false;
      return json(200, {});
    }
    case 'GET list': {
      const shown = readers.devices.filter(({ deviceId }) => id === '' || deviceId === id);
      return json(200, { devices: shown.map(deviceOf) });
    }
    default:
      return json(404, {});
  }
}

function register(
  readers: Readers,
  quirks: ReadonlySet<string>,
  { registrationCode, deviceNickname, ...others }: Record<string, unknown>,
): SimulatorResponse {
  if (Object.keys(others).length > 0) return json(400, { error: { message: 'Unknown field' } });
  if (typeof registrationCode !== 'string') return json(400, { error: { message: 'Missing registration code' } });
  if (quirks.has('taken')) return json(400, { error: { message: 'Device is registered to another account.' } });
  if (registrationCode !== CODE) return json(400, { error: { message: 'Invalid registration code. Please try again.' } });
  const device = {
    deviceId: `9f0e0000-0000-4000-8000-${String(readers.devices.length + 1).padStart(12, '0')}`,
    deviceNickname: String(deviceNickname ?? ''),
    isConnected: true,
    isRegistered: true,
  };
  readers.devices.push(device);
  return json(200, { poiDevice: { poiDeviceId: device.deviceId } });
}

const deviceOf = ({ deviceId, deviceNickname, isConnected, isRegistered }: Device) => ({
  deviceId,
  deviceNickname,
  make: 'Ingenico',
  model: 'Lane 3000',
  serialNumber: `SN-${deviceId.slice(-4)}`,
  registrationStatus: isRegistered ? 'registered' : 'deregistered',
  connectionStatus: isConnected ? 'connected' : 'disconnected',
});

function stateOf({ dialogs }: Readers, guid: string, { quirks }: SimulatorContext): SimulatorResponse {
  const dialog = dialogs.find((each) => each.guid === guid);
  if (!dialog || dialog.isLost) return json(404, { error: { message: 'Unknown status GUID' } });
  if (quirks.has('odd-state')) return json(200, { asyncStatus: 'rebooting' });
  const { state, entry } = dialog;
  const isShown = entry !== undefined && state === 'interactionComplete' && !quirks.has('no-transaction');
  return json(200, { asyncStatus: state, ...(isShown && { transaction: transactionOf(entry, quirks) }) });
}

function transactionOf({ reference, ourReference, state, details }: Entry, quirks: ReadonlySet<string>) {
  const success = state !== 'declined';
  const emvMetaData = { applicationLabel: 'Visa Credit' };
  if (quirks.has('other-names')) return { id: reference, success, authCode: details.auth, ccNumber: '4xxxxxxxxxxx1111', cardType: 'Visa' };
  return {
    id: reference,
    success,
    approval: success ? 'approved' : 'declined',
    orderid: quirks.has('other-order') ? 'ANOTHERORDER00000000' : ourReference,
    auth_code: details.auth,
    response_code: details.code,
    responsetext: details.text,
    card_type: 'visa',
    cc_number: '4xxxxxxxxxxx1111',
    entry_mode: details.entryMode ?? 'emv_icc',
    emvMetaData,
  };
}

/** A payment on a reader, or its cancellation. */
export function readerPayment(
  pairs: readonly (readonly [string, string])[],
  context: SimulatorContext,
  protocolFault: ProtocolFault | null,
): SimulatorResponse {
  const form = new Map(pairs);
  const readers = readersOf(context);
  const deviceId = form.get('poi_device_id') ?? '';
  const device = readers.devices.find((each) => each.deviceId === deviceId && each.isRegistered);
  if (form.get('security_key') !== context.credentials.securityKey) return refused('Authentication Failed');
  if (protocolFault?.kind === 'code') return refused(`Result ${protocolFault.code}`, protocolFault.code);
  if (!device) return refused('Invalid poi_device_id');
  if (form.has('poi_request')) {
    if (form.get('poi_request') !== 'cancellation') return refused('Invalid poi_request');
    const running = runningOn(readers, deviceId);
    // An authorization that has begun is not canceled.
    if (running && !running.entry) running.state = 'cancelledByApi';
    return line({ response: '1', responsetext: 'SUCCESS', response_code: '100' });
  }
  const type = form.get('type');
  const known = type === 'validate' ? VERIFICATION_FIELDS : START_FIELDS;
  const unknown = [...form.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) return refused(`Invalid variable ${unknown}`);
  const amountMinor = type === 'validate' ? 0 : centsOf(form.get('amount') ?? '');
  if (type !== 'sale' && type !== 'auth' && type !== 'credit' && type !== 'validate') return refused('Invalid Transaction Type');
  if (type === 'credit' && context.quirks.has('no-credits')) return refused('Credits are not allowed');
  if (amountMinor === undefined || (amountMinor === 0 && type !== 'validate')) return refused('Invalid amount');
  const vaultId = form.get('customer_vault_id');
  if (type === 'validate' && (form.get('customer_vault') !== 'add_customer' || !vaultId)) return refused('Invalid customer_vault');
  if (form.get('response_method') !== 'asynchronous') return refused('Invalid response_method');
  const asksTip = form.has('poi_prompt_tip');
  const percentages = form.get('poi_prompt_quicktip_percentages');
  if (asksTip && form.get('poi_prompt_tip') !== 'true') return refused('Invalid poi_prompt_tip');
  if (percentages !== undefined && (!asksTip || !PERCENTAGES.test(percentages))) return refused('Invalid poi_prompt_quicktip_percentages');
  if (form.has('partial_payments') && form.get('partial_payments') !== 'settle_partial') return refused('Invalid partial_payments');
  if (!device.isConnected) return refused('Device is offline');
  if (context.quirks.has('updating')) return refused('Device update in progress');
  if (runningOn(readers, deviceId)) return refused('Device currently in use');
  const guid = `5c1d0000-0000-4000-8000-${String(readers.dialogs.length + 1).padStart(12, '0')}`;
  readers.dialogs.push({ guid, deviceId, orderId: form.get('orderid') ?? '', type, amountMinor, asksTip, state: 'inFlight', vaultId });
  return line({ response: '1', responsetext: 'Waiting for the device', response_code: '101', async_status_guid: guid });
}

/** Acts at a reader as a person does. */
export function presentToDevice(
  context: SimulatorContext,
  { action, deviceId, entryMode, code = '202', tipMinor = 0 }: ReaderInput,
): boolean {
  const readers = readersOf(context);
  const device = readers.devices.findLast((each) => deviceId === undefined || each.deviceId === deviceId);
  if (!device) return false;
  if (action === 'unplug' || action === 'connect') {
    device.isConnected = action === 'connect';
    const running = runningOn(readers, device.deviceId);
    if (running && action === 'unplug') running.isLost = true;
    return true;
  }
  const dialog = runningOn(readers, device.deviceId);
  if (!dialog || !ACTIONS.includes(action)) return false;
  if (action === 'cancel' || action === 'time_out') {
    dialog.state = action === 'cancel' ? 'cancelledAtTerminal' : 'cancelledByTimeout';
    return true;
  }
  if (dialog.entry !== undefined) {
    if (action === 'reverse') context.ledger.void(dialog.entry);
    dialog.state = 'interactionComplete';
    return true;
  }
  const { orderId: ourReference, type: operation } = dialog;
  const isDeclined = action === 'decline';
  const chosenTip = dialog.asksTip ? tipMinor : 0;
  const totalMinor = dialog.amountMinor + chosenTip;
  const approvedMinor = { partial: Math.trunc(totalMinor / 2), other_amount: totalMinor + 100 }[action as string] ?? totalMinor;
  dialog.entry = context.ledger.add({
    ourReference,
    operation,
    state: isDeclined ? 'declined' : operation === 'auth' ? 'authorized' : 'captured',
    amountMinor: operation === 'validate' ? 0 : approvedMinor,
    method: 'card',
    last4: '1111',
    details: {
      code: isDeclined ? code : '100',
      text: isDeclined ? 'DECLINE' : 'SUCCESS',
      auth: isDeclined ? '' : '042042',
      requested: textOfCents(dialog.amountMinor),
      ...(entryMode !== undefined && { entryMode }),
      ...(dialog.vaultId !== undefined && !isDeclined && !context.quirks.has('no-vault') && { vaultId: dialog.vaultId }),
    },
  });
  if (action === 'reverse') context.ledger.void(dialog.entry);
  if (action !== 'authorize') dialog.state = 'interactionComplete';
  return true;
}

const json = (status: number, value: object): SimulatorResponse => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(value),
});
const refused = (responsetext: string, code = '300') => line({ response: '3', responsetext, response_code: code });
const line = (shown: Readonly<Record<string, string>>): SimulatorResponse => ({
  status: 200,
  contentType: 'text/html; charset=UTF-8',
  body: new URLSearchParams(shown).toString(),
});
