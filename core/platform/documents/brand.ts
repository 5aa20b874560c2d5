import { type Picture, pictureOf } from '#core/platform/received-files';
import { isColor } from './color.ts';
import { plain } from './plain.ts';

/** Fields of a merchant that documents show. */
export interface BrandedMerchant {
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip: string | null;
  readonly branding: {
    readonly logoUrl: string | null;
    readonly primaryColor: string;
    readonly accentColor: string;
    readonly companyName: string;
  };
}

/** Branding of a merchant's documents, emails and pages. Texts are sanitized by `plain()`, but not escaped. */
export interface Brand {
  readonly companyName: string;
  /** A stored picture. Nothing is downloaded for a document. */
  readonly logo: Picture | null;
  /** `#rrggbb`. */
  readonly primaryColor: string;
  readonly accentColor: string;
  /** Lines with the address and contact details. */
  readonly lines: readonly string[];
}

const FALLBACK = { primaryColor: '#0F5C73', accentColor: '#17683D' } as const;

export function brandOf({ name, email, phone, address, city, state, zip, branding }: BrandedMerchant): Brand {
  const place = [city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  return {
    companyName: plain(branding.companyName) || plain(name),
    logo: pictureOf(branding.logoUrl),
    primaryColor: isColor(branding.primaryColor) ? branding.primaryColor : FALLBACK.primaryColor,
    accentColor: isColor(branding.accentColor) ? branding.accentColor : FALLBACK.accentColor,
    lines: [address, place, phone, email].flatMap((line) => (line ? [plain(line)] : [])).filter(Boolean),
  };
}
