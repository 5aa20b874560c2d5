import GlobalStyles from '@mui/material/GlobalStyles';

/** Prints the open dispute alone: its drawer takes the place of the page, without buttons. */
export function PrintStyle() {
  return (
    <GlobalStyles
      styles={{
        '@media print': {
          '#root :not([data-panel], [data-panel] *, :has([data-panel]))': { display: 'none !important' },
          ':has(> [data-panel])': { display: 'block !important', position: 'static !important' as 'static' },
          '[data-panel]': { position: 'static !important' as 'static', width: '100% !important', height: 'auto !important' },
          '[data-panel] *': { overflow: 'visible !important' },
          '[data-panel] .MuiButton-root, [data-panel] .MuiIconButton-root': { display: 'none' },
        },
      }}
    />
  );
}
