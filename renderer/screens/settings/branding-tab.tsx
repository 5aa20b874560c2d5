import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type DragEvent, useRef, useState } from 'react';
import { t } from '#renderer/base/language';
import { announce, showToast } from '#renderer/kit/ui';
import { SETTING_NAMES } from '#renderer/shared/settings-pages';
import { Group, TextSetting } from './fields.tsx';
import type { TabProps } from './form-tabs.tsx';
import { SectionForm } from './section-form.tsx';
import type { ValuesOf } from './sections.ts';
import type { Draft } from './use-draft.ts';

/** Returns the WCAG relative luminance of a color such as #0F5C73. */
function luminance(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colors, from 1 to 21. */
function contrastOf(left: string, right: string): number {
  const [lighter, darker] = [luminance(left), luminance(right)].sort((one, other) => other - one) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

const WHITE = '#FFFFFF';
const READABLE = 4.5;

const isColor = (text: string) => /^#[0-9a-fA-F]{6}$/.test(text);

/** Returns the same hue, darkened until white text on it is readable. */
function readable(color: string): string {
  let [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as [number, number, number];
  const hex = () => `#${[red, green, blue].map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
  while (contrastOf(hex(), WHITE) < READABLE) [red, green, blue] = [red * 0.95, green * 0.95, blue * 0.95];
  return hex().toUpperCase();
}

type Branding = ValuesOf<'branding'>;

const LOGO_BYTES_MAX = 200_000;
const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'];
const COLORS = [
  ['primaryColor', t('Primary color'), t('Primary color picker')],
  ['accentColor', t('Accent color'), t('Accent color picker')],
] as const;

/** Look of pages and receipts, with a preview. */
export function BrandingTab({ merchantId }: TabProps) {
  return (
    <SectionForm merchantId={merchantId} name="branding">
      {(draft: Draft<Branding>, isReadOnly) => (
        <Box sx={{ display: 'grid', gap: 6, gridTemplateColumns: { xs: '1fr', md: '1fr 280px' } }}>
          <Group title={SETTING_NAMES.branding.look}>
            <TextSetting
              label={SETTING_NAMES.branding.companyName}
              value={draft.values.companyName}
              onValue={(companyName) => draft.set({ companyName })}
              fault={draft.faultOf('companyName')}
              isReadOnly={isReadOnly}
            />
            {COLORS.map(([field, label, pickerLabel]) => (
              <ColorSetting key={field} field={field} label={label} pickerLabel={pickerLabel} draft={draft} isReadOnly={isReadOnly} />
            ))}
            <Logo draft={draft} isReadOnly={isReadOnly} />
          </Group>
          <Preview branding={draft.values} />
        </Box>
      )}
    </SectionForm>
  );
}

interface ColorProps {
  readonly field: 'primaryColor' | 'accentColor';
  readonly label: string;
  readonly pickerLabel: string;
  readonly draft: Draft<Branding>;
  readonly isReadOnly: boolean;
}

function ColorSetting({ field, label, pickerLabel, draft, isReadOnly }: ColorProps) {
  const color = draft.values[field];
  const contrast = isColor(color) ? contrastOf(color, '#FFFFFF') : undefined;
  return (
    <Box sx={{ display: 'flex', gap: 3, alignItems: 'flex-start' }}>
      <Box sx={{ flex: 1 }}>
        <TextSetting
          label={label}
          value={color}
          onValue={(value) => draft.set({ [field]: value })}
          fault={draft.faultOf(field)}
          help={contrast === undefined ? t('Such as #0F5C73') : contrastText(contrast)}
          isReadOnly={isReadOnly}
        />
      </Box>
      <Box
        component="input"
        type="color"
        aria-label={pickerLabel}
        value={isColor(color) ? color : '#000000'}
        disabled={isReadOnly}
        onChange={(event: React.ChangeEvent<HTMLInputElement>) => draft.set({ [field]: event.target.value.toUpperCase() })}
        sx={{ width: 48, height: 40, p: 0.5, border: 1, borderColor: 'divider', borderRadius: 1, background: 'none', mt: 5 }}
      />
    </Box>
  );
}

function contrastText(contrast: number): string {
  const values = { contrast: contrast.toFixed(1) };
  return contrast >= READABLE
    ? t('Contrast with white {{contrast}}: readable', values)
    : t('Contrast with white {{contrast}}: too low, so text uses a darker shade as background', values);
}

function Logo({ draft, isReadOnly }: { draft: Draft<Branding>; isReadOnly: boolean }) {
  const picker = useRef<HTMLInputElement>(null);
  const [isDropTarget, setDropTarget] = useState(false);
  const readFile = async (file: File | undefined) => {
    if (!file) return;
    if (!LOGO_TYPES.includes(file.type)) return showToast(t('The logo must be a PNG, JPEG or WebP image.'));
    if (file.size > LOGO_BYTES_MAX) return showToast(t('The image is larger than 200 KB.'));
    const reader = new FileReader();
    reader.onload = () => {
      draft.set({ logoUrl: String(reader.result) });
      announce(t('Logo chosen.'));
    };
    reader.readAsDataURL(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDropTarget(false);
    if (!isReadOnly) void readFile(event.dataTransfer.files[0]);
  };
  return (
    <Box
      onDragOver={(event) => {
        event.preventDefault();
        setDropTarget(!isReadOnly);
      }}
      onDragLeave={() => setDropTarget(false)}
      onDrop={drop}
      sx={{
        display: 'grid',
        gap: 2,
        p: 3,
        border: 1,
        borderStyle: 'dashed',
        borderColor: isDropTarget ? 'primary.main' : 'divider',
        borderRadius: 1,
      }}
    >
      <TextSetting
        label={SETTING_NAMES.branding.logo}
        value={draft.values.logoUrl?.startsWith('data:') ? t('Image from this computer') : (draft.values.logoUrl ?? '')}
        onValue={(value) => draft.set({ logoUrl: value === '' ? null : value })}
        fault={draft.faultOf('logoUrl')}
        help={t('HTTPS URL, or drop a PNG, JPEG or WebP image of up to 200 KB here')}
        isReadOnly={isReadOnly || draft.values.logoUrl?.startsWith('data:') === true}
      />
      <Box sx={{ display: 'flex', gap: 2 }}>
        <Button variant="outlined" disabled={isReadOnly} onClick={() => picker.current?.click()}>
          {t('Choose image')}
        </Button>
        {draft.values.logoUrl !== null && (
          <Button variant="text" disabled={isReadOnly} onClick={() => draft.set({ logoUrl: null })}>
            {t('Remove logo')}
          </Button>
        )}
      </Box>
      <input
        ref={picker}
        type="file"
        accept={LOGO_TYPES.join(',')}
        hidden
        aria-label={t('Logo file')}
        onChange={(event) => void readFile(event.target.files?.[0])}
      />
    </Box>
  );
}

/** Preview of a receipt header and a button. */
function Preview({ branding }: { branding: Branding }) {
  const { companyName, primaryColor, accentColor, logoUrl } = branding;
  const primary = isColor(primaryColor) ? readable(primaryColor) : '#0F5C73';
  const accent = isColor(accentColor) ? readable(accentColor) : '#17683D';
  return (
    <Box
      aria-label={t('Preview')}
      role="img"
      sx={{
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        overflow: 'hidden',
        alignSelf: 'start',
        bgcolor: '#FFFFFF',
        color: '#14181F',
      }}
    >
      <Box sx={{ p: 4, bgcolor: primary, color: '#FFFFFF', display: 'flex', gap: 3, alignItems: 'center', minHeight: 64 }}>
        {logoUrl?.startsWith('data:') && <Box component="img" src={logoUrl} alt="" sx={{ maxHeight: 36, maxWidth: 96 }} />}
        <Box sx={{ fontWeight: 650, fontSize: 16, overflowWrap: 'anywhere' }}>{companyName}</Box>
      </Box>
      <Box sx={{ p: 4, display: 'grid', gap: 3, fontSize: 13 }}>
        <Box sx={{ display: 'flex', justifyContent: 'space-between' }}>
          <span>{t('Breakfast for two')}</span>
          <span>24.50</span>
        </Box>
        <Box sx={{ display: 'flex', justifyContent: 'space-between', fontWeight: 650, fontSize: 16 }}>
          <span>{t('Total')}</span>
          <span>24.50</span>
        </Box>
        <Box sx={{ bgcolor: accent, color: '#FFFFFF', borderRadius: 1, textAlign: 'center', py: 2, fontWeight: 600 }}>{t('Pay 24.50')}</Box>
      </Box>
    </Box>
  );
}
