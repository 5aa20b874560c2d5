import GlobalStyles from '@mui/material/GlobalStyles';

/** Prints the open dispute alone: its drawer takes the place of the page, without buttons. */
export function PrintStyle() {
  return (
    <GlobalStyles
      styles={{
        '@media print': {
          '#root :not(.MuiDrawer-root, .MuiDrawer-root *, :has(.MuiDrawer-root))': { display: 'none !important' },
          '.MuiDrawer-root, .MuiDrawer-paper': { position: 'static !important' as 'static' },
          '.MuiDrawer-paper': {
            width: '100% !important',
            height: 'auto !important',
            overflow: 'visible !important',
            boxShadow: 'none !important',
          },
          '.MuiDrawer-root .MuiButton-root, .MuiDrawer-root .MuiIconButton-root, .MuiBackdrop-root': { display: 'none' },
        },
      }}
    />
  );
}
