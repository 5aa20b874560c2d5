import { DESK_CHANNELS, type DeskChannel } from '#shared/channels';
import { type ChargeMode, SALE_TYPES, type SaleMode, type SaleType, type TenderMode } from '../form/form.ts';

/** Part of a merchant that the terminal uses. */
interface TerminalMerchant {
  readonly merchantId: string;
  readonly vtSettings?: unknown;
}

/** Settings of a merchant's virtual terminal. By default, keyed cards require CVV and ZIP. */
export interface TerminalSettings {
  readonly requireCode: boolean;
  readonly requireZip: boolean;
  readonly modes: readonly SaleMode[];
  /** Mode of a new sale. */
  readonly mode: SaleMode;
  readonly type: SaleType;
  readonly autoPrint: boolean;
  readonly asksTip: boolean;
  readonly channel: DeskChannel;
}

type MethodMode = Exclude<ChargeMode, 'reader'>;

const METHOD_MODES = ['card', 'bank', 'saved'] as const satisfies readonly MethodMode[];
const API_METHODS: Readonly<Record<MethodMode, string>> = { card: 'card', bank: 'ach', saved: 'token' };

export function terminalSettings({ vtSettings }: TerminalMerchant): TerminalSettings {
  const settings: Record<string, unknown> = typeof vtSettings === 'object' && vtSettings !== null ? { ...vtSettings } : {};
  const { requireCvv, requireZip, allowedModes, defaultType, autoPrint, tipEnabled, channel } = settings;
  const allowed = Array.isArray(allowedModes)
    ? METHOD_MODES.filter((mode) => allowedModes.includes(API_METHODS[mode]) || allowedModes.includes(mode))
    : [];
  const modes = allowed.length > 0 ? allowed : METHOD_MODES;
  return {
    requireCode: requireCvv !== false,
    requireZip: requireZip !== false,
    modes,
    mode: modes[0] ?? 'card',
    type: SALE_TYPES.find((type) => type === defaultType) ?? 'sale',
    autoPrint: autoPrint === true,
    asksTip: tipEnabled === true,
    channel: DESK_CHANNELS.find((each) => each === channel) ?? 'phone',
  };
}

/** Returns the settings with the tenders that the person may take; cash is as near as the card. */
export function withTenders(settings: TerminalSettings, tenders: readonly TenderMode[]): TerminalSettings {
  const [first, ...others] = settings.modes;
  const cash = tenders.filter((mode) => mode === 'cash');
  return { ...settings, modes: [...(first ? [first] : []), ...cash, ...others, ...tenders.filter((mode) => mode !== 'cash')] };
}

/** Returns the settings with the card readers of the merchant. A card reader of this workstation is the first way to pay. */
export function withReaders(
  settings: TerminalSettings,
  readers: { readonly areOffered: boolean; readonly isFirst: boolean },
): TerminalSettings {
  if (!readers.areOffered) return settings;
  return { ...settings, modes: ['reader', ...settings.modes], mode: readers.isFirst ? 'reader' : settings.mode };
}
