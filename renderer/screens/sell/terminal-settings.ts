import { DESK_CHANNELS, type DeskChannel } from '#shared/channels';
import { SALE_MODES, SALE_TYPES, type SaleMode, type SaleType } from './form/form.ts';

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
  readonly type: SaleType;
  readonly autoPrint: boolean;
  readonly asksTip: boolean;
  readonly channel: DeskChannel;
}

const API_METHODS: Readonly<Record<SaleMode, string>> = { card: 'card', bank: 'ach', saved: 'token' };

export function terminalSettings({ vtSettings }: TerminalMerchant): TerminalSettings {
  const settings: Record<string, unknown> = typeof vtSettings === 'object' && vtSettings !== null ? { ...vtSettings } : {};
  const { requireCvv, requireZip, allowedModes, defaultType, autoPrint, tipEnabled, channel } = settings;
  const allowed = Array.isArray(allowedModes)
    ? SALE_MODES.filter((mode) => allowedModes.includes(API_METHODS[mode]) || allowedModes.includes(mode))
    : [];
  return {
    requireCode: requireCvv !== false,
    requireZip: requireZip !== false,
    modes: allowed.length > 0 ? allowed : SALE_MODES,
    type: SALE_TYPES.find((type) => type === defaultType) ?? 'sale',
    autoPrint: autoPrint === true,
    asksTip: tipEnabled === true,
    channel: DESK_CHANNELS.find((each) => each === channel) ?? 'phone',
  };
}
