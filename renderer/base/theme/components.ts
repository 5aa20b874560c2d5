import type { ThemeOptions } from '@mui/material/styles';
import { motionMs } from './motion.ts';

const FIELD_HEIGHT_PX = 40;
const TARGET_MIN_PX = 24;
/** Style of a target for a finger. */
const TOUCH = { '@media (pointer: coarse)': { minHeight: 44, minWidth: 44 } } as const;
const MOTION_MS = motionMs(140);

/**
 * ID of the element for overlays (dialogs, drawers, menus): the lock screen covers it as well, and the page is hidden from screen readers
 * while an overlay is open.
 */
export const APP_ID = 'desk';
const appElement = () => document.getElementById(APP_ID);

/** Look of the library's controls: labels above fields, hairlines instead of shadows, one weight of button. */
export const COMPONENTS: ThemeOptions['components'] = {
  MuiCssBaseline: {
    styleOverrides: {
      'html, body, #root': { height: '100%', '@media print': { height: 'auto' } },
      'code, .mono': { fontFamily: 'ui-monospace, "SFMono-Regular", "Cascadia Mono", Menlo, Consolas, monospace', fontSize: '0.93em' },
      'h1:focus, h2:focus': { outline: 'none' },
      '@media (prefers-reduced-motion: reduce)': {
        // Not a short duration: each element would start a transition for each change of a style, and an endless animation would draw every frame.
        '*, *::before, *::after': {
          transition: 'none !important',
          animationDuration: '0.01ms !important',
          animationIterationCount: '1 !important',
        },
        // Without its animation, the bar has no width.
        '.MuiLinearProgress-indeterminate > .MuiLinearProgress-bar1': { width: '40%' },
      },
      // High contrast removes background colors, by which chosen items and the main button differ otherwise.
      '@media (forced-colors: active)': {
        '[aria-current]:not([aria-current=false]), [aria-selected=true], [aria-pressed=true], [aria-checked=true], label:has(> :checked)': {
          outline: '2px solid Highlight !important',
          outlineOffset: '-2px !important',
        },
        '.MuiButton-contained': { border: '2px solid ButtonText !important' },
        '.MuiButton-contained:disabled': { borderColor: 'GrayText !important' },
        '.MuiSwitch-switchBase.Mui-checked + .MuiSwitch-track': {
          backgroundColor: 'Highlight !important',
          opacity: '1 !important',
          forcedColorAdjust: 'none',
        },
      },
    },
  },
  MuiButtonBase: { defaultProps: { disableRipple: true } },
  MuiTab: {
    styleOverrides: {
      root: ({ theme }) => ({
        textTransform: 'none',
        minHeight: 40,
        paddingInline: 12,
        minWidth: 0,
        fontWeight: 550,
        // The line below the chosen tab stays with its row when tabs wrap.
        '&.Mui-selected': { boxShadow: `inset 0 -2px ${theme.vars.palette.primary.main}` },
        ...TOUCH,
      }),
    },
  },
  MuiTabs: {
    defaultProps: { variant: 'scrollable', scrollButtons: false },
    styleOverrides: {
      root: { minHeight: 40 },
      // On a phone, wrapped tabs would fill the screen.
      list: ({ theme }) => ({ [theme.breakpoints.up('sm')]: { flexWrap: 'wrap' } }),
      indicator: { display: 'none' },
    },
  },
  MuiButton: {
    defaultProps: { disableElevation: true, variant: 'outlined', color: 'inherit' },
    styleOverrides: {
      root: ({ theme }) => ({
        minHeight: 36,
        paddingInline: 14,
        fontWeight: 550,
        textTransform: 'none',
        whiteSpace: 'nowrap',
        transitionDuration: `${MOTION_MS}ms`,
        // The library sizes icons with this selector; a key hint beside a label keeps its own size.
        '& .MuiButton-endIcon > kbd:nth-of-type(1)': { fontSize: 12 },
        '&.MuiButton-outlined.MuiButton-colorInherit': { borderColor: theme.vars.palette.outline },
        '&.MuiButton-sizeLarge': { minHeight: 44, fontSize: 16 },
        '&.MuiButton-sizeSmall': { minHeight: 30, paddingInline: 10, fontSize: 13, ...TOUCH },
        ...TOUCH,
      }),
    },
  },
  MuiIconButton: { styleOverrides: { root: { borderRadius: 6, minWidth: TARGET_MIN_PX, minHeight: TARGET_MIN_PX, ...TOUCH } } },
  MuiModal: { defaultProps: { container: appElement } },
  MuiPopper: { defaultProps: { container: appElement } },
  MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiDialog: {
    styleOverrides: {
      paper: ({ theme }) => ({ border: `1px solid ${theme.vars.palette.divider}`, boxShadow: '0 16px 48px rgb(8 14 20 / 0.28)' }),
    },
  },
  MuiDialogTitle: { styleOverrides: { root: { fontSize: 16, fontWeight: 600, padding: '20px 24px 8px' } } },
  MuiDialogActions: {
    styleOverrides: { root: { padding: '12px 24px 20px', gap: 8, '& > :not(style) ~ :not(style)': { marginInlineStart: 0 } } },
  },
  MuiDrawer: { styleOverrides: { paper: ({ theme }) => ({ borderInlineStart: `1px solid ${theme.vars.palette.divider}` }) } },
  MuiBackdrop: { styleOverrides: { root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: 'rgb(10 16 22 / 0.42)' } } } },
  MuiPopover: {
    styleOverrides: {
      paper: ({ theme }) => ({ border: `1px solid ${theme.vars.palette.divider}`, boxShadow: '0 8px 24px rgb(8 14 20 / 0.18)' }),
    },
  },
  MuiMenuItem: { styleOverrides: { root: { minHeight: 36, fontSize: 14, gap: 8, ...TOUCH } } },
  MuiTextField: { defaultProps: { size: 'small', fullWidth: true } },
  MuiFormControl: { defaultProps: { size: 'small' } },
  MuiInputLabel: {
    defaultProps: { shrink: true },
    styleOverrides: {
      root: ({ theme }) => ({
        position: 'static',
        transform: 'none',
        maxWidth: '100%',
        marginBottom: 4,
        fontSize: 12,
        lineHeight: '16px',
        fontWeight: 550,
        color: theme.vars.palette.text.secondary,
        '&.Mui-error': { color: theme.vars.palette.error.main },
      }),
      asterisk: { display: 'none' },
    },
  },
  MuiOutlinedInput: {
    defaultProps: { notched: false },
    styleOverrides: {
      root: ({ theme }) => ({
        minHeight: FIELD_HEIGHT_PX,
        '@media (pointer: coarse)': { minHeight: 44 },
        backgroundColor: theme.vars.palette.background.paper,
        '&:hover:not(.Mui-error, .Mui-disabled, .Mui-focused) .MuiOutlinedInput-notchedOutline': {
          borderColor: theme.vars.palette.text.secondary,
        },
      }),
      notchedOutline: ({ theme }) => ({
        top: 0,
        borderColor: theme.vars.palette.outline,
        '& legend': { display: 'none' },
      }),
    },
  },
  MuiFormHelperText: { styleOverrides: { root: { marginInline: 0, marginTop: 4, fontSize: 12, lineHeight: '16px' } } },
  MuiAutocomplete: {
    styleOverrides: {
      // The highlighted option is the one that Enter selects, so it must be visible.
      option: ({ theme }) => ({ '&.Mui-focused.Mui-focused': { backgroundColor: theme.vars.palette.tone.info.tint } }),
    },
  },
  MuiListSubheader: {
    styleOverrides: {
      root: ({ theme }) => ({ fontSize: 12, lineHeight: '28px', fontWeight: 550, color: theme.vars.palette.text.secondary }),
    },
  },
  MuiSelect: { defaultProps: { MenuProps: { transitionDuration: MOTION_MS } } },
  MuiTooltip: {
    defaultProps: { enterDelay: 400, arrow: false },
    styleOverrides: { tooltip: { fontSize: 12, fontWeight: 450, padding: '6px 10px', maxWidth: 320 } },
  },
  MuiLink: { defaultProps: { underline: 'hover' } },
  MuiSkeleton: { defaultProps: { variant: 'rounded' } },
  MuiAlert: {
    styleOverrides: {
      root: ({ theme, ownerState: { severity = 'success' } }) => ({
        alignItems: 'center',
        flexWrap: 'wrap',
        color: theme.vars.palette.text.primary,
        backgroundColor: theme.vars.palette.tone[severity].tint,
        // A button goes below the text before the text becomes narrower.
        '& .MuiAlert-message': { flex: '1 1 180px', minWidth: 0 },
        '& .MuiAlert-icon': { color: theme.vars.palette.tone[severity].main },
      }),
    },
  },
  MuiToggleButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        textTransform: 'none',
        fontWeight: 550,
        paddingInline: 14,
        minHeight: 36,
        ...TOUCH,
        color: theme.vars.palette.text.secondary,
        '&.Mui-selected, &.Mui-selected:hover': {
          color: theme.vars.palette.tone.primary.main,
          backgroundColor: theme.vars.palette.tone.primary.tint,
        },
      }),
    },
  },
};
