/** Logo of the product; hidden from screen readers beside the name. */
export function Logo({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden focusable="false">
      <rect width="32" height="32" rx="6" fill="#0f5c73" />
      <path d="M9 23V9h8.2a4.9 4.9 0 0 1 0 9.8H13" fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round" />
      <path d="M18 23h5" stroke="#6cc3d8" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}
