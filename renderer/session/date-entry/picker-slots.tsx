import type { SxProps, Theme } from '@mui/material/styles';
import { Calendar, ChevronDown, ChevronLeft, ChevronRight, Clock } from 'lucide-react';
import type { EntryKind } from './props.ts';

const CalendarIcon = () => <Calendar size={16} aria-hidden />;
const ClockIcon = () => <Clock size={16} aria-hidden />;
const VIEW_ICONS = {
  leftArrowIcon: () => <ChevronLeft size={18} aria-hidden />,
  rightArrowIcon: () => <ChevronRight size={18} aria-hidden />,
  switchViewIcon: () => <ChevronDown size={18} aria-hidden />,
} as const;

/** Icons of the button in the field and of the calendar. */
export const SLOTS = {
  date: { openPickerIcon: CalendarIcon, ...VIEW_ICONS },
  time: { openPickerIcon: ClockIcon, ...VIEW_ICONS },
  'date-time': { openPickerIcon: CalendarIcon, ...VIEW_ICONS },
} as const satisfies Record<EntryKind, object>;

/** Look of the other text fields. */
export const FIELD_STYLE: SxProps<Theme> = (theme) => ({
  '& .MuiPickersOutlinedInput-root': {
    minHeight: 40,
    paddingInlineEnd: '4px',
    letterSpacing: 0,
    backgroundColor: theme.vars.palette.background.paper,
    '&:hover:not(.Mui-error, .Mui-disabled, .Mui-focused) .MuiPickersOutlinedInput-notchedOutline': {
      borderColor: theme.vars.palette.text.secondary,
    },
    '&.Mui-disabled': { color: theme.vars.palette.text.disabled },
  },
  '& .MuiPickersOutlinedInput-notchedOutline': { top: 0, borderColor: theme.vars.palette.outline, '& legend': { display: 'none' } },
  // The library makes the parts of an empty field transparent, below the contrast that text needs.
  '& .MuiPickersInputBase-sectionsContainer': { width: 'auto', minWidth: 0, opacity: 1 },
  '& [role=spinbutton]:not([aria-valuenow]), & [role=spinbutton]:not([aria-valuenow]) ~ .MuiPickersInputBase-sectionAfter': {
    color: theme.vars.palette.text.secondary,
  },
  '& .MuiInputAdornment-root': { marginInlineStart: '4px' },
});

/** Look of the other windows below buttons. */
export const PAPER_STYLE: SxProps<Theme> = (theme) => ({
  border: `1px solid ${theme.vars.palette.divider}`,
  boxShadow: '0 8px 24px rgb(8 14 20 / 0.18)',
  '& .MuiPickerDay-root': { fontSize: 13 },
  // The lists of hours and minutes are as wide as the buttons below.
  '& .MuiPickersLayout-contentWrapper:has(> .MuiMultiSectionDigitalClock-root:only-child)': { gridColumn: '1 / 4' },
  '& .MuiMultiSectionDigitalClockSection-root': { flexGrow: 1 },
  '& .MuiMultiSectionDigitalClockSection-item': { fontSize: 14, width: 'auto' },
});
